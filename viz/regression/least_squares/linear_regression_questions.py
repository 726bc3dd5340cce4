"""Where does the line go: with another column, with a point that is pulled, with another loss?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.regression.least_squares.absolute_loss import AbsoluteLossStep
from algorithms.regression.least_squares.linear_regression import ProjectionStep, moments
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Plane
from viz.core.words import number
from viz.regression.least_squares.leverage import Pulled

_TOLD = 0.05  # of the range of y, or of a slope: numbers nearer to each other are alike


def ask_formula(data: Plane, steps: Sequence[ProjectionStep]) -> Ask:
    """Ask for the height of the level line, then for the slope."""

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        return _height(data) if after.column == -1 else _slope(data, after)

    return asking(len(steps), about)


def _height(data: Plane) -> Question | None:
    """Ask which middle of y the column of ones gives."""
    left, right, bottom, top = data.bounds
    y = data.X[:, 1]
    heights = [float(of) for of in (y.mean(), np.median(y), (y.min() + y.max()) / 2)]
    named = [
        Option(f"{name}, at {number(height)}", (0, (left + right) / 2, height))
        for name, height in zip(("the mean", "the median", "half-way up"), heights, strict=True)
    ]
    told = _TOLD / 2 * (top - bottom)
    others = [i for i in (1, 2) if abs(heights[i] - heights[0]) > told]
    reason = (
        f"Σ (y − b)² is least where b is the mean of y, {number(heights[0])}; the residuals above "
        "and below add up to 0 there."
    )
    text = "The column of ones comes first. At which height is the level line?"
    return question(text, named[0], [named[i] for i in others], reason)


def _slope(data: Plane, after: ProjectionStep) -> Question | None:
    """Ask for the slope, among those of the other regression and of the two spreads."""
    x, y = data.X.T
    w, (_, _, s_xx, s_xy) = float(after.weights[0]), moments(x, y)
    s_yy = moments(y, x).s_xx
    if s_xx == 0 or s_xy == 0:
        return None
    slopes = [s_yy / s_xy, float(np.sign(s_xy) * np.sqrt(s_yy / s_xx)), 2 * w, -w]
    others = [Option(number(slope)) for slope in slopes if abs(slope - w) > _TOLD * abs(w)]
    reason = (
        f"w = Sxy / Sxx = {number(s_xy)} / {number(s_xx)} = {number(w)}: the residuals are then "
        "at a right angle to x."
    )
    text = "The column x is added. Which slope w does the line get?"
    return question(text, Option(number(w)), others, reason)


def ask_leverage(pulled: Pulled) -> Ask:
    """Ask how far the line goes along with the point, and what its slope does."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = pulled.steps[now], pulled.steps[now + 1]
        if rng.random() < 0.5:
            return _follows(pulled, before.height, after.height)
        old, new = (float(step.weights[0]) for step in (before, after))
        mean = number(float(pulled.data.X[:, 0].mean()))
        reason = (
            f"The point is at {number(pulled.x)}, and the mean of x is {mean}: the slope goes "
            f"from {number(old)} to {number(new)}."
        )
        place = (0, pulled.x, before.height)
        return rises_or_falls(
            "The point ? is pulled up. What does the slope of the line do?",
            old,
            new,
            reason,
            place=place,
        )

    return asking(len(pulled.steps), about)


def _follows(pulled: Pulled, low: float, high: float) -> Question | None:
    """Ask for the share of the way that the line goes along with the point."""
    h, n, way = pulled.leverage, len(pulled.data.X), high - low
    if way <= 0:
        return None
    ways = [h * way, way, way / n, way / 2]
    options = [Option(number(goes)) for goes in ways]
    others = [options[i] for i in (1, 2, 3) if abs(ways[i] - ways[0]) > _TOLD * ways[0]]
    reason = (
        f"Its leverage is h = {number(h)}, which depends on x alone: {number(h)} · {number(way)} = "
        f"{number(h * way)}."
    )
    text = f"The point ? is pulled up by {number(way)}. How far does the line rise at its x?"
    return question(text, options[0], others, reason, (0, pulled.x, low))


def ask_outliers(steps: Sequence[AbsoluteLossStep]) -> Ask:
    """Ask which way the line turns, and what that does to the squared error."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.5:
            reason = (
                f"Mean r² goes from {number(before.squared, 4)} to {number(after.squared, 4)}, "
                f"mean |r| from {number(before.absolute, 4)} to {number(after.absolute, 4)}."
            )
            text = "The next line has a smaller mean |r|. What does the mean of r² do?"
            return rises_or_falls(text, before.squared, after.squared, reason)
        old, new = (float(step.weights[0]) for step in (before, after))
        reason = (
            f"It goes from {number(old)} to {number(new)}, and mean |r| from "
            f"{number(before.absolute, 4)} to {number(after.absolute, 4)}."
        )
        text = "The next line has a smaller mean |r|. What does its slope do?"
        return rises_or_falls(text, old, new, reason, least=_TOLD / 10)

    return asking(len(steps), about)
