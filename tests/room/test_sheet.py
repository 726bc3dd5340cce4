"""Drawing together: a room's sheet, its drawings and their verdict, by the rules and by sockets."""

import math
from typing import Any

import numpy as np
import pytest

from pages._shared.room.room import Room
from pages._shared.room.sheet import Sheet, sheet
from pages._shared.room.sockets import steer
from pages._shared.stage.judging import judged, read_drawings
from pages._shared.stage.protocol import MOST_DRAWINGS
from tests.room.test_sockets import SECRET, Line, phone, run, server, wall
from viz.core.drawing import MOST_PLACES, Drawing

__all__ = ["server"]  # a fixture

SHEET: dict[str, Any] = {
    "way": "draw",
    "text": "Draw the line.",
    "shape": "line",
    "names": ["left", "right"],
    "start": [[0.2, 0.5], [0.8, 0.5]],
    "axes": [-2, 2, 0, 10],
    "area": [0.1, 0, 0.9, 0.9],
    "measure": "cost",
    "alt": "",
}
LEVEL, STEEP = [[0.1, 0.3], [0.9, 0.3]], [[0.1, 0.0], [0.9, 1.0]]
VERDICT = {"costs": [[LEVEL, 2.5], [STEEP, None]], "best": [[0, 1.7], [1, -0.2]], "least": 1.5}


@pytest.fixture
def room() -> Room:
    found = Room("ABCD", "s" * 20, 0.0)
    assert steer(found, {"do": "ask", **SHEET}, 1.0)
    return found


def test_a_drawing_is_bounded_and_changeable_and_never_right_or_wrong(room: Room) -> None:
    one, other = room.join("a", 1), room.join("b", 1)
    assert room.vote(one, 1, [[-3, 0.123456], [7, 1]], 1)
    assert one.votes[0] == ((0, 0.1235), (1, 1))
    assert room.vote(one, 1, LEVEL, 1) and room.vote(other, 1, STEEP, 1)
    told = room.for_teacher(2, on_wall=True)
    assert told["answered"] == 2 and told["tally"] is None and "key" not in told
    assert not steer(room, {"do": "judge", **VERDICT}, 2), "nothing is revealed yet"
    assert room.reveal(3) and not room.results and one.answered == 0
    assert "revealed" not in room.for_phones(), "the algorithm has not judged yet"
    assert steer(room, {"do": "judge", **VERDICT}, 4)
    assert room.for_phones()["revealed"] == {
        "best": ((0, 1.7), (1, -0.2)), "least": 1.5, "room": 2.5
    }  # fmt: skip
    assert [room.for_phone(each, 4)["cost"] for each in (one, other)] == [2.5, None]
    assert steer(room, {"do": "ask", **SHEET}, 5) and room.verdict is None


@pytest.mark.parametrize(
    "raw",
    [None, 3, "x", [], [[0, 0]], [[0, 0]] * 3, [[0, 0], [0]], [[0, 0], [0, math.inf]],
     [[0, 0], [True, 0]], [[0, 0], ["1", 0]], [[[0, 0], 1], [0, 0]], {"0": 1}],
)  # fmt: skip
def test_what_is_no_drawing_is_no_vote(room: Room, raw: Any) -> None:
    with pytest.raises(ValueError):
        room.vote(room.join("a", 1), 1, raw, 1)
    assert room.answered == 0


@pytest.mark.parametrize(
    "changed",
    [{"shape": "circle"}, {"names": []}, {"names": ["a"] * (MOST_PLACES + 1)}, {"names": [1, 2]},
     {"start": [[0, 0]]}, {"axes": [2, -2, 0, 1]}, {"axes": [0, 1, 0]}, {"measure": "x" * 3000},
     {"area": None}, {"text": 5}],
)  # fmt: skip
def test_a_sheet_of_another_shape_is_refused(changed: dict[str, Any]) -> None:
    assert isinstance(sheet(SHEET), Sheet)
    with pytest.raises(ValueError):
        sheet({**SHEET, **changed})


