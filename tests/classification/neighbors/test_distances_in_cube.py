import numpy as np
import pytest
from scipy.spatial.distance import cdist

from algorithms.classification.neighbors.distances_in_cube import (
    DIMENSIONS,
    EDGES,
    distances_in_cube,
)
from algorithms.classification.neighbors.nearest_neighbors import METRICS, SCIPY
from tests.core.samples import rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"n": 30}


SCIPYS = Checked(
    "k_nearest_neighbors",
    "SciPy's distances of all pairs of points in a cube",
    12,
    "draws",
    within=1e-12,
)


@pytest.mark.parametrize("case", range(SCIPYS.cases))
def test_what_is_measured(case: int) -> None:
    metric, seed = METRICS[case % 3], case // 3
    steps = check_steps(distances_in_cube(40, rng=rng(seed), metric=metric))
    points = rng(seed).uniform(size=(41, 100))
    assert tuple(step.d for step in steps) == DIMENSIONS
    for step in steps:
        far = cdist(points[:, : step.d], points[:, : step.d], SCIPY[metric])
        pairs = far[1:, 1:][np.triu_indices(40, 1)]
        measured = step.mean, step.spread, step.nearest, step.farthest
        ends = far[0, 1:].min(), far[0, 1:].max()
        np.testing.assert_allclose(
            measured, (pairs.mean(), pairs.std(), *ends), rtol=0, atol=SCIPYS.within
        )
        assert step.ratio == pytest.approx(step.farthest / step.nearest)
        assert step.heights.sum() == pytest.approx(1)
        below = (pairs / step.mean < EDGES[10]).mean()
        assert step.heights[:10].sum() == pytest.approx(below)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(5))
def test_distances_become_alike(metric: str, seed: int) -> None:
    steps = list(distances_in_cube(200, rng=rng(seed), metric=metric))
    spreads = [step.spread / step.mean for step in steps]
    assert spreads == sorted(spreads, reverse=True)
    assert steps[-1].ratio < 1.7 < 2.5 < steps[3].ratio < steps[0].ratio
    events = [i for i, step in enumerate(steps) if step.event]
    assert events == [next(i for i, step in enumerate(steps) if step.ratio < 2)]


def test_the_squared_distances_have_the_mean_and_the_deviation_of_the_lesson() -> None:
    a, b = rng(1).uniform(size=(2, 400_000, 5))
    squares = np.square(a - b).sum(axis=1)
    assert squares.mean() == pytest.approx(5 / 6, rel=5e-3)
    assert squares.std() == pytest.approx(np.sqrt(7 * 5 / 180), rel=5e-3)


def test_the_ball_and_the_small_cube() -> None:
    steps = {step.d: step for step in distances_in_cube(20, rng=rng())}
    assert [steps[d].ball for d in (1, 2, 3)] == pytest.approx([1, np.pi / 4, np.pi / 6])
    points = rng(2).uniform(-0.5, 0.5, size=(400_000, 5))
    inside = (np.square(points).sum(axis=1) <= 0.25).mean()
    assert steps[5].ball == pytest.approx(inside, rel=0.02)
    for d, step in steps.items():
        assert step.side**d == pytest.approx(0.01)


def test_bad_arguments_are_refused_at_the_call() -> None:
    with AsInTheApp():
        with pytest.raises(ValueError, match="n must be at least 2, got n=1"):
            distances_in_cube(1, rng=rng())
        with pytest.raises(ValueError, match="metric must be one of"):
            distances_in_cube(9, rng=rng(), metric="cosine")
