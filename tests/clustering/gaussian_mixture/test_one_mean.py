from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal, norm

from algorithms.clustering.gaussian_mixture.one_mean import OneMeanStep, one_mean
from tests.core.figures import line
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps
from viz.clustering.gaussian_mixture.one_mean import OneMean
from viz.core.scene import Run

LONG = points_of("stretched", 120, noise=0.25)
PAIR = np.array([[-1.5, 0.2], [0.0, -0.1]])
ARGUMENTS = {"means": PAIR}  # what the contract calls it with


def run(X: ndarray, means: ndarray = PAIR, **how: float) -> list[OneMeanStep]:
    return check_steps(one_mean(X, means=means, **how))


def joint(X: ndarray, means: ndarray, sigma: float) -> ndarray:
    """Return 1/2 N(x; mu_k, sigma^2 I), by SciPy."""
    cov = sigma**2 * np.eye(X.shape[1])
    return np.stack([0.5 * multivariate_normal(mean, cov).pdf(X) for mean in means], axis=1)


def test_the_definitions_recomputed() -> None:
    steps = run(LONG, width=0.5)
    sigma = 0.5 * np.sqrt(LONG.var(axis=0).mean())
    for before, step in pairwise(steps):
        assert step.sigma == pytest.approx(sigma)
        p, q = joint(LONG, step.means, sigma), step.responsibilities
        r = p / p.sum(axis=1, keepdims=True)
        assert step.log_likelihood == pytest.approx(np.log(p.sum(axis=1)).sum())
        assert step.lower_bound == pytest.approx((q * np.log(p / q)).sum())
        assert step.gap == pytest.approx((q * np.log(q / r)).sum(), abs=1e-8)
        np.testing.assert_array_equal(step.means[1], PAIR[1])
        assert step.means[0, 1] == PAIR[0, 1]
        if step.phase == "expectation":
            np.testing.assert_allclose(q, r, atol=1e-12)
        else:
            m = q[:, 0] @ LONG[:, 0] / q[:, 0].sum()
            assert step.means[0, 0] == pytest.approx(m)
            assert step.lower_bound >= before.lower_bound


@pytest.mark.parametrize("now", [0, 1, 2, 5])
def test_the_bound_touches_the_curve_and_is_nowhere_above_it(now: int) -> None:
    step = run(LONG)[now]
    at = np.linspace(-4, 4, 201)
    curve, bound = step.log_likelihood_at(LONG, at), step.bound_at(LONG, at)
    assert (bound <= curve + 1e-9).all()
    for m, value, lower in zip(at[::20], curve[::20], bound[::20], strict=True):
        p = joint(LONG, np.array([[m, PAIR[0, 1]], PAIR[1]]), step.sigma)
        assert value == pytest.approx(np.log(p.sum(axis=1)).sum())
        q = step.responsibilities
        assert lower == pytest.approx((q * np.log(p / q)).sum())
    here, summit = step.means[:1, 0], np.array([step.maximum(LONG)])
    assert step.log_likelihood_at(LONG, here)[0] == pytest.approx(step.log_likelihood)
    assert step.bound_at(LONG, here)[0] == pytest.approx(step.lower_bound)
    assert step.bound_at(LONG, summit)[0] >= bound.max()
    if step.phase == "expectation":
        assert step.bound_at(LONG, here)[0] == pytest.approx(step.log_likelihood)


def test_it_ends_on_a_summit_of_the_curve() -> None:
    ends = []
    for start in (-2.0, 2.0):
        step = run(LONG, np.array([[start, 0.0], [0.0, 0.0]]), tol=1e-10)[-1]
        assert step.event == "converged"
        m = step.means[0, 0]
        found = minimize_scalar(
            lambda m, s=step: -s.log_likelihood_at(LONG, np.array([m]))[0],
            bounds=(m - 0.3, m + 0.3),
            method="bounded",
        )
        assert m == pytest.approx(found.x, abs=2e-3)
        ends.append(step)
    assert ends[0].means[0, 0] < 0 < ends[1].means[0, 0]


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 20), st.integers(1, 3)), elements=st.floats(-9, 9)),
    start=st.floats(-20, 20),
    width=st.sampled_from([0.05, 0.5, 2.0]),
)
def test_the_log_likelihood_never_falls(X: ndarray, start: float, width: float) -> None:
    means = np.zeros((2, X.shape[1]))
    means[0, 0] = start
    try:
        steps = run(X, means, width=width, max_iter=30)
    except ValueError:
        reject()  # points so close together that no mean is near them: see below
    for before, after in pairwise(steps):
        rounding = 1e-9 * (1 + abs(before.log_likelihood))
        assert after.log_likelihood >= before.log_likelihood - rounding
        assert after.gap >= -rounding
    assert steps[-1].event in ("converged", "stopped at max_iter")


