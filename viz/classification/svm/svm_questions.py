"""Which two duals move next, and how far?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.svm.svm import SvmStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.scene import Plane
from viz.core.words import number

_KEPT = 0.05  # by so much y f is above 1 where a condition is surely kept
_NEAR = 1e-6  # of C: nearer to a bound it cannot be told from it


def ask_pairs(data: Plane, steps: Sequence[SvmStep]) -> Ask:
    """Ask which point is of the next pair, or what becomes of the dual of one that is."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.pair is None:
            return None
        return (rng.random() < 0.5 and _who(rng, data, before, after)) or _where(rng, data, after)

    return asking(len(steps), about)


def _who(rng: Generator, data: Plane, before: SvmStep, after: SvmStep) -> Question | None:
    """Ask for a point of the pair, among those whose conditions are kept."""
    margins, duals = before.signs * before.outputs, before.duals
    members = np.zeros(len(margins), bool)
    members[list(after.pair or ())] = True

    def reason(i: int) -> str:
        return (
            f"It has α = {number(duals[i])} and y f = {number(margins[i])}; the others have α = 0 "
            "and y f above 1, as they should."
        )

    kept = ~members & (duals == 0) & (margins > 1 + _KEPT)
    text = "Two duals are moved that break their conditions. Which point is of this pair?"
    return which_point(rng, data, text, members, kept, reason)


def _where(rng: Generator, data: Plane, after: SvmStep) -> Question | None:
    """Ask what becomes of the dual of one of the two."""
    which = int(rng.integers(2))
    if after.move is None or after.pair is None:
        return None
    C, before, new = after.C, after.move.before[which], after.move.after[which]
    inside = 0 < new < C
    if abs(new - before) <= _NEAR * C or (inside and min(new, C - new) <= _NEAR * C):
        return None
    ways = {"it falls to 0": before > 0, "it falls, but not to 0": before > 0}
    ways |= {"it rises, but not to C": before < C, "it rises to C": before < C}
    falls, ended = new < before, not inside
    right = 0 if falls and ended else 1 if falls else 3 if ended else 2
    options = [Option(way) for way in ways]
    wrong = [option for option in options if ways[option.text]]
    i = after.pair[which]
    x, y = data.X[i].tolist()
    text = f"The dual of the point ? is {number(before)}, and C is {number(C)}. What becomes of it?"
    reason = f"The best step along the pair, within its box, takes it to {number(new)}."
    return question(text, options[right], wrong, reason, (0, x, y))
