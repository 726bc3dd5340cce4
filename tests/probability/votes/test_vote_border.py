"""The border of the vote, beside the votes on a fine grid."""

import numpy as np
import pytest

from algorithms.probability.lines import random_lines, says
from viz.probability.vote_border import VoteBorder

HALF = 0.5 + 1e-9


@pytest.mark.parametrize("m", [3, 20, 200])
@pytest.mark.parametrize("power", [0, 1, 6])
def test_the_vote_changes_on_the_border_and_nowhere_else(m: int, power: int) -> None:
    rng = np.random.default_rng(m)
    lines = random_lines(m, rng=rng)
    weights = rng.exponential(size=m) ** power
    weights /= weights.sum()
    paths = VoteBorder(lines, 6.0).paths(weights, HALF)
    starts = np.concatenate([path[:-1] for path in paths])
    pieces = np.concatenate([np.diff(path, axis=0) for path in paths])
    long = np.hypot(*pieces.T) > 1e-3
    middle = (starts + pieces / 2)[long]
    right = 1e-6 * np.column_stack([pieces[:, 1], -pieces[:, 0]])[long]
    right /= np.hypot(*pieces[long].T)[:, None]
    for side, plus in ((1, True), (-1, False)):
        assert ((says(lines, middle + side * right) @ weights > HALF) == plus).all()

    for y in rng.uniform(-3, 3, 10):
        x = np.linspace(-3, 3, 6001)
        plus = says(lines, np.column_stack([x, np.full_like(x, y)])) @ weights > HALF
        below, above = starts[:, 1] - y, (starts + pieces)[:, 1] - y
        (met,) = np.nonzero((below < 0) != (above < 0))
        met_at = np.sort(starts[met, 0] - below[met] / pieces[met, 1] * pieces[met, 0])
        crossed = (np.searchsorted(met_at, x) - np.searchsorted(met_at, x[0])) % 2
        assert np.array_equal(crossed == 1, plus != plus[0])


def test_a_line_with_more_than_half_of_the_weight_is_the_border() -> None:
    lines = random_lines(50, rng=np.random.default_rng(1))
    weights = np.full(50, 0.4 / 49)
    weights[7] = 0.6
    (path,) = VoteBorder(lines, 6.0).paths(weights, HALF)
    assert len(path) == 2
    np.testing.assert_allclose(np.hypot(*path.T), 6.0)
    angle, offset = lines[7]
    np.testing.assert_allclose(path @ [np.cos(angle), np.sin(angle)], offset)
