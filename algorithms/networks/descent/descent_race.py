"""A race of optimisers: all rules go down one surface from one start, step by step.

At step t every rule r gets the gradient at its own place and turns it into a step:

    g = ∇f(θ_r),        θ_r <- θ_r + rule_r(g)

With everything entry by entry, from v = s = 0 (core/optimizers.py),

    gradient   rule(g) = -η g
    momentum   rule(g) = -v,                    v <- β v + η g
    AdaGrad    rule(g) = -η g / (√s + ε),       s <- s + g²
    RMSProp    rule(g) = -η g / (√s + ε),       s <- γ s + (1 - γ) g²
    Adam       rule(g) = -η v̂ / (√ŝ + ε),       v̂, ŝ the fading means of g and g², corrected

A rule is near a minimum when it is within 1 % of the window's width of one. It stands still where
the gradient is below 1e-9 but no minimum is near, as at a saddle. It has left when it is farther
than five widths from the middle of the window; then it is no longer followed.

Rules at rates chosen by hand cannot be ranked: rate_sweep.py gives each its best rate.

Cost: O(rules) a step.

Source: CS337 (003:1369-1470).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.optimizers import Memory, Rule
from algorithms.core.record import Record
from algorithms.networks.descent.surfaces import Surface

NEAR, FAR = 0.01, 5.0  # of the window's width
STILL = 1e-9  # the length of a gradient that moves nothing
STOPPED = "stopped at max_iter"


def descent_race(
    surface: Surface, start: Float[ndarray, " 2"], rules: Sequence[Rule], *, max_iter: int = 100
) -> Iterator["RaceStep"]:
    """Let all rules take `max_iter` steps from `start`. The first step is the start.

    Raises ValueError, at the call, unless `start` is a place of finite numbers, there is a rule,
    and max_iter >= 1.
    """
    start = starting(start)
    if len(rules) == 0:
        raise ValueError("rules must name one rule at least, got none")
    max_iter = validate.integer("max_iter", max_iter, 1)
    places = np.tile(start, (len(rules), 1))
    still, gone = np.zeros_like(places), np.zeros(len(rules), bool)
    first = RaceStep(0, places, still, still, still, still, *where(surface, places), gone)
    first = _step(surface, rules, first)
    return iterate(first, partial(advance, surface, rules, max_iter), most=max_iter, stopped=None)


def advance(surface: Surface, rules: Sequence[Rule], max_iter: int, step: "RaceStep") -> "RaceStep":
    """Return the step that follows: every rule that has not left moves."""
    t, running = step.index + 1, ~step.left[:, None]
    g = surface.gradient(step.places)
    kept = zip(step.velocities, step.squares, strict=True)
    moves = [
        rule.update(g[r], Memory(step.index, v, s))
        for r, (rule, (v, s)) in enumerate(zip(rules, kept, strict=True))
    ]
    change = np.array([change for change, _ in moves])
    v = np.where(running, [memory.velocity for _, memory in moves], step.velocities)
    s = np.where(running, [memory.squares for _, memory in moves], step.squares)
    stays = running & ~far_out(surface, step.places + change)[:, None]
    places = np.where(stays, step.places + change, step.places)  # θ_r <- θ_r + rule_r(g)
    g, change = np.where(stays, g, 0.0), np.where(stays, change, 0.0)
    left = ~stays[:, 0]
    after = RaceStep(t, places, g, change, v, s, *where(surface, places), left, told=step.told)
    return _step(surface, rules, after, last=t == max_iter)


@dataclass(frozen=True, eq=False)
class RaceStep(Record):
    """Where every rule is after `index` updates.

    The latest update used `gradients`, of the places before, and added `changes`; `velocities` and
    `squares` are what the rules keep. `heights` are f there, `apart` the distances to the nearest
    minimum. `left` marks the rules that are gone and stay where they were last. `told` has the
    events so far.

    Events, joined by "; " if there are several, each told once: "<rule> near a minimum", "<rule>
    swings away again" (it was near one, and is not any more), "<rule> stands still" (where no
    minimum is), "<rule> leaves"; at the end "stopped at max_iter", unless every rule has been near
    a minimum, or is gone.
    """

    is_model = False

    index: int
    places: Float[ndarray, "r 2"]
    gradients: Float[ndarray, "r 2"]
    changes: Float[ndarray, "r 2"]
    velocities: Float[ndarray, "r 2"]
    squares: Float[ndarray, "r 2"]
    heights: Float[ndarray, " r"]
    apart: Float[ndarray, " r"]
    left: Bool[ndarray, " r"]
    told: tuple[str, ...] = ()
    event: str | None = None


def starting(start: Float[ndarray, " 2"]) -> Float[ndarray, " 2"]:
    """Return the start; raises ValueError unless it is two finite numbers."""
    start = np.asarray(start, float)
    if start.shape != (2,) or not np.isfinite(start).all():
        raise ValueError(f"start must be two finite numbers, got start={start!r}")
    return start


def far_out(surface: Surface, places: Float[ndarray, "*m 2"]) -> Bool[ndarray, "*m"]:
    """Return which places are too far out to be followed."""
    west, east, south, north = surface.window
    middle = np.array([west + east, south + north]) / 2
    return np.abs(places - middle).max(axis=-1) > FAR * (east - west)


def near(surface: Surface, apart: Float[ndarray, " m"]) -> Bool[ndarray, " m"]:
    """Return which distances from a minimum are near."""
    west, east = surface.window[:2]
    return apart <= NEAR * (east - west)


def where(
    surface: Surface, places: Float[ndarray, "m 2"]
) -> tuple[Float[ndarray, " m"], Float[ndarray, " m"]]:
    """Return the heights of places, and their distances to the nearest minimum."""
    apart = np.linalg.norm(places[:, None] - surface.minima, axis=2).min(axis=1)
    return surface.height(places), apart


def _step(
    surface: Surface, rules: Sequence[Rule], step: RaceStep, *, last: bool = False
) -> RaceStep:
    """Return the step with its events."""
    arrived = "{} near a minimum".format
    told, close = [], near(surface, step.apart)
    still = np.square(surface.gradient(step.places)).sum(axis=1) < STILL**2
    for r, rule in enumerate(rules):
        if step.left[r]:
            told.append(f"{rule.name} leaves")
        elif close[r]:
            told.append(arrived(rule.name))
        elif arrived(rule.name) in step.told:
            told.append(f"{rule.name} swings away again")
        elif still[r]:
            told.append(f"{rule.name} stands still")
    fresh = [event for event in told if event not in step.told]
    known = (*step.told, *fresh)
    done = [
        gone or arrived(rule.name) in known for gone, rule in zip(step.left, rules, strict=True)
    ]
    events = [*fresh, STOPPED] if last and not all(done) else fresh
    return replace(step, told=known, event="; ".join(events)) if events else step
