"""All free duals at once, to finish a run of pairs.

Pairs soon find out which duals end at a bound. But they take long to settle the free ones, F, those
strictly between, if C is large or the points are nearly collinear in the space of features. Over
these D is a quadratic function, so one step of Newton's method goes to its top. Update rule, with
the slopes g of D (with a tube, those of the side of 0 on which each dual is, and stays):

    solve    K_FF d + e 1 = g_F,  sum_F d_i = 0        (e is the bias they will agree on)
             (where there are several groups, one such sum and one e for each: task.py)
    move     beta_F <- beta_F + t d,  t = 1 or, if less, up to the first bound that is reached

A dual that reaches a bound leaves F, and the rest is solved again, until t = 1. Then g is the same
for all of F, so no pair of free duals can raise D any more. Pairs come next, and free others. So
both take turns until nothing is violated.

K_FF is used with its rows and columns centred (in each group), since a d of sum 0 sees no more of
it. It may be
singular, so SINGULAR is added to its diagonal. D still rises; where it does not bend, the step
becomes so long that it ends at a bound. The kernel must be positive semi-definite: the equations of
another one may describe a saddle.

Cost: O(f^3) for f free duals and every bound that is reached, and O(n f) once.

Source: the active-set method for quadratic programmes (Nocedal and Wright 2006, 16.5).
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import get_lapack_funcs

from algorithms.core.record import frozen
from algorithms.core.work import spend
from algorithms.kernel_machines.ascent import Ascent
from algorithms.kernel_machines.moves import FreeMove

FEWEST_PAIRS = 100  # before all free duals move for the first time
MOST_FREE = 1000  # more equations take longer than pairs do
SINGULAR = 1e-12  # of K_ii

# The sets are small: SciPy's cho_factor and cho_solve would take longer to be called than to solve.
(_posv,) = get_lapack_funcs(("posv",), dtype=float)


def pairs_before(n: int) -> int:
    """Return how many pairs move before all free duals do: each of n points may have its turn."""
    return max(FEWEST_PAIRS, n // 2)


def climb(run: Ascent) -> FreeMove | None:
    """Take all free duals to their common best place, if it is their turn.

    None, and nothing moves, if there are fewer than two, too many, or if rounding forbids it.
    """
    if len(run.moves) < run.free_due:
        return None
    task, beta, tube = run.task, np.array(run.beta), run.task.epsilon > 0
    low = np.where(tube & (beta > 0), 0, task.low)
    high = np.where(tube & (beta < 0), 0, task.high)
    members = np.flatnonzero((low < beta) & (beta < high) & ((beta != 0) | (not tube)))
    if not 2 <= len(members) <= MOST_FREE:
        return None
    before, low, high = beta[members], low[members], high[members]
    rows = np.stack([run.K[i] for i in members.tolist()])
    K, g = rows[:, members], run.g[members] - task.epsilon * np.sign(before)
    labels = np.zeros(len(task.low), int)
    for label, group in enumerate(task.groups):
        labels[group] = label
    try:
        after = highest(K, g, before, low, high, labels[members])
    except np.linalg.LinAlgError:
        return None
    change = after - before
    gain = float(change @ g - change @ K @ change / 2)
    if gain <= 0:
        return None
    run.lower(change @ rows)
    for i, new in zip(members.tolist(), after.tolist(), strict=True):
        run.set(i, new)
    return FreeMove(frozen(members), int(((after == low) | (after == high)).sum()), gain)


def highest(
    K: Float[ndarray, "f f"],
    g: Float[ndarray, " f"],
    beta: Float[ndarray, " f"],
    low: Float[ndarray, " f"],
    high: Float[ndarray, " f"],
    groups: Int[ndarray, " f"],
) -> Float[ndarray, " f"]:
    """Return the duals when each is at a bound or has the same slope as its group's others inside.

    K, g : kernel matrix and slopes of the duals, which start from beta, inside the box. groups :
    the group of each.

    Raises LinAlgError if rounding leaves K without a factor.
    """
    beta, g, free = beta.copy(), g.copy(), np.arange(len(beta))
    while len(free) > len(set(groups[free].tolist())):
        spend(len(free) ** 3 / 3 + len(free) ** 2 * 20)
        K_free, before = K[free[:, None], free], beta[free]
        step = newton(K_free, g[free], groups[free])
        bound = np.where(step > 0, high[free], low[free])
        reach = np.divide(bound - before, step, out=np.full(len(free), np.inf), where=step != 0)
        first = reach.argmin()
        t = min(1.0, reach.item(first))
        after = np.clip(before + t * step, low[free], high[free])
        if t < 1:
            after[first] = bound[first]
        g[free] -= K_free @ (after - before)
        beta[free] = after
        if t == 1:
            break
        free = np.delete(free, first)
    return beta


def newton(
    K: Float[ndarray, "f f"], g: Float[ndarray, " f"], groups: Int[ndarray, " f"]
) -> Float[ndarray, " f"]:
    """Solve K d + e 1 = g with sum d = 0; return d. Each group has its own e and its own sum."""
    members = [groups == group for group in set(groups.tolist())]
    parts = members if len(members) > 1 else [slice(None)]
    centred, slopes = K.copy(), g.copy()
    for part in parts:  # as d sees K; it takes 1 to 0,
        centred[part] -= centred[part].mean(axis=0)
        centred[:, part] -= centred[:, part].mean(axis=1, keepdims=True)
        slopes[part] -= slopes[part].mean()
    size = centred.trace() / len(g) ** 2
    for member in members:  # and now to a multiple of 1
        centred += size * np.outer(member, member)
    centred.flat[:: len(g) + 1] *= 1 + SINGULAR
    _, d, failed = _posv(centred, slopes)
    if failed:
        raise np.linalg.LinAlgError("rounding leaves the kernel matrix without a factor")
    for part in parts:
        d[part] -= d[part].mean()
    return d
