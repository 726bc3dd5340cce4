"""Rotated factors: the likelihood cannot choose the axes, but they can be chosen to be simple.

For any rotation R, Lambda R has the same Lambda Lambda^T, so the same likelihood. Here the axes of
the first two factors turn by phi, a quarter turn in equal parts:

    lambda_j1 <-  cos(phi) lambda_j1 + sin(phi) lambda_j2
    lambda_j2 <- -sin(phi) lambda_j1 + cos(phi) lambda_j2

With l_jk = lambda_jk / s_j, the loadings per deviation of the columns, varimax measures how simple
they are: how much their squares differ within a factor, so that each is large or nearly 0,

    V(phi) = sum over k = 1, 2 of ( mean_j l_jk^4 - (mean_j l_jk^2)^2 )

The largest V is found without turning. With u_j = l_j1^2 - l_j2^2 and w_j = 2 l_j1 l_j2 at phi = 0,

    tan 4 phi = 2 ( mean uw - mean u mean w ) / ( mean (u^2 - w^2) - mean(u)^2 + mean(w)^2 )

Cost: that of factor analysis, and O(d) an angle.

Source: 20APC3316 (002:1903: factors are stretched, rotated and translated); Kaiser 1958 (varimax).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record, last
from algorithms.reduction.factor_analysis.factor_analysis import (
    FLOOR,
    factor_analysis,
    least_noise,
)

ANGLES = 36  # equal parts of a quarter turn


def rotation(
    X: Float[ndarray, "n d"], *, n_components: int = 2, max_iter: int = 500, tol: float = 1e-3
) -> Iterator["RotationStep"]:
    """Fit the factors, then turn the axes of the first two by a quarter turn, an angle per step.

    Raises ValueError, at the call, unless 2 <= n_components <= d, and as `factor_analysis` does.
    """
    X = validate.points(X)
    if (d := X.shape[1]) < 2:
        raise ValueError(f"X must have two columns for two factors, or more, got d={d}")
    c = validate.integer("n_components", n_components, 2, d, high_name="d")
    end = last(factor_analysis(X, n_components=c, max_iter=max_iter, tol=tol))
    per_deviation = end.loadings / np.sqrt(least_noise(end.covariance) / FLOOR)[:, None]
    best = simplest(per_deviation)
    angles = np.append(np.pi / 2 * np.arange(ANGLES + 1) / ANGLES, best)
    return (
        RotationStep(
            angle=float(np.degrees(phi)),
            loadings=turned(per_deviation, phi),
            simplicity=simplicity(turned(per_deviation, phi)),
            log_likelihood=end.log_likelihood,
            event="simplest" if phi == best else None,
        )
        for phi in np.unique(angles).tolist()
    )


def turned(L: Float[ndarray, "d c"], phi: float) -> Float[ndarray, "d c"]:
    """Return the loadings on the axes turned by phi; those of a third factor stay."""
    cos, sin = np.cos(phi), np.sin(phi)
    L = L.copy()
    L[:, :2] = L[:, :2] @ np.array([[cos, -sin], [sin, cos]])
    return L


def simplicity(L: Float[ndarray, "d c"]) -> float:
    """V = sum over k = 1, 2 of ( mean_j l_jk^4 - (mean_j l_jk^2)^2 )."""
    squares = np.square(L[:, :2])
    return float((np.square(squares).mean(axis=0) - squares.mean(axis=0) ** 2).sum())


def simplest(L: Float[ndarray, "d c"]) -> float:
    """Return the phi in the first quarter turn with the largest V."""
    u, w = L[:, 0] ** 2 - L[:, 1] ** 2, 2 * L[:, 0] * L[:, 1]
    up = 2 * ((u * w).mean() - u.mean() * w.mean())
    along = (u**2 - w**2).mean() - u.mean() ** 2 + w.mean() ** 2
    return float(np.arctan2(up, along) / 4 % (np.pi / 2))


@dataclass(frozen=True, eq=False)
class RotationStep(Record):
    """The loadings per deviation on axes that are turned by `angle` degrees, and V.

    Event: "simplest" (the largest V).
    """

    is_model = False

    angle: float
    loadings: Float[ndarray, "d c"]
    simplicity: float
    log_likelihood: float
    event: Literal["simplest"] | None = None
