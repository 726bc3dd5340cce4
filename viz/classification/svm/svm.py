"""Sequential minimal optimisation, move by move: two duals at a time, then all free ones."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.error_by_settings import ErrorBySettings
from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.classification.svm.svm import SvmStep
from algorithms.core.features import PolynomialFeatures
from algorithms.kernel_machines.moves import FreeMove, PairMove
from viz.classification.svm import marks
from viz.classification.svm.machine import EVENTS, Machine
from viz.classification.svm.pair_box import pair_box
from viz.core import plane
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.words import number, rounded

# Plotly's symbols and sizes for OUT, FREE and FULL, and for the same where the condition is broken.
_SYMBOLS = [100, 100, 101, 134, 128, 130]
_SIZES = [0, 16, 15, 8, 16, 15]
_KEPT = 0.05  # y f is above 1 by more than this where a condition is surely kept
_NEAR = 1e-6  # of C: a dual nearer to a bound looks as if it were there
_SIGNS = {
    "edges": marks.TERMS,
    "marks": [
        "", "free: 0 < α < C", "at the bound: α = C", "α = 0, and its condition is broken",
        "free, and its condition is broken", "at the bound, and its condition is broken",
    ],
}  # fmt: skip


class Pairs(Machine[SvmStep]):
    """The pair that moves, in its box."""

    unit = "move"
    opens = 12

    key = "weight α:  ○ below C   □ C"
    ring = "the state of every point"
    signs = _SIGNS

    def __init__(
        self,
        run: Run,
        data: Plane,
        sides: marks.Sides,
        features: PolynomialFeatures,
        place: ndarray,
        matrix: KernelMatrix | None,
        errors: ErrorBySettings | None,
        crossed: bool,
    ) -> None:
        """Choose how much of the box to show: all of it, or up to the largest dual of this run.

        place : picked on the picture. matrix, errors : to be shown, or None. crossed : whether
        points that break their condition are crossed.
        """
        super().__init__(run, data, sides, features, place, matrix, errors)
        C = self.steps[0].C
        self.crossed, self.top = crossed, min(C, 1.3 * self.steps[-1].moves.largest_dual) or C

    def duals(self) -> View:
        """Return the box of the pair, with all duals beside it."""
        return View("The move of i and j in its box, and all duals", self.box)

    def box(self, now: int) -> Figure:
        """Draw the move in the box of the pair, and all duals."""
        return pair_box(self.sides, self.steps[now], self.top)

    def states(self, now: int) -> dict:
        """Mark the states: a ring for 0 < alpha < C, a square for C, a cross if broken."""
        kind = self.steps[now].states.astype(np.uint8)
        if self.crossed:
            kind[self.steps[now].violators] += 3
        return plane.marks(kind, _SYMBOLS, _SIZES, 1.5)

    def pair(self, now: int) -> list[int]:
        """Return the pair of the move."""
        return list(self.steps[now].pair or ())

    def said(self, now: int) -> str:
        """Write which duals the step moved and why, with its numbers in the update rule."""
        move = self.steps[now].move
        if isinstance(move, FreeMove):
            return self._together(now, move)
        return self._start() if move is None else self._of_pair(now, move)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point is in the next pair, or how the dual of a point in it changes."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.pair is None:
            return None
        which = rng.random() < 0.5 and _which(rng, self.data, before, after)
        return which or _what_becomes(self.data, after, after.pair[int(rng.integers(2))])

    def _start(self) -> str:
        step = self.steps[0]
        return (
            f"Start: all α = 0, so f = {number(step.bias)} everywhere; {_broken(step)}.\n"
            "Next: the j with the lowest slope of D, g = y − (f − b), and the i that promises the "
            f"largest rise of D. Violation = max g − min g = {number(step.violation, 4)}; "
            f"{_objectives(step)}."
        )

    def _of_pair(self, now: int, move: PairMove) -> str:
        step = self.steps[now]
        size = f"{number(move.slope, 4)} / {number(move.eta, 4)} = {number(move.wanted, 4)}"
        if move.eta <= 0:
            size = f"∞, as the curvature {number(move.eta, 4)} is not positive"
        cut = f", cut to {number(move.taken, 4)} by the box" if move.taken < move.wanted else ""
        before, after = np.abs(step.before[step.moved]), step.duals[step.moved]
        duals = ", ".join(
            f"α{name} {number(a, 4)} {'+' if change > 0 else '−'} "
            f"{number(abs(change), 4)} = {number(b, 4)}"
            for name, a, b, change in zip("ᵢⱼ", before, after, after - before, strict=True)
        )
        if step.event == "converged":
            return self._met(now)
        return (
            f"Move {now}: the weights α of i and j change; {_broken(step)}.{EVENTS[step.event]}\n"
            f"{_risen(step, move.gain)}. The best step for both is slope / curvature of D = {size}"
            f"{cut}: {duals}; {self.counted(now)}."
        )

    def _together(self, now: int, together: FreeMove) -> str:
        """Write what the move of all free duals at once did."""
        before, step = self.steps[now - 1], self.steps[now]
        free, bounded = len(together.members), together.bounded
        stay = f", {bounded} of them stopped at 0 or C" if bounded else ""
        if step.event == "converged":
            return self._met(now)
        return (
            f"Move {now}: all {free} free weights α move to the values that are best together; "
            f"{_broken(step)}.{EVENTS[step.event]}\n"
            f"{_risen(step, together.gain)}: β ← β + d with K d + e 1 = g for these {free}{stay}; "
            f"violation {number(before.violation)} → {number(step.violation)}; {self.counted(now)}."
        )

    def _met(self, now: int) -> str:
        """Write what the run has come to, and that both objectives agree."""
        step = self.steps[now]
        return (
            f"{self.converged(now)}\n"
            f"Primal and dual have met: {_objectives(step)}; violation {number(step.violation)}; "
            f"{self.counted(now)}."
        )


def _risen(step: SvmStep, gain: float) -> str:
    return f"D rises by {number(gain)} to {rounded(step.dual_objective)}"


def _objectives(step: SvmStep) -> str:
    return f"D = {number(step.dual_objective, 5)}, P = {number(step.primal_objective, 5)}"


def _broken(step: SvmStep) -> str:
    count = len(step.violators)
    which = "breaks its" if count == 1 else "break their"
    return f"{count} of {len(step.signs)} points {which} condition"


def _which(rng: Generator, data: Plane, before: SvmStep, after: SvmStep) -> Question | None:
    """Ask which point is in the pair; the other options keep their conditions."""
    margins, duals = before.signs * before.outputs, before.duals
    members = np.zeros(len(margins), bool)
    members[list(after.pair or ())] = True

    def reason(i: int) -> str:
        return (
            f"It has α = {number(duals[i])} and y f = {number(margins[i])}; the others have α = 0 "
            "and y f above 1, as they should."
        )

    kept = ~members & (duals == 0) & (margins > 1 + _KEPT)
    text = "The next pair has two points that break their conditions. Which point is one of them?"
    return which_point(rng, data, text, members, kept, reason)


def _what_becomes(data: Plane, after: SvmStep, i: int) -> Question | None:
    """Ask what happens to the dual of a point of the pair."""
    C, before, new = after.C, abs(after.before.item(i)), after.duals.item(i)
    inside = 0 < new < C
    if abs(new - before) <= _NEAR * C or (inside and min(new, C - new) <= _NEAR * C):
        return None
    ways = {"it falls to 0": before > 0, "it falls, but not to 0": before > 0}
    ways |= {"it rises, but not to C": before < C, "it rises to C": before < C}
    falls, ended = new < before, not inside
    right = 0 if falls and ended else 1 if falls else 3 if ended else 2
    options = [Option(way) for way in ways]
    wrong = [option for option in options if ways[option.text]]
    x, y = data.X[i].tolist()
    text = f"The dual of the point ? is {number(before)}, and C is {number(C)}. What happens to it?"
    reason = f"The best step along the pair, within its box, takes it to {number(new)}."
    return question(text, options[right], wrong, reason, (0, x, y))
