"""The path of the lasso: one variable after the other enters, and some leave again."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from viz.core.words import counted, rounded
from viz.regression.linear_paths.fit import four
from viz.regression.linear_paths.path_mode import PathMode

_NAMED = 4  # weights named in a caption at most


class Lasso(PathMode[LassoPathStep]):
    """All weights from knot to knot."""

    def caption(self, now: int) -> str:
        """Write which variable enters or leaves, how the knot was found, and what it costs."""
        return f"{self._what_happens(now)}\n{self._why(now)}\n{self.path.errors.line(now)}"

    def _what_happens(self, now: int) -> str:
        """Write in one plain sentence what happens at a step of the lasso."""
        names, step = self.fit.made.names, self.steps[now]
        at, every = f"λ = {rounded(step.penalty)}", counted(len(names), "weight")
        if step.event == "least squares":
            return (
                "No penalty is left: this is least squares. "
                f"Of {every}, {_exactly_0(step.weights)}."
            )
        if step.event is None:
            return (
                f"Between two knots, at {at}, the weights move along straight lines. "
                f"Of {every}, {_exactly_0(step.weights)}."
            )
        moves = "leaves 0" if step.variable in step.active else "is back at 0"
        first = f"Lasso at {at}: the weight of “{names[step.variable]}” {moves}"
        others = np.delete(step.weights, step.variable)
        if len(others):
            first += f"; of the other {len(others)}, {_exactly_0(others)}"
        if step.event == "stopped at max_iter":
            return (
                f"{first}. Stopped: too many variables have entered and left, the path is cut off "
                "here."
            )
        return f"{first}."

    def _why(self, now: int) -> str:
        """Write the rule of the lasso with a step's numbers."""
        names, steps, step = self.fit.made.names, self.steps, self.steps[now]
        if step.event is None:
            return _moves(names, steps, now)
        if step.event == "least squares":
            return f"Weights: {_weights(names, step)}{_left_out(names, step)}."
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
        fell = f"{four(step.gap)} / {four(step.speed)} = {four(step.length)}"
        return f"The weight of {name} shrank to 0 while λ fell by its size / its speed = {fell}."


def _exactly_0(weights: ndarray) -> str:
    """Write how many of some weights are 0."""
    zero = int((weights == 0).sum())
    told = "all" if 1 < zero == len(weights) else zero or "none"
    return f"{told} {'are' if zero > 1 else 'is'} exactly 0"


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
