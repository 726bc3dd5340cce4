from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

from algorithms.clustering.gaussian_mixture.gaussian_mixture import (
    SHAPES,
    GaussianMixtureStep,
    advance,
    by_hand,
    gaussian_mixture,
    largest_fall,
)
from algorithms.clustering.gaussian_mixture.mixture_choice import n_parameters
from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.iterate import moved, resumed
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

THEIRS = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}


def preset(name: str, n: int = 120) -> ndarray:
    return dataset(name, min(n, DATASETS[name].n), sample=1).table


PRESETS = {
    "blobs": preset("blobs"),
    "stretched": preset("stretched"),
    "unequal": preset("unequal"),
    "moons": preset("moons"),
    "outlier": preset("outlier"),
    "iris": preset("iris"),
    "diabetes": preset("diabetes"),
    "one column": preset("blobs")[:, :1],
    "far from the origin": preset("blobs") + 100,  # farther out theirs cancels
}


def variance(X: ndarray) -> float:
    """Return the mean variance of the columns, of which the floor is a share."""
    return float(X.var(axis=0).mean())


def run(X: ndarray, k: int, **how: object) -> list[GaussianMixtureStep]:
    return check_steps(gaussian_mixture(X, k, **{"rng": rng()} | how))


def shaped(covariances: ndarray, covariance: str) -> ndarray:
    """Return (k, d, d) matrices as scikit-learn stores this shape."""
    match covariance:
        case "tied":
            return covariances[0]
        case "diagonal":
            return np.diagonal(covariances, axis1=1, axis2=2)
        case "spherical":
            return covariances[:, 0, 0]
    return covariances


def scikit_learn(
    X: ndarray, start: GaussianMixtureStep, covariance: str, **how: float
) -> GaussianMixture:
    """Fit from the parameters of our first step."""
    return GaussianMixture(
        len(start.weights),
        covariance_type=THEIRS[covariance],
        weights_init=start.weights,
        means_init=start.means,
        precisions_init=shaped(np.linalg.inv(start.covariances), covariance),
        **how,
    ).fit(X)


SCIKIT_LEARN = Checked(
    "gaussian_mixture",
    "scikit-learn's `GaussianMixture` after 1, 3 and 20 iterations, the log-likelihood per point",
    108,
    "runs",
    within=1e-8,
)
assert SCIKIT_LEARN.cases == 3 * len(SHAPES) * len(PRESETS)


@pytest.mark.filterwarnings("ignore:Best performing initialization did not converge")
@pytest.mark.parametrize("covariance", SHAPES)
@pytest.mark.parametrize("name", PRESETS)
def test_agrees_with_scikit_learn_after_every_half_step(name: str, covariance: str) -> None:
    X = PRESETS[name]
    for init in ("k-means", "random", X[[3, 50, 9]]):
        steps = run(X, 3, covariance=covariance, init=init, max_iter=21, tol=1e-3)
        for iteration in (1, 3, 20):
            if 2 * iteration >= len(steps):
                continue
            how = {"max_iter": iteration, "tol": 0, "reg_covar": 1e-6 * variance(X)}
            theirs = scikit_learn(X, steps[0], covariance, **how)
            ours = steps[2 * iteration - 1]
            assert ours.phase == "maximization"
            near = {"rtol": 1e-7, "atol": 1e-8 * np.abs(X).max()}
            np.testing.assert_allclose(ours.weights, theirs.weights_, rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose(ours.means, theirs.means_, **near)
            mine = shaped(ours.covariances, covariance)
            np.testing.assert_allclose(mine, theirs.covariances_, rtol=1e-6, atol=1e-8)
            bounds = [step.log_likelihood / len(X) for step in steps[: 2 * iteration : 2]]
            np.testing.assert_allclose(bounds, theirs.lower_bounds_, rtol=1e-8, atol=1e-8)
            score = theirs.score(X)
            assert abs(ours.log_likelihood / len(X) - score) <= SCIKIT_LEARN.within
            np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=1e-6)
            np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("covariance", SHAPES)
