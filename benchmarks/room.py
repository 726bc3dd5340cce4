"""Many phones in rooms of one process: how fast a question arrives and how soon all are counted.

    .venv/bin/python benchmarks/room.py

A thousand phones in one room, then twenty rooms of fifty. The memory is that of the phones and five
questions. Then a visitor in a process of its own moves a slider of k-means, while pauses and
questions take turns, so both are measured under the same load. Then strangers send ten thousand
messages that no phone of ours would send. Server, phones and visitor share the processors of this
machine.
"""

import asyncio
import json
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import websockets
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.app import Server, Session, serve
from pages._shared.room.rooms import LETTERS

FIRST, ROUNDS = 5, 20  # questions to a room without a visitor, and beside one
SPREAD = 2.0  # seconds in which a class answers
WARM = 6.0  # seconds until the visitor's page has everything in memory
HOSTILE, AT_ONCE = 10_000, 20  # messages; connections that send them
ASKED = {
    "do": "ask", "way": "buttons", "text": "Which centre gets the point?", "right": 1,
    "options": ["1", "2", "3", "4"], "reason": "It is the nearest.",
}  # fmt: skip


def share(values: list[float], part: float) -> float:
    """Return a quantile in milliseconds."""
    return 1000 * sorted(values)[int(part * (len(values) - 1))]


class Class:
    """A teacher's page and its phones."""

    def __init__(self, server: Server, code: str, phones: int) -> None:
        self.address, self.size = f"ws://127.0.0.1:{server.port}/room/{code}", phones
        self.arrived: list[float] = []
        self.counted: list[float] = []  # seconds after the last answer

    async def come(self) -> None:
        """Open the room and have all phones join."""
        self.wall = await websockets.connect(f"{self.address}/teacher", proxy=None)
        await self.wall.send(json.dumps({"secret": "s" * 32, "wall": True, "open": True}))
        self.phones: list[websockets.ClientConnection] = []
        for first in range(0, self.size, 50):
            some = range(first, min(first + 50, self.size))
            self.phones += await asyncio.gather(*(self.join(i) for i in some))

    async def join(self, i: int) -> websockets.ClientConnection:
        """Connect a phone, and read the state that it is sent."""
        phone = await websockets.connect(
            f"{self.address}/phone", proxy=None, compression=None, open_timeout=60
        )
        await phone.send(json.dumps({"join": f"{i:020}"}))
        await phone.recv()
        return phone

    async def ask(self, number: int) -> None:
        """Ask a question, and wait until every answer is counted."""
        start, given = time.perf_counter(), []

        async def answer(phone: websockets.ClientConnection) -> None:
            while f'"number":{number}' not in (text := await phone.recv()) or "asking" not in text:
                pass
            self.arrived.append(time.perf_counter() - start)
            await asyncio.sleep(random.random() * SPREAD)
            await phone.send(json.dumps({"vote": random.randrange(4), "number": number}))
            given.append(time.perf_counter())
            await phone.recv()

        tasks = [asyncio.create_task(answer(phone)) for phone in self.phones]
        await self.wall.send(json.dumps(ASKED))
        while True:
            told = json.loads(await self.wall.recv())
            if told["number"] == number and told["answered"] == self.size:
                break
        self.counted.append(time.perf_counter() - max(given))
        await asyncio.gather(*tasks)

    async def leave(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(line.close() for line in [self.wall, *self.phones]))


class Visitor:
    """Somebody who opens a page and, when told to, moves a slider to new values.

    They are a process of their own, so that the phones do not keep them waiting.
    """

    def __init__(self, server: Server) -> None:
        fork = multiprocessing.get_context("fork")
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=_visit, args=(server, theirs))
        self.process.start()
        self.pipe.recv()  # the page is open

    def begin(self) -> None:
        """Have them move the slider from now on."""
        self.pipe.send("begin")

    def waits(self) -> list[tuple[float, float]]:
        """Go, and return when each move began and how long it took, in seconds."""
        self.pipe.send("over")
        waits = self.pipe.recv()
        self.process.join()
        return waits


def _visit(server: Server, pipe: Connection) -> None:
    async def visit() -> list[tuple[float, float]]:
        session, waits = Session(server, "k_means"), []
        await session.open()
        pipe.send("open")
        pipe.recv()
        while not pipe.poll():
            noise = random.randrange(1, 10**6) / 10**6
            waits.append((time.perf_counter(), (await session.move("Noise", noise)).seconds))
            await asyncio.sleep(0.05)
        await session.close()
        return waits

    pipe.send(asyncio.run(visit()))


