"""Visitors who ask for as much as they can: how long others wait, and how much memory is used.

    MALLOC_ARENA_MAX=2 .venv/bin/python benchmarks/hostile.py

(glibc would keep memory for every thread; docs/deploying.md sets it, too.)

Six sockets ask for the most expensive link that is known, each time with other data: 5,000 points
of eight classes, a support vector machine for each pair of classes. First they leave after two
seconds, then they wait for the answer. Meanwhile somebody else moves a slider of k-means to new
values. Then one visitor tries seeds of soft k-means on 5,000 points. At the end all leave.
"""

import asyncio
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from algorithms.data.presets import Dataset
from benchmarks.app import Server, Session, serve
from pages._shared.data import link

SOCKETS, MEANWHILE = 6, 40  # seconds
SEEDS = 110
EXPENSIVE = (
    {"C": "1000", "kernel": "polynomial", "degree": "6", "scheme": "one-versus-one"},
    {"C": "300", "gamma": "0.01", "scheme": "one-versus-rest"},
    {"C": "100", "gamma": "0.01", "scheme": "one-versus-one"},
)


def points(seed: int) -> str:
    """Return the text of 5,000 points of eight classes, which is short as they are on a lattice."""
    X = np.stack(np.meshgrid(np.arange(100), np.arange(50)), -1).reshape(-1, 2).astype(float)
    X[0] += seed % 7
    labels = ((X[:, 0] // 13 + X[:, 1] // 7 + seed) % 8).astype(int)
    text = link.encode(
        Dataset(f"h{seed}", X, ("x", "y"), labels, tuple("abcdefgh")), (-9.0, 109.0, -9.0, 59.0)
    )
    assert text
    return text


async def ask_again_and_again(server: Server, number: int, patience: float) -> None:
    """Open one expensive link after the other, and leave after so many seconds."""
    for i in range(10_000):
        address = {"view": "classes", **EXPENSIVE[i % 3], "points": points(1000 * number + i)}
        session = Session(server, "svm", urlencode(address))
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(session.open(), patience)
        finally:
            session.drop()


async def waits(session: Session, chance: random.Random, seconds: float) -> str:
    """Move a slider to new values; return the quantiles of the waits, in milliseconds."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        found.append((await session.move("Noise", chance.randrange(1, 10**6) / 10**6)).seconds)
        await asyncio.sleep(0.3)
    return " / ".join(f"{1000 * wait:.0f}" for wait in np.quantile(found, [0.5, 0.95, 1]))


async def measure(server: Server) -> None:
    """Print what is found."""
    for page in ("", "k_means", "svm"):  # imports are not the first visitor's
        await (warm := Session(server, page)).open()
        await warm.close()
    chance, session = random.Random(0), Session(server, "k_means")
    await session.open()
    print(f"| alone | {await waits(session, chance, 5)} | {server.megabytes():.0f} |")
    for what, patience in (("who leave after 2 s", 2.0), ("who wait", 60.0)):
        others = [
            asyncio.create_task(ask_again_and_again(server, number, patience))
            for number in range(SOCKETS)
        ]
        await asyncio.sleep(3)
        found = await waits(session, chance, MEANWHILE)
        print(f"| beside six {what} | {found} | {server.megabytes():.0f} |", flush=True)
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    address = {"view": "soft k-means", "points": points(1)}
    seeds = Session(server, "gaussian_mixture", urlencode(address))
    await seeds.open()
    for seed in range(SEEDS):
        await seeds.move("Seed", seed)
    print(f"| {SEEDS} seeds of soft k-means | | {server.megabytes():.0f} |", flush=True)
    await seeds.close()
    await session.close()
    await asyncio.sleep(60)
    print(f"| a minute after all have left | | {server.megabytes():.0f} |")


def main() -> None:
    """Print one Markdown table."""
    print("| k-means | p50 / p95 / most, ms | memory, MB |")
    print("| --- | --- | --- |")
    with serve() as server:
        asyncio.run(measure(server))


if __name__ == "__main__":
    main()
