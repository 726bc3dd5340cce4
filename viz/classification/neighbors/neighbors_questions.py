"""Which neighbour is met next, and what does another k do?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.neighbors.k_nearest_neighbors import KNearestNeighborsStep
from algorithms.classification.neighbors.leave_one_out import LeaveOneOutStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Plane
from viz.core.words import counted, number

_CLEAR = 1.02  # times as far


def ask_ball(data: Plane, steps: Sequence[KNearestNeighborsStep]) -> Ask:
    """Ask which point the growing ball meets next."""

    def about(now: int, rng: Generator) -> Question | None:
        step = steps[now + 1]
        nearest, far = step.order[step.met - 1], np.empty(len(step.order))
        far[step.order] = step.distances
        beyond = far > _CLEAR * far[nearest]

        def reason(i: int) -> str:
            following = min(far[beyond])
            return (
                f"Its distance is {number(float(far[i]))} ({step.model.metric}); the next one that "
                f"is clearly farther has {number(float(following))}."
            )

        text = "The ball grows. Which of these points does it meet first?"
        found = np.arange(len(far)) == nearest
        return which_point(rng, data, text, found, beyond, reason)

    return asking(len(steps), about)


def ask_errors(steps: Sequence[LeaveOneOutStep]) -> Ask:
    """Ask whether the next k does better."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        reason = (
            f"With k = {after.k} {counted(after.errors, 'point')} left out get the wrong class, "
            f"with k = {before.k} {before.errors}."
        )
        text = f"k goes from {before.k} to {after.k}. What does the number of wrong points do?"
        return rises_or_falls(text, before.errors, after.errors, reason)

    return asking(len(steps), about)
