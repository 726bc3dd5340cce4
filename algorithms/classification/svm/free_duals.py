"""All free duals at once: how a run of SMO is finished.

Pairs find out soon which duals end at 0 or at C, but take long to settle the others when C is large
or points are nearly collinear in the space of features. For these free ones, F, 0 < alpha_i < C,
the dual objective is a quadratic function, so that one step of Newton's method goes to its top. In
beta_i = alpha_i y_i and with the errors g_i = y_i - (f(x_i) - b), update rule:

    solve    K_FF d + e 1 = g_F,  sum_F d_i = 0        (e is the bias they will agree on)
    move     beta_F <- beta_F + t d,  t = 1 or, if less, up to the first bound that is reached

A dual that reaches a bound stays there and leaves F, and the rest is solved anew, until t = 1. Then
g is the same for all of F: no pair of free duals can raise D any more. Pairs of SMO's rule, which
free some that stand at a bound, come next; and so in turn until nothing is violated.

How the equations are solved where K_FF is singular is in core/box_newton.py.

It needs a positive semi-definite kernel: else the equations may describe a saddle.

Cost: O(f^3) for f free duals and every bound that is reached, and O(n f) once.

Source: the active-set method for quadratic programmes (Nocedal and Wright 2006, 16.5).
"""

import numpy as np

from algorithms.classification.svm._smo import DualAscent
from algorithms.classification.svm.moves import Together
from algorithms.core.box_newton import highest
from algorithms.core.record import frozen

MOST_FREE = 1000  # more equations than that take longer than pairs do


def climb(ascent: DualAscent) -> Together | None:
    """Take all free duals to the top of the dual objective.

    None, and nothing moves, if there are fewer than two, too many, or if rounding forbids it.
    """
    members = ascent.free
    if not 2 <= len(members) <= MOST_FREE:
        return None
    rows, g, before = ascent.rows(members), ascent.errors[members], ascent.beta[members]
    low, high = ascent.box(members)
    K = rows[:, members]
    try:
        after = highest(K, g, before, low, high)
    except np.linalg.LinAlgError:
        return None
    change = after - before
    gain = float(change @ g - change @ K @ change / 2)
    if gain <= 0:
        return None
    ascent.move_all(members, after, change @ rows)
    bounded = int(((after == low) | (after == high)).sum())
    return Together(frozen(members), frozen(before), frozen(after), bounded, gain)


def turns(duals: int) -> int:
    """Return how many pairs come before so many move at once: each may have had a turn."""
    return max(1, duals // 2)
