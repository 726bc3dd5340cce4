"""What a class can draw on a picture, everybody on a phone, and how the drawings are judged."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import numpy as np
from numpy import ndarray

MOST_PLACES = 8  # of a drawing

Shape = Literal["line", "street", "points", "stump", "disc"]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawing that a few places on the picture stand for.

    task : what everybody is asked to draw. shape : "line" through two places; "street", the line
    through two places with an edge through the third and its mirror image; "points"; "stump", an
    upright or level cut through the first place, with the second place beside it on one of its
    sides; "disc" around the first place, with the second one on its rim. names : of the places.
    start : (k, 2) places to begin with. measure : what the cost is, such as "mean squared error".
    cost : given (k, 2) places; raises ValueError if they are no drawing. best : (k, 2) places of
    the lowest cost that the algorithm finds. classes : points are shown with their classes;
    without, a picture that shows clusters tells no answer. run : given (m, k, 2) places of a
    class's drawings, the parameters with which this lab runs on them; None if it cannot. runs :
    what the button of this run says.
    """

    task: str
    shape: Shape
    names: tuple[str, ...]
    start: ndarray
    measure: str
    cost: Callable[[ndarray], float]
    best: ndarray
    classes: bool = True
    run: Callable[[ndarray], dict[str, str]] | None = None
    runs: str = ""

    def judge(self, places: ndarray) -> float | None:
        """Return the cost of a drawing, or None if the places are no drawing."""
        if places.shape != self.start.shape or not np.isfinite(places).all():
            return None
        try:
            cost = float(self.cost(places))
        except ValueError:
            return None
        return cost if isfinite(cost) else None
