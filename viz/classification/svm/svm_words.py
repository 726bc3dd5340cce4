"""Words for support vector machines: what a step did, with its numbers in the update rule."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.svm.kernel_machine import FREE, FULL, KernelMachine
from algorithms.classification.svm.moves import Together
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from viz.classification.svm.svm import Picked, Sides, largest_terms, side_name
from viz.core.scene import Plane
from viz.core.words import number


def pair_caption(steps: Sequence[SvmStep], now: int) -> str:
    """Say which duals step `now` moved and why, with its numbers in the update rule."""
    step = steps[now]
    if together := step.together:
        return _together(steps[now - 1], step, together)
    if step.move is None or step.pair is None:
        return (
            f"Start: all α = 0, so that f = {number(step.bias)} everywhere; "
            f"{_broken(step)}.\n"
            f"Next: j with the lowest g, and the i that promises most. Violation = max g − min g = "
            f"{number(step.violation, 4)}, with g = y − (f − b); D = 0, "
            f"P = {number(step.primal_objective, 5)}."
        )
    move = step.move
    step_size = f"{number(move.slope, 4)} / {number(move.curvature, 4)} = {number(move.wanted, 4)}"
    if move.curvature <= 0:
        step_size = "∞, as η ≤ 0"
    cut = f", cut to {number(move.taken, 4)}" if move.taken < move.wanted else ""
    duals = ", ".join(
        f"α{name} {number(a, 4)} {'+' if change > 0 else '−'} "
        f"{number(abs(change), 4)} = {number(b, 4)}"
        for name, a, b, change in zip(
            "ᵢⱼ", move.before, move.after, np.subtract(move.after, move.before), strict=True
        )
    )
    return (
        f"Move {now}: two duals change; {_risen(step, move.gain)}.{_EVENTS[step.event]}\n"
        f"λ = (gᵢ − gⱼ) / η = {step_size}{cut}: {duals}; "
        f"violation {number(step.violation)}; {_states_counted(step)}."
    )


def _together(before: SvmStep, step: SvmStep, together: Together) -> str:
    """Say what moving all free duals at once has brought."""
    free, bounded = len(together.members), together.bounded
    one = bounded == 1
    stay = f", {bounded} of them at 0 or C, where {'it stops' if one else 'they stop'}"
    return (
        f"Move {step.index}: all {free} free duals go where they are best together; "
        f"{_risen(step, together.gain)}.{_EVENTS[step.event]}\n"
        f"β ← β + d with K d + e 1 = g for these {free}{stay if bounded else ''}; violation "
        f"{number(before.violation)} → {number(step.violation)}; {_states_counted(step)}."
    )


def _risen(step: SvmStep, gain: float) -> str:
    return (
        f"D rises by {number(gain)} to {number(step.dual_objective, 5)} "
        f"(P = {number(step.primal_objective, 5)}); {_broken(step)}"
    )


def _broken(step: SvmStep) -> str:
    count = len(step.violators)
    which = "breaks its" if count == 1 else "break their"
    return f"{count} of {len(step.signs)} points {which} condition"


def at_picked(step: KernelMachine, data: Plane, sides: Sides, spot: Picked) -> str:
    """Say what f is at the picked place, with its largest terms."""
    terms, largest = largest_terms(step, spot)
    coefficients, k = step.coefficients[largest], terms[largest] / step.coefficients[largest]
    written = [
        f"{number(c, 4)} · " + (number(value, 2) if value >= 0 else f"({number(value, 2)})")
        for c, value in zip(coefficients.tolist(), k.tolist(), strict=True)
    ]
    rest = int(np.count_nonzero(terms)) - len(largest)
    if rest:
        written.append(f"{rest} smaller ({number(float(np.delete(terms, largest).sum()))})")
    f = float(terms.sum() + step.bias)
    name = side_name(sides[int(f > 0)], data)
    total = " + ".join([*written, f"b ({number(step.bias)})"]).replace("+ −", "− ")
    rule = f"Σ αy · k + b = {total}" if written else "b"
    return f"Picked point: f = {rule} = {number(f)}: {name}."


def all_caption(steps: Sequence[SvmQpStep], now: int) -> str:
    """Say what Newton step `now` did, with its numbers."""
    step = steps[now]
    objectives = f"P = {number(step.primal_objective, 6)}, D = {number(step.dual_objective, 6)}"
    if now == 0:
        return (
            f"Start inside the box: all {len(step.duals)} duals strictly between 0 and C = "
            f"{step.C:g}, with Σ α y = 0; {objectives}.\n"
            "The products α z and (C − α) s should all become 0; their mean is "
            f"μ = {number(step.mu)}."
        )
    before = steps[now - 1]
    return (
        f"Newton step on all {len(step.duals)} duals: the gap between primal and dual goes from "
        f"{number(before.gap)} to {number(step.gap)}.{_EVENTS[step.event]}\n"
        f"α ← α + {number(step.step_length)} Δα, aimed at σ μ = {number(step.centering, 2)} · "
        f"{number(before.mu)}; now μ = {number(step.mu)}; {objectives}; {_states_counted(step)}."
    )


def _states_counted(step: KernelMachine) -> str:
    states = step.states
    free, full = int((states == FREE).sum()), int((states == FULL).sum())
    return f"○ {free} free, □ {full} at C"


_EVENTS = {
    None: "",
    "a point reaches C": " First α at C.",
    "a support vector drops out": " A support vector drops out.",
    "all free duals at once": "",
    "converged": " Converged.",
    "rounding": " Stopped: rounding allows no further step.",
    "stopped at max_iter": " Stopped: no steps left.",
}
