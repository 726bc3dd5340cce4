"""The update rules of the optimisers, with the numbers of one update."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, Plain, RMSProp, Rule
from viz.core.words import number


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


def applied(rule: Rule, name: str, update: Update, digits: int = 3) -> str:
    """Write the rule with its numbers, the plain rule with at least four digits.

    name : the letter of the parameters on the page.
    """
    eta, digits = number(rule.learning_rate, 4), max(digits, 4 if isinstance(rule, Plain) else 3)
    g, v, s = (vector(x, digits) for x in (update.gradient, update.velocity, update.squares))
    old, new = vector(update.old, digits), vector(update.new, digits)
    match rule:
        case Momentum():
            return (
                f"v ← β v + η g = {rule.beta:g} · {vector(update.kept, digits)} + {eta} · {g} = "
                f"{v}; {name} ← {old} − v = {new}"
            )
        case Adam():
            t = update.number
            mean, square = (
                update.velocity / (1 - rule.beta**t),
                update.squares / (1 - rule.gamma**t),
            )
            return (
                f"g = {g}; means v̂ = {vector(mean, digits)}, "
                f"√ŝ = {vector(np.sqrt(square), digits)}; "
                f"{name} ← {old} − {eta} v̂ / (√ŝ + ε) = {new}"
            )
        case AdaGrad() | RMSProp():
            rates = rule.learning_rate / (np.sqrt(update.squares) + rule.epsilon)
            kept = isinstance(rule, RMSProp)
            sums = f"{rule.gamma:g} s + {1 - rule.gamma:.3g} g²" if kept else "s + g²"
            return (
                f"g = {g}; s ← {sums} = {s}; rates η / (√s + ε) = {vector(rates, digits)}; "
                f"{name} ← {old} − rates · g = {new}"
            )
        case _:
            return f"{name} ← {name} − η g = {old} − {eta} · {g} = {new}"


def vector(values: Iterable[float], digits: int = 3) -> str:
    """Write a vector in parentheses; a single number stands alone."""
    texts = [number(value, digits) for value in values]
    return f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
