"""True curves f to learn from: formulas, and a curve through drawn points.

A truth is a function of one feature x on an interval [low, high]. Those with a formula fill about
[-3, 3] x [-3, 3], like the presets of the data.

`through` makes a truth from points that the user has drawn. Points may share the same x, so

1. the interval from the smallest x to the largest is cut into 20 equal parts, and the points in a
   part are replaced by their mean, so a dense stroke of the brush becomes a smooth curve; only the
   points at both ends stay, so that f begins and ends in them;
2. between these means f is the monotone piecewise cubic of Fritsch and Butland (1984), SciPy's
   PCHIP: it goes through every mean and never beyond two neighbours, so it does not oscillate.

All points at one x make a constant.

Cost: O(n) to make, O(log 20) for each x.

Source: Fritsch and Carlson 1980, Fritsch and Butland 1984.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.interpolate import PchipInterpolator

from algorithms.core import validate
from algorithms.core.record import Record

PARTS = 20
CLOSE = 1e-9  # relative differences below this count as none


@dataclass(frozen=True, eq=False)
class Truth(Record):
    """A function of x on [low, high]; `text` says how it is made.

    jumps : the places where it jumps; it has the height of the right side there.
    """

    name: str
    text: str
    formula: Callable[[ndarray], ndarray]
    low: float = -3.0
    high: float = 3.0
    jumps: tuple[float, ...] = ()

    def __call__(self, x: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
        """Return f(x)."""
        return self.formula(x)


@dataclass(frozen=True, eq=False)
class Interpolant(Record):
    """The monotone cubic through (k, 2) places with increasing x; constant beyond the ends."""

    places: Float[ndarray, "k 2"]

    def __call__(self, x: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
        """Return the height of the curve at `x`."""
        (across, up), (left, bottom) = self.places.T, self.places.min(axis=0)
        width, height = np.ptp(across), np.ptp(up)
        if width == 0 or height == 0:
            return np.full(x.shape, up[0])
        # Computed in units of the points' own box, so that slopes cannot overflow or vanish.
        curve = PchipInterpolator((across - left) / width, ((up - bottom) / height).round(12))
        return bottom + height * curve(((x - left) / width).clip(0, 1))


def through(X: Float[ndarray, "n 2"], *, spare: tuple[float, float] = (-3.0, 3.0)) -> Truth:
    """Return the truth through the points `X`, from their smallest x to their largest.

    spare : low and high if all points have the same x. Raises ValueError unless X is (n, 2) and
    finite.
    """
    X = validate.points(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have 2 columns, x and y, got {X.shape[1]}")
    x = X[:, 0]
    low, high = stretch(x, spare=spare)
    width = high - low
    if one_place(x):
        places = X.mean(axis=0, keepdims=True)
    else:
        part = 1 + np.minimum((PARTS * ((x - low) / width)).astype(int), PARTS - 1)
        part[x == low], part[x == high] = 0, PARTS + 1
        count = np.bincount(part, minlength=PARTS + 2)
        sums = np.stack([np.bincount(part, column, PARTS + 2) for column in X.T], axis=1)
        places = sums[count > 0] / count[count > 0, None]
        # Rounding may give two neighbouring parts the same mean.
        places = places[np.diff(places[:, 0], prepend=-np.inf) > CLOSE * width]
    text = f"a smooth curve through the points ({len(places)} places)"
    return Truth("drawn", text, Interpolant(places), low, high)


def stretch(x: Float[ndarray, " n"], *, spare: tuple[float, float]) -> tuple[float, float]:
    """Return the smallest and the largest x, or `spare` if all are the same or there are none."""
    return spare if one_place(x) else (float(x.min()), float(x.max()))


def one_place(x: Float[ndarray, " n"]) -> bool:
    """Return whether all x are the same, up to rounding, or there are none."""
    return len(x) == 0 or float(np.ptp(x)) <= CLOSE * float(np.abs(x).max())


def sine(x: ndarray) -> ndarray:
    """Return one period of a sine."""
    return 2 * np.sin(np.pi * x / 3)


def line(x: ndarray) -> ndarray:
    """Return a straight line."""
    return 0.8 * x + 0.3


def cubic(x: ndarray) -> ndarray:
    """Return a polynomial of degree 3."""
    return 0.2 * x**3 - x


def step(x: ndarray) -> ndarray:
    """Return a jump."""
    return np.where(x < 0.5, -1.5, 1.5)


def bump(x: ndarray) -> ndarray:
    """Return a narrow bump on a flat line."""
    return 3 * np.exp(-2 * x**2) - 1


def kink(x: ndarray) -> ndarray:
    """Return two straight lines that meet."""
    return 1.2 * np.abs(x) - 1.8


TRUTHS: dict[str, Truth] = {
    "sine": Truth("sine", "f(x) = 2 sin(π x / 3)", sine),
    "line": Truth("line", "f(x) = 0.8 x + 0.3", line),
    "cubic": Truth("cubic", "f(x) = 0.2 x³ − x", cubic),
    "step": Truth("step", "f(x) = −1.5, from x = 0.5 on 1.5", step, jumps=(0.5,)),
    "bump": Truth("bump", "f(x) = 3 exp(−2 x²) − 1", bump),
    "kink": Truth("kink", "f(x) = 1.2 |x| − 1.8", kink),
}