@pytest.mark.parametrize(
    "changed",
    [{"costs": None}, {"costs": [3]}, {"costs": [[LEVEL, 1, 2]]}, {"costs": [[LEVEL, "1"]]},
     {"costs": [[[[0, 0]], 1]]}, {"best": [[0, 0]]}, {"best": 3}, {"least": None}],
)  # fmt: skip
def test_a_verdict_of_another_shape_is_refused(room: Room, changed: dict[str, Any]) -> None:
    room.reveal(2)
    with pytest.raises(ValueError):
        steer(room, {"do": "judge", **VERDICT, **changed}, 3)
    assert room.verdict is None


def test_the_algorithm_judges_and_a_refused_drawing_has_no_cost() -> None:
    def cost(places: np.ndarray) -> float:
        if places[0, 0] == places[1, 0]:
            raise ValueError("upright")
        return float(places[:, 1].sum())

    best = np.array([[0.0, 0], [1, 0]])
    drawing = Drawing("Draw", "line", ("a", "b"), best + 1, "cost", cost, best)
    places = [[[0, 1], [1, 2]], [[0, 1], [0, 2]], [[0, 1]]]
    raw = {"scene": "s", "number": 3, "places": places, "counts": [1, 2, 1]}
    asked = read_drawings(raw)
    assert asked is not None
    found = judged(drawing, asked)
    assert found["costs"] == [3, None, None] and found["least"] == 0 and found["asked"] == 3
    assert drawing.judge(np.array([[0, 1], [1, np.inf]])) is None
    for odd in (
        None,
        3,
        {},
        {**raw, "places": 3},
        {**raw, "places": [[1]]},
        {**raw, "number": "x"},
        {**raw, "counts": None},
        {**raw, "counts": ["x"]},
    ):
        assert read_drawings(odd) is None


def test_the_lab_runs_on_the_drawing_of_every_phone_that_has_a_cost() -> None:
    def run(places: np.ndarray) -> dict[str, str]:
        return {"drawn": ",".join(f"{place[0, 0]:g}" for place in places)}

    def cost(places: np.ndarray) -> float:
        if places[0, 0] > 2:
            raise ValueError("too far")
        return 0.0

    start = np.array([[0.0, 0.0]])
    drawing = Drawing("Draw", "points", ("a",), start, "cost", cost, start, run=run, runs="Go")
    raw = {"scene": "s", "number": 1, "places": [[[1, 0]], [[2, 0]], [[3, 0]]], "counts": [2, -5]}
    asked = read_drawings(raw)
    assert asked is not None and asked["counts"] == [2, 0, 1]
    assert judged(drawing, asked)["link"] == {"drawn": "1,1"}
    many = read_drawings({**raw, "counts": [10**9, 1]})
    assert many is not None
    assert len(judged(drawing, many)["link"]["drawn"].split(",")) == MOST_DRAWINGS
    nobody = read_drawings({**raw, "places": [[[3, 0]]]})
    assert nobody is not None and judged(drawing, nobody)["link"] == {}


def test_phones_draw_and_hear_what_their_drawing_costs(server: Any) -> None:
    async def walk() -> None:
        async with wall(server, "DRAW") as teacher, phone(server, "DRAW", "a") as one:
            await teacher.hears(lambda told: told["phones"] == 1)
            await teacher.say(do="ask", **SHEET)
            told = await one.hears(lambda told: told["room"]["phase"] == "asking")
            assert told["room"]["question"]["names"] == SHEET["names"]
            await one.say(vote="<b>", number=1)
            await one.say(vote=LEVEL, number=1)
            await one.hears(lambda told: told["mine"]["votes"] == [LEVEL, None])
            told = await teacher.hears(lambda told: told["answered"] == 1)
            assert told["tally"] is None
            await teacher.say(do="close")
            await teacher.say(do="show")
            told = await teacher.hears(lambda told: told["tally"] is not None)
            assert told["tally"] == [[LEVEL, None, 1]] and "best" not in str(told)
            await teacher.say(do="reveal")
            await teacher.say(do="judge", **VERDICT)
            told = await one.hears(lambda told: "cost" in told["mine"])
            assert told["mine"]["cost"] == 2.5 and told["room"]["revealed"]["least"] == 1.5
            async with Line(server, "DRAW/teacher", {"secret": SECRET}) as own:
                await own.hears(lambda told: told["revealed"]["room"] == 2.5)

    run(walk())
