"""A whole class at once: how long sessions wait when many of them use the labs.

    .venv/bin/python benchmarks/load.py [number of sessions | sessions x processes ...] [--lab LAB]

With 100x2, a hundred sessions share two server processes behind nginx, as deploy/serve.py starts
them (its packages are in deploy/requirements.txt); with 100, one process without nginx. Each
session opens a lab (the labs in turn, all at the same moment), then moves a slider now and then for
a while (thinking 5 s on average, 10 s where there are 300), then all move at the same moment. Half
of the moves go to values that others have used. With --lab all use the same one, so that no wait
is longer than another for what the lab costs: what is left is how fairly turns are given. Loopback
only; the sessions share the machine with the servers.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Iterable
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from benchmarks.app import Answer, Server, Session, serve
from pages._shared.labs import LABS

CLASSES = ("1", "30", "100", "300", "100x2", "300x2")
STEADY = 30  # seconds
BURSTS = 3
COMMON = (0.2, 0.4, 0.6)  # the noises a teacher calls out


class Class:
    """The sessions of a class, and what went wrong."""

    def __init__(self, server: Server, size: int, labs: list[str]) -> None:
        """Prepare the visits; nobody is there yet."""
        self.sessions = [Session(server, labs[i % len(labs)]) for i in range(size)]
        self.thinking = 10.0 if size >= 300 else 5.0
        self.errors: list[str] = []

    async def open(self) -> list[float]:
        """Let all come at once; return how long each waited."""
        return await self._all(session.open() for session in self.sessions)

    async def steady(self) -> list[list[float]]:
        """Let everybody move a slider now and then; return how long each visitor waited."""
        end = time.perf_counter() + STEADY

        async def use(session: Session, chance: random.Random) -> list[float]:
            waits = []
            await asyncio.sleep(chance.random() * self.thinking)
            while time.perf_counter() < end:
                waits += await self._all([session.vary(_noise(chance))])
                await asyncio.sleep(chance.expovariate(1 / self.thinking))
            return waits

        users = (use(session, random.Random(i)) for i, session in enumerate(self.sessions))
        return await asyncio.gather(*users)

    async def burst(self) -> list[float]:
        """Let all move at the same moment, a few times."""
        waits = []
        for burst in range(BURSTS):
            chance = random.Random(burst)
            waits += await self._all(s.vary(_noise(chance)) for s in self.sessions)
        return waits

    async def leave(self) -> None:
        """Close the sessions."""
        await asyncio.gather(*(session.close() for session in self.sessions))

    async def _all(self, asked: Iterable[Awaitable[Answer]]) -> list[float]:
        waits = []
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(answer, Answer):
                self.errors += answer.exceptions
                waits.append(answer.seconds)
            else:
                self.errors.append(repr(answer))
        return waits


def _noise(chance: random.Random) -> float:
    return chance.choice(COMMON) if chance.random() < 0.5 else chance.randrange(1, 1000) / 1000


def quantiles(waits: list[float]) -> str:
    """Give the median and the 95th percentile in milliseconds."""
    return " / ".join(f"{1000 * wait:.0f}" for wait in np.quantile(waits, [0.5, 0.95]))


def unfairness(waits: list[list[float]]) -> float:
    """Give how many times as long as the visitor in the middle the unluckiest waits, on average."""
    means = [np.mean(one) for one in waits if one]
    return float(max(means) / np.median(means))


async def measure(size: int, processes: int, labs: list[str]) -> str:
    """Return a row of the table, from servers of its own. processes : 0 for one without nginx."""
    with serve(processes=processes) as server:
        for name in ("", *labs):  # imports are not the first student's
            for _ in range(processes or 1):  # nginx deals visitors out in turn
                warm = Session(server, name)
                await warm.open()
                await warm.close()
        before = server.megabytes()
        group = Class(server, size, labs)
        start = time.perf_counter()
        opened = await group.open()
        all_open = time.perf_counter() - start
        steady, burst = await group.steady(), await group.burst()
        after = server.megabytes()
        await group.leave()
    failed = f"{len(group.errors)} {set(group.errors) or ''}"
    moves = list(chain.from_iterable(steady))
    return (
        f"| {size} | {processes or 1} | {quantiles(opened)} | {all_open:.1f} | "
        f"{quantiles(moves)} | {unfairness(steady):.1f} | "
        f"{quantiles(burst)} | {unfairness([[wait] for wait in burst]):.1f} | "
        f"{before:.0f} → {after:.0f} | {failed} |"
    )


def main() -> None:
    """Print one Markdown table. worst : see `unfairness`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("classes", nargs="*", default=CLASSES)
    parser.add_argument("--lab", choices=[lab.name for lab in LABS])
    asked = parser.parse_args()
    labs = [asked.lab] if asked.lab else [lab.name for lab in LABS]
    print("p50 / p95 in ms")
    print("| sessions | processes | open | all open, s ", end="")
    print("| steady | worst | burst | worst | MB | errors |")
    print("| --- " * 10 + "|")
    for word in asked.classes:
        size, _, processes = word.partition("x")
        print(asyncio.run(measure(int(size), int(processes or 0), labs)), flush=True)


if __name__ == "__main__":
    main()
