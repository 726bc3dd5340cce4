"""The update rules of the race in words, with the numbers of one update."""

import numpy as np
from numpy import ndarray

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from viz.core.optimizers import Update, vector
from viz.core.words import number


def in_words(rule: Rule, update: Update) -> str:
    """Write what the rule takes off a place, and where this leads."""
    eta = number(rule.learning_rate, 4)
    g, old, new = vector(update.gradient), vector(update.old), vector(update.new)
    match rule:
        case Momentum():
            return (
                f"a step is {rule.beta:g} of the last one plus η times the slope, {rule.beta:g} · "
                f"{vector(update.kept)} + {eta} · {g} = {vector(update.velocity)}, down to {new}"
            )
        case Adam():
            t = update.number
            mean = update.velocity / (1 - rule.beta**t)
            usual = np.sqrt(update.squares / (1 - rule.gamma**t)) + rule.epsilon
            return f"η times the mean slope over its usual size{_each(eta, mean, usual, old, new)}"
        case AdaGrad() | RMSProp():
            usual = np.sqrt(update.squares) + rule.epsilon
            over = "its usual size" if isinstance(rule, RMSProp) else "the root of all its squares"
            return f"η times the slope over {over}{_each(eta, update.gradient, usual, old, new)}"
        case _:
            four = [vector(each, 4) for each in (update.old, update.gradient, update.new)]
            return f"a step is η times the slope, {four[0]} − {eta} · {four[1]} = {four[2]}"


def _each(eta: str, slope: ndarray, usual: ndarray, old: str, new: str) -> str:
    """Write a step whose rate differs between the coordinates."""
    return f", in x and in y: {old} − {eta} · {vector(slope)} / {vector(usual)} = {new}"
