"""Where two labellings of the same places differ: classes by name, clusters up to their numbers."""

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from scipy.optimize import linear_sum_assignment


def renumbering(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> dict[int, int]:
    """Give each number of the second labelling one of the first's, as well as they can be paired.

    The pairing leaves as few places different as there can be (the assignment problem, solved
    exactly). What finds no partner gets a number that the first has not. -1, noise, stays -1.
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
    """Put the numbers of `renumbering` in place; a label that it has not seen becomes -2."""
    found = np.full(labels.shape, -2)
    for before, after in numbers.items():
        found[labels == before] = after
    return found


def disagree(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> Bool[ndarray, " n"]:
    """Whether two labellings differ at each place, however the second's groups are numbered."""
    return first != renumbered(second, renumbering(first, second))
