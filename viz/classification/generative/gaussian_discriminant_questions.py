"""What does the next estimate tell, and whom does it bring to another class?"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from algorithms.classification.generative.gaussian_discriminant import GaussianDiscriminantStep
from algorithms.classification.generative.naive_bayes import GaussianNaiveBayesStep
from viz.classification.generative.fit import Fit
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.words import number

_SURE = 0.02  # of a probability: a smaller lead does not count
_TILTED = 0.1  # a correlation
_CLEAR = 1.05  # times as large


def ask(fit: Fit) -> Ask:
    """Ask who changes classes, how an ellipse is tilted, and where a feature varies most."""

    def about(now: int, rng: Generator) -> Question | None:
        after = fit.steps[now + 1]
        gaussian = isinstance(after, GaussianDiscriminantStep)
        estimate: Callable[[Fit, Any], Question | None] = _tilt if gaussian else _varies_most
        if rng.random() < 0.5:
            return estimate(fit, after) or changes(fit, now, rng)
        return changes(fit, now, rng) or estimate(fit, after)

    return asking(len(fit.steps), about)


def changes(fit: Fit, now: int, rng: Generator) -> Question | None:
    """Ask which point is brought to another class."""
    step, names = fit.steps[now], fit.data.classes
    before, after = (each.predict_proba(fit.data.X) for each in fit.steps[now : now + 2])
    leads = [np.diff(np.sort(shares, axis=1)[:, -2:])[:, 0] for shares in (before, after)]
    sure = np.minimum(*leads) > _SURE
    old, new = before.argmax(axis=1), after.argmax(axis=1)

    def reason(i: int) -> str:
        was, becomes = (names[step.classes[k[i]]] for k in (old, new))
        return (
            f"With what is estimated next the probability of class {becomes} goes from "
            f"{number(before[i, new[i]])} to {number(after[i, new[i]])} there: no longer {was}."
        )

    text = "Which point gets another class by the next estimate?"
    return which_point(rng, fit.data, text, sure & (old != new), sure & (old == new), reason)


def _tilt(fit: Fit, after: GaussianDiscriminantStep) -> Question | None:
    """Ask whether x and y go together in the covariance that comes next."""
    if after.phase != "covariance" or after.index is None:
        return None
    S = after.covariances[after.index]
    correlation = float(S[0, 1] / np.sqrt(S[0, 0] * S[1, 1])) if S[0, 0] * S[1, 1] > 0 else 0.0
    if abs(correlation) < _TILTED:
        return None
    ways = [Option("up to the right"), Option("down to the right")]
    right, wrong = ways if correlation > 0 else ways[::-1]
    x, y = fit.data.names
    reason = (
        f"The covariance of {x} and {y} is {number(float(S[0, 1]))}, a correlation of "
        f"{number(correlation)}."
    )
    name = fit.data.classes[after.classes[after.index]]
    text = f"The covariance with class {name} comes next. Which way does its ellipse lie?"
    return question(text, right, [wrong], reason)


def _varies_most(fit: Fit, after: GaussianNaiveBayesStep) -> Question | None:
    """Ask in which class a feature has the largest variance."""
    if after.phase != "variances" or after.index is None:
        return None
    variances = after.variances[:, after.index].tolist()
    order = sorted(range(len(variances)), key=lambda k: -variances[k])
    first, second, *_ = order
    if variances[first] <= _CLEAR * variances[second]:
        return None
    names = [fit.data.classes[k] for k in after.classes]
    reason = (
        f"Its variance is {number(variances[first])} in class {names[first]}, and "
        f"{number(variances[second])} in class {names[second]}."
    )
    options = [Option(f"in class {names[k]}") for k in order]
    text = f"In which class does {fit.data.names[after.index]} vary most?"
    return question(text, options[0], options[1:], reason)
