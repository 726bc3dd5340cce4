"""The task that all kernel machines with constrained duals share.

    maximise  D(beta) = c.beta - epsilon sum_i |beta_i| - 1/2 sum_ij beta_i beta_j K_ij
    subject to  low_i <= beta_i <= high_i,  sum_i beta_i of every group as at the start

    support vector machine      c = y = -1 or +1, epsilon = 0, alpha_i = beta_i y_i from 0 to C
    support vector regression   c = y, epsilon > 0, beta_i from -C to C
    one-class machine           c = 0, epsilon = 0, alpha_i = beta_i from 0 to 1
    nu-SVM                      c = 0, epsilon = 0, alpha_i = beta_i y_i from 0 to 1

All points are one group, except in the nu-SVM, where each class is one.

The slopes of D for a dual that rises or falls, with g_i = c_i - sum_j K_ij beta_j, are

    up_i   = g_i - epsilon   where beta_i >= 0,   g_i + epsilon   where beta_i < 0
    down_i = g_i - epsilon   where beta_i > 0,    g_i + epsilon   where beta_i <= 0

At the optimum no up_i of a dual that can rise is above any down_j of a dual in the same group that
can fall.

Source: CS725 21.7 and 22 (000:3668-3765).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.kernels import Kernel
from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class Task(Record):
    """What to maximise. `linear` is c; a run has converged when up - down is at most `tol`."""

    points: Float[ndarray, "n d"]
    kernel: Kernel
    linear: Float[ndarray, " n"]
    epsilon: float
    low: Float[ndarray, " n"]
    high: Float[ndarray, " n"]
    tol: float

    @property
    def groups(self) -> Sequence[slice | Int[ndarray, " m"]]:
        """Return the points of each group; weight never moves from one group to another."""
        return (slice(None),)
