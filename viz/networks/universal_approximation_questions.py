"""How high is the next bump, and what does the next epoch do to the miss?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.networks.sigmoid_bumps import BumpStep
from algorithms.networks.trained_sigmoids import TrainedStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number

_APART = 0.1  # of the largest height


def ask_bumps(steps: Sequence[BumpStep]) -> Ask:
    """Ask for the next bump's height, among those of other bumps, and both upside down."""
    heights = [float(v) for v in steps[-1].heights[::2]]
    least = _APART * max(map(abs, heights))

    def about(now: int, rng: Generator) -> Question | None:
        right, after = heights[now], steps[now + 1]
        others = [-right, *(heights[i] for i in rng.permutation(len(heights)))]
        kept: list[float] = []
        for value in others:
            if all(abs(value - each) > least for each in (right, *kept)):
                kept.append(value)
        reason = (
            f"It is as high as the truth in the middle of its part: f({number(after.middle)}) = "
            f"{number(right)}."
        )
        options = [Option(number(value)) for value in kept[:3]]
        return question("How high is the next bump?", Option(number(right)), options, reason)

    return asking(len(steps), about)


def ask_training(steps: Sequence[TrainedStep]) -> Ask:
    """Ask which way the miss goes."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = (steps[i].miss.rms for i in (now, now + 1))
        reason = f"It goes from {number(before, 4)} to {number(after, 4)}."
        text = "What does the next epoch do to the miss, the root mean square of f − N?"
        return rises_or_falls(text, before, after, reason)

    return asking(len(steps), about)
