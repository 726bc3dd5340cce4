"""One slider move in every lab, over the websocket: time and size of the answer.

    .venv/bin/python benchmarks/rerun.py [lab ...]

The noise of the data is moved, so the whole lab is computed and drawn again (a miss); a second
session makes the same move (a hit). Times are ratios to `bare_page.py`, moved in turn with them, on
a server of its own with Streamlit's own settings; below 1 the lab is faster. Medians with the
10-90 % band.
"""

import asyncio
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from benchmarks.app import Server, Session, serve
from pages._shared.lab.catalogue import LABS

MOVES = 15
BARE = Path(__file__).with_name("bare_page.py")


async def moves(app: Server, bare: Server, page: str) -> tuple[list[float], list[float], list[int]]:
    """Return the ratios of misses and of hits, and the sizes of the answers in bytes."""
    first, second, plain = Session(app, page), Session(app, page), Session(bare)
    for session in (first, second, plain):
        await session.open()
    noises = random.Random(page).sample(range(1, 19), MOVES)
    misses, hits, sizes = [], [], []
    for i, noise in enumerate(noises):
        reference = (await plain.move("Width", 50 + i)).seconds
        miss = await first.vary(noise / 20)
        hit = await second.vary(noise / 20)
        assert not miss.exceptions + hit.exceptions
        misses.append(miss.seconds / reference)
        hits.append(hit.seconds / reference)
        sizes.append(miss.size)
    for session in (first, second, plain):
        await session.close()
    return misses, hits, sizes


def band(ratios: list[float]) -> str:
    """Return the median and the 10-90 % band."""
    low, median, high = np.quantile(ratios, [0.1, 0.5, 0.9])
    return f"{median:.2f} ({low:.2f}–{high:.2f})"


async def main(app: Server, bare: Server) -> None:
    """Print one Markdown table."""
    warm = Session(app)
    await warm.open()
    await warm.close()
    print("| lab | miss: lab / bare page | hit: lab / bare page | KB, median | KB, most |")
    print("| --- | --- | --- | --- | --- |")
    for name in sys.argv[1:] or [lab.name for lab in LABS]:
        misses, hits, sizes = await moves(app, bare, name)
        kilobytes = f"{np.median(sizes) / 1000:.0f} | {max(sizes) / 1000:.0f}"
        print(f"| {name} | {band(misses)} | {band(hits)} | {kilobytes} |", flush=True)


if __name__ == "__main__":
    with serve() as app, serve(BARE) as bare:
        asyncio.run(main(app, bare))
