from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KernelDensity

from algorithms.clustering.kernel_density import bandwidths, judging, kernel_density
from algorithms.core.record import last
from tests.core.samples import board, points_of
from tests.house.checked import Checked
from viz.clustering.densities.widths import Widths
from viz.core.scene import Run

NAMES = ("blobs", "moons", "circles", "stretched", "outlier")
ARGUMENTS = {"bandwidth": 0.4, "widths": np.array([0.1, 0.3, 1.0])}
EXACT: dict[str, Any] = {"rtol": 1e-12}


def points(name: str, n: int = 50) -> np.ndarray:
    return points_of(name, n, sample=2, noise=0.2)


SCIKIT_LEARN = Checked(
    "densities",
    "scikit-learn's `KernelDensity` after 1, 21 and all bumps, the log-density",
    15,
    "runs",
    within=1e-6,
)
assert SCIKIT_LEARN.cases == 3 * len(NAMES)


@pytest.mark.parametrize("h", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("name", NAMES)
def test_every_step_is_the_density_of_the_points_so_far(name: str, h: float) -> None:
    X = points(name)
    steps = list(kernel_density(X, bandwidth=h))
    assert [step.bumps for step in steps] == list(range(1, len(X) + 1))
    assert [step.event for step in steps if step.event] == ["all points"]
    cells = np.random.default_rng(0).uniform(-3, 3, (40, 2))
    for step in (steps[0], steps[20], steps[-1]):
        oracle = KernelDensity(bandwidth=h, **EXACT).fit(X[: step.bumps])
        np.testing.assert_allclose(
            step.score_samples(cells), oracle.score_samples(cells), atol=SCIKIT_LEARN.within
        )


def test_it_is_a_density() -> None:
    step = last(kernel_density(points("moons", 5), bandwidth=0.5))
    total, *_ = dblquad(
        lambda y, x: float(np.exp(step.score_samples(np.array([[x, y]]))[0])), -6, 6, -6, 6,
        epsabs=1e-4,
    )  # fmt: skip
    assert total == pytest.approx(1, abs=1e-3)


@given(h=st.floats(0.1, 3), x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_a_grid_and_the_shares_add_up_to_the_density(h: float, x: float, y: float) -> None:
    step = last(kernel_density(points("blobs", 20), bandwidth=h))
    p = np.exp(step.score_samples(np.array([[x, y]]))[0])
    assert step.shares(np.array([[x, y]]))[0].sum() == pytest.approx(p)
    assert step.on_grid(np.array([x, 9.0]), np.array([y]))[0, 0] == pytest.approx(p)


LEFT_OUT = Checked(
    "densities",
    "scikit-learn's `LeaveOneOut`, the mean log-likelihood of the point that is left out",
    15,
    "widths",
    within=1e-6,
)
WIDTHS = np.array([0.1, 0.4, 1.5])
assert LEFT_OUT.cases == len(WIDTHS) * len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_leaving_one_out_is_what_scikit_learn_finds(name: str) -> None:
    X = points(name, 30)
    for step in bandwidths(X, WIDTHS):
        oracle = KernelDensity(bandwidth=step.bandwidth, **EXACT)
        theirs = cross_val_score(oracle, X, cv=LeaveOneOut()).mean()
        assert step.left_out == pytest.approx(theirs, abs=LEFT_OUT.within)
        assert step.own == pytest.approx(oracle.fit(X).score_samples(X).mean(), abs=1e-6)


def test_of_many_points_some_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    X, h = points("moons", 40), 0.4
    assert judging(1000).tolist() == list(range(1000)) and len(judging(5000)) == 200
    monkeypatch.setattr("algorithms.clustering.kernel_density.MOST_PAIRS", 200)
    (step,) = bandwidths(X, np.array([h]))
    by_hand = [
        last(kernel_density(np.delete(X, i, axis=0), bandwidth=h)).score_samples(X[[i]])[0]
        for i in (0, 10, 20, 29, 39)
    ]
    assert step.left_out == pytest.approx(np.mean(by_hand))
    mode = Widths(Run("", [step]), board(X), X[0])
    assert "5 of the 40 points are left out" in mode.note


def test_the_best_width_so_far_is_named() -> None:
    steps = list(bandwidths(points("blobs"), np.geomspace(0.05, 3, 25)))
    scores = [step.left_out for step in steps]
    for i, step in enumerate(steps):
        assert step.best == int(np.argmax(scores[: i + 1]))
        past = step.best == i - 1 and scores[i] < scores[i - 1]
        assert step.event == ("all widths" if i == 24 else "past the best" if past else None)
    assert 0 < steps[-1].best < 24


def test_points_with_twins_have_no_best_width() -> None:
    twins, one_twin = np.repeat(points("blobs"), 2, axis=0), points("blobs")
    one_twin[0] = one_twin[1]
    found = [
        [step.left_out for step in bandwidths(X, np.geomspace(1e-6, 0.1, 5))]
        for X in (twins, one_twin)
    ]
    assert (np.diff(found[0]) < 0).all() and found[0][0] > 20
    assert (np.diff(found[1]) > 0).all()


def test_a_point_far_from_all_others_has_no_likelihood_but_a_number() -> None:
    X = np.array([[0.0, 0.0], [0.1, 0.0], [1e9, 0.0]])
    (step,) = bandwidths(X, np.array([0.01]))
    assert np.isfinite(step.left_out) and step.left_out < -1e20


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kernel_density(np.zeros((2, 2)), bandwidth=0.0), "bandwidth"),
        (lambda: kernel_density(np.zeros((2, 2)), bandwidth=1e-60), "at least 1e-50"),
        (lambda: bandwidths(np.zeros((1, 2)), np.ones(1)), "at least two points"),
        (lambda: bandwidths(np.zeros((2, 2)), np.ones(0)), "at least one width"),
    ],
)
def test_bad_arguments_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
