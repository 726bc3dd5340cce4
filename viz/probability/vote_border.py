"""The border of a weighted vote of lines: exact pieces of the lines, joined to paths."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.probability.lines import distances, feet


class VoteBorder:
    """Finds where the vote changes, for any weights of the same lines.

    Between its crossings with the others, a line has the same votes of the others along its whole
    piece. The piece is on the border if they need this line, and it is enough, for more than half.
    """

    def __init__(self, lines: Float[ndarray, "m 2"], reach: float) -> None:
        """Sort the crossings along each line. reach : how far from the middle they matter."""
        m = len(lines)
        self.foot = feet(lines)
        self.along = np.column_stack([-np.sin(lines[:, 0]), np.cos(lines[:, 0])])
        rises = np.sin(lines[:, 0] - lines[:, :1])  # of the distance from line j, along line i
        np.fill_diagonal(rises, 0)
        away = distances(lines, self.foot)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(rises == 0, np.inf, -away / rises)
        self.order = np.argsort(at, axis=1)
        self.first = (rises < 0) | ((rises == 0) & (away >= 0))  # who says + at the line's start
        np.fill_diagonal(self.first, False)
        self.turns = np.take_along_axis(np.sign(rises), self.order, axis=1)
        end = np.sqrt(np.maximum(reach**2 - lines[:, 1:] ** 2, 0))
        at = np.take_along_axis(at, self.order, axis=1)
        self.at = np.hstack([-end, at.clip(-end, end), end])
        # A crossing has one number on both of its lines, and the two ends of a line their own.
        own = np.arange(m)[:, None]
        pair = np.minimum(own, self.order) * m + np.maximum(own, self.order)
        inside = np.abs(at) < end
        before, beyond = -1 - own, -1 - m - own
        pair = np.where(inside, pair, np.where(at < 0, before, beyond))
        self.names = np.hstack([before, pair, beyond])

    def paths(self, weights: Float[ndarray, " m"], least: float) -> list[ndarray]:
        """Return the (p, 2) paths on which the share for + goes from at most `least` to more."""
        change = self.turns * weights[self.order]
        others = self.first @ weights
        others = np.cumsum(np.column_stack([others, change]), axis=1)
        needed = (others <= least) & (others + weights[:, None] > least)
        needed &= np.diff(self.at, axis=1) > 0
        edge = np.diff(np.pad(needed, ((0, 0), (1, 1))).astype(np.int8), axis=1)
        # Both are in the order of the lines, and along each line.
        line, start = np.nonzero(edge == 1)
        end = np.nonzero(edge == -1)[1]
        return self._joined(line, start, end)

    def _joined(
        self, line: Int[ndarray, " s"], start: Int[ndarray, " s"], end: Int[ndarray, " s"]
    ) -> list[ndarray]:
        """Join pieces: + is on the same side of all, so that one begins where another ends."""
        sides = [
            self.foot[line] + self.at[line, side, None] * self.along[line] for side in (start, end)
        ]
        names = [self.names[line, side].tolist() for side in (start, end)]
        after = {name: piece for piece, name in enumerate(names[0])}
        ended = set(names[1])
        open_first = sorted(range(len(line)), key=lambda piece: names[0][piece] in ended)
        paths, done = [], set()
        for first in open_first:
            piece: int | None = first
            path = [sides[0][first]]
            while piece is not None and piece not in done:
                done.add(piece)
                path.append(sides[1][piece])
                piece = after.get(names[1][piece])
            if len(path) > 1:
                paths.append(np.array(path))
        return paths
