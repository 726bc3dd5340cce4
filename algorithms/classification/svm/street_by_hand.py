"""A street that is turned by hand, and how much better the best streets are.

A street is a linear f(x) = w.x + b: the line f = 0 in its middle, its edges f = -1 and f = +1, and
2 / ||w|| from edge to edge. With signs y_i = -1 or +1, the margin of a point is m_i = y_i f(x_i),
and the cost of the street is

    P = 1/2 ||w||^2 + C sum_i hinge(m_i),   hinge(m) = max(0, 1 - m)

The hinge loss of a point is its distance from its own edge, in half-widths of the street, if it is
on the wrong side of that edge.
Here f is given by three places: two on the line and one on the edge f = +1,

    f(x) = n.(x - p) / n.(q - p)     n at a right angle to the line through p, q on the edge.

Update rule: next comes the best street of this direction n, the f(x) = s n.x + b with the least P,
which is a support vector machine on the single column n.x; then the best street of all directions.

If the columns are standardised, so are the places, and ||w|| is in these units: on the axes of the
columns as they are, the street has another width.

Cost: O(n), and the two runs of SMO.

Source: 20APC3316 (002:2781, the hinge loss), CS725 21.2-21.5 (000:3465).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import SvmTask, two_classes
from algorithms.classification.svm.svm import svm
from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import linear
from algorithms.core.record import Record, last
from algorithms.core.scores import highest

ON_EDGE = 1e-3  # of a margin: a point nearer to its edge is on it
LONG, WIDE = 0.3, 0.12  # of the picture: from its middle to the first ends and edge

Event = Literal["best of this direction", "best of all"]


@dataclass(frozen=True, eq=False)
class StreetStep(Record):
    """A street: f(x) = weights.x + bias; also a model.

    Events: "best of this direction" (offset and width are the best for the line's direction);
    "best of all" (the support vector machine).
    """

    task: SvmTask
    index: int
    weights: Float[ndarray, " 2"]
    bias: float
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " 2"]:
        """Return the two classes, f > 0 for the second."""
        return self.task.classes

    @property
    def length(self) -> float:
        """Return ||w||."""
        return float(np.hypot(*self.weights))

    @property
    def width(self) -> float:
        """Return 2 / ||w||, from edge to edge; 0 if w has no length."""
        return 2 / self.length if self.length > 0 else 0.0

    @property
    def margins(self) -> Float[ndarray, " n"]:
        """Return m_i = y_i f(x_i) of the points."""
        return self.task.signs * self.decision_function(self.task.points)

    @property
    def hinges(self) -> Float[ndarray, " n"]:
        """Return max(0, 1 - m_i) of the points."""
        return np.maximum(1 - self.margins, 0)

    def width_on(self, unit: Float[ndarray, " 2"]) -> float:
        """Return the width on axes on which 1 is `unit` long; 0 if w has no length."""
        slope = float(np.hypot(*(self.weights / unit)))
        return 2 / slope if slope > 0 else 0.0

    def ways_back(self, unit: Float[ndarray, " 2"]) -> Float[ndarray, "n 2"]:
        """Return the shortest vector from every point to its own edge; 0 without a loss or edge.

        unit : how long 1 is on the axes of the vectors. Which vector is the shortest depends on it.
        """
        if self.length == 0:
            return np.zeros_like(self.task.points)
        slope = self.weights / unit  # of f, on these axes
        reach = self.task.signs * self.hinges / max(float(slope @ slope), 1e-300)
        return reach[:, None] * slope

    @property
    def support(self) -> Int[ndarray, " s"]:
        """Return the points on their own edge, in the street or on its wrong side, ascending."""
        return np.flatnonzero(self.margins <= 1 + ON_EDGE)

    @property
    def half_norm(self) -> float:
        """Return 1/2 ||w||^2."""
        return self.length**2 / 2

    @property
    def objective(self) -> float:
        """Return P."""
        return self.half_norm + self.task.C * float(self.hinges.sum())

    def decision_function(self, X: Float[ndarray, "m 2"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`."""
        return X @ self.weights + self.bias

    def predict(self, X: Float[ndarray, "m 2"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class where f = 0."""
        return highest(self.decision_function(X), self.classes)


def street_by_hand(
    plane: Float[ndarray, "n 2"],
    y: Int[ndarray, " n"],
    places: Float[ndarray, "3 2"],
    *,
    C: float = 1.0,
    standardize: bool = False,
) -> Iterator[StreetStep]:
    """Yield the street of three places, the best one of its direction, and the best of all.

    Two of the `places` are on the line, the third is on the edge on the side of the second class,
    all in the units of the plane. With `standardize` the steps are in standardised units.

    Raises ValueError, at the call, unless the plane is finite and has two columns, y holds n
    integers of two classes, C > 0, and the places are finite and not on one line.
    """
    plane = validate.points(plane, name="plane")
    if plane.shape[1] != 2:
        raise ValueError(f"plane must have two columns, got d={plane.shape[1]}")
    units = polynomial_features(plane, 1, standardize=standardize)
    task = two_classes(units(plane), y, C, linear(), 0.0)
    return _improve(task, *through(units(validate.points(places, name="places"))))


def through(places: Float[ndarray, "3 2"]) -> tuple[Float[ndarray, " 2"], float]:
    """Return w and b of the street of two places on its line and one on its edge f = +1.

    Raises ValueError if they are on one line.
    """
    first, second, edge = places
    along, up = second - first, edge - first
    normal = np.array([-along[1], along[0]])
    height = float(normal @ up)
    if abs(height) <= 1e-9 * np.hypot(*along) * np.hypot(*up):
        raise ValueError(
            "The three places must not be on one line: the street would have no width, or its line "
            "no direction. Drag one of them away."
        )
    weights = normal / height
    return weights, float(-weights @ first)


def places_on(step: StreetStep) -> Float[ndarray, "3 2"]:
    """Return three places that `through` turns into this street, whose w must have a length."""
    unit = step.weights / step.length
    middle = step.task.points.mean(axis=0)
    foot = middle - float(step.decision_function(middle[None])[0]) / step.length * unit
    along = np.array([-unit[1], unit[0]])
    return foot + np.stack([along, -along, unit / step.length])


def between_means(
    X: Float[ndarray, "n 2"], y: Int[ndarray, " n"], box: tuple[float, float, float, float]
) -> Float[ndarray, "3 2"]:
    """Return places to begin with: a line half-way between the means of classes 0 and 1.

    The line is at a right angle to the line through both means, as a picture of `box` (left, right,
    bottom, top) shows it; the edge is on the side of class 1. A class without points has its mean
    in the middle of the picture.
    """
    corner, size = np.array(box[::2]), np.array([box[1] - box[0], box[3] - box[2]])
    shares = (X - corner) / size
    low, high = (shares[y == k].mean(axis=0) if (y == k).any() else np.full(2, 0.5) for k in (0, 1))
    way = high - low if np.hypot(*(high - low)) > 1e-6 else np.array([0.0, -1.0])
    way /= np.hypot(*way)
    middle = np.clip((low + high) / 2, 0.35, 0.65)
    across = LONG * np.array([-way[1], way[0]])
    return corner + size * np.stack([middle + across, middle - across, middle + WIDE * way])


def _improve(task: SvmTask, weights: Float[ndarray, " 2"], bias: float) -> Iterator[StreetStep]:
    X, y, C = task.points, (task.signs > 0).astype(int), task.C
    yield StreetStep(task, 0, weights, bias)
    normal = weights / np.hypot(*weights)
    one = last(svm((X @ normal)[:, None], y, C=C, kernel=linear()))
    scale = float(one.coefficients @ one.points[:, 0])
    yield StreetStep(task, 1, scale * normal, one.bias, "best of this direction")
    best = last(svm(X, y, C=C, kernel=linear()))
    yield StreetStep(task, 2, best.coefficients @ best.points, best.bias, "best of all")
