"""In the browser: seconds to a lab's first picture, and from a slider's key to the new one.

    .venv/bin/python benchmarks/waits.py [lab ...]

Every lab as it opens, at 1366 x 768, in an installed Chromium without a graphics card. Server and
browser have shown the lab once before, so that what they keep is there, as it is in a class; every
value of the slider is new to them. The sliders are the first three of the sidebar.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from statistics import median
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from benchmarks.app import serve
from pages._shared.labs import LABS
from tests.browser.conftest import BROWSERS, FLAGS, Stage, installed

FIRST, KEY = 1.5, 0.25  # seconds: what is aimed at
SLIDERS, PRESSES = 3, 4
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


def first_picture(stage: Stage, lab: str) -> float:
    """Return the seconds from the address to the picture, at the second visit."""
    stage.open(lab)
    start = perf_counter()
    stage.open(lab)
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


def main() -> None:
    """Print one Markdown table, and which labs are slower than is aimed at."""
    slow = []
    print("| lab | first picture, s | key to picture, s, median | slowest |")
    print("| --- | --- | --- | --- |")
    with serve() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        context = chromium.new_context(viewport={"width": 1366, "height": 768})
        for lab in sys.argv[1:] or [lab.name for lab in LABS]:
            page = context.new_page()
            first = first_picture(Stage(page, f"http://127.0.0.1:{server.port}"), lab)
            waits = keys(page)
            key = median(waits) if waits else 0.0
            last = max(waits, default=0.0)
            print(f"| {lab} | {first:.2f} | {key:.2f} | {last:.2f} |", flush=True)
            slow += [lab] if first > FIRST or key > KEY else []
            page.close()
        chromium.close()
    aims = f"{FIRST} s to the first picture, {KEY} s from key to picture"
    print(f"\nSlower than {aims}: {', '.join(slow) or 'none'}.")


if __name__ == "__main__":
    main()