def test_stops_where_scikit_learn_does(covariance: str) -> None:
    for name in ("blobs", "unequal", "moons"):
        X = PRESETS[name]
        steps = run(X, 3, covariance=covariance, init="random", tol=1e-3, max_iter=500)
        floor = 1e-6 * variance(X)
        theirs = scikit_learn(X, steps[0], covariance, max_iter=500, tol=1e-3, reg_covar=floor)
        assert steps[-1].event == "converged"
        assert theirs.n_iter_ == len(steps) // 2 + 1, "they end on a maximization"
        assert theirs.bic(X) == pytest.approx(
            -2 * steps[-1].log_likelihood + n_parameters(covariance, 2, 3) * np.log(len(X)),
            rel=1e-3,
        )


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 6),
    seed=st.integers(0, 9),
    init=st.sampled_from(["k-means", "random"]),
    covariance=st.sampled_from(SHAPES),
    floor=st.sampled_from([0.0, 1e-6, 1e-3, 0.1]),
)
def test_what_holds_for_every_run(
    X: ndarray, k: int, seed: int, init: str, covariance: str, floor: float
) -> None:
    k = min(k, len(X))
    steps = run(X, k, rng=rng(seed), init=init, covariance=covariance, floor=floor, max_iter=30)
    phases = ["expectation", "maximization"] * len(steps)
    assert [step.phase for step in steps] == phases[: len(steps)]
    ends = ("converged", "stopped at max_iter", "singular covariance")
    assert [step.event for step in steps if step.event in ends] == [steps[-1].event]
    for step in steps:
        sums = step.responsibilities.sum(axis=1)
        np.testing.assert_allclose(sums, 1, rtol=1e-12)
        assert step.weights.sum() == pytest.approx(1)
        assert (step.responsibilities >= 0).all() and (step.weights > 0).all()
        spread = np.sqrt(np.diagonal(step.covariances, axis1=1, axis2=2))
        assert (spread > 0).all()
        correlations = step.covariances / spread[:, None] / spread[:, :, None]
        assert (np.linalg.eigvalsh(correlations) > -1e-15).all()
        assert step.gap >= -1e-7 * (1 + abs(step.log_likelihood))
        if step.phase == "expectation":
            assert step.gap == 0
            at_once = step.predict_proba(X)
            np.testing.assert_allclose(step.responsibilities, at_once, atol=1e-5)
    for before, after in pairwise(steps):
        rounding = 1e-7 * (1 + abs(before.log_likelihood))
        if after.phase == "expectation":
            assert after.log_likelihood == before.log_likelihood
            assert after.lower_bound >= before.lower_bound - rounding, "E closes the gap"
        elif after.event != "singular covariance":
            assert after.responsibilities is before.responsibilities
            fall = largest_fall(before, after) + rounding
            assert after.lower_bound >= before.lower_bound - fall, "M lifts the bound"
            assert after.log_likelihood >= before.log_likelihood - fall
            if floor == 0:
                assert largest_fall(before, after) == 0


