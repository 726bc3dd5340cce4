"""Words for linear regression by formula: what a projection did, with its numbers."""

from collections.abc import Sequence

from numpy import ndarray

from algorithms.regression.least_squares.linear_regression import ProjectionStep, moments
from viz.regression.least_squares.equations import (
    enclosed_four,
    equation,
    four,
    reading,
)
from viz.regression.least_squares.regression_lines import parameters


def caption(X: ndarray, query: float, steps: Sequence[ProjectionStep], now: int) -> str:
    """Say what projection `now` did, with its numbers in the closed form."""
    step = steps[now]
    told = _start if now == 0 else _level if now == 1 else _tilt
    return f"{told(X, step)}\n{reading(query, parameters(step))}"


def _start(X: ndarray, step: ProjectionStep) -> str:
    return (
        f"Start: the fit is 0 at each of the {len(X)} points, so the residuals are y itself, an "
        f"arrow of length ‖y‖ = {four(step.residual)}.\n"
        "Next: drop a perpendicular from y to the multiples of (1, …, 1), then to those of "
        "x − x̄. Together these are all that a line w x + b can predict."
    )


def _level(X: ndarray, step: ProjectionStep) -> str:
    squares = f"{four(step.before**2)} = {four(step.part**2)} + {four(step.residual**2)}"
    return (
        f"The best level is the mean of y, {four(step.intercept)}: the arrow of residuals shrinks "
        f"from {four(step.before)} to {four(step.residual)}.\n"
        f"Project y on the ones: b = Σ y / n = ȳ = {four(step.intercept)}, Σ r = "
        f"{_zero(step.products[1], step.before)}. Right angle: ‖y‖² = ‖ȳ‖² + ‖y − ȳ‖²: {squares}; "
        f"f = ‖y − ȳ‖² / n = {four(step.loss)}."
    )


def _tilt(X: ndarray, step: ProjectionStep) -> str:
    squares = f"{four(step.part**2)} / {four(step.before**2)} = {four(step.r_squared)}"
    explained = f"R² = ‖ŷ − ȳ‖² / ‖y − ȳ‖² = {squares}"
    if step.event == "nothing new":
        return (
            f"All x are the same: no slope can be told, and the mean stays, {equation(step)}.\n"
            f"x − x̄ = 0 adds nothing to the fit: {explained}."
        )
    x, y, s_xx, s_xy = moments(*X.T)
    w = float(step.weights[0])
    return (
        f"The best slope is {four(w)}: with it {four(100 * step.r_squared)} % of the squared "
        f"residuals are gone; f = {four(step.loss)}.\n"
        f"w = Sxy / Sxx = {four(s_xy)} / {four(s_xx)} = {four(w)}; b = ȳ − w x̄ = {four(y)} − "
        f"{enclosed_four(w)} · {enclosed_four(x)} = {four(step.intercept)}; {explained}."
    )


def _zero(value: float, scale: float) -> str:
    return "0" if abs(value) < 1e-6 * (1 + scale) else four(value)
