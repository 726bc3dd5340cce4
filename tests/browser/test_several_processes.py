"""Several processes behind a real nginx, as deploy/serve.py starts them, and one is killed."""

import asyncio
import os
import random
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from email.message import Message
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.app import Server, Session, serve, wait_until_healthy
from deploy.serve import frames, own_hosts
from pages._shared.stage.protocol import MOST_WANTED
from tests.browser.conftest import Stage, until

VISITORS = 12
NEEDED = {
    "nginx (apt-get install nginx-light)": shutil.which("nginx", path="/usr/sbin:/usr/bin"),
    "the packages of deploy/requirements.txt": find_spec("supervisor") and find_spec("superlance"),
}
MISSING = [what for what, there in NEEDED.items() if not there]


class Visitor:
    """Moves a slider again and again, and reconnects as browsers do."""

    def __init__(self, server: Server, points: int) -> None:
        self.session, self.points = Session(server, "k_means", f"n={points}"), points
        self.seats: list[str] = []
        self.moves = 0

    async def use(self, over: threading.Event) -> None:
        chance = random.Random(self.points)
        await self.come()
        while not over.is_set():
            try:
                answer = await self.session.move("Noise", chance.randrange(1, 1000) / 1000)
                assert not answer.exceptions, answer
                self.moves += 1
                await asyncio.sleep(0.2)
            except ConnectionClosed:
                await self.come()
        await self.session.close()

    async def come(self) -> None:
        while True:
            try:
                answer = await self.session.open()
                break
            except (ConnectionClosed, InvalidHandshake):
                await asyncio.sleep(0.1)
        assert not answer.exceptions, answer
        self.seats.append(self.session.cookie.removeprefix("chalkline="))
        assert self.session.sliders["Points n"].value == self.points


class Visitors(threading.Thread):
    """Several visitors besides the browser."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.over, self.failed = threading.Event(), None
        self.all = [Visitor(server, 50 + i) for i in range(VISITORS)]

    def run(self) -> None:
        async def together() -> None:
            await asyncio.gather(*(visitor.use(self.over) for visitor in self.all))

        try:
            asyncio.run(together())
        except BaseException as error:
            self.failed = error

    def all_move(self) -> None:
        """Wait until everybody has made three more moves."""
        aim = [visitor.moves + 3 for visitor in self.all]
        wait_for(
            lambda: (
                all(v.moves >= moves for v, moves in zip(self.all, aim, strict=True)) or self.failed
            )
        )
        assert not self.failed, self.failed


def wait_for(what: Callable[[], Any]) -> Any:
    for _ in range(1200):
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen")


def pid_on(port: str) -> int | None:
    """Find the app's process that listens on a port."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"--server.port={port}".encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                return int(folder.name)
    return None


def seat_of(stage: Stage) -> str:
    cookies = {one["name"]: one["value"] for one in stage.page.context.cookies()}
    return cookies["chalkline"]


def upload_and_download(stage: Stage, last: int) -> None:
    """Upload and download a file: both reach the process that has the session.

    last : a number of the file that the one before did not have, so that the address changes.
    """
    before = stage.page.url
    stage.read("a.csv", f"a,b\n1,2\n3,4\n5,{last}\n".encode())
    stage.use()
    expect(stage.count).to_have_text("3 points")
    expect(stage.page).not_to_have_url(before)  # it is written when the page is complete
    stage.open_data()
    with stage.page.expect_download() as download:
        stage.page.get_by_role("button", name="Download", exact=True).click()
    assert len(download.value.path().read_text().splitlines()) == 4
    stage.close_data()


@pytest.fixture
def hall():
    if MISSING:
        pytest.skip(f"NOT FOUND, so several processes were not tested: {MISSING}")
    with serve(processes=2) as server:
        yield server


