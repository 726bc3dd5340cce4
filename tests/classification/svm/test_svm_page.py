"""The page on support vector machines: what its controls run, and what a second visitor costs."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_multiclass import REST
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.experiments import experiment_of, steps_of
from viz.classification.svm import svm_scenes
from viz.core.theme import GREY, color

SVM = next(lab for lab in LABS if lab.name == "svm")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def test_one_class_against_the_rest(session: Session) -> None:
    session.open(SVM, data="blobs", classes="4", side="3", view="all at once")
    session.check_shown()
    assert session.run_shown is not None
    final = session.run_shown.steps[-1]
    labels = unpacked(session.figure()["points"]["group"])
    np.testing.assert_array_equal(final.signs > 0, labels == 2)
    assert REST not in labels
    rest, third, _ = session.figure(view=1)["data"]
    assert (rest["marker"]["color"], third["marker"]["color"]) == (GREY, color(2))
    assert len(unpacked(third["x"])) == (labels == 2).sum()


def test_two_of_many_classes_are_the_sides_without_a_choice(session: Session) -> None:
    session.open(SVM, view="pairs")
    session.paste("x,y,kind\n1,2,a\n2,3,b\n3,1,c\n4,4,c\n")
    assert "side" in session.values
    session.paste("x,y,kind\n1,2,a\n2,3,b\n3,1,b\n")
    assert "side" not in session.values
    session.check_shown()


def test_the_tolerance_and_the_moves_are_those_of_the_run(session: Session) -> None:
    session.open(SVM, data="moons", kernel="linear", C="1000", steps="100", tol="0.1")
    session.check_shown()
    assert session.run_shown is not None
    steps = session.run_shown.steps
    assert [step.pair is not None for step in steps[1:102]] == [True] * 100 + [False]
    assert steps[-1].event == "converged"
    assert 1e-5 < steps[-1].tol == 0.1
    tanh = {"kernel": "hyperbolic tangent", "C": "1000", "tol": "0.00001"}
    session.open(SVM, data="moons", steps="100", **tanh)
    assert session.opening["total"] == 101
    assert "Stopped: no steps left." in session.captions[-1]


def test_a_lab_begins_with_the_street_and_links_of_old_with_pairs(session: Session) -> None:
    session.open(SVM)
    assert session.value("view") == "by hand"
    session.set("select_slider", "C", 10.0)
    assert session.value("view") == "by hand"
    old = Session().open(SVM, data="moons", C="3")
    assert old.value("view") == "pairs"
    old.set("select_slider", "C", 10.0)
    assert old.value("view") == "pairs"
    assert Session().open(SVM, data="moons", view="classes").value("view") == "classes"


def test_the_street_can_be_dragged(session: Session) -> None:
    session.open(SVM, view="by hand", data="blobs", classes="4", side="2", street="-1,0;1,0;0,1")
    session.check_shown()
    assert session.run_shown is not None
    hand, best = session.run_shown.steps[0], session.run_shown.steps[-1]
    spread = session.points.std(axis=0)
    center = session.points.mean(axis=0)
    corners = (np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) - center) / spread
    np.testing.assert_allclose(hand.decision_function(corners), [0, 0, 1], atol=1e-5)
    assert best.objective < hand.objective
    session.open(SVM, view="by hand", street="-1,0;1,0;0,0")
    assert "must not be on one line" in session.stage["error"]


def test_the_kernel_matrix_is_shown_on_demand_or_where_there_may_be_none(session: Session) -> None:
    def titles(**link: str) -> str:
        session.open(SVM, data="circles", n="40", **link)
        session.check_shown()
        return session.opening["views"][-1]["title"]

    for view in ("pairs", "all at once", "classes"):
        assert "Kernel matrix" not in titles(view=view)
        assert "none is negative" in titles(view=view, also="kernel matrix")
    assert "not semi-definite" in titles(kernel="hyperbolic tangent", scale="1", offset="0.5")


def test_crosses_are_shown_on_demand(session: Session) -> None:
    for also, expected in (("nothing more", 0), ("✕ broken conditions", 40)):
        session.open(SVM, data="circles", n="40", also=also)
        marks = session.figure()["marks"]
        kind = unpacked(marks["kind"])
        assert (np.array(marks["sizes"])[kind] > 0).sum() == expected


def test_the_picked_point_is_taken_apart(session: Session) -> None:
    session.open(SVM, data="moons", query="0.5,0.2")
    session.check_shown()
    assert session.run_shown is not None
    final = session.run_shown.steps[-1]
    X = session.points
    place = (np.array([0.5, 0.2]) - X.mean(axis=0)) / X.std(axis=0)
    terms = final.coefficients * np.exp(-((final.points - place) ** 2).sum(axis=1))
    line = session.captions[-1].split("\n")[-1].replace("−", "-")
    said = [float(text) for text in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", line.replace("- ", "-"))]
    largest = np.argsort(-np.abs(terms))[:3]
    rest = terms.sum() - terms[largest].sum()
    for position, i in enumerate(largest):
        assert said[2 * position] * said[2 * position + 1] == pytest.approx(terms[i], rel=0.02)
    support = int((final.duals > 0).sum())
    assert said[6] == support - 3
    expected = [rest, final.bias, terms.sum() + final.bias]
    assert said[7:10] == pytest.approx(expected, rel=0.01, abs=1e-4)
    assert line.endswith(f"class {1 + int(expected[-1] > 0)}.")
    lines = unpacked(session.figure(len(session.run_shown.steps) - 1)["edges"]["places"])
    np.testing.assert_allclose(lines.reshape(-1, 4)[:, 2:], X[largest], rtol=1e-5)


def test_the_street_can_be_drawn_without_standardising(session: Session) -> None:
    session.open(SVM, data="separable", kernel="linear", standardize="False")
    session.check_shown()
    assert session.run_shown is not None
    np.testing.assert_allclose(session.run_shown.steps[0].points, session.points, rtol=1e-5)
    assert any("used as they are" in caption.value for caption in session.app.caption)


@pytest.mark.parametrize("view", ["pairs", "all at once", "classes"])
def test_a_second_visitor_costs_no_computing(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"data": "circles", "n": "37", "view": view, "also": "kernel matrix"}
    Session().open(SVM, **link)

    def refuse(*args: object, **how: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(np.linalg, "eigvalsh", refuse)
    monkeypatch.setattr(svm_scenes.draw_matrix, "matrix", refuse)
    monkeypatch.setattr(svm_scenes.svm, "surface", refuse)
    second = Session().open(SVM, **link)
    assert not second.stage["error"]


def test_a_new_price_leaves_the_kernel_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    session, found = Session().open(SVM, data="circles", n="39", also="kernel matrix"), []
    eigenvalues = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda K: found.append(len(K)) or eigenvalues(K))
    session.set("select_slider", "C", 10.0)
    assert found == []
    session.set("select_slider", "gamma", 10.0)
    assert found == [39]


# What the lesson says of its experiments


def linked(session: Session, title: str, **changes: str) -> Any:
    """Give the last step of an experiment, as it is linked or with changes."""
    return steps_of(session, SVM, title, **changes)[-1]


def widths(final: Any, data: np.ndarray) -> tuple[np.ndarray, float]:
    """Give f at the points given, and the width of the street."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    f = final.decision_function(corners)
    return final.decision_function(data), 2 / float(np.hypot(f[1] - f[0], f[2] - f[0]))


