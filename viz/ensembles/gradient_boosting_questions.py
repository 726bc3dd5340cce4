"""Which way does the next tree move the sum, and which way the held-out error?"""

from numpy.random import Generator

from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number
from viz.ensembles.gradient_boosting import Boosted


def ask(shown: Boosted) -> Ask:
    """Ask which way the sum goes at the picked place, or the held-out error."""

    def about(now: int, rng: Generator) -> Question | None:
        if rng.random() < 0.5:
            return _sum(shown, now) or _error(shown, now)
        return _error(shown, now) or _sum(shown, now)

    return asking(len(shown.steps), about)


def _sum(shown: Boosted, now: int) -> Question | None:
    old, new = shown.read[now : now + 2].tolist()
    said = "the step from the median" if shown.loss == "Huber" else f"the {shown.middle}"
    reason = (
        f"In its leaf there {said} of the residuals is h = {number(shown.says(now + 1))}, and F "
        f"goes from {number(old)} to {number(new)}."
    )
    text = f"What does the next tree do to the sum F at the {shown.picked}?"
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
