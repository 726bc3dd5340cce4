"""A thousand icons: where everybody stands, and the frame around those who test positive."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy import ndarray

from viz.core.scene import Bounds

_CROWD = 25  # rows of people who are not sorted: a thousand fill 40 columns
ROWS = 30  # of people who are sorted, if few are ill
_MOST_ROWS = 45
_WIDE = 1.25  # columns for a row, at most
_APART = 2.2  # between two groups
_EDGE = np.array([1.6, 1.2])  # between people and their frame
_BELOW, _ABOVE = 3.2, 3.0  # room for words

NO_FRAME = np.full((6, 2), np.nan)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Where everybody stands: the ill first, in each group those with positive results first.

    places : (n, 2). middles : (2,) of the two groups, across. positive : the frame around everybody
    with positive results.
    """

    places: ndarray
    middles: ndarray
    positive: ndarray

    def around(self, middle: float) -> "Arrangement":
        """Return it with all people around a middle, across."""
        across = self.places[:, 0]
        off = middle - (across.min() + across.max()) / 2
        aside = np.array([off, 0])
        return Arrangement(self.places + aside, self.middles + off, self.positive + aside)


def rows_for(every: Sequence[ndarray]) -> int:
    """Return how many rows of people are about as high as wide, for all these counts."""
    for rows in range(ROWS, _MOST_ROWS):
        if all(_widths(counts, rows).sum() <= _WIDE * rows for counts in every):
            return rows
    return _MOST_ROWS


def crowd(people: int, rows: int = ROWS) -> ndarray:
    """Return the places of people who stand in no order, half-way up those who are sorted."""
    high = max(_CROWD, round(_CROWD * rows / ROWS))
    across, up = np.divmod(np.arange(people), high)
    places = np.column_stack([across, up + (rows + _APART - high) / 2])
    return places[np.random.default_rng(0).permutation(people)]


def arranged(counts: ndarray, rows: int = ROWS) -> Arrangement:
    """Sort people into the ill (left) and the healthy, those with positive results above.

    counts : (2, 2) people, as `BayesStep.counts`. All stand equally close, so the number of rows
    for the positive is the one with which the fewest columns are needed.
    """
    upper = _upper(counts, rows)
    columns = _columns(counts, upper, rows) or (0, 0)
    starts = (0.0, columns[0] + _APART - 1)
    blocks, tops = [], []
    for (positive, negative), start, wide in zip(counts.tolist(), starts, columns, strict=True):
        top = _block(positive, wide, start, rows + _APART)
        blocks += [top, _block(negative, wide, start, float(rows - upper))]
        tops.append(top)
    ends = [start + wide - 1 for start, wide in zip(starts, columns, strict=True)]
    middles = np.array([(a + b) / 2 for a, b in zip(starts, ends, strict=True)])
    return Arrangement(np.concatenate(blocks), middles, _frame(np.concatenate(tops)))


def _upper(counts: ndarray, rows: int) -> int:
    """Return how many of the rows are for the positive, so that the fewest columns are needed."""
    fits = [upper for upper in range(rows + 1) if _columns(counts, upper, rows) is not None]
    return min(fits, key=lambda upper: sum(_columns(counts, upper, rows) or ()))


def _widths(counts: ndarray, rows: int) -> ndarray:
    """Return the columns that both groups need."""
    return np.array(_columns(counts, _upper(counts, rows), rows))


def _columns(counts: ndarray, upper: int, rows: int) -> tuple[int, ...] | None:
    """Return the columns that both groups need; None if there are no rows for somebody."""
    parts = (upper, rows - upper)
    if any(counts[:, i].sum() > 0 and parts[i] == 0 for i in range(2)):
        return None
    return tuple(
        max(ceil(n / k) for n, k in zip(group, parts, strict=True) if k)
        for group in counts.tolist()
    )


def _block(count: int, columns: int, left: float, top: float) -> ndarray:
    """Return the places of people, row by row, from the top."""
    down, across = np.divmod(np.arange(count), max(columns, 1))
    return np.column_stack([left + across, top - 1 - down])


def _frame(places: ndarray) -> ndarray:
    """Return the closed outline of a rectangle around places; NaN around nobody.

    It goes one side further than around, so that its first corner is as sharp as the others.
    """
    if len(places) == 0:
        return NO_FRAME
    (left, bottom), (right, top) = places.min(axis=0) - _EDGE, places.max(axis=0) + _EDGE
    corners = [[left, bottom], [right, bottom], [right, top], [left, top]]
    return np.array([*corners, *corners[:2]])


def box(every: list[ndarray], rows: int = ROWS) -> Bounds:
    """Return the part of the plane that holds all places and the words around them."""
    more = rows / ROWS  # a word is as high as more rows are
    low = np.min([places.min(axis=0) for places in every], axis=0)
    high = np.max([places.max(axis=0) for places in every], axis=0)
    return (
        float(low[0] - 2.2), float(high[0] + 2.2), float(low[1] - more * _BELOW),
        float(high[1] + more * _ABOVE),
    )  # fmt: skip
