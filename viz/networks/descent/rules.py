"""The update rules of the race in words, with the numbers of one update."""

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from viz.core.optimizers import IN_WORDS, Update, scaled, vector
from viz.core.words import number


def in_words(rule: Rule, update: Update) -> str:
    """Write what the rule takes off a place, and where this leads."""
    eta = number(rule.learning_rate, 4)
    g, old, new = vector(update.gradient), vector(update.old), vector(update.new)
    match rule:
        case Momentum():
            return (
                f"it takes off {rule.beta:g} of what it took off before, plus η times the slope: "
                f"{rule.beta:g} · {vector(update.kept)} + {eta} · {g} = {vector(update.velocity)}. "
                f"It is at {new}"
            )
        case AdaGrad() | RMSProp() | Adam():
            slope, size = map(vector, scaled(rule, update))
            return (
                f"η times {IN_WORDS[type(rule)]}, in x and in y: {old} − {eta} · {slope} / {size} "
                f"= {new}"
            )
        case _:
            four = [vector(each, 4) for each in (update.old, update.gradient, update.new)]
            return f"a step is η times the slope, {four[0]} − {eta} · {four[1]} = {four[2]}"
