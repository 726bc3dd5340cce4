"""Rooms of a running app, by real websockets: votes, reconnection, strangers, hostile messages."""

import asyncio
import json
import random
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.app import Server, serve
from pages._shared.room import answers
from pages._shared.room.following import MOST_FOLLOWERS
from pages._shared.room.lines import AT_ONCE, MOST_BEYOND

SECRET = "s" * 32
PNG = b"\x89PNG and more"
ASKED = {"way": "buttons", "text": "Which?", "options": ["x", "y"], "right": 1, "reason": "So."}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as found:
        yield found


class Line:
    """A phone, or a teacher's page."""

    def __init__(self, server: Server, path: str, first: dict[str, Any], origin: str = "") -> None:
        self.address, self.first = f"ws://127.0.0.1:{server.port}/room/{path}", first
        self.origin = origin or f"http://127.0.0.1:{server.port}"

    async def __aenter__(self) -> "Line":
        self.socket = await websockets.connect(
            self.address, origin=websockets.Origin(self.origin), proxy=None
        )
        await self.say(**self.first)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def say(self, **said: Any) -> None:
        await self.socket.send(json.dumps(said))

    async def hears(self, what: Callable[[dict], bool]) -> dict:
        while True:
            told = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
            if what(told):
                return told

    async def code(self) -> int:
        """Wait until the server closes the connection, and return its reason."""
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await asyncio.wait_for(self.socket.recv(), 60)
        assert closed.value.rcvd
        return closed.value.rcvd.code


def wall(server: Server, code: str, **more: Any) -> Line:
    return Line(server, f"{code}/teacher", {"secret": SECRET, "wall": True, "open": True, **more})


def follower(server: Server, code: str) -> Line:
    return Line(server, f"{code}/follower", {"follow": True})


def phone(server: Server, code: str, name: str) -> Line:
    return Line(server, f"{code}/phone", {"join": name * 20})