@pytest.mark.parametrize("sample", ["0", "1", "2", "3"])
def test_only_ringed_points_hold_the_street(sample: str, session: Session) -> None:
    final = linked(session, "The street", sample=sample)
    assert final.event == "converged"
    X, y = final.points, (final.signs > 0).astype(int)
    outputs, width = widths(final, X)
    for i in range(len(X)):
        kept = np.arange(len(X)) != i
        without = list(svm(X[kept], y[kept], C=final.C, kernel=final.kernel))[-1]
        erased, wider = widths(without, X)
        if final.duals[i] == 0:
            tol = 1e-9 if sample == "0" else 5e-3  # the run's tolerance, on outputs up to 12
            np.testing.assert_allclose(erased, outputs, atol=tol)
        else:
            assert wider > width * (1 - 1e-3)
            assert sample != "0" or wider > 1.05 * width


def test_the_street_is_the_widest_in_its_own_units(session: Session) -> None:
    as_they_are = linked(session, "The street")
    assert "standardised units" not in session.opening["views"][0]["title"]
    scaled = linked(session, "The street", standardize="True")
    assert "(widest in standardised units)" in session.opening["views"][0]["title"]
    assert ((as_they_are.duals > 0).sum(), (scaled.duals > 0).sum()) == (2, 3)
    spread = session.points.std(axis=0)
    slopes = scaled.coefficients @ scaled.points / spread
    assert 2 / np.linalg.norm(slopes) < widths(as_they_are, as_they_are.points)[1] - 1e-5


def test_thousands_of_pairs_or_about_twenty_steps_at_once(session: Session) -> None:
    title = "Pairs or all at once"
    pairs = linked(session, title)
    assert all(pairs.moves.together(index) is None for index in range(pairs.index))
    few = linked(session, title, steps="100")
    at_once = linked(session, title, view="all at once")
    assert pairs.event == few.event == at_once.event == "converged"
    for other in (few, at_once):
        assert pairs.dual_objective == pytest.approx(other.dual_objective, rel=1e-6)
    assert pairs.index > 5000
    assert 180 < few.index < 230
    assert 15 <= at_once.index <= 25


