"""The page on support vector machines: what its controls run, and what a second visitor costs."""

import numpy as np
import pytest

from algorithms.classification.svm.svm_multiclass import REST
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
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
    rest, third = session.figure(view=1)["data"]
    assert (rest["marker"]["color"], third["marker"]["color"]) == (GREY, color(2))
    assert len(unpacked(third["x"])) == (labels == 2).sum()


def test_two_of_many_classes_are_the_sides_without_a_choice(session: Session) -> None:
    session.open(SVM)
    session.paste("x,y,kind\n1,2,a\n2,3,b\n3,1,c\n4,4,c\n")
    assert "side" in session.values
    session.paste("x,y,kind\n1,2,a\n2,3,b\n3,1,b\n")
    assert "side" not in session.values
    session.check_shown()


def test_the_tolerance_and_the_moves_are_those_of_the_run(session: Session) -> None:
    session.open(SVM, data="moons", kernel="linear", C="1000", steps="100", tol="0.1")
    session.check_shown()
    assert session.opening["total"] == 101
    assert "Stopped: no steps left." in session.captions[-1]
    session.open(SVM, data="moons", kernel="linear", C="1000", steps="30000")
    assert session.opening["total"] == 30_001


def test_the_street_can_be_drawn_without_standardising(session: Session) -> None:
    session.open(SVM, data="separable", kernel="linear", standardize="False")
    session.check_shown()
    assert session.run_shown is not None
    np.testing.assert_allclose(session.run_shown.steps[0].points, session.points, rtol=1e-5)
    assert any("used as they are" in caption.value for caption in session.app.caption)


@pytest.mark.parametrize("view", ["pairs", "all at once", "classes"])
def test_a_second_visitor_costs_no_computing(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"data": "circles", "n": "37", "view": view}
    Session().open(SVM, **link)

    def refuse(*args: object, **how: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(np.linalg, "eigvalsh", refuse)
    monkeypatch.setattr(svm_scenes.draw_matrix, "matrix", refuse)
    monkeypatch.setattr(svm_scenes.svm, "surface", refuse)
    second = Session().open(SVM, **link)
    assert not second.stage["error"]


def test_a_new_price_leaves_the_kernel_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    session, found = Session().open(SVM, data="circles", n="39", C="1"), []
    eigenvalues = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda K: found.append(len(K)) or eigenvalues(K))
    session.set("select_slider", "C", 10.0)
    assert found == []
    session.set("select_slider", "gamma", 10.0)
    assert found == [39]
