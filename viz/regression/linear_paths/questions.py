"""Questions about the next penalty of a path, and about the next visit of coordinate descent."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.regression.linear_paths.lasso_descent import LassoStep
from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.regression.linear_paths.fit import four
from viz.regression.linear_paths.path_panels import PathPanels

_CLEAR = 1.02  # times as much: then the largest can be distinguished from the next
_LITTLE = 1e-3  # of what it is compared with: less does not count as a change
_MOST = 4  # other answers


def path(path: PathPanels, now: int, rng: Generator) -> Question | None:
    """Ask which variable enters or leaves, which weight moves most, and for the held-out error."""
    names, steps, kind = path.made.names, path.steps, rng.random()
    after = steps[now + 1]
    if kind < 0.2:
        return _held_out(path, now)
    if isinstance(after, LassoPathStep) and after.variable >= 0 and kind < 0.8:
        return _knot(names, steps[now], after)
    return _moves_most(names, steps, now)


def visit(names: Sequence[str], after: LassoStep) -> Question | None:
    """Ask what the soft threshold does with the weight that is visited next."""
    w, before = float(after.weights[after.variable]), after.before
    if w != before and abs(w - before) <= _LITTLE * float(np.abs(after.weights).max()):
        return None
    if w == before != 0:
        return None
    ways = ["it stays 0" if before == 0 else "it becomes 0", "it rises", "it falls"]
    options = [Option(way) for way in ways]
    right = 0 if w == 0 else 1 if w > before else 2
    side = "nearer to 0" if w == 0 else "farther from 0"
    reason = (
        f"ρ = x·r + ‖x‖² w = {four(after.correlation)} is {side} than λ = "
        f"{four(after.penalty)}: w goes from {four(before)} to {four(w)}."
    )
    name = f"“{names[after.variable]}”, now {four(before)},"
    text = f"The weight of {name} is visited next. What happens to it?"
    return question(text, options[right], options, reason)


def _knot(names: Sequence[str], before: LassoPathStep, after: LassoPathStep) -> Question | None:
    """Ask for the next knot, among variables with large |x·r| and those whose weights shrink."""
    if after.length <= _LITTLE * before.penalty:
        return None  # it ties with the one before, or nearly
    entered = after.variable in after.active
    idle = sorted(
        set(range(len(names))) - set(before.active.tolist()),
        key=lambda j: -abs(float(before.correlations[j])),
    )
    shrinking = [j for j in before.active.tolist() if before.weights[j] * before.slope[j] < 0]
    enters = {j: Option(f"“{names[j]}” enters") for j in idle}
    leaves = {j: Option(f"“{names[j]}” leaves") for j in shrinking}
    right = (enters if entered else leaves)[after.variable]
    wrong = [*list(enters.values())[:3], *list(leaves.values())[:2]]
    at = f"λ falls from {four(before.penalty)} to {four(after.penalty)}"
    how = "its |x·r| meets λ" if entered else "its weight has come back to 0"
    return question(
        "What happens at the next knot?",
        right,
        [option for option in wrong if option != right],
        f"{at}: there {how}, before anything else happens.",
    )


def _moves_most(names: Sequence[str], steps: Sequence, now: int) -> Question | None:
    """Ask which weight changes most."""
    before, after = steps[now], steps[now + 1]
    change = np.abs(after.weights - before.weights)
    order = np.argsort(-change, kind="stable").tolist()
    if len(order) == 1 or change[order[0]] <= _CLEAR * change[order[1]]:
        return None
    first, second = (
        f"from {four(float(before.weights[j]))} to {four(float(after.weights[j]))}"
        for j in order[:2]
    )
    reason = f"It goes {first}; next is “{names[order[1]]}”, {second}."
    options = [Option(f"that of “{names[j]}”") for j in order[: 1 + _MOST]]
    text = f"λ falls to {four(after.penalty)}. Which weight changes most?"
    return question(text, options[0], options[1:], reason)


def _held_out(path: PathPanels, now: int) -> Question | None:
    """Ask whether the next model does better on the held-out points."""
    errors = path.summary.measured.validation
    if len(errors) == 0:
        return None
    old, new = errors[now : now + 2].tolist()
    reason = f"It goes from {four(old)} to {four(new)}."
    to = four(path.steps[now + 1].penalty)
    text = f"λ falls to {to}. What does the error on held-out points do?"
    return rises_or_falls(text, old, new, reason, least=_LITTLE)
