"""Many sessions and broken ones, over the websocket."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from benchmarks.app import Answer, Server, Session, serve


@pytest.fixture(scope="module")
def server():
    with serve() as found:
        run(visit(found))
        yield found


def run(work: Coroutine) -> None:
    """Run it in a thread of its own: in this one the browser tests may have an event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def visit(server: Server, page: str = "") -> None:
    async with visitors([Session(server, page)]):
        pass


@asynccontextmanager
async def visitors(sessions: list[Session]) -> AsyncIterator[list[Session]]:
    """Open the sessions all at once; drop them at the end."""
    try:
        check(await asyncio.gather(*(session.open() for session in sessions)))
        yield sessions
    finally:
        for session in sessions:
            session.drop()
        await asyncio.sleep(0)  # the event loop closes the connections


def check(answers: list[Answer]) -> None:
    assert not [text for answer in answers for text in answer.exceptions]


def test_more_sessions_than_the_server_keeps_come_back_from_their_addresses(server):
    async def drop_and_return() -> None:
        ks, noises = [1 + i % 8 for i in range(150)], [(i % 5) / 10 for i in range(150)]
        async with visitors([Session(server, "k_means", f"n=50&k={k}") for k in ks]) as first:
            moves = (s.move("Noise", noise) for s, noise in zip(first, noises, strict=True))
            check(await asyncio.gather(*moves))
        again = [Session(server, "k_means", session.query) for session in first]
        async with visitors(again):
            assert [session.sliders["Clusters k"].value for session in again] == ks
            assert [session.sliders["Noise"].value for session in again] == pytest.approx(noises)

    run(drop_and_return())


def test_a_client_that_never_reads_holds_nobody_up(server):
    async def stall() -> None:
        async with visitors([Session(server, "k_means") for _ in range(2)]) as (deaf, other):
            before = server.megabytes()
            for _ in range(200):
                await deaf.ask()
            waits = [(await other.move("Noise", i / 20)).seconds for i in range(10)]
            assert sorted(waits)[5] < 3
            assert server.megabytes() < before + 100

    run(stall())


def test_a_newer_move_replaces_a_run_that_is_under_way(server):
    async def hurry() -> None:
        hurried, calm = (Session(server, "svm", "n=400&C=1000") for _ in range(2))
        async with visitors([hurried, calm]):
            for noise in range(8):
                hurried.set(hurried.sliders["Noise"], noise / 10)
                await hurried.ask()
                await asyncio.sleep(0.05)
            check([await hurried.move("Noise", 0.9), await calm.move("Noise", 0.9)])
            while "noise=0.9" not in hurried.query:  # runs that were complete before are answered
                check([await hurried.answer()])
            assert json.loads(hurried.stage)["run"] == json.loads(calm.stage)["run"]

    run(hurry())


def test_nonsense_from_a_client_does_no_harm(server):
    async def nonsense() -> None:
        query = "k=NaN&n=1e999&points=%00%ff&data[]=1&x=" + "a" * 20_000
        async with visitors([Session(server, "k_means", query)]) as (session,):
            for value in (float("nan"), float("inf"), -1e300):
                session.set(session.sliders["Clusters k"], value)
                check([await session.rerun()])
            await session.socket.send(b"\xff\xfenot a message")
            await visit(server, "k_means")

    run(nonsense())
