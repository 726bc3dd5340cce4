"""What is worth stopping at in a run of logistic regression, and how it ends."""

from collections import deque
from typing import Literal

from algorithms.classification.linear.softmax_loss import Point, SoftmaxLoss

ROUNDING = 1e-13  # a change of the loss that means nothing
LOST = 1000.0  # times the loss at the start: gradient descent has diverged

Ending = Literal[
    "converged", "diverged", "oscillates", "weights grow without bound", "stopped at max_iter"
]
Event = Literal["separated", "overshoot"] | Ending


class Events:
    """Names the events of a run, step by step; what they mean is written at the step's class."""

    def __init__(self, loss: SoftmaxLoss, max_iter: int, tol: float, *, newton: bool) -> None:
        self._loss, self._max_iter, self._tol, self._newton = loss, max_iter, tol, newton
        self._separated, self._start = False, float("inf")
        self._rises: deque[bool] = deque(maxlen=10)

    def go_on(self, loss: SoftmaxLoss, point: Point) -> None:
        """Judge by the loss on other points, from a point on."""
        self._loss, self._separated = loss, False
        self._start = max(self._start, point.loss)

    def at(self, index: int, before: Point, point: Point, accuracy: float) -> Event | None:
        """Name what happened at step `index`, from `before` to `point`.

        They are the same where there is no next one: it would not be finite (gradient) or not be
        lower (Newton).
        """
        if index == 0:
            self._start = point.loss
        self._rises.append(point.loss > before.loss + ROUNDING * (1 + before.loss))
        event: Event | None = "overshoot" if self._rises[-1] else None
        if not self._separated and accuracy == 1 and self._loss.separated(point):
            event, self._separated = "separated", True
        return self._ending(index, before, point) or event

    def _ending(self, index: int, before: Point, point: Point) -> Ending | None:
        stuck = index > 0 and point is before
        if point.loss > LOST * self._start or (stuck and not self._newton):
            return "diverged"
        if stuck or point.gradient_norm <= self._tol:
            grows = self._separated or self._loss.unbounded(point)
            return "weights grow without bound" if grows else "converged"
        if index < self._max_iter:
            return None
        if any(self._rises):
            return "diverged" if point.loss > self._start else "oscillates"
        return "weights grow without bound" if self._separated else "stopped at max_iter"
