"""Words for support vector machines: what a step did, with its numbers in the update rule."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.svm.kernel_machine import FREE, FULL, KernelMachine
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from viz.core.words import number


def pair_caption(steps: Sequence[SvmStep], now: int) -> str:
    """Say which pair step `now` moved and why, with its numbers in the update rule."""
    step = steps[now]
    if step.move is None or step.pair is None:
        return (
            f"Start: all α = 0, so D = 0 and f = b = {number(step.bias)} everywhere; "
            f"{len(step.violators)} of {len(step.signs)} points break their condition (✕).\n"
            f"Next: j with the lowest g, and the i that promises most. Violation = max g − min g = "
            f"{step.violation:.4g}, with g = y − (f − b); primal {step.primal_objective:.5g}."
        )
    move = step.move
    step_size = f"{number(move.slope, 4)} / {number(move.curvature, 4)} = {number(move.wanted, 4)}"
    if move.curvature <= 0:
        step_size = "∞, as η ≤ 0"
    cut = f", cut to {move.taken:.4g} by the box" if move.taken < move.wanted else ""
    duals = ", ".join(
        f"α{name} {number(a, 4)} {'+' if change > 0 else '−'} "
        f"{number(abs(change), 4)} = {number(b, 4)}"
        for name, a, b, change in zip(
            "ᵢⱼ", move.before, move.after, np.subtract(move.after, move.before), strict=True
        )
    )
    broken = len(step.violators)
    return (
        f"Move {now}: the two duals of the pair change; {broken} of {len(step.signs)} points "
        f"break their condition (✕).{_EVENTS[step.event]}\n"
        f"λ = (gᵢ − gⱼ) / η = {step_size}{cut}: {duals}.\n"
        f"D rises by {move.gain:.3g} to {step.dual_objective:.5g}, P = "
        f"{step.primal_objective:.5g}; violation {step.violation:.3g}; "
        f"✕ {broken} broken, {_states_counted(step)}."
    )


def all_caption(steps: Sequence[SvmQpStep], now: int) -> str:
    """Say what Newton step `now` did, with its numbers."""
    step = steps[now]
    objectives = f"P = {step.primal_objective:.6g}, D = {number(step.dual_objective, 6)}"
    if now == 0:
        return (
            f"Start inside the box: all {len(step.duals)} duals strictly between 0 and C = "
            f"{step.C:g}, with Σ α y = 0; {objectives}.\n"
            f"The products α z and (C − α) s should all become 0; their mean is μ = {step.mu:.3g}."
        )
    before = steps[now - 1]
    return (
        f"Newton step on all {len(step.duals)} duals: the gap between primal and dual goes from "
        f"{before.gap:.3g} to {step.gap:.3g}.{_EVENTS[step.event]}\n"
        f"α ← α + {step.step_length:.3g} Δα, aimed at σ μ = {step.centering:.2g} · "
        f"{before.mu:.3g}; now μ = {step.mu:.3g}; {objectives}; {_states_counted(step)}."
    )


def _states_counted(step: KernelMachine) -> str:
    states = step.states
    free, full = int((states == FREE).sum()), int((states == FULL).sum())
    return f"○ {free} with 0 < α < C, □ {full} at C"


_EVENTS = {
    None: "",
    "a point reaches C": " First α at C.",
    "a support vector drops out": " A support vector drops out.",
    "converged": " Converged.",
    "rounding": " Stopped: rounding allows no further step.",
    "stopped at max_iter": " Stopped: no steps left.",
}
