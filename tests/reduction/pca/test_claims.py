"""The page of the lab, links from before its parameters were renamed, and its experiments."""

import numpy as np
import pytest

from algorithms.core.kernels import rbf, sigmoid
from algorithms.reduction.pca.class_share import class_share
from algorithms.reduction.pca.denoising import denoising
from algorithms.reduction.pca.pca import pca
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

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
    assert f"k(a, b) = {sigmoid(scale, 0.0)}." in session.captions[0]


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
    assert f"k(a, b) = {rbf(1.0)}." in session.captions[0]
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


def is_it_the_regression_line(trial: Trial) -> Numbers:
    *turn, last = trial.steps()
    named = [step for step in turn if step.event]
    assert [step.event for step in named] == ["least up", "least across", "least sideways"]
    assert last.slope == named[1].slope  # back at the principal axis
    return [step.slope for step in named]


def which_axis_tells_the_classes_apart(trial: Trial) -> Numbers:
    last = trial.steps()[-1]
    shares = 100 * class_share(last.transform(trial.data.table), trial.data.labels)
    found = [100 * last.explained[0], *shares]
    for seed in range(10):
        drawn = dataset("parallel", 200, sample=seed, noise=0.15)
        *_, last = pca(drawn.table)
        first, second = class_share(last.transform(drawn.table), drawn.labels)
        assert first < 0.05 and second > 0.85 and last.explained[0] > 0.75
    return found


def units_decide(trial: Trial) -> Numbers:
    plain, scaled = trial.steps()[-1], trial.steps(standardize="True")[-1]
    assert np.abs(plain.components[0]).argmax() == 3
    assert trial.data.columns[3].startswith("body mass")
    assert np.abs(scaled.components[0]).min() > 0.4
    return [100 * plain.explained[0], 100 * scaled.explained[0]]


def denoised(trial: Trial) -> Numbers:
    errors = [step.clean_error for step in trial.steps()]
    best = int(np.argmin(errors))
    assert best == 3 and len(errors) == 8
    for seed in range(1, 8):
        noisy = list(denoising(trial.data.table, 0.5, rng=np.random.default_rng(seed)))
        assert int(np.argmin([step.clean_error for step in noisy])) == best
    return [errors[0], errors[best], best, errors[7]]


def rings(trial: Trial) -> Numbers:
    z = trial.steps()[-1].transform(trial.data.X)
    inner = trial.data.labels == 0
    assert (z[inner, 2] < 0).all() and (z[~inner, 2] > 0).all()
    for k in (0, 1):
        wrong = ((z[:, k] > 0) == inner).mean()
        assert 0.4 < wrong < 0.6, "the others do not separate the rings"
        assert max(abs(np.corrcoef(z[:, k], column)[0, 1]) for column in trial.data.X.T) > 0.6
    return []


test_the_answers = claims_test(
    "pca",
    {
        "Is it the regression line?": is_it_the_regression_line,
        "Which axis tells the classes apart?": which_axis_tells_the_classes_apart,
        "Units decide": units_decide,
        "Denoising": denoised,
        "Rings": rings,
    },
)
