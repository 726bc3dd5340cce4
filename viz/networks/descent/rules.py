"""The update rules of the race in words, with the numbers of one update."""

import numpy as np

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from viz.core.optimizers import IN_WORDS, Update, scaled
from viz.core.words import enclosed, number


def in_words(rule: Rule, update: Update) -> str:
    """Write the move of a rule along the axis on which it moves farther."""
    moved = update.new - update.old
    axis = int(np.abs(moved).argmax())
    eta, slope = number(rule.learning_rate), enclosed(update.gradient[axis], 4)
    match rule:
        case Momentum():
            last = enclosed(-update.kept[axis], 4)
            words = f"{rule.beta:g} of its last move, minus η times the slope"
            terms = f"{rule.beta:g} · {last} − {eta} · {slope}"
        case AdaGrad() | RMSProp() | Adam():
            followed, size = (each[axis] for each in scaled(rule, update))
            words = f"−η times {IN_WORDS[type(rule)]}"
            terms = f"−{eta} · {enclosed(followed, 4)} / {number(size, 4)}"
        case _:
            words, terms = "−η times the slope", f"−{eta} · {slope}"
    return f"in {'xy'[axis]}, its move is {words}: {terms} = {number(moved[axis])}"
