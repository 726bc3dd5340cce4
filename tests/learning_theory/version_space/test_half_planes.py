from itertools import pairwise

import numpy as np
import pytest

from algorithms.learning_theory.version_space.half_planes import (
    REACH,
    HalfPlanesStep,
    half_plane_elimination,
    positive,
)
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

LINES = Checked(
    "version_space",
    "Random lines, one by one, whether the polygon holds those that agree with all samples",
    60_000,
    "lines",
)
CIRCLES = Checked(
    "version_space",
    "Circles around 40,000 places in the polygon, for the radius of the largest",
    20,
    "random samples",
    within=1e-1,
)
SAMPLES = 20


def run(seed: int, n: int = 8) -> tuple[np.ndarray, np.ndarray, list[HalfPlanesStep]]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, 2))
    up = positive(rng.uniform(-1, 1, 2), X)
    return X, up, check_steps(half_plane_elimination(X, up.astype(int)))


def inside(P: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return which places are to the left of every edge of an anticlockwise polygon."""
    along = np.roll(P, -1, axis=0) - P
    off = places[:, None] - P
    return np.all(along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0] >= 0, axis=1)


@pytest.mark.parametrize("seed", range(SAMPLES))
def test_the_polygon_holds_the_lines_that_agree(seed: int) -> None:
    X, up, steps = run(seed)
    places = np.random.default_rng(seed).uniform(-REACH, REACH, (LINES.cases // SAMPLES, 2))
    for step in steps:
        above = X[: step.seen, 1] > places[:, :1] * X[: step.seen, 0] + places[:, 1:]
        agree = (above == up[: step.seen]).all(axis=1)
        np.testing.assert_array_equal(inside(step.polygon, places), agree)


@pytest.mark.parametrize("seed", range(CIRCLES.cases))
def test_no_circle_is_larger(seed: int) -> None:
    _, _, steps = run(seed)
    P = steps[-1].polygon
    low, high = P.min(axis=0), P.max(axis=0)
    places = np.random.default_rng(seed).uniform(low, high, (40_000, 2))
    along = np.roll(P, -1, axis=0) - P
    size = np.sqrt(np.square(along).sum(axis=1))
    off = places[:, None] - P
    radius = ((along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]) / size).min(axis=1).max()
    assert CIRCLES.within
    assert radius <= steps[-1].radius + 1e-9 <= radius + CIRCLES.within


def test_a_sample_changes_the_polygon_only_if_the_lines_disagree_about_it() -> None:
    changed = 0
    for seed in range(SAMPLES):
        X, _, steps = run(seed)
        for before, after in pairwise(steps):
            disagree = before.sides(X[before.seen][None])[0] == 0
            assert disagree == (before.area - after.area > 1e-12)
            changed += disagree
    assert 0 < changed < 8 * SAMPLES


def test_labels_of_no_line_leave_nothing() -> None:
    X = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [2.0, 2.0]])
    steps = check_steps(half_plane_elimination(X, np.array([1, 1, 0, 1])))
    assert steps[-1].event == "nothing is left" and steps[-1].seen == 3
    assert len(steps[-1].polygon) == 0 and steps[-1].area == 0


def test_bad_arguments_are_refused_at_the_call() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="X must have two columns for"):
        half_plane_elimination(np.zeros((3, 3)), np.zeros(3, int))
