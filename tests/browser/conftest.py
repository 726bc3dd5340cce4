"""The running app in a real browser: one server and one Chromium for all browser tests."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect, sync_playwright

from pages._shared.lab.catalogue import LABS

ROOT = Path(__file__).parents[2]
LAB_NAMES = {lab.name for lab in LABS}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    # Pages with added headers count as foreign; scripts are compiled faster at once than in parts.
    "--disable-features=LocalNetworkAccessChecks,ScriptStreaming",
]

# A lab that is opened for the first time plays by itself (stage/first_visit.js).
NOT_THE_FIRST_VISIT = """try {
    localStorage.setItem('first visit', 'over');
    localStorage.setItem('predict offered', 'never');
} catch {}"""

PATIENCE = 60_000  # milliseconds; a busy machine is no failure
expect.set_options(timeout=PATIENCE)


def pytest_itemcollected(item):
    """Mark the walks of single labs as long; what all labs share has tests of its own."""
    item.add_marker(pytest.mark.browser)
    if item.path.stem.removeprefix("test_") in LAB_NAMES:
        item.add_marker(pytest.mark.long)


def installed(browsers: tuple[str, ...]) -> str | None:
    """Find the first browser of a list that is installed."""
    return next(filter(None, map(shutil.which, browsers)), None)


@pytest.fixture(scope="session")
def chromium():
    path = installed(BROWSERS)
    if path is None and os.environ.get("CI"):
        pytest.fail("no Chromium is installed, and in CI the browser tests may not be skipped")
    if path is None:
        pytest.skip("NO CHROMIUM FOUND: the browser tests did not run; install chromium for them")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def start_server(log: Path, port: int | None = None) -> tuple[subprocess.Popen, str]:
    """Start the app as the README does, on a free port by default; return its address."""
    if port is None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "--server.headless=true"], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(1200):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return process, address
        except OSError:
            time.sleep(0.1)
    process.kill()
    pytest.fail(f"the app did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    log = tmp_path_factory.mktemp("server") / "log.txt"
    process, address = start_server(log)
    try:
        yield address
        assert "Traceback" not in log.read_text(), log.read_text()
    finally:
        process.terminate()
        process.wait(10)


def until(page: Page, happened: Callable[[], bool], seconds: float = 60) -> None:
    """Let the page go on, frame by frame, until a condition holds."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"it did not happen in {seconds} s"
        page.evaluate("() => new Promise(requestAnimationFrame)")


