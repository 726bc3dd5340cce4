"""The page of the lab, links to it from before its parameters were renamed, and its experiments."""

import numpy as np
import pytest

from algorithms.core.kernels import rbf, sigmoid
from algorithms.reduction.pca.class_share import class_share
from algorithms.reduction.pca.denoising import denoising
from algorithms.reduction.pca.pca import pca
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.experiments import experiment_of, steps_of

(PCA,) = (lab for lab in LABS if lab.name == "pca")
TANH = {"view": "kernel PCA", "kernel": "hyperbolic tangent"}


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
    assert session.value("data") == "parallel"
    assert [view["track"] is not None for view in session.opening["views"]] == [True, False, False]
    session.open(PCA, view="eigenvectors")
    assert session.opening["total"] == 5  # four columns, and none of them
    session.set("toggle", "all", False)
    assert session.opening["total"] == 3
    assert all(view["track"] is None for view in session.opening["views"])


def test_the_three_lines_have_handles_and_distances_to_a_side(session: Session) -> None:
    session.open(PCA, view="three lines", data="line")
    session.check_shown()
    assert [view["track"] is not None for view in session.opening["views"]] == [True, False]
    before = session.figure()
    session.set("button_group", "side", "sideways")
    assert session.figure()["data"][0] != before["data"][0]


# Experiments


def test_is_it_the_regression_line(session: Session) -> None:
    title = "Is it the regression line?"
    steps = steps_of(session, PCA, title)
    slopes = [step.slope for step in steps if step.event]
    assert [step.event for step in steps if step.event] == [
        "least up", "least across", "least sideways",
    ]  # fmt: skip
    answer = experiment_of(PCA, title).answer
    up, across, sideways = (f"{slope:.3g}" for slope in slopes)
    assert f"up and down least: slope {up}." in answer
    assert f"straight across least: {across}." in answer
    assert f"x from y gives {sideways}, the steepest" in answer


def test_which_axis_tells_the_classes_apart(session: Session) -> None:
    title = "Which axis tells the classes apart?"
    steps = steps_of(session, PCA, title)
    trial, data = experiment_of(PCA, title), session.board.data
    shares = 100 * class_share(steps[-1].transform(data.table), data.labels)
    assert f"keeps {100 * steps[-1].explained[0]:.3g} % of the variance" in trial.question
    assert f"along u₁ {shares[0]:.3g} % lies between the classes, along u₂ {shares[1]:.3g} %" in (
        trial.answer
    )
    for seed in range(10):
        drawn = dataset("parallel", 200, sample=seed, noise=0.15)
        *_, last = pca(drawn.table)
        first, second = class_share(last.transform(drawn.table), drawn.labels)
        assert first < 0.05 and second > 0.85 and last.explained[0] > 0.75


def test_units_decide(session: Session) -> None:
    answer = experiment_of(PCA, "Units decide").answer
    last = steps_of(session, PCA, "Units decide")[-1]
    assert answer.startswith(f"{100 * last.explained[0]:.4g} %, and it is the body mass")
    assert np.abs(last.components[0]).argmax() == 3
    assert session.board.data.columns[3].startswith("body mass")
    last = steps_of(session, PCA, "Units decide", standardize="True")[-1]
    assert f"keeps {100 * last.explained[0]:.3g} % and is a mixture of all four" in answer
    assert np.abs(last.components[0]).min() > 0.4


def test_denoising(session: Session) -> None:
    steps = steps_of(session, PCA, "Denoising")
    errors = [step.clean_error for step in steps]
    assert int(np.argmin(errors)) == 3 and len(errors) == 8
    answer = experiment_of(PCA, "Denoising").answer
    assert (
        f"falls from {errors[0]:.3g} to {errors[3]:.3g} at q = 3, and is {errors[7]:.3g}" in answer
    )
    data = session.board.data
    for seed in range(1, 8):
        noisy = list(denoising(data.table, 0.5, rng=np.random.default_rng(seed)))
        assert int(np.argmin([step.clean_error for step in noisy])) == 3


def test_rings(session: Session) -> None:
    last = steps_of(session, PCA, "Rings")[-1]
    data = session.board.data
    z = last.transform(data.X)
    inner = data.labels == 0
    assert (z[inner, 2] < 0).all() and (z[~inner, 2] > 0).all()
    for k in (0, 1):
        wrong = ((z[:, k] > 0) == inner).mean()
        assert 0.4 < wrong < 0.6, "the others do not tell"
        assert max(abs(np.corrcoef(z[:, k], column)[0, 1]) for column in data.X.T) > 0.6
