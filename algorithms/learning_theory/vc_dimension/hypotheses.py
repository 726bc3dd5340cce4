"""Four classes of hypotheses in the plane: half-planes, boxes, discs and convex polygons.

A hypothesis says "positive" of the points of its region:

    half-plane        w·x + b > 0
    box               low_j <= x_j <= high_j on every axis j
    disc              |x - c|² < r²
    convex polygon    x is in the convex hull of the corners

Each has an `outline`: its border as a closed line, cut off at the edges of a rectangle.

Source: 20APC3316 2 (a rectangle in the plane), VC dimension.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core.record import Record

HALF_PLANES, BOXES, DISCS, POLYGONS = HYPOTHESES = (
    "half-planes",
    "boxes",
    "discs",
    "convex polygons",
)
Rectangle = tuple[float, float, float, float]  # left, right, bottom, top

_CIRCLE = np.linspace(0, 2 * np.pi, 181)  # angles of the corners by which a disc is drawn


@dataclass(frozen=True, eq=False)
class HalfPlane(Record):
    """The points with w·x + b > 0."""

    is_model = False

    w: Float[ndarray, " 2"]
    b: float

    def holds(self, X: Float[ndarray, "n 2"]) -> Bool[ndarray, " n"]:
        """Return which points are in the half-plane."""
        return X @ self.w + self.b > 0

    def outline(self, within: Rectangle) -> Float[ndarray, "m 2"]:
        """Return the border of the part that is in a rectangle; no points if there is none."""
        left, right, bottom, top = within
        corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
        return part_with(np.array(corners), self.w, self.b)


@dataclass(frozen=True, eq=False)
class Box(Record):
    """The points between `low` and `high` on every axis; with one axis, an interval."""

    is_model = False

    low: Float[ndarray, " d"]
    high: Float[ndarray, " d"]

    def holds(self, X: Float[ndarray, "n d"]) -> Bool[ndarray, " n"]:
        """Return which points are in the box."""
        return np.all((self.low <= X) & (self.high >= X), axis=1)

    def outline(self, within: Rectangle) -> Float[ndarray, "m 2"]:
        """Return the four corners, and the first again; an interval is as high as the rectangle."""
        low, high = self.low, self.high
        if len(low) == 1:
            low, high = np.append(low, within[2]), np.append(high, within[3])
        (left, bottom), (right, top) = low, high
        corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
        return np.array(corners)


@dataclass(frozen=True, eq=False)
class Disc(Record):
    """The points nearer to `centre` than `radius`."""

    is_model = False

    centre: Float[ndarray, " 2"]
    radius: float

    def holds(self, X: Float[ndarray, "n 2"]) -> Bool[ndarray, " n"]:
        """Return which points are in the disc."""
        return np.square(X - self.centre).sum(axis=1) < self.radius**2

    def outline(self, within: Rectangle) -> Float[ndarray, "m 2"]:
        """Return the circle, as 180 straight pieces."""
        del within
        return self.centre + self.radius * np.column_stack([np.cos(_CIRCLE), np.sin(_CIRCLE)])


@dataclass(frozen=True, eq=False)
class Polygon(Record):
    """The convex hull of some points, with its `corners` counterclockwise."""

    is_model = False

    corners: Float[ndarray, "m 2"]

    def holds(self, X: Float[ndarray, "n 2"]) -> Bool[ndarray, " n"]:
        """Return which points are in the polygon, its border included."""
        start, end = self.corners, np.roll(self.corners, -1, axis=0)
        along, to = end - start, X[:, None] - start
        left_of = along[:, 0] * to[..., 1] - along[:, 1] * to[..., 0]
        size = float(np.ptp(self.corners, axis=0).max(initial=0.0)) or 1.0
        inside = (left_of >= -1e-12 * size**2).all(axis=1)
        low, high = self.corners.min(axis=0), self.corners.max(axis=0)
        # One or two corners have no inside: the box around them bounds the line through them.
        near = ((low - 1e-12 * size <= X) & (high + 1e-12 * size >= X)).all(axis=1)
        return inside & near

    def outline(self, within: Rectangle) -> Float[ndarray, "m 2"]:
        """Return the corners, and the first again."""
        del within
        return np.concatenate([self.corners, self.corners[:1]])


Hypothesis = HalfPlane | Box | Disc | Polygon


def convex_hull(X: Float[ndarray, "n 2"]) -> Polygon:
    """Return the hull of points, by Andrew's chain: below from left to right, then above.

    A point is dropped if the way past it does not turn left there.
    """
    ordered = np.unique(X, axis=0)  # sorted by x, then by y
    if len(ordered) < 3:
        return Polygon(ordered)
    corners: list[ndarray] = []
    for points in (ordered, ordered[::-1]):
        chain: list[ndarray] = []
        for x in points:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], x) <= 0:
                chain.pop()
            chain.append(x)
        corners += chain[:-1]
    return Polygon(np.array(corners))


def part_with(
    outline: Float[ndarray, "m 2"], w: Float[ndarray, " 2"], b: float
) -> Float[ndarray, "k 2"]:
    """Return the border of the part of a convex region with w·x + b >= 0; no points if none is.

    outline : the corners of the region, and the first again.
    """
    kept, scores = [], outline @ w + b
    for i in range(len(outline) - 1):
        a, s, t = outline[i], scores[i], scores[i + 1]
        if s >= 0:
            kept.append(a)
        if s * t < 0:  # the side to the next corner crosses the line
            kept.append(a + s / (s - t) * (outline[i + 1] - a))
    return np.array([*kept, *kept[:1]]).reshape(-1, 2)


def _turn(a: ndarray, b: ndarray, c: ndarray) -> float:
    """Return twice the area of the triangle a b c, positive if it turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
