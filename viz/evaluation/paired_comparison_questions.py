"""Who does better on the next held-out part, and what becomes of the p-value?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.evaluation.paired_comparison import PairedStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number


def ask(steps: Sequence[PairedStep], first: str, second: str, one: str) -> Ask:
    """Ask who gets fewer wrong, or where the plain test's p goes if that is told."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        wrong = after.wrong.sum(axis=1).tolist()
        if rng.random() < 0.5:
            return _p_value(before, after, one)
        return _fewer(wrong, first, second, one)

    return asking(len(steps), about)


def _fewer(wrong: list[int], first: str, second: str, one: str) -> Question | None:
    if first == second:
        return None
    options = [Option(first), Option(second), Option("both alike")]
    right = options[2 if wrong[0] == wrong[1] else int(wrong[1] < wrong[0])]
    reason = f"{first} gets {wrong[0]} wrong, {second} {wrong[1]}."
    text = f"The next {one} is held out. Who gets fewer of its points wrong?"
    return question(text, right, options, reason)


def _p_value(before: PairedStep, after: PairedStep, one: str) -> Question | None:
    was, now = before.plain, after.plain
    if was is None or now is None:
        return None
    told = number(100 * after.differences[-1])
    text = f"The difference of the next {one} is {told} points. What does the plain test’s p do?"
    reason = f"It goes from {number(was.p)} to {number(now.p)}."
    return rises_or_falls(text, was.p, now.p, reason)
