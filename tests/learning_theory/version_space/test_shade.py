"""The shade of candidate elimination: it fills the general boxes, and no more."""

import numpy as np
import pytest

from algorithms.learning_theory.version_space.boxes_on_a_grid import boxes_that_agree, votes
from algorithms.learning_theory.version_space.candidate_elimination import candidate_elimination
from pages.learning_theory.version_space import CORNERS, box_of, sample
from viz.learning_theory.version_space.marks import FINE, SQUARE

LINES = np.linspace(*SQUARE[:2], FINE + 1)


@pytest.mark.parametrize(("n", "noise", "seed"), [(30, 0.0, 14), (40, 0.1, 13), (30, 0.0, 5)])
def test_a_cell_is_shaded_iff_it_is_within_a_general_box(n: int, noise: float, seed: int) -> None:
    X, positive = sample(box_of(CORNERS), n, noise, seed)
    for step in list(candidate_elimination(X, positive.astype(int)))[3::4]:
        left = boxes_that_agree(X[: step.seen], positive[: step.seen], SQUARE, FINE)
        within = np.zeros((FINE, FINE), bool)
        for box in step.most_general:
            across, up = ((low < LINES[:-1]) & (LINES[1:] < high) for low, high in box)
            within |= up[:, None] & across
        np.testing.assert_array_equal(votes(left, FINE) > 0, within)
