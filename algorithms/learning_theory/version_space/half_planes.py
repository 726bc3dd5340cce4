"""Version spaces of half-planes: points in one plane, weights in the other.

A line v = a u + b divides the points (u, v). The half-plane above it is the hypothesis, so a line
is a point (a, b) of the plane of weights. A sample (u, v) with the sign s = 1 for positive, -1 for
negative, agrees with the weights that have

    s (v - a u - b) > 0

The border of these weights is the line b = v - u a: a point in the one plane is a line in the
other. All weights begin as a square, and every sample cuts it:

    P <- P without the part where s (v - a u - b) < 0        `cut`, corner by corner

P stays convex: it is the version space. A sample changes it only if its line crosses P. The largest
circle in P has the center and the radius that solve

    max r   with   g_j . (a, b) + r ||g_j|| <= h_j   for every edge j of P        `largest_circle`

Its center is the line that tolerates the largest change of weights before a sample is on the wrong
side. A support vector machine maximises the distance of the points to the line instead, which is
(v - a u - b) / sqrt(1 + a^2).

Cost: O(k) a sample for the k corners of P, and a linear programme of k rows.

Source: 20APC3316 2 (version space); Mitchell 1982; Herbrich 2002 (weights and circles); Sutherland
and Hodgman 1974 (cutting a polygon).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.optimize import linprog

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

REACH = 2.0  # the weights are between -2 and 2 at the start
EMPTY = 1e-12  # area: less is rounding
NOTHING = np.zeros((0, 2))

Event = Literal["nothing is left", "all samples seen"]


@dataclass(frozen=True, eq=False)
class HalfPlanesStep(Record):
    """The polygon of the weights (a, b) that agree with the first `seen` samples.

    polygon : its corners in order, none if nothing is left. center, radius : its largest circle.

    Events: "nothing is left" and "all samples seen" end the run.
    """

    is_model = False
    final_events = ("nothing is left", "all samples seen")

    seen: int
    polygon: Float[ndarray, "k 2"]
    center: Float[ndarray, " 2"]
    radius: float
    event: Event | None = None

    @property
    def area(self) -> float:
        """Return the area of the polygon."""
        return area(self.polygon)

    def sides(self, X: Float[ndarray, "m 2"]) -> Int[ndarray, " m"]:
        """Return 1 for points that all lines left say are positive, -1 for negative, 0 else."""
        a, b = self.polygon.T
        heights = X[:, 1:] - a * X[:, :1] - b
        return (heights > 0).all(axis=1).astype(int) - (heights < 0).all(axis=1)


def half_plane_elimination(
    X: Float[ndarray, "n 2"], y: Int[ndarray, " n"]
) -> Iterator[HalfPlanesStep]:
    """Go through the samples in their order; 1 is the positive label, all others are negative.

    Raises ValueError, at the call, unless X has two columns for the plane and is finite, and y
    holds n integers.
    """
    X = validate.points(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have two columns for the plane, got {X.shape[1]}")
    s = np.where(validate.integers(y, len(X)) == 1, 1.0, -1.0)
    square = REACH * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    first = HalfPlanesStep(0, square, *largest_circle(square))
    return iterate(first, partial(advance, X, s), most=len(X), stopped=None)


def advance(
    X: Float[ndarray, "n 2"], s: Float[ndarray, " n"], step: HalfPlanesStep
) -> HalfPlanesStep:
    """Return the polygon after the next sample."""
    P, seen = cut(step.polygon, X[step.seen], s[step.seen]), step.seen + 1
    if area(P) < EMPTY:
        return HalfPlanesStep(seen, NOTHING, step.center, 0.0, "nothing is left")
    event: Event | None = "all samples seen" if seen == len(X) else None
    return HalfPlanesStep(seen, P, *largest_circle(P), event)


def cut(P: Float[ndarray, "k 2"], x: Float[ndarray, " 2"], s: float) -> Float[ndarray, "l 2"]:
    """Return the part of a convex polygon where s (v - a u - b) >= 0."""
    (u, v), kept = x, []
    heights = s * (v - P[:, 0] * u - P[:, 1])
    for i, height in enumerate(heights):
        before = heights[i - 1]
        if height * before < 0:  # the line crosses this edge
            share = before / (before - height)
            kept.append(P[i - 1] + share * (P[i] - P[i - 1]))
        if height >= 0:
            kept.append(P[i])
    return np.array(kept).reshape(-1, 2)


def largest_circle(P: Float[ndarray, "k 2"]) -> tuple[Float[ndarray, " 2"], float]:
    """Return center and radius of the largest circle in a convex polygon, anticlockwise."""
    along = np.roll(P, -1, axis=0) - P
    size = np.sqrt(np.square(along).sum(axis=1))
    P, along, size = P[size > 0], along[size > 0], size[size > 0]
    g = np.column_stack([along[:, 1], -along[:, 0]]) / size[:, None]  # outwards
    rows = np.column_stack([g, np.ones(len(g))])
    free = [(None, None), (None, None), (0, None)]
    found = linprog([0.0, 0.0, -1.0], A_ub=rows, b_ub=(g * P).sum(axis=1), bounds=free)
    if found.x is None:  # a sliver, up to rounding
        return P.mean(axis=0), 0.0
    return np.asarray(found.x[:2]), float(found.x[2])


def area(P: Float[ndarray, "k 2"]) -> float:
    """Return the area of a polygon, by the shoelace formula."""
    (x, y), (next_x, next_y) = P.T, np.roll(P, -1, axis=0).T
    return abs(float((x * next_y - next_x * y).sum())) / 2


def positive(line: Float[ndarray, " 2"], X: Float[ndarray, "m 2"]) -> Bool[ndarray, " m"]:
    """Return which points are above the line v = a u + b."""
    return X[:, 1] > line[0] * X[:, 0] + line[1]
