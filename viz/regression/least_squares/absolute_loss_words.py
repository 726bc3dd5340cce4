"""Words for the absolute loss: what a fit did, and what the farthest point counted for in it."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.absolute_loss import SOFT, AbsoluteLossStep
from viz.core.words import counted, number
from viz.regression.least_squares.equations import equation, four, reading
from viz.regression.least_squares.regression_lines import parameters

_ROUNDING = 1e-9  # of the stretch of y: nearer to the line is on it


def caption(X: ndarray, query: float, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    """Say what fit `now` did, and what the farthest point counted for in it."""
    told = _start if now == 0 else _exact if steps[now].phase == "exact" else _reweighted
    return f"{told(X, steps, now)}\n{reading(query, parameters(steps[now]))}"


def _start(X: ndarray, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    step = steps[now]
    size = np.abs(step.residuals)
    far, total = int(size.argmax()), float((size * size).sum()) or 1.0
    return (
        f"Start: least squares, {equation(step)}: mean |r| = {four(step.absolute)}, mean r² = "
        f"{four(step.squared)}.\n"
        f"Every point pulls in proportion to its residual. Point {far + 1}, at x = "
        f"{number(X[far, 0])} with r = {four(step.residuals[far])}, has "
        f"{100 * size[far] ** 2 / total:.3g} % of Σ r², "
        f"but {100 * size[far] / (size.sum() or 1.0):.3g} % of Σ |r|."
    )


def _exact(X: ndarray, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    step, first = steps[now], steps[0]
    clear = _ROUNDING * np.ptp(X[:, 1])  # a point on the line may pull with force 1, too
    above = int((step.residuals > clear).sum())
    below = int((step.residuals < -clear).sum())
    return (
        f"Exact, by linear programming: {equation(step)}. No line has a smaller mean |r| than "
        f"{four(step.absolute)}; least squares has {four(first.absolute)}.\n"
        f"{counted(above, 'point')} above the line: each pulls up with force 1, however far away; "
        f"{below} below: each pulls down with force 1. Those on the line balance them."
    )


def _reweighted(X: ndarray, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    step, before = steps[now], steps[now - 1]
    size = np.abs(before.residuals)
    far, soft = int(size.argmax()), SOFT * steps[0].absolute
    middle = max(float(np.median(size)), soft)
    return (
        f"Fit {now}: the mean |r| goes from {four(before.absolute)} to {four(step.absolute)}; the "
        f"line is now {equation(step)}.\n"
        f"Weights u = 1 / |r|, r of the line before: point {far + 1} was "
        f"farthest, u = 1 / {four(size[far])} = {four(1 / size[far])}; the median |r| has u = "
        f"1 / {four(middle)} = {four(1 / middle)}. Mean r² {four(before.squared)} → "
        f"{four(step.squared)}."
    )