class Stage:
    """What a user sees of a lab and does with it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        page.set_default_timeout(PATIENCE)
        page.add_init_script(NOT_THE_FIRST_VISIT)
        self.where = page.locator(".stage .where")
        self.count = page.locator(".stage .count")
        self.caption = page.locator(".stage .caption")
        self.notice = page.locator(".stage .notice")
        self.points = page.locator(".stage .picture .stage-points path")

    def open(self, path: str) -> None:
        self.page.goto(f"{self.address}/{path}")
        expect(self.page.locator(".stage .plot .main-svg").first).to_be_attached()
        expect(self.caption).not_to_be_empty()

    def settle(self) -> None:
        """Wait until the step that the user is at is shown."""
        expect(self.page.locator(".stage.waiting")).to_have_count(0)

    def tool(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def area(self) -> dict:
        """Return the plot's inside, in pixels of the page."""
        box = self.page.locator(".stage .plot .nsewdrag").first.bounding_box()
        assert box
        return box

    def place(self, u: float, v: float) -> tuple[float, float]:
        """Return the pixel at shares of the plot's width and height, from the lower left."""
        box = self.area
        return box["x"] + u * box["width"], box["y"] + (1 - v) * box["height"]

    def click(self, u: float, v: float) -> None:
        self.page.mouse.click(*self.place(u, v))

    def drag(self, *places: tuple[float, float], steps: int = 10) -> None:
        """Press at the first place and go through the others."""
        self.page.mouse.move(*self.place(*places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.place(*place), steps=steps)
        self.page.mouse.up()

    def drag_handle(self, handle: Locator, u: float, v: float) -> None:
        """Drag a handle to a place."""
        box = handle.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(*self.place(u, v), steps=5)
        self.page.mouse.up()

    def pixel(self, index: int) -> tuple[float, float]:
        """Return where a data point is drawn, as shares of the plot's inside."""
        point = self.points.nth(index)
        expect(point).to_be_visible()
        box, area = point.bounding_box(), self.area
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return (x - area["x"]) / area["width"], 1 - (y - area["y"]) / area["height"]

    def fills(self) -> list[str]:
        """Return the colour of every data point."""
        return self.points.evaluate_all("nodes => nodes.map((node) => node.style.fill)")

    def choose(self, label: str, option: str) -> None:
        """Choose from a menu by typing, since a long one shows only a part of it.

        A busy page may close the menu: try again.
        """
        menu = self.page.get_by_role("combobox", name=label)
        wanted = self.page.get_by_role("option", name=option, exact=True)
        for _ in range(5):
            if menu.get_attribute("aria-expanded") != "true":
                menu.click()
            menu.fill(option)
            try:
                return wanted.click(timeout=10_000)
            except TimeoutError:
                continue
        wanted.click()

    def open_data(self) -> None:
        """Open the data panel, which stands by the title."""
        panel = self.page.get_by_role("combobox", name="Preset")
        if not panel.is_visible():
            self.page.get_by_role("button", name="Data", exact=True).click()
            expect(panel).to_be_visible()

    def close_data(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("combobox", name="Preset")).to_be_hidden()

    def read(self, name: str, raw: bytes) -> None:
        """Load a file in the dialog for the visitor's own data."""
        file = self.page.locator("input[type=file]")
        if not file.count():
            self.page.get_by_role("button", name="Load", exact=True).click()
        file.set_input_files({"name": name, "mimeType": "text/plain", "buffer": raw})

    def use(self) -> None:
        """Use the data in the dialog."""
        button = self.page.get_by_role("button", name="Use these data")
        button.click()
        expect(button).to_be_hidden()

    def clear(self) -> None:
        """Take all points off the plane."""
        self.open_data()
        self.page.get_by_role("button", name="Clear").click()
        self.close_data()

    def menu(self, section: str, title: str) -> None:
        """Go to another lab by the menu at the top, whose last sections may be under "3 more"."""
        named = self.page.get_by_role("button", name=section)
        more = self.page.get_by_role("button", name=re.compile(r"^\d+ more"))
        expect(named.or_(more).first).to_be_visible()
        (named if named.count() else more).first.click()
        self.page.get_by_text(title, exact=True).last.click()
        expect(self.page.locator(".lab-title h1")).to_have_text(title)


@pytest.fixture(scope="session")
def openers(chromium, server):
    """Return pages that open others, which then share a process and one compiled Plotly.

    By whether the screen can be touched. What is measured stands still: nothing travels.
    """
    found = {
        touch: chromium.new_context(has_touch=touch, reduced_motion="reduce").new_page()
        for touch in (False, True)
    }
    for page in found.values():
        page.goto(server)
        expect(page.get_by_role("heading", name="Chalkline")).to_be_visible()
    return found


@contextmanager
def visit(server: str, opener: Page, width: int = 1366, height: int = 768) -> Iterator[Stage]:
    """Return a fresh session. It fails if the page throws, or requests anything but the app."""
    opener.evaluate("localStorage.clear()")  # such as that the sidebar was folded
    with opener.expect_popup() as popup:
        opener.evaluate("window.open('about:blank') && undefined")
    page = popup.value
    page.set_viewport_size({"width": width, "height": height})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(f"thrown: {error}"))
    page.on(
        "request",
        lambda sent: (
            sent.url.startswith((server, server.replace("http", "ws"), "data:", "blob:"))
            or problems.append(f"asked for {sent.url}")
        ),
    )
    yield Stage(page, server)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    page.context.set_offline(False)
    page.close()
    assert not problems


@pytest.fixture
def stage(server, openers, request):
    """Return a visitor in a window of the size that the test asks for."""
    marker = request.node.get_closest_marker("viewport")
    size = marker.args if marker else (1366, 768)
    with visit(server, openers[size[0] < 800], *size) as one:
        yield one