async def measure(server: Server, visitor: Visitor, rooms: int, phones: int) -> None:
    """Measure some rooms, and print a line."""
    before = server.megabytes()
    classes = [Class(server, f"{LETTERS[rooms % 22]}{LETTERS[i]}AA", phones) for i in range(rooms)]
    start = time.perf_counter()
    for each in classes:
        await each.come()
    joined = time.perf_counter() - start
    for number in range(1, FIRST + 1):
        await asyncio.gather(*(each.ask(number) for each in classes))
    after = server.megabytes()
    visitor.begin()
    await asyncio.sleep(WARM)
    asked: list[tuple[float, float]] = []
    for number in range(FIRST + 1, FIRST + ROUNDS + 1):
        await asyncio.sleep(SPREAD)
        start = time.perf_counter()
        await asyncio.gather(*(each.ask(number) for each in classes))
        asked.append((start, time.perf_counter()))
    arrived = [wait for each in classes for wait in each.arrived]
    counted = [wait for each in classes for wait in each.counted]
    moves = [move for move in visitor.waits() if asked[0][0] - SPREAD < move[0] < asked[-1][1]]
    beside = [wait for at, wait in moves if any(a < at + wait and at < b for a, b in asked)]
    alone = [wait for at, wait in moves if not any(a < at + wait and at < b for a, b in asked)]
    for each in classes:
        await each.leave()
    print(
        f"{rooms} x {phones}: joined {joined:.1f} s; question to phone p50 "
        f"{share(arrived, 0.5):.0f} p95 {share(arrived, 0.95):.0f} ms; counted after the last "
        f"answer p50 {1000 * statistics.median(counted):.0f} worst {1000 * max(counted):.0f} ms; "
        f"memory {before:.0f} -> {after:.0f} MB; a move p50/p95 in the pauses "
        f"{share(alone, 0.5):.0f}/{share(alone, 0.95):.0f}, during questions "
        f"{share(beside, 0.5):.0f}/{share(beside, 0.95):.0f} ms ({len(alone)} and {len(beside)} "
        "moves)"
    )


def nonsense(i: int) -> str:
    """Return a message of a stranger: broken, deep, too long, or well formed and wrong."""
    pick = random.choice
    raw = "".join(random.choices('{}[]":,vote019nul', k=random.randrange(400)))
    wrong = {"vote": pick([i, -1, 1e300, None, "<b>", [0, 0], True]), "number": pick([-i, "1", 1])}
    steering = {"secret": pick(["s" * 32, "x" * 20, 7]), "do": pick(["reveal", "close", "ask"])}
    return pick([raw, json.dumps(wrong), json.dumps(steering), "[" * 290, "x" * 10_000])


async def annoy(server: Server, sent: list[int]) -> None:
    """Send nonsense to a room, each time as somebody else, until all messages are sent."""
    while len(sent) < HOSTILE:
        way = random.choice(["phone", "phone", "teacher", "follower"])
        address = f"ws://127.0.0.1:{server.port}/room/ZZZZ/{way}"
        try:
            async with websockets.connect(address, proxy=None, compression=None) as line:
                if way == "phone":
                    await line.send(json.dumps({"join": f"{random.randrange(10**9):020}"}))
                while len(sent) < HOSTILE:
                    sent.append(0)
                    await line.send(nonsense(len(sent)))
        except (ConnectionClosed, InvalidHandshake):
            continue  # the server has hung up: the next stranger


async def withstand(server: Server, visitor: Visitor) -> None:
    """Send ten thousand hostile messages to a room in which a class votes, and print a line."""
    room, sent, before = Class(server, "ZZZZ", 20), [], server.megabytes()
    await room.come()
    visitor.begin()
    await asyncio.sleep(WARM)
    strangers = asyncio.gather(*(annoy(server, sent) for _ in range(AT_ONCE)))
    number = 0
    while not strangers.done():
        await room.ask(number := number + 1)
    await strangers
    await room.ask(number + 1)
    await room.leave()
    print(
        f"{len(sent)} hostile messages: {number + 1} questions were asked, and every vote of the "
        f"20 phones was counted; question to phone p95 {share(room.arrived, 0.95):.0f} ms; memory "
        f"{before:.0f} -> {server.megabytes():.0f} MB; {len(visitor.waits())} moves of a visitor"
    )


def run(work: Callable, *numbers: int) -> None:
    """Do some work on a server of its own, beside a visitor."""
    with serve() as server:
        asyncio.run(work(server, Visitor(server), *numbers))


def main() -> None:
    """Measure both arrangements, and hostile messages."""
    run(measure, 1, 1000)
    run(measure, 20, 50)
    run(withstand)


if __name__ == "__main__":
    main()
