"""Words that every classifier by Bayes' rule needs: classes, priors, the picked point, mistakes."""

import numpy as np

from algorithms.classification.generative.bayes import Generative
from viz.classification.generative.fit import Fit
from viz.core.scene import Plane
from viz.core.words import number, power_of_ten

_FEW = 3  # classes that a line has room for,
_ROOM = 150  # if their names let it stay below so many characters


def names(step: Generative, data: Plane) -> list[str]:
    """Give the names of the classes there are, in the order of the step."""
    return [data.classes[int(label)] for label in step.classes]


def priors(fit: Fit, step: Generative) -> str:
    """Say which class is the commonest, and that it wins, for nothing else is known."""
    called, most = names(step, fit.data), int(step.counts.max())
    first, *equal = (name for name, count in zip(called, step.counts, strict=True) if count == most)
    if equal:
        which = f"Classes {', '.join([first, *equal[:-1]])} and {equal[-1]} are equally frequent"
        return f"{which}: while nothing else is known, the first of them wins everywhere."
    return (
        f"Class {first} is the commonest, {number(100 * most / int(step.counts.sum()))} % of the "
        f"points{learned_from(fit)}: while nothing else is known, it wins everywhere."
    )


def shares(fit: Fit, step: Generative) -> str:
    """Write the share of each class."""
    n = int(step.counts.sum())
    listed = ", ".join(
        f"π({name}) = {count}/{n} = {count / n:.3f}"
        for name, count in zip(names(step, fit.data), step.counts, strict=True)
    )
    return f"Priors π, the share of each class: {listed}."


def picked_point(fit: Fit, step: Generative, product: str) -> str:
    """Put the picked point into Bayes' rule: each class's prior, factors, product and posterior.

    product : what is multiplied. The most probable classes are listed, as many as there is room.
    """
    line = _picked_point(fit, step, product, _FEW)
    return line if len(line) <= _ROOM else _picked_point(fit, step, product, _FEW - 1)


def _picked_point(fit: Fit, step: Generative, product: str, most: int) -> str:
    called, factors, chances = names(step, fit.data), fit.log_factors(step), fit.posterior(step)
    joint = np.log(step.priors) + factors.sum(axis=1)
    listed = "; ".join(
        f"{called[k]}: {number(float(step.priors[k]), 2)}"
        + "".join(f"·{_power(factor)}" for factor in factors[k].tolist())
        + f" = {_power(float(joint[k]))}, {_percent(float(chances[k]))}"
        for k in sorted(np.argsort(-chances, kind="stable")[:most].tolist())
    )
    if not np.isfinite(joint).any():
        listed += ". Nothing is left to compare, so the priors decide"
    others = "; others less" if len(called) > most else ""
    return f"Picked point, {product}: {listed}{others}."


def _power(logarithm: float) -> str:
    """Write e to this power with two digits, even where floating-point numbers end."""
    if logarithm > -600 or not np.isfinite(logarithm):
        return number(float(np.exp(logarithm)), 2)
    if logarithm < -1e9:  # the digits of what is left are those of rounding
        return f"e^{number(logarithm, 2)}"
    exponent = np.floor(logarithm / np.log(10))
    digits = np.exp(logarithm - exponent * np.log(10))
    return f"{digits:.1f}×{power_of_ten(int(exponent))}"


def _percent(share: float) -> str:
    if 0 < share < 5e-4:
        return "< 0.1 %"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def wrong(fit: Fit, step: Generative) -> str:
    """Say how many points are on the wrong side of the borders."""
    learned, held = step.mistakes_on_both(fit.data.X, fit.data.labels, fit.held)
    n_held = int(fit.held.sum())
    verb = "is" if learned == 1 else "are"
    text = f"{learned} of {len(fit.held) - n_held} points {verb} on the wrong side"
    return f"{text}, and {held} of {n_held} held out" if n_held else text


def learned_from(fit: Fit) -> str:
    """Say of points that not all are learned from."""
    return " learned from" if fit.held.any() else ""


def outlines(fit: Fit) -> str:
    """Say which points are on the wrong side, and which are held out, if any are."""
    wrong = "A thick outline: on the wrong side."
    if not fit.held.any():
        return wrong
    return (
        f"{wrong} The small pale points are held out: drawn at random, each by itself, they are "
        "not learned from and only count mistakes."
    )
