"""Fisher's criterion by hand: turn an axis until it separates two classes.

Points are projected on a direction w through the mean of all, z = w.(x - m). With the mean m_k and
the scatter s_k^2 = sum (z - m_k)^2 of each class k on the axis

    J(w) = (m_1 - m_2)^2 / (s_1^2 + s_2^2)

is large if the means are far apart and every class stays together. A point goes to the class with
the nearer mean, so the border crosses the axis half-way between the two means.

The rule here tries the angles of a half turn one after the other, in equal parts, and four special
directions between them: the best one (fisher.py finds it without turning, w ~ S_W^-1 (m_2 - m_1));
the one through both means; the one of most variance, the first principal component, which ignores
the classes; and the one on which the means fall together, J = 0. At the end it returns to the best.

J is the same in any units of the columns. If the points vary in at most one direction within the
classes, J has no bound; then a billionth of the variance is added within, as in fisher.py.

Cost: O(n) an angle.

Source: CS725 19.5 (000:3200), 20APC3316 (002:1950).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.linear.fisher import RIDGE, fisher
from algorithms.core import validate
from algorithms.core.groups import group_sums
from algorithms.core.half_turn import half_turn
from algorithms.core.record import Record, last
from algorithms.core.scaling import standard

EVENTS = ("most separation", "most variance", "through both means", "means fall together")
Event = Literal["most separation", "most variance", "through both means", "means fall together"]


def fisher_axis(
    X: Float[ndarray, "n 2"],
    y: Int[ndarray, " n"],
    *,
    units: tuple[float, float] = (1.0, 1.0),
) -> Iterator["FisherAxisStep"]:
    """Turn the axis from 0 to 180 degrees, then back to the angle of the largest J.

    There is a step for every angle, and one for every special direction.

    `units` says which lengths along x and y look alike on the picture, so that equal turns look
    equal. Raises ValueError, at the call, unless X is finite and has two columns, y holds n
    integers of exactly two classes, and the units are positive.
    """
    X = validate.points(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have two columns, got d={X.shape[1]}")
    classes, signs = validate.two_labels(y, len(X))
    lengths = np.array([validate.number("units", unit, positive=True) for unit in units])
    return _turn(X, classes, (signs > 0).astype(int), lengths)


def _turn(
    X: Float[ndarray, "n 2"],
    classes: Int[ndarray, " 2"],
    codes: Int[ndarray, " n"],
    units: Float[ndarray, " 2"],
) -> Iterator["FisherAxisStep"]:
    center, sizes = X.mean(axis=0), np.bincount(codes)[:, None]
    Z = X - center
    means = group_sums(Z, codes, 2) / sizes
    best = last(fisher(X, codes))
    named = _of_note(Z, best.directions[0], means[1] - means[0])
    turned = half_turn(units, named)
    along = turned.directions @ means.T
    residuals = (Z - means[codes]) @ turned.directions.T
    scatters = group_sums(residuals * residuals, codes, 2).T
    along_each = ratios(X, codes, turned.directions, singular=best.event is not None)
    steps = [
        FisherAxisStep(
            classes=classes,
            center=center,
            direction=turned.directions[i],
            angle=float(turned.angles[i]),
            means=along[i],
            scatters=scatters[i],
            ratio=float(along_each[i]),
            singular=best.event is not None,
            event=EVENTS[number] if number >= 0 else None,
        )
        for i, number in enumerate(turned.named.tolist())
    ]
    yield from steps
    yield next(step for step in steps if step.event == "most separation")


def _of_note(
    Z: Float[ndarray, "n 2"], best: Float[ndarray, " 2"], apart: Float[ndarray, " 2"]
) -> Float[ndarray, "k 2"]:
    """Return the directions of `EVENTS`; the last two only if the means differ."""
    size = float(np.abs(Z).max()) or 1.0
    found = [best, np.linalg.eigh(Z.T @ (Z / size) / size)[1][:, -1]]
    if apart.any():
        found += [apart, np.array([-apart[1], apart[0]])]
    named = np.array([w / np.abs(w).max() for w in found])
    return named / np.hypot(*named.T)[:, None]


def ratios(
    X: Float[ndarray, "n 2"],
    codes: Int[ndarray, " n"],
    directions: Float[ndarray, "m 2"],
    *,
    singular: bool = False,
) -> Float[ndarray, " m"]:
    """J(w) = (m_1 - m_2)^2 / (s_1^2 + s_2^2). Return it for every direction.

    The columns are scaled to equal sizes, which leaves J as it is and avoids underflow.

    codes : 0 or 1. directions : of any length but 0. singular : add a billionth of the variance.
    """
    scaling = standard(X)
    U = scaling.transform(X)
    means = group_sums(U, codes, 2) / np.bincount(codes)[:, None]
    residuals = U - means[codes]
    within = residuals.T @ residuals + singular * RIDGE * len(X) * np.eye(2)
    W = directions * (scaling.spread / scaling.spread.max())
    W /= np.abs(W).max(axis=1, keepdims=True)
    apart = W @ (means[0] - means[1])  # m_1 - m_2
    scatter = np.einsum("mi,ij,mj->m", W, within, W)  # s_1^2 + s_2^2 = w.(S_W w)
    return apart**2 / scatter


@dataclass(frozen=True, eq=False)
class FisherAxisStep(Record):
    """One direction of length 1; also a model, that of the nearer mean on the axis.

    `angle`, in degrees from 0 to 180, is its angle on a picture whose axes show `units` as equal
    lengths. `means` and `scatters` are m_k and s_k^2 of the two classes, offsets from `center`
    along the axis; `ratio` is J. `singular`: the points vary in at most one direction within the
    classes.
    """

    classes: Int[ndarray, " 2"]
    center: Float[ndarray, " 2"]
    direction: Float[ndarray, " 2"]
    angle: float
    means: Float[ndarray, " 2"]
    scatters: Float[ndarray, " 2"]
    ratio: float
    singular: bool
    event: Event | None = None

    def transform(self, X: Float[ndarray, "m 2"]) -> Float[ndarray, "m 1"]:
        """Return the places on the axis of every row of `X`."""
        return ((X - self.center) @ self.direction)[:, None]

    def decision_function(self, X: Float[ndarray, "m 2"]) -> Float[ndarray, " m"]:
        """Return by how much a row of `X` is beyond the middle, positive for the second class."""
        first, second = self.means
        side = 1.0 if second >= first else -1.0
        return side * (self.transform(X)[:, 0] - (first + second) / 2)

    def predict(self, X: Float[ndarray, "m 2"]) -> Int[ndarray, " m"]:
        """Return the class with the nearer mean on the axis, the first one in a tie."""
        return self.classes[(self.decision_function(X) > 0).astype(int)]
