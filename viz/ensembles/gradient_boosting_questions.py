"""Which way does the next tree move the curve, and which way the held-out error?"""

import numpy as np
from numpy.random import Generator

from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number
from viz.ensembles.gradient_boosting import Boosted


def ask(shown: Boosted) -> Ask:
    """Ask which way the curve goes at the picked x, or the held-out error."""

    def about(now: int, rng: Generator) -> Question | None:
        if rng.random() < 0.5:
            return _curve(shown, now) or _error(shown, now)
        return _error(shown, now) or _curve(shown, now)

    return asking(len(shown.steps), about)


def _curve(shown: Boosted, now: int) -> Question | None:
    at, after = np.array([shown.query]), shown.steps[now + 1]
    old, new = (float(step.total(at)[0]) for step in (shown.steps[now], after))
    h = float(after.tree(at)[0])
    middle = "mean" if shown.loss == "squared" else "median"
    reason = (
        f"In its leaf there the {middle} of the residuals is h = {number(h)}, and F goes from "
        f"{number(old)} to {number(new)}."
    )
    text = f"What does the next tree do to the curve at the picked x = {number(shown.query)}?"
    return rises_or_falls(text, old, new, reason)


def _error(shown: Boosted, now: int) -> Question | None:
    if shown.held_out is None:
        return None
    old, new = shown.held_out[now : now + 2].tolist()
    reason = (
        f"It goes from {number(old)} to {number(new)}, and the training error from "
        f"{number(shown.training[now])} to {number(shown.training[now + 1])}."
    )
    return rises_or_falls("What does the next tree do to the held-out error?", old, new, reason)
