"""Is the row that is compared next nearer than all before it?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.binary_measures import BinaryStep
from algorithms.data.baskets import Baskets
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.words import number


def ask(data: Baskets, steps: Sequence[BinaryStep]) -> Ask:
    """Ask whether the next row is nearer than the nearest so far."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        far, least = float(after.by[after.other]), float(after.by[before.nearest])
        if far == least:
            return None
        this, other, nearest = (data.shoppers[i] for i in (after.row, after.other, before.nearest))
        options = [Option(f"{other} is nearer"), Option(f"{nearest} stays nearer")]
        right, wrong = options if far < least else options[::-1]
        reason = f"{other} is at {number(far)}, {nearest} at {number(least)} ({after.measure})."
        return question(
            f"{other} comes next. Who is nearer to {this}, {other} or {nearest}?",
            right,
            [wrong],
            reason,
        )

    return asking(len(steps), about)
