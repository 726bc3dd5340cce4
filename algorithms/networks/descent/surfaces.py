"""Surfaces to descend: a bowl, a saddle, Rosenbrock's bent valley, Himmelblau's four basins.

With θ = (x, y), turned by an angle into (p, q) for the first two:

    bowl         f = (p² + κ q²) / 2           minimum at 0, curvatures 1 and κ: large κ is a ravine
    saddle       f = (p² - q²) / 2 + q⁴ / 4    saddle at 0, minima at q = ±1, where f = -1/4
    Rosenbrock   f = (1 - x)² + 100 (y - x²)²                    minimum at (1, 1), where f = 0
    Himmelblau   f = (x² + y - 11)² + (x + y² - 7)²              four minima, where f = 0

Cost: O(1) a point.

Source: CS337 (003:358-460, 003:1369-1383); Rosenbrock 1960; Himmelblau 1972.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate

NAMES = ("bowl", "saddle", "Rosenbrock", "Himmelblau")
# Himmelblau's minima, the roots of both brackets, to the last digit.
_BASINS = (
    (3.0, 2.0),
    (-2.805118086952745, 3.131312518250573),
    (-3.779310253377747, -3.283185991286170),
    (3.584428340330492, -1.848126526964404),
)
_ON_THE_FLOOR = 1e-6  # a place this near is on neither side
WINDOWS = {  # left, right, bottom, top of the part to show
    "bowl": (-3.0, 3.0, -3.0, 3.0),
    "saddle": (-2.0, 2.0, -2.0, 2.0),
    "Rosenbrock": (-2.0, 2.0, -1.0, 3.0),
    "Himmelblau": (-6.0, 6.0, -6.0, 6.0),
}


@dataclass(frozen=True)
class Surface:
    """A height over the plane, with its gradient. curvature: κ; angle: in degrees, of p and q."""

    name: str = "bowl"
    curvature: float = 20.0
    angle: float = 0.0

    def __post_init__(self) -> None:
        """Refuse other names, curvatures that are not positive, and angles that are no numbers."""
        validate.choice("name", self.name, NAMES)
        validate.number("curvature", self.curvature, positive=True)
        if not np.isfinite(self.angle):
            raise ValueError(f"angle must be a finite number, got angle={self.angle}")

    @property
    def turn(self) -> Float[ndarray, "2 2"]:
        """Return the axes p and q, as rows."""
        c, s = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        return np.array([[c, s], [-s, c]])

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Return the part of the plane to show: left, right, bottom, top."""
        return WINDOWS[self.name]

    @property
    def minima(self) -> Float[ndarray, "k 2"]:
        """Return where the surface is lowest."""
        match self.name:
            case "bowl":
                return np.zeros((1, 2))
            case "saddle":
                return np.array([[0.0, 1.0], [0.0, -1.0]]) @ self.turn
            case "Rosenbrock":
                return np.ones((1, 2))
            case _:
                return np.array(_BASINS)

    @property
    def lowest(self) -> float:
        """Return the height of the minima."""
        return -0.25 if self.name == "saddle" else 0.0

    @property
    def steepest(self) -> float | None:
        """Return the largest curvature, where it is the same everywhere."""
        return max(1.0, self.curvature) if self.name == "bowl" else None

    def crossings(self, way: Float[ndarray, "m 2"]) -> int | None:
        """Return how often a way crosses the floor q = 0 of a ravine, or None if there is none."""
        if self.name != "bowl" or self.curvature <= 1:
            return None
        q = way @ self.turn[1]
        side = np.sign(q[np.abs(q) > _ON_THE_FLOOR])
        return int(np.count_nonzero(np.diff(side)))

    def height(self, places: Float[ndarray, "m 2"]) -> Float[ndarray, " m"]:
        """Return f at every place."""
        x, y = places.T
        p, q = self.turn @ places.T
        match self.name:
            case "bowl":
                return (p**2 + self.curvature * q**2) / 2
            case "saddle":
                return (p**2 - q**2) / 2 + q**4 / 4
            case "Rosenbrock":
                return (1 - x) ** 2 + 100 * (y - x**2) ** 2
            case _:
                return (x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2

    def gradient(self, place: Float[ndarray, "*m 2"]) -> Float[ndarray, "*m 2"]:
        """Return the derivatives of f by x and by y at a place, or at several."""
        x, y = place[..., 0], place[..., 1]
        (c, s), _ = self.turn
        p, q = c * x + s * y, c * y - s * x
        match self.name:
            case "bowl" | "saddle":
                a, b = p, self.curvature * q if self.name == "bowl" else q * q * q - q
                return np.stack([c * a - s * b, s * a + c * b], axis=-1)
            case "Rosenbrock":
                bend = y - x**2
                return np.stack([-2 * (1 - x) - 400 * x * bend, 200 * bend], axis=-1)
            case _:
                a, b = x**2 + y - 11, x + y**2 - 7
                return np.stack([4 * x * a + 2 * b, 2 * a + 4 * y * b], axis=-1)
