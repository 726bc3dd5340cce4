"""What a 2 x 2 matrix does to the plane: turn, stretch, turn.

Every matrix is a product of three simple ones, its singular value decomposition:

    A = U Sigma V^T,   U, V orthogonal,   Sigma = diag(sigma_1, sigma_2),   sigma_1 >= sigma_2 >= 0

    V^T     turns the plane, so that v_1 and v_2 lie along the axes
    Sigma   stretches it along the axes, by sigma_1 and sigma_2
    U       turns it again, so that the axes lie along u_1 and u_2; if det A < 0, it first mirrors

The unit circle becomes an ellipse, whose half axes are sigma_1 u_1 = A v_1 and sigma_2 u_2 = A v_2:
v_1 is the direction that A stretches most. A is singular if sigma_2 = 0, and then the ellipse is a
line or a point.

A step goes a part of the way: M is the matrix so far, from I to A.

    M <- R(-t alpha)                                              in the first part, 0 < t <= 1
    M <- diag(1 + t (sigma_1 - 1), 1 + t (sigma_2 - 1)) V^T       in the second
    M <- R(t beta) diag(1, m) Sigma V^T                           in the third

with alpha the angle of v_1 and beta that of u_1, and m from 1 to det U.

PCA is the same thing (`onto_the_points`). If the columns of a table T of n points have mean 0,

    T = U Sigma V^T,   x_i = V (Sigma / sqrt(n - 1)) r_i,   r_i = sqrt(n - 1) (row i of U)

The r_i have variance 1 in every direction. A = V Sigma / sqrt(n - 1) stretches them by the
deviations and turns them onto the points. So the v_k are the principal components, and
sigma_k^2 / (n - 1) are the variances.

Cost: O(1) a step; O(n) for the cloud.

Source: CIS787 (004:452).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.reduction.pca.projection import centred_and_scaled

PARTS = 6  # steps of each of the three parts; a first turn by 0 degrees is left out
NOTHING = 1e-9  # of a turn, in radians

Event = Literal["turned", "stretched", "finished"]
EVENTS: tuple[Event, ...] = ("turned", "stretched", "finished")


def turn_stretch_turn(A: Float[ndarray, "2 2"]) -> Iterator["TurnStretchTurnStep"]:
    """Go from the identity to A: turn by V^T, stretch by Sigma, turn by U.

    Raises ValueError, at the call, unless A is a finite 2 x 2 matrix.
    """
    A = validate.points(A, name="A")
    if A.shape != (2, 2):
        raise ValueError(f"A must have two rows and two columns, got shape {A.shape}")
    U, sigma, V = parts(A)
    skipped = PARTS if abs(angle(V)) <= NOTHING else 0
    first = TurnStretchTurnStep(skipped, A, U, sigma, V, np.eye(2))
    return iterate(first, advance, most=3 * PARTS - skipped)


def advance(step: "TurnStretchTurnStep") -> "TurnStretchTurnStep":
    """Go on by one step: a sixth of a turn or of the stretch."""
    count, (U, sigma, V) = step.count + 1, (step.U, step.singular_values, step.V)
    part, left = divmod(count - 1, PARTS)
    t = (left + 1) / PARTS
    event = EVENTS[part] if t == 1 else None
    M = (turned, stretched, turned_again)[part](t, U, sigma, V)
    return TurnStretchTurnStep(count, step.A, U, sigma, V, M, event)


def turned(
    t: float, U: Float[ndarray, "2 2"], sigma: Float[ndarray, " 2"], V: Float[ndarray, "2 2"]
) -> Float[ndarray, "2 2"]:
    """M <- R(-t alpha)."""
    return rotation(-t * angle(V))


def stretched(
    t: float, U: Float[ndarray, "2 2"], sigma: Float[ndarray, " 2"], V: Float[ndarray, "2 2"]
) -> Float[ndarray, "2 2"]:
    """M <- diag(1 + t (sigma_1 - 1), 1 + t (sigma_2 - 1)) V^T."""
    return np.diag(1 + t * (sigma - 1)) @ V.T


def turned_again(
    t: float, U: Float[ndarray, "2 2"], sigma: Float[ndarray, " 2"], V: Float[ndarray, "2 2"]
) -> Float[ndarray, "2 2"]:
    """M <- R(t beta) diag(1, m) Sigma V^T, with m from 1 to det U."""
    m = 1 + t * (np.linalg.det(U) - 1)
    return rotation(t * angle(U)) @ np.diag([1.0, m]) @ np.diag(sigma) @ V.T


def parts(
    A: Float[ndarray, "2 2"],
) -> tuple[Float[ndarray, "2 2"], Float[ndarray, " 2"], Float[ndarray, "2 2"]]:
    """Return U, sigma and V, where V only turns, by at most 90 degrees, and U may mirror."""
    U, sigma, V_T = np.linalg.svd(A)
    signs = to_the_right(V_T.T)
    return U * signs, sigma, V_T.T * signs


def to_the_right(V: Float[ndarray, "2 2"]) -> Float[ndarray, " 2"]:
    """Return the signs of the columns with which V only turns, by at most 90 degrees."""
    first = -1.0 if V[0, 0] < 0 or (V[0, 0] == 0 and V[1, 0] < 0) else 1.0
    return np.array([first, first * np.sign(np.linalg.det(V))])


def rotation(angle: float) -> Float[ndarray, "2 2"]:
    """Return the matrix R(angle) that turns the plane to the left."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def angle(Q: Float[ndarray, "2 2"]) -> float:
    """Return the angle of the first column."""
    return float(np.arctan2(Q[1, 0], Q[0, 0]))


def onto_the_points(
    X: Float[ndarray, "n 2"], *, standardize: bool = False
) -> Iterator["TurnStretchTurnStep"]:
    """Go from points with variance 1 in every direction to X, by A = V Sigma / sqrt(n - 1).

    standardize : divide each column by its standard deviation first.

    Raises ValueError, at the call, unless X holds two different points of two columns.
    """
    _, sigma, V = table_parts(X, standardize)
    return turn_stretch_turn(V * (sigma / np.sqrt(len(X) - 1)))


def round_cloud(X: Float[ndarray, "n 2"], *, standardize: bool = False) -> Float[ndarray, "n 2"]:
    """Return the r_i, which A of `onto_the_points` maps on the points about their mean."""
    return np.sqrt(len(X) - 1) * table_parts(X, standardize)[0]


def table_parts(
    X: Float[ndarray, "n 2"], standardize: bool
) -> tuple[Float[ndarray, "n 2"], Float[ndarray, " 2"], Float[ndarray, "2 2"]]:
    """Return U, sigma and V of the table of the points about their mean, where V only turns."""
    T, _ = centred_and_scaled(X, standardize)
    if T.shape[1] != 2:
        raise ValueError(f"X must have two columns for a picture, got d={T.shape[1]}")
    U, sigma, V_T = np.linalg.svd(T, full_matrices=False)
    signs = to_the_right(V_T.T)
    return U * signs, sigma, V_T.T * signs


@dataclass(frozen=True, eq=False)
class TurnStretchTurnStep(Record):
    """The matrix M of the way so far, after `count` steps; and U, the singular values and V of A.

    Events: "turned" (by V^T), "stretched", "finished" (M is A).
    """

    is_model = False

    count: int
    A: Float[ndarray, "2 2"]
    U: Float[ndarray, "2 2"]
    singular_values: Float[ndarray, " 2"]
    V: Float[ndarray, "2 2"]
    M: Float[ndarray, "2 2"]
    event: Event | None = None