def answer(hall: Server, path: str, host: str = "localhost") -> tuple[int, Message, str]:
    """Ask for a page, and return the status, the headers and the text."""
    with closing(HTTPConnection("127.0.0.1", hall.port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Host": f"{host}:{hall.port}"})
        got = connection.getresponse()
        return got.status, got.headers, got.read().decode()


@pytest.mark.long
@pytest.mark.timeout(400)
def test_only_own_names_are_served_and_metrics_stay_inside(hall):
    names = {"localhost": 200, "127.0.0.1": 200, "lecture-hall": 200, "hall.local": 200}
    for name, status in {**names, "evil.example": 421, "1.evil.example": 421}.items():
        assert answer(hall, "/k_means", name)[0] == status, name
    assert answer(hall, "/_stcore/metrics")[0] == 403
    script = re.search(r'src="\./(static/js/[^"]+)"', answer(hall, "/")[2])
    assert script and answer(hall, f"/{script[1]}")[1]["Content-Type"] == "text/javascript"


@pytest.mark.long
@pytest.mark.timeout(400)
def test_newcomers_do_not_wait_for_a_process_that_hangs(hall):
    first = answer(hall, "/k_means")[1]["Set-Cookie"].split(";")[0]
    hung = pid_on(first.removeprefix("chalkline="))
    os.kill(hung, signal.SIGSTOP)
    try:
        seats = [answer(hall, "/k_means") for _ in range(8)]
    finally:
        os.kill(hung, signal.SIGCONT)
    assert {status for status, _, _ in seats} == {200}
    assert all(first not in headers["Set-Cookie"] for _, headers, _ in seats)


@pytest.mark.parametrize("origin", ["http://moodle.example.org", "https://a.b; x", "*"])
def test_only_sites_can_be_allowed_to_frame(origin):
    with pytest.raises(SystemExit):
        frames([origin])
    assert frames(["https://moodle.example.org"])["x_frame_options"] == ""
    with pytest.raises(SystemExit):
        own_hosts(["a b"])


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_run_plays_on_when_its_process_is_killed(chromium, hall):
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    stage = Stage(page, f"http://127.0.0.1:{hall.port}")

    def step() -> int:
        found = re.search(r" (\d+) of", stage.where.inner_text())
        assert found
        return int(found[1])

    stage.open("multilayer_perceptron")
    stage.press("Home")
    stage.tool("Play")
    until(page, lambda: step() > 20)
    with page.expect_websocket(timeout=60_000):
        os.kill(pid_on(seat_of(stage)), signal.SIGKILL)
    beyond = step() + 2 * MOST_WANTED  # more than the browser has of the run by now
    until(page, lambda: step() > beyond)
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.close()


@pytest.mark.long
@pytest.mark.timeout(400)
def test_who_loses_a_process_goes_on_at_another(chromium, hall):
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    stage = Stage(page, f"http://127.0.0.1:{hall.port}")
    stage.open("k_means?n=30&k=2")
    stage.tool("Point")
    stage.click(0.1, 0.1)
    expect(stage.caption).to_contain_text("31 points")
    expect(page).to_have_url(re.compile("points="))
    visitors = Visitors(hall)
    visitors.start()
    try:
        visitors.all_move()
        first = seat_of(stage)
        assert {first} < {visitor.seats[-1] for visitor in visitors.all}  # both have visitors

        dead = pid_on(first)
        with page.expect_websocket(timeout=60_000):
            os.kill(dead, signal.SIGKILL)
        visitors.all_move()
        second = seat_of(stage)
        assert second != first or pid_on(first) not in (None, dead)  # or it is back already
        assert all(len(v.seats) == 1 + (v.seats[0] == first) for v in visitors.all)
        expect(stage.count).to_have_text("31 points")  # from the address

        wait_for(lambda: pid_on(first) not in (None, dead))
        wait_until_healthy(int(first))
        upload_and_download(stage, 7)  # where the session is, though its first process is back
        assert seat_of(stage) == second

        hung = pid_on(second)
        with page.expect_websocket(timeout=120_000):
            os.kill(hung, signal.SIGSTOP)  # it takes connections and never answers
        visitors.all_move()
        wait_for(lambda: pid_on(second) not in (None, hung))
        wait_until_healthy(int(second))
        # The page is at the other process, or at the new one if that was back before it.
        expect(stage.page.get_by_test_id("stConnectionStatus")).to_have_count(0)
        expect(stage.count).to_have_text("3 points")
        upload_and_download(stage, 8)
        assert seat_of(stage) in (first, second)
    finally:
        visitors.over.set()
        visitors.join()
        page.close()


def port_of_room(hall: Server, code: str) -> int:
    """Find the process that leads the room's laptops: the others send them to the phones' page."""
    way = f"/room/{code}/follow"
    each = [Server(hall.port + i, hall.process) for i in (1, 2)]
    found = [process.port for process in each if answer(process, way)[0] == 200]
    assert len(found) == 1, "a room is in one process"
    return found[0]


def said(page: Page, words: str) -> None:
    expect(page.locator("#said")).to_contain_text(words)


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_room_ends_with_its_process_and_a_new_one_is_a_key_away(chromium, hall):
    contexts = [chromium.new_context(viewport={"width": 1366, "height": 768}) for _ in range(4)]
    wall, *others = [context.new_page() for context in contexts]
    phones, laptop = others[:2], others[2]
    stage = Stage(wall, f"http://127.0.0.1:{hall.port}")
    stage.open("k_means?k=5&step=2")
    stage.press("g")
    code = wall.locator(".room-code").inner_text()
    steering = wall.locator(".stage .room")
    steering.get_by_role("button", name="Follow me").click()
    for page in (*phones, laptop):
        page.goto(f"{stage.address}/room/{code}")
        said(page, "You are in")
    laptop.get_by_role("link", name="Follow on this computer").evaluate("link => link.target = ''")
    laptop.get_by_role("link", name="Follow on this computer").click()
    followed = Stage(laptop, stage.address)
    expect(followed.where).to_contain_text("step 2 of")
    expect(steering).to_contain_text("2 phones here")

    os.kill(pid_on(str(port_of_room(hall, code))), signal.SIGKILL)
    for phone in phones:
        said(phone, "There is no room with this code")
        expect(phone.locator("#door")).to_be_visible()
    expect(stage.notice).to_contain_text("The room is gone")
    expect(steering).to_be_hidden()
    expect(laptop.locator(".stage .follow")).to_contain_text("is gone")
    for each in (stage, followed):
        expect(each.where).to_contain_text("step 2 of")
        assert re.search(r"k_means\?k=5&step=2$", each.page.url)

    stage.press("g")
    fresh = wall.locator(".room-code").inner_text()
    assert fresh != code
    for phone in phones:
        phone.locator("#letters").fill(fresh)
        phone.locator("#letters").press("Enter")
        said(phone, "You are in")
    steering.get_by_role("button", name="Ask the room").click()
    for phone in phones:
        phone.locator(".choice").first.click()
    expect(steering).to_contain_text("2 of 2 phones answered")
    for context in contexts:
        context.close()
