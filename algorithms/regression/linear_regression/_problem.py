"""What defines a gradient descent: the bowl, the rule, the batches drawn ahead, and how it ends."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.optimizers import Rule
from algorithms.core.record import Record
from algorithms.regression.linear_regression.squared_loss import (
    SquaredLoss,
    gradient,
)

LOST = 1000.0  # times the loss at the start: the run has diverged


@dataclass(frozen=True, eq=False)
class Batches(Record):
    """The points that each update looks at, `size` at a time, drawn ahead.

    orders : of the points in every epoch; empty where every update looks at all points.
    """

    orders: Int[ndarray, "epochs n"]
    size: int

    @property
    def per_epoch(self) -> int:
        """Return the number of updates in an epoch."""
        return -(-self.orders.shape[1] // self.size)

    def epoch(self, t: int) -> int:
        """Return the epoch, counted from 1, that update t = 1, 2, ... belongs to."""
        return 1 + (t - 1) // self.per_epoch

    def rows(self, t: int) -> Int[ndarray, " b"]:
        """Return the points of update t; empty where all updates look at all points."""
        if len(self.orders) == 0:
            return self.orders.ravel()
        epoch, i = divmod(t - 1, self.per_epoch)
        return self.orders[epoch, i * self.size : (i + 1) * self.size]


def drawn_batches(n: int, size: int | None, updates: int, rng: Generator) -> Batches:
    """Shuffle n points for every epoch of a number of updates; without `size` use all in each.

    Raises ValueError unless size is from 1 to n.
    """
    size = n if size is None else validate.integer("batch", size, 1, n, high_name="n")
    epochs = -(-updates // -(-n // size)) if size < n else 0
    orders = [rng.permutation(n) for _ in range(epochs)]
    return Batches(np.array(orders, int).reshape(epochs, n), size)


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """The `bowl` to descend by a `rule`.

    level : the slope at which a run has converged. lost : the loss at which it has diverged.
    """

    bowl: SquaredLoss
    rule: Rule
    batches: Batches
    level: float
    lost: float

    def look(self, theta: Float[ndarray, " p"]) -> tuple[float, float, float]:
        """Return f at θ, how far it is above the minimum, and the length of the gradient.

        f is inf where one of the other two is not finite.
        """
        return _look(self.bowl, theta)

    def end(
        self, loss: float, slope: float, before: float
    ) -> Literal["converged", "diverged"] | None:
        """Return whether a step has converged or diverged, or None.

        before : the slope one step before.
        """
        if not loss <= self.lost:
            return "diverged"
        every = len(self.batches.orders) == 0
        return "converged" if every and max(slope, before) <= self.level else None


def problem_of(
    bowl: SquaredLoss, rule: Rule, batches: Batches, start: Float[ndarray, " p"], tol: float
) -> Problem:
    """Return the problem.

    `level` and `lost` are relative to slope and loss at the start or at θ = 0, the larger ones.
    """
    tol = validate.number("tol", tol)
    (loss, _, slope), (loss_at_0, _, slope_at_0) = (_look(bowl, at) for at in (start, 0 * start))
    level, lost = tol * max(slope, slope_at_0), LOST * max(loss, loss_at_0)
    return Problem(bowl, rule, batches, level, lost)


def starting_at(start: Float[ndarray, " p"] | None, p: int) -> Float[ndarray, " p"]:
    """Return θ at the start: zeros by default. Raises ValueError unless it is p finite numbers."""
    theta = np.zeros(p) if start is None else np.asarray(start, float)
    if theta.shape != (p,):
        raise ValueError(f"start must have shape (d + 1,) = ({p},), got shape {theta.shape}")
    return validate.points(theta[None], name="start")[0]


def _look(bowl: SquaredLoss, theta: Float[ndarray, " p"]) -> tuple[float, float, float]:
    with np.errstate(over="ignore", invalid="ignore"):
        excess = bowl.excess(theta)
        slope = _length(gradient(bowl.A, bowl.y, theta))
    usable = np.isfinite(excess) and np.isfinite(slope)
    return bowl.floor + excess if usable else np.inf, excess, slope


def _length(vector: Float[ndarray, " p"]) -> float:
    """Return the norm of a vector whose squares may be out of range."""
    largest = float(np.abs(vector).max())
    usable = 0 < largest < np.inf
    return largest * float(np.linalg.norm(vector / largest)) if usable else largest
