"""Differences between two runs: labels (clusters up to their numbers), curves and axes."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.optimize import linear_sum_assignment

from algorithms.core.record import Record

EVENLY = 2001  # places over which a mean distance is computed


def renumbering(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> dict[int, int]:
    """Return for each number of the second labelling its partner in the first.

    With this pairing as few places differ as possible (the assignment problem, solved exactly). A
    number without a partner gets one that the first does not use. -1, noise, stays -1.
    """
    groups = [np.unique(labels[labels != -1]) for labels in (first, second)]
    shared = np.array(
        [[np.sum((first == a) & (second == b)) for a in groups[0]] for b in groups[1]]
    )
    shared = shared.reshape(len(groups[1]), len(groups[0]))
    rows, columns = linear_sum_assignment(shared, maximize=True)
    paired = {int(groups[1][b]): int(groups[0][a]) for b, a in zip(rows, columns, strict=True)}
    unused = 1 + max((int(group.max()) for group in groups if len(group)), default=0)
    alone = [int(b) for b in groups[1] if int(b) not in paired]
    return {-1: -1, **paired, **{b: unused + i for i, b in enumerate(alone)}}


def renumbered(labels: Int[ndarray, " n"], numbers: dict[int, int]) -> Int[ndarray, " n"]:
    """Return labels with the numbers of `renumbering`; a label without a number becomes -2."""
    found = np.full(labels.shape, -2)
    for before, after in numbers.items():
        found[labels == before] = after
    return found


def disagree(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> Bool[ndarray, " n"]:
    """Return where two labellings differ, whatever numbers they give their groups."""
    return first != renumbered(second, renumbering(first, second))


@dataclass(frozen=True, eq=False)
class Gap(Record):
    """The vertical distance of two curves, where both are known.

    `first` and `second` are their heights at every x where one of them bends; `widest` is the index
    of the largest distance among these. `mean` is the mean distance.
    """

    x: Float[ndarray, " m"]
    first: Float[ndarray, " m"]
    second: Float[ndarray, " m"]
    widest: int
    mean: float

    @property
    def most(self) -> float:
        """Return the largest distance. It is exact, since the curves are straight between bends."""
        return float(abs(self.first[self.widest] - self.second[self.widest]))


def gap(first: Float[ndarray, "k 2"], second: Float[ndarray, "l 2"]) -> Gap:
    """Return the vertical distance of two curves, each given by its bends from left to right."""
    paths = (first, second)
    low, high = max(path[0, 0] for path in paths), min(path[-1, 0] for path in paths)
    x = np.unique(np.concatenate([path[:, 0] for path in paths]).clip(low, high))
    left, right = (np.interp(x, *path.T) for path in paths)
    evenly = np.linspace(low, high, EVENLY)
    apart = np.abs(np.interp(evenly, *first.T) - np.interp(evenly, *second.T))
    mean = float(np.trapezoid(apart)) / (EVENLY - 1)
    return Gap(x, left, right, int(np.abs(left - right).argmax()), mean)


def angle(first: Float[ndarray, " 2"], second: Float[ndarray, " 2"]) -> float:
    """Return the angle between two axes in degrees, at most 90; NaN if one has no length."""
    lengths = float(np.hypot(*first) * np.hypot(*second))
    if lengths == 0:
        return float("nan")
    return float(np.degrees(np.arccos(min(abs(float(first @ second)) / lengths, 1.0))))
