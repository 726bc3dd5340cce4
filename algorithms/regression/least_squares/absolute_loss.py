"""Least absolute deviations: the line that outliers cannot pull, by reweighted least squares.

Objective, for the model y = w.x + b with residuals r_i = y_i - w.x_i - b:

    f_1(w, b) = 1/n sum_i |r_i|

A residual counts by its size, not by its square: a point pulls at the line with the force
sign(r_i), however far away it is, and not with r_i. Without features the solution is the median of
y, where least squares has the mean. f_1 has kinks, and no closed form.

Update rule: |r| = r² / |r|, so a squared loss in which a point has the weight 1/|r_i|, from the
line before, is the absolute loss there. In turn, from u_i = 1 (which is least squares):

    fit:      (w, b) <- the minimum of sum_i u_i (y_i - w.x_i - b)²  =  (A^T U A)^-1 A^T U y
    reweight: u_i <- 1 / max(|r_i|, δ)

δ, 1e-4 of the first mean absolute residual, keeps the weights finite. No step raises
sum_i (|r_i| if |r_i| > δ else (r_i² / δ + δ) / 2), which is n f_1 up to n δ / 2.

The last step is exact, from the linear programme that f_1 is; its dual is

    maximise sum_i λ_i y_i   subject to   A^T λ = 0,  -1 <= λ_i <= 1

and (w, b) are the prices of its d + 1 equations. λ_i is the force of point i: +1 above the line, -1
below, between on it; A^T λ = 0 says that the forces balance.

Cost: O(n d²) a step; the programme is solved by HiGHS (a simplex method).

Source: CS337 (003:150-160, the absolute loss is "more forgiving" and "non-diff"); Schlossmacher
1973 (reweighting), Charnes, Cooper and Ferguson 1955 (linear programming).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.optimize import linprog

from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.scaling import by_largest
from algorithms.regression.least_squares.linear_model import LinearModel

SOFT = 1e-4  # δ, of the mean absolute residual of the least squares line
ROUNDING = 1e-12  # of the targets: a fit is perfect

Phase = Literal["least squares", "reweighted", "exact"]


@dataclass(frozen=True, eq=False)
class AbsoluteLossStep(LinearModel):
    """The line after `index` fits; also a model.

    `forces` says how hard each point pulls: r_i, relative to the largest, in the least squares fit;
    u_i r_i, which goes to sign(r_i), in a reweighted one (cut off at 2); λ_i in the exact step.
    `absolute` and `squared` are the means of |r_i| and of r_i².

    Events: "least squares" (the start), "exact" (the end).
    """

    index: int
    phase: Phase
    forces: Float[ndarray, " n"]
    residuals: Float[ndarray, " n"]
    absolute: float
    squared: float
    event: Literal["least squares", "exact"] | None = None


def absolute_loss(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, max_iter: int = 30, tol: float = 1e-3
) -> Iterator[AbsoluteLossStep]:
    """Reweight and fit until the mean |r| is within the share `tol` of the least; then be exact.

    The first step is the least squares fit; at most `max_iter` reweighted ones follow, and the
    exact one. Raises ValueError, at the call, unless X is finite, y holds n finite numbers,
    max_iter >= 1 and tol >= 0.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _run(X, y, max_iter, validate.number("tol", tol))


def _run(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], max_iter: int, tol: float
) -> Iterator[AbsoluteLossStep]:
    offsets, scaling = by_largest(X)  # of least rounding
    level = float(np.median(y))
    unit = float(np.abs(y - level).max()) or 1.0
    A = with_ones(offsets)
    target = (y - level) / unit
    exact, balance = _linear_programme(A, target)
    enough = (1 + tol) * np.abs(target - A @ exact).sum() + ROUNDING * len(A)

    def step(
        index: int, theta: Float[ndarray, " p"], forces: Float[ndarray, " n"], phase: Phase
    ) -> AbsoluteLossStep:
        residuals = unit * (target - A @ theta)
        weights, intercept = scaling.linear_back(unit * theta[:-1], unit * theta[-1] + level)
        return AbsoluteLossStep(
            weights=weights,
            intercept=intercept,
            index=index,
            phase=phase,
            forces=forces,
            residuals=residuals,
            absolute=float(np.abs(residuals).mean()),
            squared=float((residuals * residuals).mean()),
            event=None if phase == "reweighted" else phase,
        )

    theta = _weighted(A, target, np.ones(len(A)))
    size = np.abs(residuals := target - A @ theta)
    yield step(0, theta, residuals / (size.max() or 1.0), "least squares")
    soft, index = SOFT * size.mean(), 0
    while index < max_iter and size.sum() > enough:
        index += 1
        u = 1 / np.maximum(size, soft)
        theta = _weighted(A, target, u)
        size = np.abs(residuals := target - A @ theta)
        yield step(index, theta, (u * residuals).clip(-2, 2), "reweighted")
    yield step(index + 1, exact, balance, "exact")


def _weighted(
    A: Float[ndarray, "n p"], y: Float[ndarray, " n"], u: Float[ndarray, " n"]
) -> Float[ndarray, " p"]:
    root = np.sqrt(u / u.max())
    return np.linalg.lstsq(A * root[:, None], y * root)[0]


def _linear_programme(
    A: Float[ndarray, "n p"], y: Float[ndarray, " n"]
) -> tuple[Float[ndarray, " p"], Float[ndarray, " n"]]:
    """Return the parameters of least absolute deviation, and the force of every point."""
    solved = linprog(-y, A_eq=A.T, b_eq=np.zeros(A.shape[1]), bounds=(-1, 1), method="highs-ds")
    if solved.status != 0:
        raise ValueError(f"the linear programme for the absolute loss failed: {solved.message}")
    return -solved.eqlin.marginals, solved.x
