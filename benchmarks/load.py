"""A whole class at once: how long sessions wait when many of them use the labs.

    .venv/bin/python benchmarks/load.py [number of sessions | sessions x processes ...] [--lab LAB]
        [--heavy]

With 100x2, a hundred sessions share two server processes behind nginx, as deploy/serve.py starts
them (its packages are in deploy/requirements.txt); with 100, one process without nginx. Each
session opens a lab (the labs in turn, all at the same moment), then moves a slider now and then for
a while (thinking 5 s on average, 10 s where there are 300), then all move at the same moment. Half
of the moves go to values that others have used. With --lab all use the same lab, so that no wait
is longer than another because of what the lab costs: what is left is how fairly turns are given.
With --heavy every fifth session has 5,000 points in one of the most expensive modes and asks for
another seed again and again; the moves of the others are measured, and the peak of the memory.
Loopback only; the sessions share the machine with the servers.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from benchmarks.app import Answer, Server, Session, serve
from benchmarks.hostile import points
from pages._shared.lab.catalogue import LABS

CLASSES = ("1", "30", "100", "300", "100x2", "300x2")
STEADY = 30  # seconds
BURSTS = 3
MIXED = 60  # seconds of a class with heavy visitors
COMMON = (0.2, 0.4, 0.6)  # the noises a teacher calls out
HEAVY = (
    ("svm", {"view": "pairs", "C": "1000", "kernel": "polynomial", "degree": "3"}),
    ("multilayer_perceptron", {"hidden": "8-8-8", "epochs": "1000"}),
    ("gradient_boosting", {"view": "two features", "rounds": "300"}),
    ("random_forest", {"trees": "100"}),
    ("spectral_clustering", {}),
    ("gaussian_mixture", {"k": "8", "covariance": "full"}),
)
EVERY = 5  # visitors, one is heavy


class Class:
    """The sessions of a class, and their errors."""

    steadily = STEADY

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
        end = time.perf_counter() + self.steadily

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


class Mixed(Class):
    """A class in which every fifth visitor is heavy; `sessions` are the others."""

    steadily = MIXED

    def __init__(self, server: Server, size: int, labs: list[str]) -> None:
        """Prepare the visits; nobody is there yet."""
        super().__init__(server, size - size // EVERY, labs)
        self.server, self.peak = server, 0.0
        self.thinking = 10.0 if size >= 300 else 5.0
        kinds = (HEAVY[i % len(HEAVY)] for i in range(size // EVERY))
        self.heavy = [
            Session(server, lab, urlencode({**how, "points": points(number)}))
            for number, (lab, how) in enumerate(kinds)
        ]

    async def watch(self) -> None:
        """Note the peak of the memory until cancelled."""
        while True:
            self.peak = max(self.peak, self.server.megabytes())
            await asyncio.sleep(0.5)

    async def mixed(self) -> tuple[list[float], list[float]]:
        """Return how long the others waited for their moves, and the heavy visitors for theirs."""
        watching = asyncio.create_task(self.watch())
        end = time.perf_counter() + self.steadily

        async def use(session: Session, chance: random.Random) -> list[float]:
            await asyncio.sleep(chance.random() * 5)
            waits, seed = await self._all([session.open()]), 0
            while time.perf_counter() < end:
                await asyncio.sleep(chance.expovariate(1 / self.thinking))
                seed += 1
                again = session.move("Seed", seed) if "Seed" in session.sliders else session.rerun()
                waits += await self._all([again])
            return waits

        heavy = (use(session, random.Random(1000 + i)) for i, session in enumerate(self.heavy))
        light, served = await asyncio.gather(self.steady(), asyncio.gather(*heavy))
        watching.cancel()
        return list(chain.from_iterable(light)), list(chain.from_iterable(served))

    async def leave(self) -> None:
        """Close the sessions."""
        await super().leave()
        for session in self.heavy:
            with suppress(Exception):  # one that was never answered
                await session.close()


def _noise(chance: random.Random) -> float:
    return chance.choice(COMMON) if chance.random() < 0.5 else chance.randrange(1, 1000) / 1000


def quantiles(waits: list[float]) -> str:
    """Return the median and the 95th percentile in milliseconds."""
    return " / ".join(f"{1000 * wait:.0f}" for wait in np.quantile(waits, [0.5, 0.95]))


def unfairness(waits: list[list[float]]) -> float:
    """Return the mean wait of the unluckiest visitor, divided by that of the median visitor."""
    means = [np.mean(one) for one in waits if one]
    return float(max(means) / np.median(means))


async def warm_up(server: Server, processes: int, labs: list[str]) -> None:
    """Open every lab once: imports are not the first student's."""
    for name in ("", *labs):
        for _ in range(processes or 1):  # nginx deals visitors out in turn
            warm = Session(server, name)
            await warm.open()
            await warm.close()


async def measure_mixed(size: int, processes: int, labs: list[str]) -> str:
    """Return a row of the table of a class with heavy visitors."""
    with serve(processes=processes) as server:
        await warm_up(server, processes, labs)
        before = server.megabytes()
        group = Mixed(server, size, labs)
        await group.open()
        light, heavy = await group.mixed()
        await group.leave()
    failed = f"{len(group.errors)} {set(group.errors) or ''}"
    return (
        f"| {len(light)} of {len(group.sessions)} | {processes or 1} | {quantiles(light)} / "
        f"{1000 * max(light):.0f} | {len(heavy)} of {len(group.heavy)} | {quantiles(heavy)} | "
        f"{before:.0f} → {group.peak:.0f} | {failed} |"
    )


async def measure(size: int, processes: int, labs: list[str]) -> str:
    """Return a row of the table, from servers of its own. processes : 0 for one without nginx."""
    with serve(processes=processes) as server:
        await warm_up(server, processes, labs)
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
    parser.add_argument("--heavy", action="store_true", help="every fifth visitor is heavy")
    asked = parser.parse_args()
    labs = [asked.lab] if asked.lab else [lab.name for lab in LABS]
    columns = ["sessions", "processes", "open", "all open, s", "steady", "worst", "burst", "worst"]
    if asked.heavy:
        columns = ["light moves", "processes", "p50 / p95 / most", "heavy answers", "p50 / p95"]
    print("p50 / p95 in ms")
    print(f"| {' | '.join([*columns, 'MB', 'errors'])} |")
    print("| --- " * (len(columns) + 2) + "|")
    for word in asked.classes:
        size, _, processes = word.partition("x")
        measured = measure_mixed if asked.heavy else measure
        print(asyncio.run(measured(int(size), int(processes or 0), labs)), flush=True)


if __name__ == "__main__":
    main()
