r"""What the best of m trials gets on the points that chose it, and on points that did not.

M trials were judged on validation points, with the errors E_1, ..., E_M, and on test points, which
chose nothing, with the errors T_1, ..., T_M. Of any m trials, the best has the lowest E. The mean
over all C(M, m) sets of m trials needs no loop over them. With the E in increasing order, the best
of a set is the i-th if the set has it and m - 1 of the M - i that follow it:

    E*(m) = sum_i P_i(m) E_(i),   T*(m) = sum_i P_i(m) T_(i),   P_i(m) = C(M - i, m - 1) / C(M, m)

Of trials with the same E, each is as likely to be taken as the others, so T_(i) is their mean.

E*(m) never rises with m. T*(m) - E*(m) is the optimism of the choice.

Cost: O(M^2).

Source: 20APC3316 (002:955, an estimate is biased on the points that made the choice); CS337
(003:259); Cawley and Talbot 2010.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.special import comb

from algorithms.core.record import Record
from algorithms.networks.multilayer_perceptron.settings_search import SearchStep


@dataclass(frozen=True, eq=False)
class BestOfTrials(Record):
    """The errors of the best of m = 1..M trials, as shares; E*(m) and T*(m) of the docstring.

    wrong : how many of the `n` test points every trial gets wrong; None, as are its errors, where
    there is no test point.
    """

    validation: Float[ndarray, " M"]
    test: Float[ndarray, " M"] | None
    wrong: Int[ndarray, " M"] | None
    n: int


def best_of_trials(
    steps: Sequence[SearchStep], X: Float[ndarray, "t d"], y: Int[ndarray, " t"]
) -> BestOfTrials:
    """Return the errors of the best of m trials of a search. X, y : the test points."""
    end = steps[-1]
    E = end.wrong / end.judges
    if len(X) == 0:
        return BestOfTrials(means_of_best(E, E), None, None, 0)
    F = end.features(X)
    wrong = np.array([np.count_nonzero(f.predict(F) != y) for f in end.networks])
    return BestOfTrials(means_of_best(E, E), means_of_best(E, wrong / len(X)), wrong, len(X))


def means_of_best(E: Float[ndarray, " M"], T: Float[ndarray, " M"]) -> Float[ndarray, " M"]:
    """sum_i P_i(m) T_(i) for m = 1..M, in the order of the E."""
    order = np.argsort(E, kind="stable")
    _, group, counts = np.unique(E[order], return_inverse=True, return_counts=True)
    T_sorted = (np.bincount(group, T[order]) / counts)[group]
    i = np.arange(1, len(E) + 1)
    m = i[:, None]
    P = comb(len(E) - i, m - 1) / comb(len(E), m)
    return P @ T_sorted
