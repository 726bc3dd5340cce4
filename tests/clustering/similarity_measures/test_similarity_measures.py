"""Measures against SciPy and scikit-learn, what makes a metric, and the ball that grows."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from algorithms.clustering.similarity_measures.similarity_measures import (
    CHEBYSHEV,
    COSINE,
    EUCLIDEAN,
    MAHALANOBIS,
    MANHATTAN,
    Measure,
    NeighborStep,
    fitted,
    in_order,
    nearest_by_measure,
    ranks_by_measures,
)
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

PRESETS = ("blobs", "moons", "stretched", "outlier", "penguins")
POWERS = (0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0)
METRICS = (MANHATTAN, Measure("minkowski", 1.5), EUCLIDEAN, CHEBYSHEV, MAHALANOBIS)
PLACES = arrays(float, (5, 2), elements=st.floats(-9, 9).map(lambda value: round(value, 3)))


preset = partial(points_of, n=40, sample=2, noise=0.2)


def run(X: ndarray, **how) -> list[NeighborStep]:
    return check_steps(nearest_by_measure(X, **how))


THEIRS = Checked(
    "similarity_measures",
    "SciPy's Minkowski (7 powers), Chebyshev and Mahalanobis distances, scikit-learn's cosine",
    5,
    "data sets",
    within=1e-9,
)
assert THEIRS.cases == len(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_distances_are_those_of_scipy_and_scikit_learn(name: str) -> None:
    X = preset(name)
    query = X.mean(axis=0) + 0.3
    A = np.vstack([query, X[:3]])
    for p in POWERS:
        theirs = cdist(A, X, "minkowski", p=p)
        np.testing.assert_allclose(
            fitted(X, Measure("minkowski", p)).between(A, X), theirs, atol=THEIRS.within
        )
    np.testing.assert_allclose(
        fitted(X, CHEBYSHEV).between(A, X), cdist(A, X, "chebyshev"), atol=THEIRS.within
    )
    S = np.cov(X.T, bias=True)
    theirs = cdist(A, X, "mahalanobis", VI=np.linalg.inv(S))
    np.testing.assert_allclose(fitted(X, MAHALANOBIS).between(A, X), theirs, atol=THEIRS.within)
    for center in (np.zeros(2), X.mean(axis=0)):
        ours = fitted(X, COSINE, center=center).between(A, X)
        theirs = pairwise_distances(A - center, X - center, metric="cosine")
        np.testing.assert_allclose(ours, theirs, atol=THEIRS.within)
    ours = run(X, k=10, measure=MANHATTAN, query=query)[-1].order[:10]
    (theirs,) = NearestNeighbors(n_neighbors=10, p=1).fit(X).kneighbors([query], 10, False)
    np.testing.assert_array_equal(ours, theirs)


@settings(max_examples=30)
@given(X=PLACES)
def test_metrics_have_no_way_round_that_is_shorter(X: ndarray) -> None:
    for measure in METRICS:
        try:
            D = fitted(X, measure).between(X, X)
        except ValueError:
            assert measure == MAHALANOBIS and np.linalg.matrix_rank(X - X.mean(axis=0), 1e-5) < 2
            continue
        np.testing.assert_allclose(D, D.T)
        np.testing.assert_allclose(np.diag(D), 0, atol=1e-12)
        assert (D[(X[:, None] != X).any(axis=2)] > 0).all()
        assert (D[:, None] <= (D[:, :, None] + D) * (1 + 1e-9) + 1e-9).all()


@pytest.mark.parametrize("p", [0.2, 0.5, 0.99])
def test_below_one_the_way_over_the_corner_is_shorter(p: float) -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0]])
    D = fitted(X, Measure("minkowski", p)).between(np.vstack([[0.0, 0.0], X]), X)
    assert D[0].tolist() == pytest.approx([1, 2 ** (1 / p)]) and D[1, 1] == 1
    step = run(X, k=2, measure=Measure("minkowski", p), query=np.zeros(2))[1]
    assert (step.newest, step.via, step.detour) == (1, 0, 2) and step.shorter


def test_the_cosine_knows_no_length_and_is_no_metric() -> None:
    X = np.array([[1.0, 0.0], [5.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-3.0, 0.0], [0.0, 0.0]])
    steps = run(X, k=6, measure=COSINE, query=np.array([2.0, 0.0]))
    half = 1 - np.sqrt(0.5)
    np.testing.assert_allclose(steps[0].distances, [0, 0, half, 1, 2, 1], atol=1e-15)
    (turned,) = (step for step in steps if step.newest == 3)
    assert turned.via == 2 and turned.detour == pytest.approx(2 * half) and turned.shorter
    (places,) = fitted(X, COSINE).between(np.zeros((1, 2)), X)
    assert places.tolist() == [1] * 6, "no direction, no likeness"


@pytest.mark.parametrize("name", PRESETS)
def test_no_affine_map_changes_mahalanobis(name: str) -> None:
    X, rng = preset(name), np.random.default_rng(0)
    ours = fitted(X, MAHALANOBIS).between(X, X)
    for A in rng.normal(size=(10, 2, 2)):
        Y = X @ A.T + rng.normal(size=2)
        np.testing.assert_allclose(fitted(Y, MAHALANOBIS).between(Y, Y), ours, 1e-6, 1e-9)


def test_units_count_for_all_others_and_not_for_mahalanobis() -> None:
    X, units = preset("moons"), np.array([1.0, 1000.0])
    for measure in (MANHATTAN, EUCLIDEAN, CHEBYSHEV, COSINE):
        ours = fitted(X, measure, units=units).between(X, X)
        np.testing.assert_allclose(ours, fitted(X * units, measure).between(X * units, X * units))
        assert not np.allclose(ours, fitted(X, measure).between(X, X))
    one, other = (fitted(X, MAHALANOBIS, units=each).between(X, X) for each in (units, None))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "measure", [Measure("minkowski", 0.5), MANHATTAN, CHEBYSHEV, COSINE, MAHALANOBIS], ids=str
)
def test_the_ball_meets_one_point_after_the_other(measure: Measure) -> None:
    X, k = preset("blobs"), 12
    query = np.array([0.7, 0.4])
    steps = run(X, k=k, measure=measure, query=query)
    D = fitted(X, measure).between(np.vstack([query, X]), X)
    near = np.argsort(cdist([query], X)[0], kind="stable")[:k]
    events = []
    for met, step in enumerate(steps, 1):
        newest = int(np.argsort(D[0], kind="stable")[met - 1])
        assert (step.met, step.newest) == (met, newest)
        assert step.radius == pytest.approx(D[0, newest], rel=1e-12)
        ways = np.delete(D[0] + D[1:, newest], newest)
        assert step.detour == pytest.approx(ways.min())
        assert step.shorter == (ways.min() < D[0, newest] * (1 - 1e-9))
        assert step.shared == len(set(near.tolist()) & set(step.order[:met].tolist()))
        shorter = "a way round is shorter" if step.shorter else None
        apart = "the other measure disagrees" if newest not in near else None
        said = "k-th neighbour" if met == k else shorter or apart
        assert step.event == (None if said in events else said)
        events.append(said)
    assert (measure in METRICS) == ("a way round is shorter" not in events)


def test_of_equals_the_first_comes_first_and_what_cannot_be_measured_is_left_out() -> None:
    X = np.array([[1.0, 1.0], [0.0, 0.0], [2.0, 2.0], [0.0, 0.0]])
    assert in_order(np.array([2.0, 1.0, 3.0, 1.0])).tolist() == [2, 0, 3, 1]
    assert [step.newest for step in run(X, k=4, query=np.zeros(2))] == [1, 3, 0, 2]
    found = ranks_by_measures(X, np.zeros(2), (MAHALANOBIS, EUCLIDEAN))
    assert [(measure, ranks.tolist()) for measure, ranks in found] == [(EUCLIDEAN, [2, 0, 3, 1])]
    (only,) = run(X[:1], k=1, query=np.zeros(2))
    assert (only.via, only.detour) == (-1, only.radius) and not only.shorter


@pytest.mark.parametrize("scale", [1e-90, 1e-12, 1e90])
def test_no_power_overflows(scale: float) -> None:
    X = preset("moons", n=10)
    for measure in (*METRICS, COSINE):
        ours = fitted(X * scale, measure).between(X * scale, X * scale)
        factor = 1 if measure in (COSINE, MAHALANOBIS) else scale
        wanted = fitted(X, measure).between(X, X)
        np.testing.assert_allclose(ours / factor, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"measure": Measure("minkowski", 0.0)}, "p must be positive"),
        ({"against": MAHALANOBIS, "X": np.ones((3, 2))}, "X must not lie in fewer than d=2"),
        ({"measure": MAHALANOBIS, "X": np.arange(6.0).reshape(3, 2)}, "X must not lie in fewer"),
        ({"units": np.array([1.0, 0.0])}, "units must be positive"),
        ({"query": np.zeros(3)}, "query must hold d=2 numbers, got 3"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        nearest_by_measure(**{"X": np.eye(3)[:, :2], "k": 2} | changes)


def test_a_measure_that_is_not_known_is_refused() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="measure must be one of 'minkowski'"):
        nearest_by_measure(np.eye(2), k=1, measure=Measure("hamming"))  # type: ignore
