from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import PolynomialFeatures

from algorithms.core.record import last
from algorithms.data.truths import TRUTHS, Truth, through
from algorithms.regression.bias_variance.bias_variance import (
    BiasVarianceStep,
    bias_variance,
    decompose,
)
from algorithms.regression.bias_variance.curve_fits import (
    Models,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from algorithms.regression.bias_variance.sampling import Sampling
from tests.core.samples import rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {
    "truth": TRUTHS["sine"],
    "models": Polynomials((0, 1, 3)),
    "degrees": (0, 1, 3),
    "n": 12,
    "noise": 0.3,
    "sampling": Sampling(12, 0.3),
    "n_sets": 6,
}
FAMILIES: dict[str, Models] = {
    "degrees": Polynomials((0, 1, 3, 6)),
    "degrees with a penalty": Polynomials((0, 1, 3, 12), 0.1),
    "penalties": RidgePolynomials((10.0, 0.1, 0.001), 9),
    "neighbours": NearestNeighbors((20, 7, 1)),
}
JACKKNIFE = Checked(
    "bias_variance",
    "The jackknife with each set left out in turn, relative to its own standard errors",
    12,
    "numbers of sets and models",
    within=1e-6,
)


def run(models: Models = FAMILIES["degrees"], **changes) -> list[BiasVarianceStep]:
    how = {"truth": TRUTHS["sine"], "n": 30, "noise": 0.5, "n_sets": 20, "rng": rng()}
    return check_steps(decomposed(models=models, **how | changes))


def decomposed(**how) -> Iterator[BiasVarianceStep]:
    """Call `decompose` with the fields of its `Sampling` among the other arguments."""
    drawn = {field.name: how.pop(field.name) for field in fields(Sampling) if field.name in how}
    return decompose(sampling=Sampling(**drawn), **how)


@pytest.mark.parametrize("name", FAMILIES)
def test_over_the_sets_the_decomposition_is_exact(name: str) -> None:
    """At every x, the mean of (h - f)^2 is bias^2 + variance, whatever the number of sets."""
    steps = run(FAMILIES[name])
    for b, step in enumerate(steps, start=1):
        fits = np.array([s.predictions for s in steps[:b]])
        assert step.sets == b
        np.testing.assert_allclose(step.mean, fits.mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(step.variance, fits.var(axis=0), atol=1e-12)
        np.testing.assert_allclose(
            step.bias_squared + step.variance,
            np.square(fits - step.truth).mean(axis=0),
            rtol=1e-10,
            atol=1e-12,
        )
        total = step.bias_squared.mean(axis=1) + step.variance.mean(axis=1) + step.noise
        np.testing.assert_array_equal(step.expected_error, total)
        assert step.best == total.argmin()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_corrected_parts_have_the_same_sum(name: str) -> None:
    """Bias^2 is the mean product of the errors of two different sets, the variance divides by
    b - 1."""
    steps = run(FAMILIES[name])
    assert not steps[0].wobble.any()
    for b in (2, 3, 9, 20):
        step, errors = steps[b - 1], np.array([s.predictions - s.truth for s in steps[:b]])
        products = np.einsum("scg,tcg->stcg", errors, errors)
        products[np.arange(b), np.arange(b)] = 0.0
        pairs = products.sum(axis=(0, 1)) / (b * (b - 1))
        np.testing.assert_allclose(step.corrected_bias_squared, pairs, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(
            step.corrected_variance, errors.var(axis=0, ddof=1), rtol=1e-8, atol=1e-10
        )
        both = step.corrected_bias_squared + step.corrected_variance
        np.testing.assert_allclose(both, np.square(errors).mean(axis=0), rtol=1e-9, atol=1e-12)
        total = both.mean(axis=1) + step.noise
        np.testing.assert_allclose(step.expected_error, total, rtol=1e-10)


@pytest.mark.parametrize("case", range(JACKKNIFE.cases))
def test_the_standard_errors_are_the_jackknifes(case: int) -> None:
    """Each set is left out in turn, and both parts are computed again from the others."""
    steps, b = run(list(FAMILIES.values())[case // 3], n_sets=12), (3, 7, 12)[case % 3]
    assert not any(step.bias_error.any() or step.variance_error.any() for step in steps[:2])
    errors = np.array([s.predictions - s.truth for s in steps[:b]])
    without = [np.delete(errors, s, axis=0) for s in range(b)]
    variance = np.array([e.var(axis=0, ddof=1).mean(axis=1) for e in without])
    bias = np.array([np.square(e.mean(axis=0)).mean(axis=1) for e in without])
    bias -= variance / (b - 1)
    for values, found in ((bias, "bias_error"), (variance, "variance_error")):
        expected = np.sqrt((b - 1) * values.var(axis=0))
        ours = getattr(steps[b - 1], found)
        np.testing.assert_allclose(ours, expected, rtol=JACKKNIFE.within, atol=0)


@pytest.mark.parametrize("b", [4, 15])
def test_over_many_runs_the_corrected_parts_are_right_and_their_bars_not_too_short(b: int) -> None:
    """Straight lines at even x, a parabola as truth: bias and variance are known."""
    t = (2 * np.arange(20) + 1) / 20 - 1
    truth = replace(TRUTHS["line"], formula=lambda x: (x / 3) ** 2)
    how = {"truth": truth, "n": 20, "noise": 0.3, "design": "even", "n_sets": b, "places": 20}
    found = [list(decomposed(models=Polynomials((1,)), rng=rng(s), **how))[-1] for s in range(500)]
    bias = np.array([step.corrected_bias_squared.mean() for step in found])
    variance = np.array([step.corrected_variance.mean() for step in found])
    known = float(np.square(t**2 - (t**2).mean()).mean())  # a line's best fit is the mean
    spread = 0.09 * 2 / 20  # sigma^2 (p + 1) / n, at the points themselves
    for values, right in ((bias, known), (variance, spread)):
        assert abs(values.mean() - right) < 4 * values.std() / np.sqrt(500)
    uncorrected = np.array([step.bias_squared.mean() for step in found])
    assert uncorrected.mean() - known == pytest.approx(spread / b, rel=0.2)
    for values, name in ((bias, "bias_error"), (variance, "variance_error")):
        bars = np.sqrt(np.mean([np.square(getattr(step, name)) for step in found]))
        assert 0.9 * values.std() < bars < 2.2 * values.std()


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("truth", ["sine", "step", "bump"])
@pytest.mark.parametrize("design", ["random", "even"])
def test_test_error_is_the_sum_within_the_monte_carlo_error(
    name: str, truth: str, design: str
) -> None:
    step = run(FAMILIES[name], truth=TRUTHS[truth], n_sets=300, design=design)[-1]
    off = np.abs(step.test_error - step.expected_error)
    assert (step.standard_error > 0).all()
    assert (step.standard_error < 0.2 * step.expected_error).all()
    assert (off < 4.5 * step.standard_error).all(), "24 runs, 3 or 4 differences each"


def test_the_standard_error_is_that_of_the_sets_differences() -> None:
    steps = run(noise=0.8)
    tests = np.diff([step.sets * step.test_error for step in steps], axis=0, prepend=0)
    sums = np.array([np.square(s.predictions - s.truth).mean(axis=1) + s.noise for s in steps])
    for b in (2, 7, 20):
        expected = (tests - sums)[:b].std(axis=0, ddof=1) / np.sqrt(b)
        np.testing.assert_allclose(steps[b - 1].standard_error, expected, rtol=1e-9)
        np.testing.assert_allclose(
            steps[b - 1].test_error - steps[b - 1].expected_error,
            (tests - sums)[:b].mean(axis=0),
            atol=1e-12,
        )
    assert not steps[0].standard_error.any()


def test_the_standard_error_covers_as_often_as_it_should() -> None:
    found = [run(n_sets=40, rng=rng(seed))[-1] for seed in range(40)]
    off = [(step.test_error - step.expected_error) / step.standard_error for step in found]
    within_two = (np.abs(off) < 2).mean()
    assert 0.9 < within_two <= 1


def test_the_known_variance_of_a_constant_and_of_a_line() -> None:
    """Of least squares: sigma^2 / n, and sigma^2 (1/n + t^2 / sum t_i^2) on the even design."""
    step = run(truth=TRUTHS["line"], n_sets=900, design="even", noise=0.7)[-1]
    t = (2 * np.arange(30) + 1) / 30 - 1
    constant, line = step.variance[:2]
    np.testing.assert_allclose(constant, 0.49 / 30, rtol=0.15)
    at = step.x / 3
    np.testing.assert_allclose(line, 0.49 * (1 / 30 + at**2 / (t @ t)), rtol=0.2)
    bias = 0.8 * step.x + 0.3 - 0.3  # the constant's mean is the mean of f
    np.testing.assert_allclose(step.bias_squared[0], bias**2, atol=0.06)
    np.testing.assert_allclose(step.bias_squared[1:], 0, atol=0.02)


def test_bias_falls_and_variance_rises_with_the_degree() -> None:
    step = run(Polynomials(tuple(range(10))), n_sets=200, design="even")[-1]
    bias, variance = step.bias_squared.mean(axis=1), step.variance.mean(axis=1)
    assert (np.diff(variance) > 0).all()
    assert bias[0] > 20 * bias[3] > 20 * bias[5]
    assert 3 <= step.best <= 6
    assert step.noise == 0.25


def test_more_of_a_penalty_is_more_bias_and_less_variance() -> None:
    step = run(RidgePolynomials((100.0, 10.0, 1.0, 0.1, 0.01), 9), n_sets=200, design="even")[-1]
    assert (np.diff(step.bias_squared.mean(axis=1)) < 0).all()
    assert (np.diff(step.variance.mean(axis=1)) > 0).all()


def test_a_set_is_fitted_as_scikit_learn_does() -> None:
    for step in run(n_sets=3):
        x, y = step.train.T
        for degree, h in zip((0, 1, 3, 6), step.predictions, strict=True):
            powers = PolynomialFeatures(degree)
            model = LinearRegression(fit_intercept=False)
            model.fit(powers.fit_transform(x[:, None] / 3), y)
            theirs = model.predict(powers.transform(step.x[:, None] / 3))
            np.testing.assert_allclose(h, theirs, atol=1e-9)


def test_the_sets_are_what_is_asked_for() -> None:
    steps = run(n=40, n_sets=50, noise=0.5)
    x, y = np.concatenate([step.train for step in steps]).T
    assert steps[0].train.shape == (40, 2)
    assert (np.abs(x) < 3).all()
    noise = y - TRUTHS["sine"](x)
    assert noise.std() == pytest.approx(0.5, rel=0.05)
    assert noise.mean() == pytest.approx(0, abs=0.05)
    even = run(design="even", n=6, n_sets=2)
    for step in even:
        np.testing.assert_allclose(step.train[:, 0], [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])


def test_more_sets_add_to_the_first_and_noise_moves_points_only() -> None:
    few, many, loud = run(n_sets=5), run(n_sets=600), run(n_sets=5, noise=1.0)
    for step, same, moved in zip(few, many, loud, strict=False):
        np.testing.assert_array_equal(step.train, same.train)
        np.testing.assert_allclose(step.mean, same.mean, atol=1e-12)
        np.testing.assert_allclose(step.test_error, same.test_error, atol=1e-12)
        np.testing.assert_array_equal(step.train[:, 0], moved.train[:, 0])
        f = TRUTHS["sine"](step.train[:, 0])
        np.testing.assert_allclose(2 * (step.train[:, 1] - f), moved.train[:, 1] - f)


def test_bias_variance_is_decompose_with_polynomials() -> None:
    how = {"n": 25, "noise": 0.4, "n_sets": 4}
    ours = last(bias_variance(TRUTHS["step"], degrees=[0, 2, 5], penalty=0.3, **how, rng=rng()))
    same = last(
        decomposed(truth=TRUTHS["step"], models=Polynomials((0, 2, 5), 0.3), **how, rng=rng())
    )
    np.testing.assert_array_equal(ours.degree, [0, 2, 5])
    np.testing.assert_array_equal(ours.mean, same.mean)
    np.testing.assert_array_equal(ours.test_error, same.test_error)


def test_without_noise_the_right_family_has_no_error() -> None:
    step = run(truth=TRUTHS["cubic"], noise=0.0)[-1]
    np.testing.assert_allclose(step.expected_error[2:], 0, atol=1e-20)
    np.testing.assert_allclose(step.test_error[2:], 0, atol=1e-20)
    assert step.expected_error[0] > 0.1


def test_events() -> None:
    steps = run(Polynomials(tuple(range(13))), n_sets=30)
    for before, after in pairwise(steps[:-1]):
        changed = before.best != after.best
        assert after.event == ("another complexity is best" if changed else None)
    assert steps[0].event is None
    assert steps[-1].event == "all sets drawn"
    assert sum(step.event == "another complexity is best" for step in steps) >= 2


DRAWN: dict[str, Callable[[], Truth]] = {
    "one point": lambda: through(np.array([[1.0, 2.0]])),
    "one x": lambda: through(np.array([[1.0, 2.0], [1.0, 3.0]])),
    "far away": lambda: through(np.array([[1e12, 1e12], [1.1e12, 3e12], [1.2e12, 0.0]])),
    "tiny": lambda: through(np.array([[1e-12, 1e-12], [2e-12, 0.0]])),
    "huge": lambda: through(np.array([[-1e99, 1e59], [1e99, -1e59]])),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_truths(name: str, family: str) -> None:
    truth = DRAWN[name]()
    run(FAMILIES[family], truth=truth, n=20, noise=abs(float(truth(np.array([truth.low]))[0])))


@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 20), n_sets=st.integers(1, 12), noise=st.floats(0, 5), seed=st.integers(0))
def test_any_numbers(n: int, n_sets: int, noise: float, seed: int) -> None:
    for models in (
        Polynomials((0, 4, 15)),
        RidgePolynomials((0.0, 1.0), 15),
        NearestNeighbors((n, 1)),
    ):
        steps = run(models, n=n, n_sets=n_sets, noise=noise, rng=rng(seed), n_test=1, places=1)
        assert len(steps) == n_sets


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"n": 0}, "n must be between 1 and 1000, got n=0"),
        ({"n_sets": 0}, "n_sets must be between 1 and 1000, got n_sets=0"),
        ({"noise": -1.0}, "noise must be a number from 0 to 1e+100, got noise=-1.0"),
        ({"design": "odd"}, "design must be one of 'random', 'even', got design='odd'"),
        ({"truth": through(np.array([[0.0, 0.0], [1.0, 1e99]]))}, "truth must stay within ±1e+60"),
        ({"noise": 1e61}, "noise must stay within ±1e+60, got 1e+61"),
        ({"n_test": 0}, "n_test must be at least 1, got n_test=0"),
        ({"models": NearestNeighbors((40,))}, "k must be between 1 and n=30, got k=40"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    how = {"n": 30, "noise": 0.1, "n_sets": 2, "models": Polynomials((1,)), "truth": TRUTHS["line"]}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        decomposed(**how | {"rng": rng()} | changes)
    assert str(caught.value).startswith(sentence)
