"""Words for leverage: how far the line follows a point, and why so far."""

from algorithms.regression.least_squares.linear_regression import moments
from viz.core.words import added, enclosed, number
from viz.regression.least_squares.equations import four
from viz.regression.least_squares.leverage import Pulled

MARKS = (
    " Dashed: the line before the pull. The larger a point, the larger its leverage. The thick "
    "stroke is the way of the line at the point that is pulled. In the view of the fit the dotted "
    "line is a fit that follows the point all the way."
)


def caption(pulled: Pulled, now: int) -> str:
    """Say how far the line follows the point at step `now`, with the numbers in the rule."""
    step, h, lift = pulled.steps[now], pulled.leverage, pulled.steps[now].lifted
    where = f"The point at x = {number(pulled.x)}"
    moved = f"{'lifted' if lift > 0 else 'lowered'} by {number(abs(lift))}"
    first = (
        f"{where} is {moved}; the line follows it by {number(h * abs(lift))}, {_percent(h)} of "
        "the way."
    )
    if step.event:
        first = (
            f"{where} is where it was. Drag it up and down: the line follows it by "
            f"{_percent(h)} of the way."
        )
    return f"{first}\n{_leverage(pulled)}\n{_slope(pulled, now)}"


def _leverage(pulled: Pulled) -> str:
    """Put the numbers into the rule of the leverage."""
    (x_mean, _, s_xx, _), n = moments(*pulled.data.X.T), len(pulled.data.X)
    average = f"the average is 2/{n} = {number(2 / n)}"
    if s_xx == 0:
        return f"All x are the same, so h = 1/n = 1/{n} = {number(1 / n)}."
    away = f"({number(pulled.x)} {added(-x_mean)})²"
    rule = f"1/{n} + {away} / {four(s_xx)} = {number(pulled.leverage)}"
    return f"Leverage h = 1/n + (x − x̄)² / Sxx = {rule}; {average}."


def _slope(pulled: Pulled, now: int) -> str:
    """Put the numbers into the rule of the slope."""
    x_mean, _, s_xx, _ = moments(*pulled.data.X.T)
    step, before = pulled.steps[now], pulled.before
    if s_xx == 0:
        return f"No slope can be told; the level is {four(step.intercept)}."
    old, new = float(before.weights[0]), float(step.weights[0])
    change = f"{enclosed(step.lifted)} · {enclosed(pulled.x - x_mean)} / {four(s_xx)}"
    return f"Slope w ← w + δ (x − x̄) / Sxx = {four(old)} + {change} = {four(new)}, δ the lift."


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
