"""A step function as a line."""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.tree_on_one_feature import StepFunction
from viz.core import plane

_MOST = 400  # parts of a step function that are drawn
_JUMP = 1e-4  # of the picture's width, or of the narrowest part


def step_curve(
    f: StepFunction, left: float, right: float, *, width: float, dash: str = "solid", **how: object
) -> dict:
    """Draw a step function."""
    stroke = {"width": width, "dash": dash}
    if "color" in how:
        stroke["color"] = how.pop("color")
    return plane.line(corners(f, left, right), line=stroke, **how)


def corners(f: StepFunction, left: float, right: float) -> ndarray:
    """Return (m, 2) corners of a step function, or its value at 400 places if it has more parts.

    Jumps are very steep lines, so that the corners can be joined by straight lines.
    """
    if len(f.cuts) < _MOST:
        x, y = f.cuts, f.values
    else:
        x = np.linspace(left, right, _MOST + 1)[1:-1]
        y = f(np.append(x, right))
    jump = _JUMP * min([right - left, *np.diff(x)])
    first, last = min([left, *x[:1]]), max([right, *(x[-1:] + jump)])
    places = np.concatenate([[first], np.repeat(x, 2), [last]])
    places[2:-1:2] += jump
    return np.stack([places, np.repeat(y, 2)], axis=1)
