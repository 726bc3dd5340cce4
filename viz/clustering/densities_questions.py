"""Does a density rise, which width is better, and from whom is weight taken next?"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.one_class_svm import OneClassStep
from algorithms.clustering.histogram import HistogramStep
from algorithms.clustering.kernel_density import BandwidthStep, KernelDensityStep
from algorithms.core.pair_ascent import PairMove
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Plane
from viz.core.words import number, vector

_CLEAR = 1.1  # times as large
_LITTLE = 1e-3  # of mean ln p


def ask_bumps(steps: Sequence[KernelDensityStep]) -> Ask:
    """Ask whether the density at a point rises with the next bump."""
    points = steps[0].points

    def about(now: int, rng: Generator) -> Question | None:
        i = int(rng.integers(len(points)))
        m = now + 2
        shares = steps[now + 1].shares(points[[i]])[0]
        bump, before = float(shares[-1]) * m, float(shares[:-1].sum()) * m / (m - 1)
        if max(bump, before) <= _CLEAR * min(bump, before):
            return None
        after = float(shares.sum())
        ways = [Option("it rises"), Option("it falls")]
        right, wrong = ways if bump > before else ways[::-1]
        than = "more" if bump > before else "less"
        reason = (
            f"The new bump is {number(bump)} high there, {than} than the mean of the {m - 1} "
            f"before it, {number(before)}: the mean of all goes to {number(after)}."
        )
        x, y = points[i].tolist()
        text = (
            f"The next bump is that of the point at {vector(points[now + 1])}. "
            "What does the density at the point ? do?"
        )
        return question(text, right, [wrong], reason, (0, x, y))

    return asking(len(steps), about)


def ask_widths(steps: Sequence[BandwidthStep]) -> Ask:
    """Ask whether the points that are left out are likelier at the next width."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if abs(after.left_out - before.left_out) <= _LITTLE:
            return None
        reason = (
            f"It goes from {number(before.left_out, 5)} to {number(after.left_out, 5)} at "
            f"h = {number(after.bandwidth)}."
        )
        text = "The next width is larger. What does the mean ln p of the points left out do?"
        return rises_or_falls(text, before.left_out, after.left_out, reason, least=0.0)

    return asking(len(steps), about)


def ask_shifts(steps: Sequence[HistogramStep], query: ndarray) -> Ask:
    """Ask whether the picked point's bin holds more points when the bins are shifted."""
    counts = steps[-1].counts(query)

    def about(now: int, _: Generator) -> Question | None:
        before, after = counts[now : now + 2].tolist()
        reason = (
            f"Its bin holds {after:.0f} points after {before:.0f}, so that p goes to "
            f"{number(after * steps[now].height)}."
        )
        text = "The bins are shifted. What does p at the picked point do?"
        return rises_or_falls(text, before, after, reason)

    return asking(len(steps), about)


def ask_region(steps: Sequence[OneClassStep], data: Plane) -> Ask:
    """Ask from which point weight is taken: where the sum of the bumps is the highest."""

    def about(now: int, rng: Generator) -> Question | None:
        step, move = steps[now], steps[now + 1].move
        if not isinstance(move, PairMove):
            return None
        used = step.duals > 0
        sums = step.decision_function(step.task.points) - step.bias
        chosen = np.arange(len(sums)) == move.j
        others = used & (sums * _CLEAR < sums[move.j])

        def reason(j: int) -> str:
            return (
                f"The sum of the bumps is {number(float(sums[j]))} there, the highest of all "
                "points with weight: to take some away raises D the fastest."
            )

        text = "From which point is weight taken next?"
        return which_point(rng, data, text, chosen, others, reason)

    return asking(len(steps), about)
