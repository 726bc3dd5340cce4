"""Whom will the next tree bring to another class?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.ensembles.random_forest import RandomForestStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Plane
from viz.core.words import number

_SAFE = 0.3  # a lead in the vote that one tree does not turn
_TOLD = 1e-9  # a lead that is one


def ask(data: Plane, steps: Sequence[RandomForestStep]) -> Ask:
    """Ask which point the next tree's vote turns, and for the error out of bag."""

    def about(now: int, rng: Generator) -> Question | None:
        if rng.random() < 0.3:
            return _out_of_bag(*steps[now : now + 2])
        turned = _turned(rng, data, *steps[now : now + 2])
        return turned or _out_of_bag(*steps[now : now + 2])

    return asking(len(steps), about)


def _turned(
    rng: Generator, data: Plane, step: RandomForestStep, following: RandomForestStep
) -> Question | None:
    """Ask for a point on which the vote is so even that one tree turns it."""
    before, count = step.predict_proba(data.X), len(step.trees)
    after = (count * before + following.tree.predict_proba(data.X)) / (count + 1)
    lead, left = (np.diff(np.sort(shares, axis=1)[:, -2:])[:, 0] for shares in (before, after))
    old, new = before.argmax(axis=1), after.argmax(axis=1)
    told = np.minimum(lead, left) > _TOLD

    def reason(i: int) -> str:
        of, to = (data.classes[step.classes[k[i]]] for k in (old, new))
        shares = number(before[i, old[i]]), number(after[i, old[i]])
        return (
            f"The mean share of class {of} goes from {shares[0]} to {shares[1]} there, and {to} "
            f"wins; at the others the leader is ahead by more than {_SAFE}."
        )

    text = "Which point gets another class by the vote of the next tree?"
    yes, no = told & (old != new), (old == new) & (lead > _SAFE) & (left > _SAFE)
    return which_point(rng, data, text, yes, no, reason)


def _out_of_bag(step: RandomForestStep, following: RandomForestStep) -> Question | None:
    """Ask which way the error out of bag goes with one tree more."""
    before, after = step.out_of_bag_error, following.out_of_bag_error
    if before is None or after is None or max(before, after) == 0:
        return None
    reason = f"It goes from {number(100 * before)} % to {number(100 * after)} %."
    text = "One tree more: what does the error out of bag do?"
    return rises_or_falls(text, before, after, reason, least=0.01)
