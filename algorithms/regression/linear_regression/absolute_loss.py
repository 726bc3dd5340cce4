"""Least absolute deviations: a line that outliers in y hardly pull, by reweighted least squares.

Objective, for the model y = w.x + b with residuals r_i = y_i - w.x_i - b:

    f_1(w, b) = 1/n sum_i |r_i|

A residual counts by its size, not by its square: a point pulls at the line with the force
sign(r_i), however far above or below it is, and not with r_i. Without features the solution is the
median of y, where least squares has the mean. A point far out in x pulls on a longer lever, and can
still take the line with it. f_1 has kinks, and no closed form.

Update rule: |r| = r² / |r|, so a squared loss whose weights are 1/|r_i|, from the line before,
equals the absolute loss there. Starting with u_i = 1 (least squares), in turn:

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
from algorithms.core.record import Record
from algorithms.core.scaling import Scaling, by_largest
from algorithms.regression.linear_model import LinearModel

SOFT = 1e-4  # δ, of the mean absolute residual of the least squares line
ROUNDING = 1e-12  # of the targets: a fit is perfect

Phase = Literal["least squares", "reweighted", "exact"]


def absolute_loss(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, max_iter: int = 30, tol: float = 1e-3
) -> Iterator["AbsoluteLossStep"]:
    """Fit and reweight until the mean |r| is within the share `tol` of the least; then solve it.

    The first step is the least squares fit; at most `max_iter` reweighted ones follow, and the
    exact one. Raises ValueError, at the call, unless X is finite, y holds n finite numbers,
    max_iter >= 1 and tol >= 0.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _run(_problem(X, y, max_iter, validate.number("tol", tol)))


def _run(problem: "Problem") -> Iterator["AbsoluteLossStep"]:
    theta = fit(problem.A, problem.y, np.ones(len(problem.A)))
    residuals = problem.y - problem.A @ theta
    forces = residuals / (np.abs(residuals).max() or 1.0)
    step = _step(problem, 0, theta, forces, "least squares")
    yield step
    while step.phase != "exact":
        step = advance(problem, step)
        yield step


def advance(problem: "Problem", step: "AbsoluteLossStep") -> "AbsoluteLossStep":
    """Return the step that follows: reweighted, or exact once f_1 is near its least value."""
    A, y, t = problem.A, problem.y, step.index + 1
    r = step.residuals / problem.unit
    if t > problem.max_iter or np.abs(r).sum() <= problem.enough:
        return _step(problem, t, problem.exact, problem.balance, "exact")
    u = weights(r, problem.soft)
    theta = fit(A, y, u)
    return _step(problem, t, theta, (u * (y - A @ theta)).clip(-2, 2), "reweighted")


def weights(r: Float[ndarray, " n"], soft: float) -> Float[ndarray, " n"]:
    """u_i <- 1 / max(|r_i|, δ)."""
    return 1 / np.maximum(np.abs(r), soft)


def fit(
    A: Float[ndarray, "n p"], y: Float[ndarray, " n"], u: Float[ndarray, " n"]
) -> Float[ndarray, " p"]:
    """θ <- (A^T U A)^-1 A^T U y."""
    root = np.sqrt(u / u.max())
    return np.linalg.lstsq(A * root[:, None], y * root)[0]


def linear_programme(
    A: Float[ndarray, "n p"], y: Float[ndarray, " n"]
) -> tuple[Float[ndarray, " p"], Float[ndarray, " n"]]:
    """Return θ of least f_1, and λ: the force of every point."""
    solved = linprog(-y, A_eq=A.T, b_eq=np.zeros(A.shape[1]), bounds=(-1, 1), method="highs-ds")
    if solved.status != 0:
        raise ValueError(f"the linear programme for the absolute loss failed: {solved.message}")
    return -solved.eqlin.marginals, solved.x


@dataclass(frozen=True, eq=False)
class AbsoluteLossStep(LinearModel):
    """The line after `index` fits; also a model.

    `forces` holds the pull of each point: r_i relative to the largest in the least squares fit;
    u_i r_i, which tends to sign(r_i), in a reweighted fit (cut off at 2); λ_i in the exact step.
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


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """The rows (x_i, 1) and the targets, in units in which the numbers are from -1 to 1.

    unit, level : of y. exact, balance : θ of least f_1, and the forces of the points there.
    enough : the sum of |r| at which the exact step follows. soft : δ.
    """

    A: Float[ndarray, "n p"]
    y: Float[ndarray, " n"]
    scaling: Scaling
    unit: float
    level: float
    exact: Float[ndarray, " p"]
    balance: Float[ndarray, " n"]
    enough: float
    soft: float
    max_iter: int


def _problem(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], max_iter: int, tol: float
) -> Problem:
    offsets, scaling = by_largest(X)  # of least rounding
    level = float(np.median(y))
    unit = float(np.abs(y - level).max()) or 1.0
    A, target = with_ones(offsets), (y - level) / unit
    exact, balance = linear_programme(A, target)
    enough = (1 + tol) * np.abs(target - A @ exact).sum() + ROUNDING * len(A)
    squares = fit(A, target, np.ones(len(A)))
    soft = SOFT * np.abs(target - A @ squares).mean()
    return Problem(
        A, target, scaling, unit, level, exact, balance, float(enough), float(soft), max_iter
    )


def _step(
    problem: Problem,
    index: int,
    theta: Float[ndarray, " p"],
    forces: Float[ndarray, " n"],
    phase: Phase,
) -> AbsoluteLossStep:
    """Return the step with this θ, in the units of the data."""
    unit = problem.unit
    residuals = unit * (problem.y - problem.A @ theta)
    slopes, intercept = problem.scaling.linear_back(
        unit * theta[:-1], unit * theta[-1] + problem.level
    )
    return AbsoluteLossStep(
        weights=slopes,
        intercept=intercept,
        index=index,
        phase=phase,
        forces=forces,
        residuals=residuals,
        absolute=float(np.abs(residuals).mean()),
        squared=float((residuals * residuals).mean()),
        event=None if phase == "reweighted" else phase,
    )
