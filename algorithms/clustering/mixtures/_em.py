"""What every expectation-maximisation here shares: responsibilities, the lower bound, the ending.

With the scores s_ik = ln( pi_k p(x_i | k) ) of the parameters at hand

    r_ik = exp s_ik / sum_l exp s_il            ln p(x_i) = ln sum_k exp s_ik

and for any responsibilities q the lower bound B = sum_ik q_ik s_ik - sum_ik q_ik ln q_ik. Where q
are those of the parameters before, whose scores were s', the second sum is sum q s' - l', so that

    B = l' + sum_ik q_ik (s_ik - s'_ik)
"""

from typing import Literal, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.scores import softmax

Ending = Literal["converged", "stopped at max_iter"]


@runtime_checkable
class Expected(Protocol):
    """Parameters after an expectation; a row a component."""

    @property
    def scores(self) -> Float[ndarray, "k n"]:
        """The s of every component for every point."""
        ...

    @property
    def responsibilities(self) -> Float[ndarray, "k n"]:
        """The r of every component for every point."""
        ...

    @property
    def log_likelihood(self) -> float:
        """The sum of ln p over the points."""
        ...


def normalized(
    scores: Float[ndarray, "k n"],
) -> tuple[Float[ndarray, "k n"], Float[ndarray, " n"]]:
    """Return r and ln p from scores: exp s over its sum, and the logarithm of that sum."""
    shares, top, total = softmax(scores)
    return shares, top + np.log(total)


def lower_bound(before: Expected, after: Expected) -> float:
    """Return B for the responsibilities before and the parameters after."""
    rise = np.vdot(before.responsibilities, after.scores - before.scores)
    return before.log_likelihood + float(rise)


def ending(before: Expected, after: Expected, slack: float, left: int) -> Ending | None:
    """Say whether the run ends here: the log-likelihood changed by less than `slack`, or no round
    is left.
    """
    if abs(after.log_likelihood - before.log_likelihood) < slack:
        return "converged"
    return None if left else "stopped at max_iter"
