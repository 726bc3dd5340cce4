"""Which point becomes a medoid next?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.clustering.k_medoids import KMedoidsStep
from viz.core.question import Ask, Option, Place, Question, apart, asking, question
from viz.core.scene import Plane
from viz.core.words import number, vector

_SEEN = 0.04  # of the picture's width: places farther apart can be told from each other
_CLEAR = 1.001  # times as dear
_TRIED = 60  # of the next best points


def ask(data: Plane, steps: Sequence[KMedoidsStep]) -> Ask:
    """Ask for the choice of PAM, among others that cost little more."""

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        if after.taken < 0 or len(after.costs) == 0:
            return None
        least = after.costs.min(axis=0)
        dearer = np.flatnonzero(least > _CLEAR * after.cost)
        others = dearer[np.argsort(least[dearer], kind="stable")][:_TRIED].tolist()
        places = [_place(data, i) for i in (after.taken, *others)]
        seen = _SEEN * (data.bounds[1] - data.bounds[0])
        options = [Option(f"the one at {vector(at[1:])}", at) for at in places]
        kept = [options[i] for i in apart(places, seen)]
        reason = f"With it the cost is {number(after.cost, 5)}, the least of all choices."
        instead = ", instead of one of them" if after.phase == "swap" else ""
        text = f"Which point becomes a medoid next{instead}?"
        return question(text, kept[0], kept[1:], reason)

    return asking(len(steps), about)


def _place(data: Plane, i: int) -> Place:
    x, y = data.X[i].tolist()
    return (0, x, y)
