"""Descent beside a wall: steps down a bowl, and back to the wall when they have crossed it.

    minimise f(θ)   subject to   g(θ) = n·θ - b <= 0,   n the wall's normal, of length 1

A step goes downhill, and from a place behind the wall straight back to it:

    z <- θ - η ∇f(θ),
    θ <- z - max(0, g(z)) n

On the wall, the multiplier λ is the force with which the slope presses on it, and the conditions of
Karush, Kuhn and Tucker say whether θ is the lowest allowed place:

    λ = max(0, -n·∇f(θ)) on the wall, 0 elsewhere
    ∇f(θ) + λ n = 0,    g(θ) <= 0,    λ >= 0,    λ g(θ) = 0

The dual function bounds f from below at all allowed places, for every λ >= 0. For a bowl, which is
f = θᵀHθ / 2, the inner minimum is at θ = -λ H⁻¹n:

    q(λ) = min_θ f(θ) + λ g(θ) = -λ² nᵀH⁻¹n / 2 - λ b

It is largest at λ* = max(0, -b / nᵀH⁻¹n), where it is the lowest allowed f: there is no gap.

Cost: O(1) a step.

Source: CS725 9.3-9.5; Boyd and Vandenberghe 2004, chapter 5.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.networks.descent.descent_race import far_out, starting
from algorithms.networks.descent.surfaces import Surface

OPTIMAL, MET, LEAVES = "optimal", "meets the wall", "leaves"
TOLERANCE = 1e-4  # of what is left of the slope, ‖∇f + λ n‖


@dataclass(frozen=True)
class Wall:
    """A line that may not be crossed: g(θ) = n·θ - b <= 0 is allowed. b : `offset`."""

    normal: tuple[float, float]
    offset: float

    @classmethod
    def through(cls, places: Float[ndarray, "2 2"]) -> "Wall":
        """Return the wall through two places: left of the way from one to the other is allowed.

        Raises ValueError unless they are two different places of finite numbers.
        """
        places = np.asarray(places, float)
        if places.shape != (2, 2) or not np.isfinite(places).all():
            raise ValueError(f"a wall needs two places of finite numbers, got {places.tolist()}")
        x, y = places[1] - places[0]
        length = float(np.hypot(x, y))
        if length == 0:
            raise ValueError("the two places of the wall are the same: drag one of them away")
        normal = np.array([y, -x]) / length
        return cls((float(normal[0]), float(normal[1])), float(normal @ places[0]))

    def behind(self, place: Float[ndarray, "*m 2"]) -> Float[ndarray, "*m"]:
        """Return g, how far places are behind the wall; below 0 they are allowed."""
        return np.asarray(place @ np.array(self.normal) - self.offset)


def walled_descent(
    bowl: Surface,
    places: Float[ndarray, "2 2"],
    start: Float[ndarray, " 2"],
    *,
    learning_rate: float = 0.1,
    max_iter: int = 200,
) -> Iterator["WalledStep"]:
    """Descend a bowl from `start`, left of the wall through two `places`.

    The first step is the start; if it is behind the wall, it is put on it. Raises ValueError, at
    the call, unless the surface is a bowl, the places are two different ones, `start` is a place of
    finite numbers, learning_rate > 0, and max_iter >= 1.
    """
    wall = Wall.through(places)
    if bowl.name != "bowl":
        raise ValueError(f"the surface must be a bowl, got name={bowl.name!r}")
    learning_rate = validate.number("learning_rate", learning_rate, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    first = _step(bowl, wall, 0, starting(start), met=False)
    return iterate(first, partial(advance, bowl, wall, learning_rate), most=max_iter)


def advance(bowl: Surface, wall: Wall, learning_rate: float, step: "WalledStep") -> "WalledStep":
    """Return the step that follows."""
    trial = step.place - learning_rate * step.gradient  # z <- θ - η ∇f(θ)
    return _step(bowl, wall, step.index + 1, trial, met=step.met)


def dual(bowl: Surface, wall: Wall, multiplier: Float[ndarray, "*m"]) -> Float[ndarray, "*m"]:
    """Return q at multipliers: below f at every allowed place."""
    return np.asarray(-(multiplier**2) * give(bowl, wall) / 2 - multiplier * wall.offset)


def best_multiplier(bowl: Surface, wall: Wall) -> float:
    """Return λ*, where the dual function is largest."""
    return max(0.0, -wall.offset / give(bowl, wall))


def give(bowl: Surface, wall: Wall) -> float:
    """Return nᵀH⁻¹n: how far the lowest place of f + λ g moves along n as λ grows by 1."""
    n, (p, q) = np.array(wall.normal), bowl.turn
    return float((p @ n) ** 2 + (q @ n) ** 2 / bowl.curvature)


@dataclass(frozen=True, eq=False)
class WalledStep(Record):
    """A place, the `trial` z that it comes from, and what the conditions say of it.

    `behind` is g at the place, and `slack` the part of the gradient that no wall takes away,
    ∇f + λ n. `bound` is q(λ), at most the lowest allowed f. `met` tells whether the wall has been
    met so far.

    Events: "meets the wall" once, "optimal" where the slack is shorter than 1e-4, "leaves" far
    outside the picture, "stopped at max_iter".
    """

    is_model: ClassVar[bool] = False
    final_events: ClassVar[tuple[str, ...]] = (OPTIMAL, LEAVES)

    index: int
    trial: Float[ndarray, " 2"]
    place: Float[ndarray, " 2"]
    gradient: Float[ndarray, " 2"]
    behind: float
    multiplier: float
    slack: Float[ndarray, " 2"]
    height: float
    bound: float
    met: bool
    event: str | None = None

    @property
    def gap(self) -> float:
        """Return f(θ) - q(λ): how far f can be above the lowest allowed one at most."""
        return self.height - self.bound


def _step(bowl: Surface, wall: Wall, index: int, trial: ndarray, *, met: bool) -> WalledStep:
    """Put a trial place back on the wall if it is behind it, and measure it."""
    n, over = np.array(wall.normal), max(0.0, float(wall.behind(trial)))
    place = trial - over * n  # θ <- z - max(0, g(z)) n
    behind = 0.0 if over else float(wall.behind(place))
    gradient = bowl.gradient(place)
    multiplier = max(0.0, -float(n @ gradient)) if behind == 0 else 0.0
    slack = gradient + multiplier * n
    height = float(bowl.height(place[None])[0])
    bound = float(dual(bowl, wall, np.array(multiplier)))
    event = None
    if np.hypot(*slack) <= TOLERANCE:
        event = OPTIMAL
    elif far_out(bowl, place[None])[0]:
        event = LEAVES
    elif behind == 0 and not met:
        event = MET
    met = met or behind == 0
    return WalledStep(
        index, trial, place, gradient, behind, multiplier, slack, height, bound, met, event
    )
