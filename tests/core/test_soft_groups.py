import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.figures import line, unpacked
from viz.core import soft_groups
from viz.core.theme import RGB, color, symbol


def in_parts(shares: np.ndarray, parts: int) -> np.ndarray:
    """Return (n, k) shares as equal parts, which those get that would lose most by rounding."""
    whole = np.floor(parts * shares)
    for row, exact in zip(whole, parts * shares, strict=True):
        row[np.argsort(row - exact, kind="stable")[: round(parts - row.sum())]] += 1
    return whole / parts


@settings(max_examples=60, deadline=None)
@given(k=st.integers(1, 30), seed=st.integers(0, 99))
def test_a_blend_is_the_mean_of_the_colours_weighted_by_the_shares_and_pale_if_undecided(
    k: int, seed: int
) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.full(k, 0.3), size=20)
    shares = np.concatenate([shares, np.eye(k), np.full((1, k), 1 / k)])
    looks, numbers = soft_groups.looks(k), soft_groups.blends(shares)
    assert len(looks["fills"]) == len(looks["symbols"]) <= 256
    fills = np.array([[int(looks["fills"][i][c : c + 2], 16) for c in (1, 3, 5)] for i in numbers])
    palette = np.array([RGB[j % len(RGB)] for j in range(k)])
    parts = {1: 1, 2: 255, 3: 21, 4: 9, 5: 6, 6: 5, 7: 4, 8: 3, 9: 3, 10: 3}.get(k, 1 + (k < 23))
    rounded = in_parts(shares, parts)
    white = 0.6 * (k / max(k - 1, 1) * (1 - rounded.max(axis=1, keepdims=True)))
    colors = (1 - white) * (rounded @ palette) + white * 255
    assert np.abs(fills - colors)[:-1].max() <= 0.5 + 1e-9, "the last one's shares tie"
    assert np.abs(rounded @ palette - shares @ palette).max() <= 1 + 255 * k / parts / 2
    pure = [looks["fills"][i].upper() for i in numbers[20 : 20 + k]]
    assert pure == [color(j).upper() for j in range(k)]
    assert [looks["symbols"][i] for i in numbers[20 : 20 + k]] == [symbol(j) for j in range(k)]


def test_more_groups_than_a_byte_can_number_keep_their_own_colours() -> None:
    points = soft_groups.points(np.zeros((300, 2)), np.eye(300))
    fills = [points["fills"][number] for number in unpacked(points["group"])]
    assert fills == [color(j).lower() for j in range(300)]


def test_few_points_are_pies_and_many_are_not() -> None:
    few = soft_groups.PIES
    shares = np.random.default_rng(0).dirichlet(np.ones(3), size=few + 1)
    Z = np.zeros((few + 1, 2))
    slices = unpacked(soft_groups.points(Z[:few], shares[:few])["slices"]).reshape(few, 3)
    clear = shares[:few].max(axis=1) >= soft_groups.UNDECIDED
    assert 0 < clear.sum() < few
    np.testing.assert_allclose(slices[~clear] / 255, shares[:few][~clear], atol=1 / 255)
    assert (slices[clear].max(axis=1) == 255).all() and (slices[clear].sum(axis=1) == 255).all()
    assert "slices" not in soft_groups.points(Z, shares)


@pytest.mark.parametrize("seed", range(3))
def test_ellipses_are_where_the_distance_is_one_and_two(seed: int) -> None:
    random = np.random.default_rng(seed)
    means, roots = random.normal(size=(3, 2)), random.normal(size=(3, 2, 2))
    covariances = roots @ roots.swapaxes(1, 2)
    drawn = soft_groups.ellipses(means, covariances)
    for outer, inner, mean, S in zip(drawn[::2], drawn[1::2], means, covariances, strict=True):
        for trace, radius in ((outer, 2), (inner, 1)):
            path = line(trace) - mean
            far = np.sqrt((path @ np.linalg.inv(S) * path).sum(axis=1))
            assert len(far) == 25
            np.testing.assert_allclose(far, radius, rtol=1e-3)
