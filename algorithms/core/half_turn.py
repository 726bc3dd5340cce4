"""An axis that is turned by hand through half a turn, by equal angles on the picture."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

ANGLES = 54


class HalfTurn(NamedTuple):
    """Directions of length 1 and their `angles` on the picture, in degrees from 0 to 180.

    `named` is the index of the named direction, or -1 for one of the equally spaced angles.
    """

    directions: Float[ndarray, "m 2"]
    angles: Float[ndarray, " m"]
    named: Int[ndarray, " m"]


def half_turn(units: Float[ndarray, " 2"], named: Float[ndarray, "k 2"]) -> HalfTurn:
    """Turn by equal angles, and include the `named` directions (of length 1).

    units : lengths along the two columns that look equal on the picture, so that equal turns look
    equal.
    """
    turn = np.pi * np.arange(ANGLES) / ANGLES
    circle = np.column_stack([np.cos(turn), np.sin(turn)]).round(15)  # cos 90° is 0, not 6e-17
    even = circle * (units / units.max())
    U = np.concatenate([even / np.hypot(*even.T)[:, None], named])
    U *= np.where((U[:, 1] < 0) | ((U[:, 1] == 0) & (U[:, 0] < 0)), -1.0, 1.0)[:, None]
    angles = np.degrees(np.arctan2(U[:, 1] / units[1], U[:, 0] / units[0]))
    order = np.argsort(angles, kind="stable")
    number = np.concatenate([np.full(ANGLES, -1), np.arange(len(named))])
    return HalfTurn(U[order], angles[order], number[order])
