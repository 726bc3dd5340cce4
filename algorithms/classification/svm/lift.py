"""The lift to degree 2: a plane among three features is a curve among two.

    bowl      phi(x) = (x_1, x_2, x_1^2 + x_2^2)            every point rises above its place
    squares   phi(x) = (x_1^2, sqrt(2) x_1 x_2, x_2^2)      phi(a).phi(b) = (a.b)^2

A support vector machine with the linear kernel on phi(x) has the plane f(x) = w.phi(x) + b = 0. On
the plane of the points that is

    bowl      w_1 x_1 + w_2 x_2 + w_3 (x_1^2 + x_2^2) + b = 0
              a circle about -(w_1, w_2) / (2 w_3), or a line if w_3 = 0
    squares   w_1 x_1^2 + sqrt(2) w_2 x_1 x_2 + w_3 x_2^2 + b = 0
              an ellipse about 0, a hyperbola, or two lines

With the squares it is the machine of the polynomial kernel (a.b)^2, which never writes phi out.

The run turns the view in equal parts. It starts with two of the features across and up (x_1 and
x_2, or the two squares) and ends with the plane seen edge-on, its normal w pointing up or down.
There the height over the plane is f / ||w||, up to its sign. Let the rows of E point to the right,
up and to the eye, and let Q be the rotation from the first view to the last. The share t of the
turn shows

    E_t = Q^t E_0,     place on the picture = the first two rows of E_t phi(x)

Cost: that of the machine (svm.py), and O(n) a step.

Source: CS725 21.6, CPSC340 (explicit features of degree 2); Aizerman, Braverman and Rozonoer 1964.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.transform import Rotation

from algorithms.classification.svm.svm import svm
from algorithms.core import validate
from algorithms.core.kernels import linear
from algorithms.core.record import Record, last
from algorithms.core.scores import highest

TURNS = 30  # parts of the turn
LARGEST = 1e22  # the products of the features are fourth powers

To = Literal["bowl", "squares"]
Event = Literal["edge-on"]

FIRST = {  # to the right, up, towards the eye
    "bowl": np.eye(3),
    "squares": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]),
}
RIGHT = {"bowl": np.array([1.0, 0, 0]), "squares": np.array([0.0, 1, 0])}  # nearly, at the end
UP = {"bowl": np.array([0.0, 0, 1]), "squares": np.array([1.0, 0, 1])}  # the side that stays up


@dataclass(frozen=True, eq=False)
class Lifted(Record):
    """The points in the space of the features, and the plane weights.phi + bias = 0 among them."""

    to: To
    classes: Int[ndarray, " 2"]
    signs: Float[ndarray, " n"]
    points: Float[ndarray, "n 3"]
    weights: Float[ndarray, " 3"]
    bias: float

    @property
    def length(self) -> float:
        """Return ||w||."""
        return float(np.linalg.norm(self.weights))

    @property
    def margins(self) -> Float[ndarray, " n"]:
        """Return y_i f(x_i) of the points: 0 or less on the wrong side of the plane, or in it."""
        return self.signs * (self.points @ self.weights + self.bias)

    @property
    def circle(self) -> tuple[Float[ndarray, " 2"], float] | None:
        """Return centre and radius of the circle f = 0 of the bowl, None if there is none."""
        if self.to != "bowl" or abs(self.weights[2]) <= 1e-9 * self.length:
            return None
        center = -self.weights[:2] / (2 * self.weights[2])
        square = float(center @ center) - self.bias / float(self.weights[2])
        return (center, square**0.5) if square > 0 else None


@dataclass(frozen=True, eq=False)
class LiftStep(Record):
    """A view of the lifted points; also a model, the same at every step.

    `share` of the turn is made. `frame` holds, row by row, the directions to the right, up, and
    towards the eye. Event, at the end: "edge-on" (the plane is seen as a line).
    """

    lifted: Lifted
    share: float
    frame: Float[ndarray, "3 3"]
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " 2"]:
        """Return the two classes, f > 0 for the second."""
        return self.lifted.classes

    def seen(self, F: Float[ndarray, "m 3"]) -> Float[ndarray, "m 2"]:
        """Return the places of features in this view."""
        return F @ self.frame[:2].T

    def turned_from(self, other: "LiftStep") -> float:
        """Return the angle of the rotation from another view to this one, in degrees."""
        trace = np.trace(self.frame @ other.frame.T)
        return float(np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1))))

    def decision_function(self, X: Float[ndarray, "m 2"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`."""
        return raised(X, self.lifted.to) @ self.lifted.weights + self.lifted.bias

    def predict(self, X: Float[ndarray, "m 2"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class where f = 0."""
        return highest(self.decision_function(X), self.classes)


def raised(X: Float[ndarray, "m 2"], to: To) -> Float[ndarray, "m 3"]:
    """Return phi of every row of `X`."""
    x, y = X.T
    if to == "bowl":
        return np.column_stack([x, y, x * x + y * y])
    return np.column_stack([x * x, np.sqrt(2) * x * y, y * y])


def lift(
    plane: Float[ndarray, "n 2"], y: Int[ndarray, " n"], *, to: To = "bowl", C: float = 1.0
) -> Iterator[LiftStep]:
    """Lift the points, separate them by a plane, and turn the view until it is seen edge-on.

    Raises ValueError, at the call, unless the plane is finite, not too large to be squared, and has
    two columns, y holds n integers of two classes and C > 0.
    """
    plane = validate.points(plane, name="plane")
    if plane.shape[1] != 2:
        raise ValueError(f"plane must have two columns, got d={plane.shape[1]}")
    validate.within(plane, name="plane", limit=LARGEST)
    validate.choice("to", to, get_args(To))
    points = raised(plane, to)
    return _turn(points, svm(points, y, C=C, kernel=linear()), to)


def _turn(points: Float[ndarray, "n 3"], run: Iterator, to: To) -> Iterator[LiftStep]:
    machine = last(run)
    weights = machine.coefficients @ machine.points
    lifted = Lifted(to, machine.classes, machine.signs, points, weights, machine.bias)
    first, end = FIRST[to], edge_on(weights, to)
    way = Rotation.from_matrix(end @ first.T).as_rotvec()
    for turn in range(TURNS + 1):
        share = turn / TURNS
        frame = Rotation.from_rotvec(share * way).as_matrix() @ first
        yield LiftStep(lifted, share, frame, "edge-on" if turn == TURNS else None)


def edge_on(weights: Float[ndarray, " 3"], to: To) -> Float[ndarray, "3 3"]:
    """Return the view in which the plane's normal points up, or down if that is nearer to `UP`."""
    length = np.linalg.norm(weights)
    up = weights / length if length > 0 else UP[to] / np.linalg.norm(UP[to])
    up = -up if up @ UP[to] < 0 else up
    right = RIGHT[to] - (RIGHT[to] @ up) * up
    if np.linalg.norm(right) < 1e-3:  # that direction is the normal itself
        right = np.roll(RIGHT[to], 1) - (np.roll(RIGHT[to], 1) @ up) * up
    right = right / np.linalg.norm(right)
    return np.array([right, up, np.cross(right, up)])
