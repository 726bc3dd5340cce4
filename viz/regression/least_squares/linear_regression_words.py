"""Words for linear regression by formula: what a projection did, with its numbers."""

from collections.abc import Sequence

from numpy import ndarray

from algorithms.regression.least_squares.linear_regression import ProjectionStep, moments
from viz.regression.least_squares.equations import equation, four


def caption(X: ndarray, steps: Sequence[ProjectionStep], now: int) -> str:
    """Say what projection `now` did, with its numbers in the closed form."""
    step = steps[now]
    if now == 0:
        return (
            f"Start: y as one vector, with an entry for each of the points: ‖y‖ = "
            f"{four(step.residual)}. The fit is 0, and every residual is y itself.\n"
            "Next: drop a perpendicular from y to the multiples of (1, …, 1), then to those of "
            "x − x̄. All lines w x + b together are that plane."
        )
    squares = f"{four(step.before**2)} = {four(step.part**2)} + {four(step.residual**2)}"
    if now == 1:
        return (
            f"Project y on the column of ones: b = Σ y / n = ȳ = {four(step.intercept)}. The "
            f"residuals now sum to {_zero(step.products[1], step.before)}.\n"
            f"Right angle, so Pythagoras: ‖y‖² = ‖ȳ‖² + ‖y − ȳ‖²: {squares}; f = ‖y − ȳ‖² / n = "
            f"{four(step.loss)}."
        )
    pythagoras = f"‖y − ȳ‖² = ‖ŷ − ȳ‖² + ‖y − ŷ‖²: {squares}"
    if step.event == "nothing new":
        return (
            "All x are the same: x − x̄ = 0 adds nothing to the fit, and no slope can be told. The "
            f"mean stays, {equation(step)}.\n{pythagoras}; R² = {step.r_squared:.4g}."
        )
    x, y, s_xx, s_xy = map(four, moments(*X.T))
    return (
        f"Project the rest on x − x̄: w = Sxy / Sxx = {s_xy} / {s_xx} = "
        f"{four(step.weights[0])}; b = ȳ − w x̄ = {y} − {four(step.weights[0])} · {x} = "
        f"{four(step.intercept)}. Now Σ r = 0 and Σ r x = 0.\n"
        f"{pythagoras}; R² = {four(step.part**2)} / {four(step.before**2)} = "
        f"{step.r_squared:.4g}; f = {four(step.loss)}."
    )


def _zero(value: float, scale: float) -> str:
    return "0" if abs(value) < 1e-6 * (1 + scale) else four(value)
