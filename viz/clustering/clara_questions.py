"""Is the next sample better than all before it?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.clara import ClaraStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.words import number

_LITTLE = 1e-3  # of the cost: less is no difference


def ask(steps: Sequence[ClaraStep]) -> Ask:
    """Ask of a sample whether its medoids cost less than the best so far."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.judged or abs(after.cost - before.lowest) <= _LITTLE * before.lowest:
            return None
        ways = [Option("Yes: they cost less"), Option("No: they cost more")]
        right, wrong = ways if after.cost < before.lowest else ways[::-1]
        lowest = number(before.lowest, 4)
        text = (
            f"PAM chooses medoids from another sample, with the best so far in it, which cost "
            f"{lowest} for all points. Are the new ones better?"
        )
        reason = f"For all points they cost {number(after.cost, 4)}, the best so far {lowest}."
        return question(text, right, [wrong], reason)

    return asking(len(steps), about)
