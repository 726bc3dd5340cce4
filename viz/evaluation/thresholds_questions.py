"""What does the next lower threshold do to the curve, and to the cost?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.evaluation.roc_curve import RocStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import counted, number

_WAYS = ["up", "to the right", "up and to the right"]


def ask(steps: Sequence[RocStep]) -> Ask:
    """Ask where the curve goes, and whether the next threshold is cheaper."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.3:
            return _cost(before, after)
        return _way(before, after)

    return asking(len(steps), about)


def _way(before: RocStep, after: RocStep) -> Question | None:
    found = after.true_positives - before.true_positives
    alarms = after.false_positives - before.false_positives
    options = [Option(way) for way in _WAYS]
    right = options[2 if found and alarms else 0 if found else 1]
    reason = (
        f"With the threshold {number(after.threshold)} {counted(found, 'positive')} and "
        f"{counted(alarms, 'negative')} more are called positive."
    )
    text = "The threshold falls to the next score. Which way does the ROC curve go?"
    return question(text, right, options, reason)


def _cost(before: RocStep, after: RocStep) -> Question | None:
    reason = f"In false alarms, it goes from {number(before.cost)} to {number(after.cost)}."
    text = "The threshold falls to the next score. What does the cost do?"
    return rises_or_falls(text, before.cost, after.cost, reason)
