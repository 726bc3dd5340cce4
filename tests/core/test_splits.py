import numpy as np
import pytest

from algorithms.core.splits import held_out
from tests.core.samples import rng


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("seed", [0, 1, 42])
def test_the_draws_are_those_of_all_links_so_far(share: float, seed: int) -> None:
    n, codes = 40, np.arange(40) % 3
    lots = np.random.default_rng([seed, 1]).random(n) < share
    np.testing.assert_array_equal(held_out(n, share, rng=np.random.default_rng([seed, 1])), lots)
    but_two = lots & (np.arange(n) >= 2)
    drawn = held_out(n, share, rng=np.random.default_rng([seed, 1]), at_least=2)
    np.testing.assert_array_equal(drawn, but_two)
    by_class = held_out(n, share, rng=np.random.default_rng([seed, 1]), codes=codes)
    np.testing.assert_array_equal(by_class, lots)  # of these classes none loses all


def test_a_known_draw() -> None:
    lots = held_out(10, 0.3, rng=np.random.default_rng([0, 1]))  # of a link with seed 0
    assert np.flatnonzero(lots).tolist() == [4, 5, 7]


def test_about_the_share_is_held_out_and_more_points_change_no_lot() -> None:
    lots = held_out(2000, 0.3, rng=rng(1), at_least=2)
    assert 0.26 < lots.mean() < 0.34
    assert not lots[:2].any()
    np.testing.assert_array_equal(held_out(900, 0.3, rng=rng(1), at_least=2), lots[:900])
    assert not held_out(50, 0.0, rng=rng(1)).any()
    assert held_out(1, 0.6, rng=rng(1), at_least=2).tolist() == [False]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.99])
def test_every_class_keeps_a_point_to_learn_from(share: float) -> None:
    for seed in range(30):
        codes = np.array([0, 1, 1, 2, 2, 2, 2, 2, 2, 2])
        lots = held_out(10, share, rng=rng(seed), codes=codes)
        assert set(codes[~lots]) == {0, 1, 2}
        more = held_out(12, share, rng=rng(seed), codes=np.append(codes, [1, 2]))
        assert (more[:10] >= lots).all(), "further points take no other one's lot"


def test_the_lots_can_be_shared() -> None:
    assert not held_out(5, 0.5, rng=rng(0)).flags.writeable
