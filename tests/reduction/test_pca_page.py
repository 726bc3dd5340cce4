"""The page of the lab, and links to it from before its parameters were renamed."""

from collections.abc import Iterator

import pytest

from algorithms.core.kernels import rbf, sigmoid
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp

(PCA,) = (lab for lab in LABS if lab.name == "pca")
TANH = {"view": "kernel PCA", "kernel": "hyperbolic tangent"}


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


@pytest.mark.parametrize("view", ["by hand", "power iteration", "eigenvectors", "kernel PCA"])
def test_the_scaling_was_once_called_scale(view: str, session: Session) -> None:
    session.open(PCA, view=view, scale="True")
    assert session.value("standardize") is True
    assert not session.app.warning
    assert session.app.query_params["standardize"] == "True"
    assert "scale" not in session.app.query_params
    assert any("divided by its standard deviation" in text.value for text in session.app.caption)


@pytest.mark.parametrize(
    ("link", "standardize", "scale"),
    [
        ({"scale": "True"}, True, 0.3),
        ({"scale": "False"}, False, 0.3),
        ({"scale": "0.1"}, False, 0.1),
        ({"scale": "1"}, False, 1.0),
        ({"standardize": "True", "scale": "3"}, True, 3.0),
    ],
)
def test_scale_is_told_apart_from_that_of_the_kernel(
    link: dict, standardize: bool, scale: float, session: Session
) -> None:
    session.open(PCA, **TANH, **link)
    assert (session.value("standardize"), session.value("scale")) == (standardize, scale)
    assert not session.app.warning
    assert f"k(a, b) = {sigmoid(scale, 0.0)}:" in session.captions[0]


def test_what_is_neither_is_refused_once(session: Session) -> None:
    session.open(PCA, **TANH, scale="wide")
    assert (session.value("standardize"), session.value("scale")) == (False, 0.3)
    (warning,) = session.app.warning
    assert "“wide” is not a number" in warning.value


def test_the_kernel_and_the_scaling_are_moved_apart(session: Session) -> None:
    session.open(PCA, **TANH)
    session.set("toggle", "standardize", True)
    session.set("select_slider", "scale", 1.0)
    assert (session.value("standardize"), session.value("scale")) == (True, 1.0)
    session.set("selectbox", "kernel", "RBF")
    assert f"k(a, b) = {rbf(1.0)}:" in session.captions[0]
    assert session.value("standardize") is True


def test_only_the_axis_by_hand_has_handles_and_two_columns(session: Session) -> None:
    session.open(PCA)
    assert [view["track"] is not None for view in session.opening["views"]] == [True, False, False]
    session.open(PCA, view="eigenvectors")
    assert session.opening["total"] == 5  # four columns, and none of them
    session.set("toggle", "all", False)
    assert session.opening["total"] == 3
    assert all(view["track"] is None for view in session.opening["views"])
