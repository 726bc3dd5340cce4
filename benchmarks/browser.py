"""In the browser: milliseconds per frame, and from the end of a stroke to the new picture.

    .venv/bin/python benchmarks/browser.py [lab ...]

Every lab shows 500 and 1,000 points at 1366 x 768, in an installed Chromium without a graphics
card. Frames, at most 80 of a run, are fetched first and then shown one after the other as fast
as they can be drawn; 15 a second are 67 ms each.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.app import serve
from pages._shared.lab.catalogue import LABS
from tests.browser.conftest import BROWSERS, FLAGS, Stage, installed

STROKES = 3
MOST_FRAMES = 80
FRAMES = """async (most) => {
    const scrub = document.querySelector(".scrub"), root = document.querySelector(".stage");
    const times = [];
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    const parts = Math.min(most, +scrub.max);
    const steps = Array.from({ length: parts + 1 }, (_, i) => Math.round((i * scrub.max) / parts));
    const go = async (step) => {
        scrub.value = step;
        scrub.dispatchEvent(new Event("input"));
        await drawn();
    };
    for (const step of steps) { // the frames come when they are wanted
        await go(step);
        while (root.classList.contains("waiting")) await drawn();
    }
    for (const step of steps) {
        const start = performance.now();
        await go(step);
        times.push(performance.now() - start);
    }
    return times;
}"""
WATCH = """() => {
    const notice = document.querySelector(".stage .notice");
    window.waited = null;
    notice.textContent = "";
    document.addEventListener("pointerup", () => {
        const start = performance.now();
        const watch = new MutationObserver(() => {
            if (!notice.textContent) return;
            watch.disconnect();
            const done = () => (window.waited = performance.now() - start);
            requestAnimationFrame(() => setTimeout(done));
        });
        watch.observe(notice, { childList: true, characterData: true, subtree: true });
    }, { once: true, capture: true });
}"""


def frames(page: Page) -> list[float]:
    """Return the milliseconds of frames that are already loaded, throughout the run."""
    return page.evaluate(FRAMES, MOST_FRAMES)


def stroke(stage: Stage, i: int) -> float:
    """Return the milliseconds from a click that adds a point to the picture of the new run."""
    stage.page.evaluate(WATCH)
    stage.click(0.3 + 0.1 * i, 0.9)
    stage.page.wait_for_function("window.waited")
    return stage.page.evaluate("window.waited")


def main() -> None:
    """Print one Markdown table."""
    print("| lab | points | frames | ms a frame, median | slowest | stroke to picture, ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    with serve() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        address = f"http://127.0.0.1:{server.port}"
        for lab in sys.argv[1:] or [lab.name for lab in LABS]:
            for n in (500, 1000):
                page = chromium.new_page(viewport={"width": 1366, "height": 768})
                stage = Stage(page, address)
                stage.open(f"{lab}?n={n}")
                page.wait_for_timeout(1000)
                times = frames(page)
                stage.tool("Point")
                waits = [stroke(stage, i) for i in range(STROKES)]
                print(
                    f"| {lab} | {stage.count.inner_text().split()[0]} | {len(times)} | "
                    f"{median(times):.0f} | {max(times):.0f} | {median(waits):.0f} |",
                    flush=True,
                )
                page.close()
        chromium.close()


if __name__ == "__main__":
    main()
