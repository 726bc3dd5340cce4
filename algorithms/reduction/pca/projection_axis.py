"""An axis turned by hand: which direction keeps most of two columns?

For a direction u = (cos, sin) through the mean of the (centred and, if wanted, scaled) points t

    z = u.t         variance = sum z^2 / (n - 1) = u^T S u
                    error    = sum |t - z u|^2 / (n - 1)
                    variance + error = total = trace S, at every angle (Pythagoras)

so the angle with the most variance is the one with the least error. It is found without turning:
the first eigenvector of S, the principal component (pca.py).

The rule here is to try the angles one after the other, a half turn in equal parts, and between
them the best and the worst, two directions with u.u' = 0. At the end, the axis goes back to the
best one.

Cost: O(n) an angle.

Source: CS337 (003:1896-1945), 20APC3316 (002:1856).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.half_turn import half_turn
from algorithms.core.scaling import Scaling
from algorithms.reduction.pca.projection import (
    Projection,
    centred_and_scaled,
    covariance,
    eigenvectors,
)

AxisEvent = Literal["most variance", "least variance"]


@dataclass(frozen=True, eq=False)
class AxisStep(Projection):
    """One direction; also a model, since it projects and reconstructs any points.

    `angle`, in degrees from 0 to 180, is its angle on a picture that shows the `units` of both axes
    as equal lengths; `covariance` is S.
    """

    angle: float
    covariance: Float[ndarray, "2 2"]
    event: AxisEvent | None = None

    @classmethod
    def at_every_angle(
        cls,
        Z: Float[ndarray, "n 2"],
        scaling: Scaling,
        units: Float[ndarray, " 2"],
        named: Float[ndarray, "k 2"],
        events: Sequence[Any],
        fitted: str,
    ) -> Iterator[Self]:
        """Turn an axis by equal angles; `named` directions are steps, too, with their events.

        fitted : the event of the step that comes once more: the last one is the fitted model.
        """
        S = covariance(Z)
        total = float(np.trace(S))
        U, angles, which = half_turn(units, named)
        z = Z @ U.T  # z = u.t
        across = Z @ np.stack([-U[:, 1], U[:, 0]])  # |t - z u|
        variances = (z * z).sum(axis=0) / (len(Z) - 1)
        errors = (across * across).sum(axis=0) / (len(Z) - 1)
        last = None
        for i, kind in enumerate(which.tolist()):
            step = cls(
                scaling=scaling,
                components=U[i : i + 1],
                variances=variances[i : i + 1],
                explained=variances[i : i + 1] / total,
                error=float(errors[i]),
                total=total,
                angle=float(angles[i]),
                covariance=S,
                event=events[kind] if kind >= 0 else None,
            )
            last = step if step.event == fitted else last
            yield step
        if last:
            yield last


def projection_axis(
    X: Float[ndarray, "n 2"],
    *,
    standardize: bool = False,
    units: tuple[float, float] = (1.0, 1.0),
) -> Iterator[AxisStep]:
    """Turn the axis from 0 to 180 degrees, a step per angle, and then back to the best one.

    `units` says which lengths along x and y look alike on the picture, so that equal turns look
    equal. Raises ValueError, at the call, unless X holds two different points of two columns and
    the units are positive.
    """
    Z, scaling, lengths = on_picture(X, standardize, units)
    named = eigenvectors(covariance(Z))[1]
    events: list[AxisEvent] = ["most variance", "least variance"]
    return AxisStep.at_every_angle(Z, scaling, lengths, named, events, "most variance")


def on_picture(
    X: Float[ndarray, "n 2"], standardize: bool, units: tuple[float, float]
) -> tuple[Float[ndarray, "n 2"], Scaling, Float[ndarray, " 2"]]:
    """Check and centre two columns; give them with their scaling, and `units` in its terms."""
    Z, scaling = centred_and_scaled(X, standardize)
    if Z.shape[1] != 2:
        raise ValueError(f"X must have two columns, got d={Z.shape[1]}")
    lengths = [validate.number("units", unit, positive=True) for unit in units]
    return Z, scaling, np.array(lengths) / scaling.spread
