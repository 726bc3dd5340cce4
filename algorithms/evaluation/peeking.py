"""Peeking: look at the data again and again, and stop as soon as p < 0.05.

After look k there are k batches, and the test has the statistic

    z_k = (s_1 + ... + s_k) / sqrt(k),   s_i Gaussian with deviation 1 and mean `effect`

It stops at the first look with |z_k| > c. With c = 1.96, a single look has 5 % false alarms. For
several looks, let f_k(t) be the density of the sum t = z_k sqrt(k) of experiments that have not
stopped before look k. Then under H0

    f_1 = phi,   f_k(t) = integral over |u| <= c sqrt(k - 1) of f_(k-1)(u) phi(t - u) du
    P(no alarm in k looks) = integral over |t| <= c sqrt(k) of f_k(t) dt

Pocock's border is the c for which the false alarms of all looks together are 5 %.

Cost: O(looks) per experiment; O(m²) per look for the integral, on m places.

Source: Armitage, McPherson and Rowe 1969; Pocock 1977.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.optimize import brentq

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.work import spend

BORDER = 1.959963984540054  # p = 0.05, from both sides
MOST_LOOKS = 50
_STEP = 0.06  # between the places of the integral

Event = Literal["stopped early", "finished"]


@dataclass(frozen=True, eq=False)
class PeekingStep(Record):
    """All experiments so far: z at every look, whether or not it was reached.

    Events: "stopped early", when the newest experiment stopped before its last look; "finished".
    """

    is_model = False

    z: Float[ndarray, "experiments looks"]
    border: float
    event: Event | None = None

    @property
    def stops(self) -> list[int | None]:
        """Return the look at which each experiment stops, counted from 0; None if at none."""
        beyond = np.abs(self.z) > self.border
        return [int(row.argmax()) if row.any() else None for row in beyond]

    @property
    def alarms(self) -> tuple[int, int]:
        """Return how many experiments stop at some look, and how many are beyond at the last."""
        beyond = np.abs(self.z) > self.border
        return int(beyond.any(axis=1).sum()), int(beyond[:, -1].sum())


def peeking(
    looks: int, border: float, *, rng: Generator, effect: float = 0.0, experiments: int = 100
) -> Iterator[PeekingStep]:
    """Make one more experiment in each step. border : c, beyond which |z| stops it.

    Raises ValueError, at the call, unless looks is from 1 to 50, the border positive, the effect
    not negative, and experiments from 1 to 1,000.
    """
    looks = validate.integer("looks", looks, 1, MOST_LOOKS)
    border = validate.number("border", border, positive=True)
    effect = validate.number("effect", effect)
    experiments = validate.integer("experiments", experiments, 1, 1000)
    sums = np.cumsum(rng.normal(effect, 1, (experiments, looks)), axis=1)
    z = sums / np.sqrt(np.arange(1, looks + 1))
    first = advance(z, PeekingStep(z[:0], border))
    return iterate(first, partial(advance, z), most=experiments - 1, stopped=None)


def advance(z: Float[ndarray, "all looks"], step: PeekingStep) -> PeekingStep:
    """Add the next experiment."""
    i = len(step.z)
    early = (np.abs(z[i, :-1]) > step.border).any()
    event: Event | None = "stopped early" if early else None
    event = "finished" if i == len(z) - 1 else event
    return PeekingStep(z[: i + 1], step.border, event)


def false_alarms(looks: int, border: float) -> Float[ndarray, " looks"]:
    """Return the probability of a false alarm within 1, 2, ..., `looks` looks."""
    t, width = _places(border)
    density, kept = np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi), []
    kept.append(float(density @ width))
    for k in range(2, looks + 1):
        spend(2.0 * 400**2)
        wider, wide = _places(border * np.sqrt(k))
        kernel = np.exp(-((wider[:, None] - t) ** 2) / 2) / np.sqrt(2 * np.pi)
        t, density, width = wider, kernel @ (density * width), wide
        kept.append(float(density @ width))
    return 1 - np.array(kept)


def _places(end: float) -> tuple[Float[ndarray, " m"], Float[ndarray, " m"]]:
    """Return places from -end to end, and their weights in the integral (Simpson's rule)."""
    m = 2 * int(np.ceil(end / _STEP)) + 1
    t = np.linspace(-end, end, m)
    weights = np.full(m, 2.0)
    weights[1::2], weights[0], weights[-1] = 4.0, 1.0, 1.0
    return t, weights * (t[1] - t[0]) / 3


def pocock(looks: int, alpha: float = 0.05) -> float:
    """Return the border c with which all looks together have the false alarm rate `alpha`."""
    return float(brentq(lambda c: false_alarms(looks, c)[-1] - alpha, 1.0, 4.0, xtol=1e-6))  # type: ignore
