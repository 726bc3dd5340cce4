"""Half an hour of random use by several visitors at once: no page may fail, the memory must settle.

    .venv/bin/python benchmarks/soak.py [minutes]

Prints the server's memory every minute. It is compared between a third of the time, when the caches
are full, and the end.
"""

import sys
import time
from pathlib import Path
from random import randrange

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import ViewportSize, sync_playwright

from benchmarks.app import serve
from tests.browser.conftest import BROWSERS, FLAGS, Stage, installed
from tests.browser.soak import use

VISITORS = 4
SIZE = ViewportSize(width=1366, height=768)
TURN = 10  # seconds one visitor acts before the next one does


def main() -> None:
    """Run, print, and fail with the page that fails."""
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with serve() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        address = f"http://127.0.0.1:{server.port}"
        pages = [chromium.new_page(viewport=SIZE) for _ in range(VISITORS)]
        thrown: list[str] = []
        for page in pages:
            page.on("pageerror", lambda error: thrown.append(str(error)))
        begin, done, memory = time.monotonic(), 0, [server.megabytes()]
        while (passed := time.monotonic() - begin) < 60 * minutes:
            page = pages[done % VISITORS]
            seed = randrange(10**6)
            try:
                use(Stage(page, address), TURN, seed)
            except AssertionError:
                print(f"seed {seed} failed at {page.url}")
                raise
            assert not thrown, thrown
            done += 1
            if passed > 60 * len(memory):
                memory.append(server.megabytes())
                print(f"{passed / 60:.0f} min: {memory[-1]:.0f} MB", flush=True)
        settled, last = memory[len(memory) // 3], memory[-1]
        print(f"{done} turns; memory {settled:.0f} → {last:.0f} MB ({100 * last / settled:.0f} %)")
        chromium.close()


if __name__ == "__main__":
    main()
