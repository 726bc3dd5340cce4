"""Many phones in rooms of one process: how fast a question arrives and how soon all are counted.

    .venv/bin/python benchmarks/room.py

A thousand phones in one room, then twenty rooms of fifty, beside a visitor who moves a slider of
k-means, without the rooms and with them. Server and phones share the processors of this machine.
"""

import asyncio
import json
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import websockets

from benchmarks.app import Server, Session, serve
from pages._shared.room.rooms import LETTERS

ROUNDS, SPREAD = 5, 2.0  # questions to a room; seconds in which a class answers
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


async def visit(session: Session, waits: list[float], over: asyncio.Event) -> None:
    """Move a slider to new values until it is over."""
    while not over.is_set():
        waits.append((await session.move("Noise", random.randrange(1, 10**6) / 10**6)).seconds)
        await asyncio.sleep(0.1)


async def beside(session: Session, work: asyncio.Task) -> list[float]:
    """Return the waits of a visitor while something else goes on."""
    waits, over = [], asyncio.Event()
    visitor = asyncio.create_task(visit(session, waits, over))
    await work
    over.set()
    await visitor
    return waits


async def measure(server: Server, rooms: int, phones: int) -> None:
    """Measure some rooms, and print a line."""
    session = Session(server, "k_means")
    await session.open()
    alone = await beside(session, asyncio.create_task(asyncio.sleep(ROUNDS * SPREAD)))
    before = server.megabytes()
    codes = [f"{LETTERS[rooms % 22]}{LETTERS[i]}AA" for i in range(rooms)]
    classes = [Class(server, code, phones) for code in codes]
    start = time.perf_counter()
    for each in classes:
        await each.come()
    joined = time.perf_counter() - start

    async def teach() -> None:
        for number in range(1, ROUNDS + 1):
            await asyncio.gather(*(each.ask(number) for each in classes))

    waits = await beside(session, asyncio.create_task(teach()))
    arrived = [wait for each in classes for wait in each.arrived]
    counted = [wait for each in classes for wait in each.counted]
    after = server.megabytes()
    for each in classes:
        await each.leave()
    await session.close()
    print(
        f"{rooms} x {phones}: joined {joined:.1f} s; question to phone p50 "
        f"{share(arrived, 0.5):.0f} p95 {share(arrived, 0.95):.0f} ms; counted after the last "
        f"answer p50 {1000 * statistics.median(counted):.0f} worst {1000 * max(counted):.0f} ms; "
        f"memory {before:.0f} -> {after:.0f} MB; a move p50/p95 alone {share(alone, 0.5):.0f}/"
        f"{share(alone, 0.95):.0f}, beside the rooms {share(waits, 0.5):.0f}/"
        f"{share(waits, 0.95):.0f} ms ({len(alone)} and {len(waits)} moves)"
    )


def main() -> None:
    """Measure both arrangements, each on a server of its own."""
    for rooms, phones in ((1, 1000), (20, 50)):
        with serve() as server:
            asyncio.run(measure(server, rooms, phones))


if __name__ == "__main__":
    main()
