"""Which neighbour is met next, and what does another k do, or another dimension?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.neighbors.distances_in_cube import FEW, DistancesStep
from algorithms.classification.neighbors.k_nearest_neighbors import KNearestNeighborsStep
from algorithms.classification.neighbors.leave_one_out import LeaveOneOutStep
from viz.core.question import Ask, Option, Question, asking, question
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


def ask_dimensions(steps: Sequence[DistancesStep]) -> Ask:
    """Ask what more columns do to near and far, and to a neighbourhood."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.5:
            return _neighbourhood(before, after)
        ends = [number(step.ratio) for step in (before, after)]
        reason = (
            f"The farthest point was {ends[0]} times as far as the nearest one, then it is "
            f"{ends[1]} times as far."
        )
        text = (
            f"From {before.d} to {after.d} columns: what does the ratio of the farthest to the "
            "nearest distance from the query do?"
        )
        return rises_or_falls(text, before.ratio, after.ratio, reason)

    return asking(len(steps), about)


def _neighbourhood(before: DistancesStep, after: DistancesStep) -> Question | None:
    """Ask for the side of a small cube: its power is the share of the points, not the side."""
    sides = [after.side, before.side, FEW, after.side / 2]
    options = [Option(number(side)) for side in sides]
    reason = (
        f"Its volume has to be {FEW}: the side to the power of {after.d} is {FEW} where the side "
        f"is {number(after.side)}."
    )
    text = (
        f"In {after.d} dimensions: how long must the side of a cube be that is to hold "
        f"{number(100 * FEW)} % of the points, where the whole has the side 1?"
    )
    return question(text, options[0], options[1:], reason)