def test_a_mean_too_many_deviations_away_is_refused() -> None:
    X = np.array([[0.0], [1e-160]])
    with pytest.raises(ValueError, match=r"within 1e\+150 sigma of the points"):
        run(X, np.array([[20.0], [0.0]]))
    assert run(X, np.array([[2e-160], [0.0]]))[-1].event == "converged"


def test_worked_by_hand() -> None:
    """Two points of variance 1, and sigma = 1."""
    X = np.array([[-1.0], [1.0]])
    start, after, *_ = run(X, np.array([[1.0], [-1.0]]), width=1.0)
    near = 1 / (1 + np.exp(-2))
    np.testing.assert_allclose(start.responsibilities[:, 0], [1 - near, near])
    density = (norm.pdf(0) + norm.pdf(2)) / 2
    assert start.log_likelihood == pytest.approx(2 * np.log(density))
    assert after.means[0, 0] == pytest.approx(2 * near - 1)


def test_the_unit_of_the_data_does_not_matter() -> None:
    for s in (1e-3, 1e6):
        scaled, plain = run(s * LONG, s * PAIR), run(LONG)
        assert len(scaled) == len(plain)
        np.testing.assert_allclose(scaled[-1].means, s * plain[-1].means, rtol=1e-9)
        shifted = scaled[-1].log_likelihood + LONG.size * np.log(s)
        assert shifted == pytest.approx(plain[-1].log_likelihood)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"means": PAIR[:1]}, "means must have shape (2, 2), got shape (1, 2)"),
        ({"width": 0.0}, "width must be"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        one_mean(**{"X": LONG, "means": PAIR} | changes)
    assert str(caught.value).startswith(sentence)


# What the mode "one parameter" shows

CLIMB = run(LONG)
MODE = OneMean(Run("", CLIMB), board(LONG), 0.5)


@pytest.mark.parametrize("now", [0, 1, 2, 7])
def test_the_bound_is_drawn_touching_the_curve(now: int) -> None:
    step = CLIMB[now]
    curve, bound, gap, summit, ring, word = MODE.touching(now)["data"]
    at, values = line(curve).T
    lower = line(bound)[:, 1]
    np.testing.assert_allclose(values, step.log_likelihood_at(LONG, at), rtol=1e-5)
    seen = np.isfinite(lower)
    np.testing.assert_allclose(lower[seen], step.bound_at(LONG, at)[seen], rtol=1e-5)
    assert (lower[seen] <= values[seen] + 1e-3).all() and seen.sum() > 10
    np.testing.assert_allclose(line(gap)[:, 1], [step.lower_bound, step.log_likelihood], rtol=1e-6)
    assert (ring["x"], ring["y"]) == ([step.means[0, 0]], [step.log_likelihood])
    apart = [pytest.approx(step.gap, rel=6e-3)] if step.phase == "maximization" else []
    assert numbers(word["text"][0]) == apart
    best = step.responsibilities[:, 0] @ LONG[:, 0] / step.responsibilities[:, 0].sum()
    assert line(summit)[0, 0] == pytest.approx(best, rel=1e-5)


def test_the_captions_recomputed() -> None:
    for now in (1, 5):
        step, before, after = CLIMB[now], CLIMB[now - 1], CLIMB[now + 2]
        q = step.responsibilities[:, 0]
        first, second = map(numbers, MODE.caption(now).split("\n"))
        rise = step.log_likelihood - before.log_likelihood
        np.testing.assert_allclose(first, [rise, step.log_likelihood], rtol=6e-3)
        expected = [q @ LONG[:, 0], q.sum(), step.means[0, 0]]
        np.testing.assert_allclose(second, [*expected, step.gap], rtol=6e-3)
        first, second = map(numbers, MODE.caption(now + 1).split("\n"))
        np.testing.assert_allclose(first, [step.means[0, 0]], rtol=6e-3)
        np.testing.assert_allclose(second, [after.means[0, 0]], rtol=6e-3)
