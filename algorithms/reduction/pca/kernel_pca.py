"""Kernel principal components: PCA in a space of features that is never written out.

With a kernel k(a, b) = phi(a).phi(b), the components are found from the matrix K_ij = k(x_i, x_j)
alone. The phi(x_i) have to be centred; for their inner products that means

    K~ = K - 1K - K1 + 1K1          1 the matrix with 1/n everywhere

Objective and rule: with the eigenvectors a_j (of length 1) and eigenvalues mu_j of K~, the largest
first, component j is u_j = sum_i a_ji phi~(x_i) / sqrt(mu_j), and the points have the scores

    K~ a_j = mu_j a_j        z_j(x_i) = sqrt(mu_j) a_ji        mu_j / trace K~  of the variance

Any other x is projected with its centred kernel values. Since the a_ji sum to 0, two of the three
centring terms drop out:

    z_j(x) = sum_i c_ji (k(x_i, x) - r_i)        c_ji = a_ji / sqrt(mu_j),  r_i = mean_l k(x_i, x_l)

With the linear kernel these are the scores of PCA. There are as many components as K~ has
eigenvalues that are not 0: n - 1 for RBF and n different points. If the matrix has negative
eigenvalues, k is no kernel for these points, and only the components of positive ones are used.

A step is one component. Cost: O(n^2 d) for the matrix, O(n^3) for the eigenvectors, O(n^2) for
each iteration of Lanczos' method, which finds the first few of many. If there are more than `most`
points, the run learns from `most` evenly chosen ones.

Source: 20APC3316 13.9 (002:3030), which leaves out the centring; Schoelkopf, Smola, Mueller 1998.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import eigh, get_blas_funcs
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.core.record import Record
from algorithms.core.scaling import Scaling, unscaled
from algorithms.reduction.pca.projection import centred_and_scaled, with_largest_positive

SMALL = 200  # points: up to here all eigenvectors are computed at once
ACCURACY = 1e-9  # of Lanczos' eigenvalues
NOTHING = 1e-12  # times n and the largest k(x, x): an eigenvalue that is rounding


@dataclass(frozen=True, eq=False)
class KernelPcaStep(Record):
    """The first `index` + 1 components; also a model, since any points can be projected.

    `points` are the (scaled) points learned from, `coefficients` the c_j and `offsets` the sums
    c_j.m of the module docstring. `eigenvalues` are the mu_j, `explained` their shares in the trace
    of the centred matrix. `column_means` holds the m_i and `grand_mean` their mean.
    """

    index: int
    kernel: Kernel
    scaling: Scaling
    points: Float[ndarray, "p d"]
    coefficients: Float[ndarray, "q p"]
    offsets: Float[ndarray, " q"]
    eigenvalues: Float[ndarray, " q"]
    explained: Float[ndarray, " q"]
    column_means: Float[ndarray, " p"]
    grand_mean: float
    event: None = None

    @property
    def mean(self) -> Float[ndarray, " d"]:
        """Return what is subtracted from the points before scaling: 0 if they are not scaled."""
        return self.scaling.center

    @property
    def scale(self) -> Float[ndarray, " d"]:
        """Return what every column is divided by."""
        return self.scaling.spread

    def transform(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m q"]:
        """z_j(x) = sum_i c_ji (k(x_i, x) - r_i). Return the scores of every row of `X`."""
        values = self.kernel(self.points, self.scaling.transform(X))
        return (self.coefficients @ values).T - self.offsets


def kernel_pca(
    X: Float[ndarray, "n d"],
    *,
    kernel: Kernel = DEFAULT,
    n_components: int = 2,
    standardize: bool = False,
    most: int = 1000,
) -> Iterator[KernelPcaStep]:
    """Add one component per step, up to `n_components` or as many as there are.

    Raises ValueError, at the call, unless X holds two different points that the kernel tells apart,
    n_components >= 1 and most >= 2.
    """
    Z, scaling = centred_and_scaled(X, standardize)
    if not standardize:
        Z, scaling = validate.points(X), unscaled(Z.shape[1])  # kernels may know the origin
    n_components = validate.integer("n_components", n_components, 1)
    if len(Z) > (most := validate.integer("most", most, 2)):
        Z = Z[np.linspace(0, len(Z) - 1, most).round().astype(int)]
    Z = kernel_points(kernel, Z)
    K = kernel(Z, Z)
    r = K.mean(axis=0)
    floor = NOTHING * len(Z) * float(np.abs(K.diagonal()).max())
    K = centred(K)
    trace = float(np.trace(K))
    mu, a = _largest(K, min(n_components, len(Z) - 1))  # K~ a_j = mu_j a_j
    used = mu > floor
    if not used.any():
        raise ValueError(
            "kernel must tell the points apart: centred, its matrix is 0 up to rounding. Scale the "
            "columns, or change the parameters of the kernel"
        )
    mu = mu[used]
    c = with_largest_positive(a.T[used]) / np.sqrt(mu)[:, None]  # c_ji = a_ji / sqrt(mu_j)
    c -= c.mean(axis=1, keepdims=True)  # 0 but for rounding
    trace = max(trace, float(mu.sum()))  # rounding may have made it a little less
    whole = KernelPcaStep(
        index=len(c) - 1,
        kernel=kernel,
        scaling=scaling,
        points=Z,
        coefficients=c,
        offsets=c @ r,
        eigenvalues=mu,
        explained=mu / trace,
        column_means=r,
        grand_mean=float(r.mean()),
    )
    return _first_ones(whole)


def centred(K: Float[ndarray, "p p"]) -> Float[ndarray, "p p"]:
    """K~ = K - 1K - K1 + 1K1. Change the matrix in place, and return it."""
    r = K.mean(axis=0)
    K -= r  # every row of 1K is r
    K -= (r - r.mean())[:, None]  # K1, and 1K1 is the mean of r
    return K


def _first_ones(whole: KernelPcaStep) -> Iterator[KernelPcaStep]:
    """Yield the first component, the first two, and so on."""
    fields = ("coefficients", "offsets", "eigenvalues", "explained")
    for index in range(whole.index + 1):
        first = {name: getattr(whole, name)[: index + 1] for name in fields}
        yield replace(whole, index=index, **first)


class _Symmetric(LinearOperator):
    """Products of a symmetric matrix with vectors, reading only half of it."""

    def __init__(self, K: Float[ndarray, "p p"]) -> None:
        super().__init__(K.dtype, K.shape)
        self.K = K.T
        self.symv: Callable[..., ndarray] = get_blas_funcs("symv", [K])  # type: ignore

    def _matvec(self, x: ndarray) -> ndarray:
        return self.symv(1.0, self.K, x)


def _largest(
    K: Float[ndarray, "p p"], count: int
) -> tuple[Float[ndarray, " q"], Float[ndarray, "p q"]]:
    """Return the `count` largest eigenvalues of a symmetric matrix, falling, and their vectors."""
    n = len(K)
    if n > max(SMALL, 4 * count):
        # The start could be any vector; a fixed one makes the same data give the same components.
        how: dict[str, Any] = {"v0": np.cos(np.arange(n)), "tol": ACCURACY}
        product: Any = _Symmetric(K)
        try:
            values, vectors = eigsh(product, count, which="LA", **how)
            return values[::-1], vectors[:, ::-1]
        except ArpackNoConvergence:
            pass  # the eigenvalues are too near to each other: all at once then
    values, vectors = eigh(K, subset_by_index=[n - count, n - 1])
    return values[::-1], vectors[:, ::-1]
