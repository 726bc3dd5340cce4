"""Pictures and words for confidence intervals of a mean, sample after sample."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.evaluation.mean_intervals import METHODS, LongRun, MeanIntervalsStep
from viz.core import curves, panels, plane
from viz.core.question import Ask, Question, asking
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import counted, number
from viz.evaluation.confidence_intervals_questions import about_truth
from viz.evaluation.interval_pictures import curve_of, picture

_MISSES = 8  # times the share of misses that is promised: so far down the axis of coverage goes
_TICKS = [2, 3, 5, 10, 20, 50, 100]


def means(run: Run, truth: LongRun, method: str) -> Scene:
    """Show one interval after the other, of one method. truth : what they do in the long run."""
    steps, chosen = run.steps, METHODS.index(method)
    per_cent = f"{100 * truth.level:g} %"
    views = [
        View(
            f"{per_cent} intervals by {method}; those with × miss the true mean",
            picture(steps, truth.mean, chosen, "mean"),
        ),
        View(
            "Spread and mean of every sample; beyond the lines the interval misses",
            by_spread(steps, truth, chosen),
        ),
        View("How often an interval holds it, for every n", over_sizes(truth, chosen)),
    ]
    note = (
        f"A sample is {counted(truth.n, 'number')}, normal and independent, with the true mean "
        f"{number(truth.mean)}; the points on the board play no part. A cross: an interval that "
        "misses. A square: that of this step. The curves are exact, not counted; they are the same "
        "for every true mean and every true spread."
    )
    return Scene(
        views, lambda now: caption(steps, truth, chosen, now), note, ask=ask(steps, truth, chosen)
    )


def by_spread(
    steps: Sequence[MeanIntervalsStep], truth: LongRun, chosen: int
) -> Callable[[int], Figure]:
    """Draw the samples so far by s and m, with the lines on which m is z or t errors away."""
    places = np.array([(step.spread, step.mean) for step in steps])
    holds = np.array([step.holds[chosen] for step in steps])
    far = float(np.abs(places[:, 1] - truth.mean).max())
    widest = float(places[:, 0].max())
    lines = []
    for i, wide in enumerate(truth.quantiles / np.sqrt(truth.n)):
        # As far as the picture goes: a line that leaves it says nothing more.
        end = min(1.05 * widest, 1.1 * far / float(wide))
        x, y = [end, 0.0, end], [float(truth.mean + side * wide * end) for side in (-1, 0, 1)]
        lines.append(curve_of(i, METHODS[i], x, y, chosen=chosen))
    across = panels.axis("standard deviation s", 0.0, widest)
    up = panels.axis("mean m", truth.mean - far, truth.mean + far)

    def at(now: int) -> Figure:
        so_far = np.arange(len(steps)) <= now
        traces = [*lines]
        for part, marker in (
            (so_far & holds, {"size": 6, "color": GREY}),
            (so_far & ~holds, {"size": 8, "symbol": "x", "color": NOW}),
        ):
            traces.append(plane.line(places[part], mode="markers", marker=marker))
        traces.append(curves.marked(*places[now].tolist(), showlegend=False))
        return curves.with_legend(panels.alone(panels.Panel(traces, across, up)))

    return at


def over_sizes(truth: LongRun, chosen: int) -> Callable[[int], Figure]:
    """Draw how often the intervals of each method hold the true mean, for samples of any size."""
    traces = []
    for i, name in enumerate(METHODS):
        x, y = plane.packed(truth.sizes.astype(float)), plane.packed(truth.curves[i])
        traces.append(curve_of(i, name, x, y, chosen=chosen))
    mark = curves.marked(truth.n, float(truth.at_n[chosen])) | {"showlegend": False}
    ends = np.log10([float(truth.sizes[0]), float(truth.sizes[-1])])
    across = {
        "title": {"text": "numbers in a sample, n", "standoff": 4},
        "type": "log",
        "range": [float(ends[0] - 0.06), float(ends[1] + 0.06)],
        "tickvals": _TICKS,
    }
    bottom = max(1 - _MISSES * (1 - truth.level), 0.0)
    panel = panels.Panel([*traces, mark], across, panels.axis("coverage", bottom, 1.0))
    figure = curves.with_legend(panels.alone(panel))
    return lambda _: figure


def caption(steps: Sequence[MeanIntervalsStep], truth: LongRun, chosen: int, now: int) -> str:
    """Say what the sample gave, put it into the rule, count who held, and give the other one."""
    step, so_far, other = steps[now], now + 1, 1 - chosen
    verdict = "holds" if step.holds[chosen] else "misses"
    held, wide = int(step.held[chosen]), float(truth.quantiles[chosen])
    half, per_cent = wide * step.error, f"{100 * truth.level:g} %"
    degrees = counted(truth.n - 1, "degree") + " of freedom"
    where = (
        f"as if {number(step.spread)} were the true spread" if chosen == 0 else f"with {degrees}"
    )
    return "\n".join(
        [
            f"Sample {so_far} of {len(steps)}: {counted(truth.n, 'number')} with the mean "
            f"m = {_exact(step.mean)} and the standard deviation s = {number(step.spread)}; the "
            f"interval from {_ends(step, chosen)} {verdict} the true {number(truth.mean)}.",
            f"{METHODS[chosen]}: m ± {METHODS[chosen]} s/√n, {where}: {_exact(step.mean)} ± "
            f"{number(wide)} × {number(step.error)} = {_exact(step.mean)} ± {number(half)}.",
            f"{held} of {so_far} so far hold it: {number(100 * held / so_far)} %. Promised are "
            f"{per_cent}; in the long run it is {number(100 * float(truth.at_n[chosen]))} %.",
            f"{METHODS[other]}, with {number(float(truth.quantiles[other]))}: from "
            f"{_ends(step, other)}, {'holds' if step.holds[other] else 'misses'}.",
        ]
    )


def _ends(step: MeanIntervalsStep, i: int) -> str:
    return f"{_exact(float(step.low[i]))} to {_exact(float(step.high[i]))}"


def _exact(value: float) -> str:
    return number(value, 4)


def ask(steps: Sequence[MeanIntervalsStep], truth: LongRun, chosen: int) -> Ask:
    """Tell the next sample's mean and spread, and ask whether its interval holds the true mean."""

    def about(now: int, _: np.random.Generator) -> Question | None:
        after = steps[now + 1]
        told = (
            f"The next {truth.n} numbers have the mean {_exact(after.mean)} and the standard "
            f"deviation {number(after.spread)}."
        )
        reason = f"It goes from {_ends(after, chosen)}."
        return about_truth(after, truth.mean, chosen, (told, METHODS[chosen], reason))

    return asking(len(steps), about)