@pytest.mark.parametrize("covariance", SHAPES)
def test_the_definitions_recomputed(covariance: str) -> None:
    """Bound, KL, responsibilities and the maximization, from densities by SciPy and plain sums."""
    X, floor = PRESETS["unequal"], 0.01
    steps = run(X, 3, covariance=covariance, init="random", floor=floor, max_iter=6)
    for before, step in pairwise(steps):
        q = step.responsibilities
        joint = np.stack(
            [
                w * multivariate_normal(m, S).pdf(X)
                for w, m, S in zip(step.weights, step.means, step.covariances, strict=True)
            ],
            axis=1,
        )
        r = joint / joint.sum(axis=1, keepdims=True)
        assert step.log_likelihood == pytest.approx(np.log(joint.sum(axis=1)).sum())
        assert step.lower_bound == pytest.approx((q * np.log(joint / q)).sum())
        assert step.gap == pytest.approx((q * np.log(q / r)).sum(), abs=1e-9)
        if step.phase == "expectation":
            np.testing.assert_allclose(q, r, atol=1e-12)
            assert step.means is before.means or (step.means == before.means).all()
            continue
        sizes = q.sum(axis=0)
        np.testing.assert_allclose(step.weights, sizes / len(X))
        np.testing.assert_allclose(step.means, q.T @ X / sizes[:, None])
        offsets = X[None] - step.means[:, None]
        S = np.einsum("nk,kni,knj->kij", q, offsets, offsets) / sizes[:, None, None]
        if covariance == "tied":
            S = np.tile((sizes[:, None, None] * S).sum(axis=0) / len(X), (3, 1, 1))
        elif covariance == "diagonal":
            S = S * np.eye(2)
        elif covariance == "spherical":
            S = np.trace(S, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(2)
        added = floor * variance(X) * np.eye(2)
        np.testing.assert_allclose(step.covariances, S + added, atol=1e-12)


def test_worked_by_hand() -> None:
    """Two spherical components at -1 and 1, of variance 1 as all four points have."""
    X = np.array([[-1.0], [-1.0], [1.0], [1.0]])
    start, after, *_ = run(X, 2, init=np.array([[-1.0], [1.0]]), floor=0.0)
    near = 1 / (1 + np.exp(-2))  # N(1; 1, 1) / (N(1; 1, 1) + N(1; -1, 1)), exponents 0 and -2
    np.testing.assert_allclose(start.responsibilities[:, 1], [1 - near] * 2 + [near] * 2)
    density = (1 + np.exp(-2)) / 2 / np.sqrt(2 * np.pi)
    assert start.log_likelihood == pytest.approx(4 * np.log(density))
    np.testing.assert_allclose(after.weights, 0.5)
    np.testing.assert_allclose(after.means[:, 0], [1 - 2 * near, 2 * near - 1])
    np.testing.assert_allclose(after.covariances[:, 0, 0], 1 - (2 * near - 1) ** 2)


def test_the_starts() -> None:
    X = PRESETS["blobs"]
    clusters, added = last(k_means(X, 3, rng=rng(4))), 1e-6 * variance(X) * np.eye(2)
    start = run(X, 3, rng=rng(4))[0]
    np.testing.assert_allclose(start.means, clusters.centers)
    np.testing.assert_allclose(start.weights, clusters.sizes / len(X))
    for j in range(3):
        spread = np.cov(X[clusters.labels == j].T, bias=True) + added
        np.testing.assert_allclose(start.covariances[j], spread, atol=1e-12)
    for init in ("random", X[:3] + 0.5):
        start = run(X, 3, rng=rng(4), init=init)[0]
        np.testing.assert_allclose(start.weights, 1 / 3)
        everything = np.cov(X.T, bias=True) + added
        np.testing.assert_allclose(start.covariances, np.stack([everything] * 3), atol=1e-12)
        if isinstance(init, str):
            assert all(np.isclose(X, mean).all(axis=1).any() for mean in start.means)
        else:
            np.testing.assert_allclose(start.means, init)


COLLAPSING = np.concatenate([preset("blobs", 40), [[9.0, 9.0]]])
AT_THE_POINT = np.array([[0.0, 0.0], [9.0, 9.0]])


def test_collapse_onto_a_point_is_held_by_the_floor() -> None:
    for floor in (1e-6, 1e-4):
        steps = run(COLLAPSING, 2, init=AT_THE_POINT, floor=floor)
        (event,) = [i for i, step in enumerate(steps) if step.event == "collapse"]
        assert steps[event].phase == "maximization"
        assert steps[event].collapsed.tolist() == [False, True]
        assert not steps[event - 1].collapsed.any()
        added = floor * variance(COLLAPSING)
        assert steps[-1].floor == pytest.approx(added)
        np.testing.assert_allclose(steps[-1].covariances[1], added * np.eye(2), atol=1e-11)
        np.testing.assert_allclose(steps[-1].means[1], [9, 9])
        assert steps[-1].event == "converged"
    low, high = (
        run(COLLAPSING, 2, init=AT_THE_POINT, floor=f)[-1].log_likelihood for f in (1e-4, 1e-6)
    )
    assert high - low == pytest.approx(np.log(100), rel=0.01), "a 100th of the floor: ln 100 more"


def test_a_large_floor_prevents_the_collapse() -> None:
    steps = run(COLLAPSING, 2, init=AT_THE_POINT, floor=0.1)
    assert not any(step.event == "collapse" for step in steps)
    assert not steps[-1].collapsed.any()


def test_without_a_floor_the_run_ends_where_the_likelihood_is_infinite() -> None:
    steps = run(COLLAPSING, 2, init=AT_THE_POINT, floor=0.0)
    assert steps[-1].event == "singular covariance"
    assert steps[-1].phase == "maximization"
    assert steps[-1].log_likelihood > steps[0].log_likelihood + 10
    assert np.linalg.eigvalsh(steps[-1].covariances[1])[0] < 1e-6


def test_an_empty_component_stays_where_it_is_and_says_so() -> None:
    X = np.repeat([[0.0, 0.0], [1.0, 3.0]], 10, axis=0)
    steps = run(X, 3)
    assert steps[0].event in ("empty component", "collapse")
    assert steps[-1].event == "converged"
    assert sorted(np.round(steps[-1].weights, 6)) == [0, 0.5, 0.5]


def test_stopped_at_max_iter_is_an_event() -> None:
    steps = run(PRESETS["moons"], 4, init="random", max_iter=2)
    assert len(steps) == 5
    assert steps[-1].event == "stopped at max_iter"


@pytest.mark.parametrize("covariance", SHAPES)
@pytest.mark.parametrize("floor", [1e-6, 1e-3, 0.1])
def test_no_result_depends_on_the_unit_of_the_data(covariance: str, floor: float) -> None:
    for X, k in ((PRESETS["blobs"], 3), (PRESETS["unequal"], 4), (COLLAPSING, 2)):
        init = AT_THE_POINT if k == 2 else None
        how = {"covariance": covariance, "floor": floor, "max_iter": 40}
        runs = {}
        for s in (1.0, 1e-3, 1e-6, 1e6):
            start = {"init": "k-means" if init is None else s * init}
            runs[s] = run(s * X, k, **how, **start)
        for s, steps in runs.items():
            assert [step.event for step in steps] == [step.event for step in runs[1.0]]
            moved = X.size * np.log(s)
            for step, plain in zip(steps, runs[1.0], strict=True):
                np.testing.assert_array_equal(step.predict(s * X), plain.predict(X))
                shifted = step.log_likelihood + moved
                assert shifted == pytest.approx(plain.log_likelihood, rel=1e-7, abs=1e-6)
            np.testing.assert_allclose(steps[-1].means, s * runs[1.0][-1].means, rtol=1e-6)
            assert steps[-1].floor == pytest.approx(s**2 * floor * variance(X))


HOSTILE = {
    "one point": (np.array([[3.0, 4.0]]), 1),
    "k = n": (preset("blobs", 12), 12),
    "all the same": (np.full((20, 2), 0.1), 3),
    "two places": (np.repeat([[0.1, 0.2], [0.3, 0.7]], 10, axis=0), 5),
    "on a line": (np.outer(np.arange(30.0), [1, 2]), 4),
    "constant column": (np.stack([np.arange(30.0), np.zeros(30)], axis=1), 3),
    "constant and far": (np.stack([np.arange(30.0), np.full(30, 1e9)], axis=1), 3),
    "huge": (preset("blobs", 50) * 1e98, 3),
    "tiny": (preset("blobs", 50) * 1e-100, 3),
    "vanishing": (preset("blobs", 50) * 1e-300, 3),
    "huge and tiny": (preset("blobs", 50) * [1e98, 1e-200], 3),
    "far away": (preset("blobs", 50) + 1e15, 3),
    "an outlier": (np.concatenate([preset("blobs", 50), [[1e99, -1e99]]]), 3),
    "grid of ties": (np.indices((6, 6)).reshape(2, -1).T.astype(float), 4),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("floor", [0.0, 1e-6, 1e-100])
def test_hostile_data(name: str, floor: float) -> None:
    X, k = HOSTILE[name]
    for covariance in SHAPES:
        for init in ("k-means", "random"):
            steps = run(X, k, covariance=covariance, init=init, floor=floor, max_iter=10)
            assert np.isfinite(steps[-1].score_samples(X)).all()
            assert (steps[-1].predict(X) < k).all()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 8}, "k must be between 1 and n=5, got k=8"),
        ({"k": 0}, "k must be between 1 and n=5, got k=0"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"init": "best"}, "init must be one of 'k-means', 'random', got init='best'"),
        ({"init": np.zeros((3, 2))}, "init must have shape (k, d) = (2, 2), got shape (3, 2)"),
        ({"init": np.full((2, 2), np.nan)}, "init must be finite, got nan"),
        ({"floor": -1.0}, "floor must be a number from 0 to 1e+100, got floor=-1.0"),
        ({"tol": "1"}, "tol must be a number from 0 to 1e+100, got tol='1'"),
        (
            {"covariance": "diag"},
            "covariance must be one of 'full', 'tied', 'diagonal', 'spherical', "
            "got covariance='diag'",
        ),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        gaussian_mixture(**{"X": np.arange(10.0).reshape(5, 2), "k": 2, "rng": rng()} | changes)
    assert str(caught.value) == sentence


