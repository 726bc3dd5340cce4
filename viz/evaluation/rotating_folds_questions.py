"""How will the next fold be judged?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.evaluation.rotating_folds import RotatingFoldsStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Plane
from viz.core.words import number


def ask(data: Plane, steps: Sequence[RotatingFoldsStep]) -> Ask:
    """Ask who is on the wrong side of the others' border, and whether the mean error rises."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        same = after.deal == before.deal
        if same and rng.random() < 0.4 and (found := _mean(before, after)):
            return found
        return _wrong(rng, data, after)

    return asking(len(steps), about)


def _wrong(rng: Generator, data: Plane, after: RotatingFoldsStep) -> Question | None:
    """Ask for a point of the next fold that the model of the others gets wrong."""

    def reason(i: int) -> str:
        said, is_ = (data.classes[k] for k in (after.predict(data.X[[i]])[0], data.labels[i]))
        return f"The model of the others says {said} there, and the point is of class {is_}."

    right = after.held_out & ~after.wrong
    text = "These points are held out next. Which of them do the others get wrong?"
    return which_point(rng, data, text, after.wrong, right, reason)


def _mean(before: RotatingFoldsStep, after: RotatingFoldsStep) -> Question | None:
    """Ask what the next fold does to the mean error of this deal."""
    reason = (
        f"This fold's error is {number(100 * after.error)} %: the mean goes from "
        f"{number(100 * before.mean)} to {number(100 * after.mean)} %."
    )
    text = f"Fold {after.fold + 1} comes next. What does the mean error of this deal do?"
    return rises_or_falls(text, before.mean, after.mean, reason)
