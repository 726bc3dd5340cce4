"""The grid and the borders of candidate elimination agree."""

from itertools import pairwise

import numpy as np
import pytest

from algorithms.learning_theory.version_space.boxes_on_a_grid import CELLS, boxes_left, votes
from algorithms.learning_theory.version_space.candidate_elimination import candidate_elimination
from pages.learning_theory.version_space import CORNERS, box_of, sample
from viz.learning_theory.version_space.marks import SQUARE

LINES = np.linspace(*SQUARE[:2], CELLS + 1)
SAMPLES = pytest.mark.parametrize(
    ("n", "noise", "seed"), [(20, 0.0, 734), (30, 0.0, 14), (40, 0.1, 13), (30, 0.0, 5)]
)


@SAMPLES
def test_a_cell_is_shaded_iff_it_is_within_a_general_box(n: int, noise: float, seed: int) -> None:
    X, positive = sample(box_of(CORNERS), n, noise, seed)
    left = boxes_left(X, positive, SQUARE)
    for step in candidate_elimination(X, positive.astype(int)):
        within = np.zeros((CELLS, CELLS), bool)
        for box in step.most_general:
            across, up = ((low < LINES[:-1]) & (LINES[1:] < high) for low, high in box)
            within |= up[:, None] & across
        np.testing.assert_array_equal(votes(left[step.seen]) > 0, within)


@SAMPLES
def test_boxes_of_the_grid_are_lost_iff_a_border_moves(n: int, noise: float, seed: int) -> None:
    X, positive = sample(box_of(CORNERS), n, noise, seed)
    counts = boxes_left(X, positive, SQUARE).sum(axis=(1, 2))
    for before, after in pairwise(candidate_elimination(X, positive.astype(int))):
        x = X[before.seen][None]
        sure = before.surely_in(x)[0] if positive[before.seen] else before.surely_out(x)[0]
        assert sure == (counts[before.seen] == counts[after.seen])
