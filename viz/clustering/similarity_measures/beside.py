"""Where the letters of points are: beside the point, clear of other points and letters."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

_WIDE, _PAD, _HIGH = 0.0105, 0.001, 0.014  # of the picture: half of a letter, of a gap, of a line
_POINT = 0.011  # half of a point
_GAP = 0.002  # between a letter and its point
_WAYS = 16  # directions, the right one first
_FARTHER = 1.0, 1.4, 1.8  # times as far away as in the nearest place
_FROM_RING = 1.5  # times as far away if the point has a ring
_NEAR = 0.2  # points farther from a letter's own point are not looked at
_ROUNDS = 3  # in which every letter looks for a better place
_OUT, _ON_WORDS, _ON_POINT, _ON_QUERY = 1000.0, 100.0, 30.0, 10.0  # what is bad about a place
_NEARER, _FAR, _LATER = 4.0, 50.0, 0.01  # another point is nearer; per length; per direction


def places(
    points: ndarray, letters: Sequence[str], others: ndarray, query: ndarray, ring: float
) -> ndarray:
    """Return the middles of the letters of some points, as shares of the picture.

    points : (m, 2) that have a letter. others : (n, 2) all points. query : (2,) the middle of a
    ring whose radius is `ring`.
    """
    sizes = [_half(text) for text in letters]
    tried = [_tried(at, half) for at, half in zip(points, sizes, strict=True)]
    bad = [
        _alone(at, where, half, others, query, ring)
        for at, where, half in zip(points, tried, sizes, strict=True)
    ]
    chosen = [int(each.argmin()) for each in bad]
    taken = np.array([where[best] for where, best in zip(tried, chosen, strict=True)])
    halves = np.array(sizes)
    for _ in range(_ROUNDS):
        for i, (where, alone) in enumerate(zip(tried, bad, strict=True)):
            apart = np.abs(where[:, None] - taken) < halves + halves[i]
            on = np.delete(apart.all(axis=2), i, axis=1).sum(axis=1)
            taken[i] = where[int((alone + _ON_WORDS * on).argmin())]
    return taken.reshape(-1, 2)


def off_the_ring(
    at: ndarray, text: str, others: ndarray, words: ndarray, query: ndarray, ring: float
) -> ndarray:
    """Return the middle of the letter of a point with a ring around it.

    others : (n, 2) all points, and places on the way that ends here. words : (m, 2) middles of
    other letters.
    """
    half = _half(text)
    where = at + _FROM_RING * (_tried(at, half)[:_WAYS] - at)
    bad = _alone(at, where, half, others, query, ring)
    on = (np.abs(where[:, None] - words) < 2 * half).all(axis=2).sum(axis=1)
    return where[int((bad + _ON_WORDS * on).argmin())]


def far_from(points: ndarray, letters: Sequence[str], at: ndarray) -> ndarray:
    """Return which letters are not right beside their points."""
    sizes = [_half(text) + _POINT + 2 * _GAP for text in letters]
    return np.array(
        [_until(place - x, size) < 1 for x, place, size in zip(points, at, sizes, strict=True)],
        bool,
    )


def leaders(points: ndarray, letters: Sequence[str], at: ndarray, shown: ndarray) -> ndarray:
    """Return lines, with gaps, from points to letters; of those that are `shown`."""
    lines = np.full((len(points), 3, 2), np.nan)
    for i, (x, place) in enumerate(zip(points, at, strict=True)):
        way = place - x
        if shown[i]:
            lines[i, 0], lines[i, 1] = x, place - way * _until(way, _half(letters[i]))
    return lines.reshape(-1, 2)


def _half(text: str) -> ndarray:
    """Return half of the width and of the height of a letter, or of two."""
    return np.array([_WIDE * len(text) + _PAD, _HIGH])


def _until(way: ndarray, half: ndarray) -> float:
    """Return which share of a way from a middle leads out of a box."""
    return float((half / np.maximum(np.abs(way), 1e-9)).min())


def _tried(at: ndarray, half: ndarray) -> ndarray:
    """Return where a letter may be: around its point in every direction, then farther away."""
    turn = 2 * np.pi * np.arange(_WAYS) / _WAYS
    ways = np.column_stack([np.cos(turn), np.sin(turn)])
    far = ((half + _POINT + _GAP) / np.maximum(np.abs(ways), 1e-9)).min(axis=1)
    return np.concatenate([at + times * far[:, None] * ways for times in _FARTHER])


def _alone(
    at: ndarray, where: ndarray, half: ndarray, others: ndarray, query: ndarray, ring: float
) -> ndarray:
    """Return how bad each place is, whatever the other letters do."""
    near = others[(np.abs(others - at) < _NEAR).all(axis=1)]
    apart = np.abs(where[:, None] - near)
    on = (apart < half + _POINT).all(axis=2).sum(axis=1)
    own = np.hypot(*(where - at).T)
    nearer = (np.hypot(*np.moveaxis(apart, 2, 0)) < own[:, None] - 1e-6).sum(axis=1)
    out = ((where < half) | (where > 1 - half)).any(axis=1)
    covers = (np.abs(where - query) < half + ring).all(axis=1)
    later = np.tile(np.arange(_WAYS), len(where) // _WAYS)
    return (
        _OUT * out + _ON_POINT * on + _ON_QUERY * covers + _NEARER * nearer
        + _FAR * own + _LATER * later
    )  # fmt: skip
