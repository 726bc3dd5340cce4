"""What nu bounds, for every nu: the share of margin errors and the share of support vectors.

For each nu up to the largest feasible one, nu_max = 2 min(n+, n-) / n, the machine of nu_svm.py is
trained on the n points, and this is counted:

    margin errors     #{i : y_i f(x_i) < rho} / n   <= nu
    support vectors   #{i : alpha_i > 0} / n        >= nu
    price             C = 1 / rho, the C of the same machine; infinite if there is no street

Cost: a machine for every nu. Of more than `most` points, some are drawn.

Source: Schoelkopf, Smola, Williamson and Bartlett 2000; Chang and Lin 2001.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.kernel_machine import two_classes
from algorithms.classification.svm.nu_svm import largest_nu, nu_svm
from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel
from algorithms.core.record import Record, last
from algorithms.core.splits import some_of

MOST = 200  # points: all machines then take less than a second
MOVES = 3000  # of duals by one machine; one that needs more is left out
TOL = 1e-4


@dataclass(frozen=True, eq=False)
class SharesByNu(Record):
    """Shares of `n` points for every nu; NaN where the machine did not converge."""

    nus: Float[ndarray, " m"]
    errors: Float[ndarray, " m"]
    support: Float[ndarray, " m"]
    prices: Float[ndarray, " m"]
    n: int


def shares_by_nu(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    kernel: Kernel = DEFAULT,
    count: int = 25,
    most: int = MOST,
    rng: Generator,
) -> SharesByNu:
    """Return the shares for `count` values of nu, evenly up to the largest feasible one.

    Raises ValueError unless X is finite and not too large for the kernel, y holds n integers of two
    classes, count >= 1 and most >= 4.
    """
    signs = two_classes(X, y, 1.0, kernel, TOL).signs
    count, most = validate.integer("count", count, 1), validate.integer("most", most, 4)
    chosen = some_of(np.ones(len(X), bool), most, rng=rng, codes=(signs > 0).astype(int))
    X, y = X[chosen], (signs[chosen] > 0).astype(int)
    n, largest = len(X), largest_nu(signs[chosen])
    found = np.full((3, count), np.nan)
    nus = largest * np.arange(1, count + 1) / count
    for column, nu in enumerate(nus):
        step = last(nu_svm(X, y, nu=nu, kernel=kernel, tol=TOL, max_iter=MOVES))
        if step.event == "converged":
            found[:, column] = len(step.margin_errors) / n, len(step.support) / n, step.price
    errors, support, prices = found
    return SharesByNu(nus, errors, support, prices, n)