# A run that goes on from means or points that were moved by hand

PAIR = preset("blobs", 40)
PLACES = np.array([[0.0, 2.0], [0.5, -1.0]])


def resumed_at(at: int, X: ndarray, means: ndarray | None = None) -> list[GaussianMixtureStep]:
    was = list(gaussian_mixture(PAIR, 2, rng=rng(1), init="random"))
    places = was[at - 1].means if means is None else means
    change, follow = partial(by_hand, X, places), partial(advance, X)
    steps = check_steps(resumed(was, at, change, follow, most=400))
    assert all(a is b for a, b in zip(was[:at], steps[:at], strict=True))
    return steps


@pytest.mark.parametrize("at", [1, 3, 6])
def test_moved_means_keep_their_weights_and_covariances(at: int) -> None:
    steps = resumed_at(at, PAIR, PLACES)
    before, step = steps[at - 1], steps[at]
    assert step.event == "moved by hand" and step.phase == "expectation"
    np.testing.assert_array_equal(step.means, PLACES)
    for name in ("weights", "covariances", "roots"):
        np.testing.assert_array_equal(getattr(step, name), getattr(before, name))
    np.testing.assert_allclose(step.responsibilities, step.predict_proba(PAIR), atol=1e-12)
    rises = np.diff([each.log_likelihood for each in steps[at:]])
    assert (rises > -1e-9).all() and steps[-1].event == "converged"
    with pytest.raises(ValueError, match=r"means must have shape \(k, d\) = \(2, 2\)"):
        resumed_at(at, PAIR, PLACES[:1])


def test_em_goes_on_from_its_components_with_the_point_elsewhere() -> None:
    at, there = 3, moved(PAIR, np.array([7]), np.array([[2.5, -1.5]]))
    steps = resumed_at(at, there)
    before, step = steps[at - 1], steps[at]
    for name in ("weights", "means", "covariances"):
        np.testing.assert_array_equal(getattr(step, name), getattr(before, name))
    joint = np.stack(
        [
            w * multivariate_normal(m, S).pdf(there)
            for w, m, S in zip(before.weights, before.means, before.covariances, strict=True)
        ],
        axis=1,
    )
    shares = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(step.responsibilities, shares, atol=1e-9)
    means = shares.T @ there / shares.sum(axis=0)[:, None]
    np.testing.assert_allclose(steps[at + 1].means, means, rtol=1e-9)
    added = steps[at + 1].floor
    assert added == pytest.approx(1e-6 * variance(there)), "a share of the new variance"
