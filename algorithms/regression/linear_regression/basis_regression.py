"""Regression on basis functions that are added one by one: a curve that is linear in its weights.

Model: f(x) = w_0 + w_1 phi_1(x) + ... + w_p phi_p(x). The phi_j are powers, Gaussians, sigmoids or
waves of x (basis.py). With Phi the matrix of rows (1, phi_1(x_i), ..., phi_p(x_i)), of the n
training points, the objective is

    sum_i (y_i - f(x_i))²  =  ‖y - Phi w‖²

and every step adds a column to Phi:

    p <- p + 1          w = (Phi^T Phi)^-1 Phi^T y

All weights are fitted again, so the earlier ones change, too. The fit is judged by its root mean
square error on the training points and on points that were held out:

    RMS = sqrt( mean of (y_i - f(x_i))² )

A further column cannot raise the training error, but it can raise the held-out error. With
p + 1 = n independent columns, f goes through all training points. A further column is then a sum of
the others on these points, and Phi^T Phi is singular: many w have the same error, and the shortest
one is taken, for columns scaled to a largest deviation of 1.

Cost: O(n p²) a step.

Source: CS725 19.1-19.2 (000:2938-3020, figures 27, 28 and 30; its last line for w omits Phi^T).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.regression.basis import MOST_NESTED, Basis, nested_basis
from algorithms.regression.linear_regression.linear_regression import solve

NOTHING = 1e-9  # of the spread of y: a smaller error is rounding
DEPENDENT = 1e-10  # of the largest singular value: below, a column counts as a sum of others
FEW = 4  # functions whose columns differ by far more than rounding

Event = Literal["through all points", "many solutions", "worse on held-out points"]


def basis_regression(
    X: Float[ndarray, "n 1"],
    y: Float[ndarray, " n"],
    *,
    basis: str = "polynomial",
    most: int = 12,
    width: float = 0.1,
    held_out: Bool[ndarray, " n"] | None = None,
) -> Iterator["BasisStep"]:
    """Fit y by a constant, then by one basis function more in each step, `most` in the last.

    basis, width : of the functions, see `nested_basis`. held_out : points that only judge the fits.

    Raises ValueError, at the call, unless X has one finite column, y holds n finite numbers, a
    point is left for training, 1 <= most <= 15, and basis and width are those of a basis.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    most = validate.integer("most", most, 1, MOST_NESTED)
    out = np.zeros(len(X), bool) if held_out is None else np.asarray(held_out)
    if out.shape != y.shape or out.dtype != bool or out.all():
        raise ValueError(f"held_out must be n={len(X)} booleans, not all true, got {held_out!r}")
    features = nested_basis(X[~out], basis, most, width=width)
    columns = features(X)
    first = _fitted(columns, y, out, features, 0, None)
    return iterate(first, partial(advance, columns, y, out), most=most, stopped=None)


def advance(
    columns: Float[ndarray, "n p"],
    y: Float[ndarray, " n"],
    held_out: Bool[ndarray, " n"],
    step: "BasisStep",
) -> "BasisStep":
    """Return the step that follows: all weights fitted again, with one column more."""
    return _fitted(columns, y, held_out, step.features, step.count + 1, step)


def rms(y: Float[ndarray, " n"], fit: Float[ndarray, " n"]) -> float:
    """RMS = sqrt( mean of (y_i - f(x_i))² )."""
    misses = np.abs(y - fit)
    largest = float(misses.max()) or 1.0  # squares of very large misses would overflow
    return largest * float(np.sqrt(np.square(misses / largest).mean()))


@dataclass(frozen=True, eq=False)
class BasisStep(Record):
    """The fit by w_0 (`intercept`) and the first `count` basis functions, with their `weights`.

    `features` has all functions of the run. `training_error` and `held_out_error` are RMS errors;
    the latter is None where no point is held out. `rank` is the number of columns of Phi, without
    that of ones, that are not sums of others: of singular values above the share `DEPENDENT` of the
    largest. The largest grows with every column, so the rank can fall.

    Events: "through all points" (of the training set, for the first time); "many solutions" (the
    newest column is a sum of others on the training points, or nearly so: see `DEPENDENT`); "worse
    on held-out points" (than the step before).
    """

    weights: Float[ndarray, " p"]
    intercept: float
    count: int
    features: Basis
    training_error: float
    held_out_error: float | None
    rank: int
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, " m"]:
        """Return f(x) for every row of `X`."""
        return self.terms(X).sum(axis=1) + self.intercept

    def terms(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, "m p"]:
        """Return w_j phi_j(x) for every row of `X` and every j."""
        return self.features(X)[:, : self.count] * self.weights

    @property
    def all_weights(self) -> Float[ndarray, " q"]:
        """Return w_0 and the weights of the functions."""
        return np.append(self.intercept, self.weights)

    @property
    def largest(self) -> float:
        """Return the largest |w_j|."""
        return float(np.abs(self.all_weights).max())

    def certain(self) -> dict[str, float]:
        """Return the training error of a few functions; many magnify rounding errors."""
        few = {"training_error": self.training_error} if self.count <= FEW else {}
        return {"count": self.count, **few}


def _fitted(
    columns: Float[ndarray, "n p"],
    y: Float[ndarray, " n"],
    out: Bool[ndarray, " n"],
    features: Basis,
    count: int,
    before: BasisStep | None,
) -> BasisStep:
    """w = (Phi^T Phi)^-1 Phi^T y on the training points, with the first `count` columns."""
    target = y[~out]
    weights, intercept, rank = np.zeros(0), float(target.mean()), 0
    if count:
        weights, intercept, rank = solve(columns[~out, :count], target, dependent=DEPENDENT)
    fit = columns[:, :count] @ weights + intercept
    training = rms(target, fit[~out])
    held = rms(y[out], fit[out]) if out.any() else None
    return BasisStep(
        weights=frozen(weights),
        intercept=intercept,
        count=count,
        features=features,
        training_error=training,
        held_out_error=held,
        rank=rank,
        event=_event(before, rank, training, held, NOTHING * float(np.ptp(target))),
    )


def _event(
    before: BasisStep | None, rank: int, training: float, held: float | None, nothing: float
) -> Event | None:
    if before is None:
        return None
    if rank <= before.rank:
        return "many solutions"
    if training <= nothing < before.training_error:
        return "through all points"
    if held is not None and before.held_out_error is not None and held > before.held_out_error:
        return "worse on held-out points"
    return None
