"""Changed steps in every lab that offers them, from the button to the exported script."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.presets import Dataset
from pages._shared.data.board import Board
from pages._shared.data.edits import edit
from pages._shared.data.session_data import SessionData
from pages._shared.exports.program import as_script, program
from pages._shared.lab.catalogue import LABS
from pages._shared.session import state
from pages._shared.stage import fork
from tests.app.session import Session
from tests.core.figures import accepted_by_plotly, places
from tests.exports.elsewhere import execute
from viz.core.words import number, vector

BY_NAME = {lab.name: lab for lab in LABS}
FORKS = {  # the link, the step that is shown, how the next one is changed, and what is said of it
    "k_means": ({"data": "outlier", "k": "2"}, 1, {"centers": "-1,0;2,2"},
                "By hand: centre 1 goes to (−1.000, 0.000), centre 2 goes to (2.000, 2.000); "),
    "gaussian_mixture": ({"data": "outlier", "k": "2"}, 2, {"centers": "-1,0;2,2"},
                         "By hand: mean 1 goes to (−1.000, 0.000), mean 2 goes to (2.000, 2.000)"),
    "gaussian_mixture soft": ({"view": "soft k-means", "data": "outlier", "k": "2"}, 2,
                              {"centers": "-1,0;2,2"},
                              "centre 1 goes to (−1.000, 0.000), centre 2 goes to (2.000, 2.000)"),
    "gaussian_mixture both": ({"view": "place and class", "data": "outlier", "k": "2"}, 2,
                              {"centers": "-1,0;2,2"},
                              "mean 2 goes to (2.000, 2.000); weights, covariances and tables"),
    "decision_tree": ({"data": "xor", "held": "20"}, 0, {"feature": "0", "cut": "0,0"},
                      "Split 1, by hand: x ≤ "),
    "decision_tree Prune": ({"view": "Prune", "n": "200", "noise": "0.5", "held": "30"}, 0,
                            {"test": "2"}, ", by hand: "),
    "decision_tree Rules": ({"view": "Rules", "noise": "0.5"}, 0, {"condition": "0,2"},
                            "Rule 1, by hand, loses "),
    "perceptron": ({"data": "gates", "n": "4", "noise": "0", "second": "1"}, 0, {},
                   "but its update is skipped"),
    "logistic_regression": ({"data": "outlier", "steps": "10"}, 2, {"rate": "0.3"},
                            "From here on η = 0.3. "),
    "linear_regression": ({"view": "descent", "steps": "10", "eta": "0.1"}, 2,
                          {"rate": "0.03"},
                          "From here on η = 0.03 instead of 0.1. "),
    "multilayer_perceptron": ({"data": "outlier", "epochs": "30"}, 2, {"rate": "0.3"},
                              "From here on η = 0.3. "),
}  # fmt: skip


def caption(session: Session, step: int) -> list[str]:
    return session.opening["frames"][str(step)]["caption"].split("\n")


def numbered(session: Session, step: int) -> str:
    """Name a step as its mode counts."""
    scene = session.scene_shown
    assert scene
    return f"{scene.unit} {step + scene.counts_from}"


def test_a_step_goes_otherwise_and_the_link_and_the_script_hold_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session().watch(monkeypatch)
    for name, (link, at, ways, said) in FORKS.items():
        session.open(BY_NAME[name.partition(" ")[0]], **link, step=str(at + 1))
        was = session.stage
        assert was["forks"] and was["fork"] == 0, name
        plainly = caption(session, at + 1)[0]
        session.fork(at)
        step = at + 1
        assert session.stage["fork"] == session.value("fork") == step, name
        address = session.state.address | {f"if.{way}": text for way, text in ways.items()}
        session.open(BY_NAME[name.partition(" ")[0]], **address, step=str(step))
        assert session.state.refused == [] and session.state.address == address, name
        first, before, *_ = caption(session, step)
        assert said in first and before == f"As it was, dash-dotted: {plainly}", name
        assert f"{numbered(session, step)} is changed" in session.captions[0]
        *old, key = session.figure(step)["layout"]["annotations"]
        assert key["text"] == "faint, dash-dotted: as it was" and not old
        accepted_by_plotly(session.figure(step))
        drawn, before = (session.figure(at)["data"] for at in (step, 0))
        more = slice(1, 1 + len(drawn) - len(was["opening"]["views"][0]["first"]["data"]))
        assert drawn[more] and all(ghost["visible"] for ghost in drawn[more])
        assert not any(ghost["visible"] for ghost in before[more])
        execute(as_script(program(session.run_shown, ["what if"])))
        session.fork(step)
        assert session.stage["fork"] == 0 and session.stage["run"] == was["run"], name
        assert not any(way.startswith("if.") for way in session.state.address)


MOVABLE = {  # by lab: a link, and the step from which on a point is elsewhere
    "k_means": ({"data": "outlier", "k": "2"}, 2),
    "gaussian_mixture": ({"data": "outlier", "k": "2"}, 3),
    "gaussian_mixture soft": ({"view": "soft k-means", "data": "outlier", "k": "2"}, 3),
    "gaussian_mixture both": ({"view": "place and class", "data": "outlier", "k": "2"}, 2),
    "perceptron": ({"order": "cyclic", "epochs": "2"}, 20),
    "logistic_regression": ({"data": "moons", "steps": "10", "held": "20"}, 3),
    "linear_regression": ({"view": "descent", "steps": "10", "scaled": "True"}, 3),
}


def test_a_point_is_moved_from_a_step_on_and_the_link_and_the_script_hold_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session().watch(monkeypatch)
    for name, (link, at) in MOVABLE.items():
        session.open(BY_NAME[name.partition(" ")[0]], **link, step=str(at))
        was, points = session.stage, session.points
        session.fork(at - 1)
        assert session.stage["carries"], name
        for index, to in ((3, (9, 9)), (3, (0.512345678, 1.25)), (7, (-1, 0))):
            session.move(index, to)
        row, x, y = session.value("if.points").split(";")[0].split(",")
        assert (row, y) == ("3", "1.25") and 0 < abs(float(x) - 0.512345678) < 1e-4
        told = f"point 4 to ({number(float(x), 4)}, 1.25)"
        assert (
            session.stage["reason"] == f"Points moved by hand {told} → {told}, point 8 to (−1, 0)"
        )
        there = points.copy()
        there[[3, 7]] = [[float(x), 1.25], [-1, 0]]
        for step, expected in ((0, points), (at, there)):
            np.testing.assert_allclose(places(session.figure(step)), expected, atol=1e-6)
        for view in range(len(session.opening["views"])):
            accepted_by_plotly(session.figure(at, view))
        first, before, *_ = caption(session, at)
        assert first.startswith(f"The point at {vector(points[3])} goes to {vector(there[3])}, ")
        assert before.startswith("As it was, dash-dotted: ")
        assert f"{numbered(session, at)} is changed" in session.captions[0]
        note = session.app.main.caption[-1].value.replace("\\", "")
        assert f"From {numbered(session, at)} on the point at " in note
        assert len(json.dumps(session.opening)) < 150_000, name
        assert session.run_shown
        execute(as_script(program(session.run_shown, ["moved"])))
        address, forked = session.state.address, session.stage
        session.press("As it was")
        assert session.stage["run"] == was["run"] and not session.stage["carries"]
        np.testing.assert_array_equal(session.points, points)
        session.open(BY_NAME[name.partition(" ")[0]], **address, step=str(at))
        assert session.state.refused == [] and session.state.address == address, name
        assert session.stage["run"] == forked["run"] != was["run"]
        assert caption(session, at)[:2] == [first, before]


def test_what_is_otherwise_is_one_thing_where_a_point_is_moved() -> None:
    """Then the update is not flipped and the rate not lowered, unless the user asks for it."""
    session = Session().open(BY_NAME["perceptron"], order="cyclic", fork="5")
    assert session.value("if.flip")
    session.move(0, (0, 0))
    assert not session.value("if.flip")
    session.open(BY_NAME["logistic_regression"], fork="5")
    assert session.value("if.rate") == 0.1
    session.move(0, (0, 0))
    assert session.value("if.rate") == 1.0 and "From here on η" not in caption(session, 5)[0]
    session.set("select_slider", "logistic_regression forked.rate", 3.0)
    assert "From here on η = 3. " in caption(session, 5)[0] and session.value("if.points")


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 59), *[st.floats(-1e9, 1e9)] * 2), min_size=1))
def test_moved_points_come_back_from_the_link_as_painted_ones_are(moves: list[tuple]) -> None:
    data = Dataset("own", np.zeros((60, 2)), ("x", "y"), np.zeros(60, int), ("1",))
    bounds = (-3.0, 4.0, -2.0, 2.0)
    here = state.Session(page="lab", kept={"lab": {}})
    here.part(SessionData).board = Board(data, bounds)
    here.declared["fork"] = state.Declared("", 4, 0)
    for index, x, y in moves:
        fork.move(here, {"index": index, "to": [x, y]})
        data = edit(data, {"op": "move", "index": index, "to": [x, y]}, bounds)
    text = fork.parse_moved(60, here.kept[fork.scope("lab")]["points"])
    rows, there = fork.rows_and_places(text)
    assert sorted(rows) == sorted({index for index, _, _ in moves})
    np.testing.assert_array_equal(data.table[rows], there)


def test_points_of_other_data_are_not_moved() -> None:
    session = Session().open(BY_NAME["k_means"], data="outlier", fork="2")
    session.move(3, (1, 1))
    for op in ({"op": "relabel", "indices": [1], "label": 0}, {"op": "erase", "indices": [1]}):
        board = session.board
        done = {"number": board.done + 1, "revision": board.revision, **op}
        assert session.value("if.points").startswith("3,")
        board.carry_out({"page": "p", "edits": [done]})
        session.state.acted = True
        session.run()
    assert session.value("if.points") == "" and session.value("fork") == 2


def test_where_a_run_cannot_go_on_with_other_data_the_page_says_so() -> None:
    session = Session().open(BY_NAME["decision_tree"], data="xor", fork="1")
    assert session.stage["fork"] == 1 and not session.stage["carries"]
    note = session.app.main.caption[-1].value
    assert "Dragging a point here moves it in the data, for all steps" in note


def test_what_a_fork_was_told_is_forgotten_with_it() -> None:
    session = Session().open(BY_NAME["k_means"], k="2", fork="2", **{"if.centers": "-1,0;2,2"})
    assert session.stage["handles"][-1]["places"] == [[-1, 0], [2, 2]]
    session.press("As it was")
    assert session.stage["fork"] == 0
    total = session.opening["total"]
    session.fork(total - 1)  # after the last step
    assert session.value("fork") == total
    assert "nothing is moved yet" in caption(session, total)[0]
    session.set("slider", "k", 3)  # other centres, each where it is
    assert len(session.stage["handles"][-1]["places"]) == 3 and session.state.refused == []


def test_a_damaged_fork_is_refused_with_a_sentence() -> None:
    session = Session()
    for damaged, sentence in {
        "abc": "“abc” is not a number",
        "-1": "-1 is not between 0 and 1e+06",
        "999": "999 is not between 0 and ",
    }.items():
        session.open(BY_NAME["decision_tree"], fork=damaged)
        (refused,) = session.state.refused
        assert f"Changed step: {sentence}" in refused
        assert session.stage["fork"] == 0 and "fork" not in session.state.address
    session.open(BY_NAME["decision_tree"], fork="1", **{"if.cut": "x", "if.feature": "7"})
    assert len(session.state.refused) == 2 and session.stage["fork"] == 1
    session.open(BY_NAME["decision_tree"], fork="1", **{"if.feature": "0", "if.cut": "99,99"})
    assert session.state.refused == [] and session.stage["error"] is None
    for damaged, sentence in {
        "x": "“x” is not a list of moved points",
        "1,2": "is not a list of moved points",
        "60,0,0": "not all rows are between 0 and 59",
        "-1,0,0": "not all rows are between 0 and 59",
        "1,nan,0": "not all places are within ±1e+12",
    }.items():
        session.open(BY_NAME["k_means"], data="outlier", fork="1", **{"if.points": damaged})
        (refused,) = session.state.refused
        assert refused.startswith("Points moved by hand: ") and sentence in refused
        assert session.stage["fork"] == 1 and "if.points" not in session.state.address
    session.open(BY_NAME["decision_tree"], fork="9", data="xor")
    assert session.state.refused and session.stage["fork"] == 0


def test_a_fork_waits_while_the_run_is_too_short_for_it() -> None:
    session = Session().open(BY_NAME["decision_tree"], data="xor", fork="5")
    session.set("slider", "depth", 1)
    assert session.stage["fork"] == 0 and session.value("fork") == 5
    assert any("this run has no step 5" in each.value for each in session.app.sidebar.caption)
    session.set("slider", "depth", 5)
    assert session.stage["fork"] == 5


def test_a_mode_without_such_steps_is_left_alone() -> None:
    session = Session().open(BY_NAME["decision_tree"], view="ID3")
    assert session.stage["forks"] is False
    session.fork(2)
    assert session.stage["fork"] == 0
    session.open(BY_NAME["decision_tree"], view="ID3", fork="2")
    assert session.state.refused == ["It names parameters that this page does not have: “fork”"]


def test_two_settings_side_by_side_can_be_forked_too() -> None:
    session = Session().open(
        BY_NAME["perceptron"], beside="perceptron", order="cyclic",
        **{"right.order": "cyclic", "right.fork": "1"},
    )  # fmt: skip
    assert session.stage["error"] is None and session.state.refused == []
    assert "its update is skipped" in session.captions[1]
