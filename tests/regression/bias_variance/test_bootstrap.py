from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsRegressor

from algorithms.regression.bias_variance.bootstrap import BootstrapStep, bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    Models,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from tests.core.samples import points_of, rng
from tests.house.check_steps import POINTS, AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"x": POINTS[:, 0], "models": Polynomials((0, 1, 3)), "n_sets": 6}
FAMILIES: dict[str, Models] = {
    "degrees": Polynomials((0, 1, 3, 6)),
    "penalties": RidgePolynomials((10.0, 0.1, 0.001), 6),
    "neighbours": NearestNeighbors((20, 7, 1)),
}
OUT_OF_BAG = Checked(
    "bias_variance",
    "Out-of-bag errors computed point by point, relative to the largest",
    15,
    "runs of the bootstrap",
    within=1e-7,
)


def board(name: str) -> tuple[np.ndarray, np.ndarray]:
    X = points_of(name, 60)
    jitter = 1e-9 * rng().normal(size=60)  # of equal x, the order in the resample would decide
    return X[:, 0] + jitter, X[:, 1].copy()


def run(name: str = "sine", models: Models = FAMILIES["degrees"], **how) -> list[BootstrapStep]:
    return check_steps(bootstrap(*board(name), models, **{"n_sets": 25, "rng": rng(1)} | how))


@pytest.mark.parametrize("case", range(OUT_OF_BAG.cases))
def test_out_of_bag_errors_are_those_of_a_plain_recomputation(case: int) -> None:
    name = ["line", "sine", "step", "diabetes", "blobs"][case % 5]
    family = list(FAMILIES)[case // 5]
    x, y = board(name)
    models = FAMILIES[family]
    middle, half = x.min() / 2 + x.max() / 2, x.max() / 2 - x.min() / 2
    t = (x - middle) / half
    steps = run(name, models)
    fits = []
    for step in steps:
        chosen = np.repeat(np.arange(len(x)), step.counts)
        at = np.concatenate([(step.x - middle) / half, t])
        fits.append(models(t[None, chosen], y[None, chosen], at[None])[0])
    for b in (1, 2, 9, 25):
        step, so_far = steps[b - 1], np.array(fits[:b])
        left = np.array([s.counts == 0 for s in steps[:b]])
        seen = left.any(axis=0)
        singles, means, spreads = [], [], []
        for i in np.flatnonzero(seen):
            h = so_far[left[:, i], :, len(step.x) + i]  # (fits without point i, complexities)
            singles.append(np.square(y[i] - h).mean(axis=0))
            means.append(np.square(y[i] - h.mean(axis=0)))
            spreads.append(h.var(axis=0))
        scale = np.square(y).max() * max(1.0, np.max(singles))
        close = {"rtol": 1e-8, "atol": 1e-10 * scale}
        assert (step.sets, step.judged) == (b, seen.sum())
        near = OUT_OF_BAG.within * np.mean(singles, axis=0).max()
        for found, expected in (
            (step.test_error, singles), (step.mean_error, means), (step.test_variance, spreads)
        ):  # fmt: skip
            np.testing.assert_allclose(found, np.mean(expected, axis=0), rtol=0, atol=near)
        np.testing.assert_allclose(step.test_error, step.mean_error + step.test_variance)
        shown = so_far[:, :, : len(step.x)]
        np.testing.assert_allclose(step.predictions, shown[-1], **close)
        np.testing.assert_allclose(step.mean, shown.mean(axis=0), **close)
        np.testing.assert_allclose(step.variance, shown.var(axis=0), **close)
        assert step.best == step.test_error.argmin()


def test_a_resample_holds_about_63_percent_of_the_points() -> None:
    """003:2010."""
    steps = run(n_sets=400)
    assert all(step.counts.sum() == 60 for step in steps)
    held = np.mean([(step.counts > 0).mean() for step in steps])
    assert held == pytest.approx(1 - (1 - 1 / 60) ** 60, abs=0.01)
    assert held == pytest.approx(0.632, abs=0.015)


def test_the_full_fit_is_that_to_all_points() -> None:
    x, y = board("sine")
    step = run(models=NearestNeighbors((7, 1)), n_sets=1)[0]
    theirs = KNeighborsRegressor(7).fit(x[:, None], y).predict(step.x[:, None])
    np.testing.assert_allclose(step.full[0], theirs, atol=1e-12)
    assert x.min() < step.x[0] < step.x[-1] < x.max()


def test_one_neighbour_of_points_left_out_errs_although_it_never_errs_on_its_own() -> None:
    step = run(models=NearestNeighbors((1,)), n_sets=100)[-1]
    assert step.judged == 60
    assert step.test_error[0] > 0.2


def test_events() -> None:
    steps = run(models=Polynomials(tuple(range(10))), n_sets=40)
    for before, after in pairwise(steps[:-1]):
        changed = before.best != after.best
        assert after.event == ("another complexity is best" if changed else None)
    assert steps[-1].event == "all resamples drawn"


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 15),
    kinds=st.integers(1, 15),
    across=st.sampled_from([1e-100, 1.0, 1e99]),
    up=st.sampled_from([1e-100, 1.0, 1e99]),
    seed=st.integers(0, 999),
)
def test_hostile_points(n: int, kinds: int, across: float, up: float, seed: int) -> None:
    random = rng(seed)
    x = across * random.uniform(-1, 1, kinds)[random.integers(kinds, size=n)]
    y = up * random.normal(size=n)
    for models in (
        Polynomials((0, 2, 15)),
        RidgePolynomials((0.0, 1.0), 15),
        NearestNeighbors((n, 1)),
    ):
        steps = check_steps(bootstrap(x, y, models, n_sets=5, rng=random))
        for step in steps:
            assert 0 <= step.judged <= n
            if step.judged == 0:
                assert not step.test_error.any()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"x": np.zeros(1), "y": np.ones(1)}, "x must hold at least 2 points to leave one"),
        ({"n_sets": 0}, "n_sets must be between 1 and 1000, got n_sets=0"),
        ({"models": NearestNeighbors((6,))}, "k must be between 1 and n=5, got k=6"),
        ({"x": np.full(5, np.nan)}, "x must be finite, got nan"),
        ({"x": np.full(5, "a")}, "x must hold numbers, got an array of <U1"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    how = {"x": np.arange(5.0), "y": np.arange(5.0), "models": Polynomials((1,)), "n_sets": 2}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        bootstrap(**how | {"rng": rng()} | changes)
    assert str(caught.value).startswith(sentence)
