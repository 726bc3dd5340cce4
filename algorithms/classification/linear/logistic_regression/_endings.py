"""The events of a run of logistic regression, and how it ends."""

from typing import Literal, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.classification.linear.logistic_regression._newton_direction import newton_direction
from algorithms.classification.linear.logistic_regression.task import Task

ROUNDING = 1e-13  # a change of the loss that means nothing
LOST = 1000.0  # times the loss at the start: gradient descent has diverged
RECENT = 10  # steps: if the loss rose in one of the last 10, it has not settled

Ending = Literal[
    "converged", "diverged", "oscillates", "weights grow without bound", "stopped at max_iter"
]
Event = Literal["separated", "overshoot"] | Ending


@runtime_checkable
class Reached(Protocol):
    """The quantities of a step that decide how the run ends."""

    @property
    def index(self) -> int: ...
    @property
    def loss(self) -> float: ...
    @property
    def gradient_norm(self) -> float: ...
    @property
    def started(self) -> float: ...
    @property
    def separated(self) -> bool: ...
    @property
    def last_rise(self) -> int: ...


def rose(before: float, after: float) -> bool:
    """Return whether a loss is higher by more than rounding."""
    return after > before + ROUNDING * (1 + before)


def ending(
    task: Task, max_iter: int, step: Reached, *, flat: bool, P: Float[ndarray, "k n"],
    g: Float[ndarray, "rows p"],
) -> Ending | None:  # fmt: skip
    """Return the event with which this step ends the run, or None.

    flat : the gradient is practically 0, or no update lowers the loss. P, g : probabilities and
    gradient there.
    """
    if step.loss > LOST * step.started:
        return "diverged"
    if flat:
        grows = step.separated or unbounded(task, P, g)
        return "weights grow without bound" if grows else "converged"
    if step.index < max_iter:
        return None
    if step.last_rise > max(0, step.index - RECENT):
        return "diverged" if step.loss > step.started else "oscillates"
    return "weights grow without bound" if step.separated else "stopped at max_iter"


def unbounded(task: Task, P: Float[ndarray, "k n"], g: Float[ndarray, "rows p"]) -> bool:
    """Return whether some weights would grow for ever (without a penalty).

    The sign is that hardly any loss is left to gain, but Newton's method would still move the
    scores.
    """
    if task.penalty > 0:
        return False
    direction = newton_direction(task, P, g)
    gain = float(np.vdot(direction, g))
    return gain < 1e-7 and bool(np.abs(direction @ task.AT).max() > 0.5)
