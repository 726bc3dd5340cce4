"""Which point does the next move pull at?"""

import numpy as np
from numpy.random import Generator

from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import which_point
from viz.core.words import number
from viz.regression.support_vector_regression import Tube

_INSIDE = 0.98  # of ε: a point is surely inside


def ask(shown: Tube) -> Ask:
    """Ask for a point whose dual moves, among those that lie in the tube and have none."""
    steps = shown.steps

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        old, new = before.coefficients, after.coefficients
        residuals, epsilon = np.abs(before.residuals), before.task.epsilon
        moved, idle = old != new, (old == 0) & (new == 0) & (residuals < _INSIDE * epsilon)

        def reason(i: int) -> str:
            return (
                f"Its β goes from {number(float(old[i]))} to {number(float(new[i]))}, at |y − f| = "
                f"{number(float(residuals[i]))}; the others lie inside of ε = {number(epsilon)} "
                "and stay at β = 0."
            )

        text = "Which point does the next move pull at?"
        return which_point(rng, shown.data, text, moved, idle, reason)

    return asking(len(steps), about)
