"""Words for the absolute loss: what a fit did, and what the farthest point counted for in it."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.absolute_loss import SOFT, AbsoluteLossStep
from viz.core.words import number
from viz.regression.least_squares.equations import equation, four


def caption(X: ndarray, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    """Say what fit `now` did, and what the farthest point counted for in it."""
    step = steps[now]
    means = f"mean |r| = {four(step.absolute)}, mean r² = {four(step.squared)}"
    if now == 0:
        size = np.abs(step.residuals)
        far, total = int(size.argmax()), float((size * size).sum()) or 1.0
        return (
            f"Start: least squares, {equation(step)}: {means}.\n"
            f"Every point pulls in proportion to its residual. Point {far + 1}, at x = "
            f"{number(X[far, 0])} with r = {four(step.residuals[far])}, has "
            f"{100 * size[far] ** 2 / total:.3g} % of Σ r², "
            f"but {100 * size[far] / (size.sum() or 1.0):.3g} % of Σ |r|."
        )
    before = steps[now - 1]
    if step.phase == "exact":
        above = int((step.forces > 1 - 1e-6).sum())
        below = int((step.forces < 1e-6 - 1).sum())
        return (
            f"Exact, by linear programming: {equation(step)}: {means}. For least squares they "
            f"were {four(steps[0].absolute)} and {four(steps[0].squared)}.\n"
            f"{above} points above the line pull up with force 1, {below} below it down with "
            "force 1, however far away they are; those on the line balance them."
        )
    size = np.abs(before.residuals)
    far, middle = int(size.argmax()), float(np.median(size))
    soft = SOFT * steps[0].absolute
    return (
        f"Fit {now} with the weights u = 1 / |r| of the line before: {equation(step)}. Mean |r| "
        f"{four(before.absolute)} → {four(step.absolute)}, mean r² "
        f"{four(before.squared)} → {four(step.squared)}.\n"
        f"Point {far + 1}, at x = {number(X[far, 0])}, was farthest, r = "
        f"{four(before.residuals[far])}: u = 1 / "
        f"{four(size[far])} = {four(1 / size[far])}; one in the middle, |r| = "
        f"{four(middle)}, had u = {four(1 / max(middle, soft))}."
    )
