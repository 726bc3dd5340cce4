from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_means.k_means_plus_plus import PlusPlusStep, k_means_plus_plus
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps

BLOBS = points_of("blobs", 150, noise=0.4, classes=4)


def run(X: ndarray, k: int, seed: int = 0) -> list[PlusPlusStep]:
    return check_steps(k_means_plus_plus(X, k, rng=np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(20))
def test_it_goes_on_as_k_means_with_the_same_seed_does(seed: int) -> None:
    steps = run(BLOBS, 4, seed)
    theirs = list(k_means(BLOBS, 4, rng=np.random.default_rng(seed)))
    ours = [step.state for step in steps[3:]]
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.centers, other.centers)
        np.testing.assert_array_equal(mine.labels, other.labels)
        assert (mine.inertia, mine.event) == (other.inertia, other.event)
    assert steps[-1].event == "converged"


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 6),
    seed=st.integers(0, 9),
)
def test_what_holds_for_every_run(X: ndarray, k: int, seed: int) -> None:
    k = min(k, len(X))
    steps = run(X, k, seed)
    assert [step.phase for step in steps[:k]] == ["draw"] * k
    assert all(step.phase in ("assign", "move") for step in steps[k:])
    drawn = [step.drawn for step in steps[:k]]
    for j, step in enumerate(steps[:k], 1):
        np.testing.assert_array_equal(step.state.centers, X[drawn[:j]])
        nearest = cdist(X, X[drawn[:j]], "sqeuclidean").min(axis=1)
        np.testing.assert_allclose(step.squared, nearest, atol=1e-12)
        assert step.state.inertia == pytest.approx(nearest.sum())
    assert steps[0].chance == 1 / len(X)
    for before, step in pairwise(steps[:k]):
        total = before.squared.sum()
        chance = before.squared[step.drawn] / total if total > 0 else 1 / len(X)
        assert step.chance == pytest.approx(chance)
        assert step.chance > 0
    assert {step.drawn for step in steps[k:]} <= {None}


def test_points_are_drawn_as_often_as_their_chance_says() -> None:
    """The second centre, over many seeds that share the first."""
    X = np.array([[0.0], [1.0], [3.0]])
    after = {0: [0, 1 / 10, 9 / 10], 1: [1 / 5, 0, 4 / 5], 2: [9 / 13, 4 / 13, 0]}
    counts = np.zeros((3, 3))
    for seed in range(1200):
        steps = k_means_plus_plus(X, 2, rng=np.random.default_rng(seed))
        first, second = next(steps), next(steps)
        counts[first.drawn, second.drawn] += 1
    for first, chances in after.items():
        share = counts[first] / counts[first].sum()
        np.testing.assert_allclose(share, chances, atol=0.08)


def test_on_average_the_bound_of_arthur_and_vassilvitskii_is_kept() -> None:
    least = min(step.state.inertia for seed in range(20) for step in run(BLOBS, 4, seed)[-1:])
    drawn = np.mean([run(BLOBS, 4, seed)[3].state.inertia for seed in range(100)])
    assert least < drawn < 8 * (np.log(4) + 2) * least


def test_bad_arguments_are_refused_at_the_call() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="k must be between 1 and n=150, got k=151"):
        k_means_plus_plus(BLOBS, 151, rng=np.random.default_rng(0))
