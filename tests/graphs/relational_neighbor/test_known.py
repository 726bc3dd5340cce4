"""Which points are known by default."""

import numpy as np
import pytest

from pages.graphs.relational_neighbor import drawn


@pytest.mark.parametrize("seed", range(20))
def test_a_new_point_moves_no_known_point_elsewhere(seed: int) -> None:
    y = np.random.default_rng(seed).integers(0, 3, 50)
    before = set(drawn(y, 4, seed).tolist())
    for c in range(3):
        after = set(drawn(np.append(y, c), 4, seed).tolist())
        assert after - before <= {50}  # at most, the new point takes the place of one


def test_the_classes_take_turns() -> None:
    y = np.array([0, 0, 0, 0, 1, 1, 2])
    assert np.bincount(y[drawn(y, 6, 0)]).tolist() == [3, 2, 1]
    assert len(drawn(y, 12, 0)) == len(y)
