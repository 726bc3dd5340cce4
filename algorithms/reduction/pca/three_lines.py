"""Three lines through one cloud: regression of y on x, regression of x on y, and principal axis.

A line through the mean of the (centred and, if wanted, scaled) points leaves each point at three
distances from it: upwards, sideways, and straight across. For the direction u = (a, b), with
S the covariance matrix, their mean squares (over n - 1) are

    across   = b² S_xx - 2 a b S_xy + a² S_yy
    up       = across / a²            sideways = across / b²

and each of them is least for another line:

    up         slope S_xy / S_xx      the regression of y on x, which predicts y
    sideways   slope S_yy / S_xy      the regression of x on y, which predicts x
    across     S u = lambda u         the first principal component, which predicts neither

The slope of the principal axis is between those of the other two, whose ratio is the squared
correlation. Regression lines follow when a column is scaled; the principal axis does not.

The rule is to try the angles one after the other, as in projection_axis.py, and between them the
three lines. At the end the line goes back to the principal axis.

Cost: O(n) an angle.

Source: CS337 (003:1896-1945) for the axis, CS725 19.2 for the regression; Pearson 1901.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.reduction.pca.projection import covariance, eigenvectors
from algorithms.reduction.pca.projection_axis import AxisStep, on_picture

LineEvent = Literal["least up", "least across", "least sideways"]


@dataclass(frozen=True, eq=False)
class LineStep(AxisStep):
    """One line; also a model, as an axis is.

    Events: "least up", "least across", "least sideways".
    """

    event: LineEvent | None = None  # type: ignore[assignment]

    @property
    def across(self) -> float:
        """Return the mean squared distance straight across the line."""
        return self.error

    @property
    def up(self) -> float:
        """Return the mean squared distance along y; infinite for an upright line."""
        return self._along(0)

    @property
    def sideways(self) -> float:
        """Return the mean squared distance along x; infinite for a level line."""
        return self._along(1)

    @property
    def slope(self) -> float:
        """Return the slope in the units of the columns; infinite for an upright line."""
        across, up = (self.components[0] * self.scale).tolist()
        return up / across if across else np.inf

    def _along(self, side: int) -> float:
        u = float(self.components[0, side])
        return self.error / u**2 if u else np.inf


def three_lines(
    X: Float[ndarray, "n 2"],
    *,
    standardize: bool = False,
    units: tuple[float, float] = (1.0, 1.0),
) -> Iterator[LineStep]:
    """Turn a line from 0 to 180 degrees, a step per angle and one for each of the three lines.

    The last step is the principal axis again.

    `units` says which lengths along x and y look alike on the picture, so that equal turns look
    equal. Raises ValueError, at the call, unless X holds two different points of two columns and
    the units are positive.
    """
    Z, scaling, lengths = on_picture(X, standardize, units)
    S = covariance(Z)
    named = np.array([
        _direction(S[0], (1.0, 0.0)),
        eigenvectors(S)[1][0],
        _direction(S[1], (0.0, 1.0)),
    ])  # fmt: skip
    events: list[LineEvent] = ["least up", "least across", "least sideways"]
    return LineStep.at_every_angle(Z, scaling, lengths, named, events, "least across")


def _direction(u: Float[ndarray, " 2"], flat: tuple[float, float]) -> Float[ndarray, " 2"]:
    """Return a direction of length 1; the axis itself where its column does not vary."""
    length = float(np.hypot(*u))
    return u / length if length > 0 else np.array(flat)
