import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.k_means import many_starts as module
from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_means.many_starts import STARTS, lowest_inertia, many_starts
from algorithms.core.record import last
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps

BLOBS = points_of("blobs", 120, noise=0.4, classes=4)


@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize(
    ("X", "k"), [(BLOBS, 4), (BLOBS, 8), (BLOBS[:3], 3), (np.zeros((5, 2)), 2)]
)
def test_every_seed_ends_where_k_means_does(X: ndarray, k: int, init: str) -> None:
    steps = check_steps(many_starts(X, k, init=init, seeds=30))
    assert [step.seed for step in steps] == list(range(30))
    lowest = np.inf
    for step in steps:
        alone = last(k_means(X, k, rng=np.random.default_rng(step.seed), init=init))
        np.testing.assert_allclose(step.centers, alone.centers, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(step.labels, alone.labels)
        assert step.inertia == pytest.approx(alone.inertia)
        assert step.lowest == min(lowest, step.inertia)
        fell = step.inertia < lowest * (1 - 1e-9) and step.seed > 0
        assert (step.event == "lowest so far") == fell
        lowest = step.lowest


def test_blocks_of_runs_give_what_all_at_once_give(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(many_starts(BLOBS, 5))
    monkeypatch.setattr(module, "BLOCK", 7 * 5 * len(BLOBS))
    for one, other in zip(whole, many_starts(BLOBS, 5), strict=True):
        np.testing.assert_array_equal(one.centers, other.centers)
        assert (one.inertia, one.event) == (other.inertia, other.event)


def test_the_lowest_inertia_is_that_of_the_best_run() -> None:
    centers, labels, inertia = lowest_inertia(BLOBS, 4, rng=np.random.default_rng(3), restarts=10)
    rng = np.random.default_rng(3)
    every = [last(k_means(BLOBS, 4, rng=rng)) for _ in range(10)]
    best = min(every, key=lambda step: step.inertia)
    assert inertia == pytest.approx(best.inertia)
    np.testing.assert_array_equal(labels, best.labels)
    np.testing.assert_allclose(centers, best.centers)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 0}, "k must be between 1 and n=120, got k=0"),
        ({"seeds": 0}, "seeds must be at least 1, got seeds=0"),
        ({"init": "far"}, "init must be"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        many_starts(**{"X": BLOBS, "k": 2} | changes)
    assert str(caught.value).startswith(sentence)