def run(walk: Coroutine[Any, Any, None]) -> None:
    """Walk in a thread of its own: in this one a browser of other tests may hold the event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, walk).result()


def test_a_vote_its_second_round_and_a_phone_that_comes_back(server: Server) -> None:
    async def walk() -> None:
        async with wall(server, "AAAA") as teacher, phone(server, "AAAA", "b") as other:
            async with phone(server, "AAAA", "a") as one:
                await teacher.hears(lambda told: told["phones"] == 2)
                picture = b64encode(PNG).decode()
                await teacher.say(do="ask", picture=picture, **ASKED)
                told = await one.hears(lambda told: told["room"]["phase"] == "asking")
                assert told["room"]["question"]["picture"] and "right" not in str(told)
                await one.say(vote=0, number=1)
                await one.hears(lambda told: told["mine"]["votes"] == [0, None])
            await teacher.hears(lambda told: (told["phones"], told["answered"]) == (1, 1))
            await other.say(vote=1, number=1)
            await teacher.hears(lambda told: told["answered"] == 2)
            await teacher.say(do="close")
            told = await teacher.hears(lambda told: told["phase"] == "closed")
            assert told["answered"] == 2 and told["tally"] is None
            async with phone(server, "AAAA", "a") as again:
                told = await again.hears(lambda _: True)
                assert (told["room"]["phase"], told["mine"]["votes"]) == ("closed", [0, None])
                await teacher.say(do="again", seconds=0.1)
                await again.hears(lambda told: told["room"]["phase"] == "asking again")
                await again.say(vote=1, number=1)
                await again.hears(lambda told: told["room"]["phase"] == "closed")  # by the clock
                await teacher.say(do="reveal")
                told = await again.hears(lambda told: told["room"]["phase"] == "revealed")
                assert told["mine"]["right"] and told["room"]["revealed"]["reason"] == "So."
            told = await teacher.hears(lambda told: told["phase"] == "revealed")
            assert told["results"][0]["gained"] == 1
            mine = {"secret": SECRET}  # the teacher's phone, which sees every tally
            async with Line(server, "AAAA/teacher", mine) as own:
                await own.say(do="ask", **ASKED)
                await other.hears(lambda told: told["room"]["number"] == 2)
                await other.say(vote=0, number=2)
                await own.hears(lambda told: told["tally"] == [[0, None, 1]])

    run(walk())


def test_strangers_are_refused_with_a_reason(server: Server) -> None:
    async def walk() -> None:
        async with wall(server, "BBBB"):
            async with wall(server, "BBBB", secret="t" * 32) as stranger:
                assert await stranger.code() == 4409
            async with wall(server, "BBBB", secret="t" * 32, open=False) as stranger:
                assert await stranger.code() == 4404
            async with phone(server, "CCCC", "a") as lost:
                assert await lost.code() == 4404
            for first in ({"join": "short"}, {"join": 1}, {}):
                async with Line(server, "BBBB/phone", first) as odd:
                    assert await odd.code() == 4400
            foreign = Line(server, "BBBB/phone", {"join": "a" * 20}, "http://evil.example")
            with pytest.raises(InvalidStatus):
                await foreign.__aenter__()

    run(walk())


def test_pages_that_follow_get_the_newest_address_from_the_teacher_alone(server: Server) -> None:
    base = f"http://127.0.0.1:{server.port}/room/EEEE/follow"

    def led() -> tuple[str, str]:
        with urllib.request.urlopen(base) as answer:
            return answer.url, answer.read().decode()

    async def walk() -> None:
        place = "k_means?k=5&step=0"
        async with wall(server, "EEEE") as teacher, phone(server, "EEEE", "a") as one:
            await one.hears(lambda told: told["room"]["leads"] is False)
            url, _ = await asyncio.to_thread(led)
            assert url.endswith("/room/EEEE"), "nobody is led, so it is the phones' page"
            async with follower(server, "EEEE") as page:
                assert await page.hears(lambda _: True) == {"address": "", "absent": 0}
                await teacher.hears(lambda told: told["followers"] == 1)
                await teacher.say(do="lead", address=place, absent=0)
                await page.hears(lambda told: told["address"] == place)
                await one.hears(lambda told: told["room"]["leads"])
                for other in (page, one):
                    await other.say(do="lead", address="dbscan?step=1")
                    await other.say(vote=1, number=1, address="dbscan?step=1")
                await teacher.say(do="lead", address="https://evil.example/k_means?k=1")
                for step in range(1, 8):
                    await teacher.say(do="lead", address=f"k_means?k=5&step={step}", absent=9)
                told = await page.hears(lambda told: told != {"address": place, "absent": 0})
                while told["address"][-1] != "7":
                    assert told["address"].startswith("k_means?k=5&step=")
                    told = await page.hears(lambda _: True)
                assert told["absent"] == 9
            await teacher.hears(lambda told: told["followers"] == 0)
            _, text = await asyncio.to_thread(led)
            assert 'href="../../k_means?k=5&amp;step=7" data-room="EEEE"' in text
            async with follower(server, "EEEE") as again:
                await again.hears(lambda told: told["address"] == "k_means?k=5&step=7")
                await teacher.say(do="lead", address=None)
                await again.hears(lambda told: not told["address"])
            async with follower(server, "FFFF") as lost:
                assert await lost.code() == 4404

    run(walk())


def test_a_room_takes_a_bounded_number_of_pages_that_follow(server: Server) -> None:
    async def walk() -> None:
        async with wall(server, "GGGG") as teacher, AsyncExitStack() as stack:
            each = (follower(server, "GGGG") for _ in range(MOST_FOLLOWERS))
            pages = [await stack.enter_async_context(page) for page in each]
            await teacher.hears(lambda told: told["followers"] == MOST_FOLLOWERS)
            async with follower(server, "GGGG") as late:
                assert await late.code() == 4413
            await pages[0].socket.close()
            await teacher.hears(lambda told: told["followers"] == MOST_FOLLOWERS - 1)
            async with follower(server, "GGGG") as late:
                await late.hears(lambda told: told["address"] == "")

    run(walk())


def test_hostile_messages_change_nothing_and_nothing_falls(server: Server) -> None:
    chance = random.Random(3)

    async def annoy(code: str, name: str) -> None:
        async with phone(server, code, name) as one:
            for i in range(AT_ONCE + MOST_BEYOND + 50):
                raw = "".join(chance.choices('{}[]":,vote019nul', k=chance.randrange(400)))
                text = chance.choice([raw, json.dumps({"vote": i, "number": -i}), "[" * 290])
                try:
                    await one.socket.send(text if i % 7 else raw.encode())
                except ConnectionClosed:
                    return

    async def walk() -> None:
        async with wall(server, "DDDD") as teacher, phone(server, "DDDD", "z") as good:
            await teacher.say(do="ask", **ASKED)
            await good.hears(lambda told: told["room"]["number"] == 1)
            await good.say(vote=1, number=1)
            for _ in range(4):
                await asyncio.gather(*(annoy("DDDD", name) for name in "abcdefghij"))
            await teacher.say(do="reveal")
            told = await teacher.hears(lambda told: told["phase"] == "revealed")
            assert told["results"][0]["first"] == [0, 1]
            await good.hears(lambda told: told["room"]["phase"] == "revealed")

    run(walk())


def test_the_phones_page_is_small_and_loads_nothing_from_elsewhere(server: Server) -> None:
    text, policy = answers.page()
    assert len(text.encode()) < 60_000
    loaded = text.replace("http://www.w3.org/2000/svg", "")  # a name, which nothing is loaded from
    assert "http://" not in loaded and "https://" not in loaded
    base = f"http://127.0.0.1:{server.port}/room"
    for path in ("", "/ABCD"):
        with urllib.request.urlopen(base + path) as answer:
            assert answer.headers["Content-Security-Policy"] == policy
            assert "Set-Cookie" not in answer.headers
            assert answer.read().decode() == text
    with urllib.request.urlopen(f"{base}/ABCD/code.svg?at=http://a.org/room") as answer:
        assert answer.read().startswith(b"<svg xmlns")
    for path in ("/ABCD/picture/1", "/ABCD/code.svg?at=javascript:1", "/a<b/code.svg?at=http://a"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(base + path)
