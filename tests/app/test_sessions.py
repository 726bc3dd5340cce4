"""Many sessions, and broken ones, over the websocket."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from benchmarks.app import Answer, Server, Session, serve
from pages._shared.lab.catalogue import LABS, LabFile

FEW, MANY = 10, 110  # messages to a lab
ONE_LAB = "k_means"  # the others are in the long walk
ODD: list = [
    None, True, -1, 7, 2**63, 10**400, 1.5, 1e308, float("nan"), float("inf"), "", "x", "\0", [],
    {}, [[]], [None] * 50, [[1, 2]] * 50, [[1e308, "1"]], {"x": 1}, "\ud800", list(range(3000)),
]  # fmt: skip


@pytest.fixture(scope="module")
def server():
    with serve() as found:
        run(visit(found))
        yield found


def run(work: Coroutine) -> None:
    """Run a coroutine in a thread of its own, since browser tests may use this one's loop."""
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


@pytest.mark.long
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


@pytest.mark.thorough
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


def odd_message(session: Session, chance: random.Random, number: int) -> str:
    """Return a message that the stage could send, or one that is slightly wrong."""

    def odd(right: object) -> object:
        return chance.choice(ODD) if chance.random() < 0.2 else right

    sent = json.loads(session.stage)
    names = [handles["name"] for handles in sent["handles"]] or ["query"]
    edit = {"op": odd(chance.choice(["add", "move", "erase", "relabel", "undo", "redo"]))}
    revision = sent["paint"]["revision"] if sent["paint"] else 0  # no board, nothing to paint on
    edit |= {"number": odd(number), "revision": revision, "label": odd(1)}
    edit |= {
        "points": odd([[0.5, odd(1)]]),
        "index": odd(2),
        "to": odd([1, 0]),
        "indices": odd([3]),
    }
    said = {
        "edits": {"page": odd("page"), "edits": odd([odd(edit)])},
        "places": {
            "name": odd(names[0]),
            "places": odd([[odd(0.5), 1]]),
            "moving": odd(True),
            "number": odd(1),
        },
        "live": {"key": odd(f"{session.page}.k"), "before": odd("3"), "value": odd("5")},
        "fork": {"step": odd(3), "number": odd(number)},
    }
    if sent["choices"]:
        first = sent["choices"][0]
        said["chosen"] = {
            "name": odd(first["name"]),
            "value": odd(first["value"]),
            "number": odd(1),
        }
    kind = chance.choice(list(said))
    return json.dumps(odd({kind: odd(said[kind])}))


@pytest.mark.parametrize(
    "lab",
    [lab if lab.name == ONE_LAB else pytest.param(lab, marks=pytest.mark.long) for lab in LABS],
    ids=lambda lab: lab.name,
)
def test_odd_messages_leave_the_page_standing(server: Server, lab: LabFile):
    chance, messages = random.Random(lab.name), FEW if lab.name == ONE_LAB else MANY

    async def disturb() -> None:
        async with visitors([Session(server, lab.name, "n=25")]) as (session,):
            for number in range(messages):
                await session.ask(said=odd_message(session, chance, number))
                check([await session.answer()])
            assert json.loads(json.loads(session.stage)["opening"])["total"] >= 1

    run(disturb())
