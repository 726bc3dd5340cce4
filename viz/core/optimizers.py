"""The update rules of the optimisers, with the numbers of one update."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from viz.core.words import number

IN_WORDS = {  # what a rule takes off a parameter, times η
    AdaGrad: "the slope over the root of all its squares",
    RMSProp: "the slope over its usual size",
    Adam: "the mean slope over its usual size",
}


@dataclass(frozen=True, eq=False)
class Update:
    """An update: the parameters before and after it, its gradient, and the rule's memory.

    number : counts updates from 1. kept : the velocity before the update.
    """

    number: int
    old: ndarray
    new: ndarray
    gradient: ndarray
    kept: ndarray
    velocity: ndarray
    squares: ndarray


def scaled(rule: AdaGrad | RMSProp | Adam, update: Update) -> tuple[ndarray, ndarray]:
    """Return the slopes that a rule follows, and the sizes by which it divides them."""
    slope, square = update.gradient, update.squares
    if isinstance(rule, Adam):  # whose means begin at 0, and are corrected for that
        slope = update.velocity / (1 - rule.beta**update.number)
        square = square / (1 - rule.gamma**update.number)
    return slope, np.sqrt(square) + rule.epsilon


def applied(rule: Rule, name: str, update: Update) -> str:
    """Write a rule that has a memory, with its numbers. name : of the parameters on the page."""
    eta = number(rule.learning_rate, 4)
    g, v, s = map(vector, (update.gradient, update.velocity, update.squares))
    old, new = vector(update.old), vector(update.new)
    match rule:
        case Momentum():
            return (
                f"v ← β v + η g = {rule.beta:g} · {vector(update.kept)} + {eta} · {g} = "
                f"{v}; {name} ← {old} − v = {new}"
            )
        case Adam():
            mean, size = scaled(rule, update)
            return (
                f"g = {g}; means v̂ = {vector(mean)}, √ŝ = {vector(size - rule.epsilon)}; "
                f"{name} ← {old} − {eta} v̂ / (√ŝ + ε) = {new}"
            )
        case AdaGrad() | RMSProp():
            rates = rule.learning_rate / scaled(rule, update)[1]
            kept = isinstance(rule, RMSProp)
            sums = f"{rule.gamma:g} s + {1 - rule.gamma:.3g} g²" if kept else "s + g²"
            return (
                f"g = {g}; s ← {sums} = {s}; rates η / (√s + ε) = {vector(rates)}; "
                f"{name} ← {old} − rates · g = {new}"
            )
        case _:
            raise ValueError(f"{rule.name} has no memory")


def vector(values: Iterable[float], digits: int = 3) -> str:
    """Write a vector in parentheses; a single number stands alone."""
    texts = [number(value, digits) for value in values]
    return f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
