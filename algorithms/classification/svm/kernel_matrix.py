"""The kernel matrix of the points at hand: are its entries inner products?

    K_ij = k(x_i, x_j) = v^T diag(lambda) v

They are if and only if no eigenvalue lambda is negative; then phi(x_i) = (sqrt(lambda_l) v_li)_l.
The number of eigenvalues that are not 0 is the number of dimensions that the points fill in the
space of features: at most 2 for the linear kernel on the plane, n for RBF and n different points.
Many of these n are so small that rounding hides them; only those above `noise` can be counted.

If a part of K (fewer points) has a negative eigenvalue, so has K (Cauchy interlacing). So a part is
enough to show that a formula is no kernel.

Cost: O(m^3) for m points.

Source: CS725 21.5-21.6 (000:3570).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.kernels import Kernel, kernel_points
from algorithms.core.record import Record

ROUNDING = 1e-12  # times m and the largest eigenvalue: a smaller one means nothing


@dataclass(frozen=True, eq=False)
class KernelMatrix(Record):
    """The kernel matrix of `chosen` points and its eigenvalues in falling order.

    The points are ordered by class and then by the first column. Eigenvalues up to `noise` in size
    may be rounding and mean nothing. `definite` : whether the matrix is positive semi-definite
    apart from these. `complete` : whether all points were chosen.
    """

    values: Float[ndarray, "m m"]
    chosen: Int[ndarray, " m"]
    eigenvalues: Float[ndarray, " m"]
    noise: float
    definite: bool
    complete: bool


def kernel_matrix(
    kernel: Kernel, X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, most: int = 250
) -> KernelMatrix:
    """Return the kernel matrix of all points or, if there are more, of `most` evenly chosen ones.

    Cost: O(m^3) for the eigenvalues of m points.
    """
    X = kernel_points(kernel, X)
    most = validate.integer("most", most, 2)
    order = np.lexsort((X[:, 0], y))
    if len(X) > most:
        order = order[np.linspace(0, len(X) - 1, most).round().astype(int)]
    values = kernel(X[order], X[order])
    values = (values + values.T) / 2
    eigenvalues = np.linalg.eigvalsh(values)[::-1]
    noise = ROUNDING * len(order) * float(np.abs(eigenvalues).max())
    return KernelMatrix(
        values=values,
        chosen=order,
        eigenvalues=eigenvalues,
        noise=noise,
        definite=bool(eigenvalues[-1] >= -noise),
        complete=len(order) == len(X),
    )
