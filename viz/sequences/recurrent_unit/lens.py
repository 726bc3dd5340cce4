"""A lens on the states that crowd at a stable point: a square of the picture, drawn larger."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from viz.core.scene import Bounds

ROOM = 0.35  # half the side of the lens
_NEAR = (0.2, 0.12)  # states that are nearer to a stable point crowd there; first the more states
_FEW = 3  # fewer states are no crowd
_WIDER = 0.72  # half the side of the square, of the states' range
_LEAST, _MOST = 2.5, 40.0  # how many times larger
_GRID = 25  # places for the lens, across and up
_MARGIN = 0.06  # around the lens
_WORDS = 0.24  # height of the lines of words in a corner


@dataclass(frozen=True)
class Lens:
    """middle : of the square. half : its side's half. at : the middle of the lens."""

    middle: ndarray
    half: float
    at: ndarray

    @property
    def times(self) -> float:
        """Return how many times larger the lens shows the square."""
        return ROOM / self.half

    def holds(self, place: ndarray) -> bool:
        """Return whether a place is in the square."""
        return bool((np.abs(place - self.middle) <= self.half).all())

    def enlarged(self, path: ndarray) -> ndarray:
        """Return the pieces of a line that are in the square, as the lens shows them.

        There are three places for every segment: its ends and a gap.
        """
        return self.clipped(self.to(path))

    def to(self, places: ndarray) -> ndarray:
        """Return where the lens shows places of the square."""
        return self.at + self.times * (places - self.middle)

    def clipped(self, path: ndarray) -> ndarray:
        """Return the pieces of a line that are in the lens."""
        a, b = path[:-1], path[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            first, then = (self.at - ROOM - a) / (b - a), (self.at + ROOM - a) / (b - a)
        inside = np.abs(a - self.at) <= ROOM
        level = a == b  # along an axis: inside at every share of the way, or at none
        enters = np.where(level, np.where(inside, 0.0, 1.0), np.minimum(first, then))
        leaves = np.where(level, np.where(inside, 1.0, 0.0), np.maximum(first, then))
        start, end = enters.max(axis=1).clip(0, 1), leaves.min(axis=1).clip(0, 1)
        seen = np.isfinite(a).all(axis=1) & np.isfinite(b).all(axis=1) & (start < end)
        pieces = np.full((len(a), 3, 2), np.nan)
        for k, share in enumerate((start, end)):
            pieces[seen, k] = (a + share[:, None] * (b - a))[seen]
        return pieces.reshape(-1, 2)

    def frames(self) -> ndarray:
        """Return the outlines of the square and of the lens."""
        gap = np.full((1, 2), np.nan)
        return np.concatenate([self.middle + self.half * _SQUARE, gap, self.at + ROOM * _SQUARE])


_SQUARE = np.array([[-1.0, -1], [-1, 1], [1, 1], [1, -1], [-1, -1]])


def on_crowd(states: ndarray, stable: ndarray, box: Bounds, taken: ndarray) -> Lens | None:
    """Return a lens on the states at the stable point with most of them, if they crowd there.

    It is where nothing else is drawn; without such a place there is none. taken : (m, 2) places
    that should be seen.
    """
    squares = [_square(states, stable, near) for near in _NEAR]
    fitting = [each for each in squares if each and _LEAST <= ROOM / each[1] <= _MOST]
    if not fitting:
        return None
    middle, half = fitting[0]
    reach = ROOM + _MARGIN
    left, right, bottom, top = box
    across = np.linspace(right - reach, left + reach, _GRID)
    up = np.linspace(bottom + reach + _WORDS, top - reach - _WORDS, _GRID)
    places = np.array([[x, y] for x in across for y in up])
    covered = (np.abs(taken[None] - places[:, None]) < reach).all(axis=2)
    free = places[~np.any(covered, axis=1)]
    if not len(free):
        return None
    nearest = np.abs(free - middle).max(axis=1).argmin()
    return Lens(middle, half, free[nearest])


def _square(states: ndarray, stable: ndarray, near: float) -> tuple[ndarray, float] | None:
    """Return middle and half side of the square around the largest crowd at a stable point."""
    crowds = [np.append(states[np.abs(states - h) < near], h) for h in stable.tolist()]
    crowd = max(crowds, key=len, default=np.empty(0))
    if len(crowd) <= _FEW or not np.ptp(crowd):
        return None
    return np.full(2, (crowd.min() + crowd.max()) / 2), _WIDER * float(np.ptp(crowd))
