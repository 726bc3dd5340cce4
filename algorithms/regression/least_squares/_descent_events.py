"""What is worth stopping at in a descent of the squared error, and how it ends."""

from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.regression.least_squares.optimizers import DescentStep
from algorithms.regression.least_squares.squared_loss import SquaredLoss

LOST = 1000.0  # times the loss at the start: it has diverged
NEAR = 0.01  # of the excess at the start: the minimum is near
GETS_ON = 0.3  # of the distance walked: it still goes somewhere
ROUNDING = 1e-12  # of the loss: a rise that means nothing

Event = Literal["overshoot", "converged", "diverged", "creeps", "wanders", "stopped at max_iter"]


class View(NamedTuple):
    """The loss of all points at a point of the descent, the part of it above the minimum, and the
    length of the gradient; inf where they cannot be told.
    """

    loss: float
    excess: float
    slope: float


def view(loss: SquaredLoss, theta: Float[ndarray, " p"]) -> View:
    """Look at the loss of all points."""
    with np.errstate(over="ignore", invalid="ignore"):
        excess = loss.excess(theta)
        slope = _length(loss.gradient(theta))
    usable = np.isfinite(excess) and np.isfinite(slope)
    return View(loss.floor + excess if usable else np.inf, excess, slope)


class Events:
    """Names the events of a run, step by step; what they mean is written at the step's class.

    `noisy` : a step looks at a part of the points.
    """

    def __init__(self, loss: SquaredLoss, tol: float, *, noisy: bool) -> None:
        self._noisy, self._overshot, self._tol = noisy, False, tol
        self._slope_at_0 = _length(loss.gradient(np.zeros(len(loss.minimum))))
        self._loss_at_0 = float(loss.y @ loss.y) / len(loss.y)
        self._trail: list[Float[ndarray, " p"]] = []
        self._start = self._before = View(np.inf, np.inf, np.inf)

    def go_on(self, seen: View) -> None:
        """Judge the next step by how the one before is seen on other points."""
        self._before = seen

    def at(self, point: DescentStep, seen: View) -> Event | None:
        """Name what the next step is."""
        if point.index == 0:
            self._start = self._before = seen
        else:
            self._trail.append(point.point)
        before, self._before = self._before, seen
        enough = self._tol * max(self._start.slope, self._slope_at_0)
        lost = LOST * max(self._start.loss, self._loss_at_0)
        rose = before.excess - seen.excess < -ROUNDING * seen.loss
        if point.index and (point.event == "diverged" or not seen.loss <= lost):
            return "diverged"
        if not self._noisy and max(seen.slope, before.slope) <= enough:
            return "converged"
        if point.event:
            return self._ending(seen)
        if rose and not self._noisy and not self._overshot:
            self._overshot = True
            return "overshoot"
        return None

    def _ending(self, seen: View) -> Event:
        """Name the state in which max_iter updates leave the run, by its second half."""
        start, trail = self._start, np.array(self._trail)
        if seen.loss > start.loss and seen.excess > start.excess:
            return "diverged"
        half, far = trail[len(trail) // 2 :], seen.excess > NEAR * start.excess
        walked = np.linalg.norm(np.diff(half, axis=0), axis=1).sum()
        if (far or self._noisy) and np.linalg.norm(half[-1] - half[0]) < GETS_ON * walked:
            return "wanders"
        return "creeps" if far else "stopped at max_iter"


def _length(vector: Float[ndarray, " p"]) -> float:
    """Return the norm of a vector whose squares may be out of range."""
    largest = float(np.abs(vector).max())
    usable = 0 < largest < np.inf
    return largest * float(np.linalg.norm(vector / largest)) if usable else largest
