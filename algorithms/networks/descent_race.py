"""A race of optimisers: all rules go down one surface from one start, step by step.

At step t every rule of optimizers.py gets the gradient at its own place, and moves by what it makes
of it:

    g = ∇f(θ_r),        θ_r <- θ_r + rule_r(g)

A rule is near a minimum when it is within 1 % of the window's width of one; it stands still where
the gradient is below 1e-9 elsewhere, as at a saddle; it has left when it is farther than five
widths from the middle of the window, and is not followed any farther.

Cost: O(rules) a step.

Source: CS337 (003:1369-1470).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.networks.surfaces import Surface
from algorithms.regression.least_squares.optimizers import Memory, Rule

NEAR, FAR = 0.01, 5.0  # of the window's width
STILL = 1e-9  # the length of a gradient that moves nothing


@dataclass(frozen=True, eq=False)
class RaceStep(Record):
    """Where every rule is after `index` updates.

    The latest update used `gradients`, of the places before, and added `changes`; `velocities` and
    `squares` are what the rules keep. `heights` are f there, `apart` the distances to the nearest
    minimum. `left` says who is gone, and stays where it was last.

    Events, joined by "; " if there are several: "<rule> near a minimum" (for the first time),
    "<rule> stands still" (where no minimum is), "<rule> leaves"; at the end "stopped at max_iter",
    unless all are near a minimum, or gone.
    """

    index: int
    places: Float[ndarray, "r 2"]
    gradients: Float[ndarray, "r 2"]
    changes: Float[ndarray, "r 2"]
    velocities: Float[ndarray, "r 2"]
    squares: Float[ndarray, "r 2"]
    heights: Float[ndarray, " r"]
    apart: Float[ndarray, " r"]
    left: Bool[ndarray, " r"]
    event: str | None = None


def descent_race(
    surface: Surface, start: Float[ndarray, " 2"], rules: Sequence[Rule], *, max_iter: int = 100
) -> Iterator[RaceStep]:
    """Let all rules take `max_iter` steps from `start`. The first step is the start.

    Raises ValueError, at the call, unless `start` is a place of finite numbers, there is a rule,
    and max_iter >= 1.
    """
    start = np.asarray(start, float)
    if start.shape != (2,) or not np.isfinite(start).all():
        raise ValueError(f"start must be two finite numbers, got start={start!r}")
    if len(rules) == 0:
        raise ValueError("rules must name one rule at least, got none")
    return _race(surface, start, list(rules), validate.integer("max_iter", max_iter, 1))


def _race(
    surface: Surface, start: Float[ndarray, " 2"], rules: list[Rule], max_iter: int
) -> Iterator[RaceStep]:
    places = np.tile(start, (len(rules), 1))
    memories = [rule.start(2) for rule in rules]
    left = np.zeros(len(rules), bool)
    still = np.zeros_like(places)
    news = _News(surface, [rule.name for rule in rules])
    yield _step(surface, 0, places, (still, still), memories, left, news, max_iter)
    for index in range(1, max_iter + 1):
        places, left = places.copy(), left.copy()
        gradients, changes = np.zeros_like(places), np.zeros_like(places)
        for r, rule in enumerate(rules):
            if left[r]:
                continue
            g = surface.gradient(places[r])
            change, memories[r] = rule(g, memories[r])  # θ <- θ + rule(g)
            if surface_left(surface, places[r] + change):
                left[r] = True
            else:
                places[r], gradients[r], changes[r] = places[r] + change, g, change
        yield _step(
            surface, index, places, (gradients, changes), memories, left, news, max_iter
        )  # fmt: skip


def surface_left(surface: Surface, place: Float[ndarray, " 2"]) -> bool:
    """Whether a place is too far out to be followed."""
    west, east, south, north = surface.window
    middle = np.array([west + east, south + north]) / 2
    return bool(np.abs(place - middle).max() > FAR * (east - west))


class _News:
    """Who has been near a minimum, stood still or left: each is told once."""

    def __init__(self, surface: Surface, names: list[str]) -> None:
        self.surface, self.names = surface, names
        self.told: set[str] = set()
        self.arrived: set[str] = set()

    def of(
        self,
        places: Float[ndarray, "r 2"],
        apart: Float[ndarray, " r"],
        left: Bool[ndarray, " r"],
    ) -> list[str]:
        west, east = self.surface.window[:2]
        told = []
        for name, place, far, gone in zip(self.names, places, apart, left, strict=True):
            if gone:
                told.append(f"{name} leaves")
            elif far <= NEAR * (east - west):
                self.arrived.add(name)
                told.append(f"{name} near a minimum")
            elif np.linalg.norm(self.surface.gradient(place)) < STILL:
                told.append(f"{name} stands still")
        fresh = [news for news in told if news not in self.told]
        self.told.update(fresh)
        return fresh


def _step(
    surface: Surface,
    index: int,
    places: Float[ndarray, "r 2"],
    moved: tuple[Float[ndarray, "r 2"], Float[ndarray, "r 2"]],
    memories: list[Memory],
    left: Bool[ndarray, " r"],
    news: _News,
    max_iter: int,
) -> RaceStep:
    apart = np.linalg.norm(places[:, None] - surface.minima, axis=2).min(axis=1)
    events = news.of(places, apart, left)
    done = all(gone or name in news.arrived for gone, name in zip(left, news.names, strict=True))
    if index == max_iter and not done:
        events.append("stopped at max_iter")
    return RaceStep(
        index=index,
        places=places.copy(),
        gradients=moved[0].copy(),
        changes=moved[1].copy(),
        velocities=np.array([memory.velocity for memory in memories]),
        squares=np.array([memory.squares for memory in memories]),
        heights=surface.height(places),
        apart=apart,
        left=left.copy(),
        event="; ".join(events) or None,
    )
