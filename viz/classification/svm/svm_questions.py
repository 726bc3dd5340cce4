"""Which duals move next, and how far? What does a better street, or another machine, do?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.svm.street_by_hand import StreetStep
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_multiclass import REST, SvmMulticlassStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Plane
from viz.core.words import number

_KEPT = 0.05  # by so much y f is above 1 where a condition is surely kept
_SEEN = 0.01  # of C: a smaller change of a dual is not asked for
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


def ask_street(steps: Sequence[StreetStep]) -> Ask:
    """Ask what the better street does to the width, or to the losses."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        better = "of this direction" if now == 0 else "of all"
        widths, losses = ([_measures(step)[j] for step in (before, after)] for j in (0, 1))
        reason = (
            f"Its width goes from {number(widths[0])} to {number(widths[1])}, and the sum of the "
            f"losses from {number(losses[0])} to {number(losses[1])}: together they cost least."
        )
        which, (old, new) = ("width", widths) if rng.random() < 0.5 else ("sum of losses", losses)
        text = f"Next is the best street {better}. What does the {which} do?"
        return rises_or_falls(text, old, new, reason)

    return asking(len(steps), about)


def _measures(step: StreetStep) -> tuple[float, float]:
    return step.width, float(step.hinges.sum())


def ask_all_at_once(data: Plane, steps: Sequence[SvmQpStep]) -> Ask:
    """Ask whose dual grows in the next step, among those that fall."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        old, new, margins = before.duals, after.duals, before.signs * before.outputs
        rises, falls = ((new - old) * sign > _SEEN * before.C for sign in (1, -1))

        def reason(i: int) -> str:
            return (
                f"Its dual goes from {number(old[i])} to {number(new[i])}, and y f was "
                f"{number(margins[i])} there; the duals of the others fall."
            )

        text = "All duals move in the next step. Whose dual rises?"
        return which_point(rng, data, text, rises, falls, reason)

    return asking(len(steps), about)


def ask_machines(data: Plane, steps: Sequence[SvmMulticlassStep]) -> Ask:
    """Ask for a support vector of the next machine."""

    def about(now: int, rng: Generator) -> Question | None:
        after = steps[now + 1]
        side, other = (int(k) for k in after.machines[-1])
        names = [data.classes[k] for k in after.classes]
        rest = "the rest" if other == REST else names[other]
        taking = (data.labels == after.classes[side]) | (other == REST)
        if other != REST:
            taking |= data.labels == after.classes[other]
        has_weight = after.coefficients[-1] != 0

        def reason(i: int) -> str:
            return (
                f"Its α is {number(abs(after.coefficients[-1, i]))}; those of the others are 0, as "
                f"they are beyond their edge. {int(has_weight.sum())} points have weight."
            )

        text = f"The next machine parts {names[side]} from {rest}. Which point supports it?"
        return which_point(rng, data, text, has_weight, taking & ~has_weight, reason)

    return asking(len(steps), about)
