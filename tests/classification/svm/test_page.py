"""The page on support vector machines: the runs of its controls, and a second visitor's cost."""

import re

import numpy as np
import pytest

from algorithms.classification.svm.svm_multiclass import REST
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from viz.classification.svm import kernel_matrix, marks
from viz.core.theme import GREY, color

SVM = next(lab for lab in LABS if lab.name == "svm")


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
    assert "Stopped: all allowed steps are used up." in session.captions[-1]


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
    session.open(
        SVM,
        view="by hand",
        data="blobs",
        classes="4",
        side="2",
        street="-1,0;1,0;0,1",
        standardize="True",
    )
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
    assert any("are not standardised" in caption.value for caption in session.app.caption)


@pytest.mark.parametrize("view", ["pairs", "all at once", "classes"])
def test_a_second_visitor_costs_no_computing(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"data": "circles", "n": "37", "view": view, "also": "kernel matrix"}
    Session().open(SVM, **link)

    def refuse(*args: object, **how: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(np.linalg, "eigvalsh", refuse)
    monkeypatch.setattr(kernel_matrix, "matrix", refuse)
    monkeypatch.setattr(marks, "surface", refuse)
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
