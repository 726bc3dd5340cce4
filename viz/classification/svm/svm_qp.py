"""The quadratic programme: every Newton step moves all duals through the inside of the box."""

import numpy as np
from numpy.random import Generator

from algorithms.classification.svm.svm_qp import SvmQpStep
from viz.classification.svm import marks
from viz.classification.svm.machine import EVENTS, Machine
from viz.core import panels, plane
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, View
from viz.core.words import number

# Pixels of the ring of a dual at C, and of the smallest, which is clear of its point's outline.
_LARGEST, _LEAST = 22, 13
_SEEN = 0.01  # of C: no question asks for a smaller change of a dual
_SIGNS = {
    "edges": marks.TERMS,
    "marks": ["", *["size of its ring: the dual α; none if it is small"] * _LARGEST],
}


class AllAtOnce(Machine[SvmQpStep]):
    """All duals in every step."""

    opens = 4

    key = "ring: the larger, the larger the weight α"
    ring = "every dual as a ring"
    signs = _SIGNS

    def duals(self) -> View:
        """Return the view of all duals."""
        return View("All duals", self.all_duals)

    def all_duals(self, now: int) -> Figure:
        """Draw every dual between 0 and C, class by class."""
        return panels.alone(marks.all_duals(self.sides, self.steps[now]))

    def states(self, now: int) -> dict:
        """Mark every dual by the size of a ring; a small one has none."""
        step = self.steps[now]
        kind = np.rint(_LARGEST * np.sqrt(step.duals / step.C))
        sizes = [size if size >= _LEAST else 0 for size in range(_LARGEST + 1)]
        return plane.marks(kind, [100] * len(sizes), sizes, 1.5)

    def said(self, now: int) -> str:
        """Write what the Newton step did, with its numbers."""
        step = self.steps[now]
        objectives = f"P = {number(step.primal_objective, 6)}, D = {number(step.dual_objective, 6)}"
        if now == 0:
            return (
                f"Start inside the box: all {len(step.duals)} duals are strictly between 0 and C = "
                f"{step.C:g}, with Σ α y = 0.\n{objectives}. "
                "All products α z and (C − α) s should become 0; their mean is now "
                f"μ = {number(step.mu)}."
            )
        before = self.steps[now - 1]
        said = (
            f"Newton step on all {len(step.duals)} duals: the gap between primal and dual goes "
            f"from {number(before.gap)} to {number(step.gap)}.{EVENTS[step.event]}"
        )
        return (
            f"{self.converged(now) if step.event == 'converged' else said}\n"
            f"The step ends inside the box: α ← α + {number(step.step_length)} Δα. The mean μ of "
            f"all products α z and (C − α) s goes from {number(before.mu)} to {number(step.mu)}; "
            f"{objectives}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which dual grows in the next step, among those that fall."""
        before, after = self.steps[now], self.steps[now + 1]
        old, new, margins = before.duals, after.duals, before.signs * before.outputs
        rises, falls = ((new - old) * sign > _SEEN * before.C for sign in (1, -1))

        def reason(i: int) -> str:
            return (
                f"Its dual goes from {number(old[i])} to {number(new[i])}; its y f was "
                f"{number(margins[i])}. The duals of the others fall."
            )

        text = "All duals move in the next step. Which point's dual rises?"
        return which_point(rng, self.data, text, rises, falls, reason)
