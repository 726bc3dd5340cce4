"""Whom does the tree of the next resample put into another class?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.trees.resampled_trees import ResampledTreeStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import which_point
from viz.core.scene import Plane


def ask(data: Plane, steps: Sequence[ResampledTreeStep]) -> Ask:
    """Ask for such a point, among those whose class all trees so far leave as it is."""
    changes = np.cumsum([step.changed for step in steps], axis=0)
    says = steps[0].predict(data.X)

    def about(now: int, rng: Generator) -> Question | None:
        after = steps[now + 1]

        def reason(i: int) -> str:
            first, then = (data.classes[k] for k in (says[i], after.predict(data.X[[i]])[0]))
            return (
                f"The tree of all points says {first} there, this one {then}. The others have from "
                "all trees so far the class that they have from the tree of all points."
            )

        text = "Which point gets another class from the next tree than from that of all points?"
        return which_point(rng, data, text, after.changed, changes[now + 1] == 0, reason)

    return asking(len(steps), about)
