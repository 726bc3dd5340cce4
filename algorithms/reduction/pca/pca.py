"""Principal component analysis: the directions in which the points vary most.

Objective: orthonormal u_1, ..., u_q such that the scores z_j = u_j.t of the centred (and, if
wanted, scaled) points t have the largest variance together; which is the same as the smallest error
of the reconstruction, since variance + error = total (projection.py). With S the covariance matrix,
dividing by n - 1,

    maximise u^T S u  with |u| = 1  and u orthogonal to the ones before:   S u_j = lambda_j u_j

the eigenvectors of S, the largest eigenvalue first; z_j has variance lambda_j. The share

    (lambda_1 + ... + lambda_q) / (lambda_1 + ... + lambda_d)

says how much q components keep. A usual choice is the first q that keeps 90 %.

All eigenvectors are computed at once; the steps only show one more of them each.
power_iteration.py finds them one after the other.

Without scaling, a column in small units has large numbers and a large variance, and wins. With
scaling, every column has variance 1 and S is the correlation matrix.

Cost: O(n d^2 + d^3).

Source: 20APC3316 (002:1856), CS337 (003:1892), CIS787 (004:23-86).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import last
from algorithms.core.scaling import Scaling
from algorithms.reduction.pca.projection import (
    FLOOR,
    Projection,
    centred_and_scaled,
    covariance,
    eigenvectors,
)


def pca(
    X: Float[ndarray, "n d"],
    *,
    n_components: int | None = None,
    standardize: bool = False,
    target: float = 0.9,
) -> Iterator["PcaStep"]:
    """Add one component per step, from none (every point becomes the mean) to `n_components`.

    Raises ValueError, at the call, unless X holds two different points, 1 <= n_components <= d
    (None: all d) and target <= 1.
    """
    Z, scaling = centred_and_scaled(X, standardize)
    d = Z.shape[1]
    q = d if n_components is None else n_components
    q = validate.integer("n_components", q, 1, d, high_name="d")
    if (target := validate.number("target", target)) > 1:
        raise ValueError(f"target must be a share from 0 to 1, got target={target:g}")
    return _components(Z, scaling, q, target)


def _components(
    Z: Float[ndarray, "n d"],
    scaling: Scaling,
    q: int,
    target: float,
) -> Iterator["PcaStep"]:
    variances, U = eigenvectors(covariance(Z))
    total = float(variances.sum())
    explained = variances / total
    kept = np.concatenate([[0.0], np.cumsum(explained)])
    enough = int(np.argmax(kept >= target - FLOOR * len(U)))
    for index in range(q + 1):
        yield PcaStep(
            scaling=scaling,
            components=U[:index],
            variances=variances[:index],
            explained=explained[:index],
            error=float(variances[index:].sum()),
            total=total,
            index=index,
            event="enough variance" if index == enough else None,
        )


@dataclass(frozen=True, eq=False)
class PcaStep(Projection):
    """The first `index` components; also a model, since it projects and reconstructs any points.

    Event: "enough variance" (the first step that keeps the target share).
    """

    index: int
    event: Literal["enough variance"] | None = None


def compare_scaling(X: Float[ndarray, "n d"]) -> tuple[PcaStep, PcaStep]:
    """Return all components of the columns as they are, and of the columns after scaling."""
    return last(pca(X, standardize=False)), last(pca(X, standardize=True))
