"""What will the next round's tree get wrong, and what is its vote worth?"""

from numpy import ndarray
from numpy.random import Generator

from algorithms.ensembles.ada_boost import AdaBoostStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.words import number
from viz.ensembles.ada_boost import Boosted

_CLEAR = 0.01  # of a vote


def ask(shown: Boosted) -> Ask:
    """Ask which point the next tree gets wrong, and whether its vote counts more."""
    steps = shown.steps
    learned = ~shown.held

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.5:
            return _vote(before, after) or _wrong(rng, shown, after, learned)
        return _wrong(rng, shown, after, learned) or _vote(before, after)

    return asking(len(steps), about)


def _wrong(
    rng: Generator, shown: Boosted, after: AdaBoostStep, learned: ndarray
) -> Question | None:
    """Ask for a point on the wrong side of the next tree, whose weight will grow."""
    weights, wrong = learned.astype(float), learned.copy()
    weights[learned], wrong[learned] = after.weights, after.wrong

    def reason(i: int) -> str:
        return (
            f"It weighs {number(weights[i])}, and is among the points that the tree of the next "
            f"round gives up; together they weigh {number(after.error)} of 1."
        )

    text = "Which of these points does the next tree get wrong?"
    return which_point(rng, shown.data, text, wrong, learned & ~wrong, reason)


def _vote(before: AdaBoostStep, after: AdaBoostStep) -> Question | None:
    """Ask how its alpha compares with this round's."""
    if after.error == 0 or abs(after.alpha - before.alpha) <= _CLEAR * before.alpha:
        return None
    ways = [Option("it counts more"), Option("it counts less")]
    right, wrong = ways if after.alpha > before.alpha else ways[::-1]
    reason = (
        f"Its error, by weight, is {number(after.error)}, and this one's {number(before.error)}: "
        f"α = {number(after.alpha)} after {number(before.alpha)}."
    )
    text = "What does the next tree's vote count, compared with that of this tree?"
    return question(text, right, [wrong], reason)
