"""The path of the lasso: one variable after the other enters, and some leave again."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from algorithms.regression.linear_paths.path_summary import cancelling
from viz.core.words import counted, rounded
from viz.regression.linear_paths.fit import four
from viz.regression.linear_paths.path_mode import PathMode

_NAMED = 4  # weights named in a caption at most
_ALIKE = 0.5  # the least correlation of two columns that are named


class Lasso(PathMode[LassoPathStep]):
    """All weights from knot to knot."""

    def caption(self, now: int) -> str:
        """Write which variable enters or leaves, how the knot was found, and what it costs."""
        return f"{self._what_happens(now)}\n{self._why(now)}\n{self.path.errors.line(now)}"

    def _what_happens(self, now: int) -> str:
        """Write in one plain sentence what happens at a step of the lasso."""
        names, step = self.fit.made.names, self.steps[now]
        used = _in_use(len(step.active), len(names))
        if step.event == "least squares":
            told = f"{self._opposed()} pull against each other" if self.opposed else used
            return f"No penalty is left, this is least squares: {told}."
        if step.event is None:
            return (
                f"Between two knots, at λ = {rounded(step.penalty)}, the weights move along "
                f"straight lines: {used}."
            )
        moves = "enters" if step.variable in step.active else "is back at 0"
        first = f"λ = {rounded(step.penalty)}: “{names[step.variable]}” {moves}; {used}"
        if step.event == "stopped at max_iter":
            return (
                f"{first}. Stopped: too many variables have entered and left, the path is cut off "
                "here."
            )
        return f"{first}."

    @cached_property
    def opposed(self) -> tuple[int, int, float] | None:
        """Return which weights at the end cancel most, and their columns' correlation, if large."""
        found = cancelling(self.fit.made.training[0], self.steps[-1].weights)
        return found if found and abs(found[2]) >= _ALIKE else None

    def _opposed(self) -> str:
        """Write the two weights that cancel most."""
        assert self.opposed
        names, weights = self.fit.made.names, self.steps[-1].weights.tolist()
        return " and ".join(f"“{names[k]}” {rounded(weights[k])}" for k in self.opposed[:2])

    def _why(self, now: int) -> str:
        """Write the rule of the lasso with a step's numbers."""
        names, steps, step = self.fit.made.names, self.steps, self.steps[now]
        if step.event is None:
            return _moves(names, steps, now)
        if step.event == "least squares":
            alike = ""
            if self.opposed:
                alike = f"The two columns have the correlation {rounded(self.opposed[2])}. "
            return f"{alike}Weights: {_weights(names, step)}{_left_out(names, step)}."
        name = f"“{names[step.variable]}”"
        if now == 0 or not steps[now - 1].active.size:
            return (
                f"At a larger penalty λ all weights are 0. {name} pulls hardest, with |x·r| = "
                f"{four(step.penalty)}, and λ has come down to it."
            )
        if step.length == 0:
            return (
                "It ties with the knot before: of several variables due at the same λ, the first "
                "column goes first, and the others follow at once."
            )
        if step.variable in step.active:
            return (
                f"{name} now pulls as hard as the penalty, |x·r| = λ = {four(step.penalty)}: x is "
                "its column, r what the fit leaves over."
            )
        gap, speed = four(step.gap), four(step.speed)
        return (
            f"The weight of {name} was {gap} in size and shrank by {speed} for each 1 that λ fell. "
            f"After a fall of {gap} / {speed} = {four(step.length)} it is 0."
        )


def _in_use(used: int, count: int) -> str:
    """Write how many of the weights are in use, and how many stay at 0."""
    told = f"{used} of {counted(count, 'weight')} {'is' if used == 1 else 'are'} in use"
    idle = count - used
    return f"{told}, {idle} {'stays' if idle == 1 else 'stay'} at 0" if idle else told


def _weights(names: tuple[str, ...], step: LassoPathStep) -> str:
    chosen = np.argsort(-np.abs(step.weights), kind="stable")[:_NAMED].tolist()
    named = [f"{names[j]} {four(float(step.weights[j]))}" for j in chosen]
    more = len(names) - len(chosen)
    rest = {0: "", 1: "; the other one is smaller"}.get(more, f"; the other {more} are smaller")
    return ", ".join(named) + rest


def _left_out(names: tuple[str, ...], step: LassoPathStep) -> str:
    out = len(names) - len(step.active)
    if out == 0:
        return ""
    stay = "stays at 0: it adds" if out == 1 else "stay at 0: they add"
    return f"; {out} {stay} nothing to those in use"


def _moves(names: tuple[str, ...], steps: Sequence[LassoPathStep], now: int) -> str:
    """Write how the fastest weight moved from the step before to this one."""
    step, before = steps[now], steps[now - 1]
    j = int(np.argmax(np.abs(step.slope)))
    t, w = before.penalty - step.penalty, four(before.weights[j])
    moved = f"{w} + {four(t)} · {four(step.slope[j])} = {four(step.weights[j])}"
    return f"λ = {four(step.penalty)}: w of {names[j]} ← {w} + t δ = {moved}."
