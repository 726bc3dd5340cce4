"""Optimisers: rules that turn gradients into steps. Any function with a gradient can be descended.

With g the gradient at the point θ, the learning rate η, t the number of the update, and everything
entry by entry (g² as well), starting from v = s = 0:

    gradient   θ <- θ - η g
    momentum   v <- β v + η g                                         θ <- θ - v
    AdaGrad    s <- s + g²                                            θ <- θ - η g / (√s + ε)
    RMSProp    s <- γ s + (1 - γ) g²                                  θ <- θ - η g / (√s + ε)
    Adam       v <- β v + (1 - β) g,   s <- γ s + (1 - γ) g²
               v̂ = v / (1 - β^t),      ŝ = s / (1 - γ^t)              θ <- θ - η v̂ / (√ŝ + ε)

Momentum adds up the latest gradients. Components on which they agree grow, up to a step of
η g / (1 - β), and components that change their sign cancel. AdaGrad, RMSProp and Adam have a rate
for every parameter, which is small where gradients are large, so the first step is η in every
direction (RMSProp: η / √(1 - γ)). AdaGrad never forgets a gradient, so its rates only fall; RMSProp
forgets. Adam's v and s start at 0 and are too small in the first steps; the division by 1 - β^t and
1 - γ^t makes up for this.

On a quadratic whose largest curvature is L, gradient and momentum are stable as long as

    gradient   η < 2 / L                        momentum   η < 2 (1 + β) / L

(Polyak 1964). The others have no such bound: AdaGrad comes to rest at any rate, and so does Adam
for a long time; RMSProp goes on swinging about the minimum at about the distance η.

A rule is a frozen record of its numbers with a pair of pure functions, as in optax. `init` returns
the memory (v and s) before the first update. `update` returns the change of θ and the new memory,
given a gradient and the old memory. So a step with its memory holds everything that the next step
needs.

Cost: O(p) a step for p parameters, besides the gradient.

Source: CS337 (003:1383-1470), where Adam's second moment lacks the square of the gradient and, the
second time, its step the momentum and the rate; Duchi et al. 2011 (AdaGrad); Hinton 2012 (RMSProp);
Kingma and Ba 2015 (Adam).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Gradient = Callable[[Float[ndarray, " p"], int], Float[ndarray, " p"]]
Event = Literal["diverged", "stopped at max_iter"]


class Memory(NamedTuple):
    """The memory of a rule between updates: the number of updates so far, v and s."""

    updates: int
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]


Update = tuple[Float[ndarray, " p"], Memory]  # what is added to the point, and the memory then


@dataclass(frozen=True)
class Rule(ABC):
    """The numbers of a rule, and its pair of pure functions."""

    learning_rate: float
    name: ClassVar[str]

    def __post_init__(self) -> None:
        """Raise ValueError for rates that are not positive, and for memories that never fade."""
        validate.number("learning_rate", self.learning_rate, positive=True)
        for share in ("beta", "gamma"):
            value = getattr(self, share, 0.0)
            if validate.number(share, value) >= 1:
                raise ValueError(f"{share} must be below 1, got {share}={value}")

    def init(self, p: int) -> Memory:
        """Return the memory before the first update of p parameters: v = s = 0."""
        return Memory(0, np.zeros(p), np.zeros(p))

    @abstractmethod
    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""


@dataclass(frozen=True)
class Plain(Rule):
    """θ <- θ - η g."""

    name: ClassVar[str] = "gradient"

    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""
        t, v, s = memory
        return -self.learning_rate * g, Memory(t + 1, v, s)


@dataclass(frozen=True)
class Momentum(Rule):
    """v <- β v + η g;  θ <- θ - v."""

    beta: float = 0.9
    name: ClassVar[str] = "momentum"

    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""
        t, v, s = memory
        v = self.beta * v + self.learning_rate * g
        return -v, Memory(t + 1, v, s)


@dataclass(frozen=True)
class AdaGrad(Rule):
    """s <- s + g²;  θ <- θ - η g / (√s + ε)."""

    epsilon: float = 1e-8
    name: ClassVar[str] = "AdaGrad"

    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""
        t, v, s = memory
        s = s + g * g
        return -self.learning_rate * g / (np.sqrt(s) + self.epsilon), Memory(t + 1, v, s)


@dataclass(frozen=True)
class RMSProp(Rule):
    """s <- γ s + (1 - γ) g²;  θ <- θ - η g / (√s + ε)."""

    epsilon: float = 1e-8
    gamma: float = 0.9
    name: ClassVar[str] = "RMSProp"

    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""
        t, v, s = memory
        s = self.gamma * s + (1 - self.gamma) * g * g
        return -self.learning_rate * g / (np.sqrt(s) + self.epsilon), Memory(t + 1, v, s)


@dataclass(frozen=True)
class Adam(Rule):
    """v <- β v + (1 - β) g;  s <- γ s + (1 - γ) g²;  θ <- θ - η v̂ / (√ŝ + ε)."""

    epsilon: float = 1e-8
    beta: float = 0.9
    gamma: float = 0.999
    name: ClassVar[str] = "Adam"

    def update(self, g: Float[ndarray, " p"], memory: Memory) -> Update:
        """Return what to add to θ, and the memory afterwards."""
        t, v, s = memory
        t = t + 1
        v = self.beta * v + (1 - self.beta) * g
        s = self.gamma * s + (1 - self.gamma) * g * g
        v_hat, s_hat = v / (1 - self.beta**t), s / (1 - self.gamma**t)
        return -self.learning_rate * v_hat / (np.sqrt(s_hat) + self.epsilon), Memory(t, v, s)


RULES: dict[str, type[Rule]] = {
    rule.name: rule for rule in (Plain, Momentum, AdaGrad, RMSProp, Adam)
}


def largest_stable_rate(rule: Rule, curvature: float) -> float | None:
    """Return the rate below which a quadratic of at most this curvature is descended, if any."""
    if curvature <= 0 or not isinstance(rule, Plain | Momentum):
        return None
    beta = rule.beta if isinstance(rule, Momentum) else 0.0
    return 2 * (1 + beta) / curvature


def descend(
    gradient: Gradient, start: Float[ndarray, " p"], rule: Rule, *, max_iter: int = 100
) -> Iterator["DescentStep"]:
    """Yield `start` and `max_iter` steps; the caller decides when a step is close enough.

    `gradient(point, t)` is the gradient for update t = 1, 2, ...: a stochastic one is the gradient
    on the mini-batch of that update. The first step is the start.

    Raises ValueError, at the call, unless `start` is a vector of finite numbers and max_iter >= 1.
    """
    point = validate.points(np.atleast_2d(start), name="start")[0]
    max_iter = validate.integer("max_iter", max_iter, 1)
    still = np.zeros(len(point))
    first = DescentStep(0, point, still, still, *rule.init(len(point))[1:])
    return iterate(first, partial(advance, gradient, rule), most=max_iter)


def advance(gradient: Gradient, rule: Rule, step: "DescentStep") -> "DescentStep":
    """Return the step that follows: θ <- θ + the rule's update for g."""
    t = step.index + 1
    with np.errstate(over="ignore", invalid="ignore"):
        g = gradient(step.point, t)
        change, memory = rule.update(g, Memory(step.index, step.velocity, step.squares))
        point = step.point + change
    if not usable(point, g, memory):
        still = np.zeros(len(point))
        return replace(step, index=t, gradient=still, change=still, event="diverged")
    return DescentStep(t, point, g, change, memory.velocity, memory.squares)


def usable(point: Float[ndarray, " p"], g: Float[ndarray, " p"], memory: Memory) -> bool:
    """Return whether point, gradient and memory are finite and in range."""
    finite = np.isfinite(np.concatenate([point, g, memory.velocity, memory.squares])).all()
    return bool(finite and np.abs(point).max() <= validate.LIMIT)


@dataclass(frozen=True, eq=False)
class DescentStep(Record):
    """The point after `index` updates; the latest used `gradient` and added `change`.

    Events, at the end: "diverged" (the next update is not finite or out of range; the step repeats
    the point before) and "stopped at max_iter".
    """

    index: int
    point: Float[ndarray, " p"]
    gradient: Float[ndarray, " p"]
    change: Float[ndarray, " p"]
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    event: Event | None = None
