"""Which point is met next, of those that the eye takes for the nearest?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.clustering.similarity_measures import NeighborStep
from viz.clustering.similarity_measures import name_of
from viz.core.question import Ask, Option, Question, apart, asking, question
from viz.core.scene import Plane
from viz.core.words import number, vector

_CLEAR = 1.02  # times as far
_SEEN = 0.04  # of the picture's width: places farther apart can be told from each other
_TRIED = 60  # of the points that the eye takes for the nearest


def ask(data: Plane, steps: Sequence[NeighborStep]) -> Ask:
    """Ask for the next neighbour, among those that are near the query on the picture."""

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        nearest, far = after.newest, after.distances
        beyond = np.flatnonzero(far > _CLEAR * after.radius)
        by_eye = np.square(data.X[beyond] - after.query).sum(axis=1).argsort(kind="stable")
        places = [_place(data, i) for i in (nearest, *beyond[by_eye][:_TRIED].tolist())]
        seen = _SEEN * (data.bounds[1] - data.bounds[0])
        options = [Option(f"the one at {vector(at[1:])}", at) for at in places]
        kept = [options[i] for i in apart(places, seen)]
        reason = (
            f"Its distance is {number(after.radius)} ({name_of(after.fitted.measure)}); the others "
            "are farther by this measure."
        )
        return question(
            "Which of these points does the ball meet first?", kept[0], kept[1:], reason
        )

    return asking(len(steps), about)


def _place(data: Plane, i: int) -> tuple[int, float, float]:
    x, y = data.X[i].tolist()
    return (0, x, y)
