"""Which covariances do best with more points to learn from?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.classification.generative.learning_curves import LearningCurvesStep
from viz.classification.generative.learning_curves import NAMES
from viz.core.question import Ask, Option, Question, asking
from viz.core.question_kinds import rises_or_falls, which_most
from viz.core.words import number


def ask(steps: Sequence[LearningCurvesStep]) -> Ask:
    """Ask for the kind with the least mean error, and what the error of one kind does."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.5:
            return _best(after) or _error(rng, before, after)
        return _error(rng, before, after) or _best(after)

    return asking(len(steps), about)


def _best(after: LearningCurvesStep) -> Question | None:
    """Ask which kind of covariance has the least error on the other points."""
    errors = (100 * after.errors.mean(axis=0)).tolist()

    def reason(first: int, second: int) -> str:
        return (
            f"On average {number(errors[first])} % of the other points are wrong with "
            f"{NAMES[first]} covariances, and {number(errors[second])} % with {NAMES[second]} ones."
        )

    text = f"Learned from {after.size} points: which covariances do best on the others?"
    options = [Option(f"{name} ones") for name in NAMES]
    return which_most(text, options, [-error for error in errors], reason)


def _error(
    rng: Generator, before: LearningCurvesStep, after: LearningCurvesStep
) -> Question | None:
    """Ask what more points to learn from do to the error of one kind."""
    j = int(rng.integers(len(NAMES)))
    old, new = (float(100 * step.errors[:, j].mean()) for step in (before, after))
    reason = f"The mean of {len(after.errors)} draws goes from {number(old)} to {number(new)} %."
    text = (
        f"Learned from {after.size} points instead of {before.size}. What does the error of "
        f"{NAMES[j]} covariances on the others do?"
    )
    return rises_or_falls(text, old, new, reason)