def test_a_street_by_hand_has_the_wrong_direction(session: Session) -> None:
    hand, turned, best = steps_of(session, SVM, "Turn it yourself")
    costs = [round(step.objective, 1) for step in (hand, turned, best)]
    assert costs == [88.6, 83.2, 60.9]
    assert [int((step.margins <= 0).sum()) for step in (best, hand)] == [25, 43]
    text = experiment_of(SVM, "Turn it yourself")
    assert all(str(cost) in text.question + text.answer for cost in costs)


def test_a_ring_is_straight_in_the_squares(session: Session) -> None:
    final = linked(session, "Rings")
    assert "6 eigenvalues are above rounding" in session.opening["views"][-1]["title"]
    assert final.event == "converged"
    assert ((final.outputs > 0) == (final.signs > 0)).all()


def wrong(session: Session, **changes: str) -> int:
    """Count the points on the wrong side of the plane, as the last caption does."""
    final = linked(session, "A plane for rings", **changes)
    board = session.state.board.data
    units = (board.X - board.X.mean(axis=0)) / board.X.std(axis=0)
    found = int((final.predict(units) != board.labels).sum())
    assert f"{found or 'none'} of {len(units)} point" in session.captions[-1]
    return found


def test_a_plane_parts_the_rings(session: Session) -> None:
    answer = experiment_of(SVM, "A plane for rings").answer
    circle = linked(session, "A plane for rings").lifted.circle
    assert session.events == {30: "edge-on"}
    assert f"from above the cut is a circle of radius {circle[1]:.2f}" in answer
    xor = {lift: wrong(session, lift=lift, data="xor") for lift in ("squares", "bowl")}
    assert (
        f"the squares leave {xor['squares']} of 200 points wrong, the bowl {xor['bowl']}." in answer
    )
    for sample in ("0", "1", "2", "3"):
        for lift in ("bowl", "squares"):
            assert wrong(session, lift=lift, sample=sample) <= (sample != "0")
        assert wrong(session, lift="squares", data="xor", sample=sample) < 10
        assert wrong(session, lift="bowl", data="xor", sample=sample) > 60
    a, b, c = linked(session, "A plane for rings", lift="squares").lifted.weights
    assert 2 * a * c > b * b and a * c > 0, "an ellipse"


@pytest.mark.parametrize("sample", ["0", "1", "2", "3", "4", "5"])
def test_without_a_kernel_both_objectives_meet_where_it_is_no_maximum(
    sample: str, session: Session
) -> None:
    tanh = {"kernel": "hyperbolic tangent", "scale": "1", "offset": "0.5"}
    link = {name: value for name, value in experiment_of(SVM, "Rings").link.items()}
    del link["degree"]
    session.open(SVM, **link | tanh | {"sample": sample})
    assert session.run_shown is not None
    final = session.run_shown.steps[-1]
    n, price = len(final.signs), final.C * len(final.signs)
    assert "not semi-definite" in session.opening["views"][-1]["title"]
    assert (final.event, price) == ("converged", 2000)
    assert final.primal_objective == pytest.approx(final.dual_objective, rel=1e-6)
    assert final.dual_objective > 10 * price
    assert 2 * (final.duals.sum() - final.dual_objective) < 0  # the square of w
    wrong = int(((final.outputs > 0) != (final.signs > 0)).sum())
    assert 0.4 * n < wrong < 0.6 * n


def test_machines_of_four_classes_do_not_always_agree(session: Session) -> None:
    linked(session, "Who decides?")
    told = session.captions[-1]
    assert "9 are claimed by no machine, 4 by several" in told
    assert "198 are right" in told
    linked(session, "Who decides?", scheme="one-versus-one")
    assert "for 0 several classes share the most votes" in session.captions[-1]


def test_the_rule_in_the_lesson_chooses_the_pair_that_is_moved(session: Session) -> None:
    session.open(SVM, view="pairs")
    session.check_shown()
    assert r"I_{up},\; g_i > g_j" in SVM.texts["Maths"]
    assert session.run_shown is not None
    steps = session.run_shown.steps
    K = steps[0].kernel(steps[0].points, steps[0].points)
    literal = 0
    for before, after in pairwise(steps):
        beta, y, C = before.coefficients, before.signs, before.C
        g = y - K @ beta
        up = np.where(y > 0, beta < C, beta < 0)
        down = np.where(y > 0, beta > 0, beta > -C)
        i, j = after.pair
        assert down[j]
        assert g[j] == pytest.approx(g[down].min(), abs=1e-9)
        eta = np.diag(K) + K[j, j] - 2 * K[j]
        gain = np.where(up, (g - g[j]) ** 2 / np.maximum(eta, 1e-12), -1)
        allowed = np.where(g > g[j], gain, -1)
        assert gain[i] == pytest.approx(allowed.max(), rel=1e-6)
        literal += gain.max() > allowed.max() * (1 + 1e-9)
    assert literal > 0  # without g_i > g_j the rule would take another pair
