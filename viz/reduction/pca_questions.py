"""What will a turn of the axis, the next step of an iteration, or one component more do?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.reduction.kernel_pca import KernelPcaStep
from algorithms.reduction.pca import PcaStep
from algorithms.reduction.power_iteration import PowerStep
from algorithms.reduction.projection_axis import AxisStep
from algorithms.reduction.three_lines import LineStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number

_CLEAR = 0.01  # of a share, or of a weight
_STEEPEST = 1e6  # times as much: nearly upright, or level


def ask_axis(steps: Sequence[AxisStep]) -> Ask:
    """Ask whether the axis keeps more or less when it is turned on."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        old, new = float(before.variances[0]), float(after.variances[0])
        reason = f"It goes from {number(old, 4)} to {number(new, 4)}."
        text = (
            f"The axis turns from {before.angle:.1f}° to {after.angle:.1f}°. What does the "
            "variance along it do?"
        )
        return rises_or_falls(text, old, new, reason)

    return asking(len(steps), about)


def ask_power(steps: Sequence[PowerStep]) -> Ask:
    """Ask towards which of the exact eigenvectors the vector turns."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if before.index != after.index or len(after.shares) == 1:
            return None
        gain = (after.shares - before.shares).tolist()
        order = sorted(range(len(gain)), key=lambda j: -gain[j])
        if gain[order[0]] - gain[order[1]] <= _CLEAR:
            return None
        j = order[0]
        shares = [number(float(step.shares[j])) for step in (before, after)]
        reason = (
            "S u stretches u along every eigenvector by its eigenvalue, the most along the first "
            f"that is left: its share goes from {shares[0]} to {shares[1]}."
        )
        options = [Option(f"eigenvector {k + 1}") for k in order]
        text = "Next is S u / ‖S u‖. Along which eigenvector does the share of u grow most?"
        return question(text, options[0], options[1:], reason)

    return asking(len(steps), about)


def ask_components(steps: Sequence[PcaStep], names: Sequence[str]) -> Ask:
    """Ask which column the next component is mostly made of."""

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        if len(after.components) == 0:
            return None
        weights = after.components[-1].tolist()
        order = np.argsort(-np.abs(weights), kind="stable").tolist()
        first, *rest = order
        if not rest or abs(weights[first]) - abs(weights[rest[0]]) <= _CLEAR:
            return None
        reason = (
            f"“{names[first]}” has the weight {number(weights[first])} in it, "
            f"“{names[rest[0]]}” {number(weights[rest[0]])}."
        )
        options = [Option(f"“{names[j]}”") for j in order]
        text = f"Which column has the largest weight in component {len(after.components)}?"
        return question(text, options[0], options[1:], reason)

    return asking(len(steps), about)


def ask_lines(steps: Sequence[LineStep], side: str) -> Ask:
    """Ask what a turn does to the mean squared distance that is drawn. side : of the distances."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        old, new = (getattr(step, side) for step in (before, after))
        if max(old, new) > _STEEPEST * after.across:
            return None
        reason = f"It goes from {number(old, 4)} to {number(new, 4)}."
        text = (
            f"The line turns from {before.angle:.1f}° to {after.angle:.1f}°. What does the mean "
            f"squared distance {side} do?"
        )
        return rises_or_falls(text, old, new, reason)

    return asking(len(steps), about)


def ask_kernel(steps: Sequence[KernelPcaStep]) -> Ask:
    """Ask how much of the variance the components so far and the next one have together."""

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        *known, new = (100 * after.explained).tolist()
        so_far = sum(known)
        total, *others = so_far + new, so_far + known[-1], so_far + new / 2, 100.0
        wrong = [other for other in others if abs(other - total) > 100 * _CLEAR and other <= 100]
        if not wrong:
            return None  # all of it is told already
        right, *options = (Option(f"{number(min(share, 100))} %") for share in (total, *wrong))
        reason = f"The next one has {number(new)} %; the one before it had {number(known[-1])} %."
        q = len(after.explained)
        text = f"How much of the variance in the space of features do {q} components have together?"
        return question(text, right, options, reason)

    return asking(len(steps), about)
