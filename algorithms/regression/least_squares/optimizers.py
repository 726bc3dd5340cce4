"""Optimisers: rules that turn gradients into steps. Any function with a gradient can be descended.

With g the gradient at the point θ, the learning rate η, t the number of the update, and everything
entry by entry (g² as well), starting from v = s = 0:

    gradient   θ <- θ - η g
    momentum   v <- β v + η g                                         θ <- θ - v
    AdaGrad    s <- s + g²                                            θ <- θ - η g / (√s + ε)
    RMSProp    s <- γ s + (1 - γ) g²                                  θ <- θ - η g / (√s + ε)
    Adam       v <- β v + (1 - β) g,   s <- γ s + (1 - γ) g²
               v̂ = v / (1 - β^t),      ŝ = s / (1 - γ^t)              θ <- θ - η v̂ / (√ŝ + ε)

Momentum adds up the latest gradients: what they agree on grows, up to η g / (1 - β) a step, and
what changes its sign cancels. AdaGrad, RMSProp and Adam give every parameter a rate of its own: a
parameter with large gradients is slowed down, so the first step is η in every direction (RMSProp:
η / √(1 - γ)). AdaGrad never forgets a gradient, so its rates only fall; RMSProp forgets. Adam's v
and s start at 0 and are too small at first; dividing by 1 - β^t and 1 - γ^t makes up for it.

On a quadratic whose largest curvature is L, gradient and momentum are stable as long as

    gradient   η < 2 / L                        momentum   η < 2 (1 + β) / L

(Polyak 1964). The others have no such bound: AdaGrad comes to rest at any rate, and so does Adam
for a long time; RMSProp goes on swinging about the minimum at about the distance η.

Cost: O(p) a step for p parameters, besides the gradient.

Source: CS337 (003:1383-1470), where Adam's second moment lacks the square of the gradient and, the
second time, its step the momentum and the rate; Duchi et al. 2011 (AdaGrad); Hinton 2012 (RMSProp);
Kingma and Ba 2015 (Adam).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record

Event = Literal["diverged", "stopped at max_iter"]


class Memory(NamedTuple):
    """What a rule keeps from update to update, after so many `updates`: v and s."""

    updates: int
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]


@dataclass(frozen=True)
class Rule:
    """A rule: a function of the gradient and its memory. Plain gradient descent, θ <- θ - η g."""

    learning_rate: float
    name: ClassVar[str] = "gradient"

    def __post_init__(self) -> None:
        """Refuse rates that are not positive, and memories that do not fade."""
        validate.number("learning_rate", self.learning_rate, positive=True)
        for share in ("beta", "gamma"):
            value = getattr(self, share, 0.0)
            if validate.number(share, value) >= 1:
                raise ValueError(f"{share} must be below 1, got {share}={value}")

    def start(self, parameters: int) -> Memory:
        """Return the empty memory for so many parameters."""
        return Memory(0, np.zeros(parameters), np.zeros(parameters))

    def __call__(
        self, gradient: Float[ndarray, " p"], memory: Memory
    ) -> tuple[Float[ndarray, " p"], Memory]:
        """Return what to add to the point, and the memory afterwards."""
        return -self.learning_rate * gradient, memory._replace(updates=memory.updates + 1)

    def largest_stable_rate(self, curvature: float) -> float | None:
        """Return the rate below which a quadratic of at most this curvature is descended."""
        return 2 / curvature if curvature > 0 else None


@dataclass(frozen=True)
class Momentum(Rule):
    """v <- β v + η g; θ <- θ - v."""

    beta: float = 0.9
    name: ClassVar[str] = "momentum"

    def __call__(
        self, gradient: Float[ndarray, " p"], memory: Memory
    ) -> tuple[Float[ndarray, " p"], Memory]:
        """Return what to add to the point, and the memory afterwards."""
        velocity = self.beta * memory.velocity + self.learning_rate * gradient
        return -velocity, Memory(memory.updates + 1, velocity, memory.squares)

    def largest_stable_rate(self, curvature: float) -> float | None:
        """Return the rate below which a quadratic of at most this curvature is descended."""
        return 2 * (1 + self.beta) / curvature if curvature > 0 else None


@dataclass(frozen=True)
class AdaGrad(Rule):
    """s <- s + g²; θ <- θ - η g / (√s + ε)."""

    epsilon: float = 1e-8
    name: ClassVar[str] = "AdaGrad"

    def __call__(
        self, gradient: Float[ndarray, " p"], memory: Memory
    ) -> tuple[Float[ndarray, " p"], Memory]:
        """Return what to add to the point, and the memory afterwards."""
        squares = memory.squares + gradient * gradient
        change = -self.learning_rate * gradient / (np.sqrt(squares) + self.epsilon)
        return change, Memory(memory.updates + 1, memory.velocity, squares)

    def largest_stable_rate(self, curvature: float) -> float | None:
        """Return None: there is no such bound."""
        return None


@dataclass(frozen=True)
class RMSProp(AdaGrad):
    """s <- γ s + (1 - γ) g²; θ <- θ - η g / (√s + ε)."""

    gamma: float = 0.9
    name: ClassVar[str] = "RMSProp"

    def __call__(
        self, gradient: Float[ndarray, " p"], memory: Memory
    ) -> tuple[Float[ndarray, " p"], Memory]:
        """Return what to add to the point, and the memory afterwards."""
        squares = self.gamma * memory.squares + (1 - self.gamma) * gradient * gradient
        change = -self.learning_rate * gradient / (np.sqrt(squares) + self.epsilon)
        return change, Memory(memory.updates + 1, memory.velocity, squares)


@dataclass(frozen=True)
class Adam(AdaGrad):
    """v and s as fading means of g and g², corrected for their start at 0; θ <- θ - η v̂ / √ŝ."""

    beta: float = 0.9
    gamma: float = 0.999
    name: ClassVar[str] = "Adam"

    def __call__(
        self, gradient: Float[ndarray, " p"], memory: Memory
    ) -> tuple[Float[ndarray, " p"], Memory]:
        """Return what to add to the point, and the memory afterwards."""
        t = memory.updates + 1
        velocity = self.beta * memory.velocity + (1 - self.beta) * gradient
        squares = self.gamma * memory.squares + (1 - self.gamma) * gradient * gradient
        mean, spread = velocity / (1 - self.beta**t), np.sqrt(squares / (1 - self.gamma**t))
        change = -self.learning_rate * mean / (spread + self.epsilon)
        return change, Memory(t, velocity, squares)


RULES: dict[str, type[Rule]] = {
    rule.name: rule for rule in (Rule, Momentum, AdaGrad, RMSProp, Adam)
}


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


def descend(
    gradient: Callable[[Float[ndarray, " p"], int], Float[ndarray, " p"]],
    start: Float[ndarray, " p"],
    rule: Rule,
    *,
    max_iter: int = 100,
    later: tuple[int, Rule] | None = None,
) -> Iterator[DescentStep]:
    """Take `max_iter` steps from `start`: the caller decides when it is close enough.

    `gradient(point, t)` is the gradient for update t = 1, 2, ...: a stochastic one is the gradient
    on the mini-batch of that update. The first step is the start. `later` is the number of a step
    and the rule that is followed from there on, with the memory of the one before.

    Raises ValueError, at the call, unless `start` is a vector of finite numbers, max_iter >= 1 and
    later[0] >= 1.
    """
    point = validate.points(np.atleast_2d(start), name="start")[0]
    max_iter = validate.integer("max_iter", max_iter, 1)
    at, other = later or (1, rule)
    validate.integer("later[0]", at, 1)
    return _descend(gradient, point, lambda step: rule if step < at else other, max_iter)


def _descend(
    gradient: Callable[[Float[ndarray, " p"], int], Float[ndarray, " p"]],
    point: Float[ndarray, " p"],
    rule_of: Callable[[int], Rule],
    max_iter: int,
) -> Iterator[DescentStep]:
    memory, still = rule_of(0).start(len(point)), np.zeros(len(point))
    yield DescentStep(0, point, still, still, memory.velocity, memory.squares)
    for index in range(1, max_iter + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            g = gradient(point, index)
            change, following = rule_of(index)(g, memory)
            after = point + change
            numbers = np.concatenate([after, g, following.velocity, following.squares])
            usable = np.isfinite(numbers).all() and np.abs(after).max() <= validate.LIMIT
        if not usable:
            yield DescentStep(index, point, still, still, *memory[1:], event="diverged")
            return
        point, memory = after, following
        end: Event | None = "stopped at max_iter" if index == max_iter else None
        yield DescentStep(index, point, g, change, memory.velocity, memory.squares, event=end)
