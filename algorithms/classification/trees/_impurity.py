"""How mixed the classes of some points are, and what a cut leaves of it.

With the shares p_1..p_K of the classes among n points:

    entropy   Imp = - sum_k p_k log2 p_k        (in bits; 0 log 0 = 0)
    gini      Imp = 1 - sum_k p_k^2
    error     Imp = 1 - max_k p_k

The functions give the cost n Imp, which adds up over the parts of a split, from the class counts.

Source: CS725 3.3 (000:272), CIS787 (004:92).
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.special import xlogy

Cost = Callable[[Int[ndarray, "k *parts"], Int[ndarray, "..."]], Float[ndarray, "*parts"]]
CRITERIA = ("entropy", "gini", "error")


def cost(criterion: str, n: int) -> Cost:
    """Return the function from (K, ...) counts and their sums, up to `n`, to costs n Imp."""
    if criterion == "error":
        return lambda counts, sizes: (sizes - counts.max(axis=0)).astype(float)
    if criterion == "gini":
        return lambda counts, sizes: sizes - (counts * counts).sum(axis=0) / sizes
    table = logs(n)
    return lambda counts, sizes: table[sizes] - table[counts].sum(axis=0)


def logs(n: int) -> Float[ndarray, " _"]:
    """Return c log2 c for c = 0..n: counts are whole numbers, so looking up replaces the logs."""
    whole = np.arange(n + 1.0)
    return xlogy(whole, whole) / np.log(2)
