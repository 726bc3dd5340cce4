"""The order of OPTICS against scikit-learn's, and its valleys against DBSCAN."""

import numpy as np
import pytest
from sklearn.cluster import OPTICS

from algorithms.clustering.dbscan.dbscan import dbscan
from algorithms.clustering.dbscan.optics import reachability
from algorithms.core.record import last
from tests.house.checked import Checked

ORACLE = Checked(
    "dbscan", "scikit-learn's `OPTICS`, the reach of every point", 60, "random sets", within=1e-9
)


def points(case: int) -> np.ndarray:
    rng = np.random.default_rng(case)
    centres = rng.normal(0, 3, (1 + case % 4, 2))
    return centres[rng.integers(0, len(centres), 20 + case)] + rng.normal(size=(20 + case, 2)) * 0.5


def test_order_and_reach_are_those_of_scikit_learn() -> None:
    for case in range(ORACLE.cases):
        X, min_samples = points(case), 1 + case % 6
        found = reachability(X, min_samples)
        other = OPTICS(min_samples=max(min_samples, 2)).fit(X)
        if min_samples > 1:  # scikit-learn allows no less
            np.testing.assert_array_equal(found.order, other.ordering_)
            np.testing.assert_allclose(found.reach, other.reachability_, atol=ORACLE.within, rtol=0)
        assert sorted(found.order) == list(range(len(X)))
        assert found.order[0] == 0 and np.isinf(found.reach[0])


def test_valleys_below_eps_are_the_clusters_of_dbscan() -> None:
    for case in range(30):
        X = points(case)
        found = reachability(X, 4)
        for eps in (0.2, 0.4, 0.8):
            run = last(dbscan(X, eps=eps, min_samples=4))
            valley = np.empty(len(X), int)  # a new one begins at every larger reach
            valley[found.order] = np.cumsum(found.reach[found.order] > eps)
            pairs = set(zip(valley[run.core].tolist(), run.labels[run.core].tolist(), strict=True))
            assert len(pairs) == len({v for v, _ in pairs}) == len({label for _, label in pairs})


def test_with_too_few_points_nothing_can_be_reached() -> None:
    found = reachability(np.eye(3), 5)
    assert found.order.tolist() == [0, 1, 2] and np.isinf(found.reach).all()


def test_twins_reach_each_other_at_no_distance() -> None:
    found = reachability(np.zeros((4, 2)), 2)
    assert found.reach[1:].tolist() == [0, 0, 0]


@pytest.mark.parametrize("min_samples", [0, 1.5])
def test_bad_input_is_named(as_in_the_app: None, min_samples: int) -> None:
    with pytest.raises(ValueError, match="min_samples"):
        reachability(np.eye(3), min_samples)
