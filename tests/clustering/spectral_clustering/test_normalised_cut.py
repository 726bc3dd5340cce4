from itertools import combinations, pairwise

import numpy as np
import pytest

from algorithms.clustering.normalised_cut import CutStep, normalised_cut
from tests.core.figures import unpacked
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.clustering.spectral_clustering.normalised_cut import Cut
from viz.core import plane
from viz.core.scene import Plane, Run

ARGUMENTS = {"gamma": 1.0}
SUMMED = Checked(
    "spectral_clustering",
    "The cut and both volumes, summed over all pairs of points",
    300,
    "thresholds",
    within=1e-9,
)
ALL_CUTS = Checked(
    "spectral_clustering",
    "All cuts in two of nine points, for the bound λ₂ and the lowest Ncut",
    40,
    "graphs",
)


def run(X: np.ndarray, gamma: float) -> list[CutStep]:
    return check_steps(normalised_cut(X, gamma=gamma))


def ncut(w: np.ndarray, a: np.ndarray) -> float:
    return float(sum(w[np.ix_(a, ~a)].sum() / w[side].sum() for side in (a, ~a)))


def test_every_step_is_the_cut_at_its_threshold() -> None:
    seen = 0
    for sample in range(6):
        X = dataset("moons", 51, sample=sample, noise=0.2).X
        for t, step in enumerate(run(X, 5.0), start=1):
            a, w = step.labels == 0, step.graph.weights
            assert a.sum() == step.t == t
            assert step.numbers[a].max() <= step.numbers[~a].min()
            assert step.cut_weight == pytest.approx(w[np.ix_(a, ~a)].sum(), abs=SUMMED.within)
            assert step.volume == pytest.approx(w[a].sum(), abs=SUMMED.within)
            assert step.rest == pytest.approx(w[~a].sum(), abs=SUMMED.within)
            seen += 1
    assert seen == SUMMED.cases


def test_no_cut_is_below_the_eigenvalue_and_the_lowest_threshold_is_remembered() -> None:
    best = 0
    for sample in range(ALL_CUTS.cases):
        X = rng(sample).normal(size=(9, 2))
        steps = run(X, 0.5)
        w = steps[0].graph.weights
        cuts = [
            ncut(w, np.isin(np.arange(9), side))
            for size in range(1, 5)
            for side in combinations(range(9), size)
        ]
        assert len(cuts) == 2**8 - 1
        end = steps[-1]
        assert min(cuts) >= end.graph.eigenvalues[1] - 1e-12
        lowest = [step.ncut for step in steps]
        assert end.lowest == min(lowest) == lowest[end.best - 1] >= min(cuts) - 1e-12
        best += end.lowest <= min(cuts) + 1e-12
    assert best >= ALL_CUTS.cases / 2, "the best threshold often is the best cut"


def test_the_event_is_where_it_rises_from_the_lowest() -> None:
    steps = run(dataset("moons", 60, sample=1, noise=0.1).X, 5.0)
    for before, after in pairwise(steps[:-1]):
        rises = before.ncut == before.lowest and after.ncut >= before.ncut
        assert (after.event == "rises from the lowest so far") == rises
    assert steps[-1].event == "every threshold" and len(steps) == 59


def test_pieces_without_edges_and_equal_points_have_steps_too() -> None:
    far = np.array([[0.0, 0.0], [0.1, 0.0], [1e6, 0.0], [2e6, 0.0]])
    for X in (far, np.zeros((5, 2)), far[:2]):
        steps = run(X, 1.0)
        assert len(steps) == len(X) - 1
        assert all(np.isfinite(step.ncut) for step in steps)


def test_bad_input_is_named() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="at least two points"):
        normalised_cut(np.zeros((1, 2)), gamma=1.0)
    with AsInTheApp(), pytest.raises(ValueError, match="at most 1,000 rows"):
        normalised_cut(np.zeros((1001, 2)), gamma=1.0)
    with AsInTheApp(), pytest.raises(ValueError, match="gamma"):
        normalised_cut(np.zeros((3, 2)), gamma=0.0)


def test_a_tiny_eigenvalue_is_drawn_where_the_caption_has_it() -> None:
    data = dataset("circles", 300, sample=1, noise=0.12)
    board = Plane(data.X, data.labels, data.classes, ("x", "y"), plane.bounds(data.X))
    sigma = 0.02 * max(np.ptp(board.bounds[:2]), np.ptp(board.bounds[2:]))
    mode = Cut(Run("", run(data.X, 1 / (2 * sigma**2))), board)
    assert 1e-9 < mode.least < 1e-6
    curve, dotted, *_ = mode.curve(len(mode.steps) - 1)["data"]
    np.testing.assert_allclose(unpacked(curve["y"]), mode.ncuts, rtol=1e-6)
    np.testing.assert_allclose(unpacked(dotted["y"]), mode.least)
    assert "where the axis ends" not in mode.caption(150)
