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

The equations are solved for K_FF with its rows and columns centred, for that is what a d of sum 0
sees of it. It may be singular: on a plane the linear kernel knows two directions only. Its diagonal
is made larger by SINGULAR, which leaves D rising; where D does not bend, the step becomes so long
that it ends at a bound.

It needs a positive semi-definite kernel: else the equations may describe a saddle.

Cost: O(f^3) for f free duals and every bound that is reached, and O(n f) once.

Source: the active-set method for quadratic programmes (Nocedal and Wright 2006, 16.5).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve

from algorithms.classification.svm._smo import DualAscent
from algorithms.classification.svm.moves import Together
from algorithms.core.record import frozen

MOST_FREE = 1000  # more equations than that take longer than pairs do
SINGULAR = 1e-12  # of K_ii


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


def highest(
    K: Float[ndarray, "f f"],
    g: Float[ndarray, " f"],
    beta: Float[ndarray, " f"],
    low: Float[ndarray, " f"],
    high: Float[ndarray, " f"],
) -> Float[ndarray, " f"]:
    """Return where the duals stand when they are all at a bound or have one error in common.

    K, g : kernel matrix and errors of the duals, which start from beta, inside the box.

    Raises LinAlgError if rounding leaves K without a factor.
    """
    beta, g, free = beta.copy(), g.copy(), np.arange(len(beta))
    while len(free) > 1:
        step = newton(K[np.ix_(free, free)], g[free])
        room = np.where(step > 0, high[free] - beta[free], low[free] - beta[free])
        reach = np.divide(room, step, out=np.full(len(free), np.inf), where=step != 0)
        first = int(reach.argmin())
        t = min(1.0, float(reach[first]))
        moved = np.clip(beta[free] + t * step, low[free], high[free])
        if t < 1:
            moved[first] = high[free[first]] if step[first] > 0 else low[free[first]]
        g -= K[:, free] @ (moved - beta[free])
        beta[free] = moved
        if t == 1:
            break
        free = np.delete(free, first)
    return beta


def newton(K: Float[ndarray, "f f"], g: Float[ndarray, " f"]) -> Float[ndarray, " f"]:
    """Solve K d + e 1 = g with sum d = 0; return d."""
    rows = K.mean(axis=0)
    centred = K - rows - rows[:, None] + rows.mean()  # as d sees it; it takes 1 to 0,
    centred += np.trace(centred) / len(g) ** 2  # and now to a multiple of 1
    centred.flat[:: len(g) + 1] *= 1 + SINGULAR
    d = cho_solve(cho_factor(centred, overwrite_a=True, check_finite=False), g - g.mean())
    return d - d.mean()
