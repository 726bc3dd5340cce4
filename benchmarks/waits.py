"""In the browser: the wait for a page, for a lab, and from a slider's key to its picture.

    .venv/bin/python benchmarks/waits.py [--static FOLDER] [lab ...]

In seconds, at 1366 x 768, in an installed Chromium without a graphics card: the gallery, at the
first visit and at later ones; then every lab as it opens from the gallery, its keys, and a second
visit by its address. Every value of a slider is new; the sliders are the first three of the
sidebar. With --static all is done with the server and with a folder that deploy/browser/build.py
has built, lab by lab, and a cell holds both.
"""

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from statistics import median
from time import perf_counter
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.app import serve
from pages._shared.lab.catalogue import LABS
from tests.browser.conftest import BROWSERS, FLAGS, installed

PATIENCE = 180_000  # milliseconds
SLIDERS, PRESSES = 3, 4
GALLERY = "[data-testid=stMain] [data-testid=stPageLink] a"
PICTURE = """() => document.querySelector(".stage .plot .main-svg")
    && document.querySelector(".stage .caption").textContent"""
# The stage says at every answer which theme it has; a moment later the answer is drawn.
WATCH = """() => {
    window.waited = null;
    document.addEventListener("keydown", () => {
        const start = performance.now();
        const watch = new MutationObserver(() => {
            watch.disconnect();
            const done = () => (window.waited = (performance.now() - start) / 1000);
            requestAnimationFrame(() => setTimeout(done));
        });
        watch.observe(document.querySelector(".stage"), { attributeFilter: ["data-theme"] });
    }, { once: true, capture: true });
}"""
RANGE = "({ min, max, value }) => [min, max, value]"
AT_REST = "document.querySelector('[data-test-script-state=notRunning]')"
# What a static folder keeps for the next visit comes after a pause; a server has no such thing.
KEPT = "navigator.serviceWorker.getRegistration().then((found) => !found || !!found.active)"
PAUSE = 8000  # milliseconds


class Aims(NamedTuple):
    """The aims in seconds: for a second visit, and from a key to its picture."""

    visit: float
    key: float


class Host(NamedTuple):
    """A server of the app, and a browser that visits only this server."""

    address: str
    visits: BrowserContext
    aims: Aims


class Waits(NamedTuple):
    """The seconds of one lab, and those of the gallery before it."""

    gallery: float
    opening: float
    visit: float
    keys: list[float]

    @property
    def cells(self) -> list[float]:
        """Return the cells of the table."""
        return [self.opening, self.visit, median(self.keys or [0]), max(self.keys, default=0)]


def gallery(page: Page, host: Host) -> float:
    """Return the seconds from the address to the gallery's cards."""
    start = perf_counter()
    page.goto(f"{host.address}/")
    page.locator(GALLERY).first.wait_for()
    return perf_counter() - start


def opening(page: Page, lab: str) -> float:
    """Return the seconds from a click on a lab's card to its picture."""
    card = page.locator(f"{GALLERY}:is([href='{lab}'], [href$='/{lab}'])").first
    card.wait_for()
    page.wait_for_function(AT_REST)
    start = perf_counter()
    card.click()
    page.wait_for_function(PICTURE)
    return perf_counter() - start


def visit(page: Page, host: Host, lab: str) -> float:
    """Return the seconds from a lab's address to its picture, with a full browser cache."""
    page.wait_for_timeout(PAUSE)
    page.wait_for_function(KEPT)
    start = perf_counter()
    page.goto(f"{host.address}/{lab}")
    page.wait_for_function(PICTURE)
    return perf_counter() - start


def keys(page: Page) -> list[float]:
    """Return the seconds from every key on a slider to the picture of its value."""
    sliders = page.get_by_test_id("stSidebar").get_by_role("slider")
    waits = []
    for i in range(min(SLIDERS, sliders.count())):
        low, high, now = map(float, sliders.nth(i).evaluate(RANGE))
        key, end = ("ArrowRight", high) if now < (low + high) / 2 else ("ArrowLeft", low)
        for _ in range(PRESSES):
            page.wait_for_function(AT_REST)
            if sliders.nth(i).evaluate(RANGE)[2] == str(end).removesuffix(".0"):
                break  # there is no further value
            page.wait_for_timeout(300)  # frames that are fetched ahead have come
            page.evaluate(WATCH)
            sliders.nth(i).press(key)
            page.wait_for_function("window.waited")
            waits.append(page.evaluate("window.waited"))
    return waits


def measure(host: Host, lab: str) -> Waits:
    """Visit the gallery, open a lab from it, use it, and come again."""
    page = host.visits.new_page()
    waits = [gallery(page, host), opening(page, lab)]
    found = keys(page)
    waits.append(visit(page, host, lab))
    page.close()
    return Waits(*waits, found)


class Handler(SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder of static files; return its address."""
    (folder / "service_worker.js").stat()  # or nothing was built there
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def together(numbers: Iterable[float]) -> str:
    """Write the seconds at all hosts into one cell."""
    return " / ".join(f"{number:.2f}" for number in numbers)


def report(hosts: list[Host], labs: list[str]) -> None:
    """Print a Markdown table, the gallery's times, and the labs that are slower than the aims."""
    first, later = [], []
    for host in hosts:
        page = host.visits.new_page()
        first.append(gallery(page, host))
        page.close()
    slow = set()
    print("| lab | from the gallery, s | second visit, s | key to picture, s, median | slowest |")
    print("| --- | --- | --- | --- | --- |")
    for lab in labs:
        found = [measure(host, lab) for host in hosts]
        later.append([waits.gallery for waits in found])
        cells = map(together, zip(*(waits.cells for waits in found), strict=True))
        print(f"| {lab} | {' | '.join(cells)} |", flush=True)
        for host, waits in zip(hosts, found, strict=True):
            _, visited, key, _ = waits.cells
            slow |= {lab} if visited > host.aims.visit or key > host.aims.key else set()
    again = [median(column) for column in zip(*later, strict=True)]
    print(f"\nGallery: {together(first)} s at the first visit, {together(again)} s later.")
    aims = (f"{host.aims.visit} s a visit, {host.aims.key} s a key" for host in hosts)
    print(f"Slower than is aimed at ({'; '.join(aims)}): {', '.join(sorted(slow)) or 'none'}.")


def main() -> None:
    """Measure the labs that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--static", type=Path, metavar="FOLDER", help="a built folder, to compare")
    parser.add_argument("labs", nargs="*", metavar="lab", default=[lab.name for lab in LABS])
    asked = parser.parse_args()
    with ExitStack() as stack:
        addresses = [(f"http://127.0.0.1:{stack.enter_context(serve()).port}", Aims(1.5, 0.25))]
        if asked.static:
            addresses += [(stack.enter_context(serve_folder(asked.static)), Aims(6, 0.6))]
        playwright = stack.enter_context(sync_playwright())
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        hosts = []
        for address, aims in addresses:
            visits = chromium.new_context(viewport={"width": 1366, "height": 768})
            visits.set_default_timeout(PATIENCE)
            hosts.append(Host(address, visits, aims))
        report(hosts, asked.labs)
        chromium.close()


if __name__ == "__main__":
    main()
