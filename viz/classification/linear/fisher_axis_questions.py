"""What does turning the axis on do to J, and to the distance of the means?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.classification.linear.fisher_axis import FisherAxisStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number


def ask(steps: Sequence[FisherAxisStep]) -> Ask:
    """Ask which way J goes, or how the means move."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        turned = f"The axis turns from {before.angle:.1f}° to {after.angle:.1f}°. What does"
        if rng.random() < 0.3:
            was, will = (float(abs(step.means[1] - step.means[0])) for step in (before, after))
            text = f"{turned} the distance of the projected means do?"
        else:
            was, will = before.ratio, after.ratio
            text = f"{turned} J do?"
        reason = f"It goes from {number(was, 4)} to {number(will, 4)}."
        return rises_or_falls(text, was, will, reason)

    return asking(len(steps), about)
