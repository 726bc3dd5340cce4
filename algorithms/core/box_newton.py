"""The top of a concave quadratic function of some duals, which add up to a constant, in a box.

From beta, with the errors g = the slopes of the function there, and its curvatures K,

    solve    K_FF d + e 1 = g_F,  sum_F d_i = 0
    move     beta_F <- beta_F + t d,  t = 1 or, if less, up to the first bound that is reached

and what has reached a bound leaves F, until t = 1: one step of Newton's method for every set F.

The equations are solved for K_FF with its rows and columns centred, for that is what a d of sum 0
sees of it. It may be singular: its diagonal is made larger by SINGULAR, which leaves the function
rising; where it does not bend, the step becomes so long that it ends at a bound.

Cost: O(f^3) for f duals and every bound that is reached.

Source: the active-set method for quadratic programmes (Nocedal and Wright 2006, 16.5).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import get_lapack_funcs

from algorithms.core.work import spend

SINGULAR = 1e-12  # of K_ii

# The sets are small: SciPy's cho_factor and cho_solve would take longer to be called than to solve.
(_posv,) = get_lapack_funcs(("posv",), dtype=float)


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
        spend(len(free) ** 3 / 3 + len(free) ** 2 * 20)
        K_free, before = K[free[:, None], free], beta[free]
        step = newton(K_free, g[free])
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


def newton(K: Float[ndarray, "f f"], g: Float[ndarray, " f"]) -> Float[ndarray, " f"]:
    """Solve K d + e 1 = g with sum d = 0; return d."""
    f = len(g)
    rows = K.sum(axis=0) / f
    centred = K - rows - rows[:, None] + rows.sum() / f  # as d sees it; it takes 1 to 0,
    centred += centred.trace() / f**2  # and now to a multiple of 1
    centred.flat[:: f + 1] *= 1 + SINGULAR
    _, d, failed = _posv(centred, g - g.sum() / f)
    if failed:
        raise np.linalg.LinAlgError("rounding leaves the kernel matrix without a factor")
    return d - d.sum() / f
