"""Is the swap made that is tried next?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.clarans import ClaransStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.scene import Plane
from viz.core.words import number, vector

_LITTLE = 1e-3  # of the cost: less is no difference


def ask(data: Plane, steps: Sequence[ClaransStep]) -> Ask:
    """Ask of a try whether it is taken: as often of those that are as of those that are not."""
    taken = sum(step.taken for step in steps)
    refused = sum(step.phase == "try" for step in steps) - taken
    share = taken / refused if refused else 1.0

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.phase != "try" or (not after.taken and rng.random() > share):
            return None
        cost, tried = before.cost, after.tried_cost
        if abs(tried - cost) <= _LITTLE * cost:
            return None
        ways = [Option("Yes: the cost falls"), Option("No: the cost would rise")]
        right, wrong = ways if after.taken else ways[::-1]
        x, y = data.X[after.tried].tolist()
        gone = vector(data.X[after.gone])
        text = f"The point ? is tried in place of the medoid at {gone}. Is the swap made?"
        reason = f"With it the cost is {number(tried, 4)}, without it {number(cost, 4)}."
        return question(text, right, [wrong], reason, (0, x, y))

    return asking(len(steps), about)
