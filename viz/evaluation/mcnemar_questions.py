"""Who gets the next held-out point wrong, and what does that do to the p-value?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.evaluation.mcnemar import McNemarStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Plane
from viz.core.words import number


def ask(data: Plane, steps: Sequence[McNemarStep], first: str, second: str) -> Ask:
    """Ask about the point that is judged next; where the two disagree, sometimes about p."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        place = (0, *data.X[after.point].tolist())
        a, b = after.wrong[:, after.point].tolist()
        if a != b and rng.random() < 0.5:
            return _p_value(before, after, first if a else second, place)
        options = [Option("both right"), Option("both wrong")]
        options += [Option(f"only {name} wrong") for name in (first, second)]
        right = options[(2 if a else 3) if a != b else 1 if a else 0]
        reason = f"Its class is “{data.classes[data.labels[after.point]]}”."
        return question("The ringed point is judged next. Who is right?", right, options, reason,
                        place)  # fmt: skip

    return asking(len(steps), about)


def _p_value(
    before: McNemarStep, after: McNemarStep, loser: str, place: tuple[int, float, float]
) -> Question | None:
    text = f"On the next point only {loser} is wrong. What does p do?"
    reason = f"It goes from {number(before.p)} to {number(after.p)}."
    return rises_or_falls(text, before.p, after.p, reason, place=place)
