"""Intervals for a mean whose standard deviation is not known, by z and by t."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from algorithms.evaluation.mean_intervals import METHODS, LongRun, MeanIntervalsStep
from viz.core import curves, panels, plane
from viz.core.question import Question
from viz.core.scene import Figure, Run, View
from viz.core.theme import GREY, NOW
from viz.core.words import counted, decimal, number
from viz.evaluation.intervals_and_tests.sampled import Sampled

_MISSES = 8  # the axis of coverage shows up to this many times the promised share of misses
_TICKS = [2, 3, 5, 10, 20, 50, 100]


class Means(Sampled[MeanIntervalsStep]):
    """Intervals by z or by t, and the spread of the samples that miss."""

    what = "mean"

    def __init__(self, run: Run, long_run: LongRun, method: str) -> None:
        """Write the note. long_run : how often the intervals hold the mean in the long run."""
        means = np.array([step.mean for step in run.steps])
        super().__init__(run, long_run.mean, means, METHODS, method)
        self.long_run, self.method = long_run, method
        self.note = (
            f"A sample is {counted(long_run.n, 'number')}, normal and independent, with the true "
            f"mean {number(long_run.mean)}; the points on the board play no part. A cross: an "
            "interval that misses. A dot or cross is at the mean m of its sample. The curves are "
            "exact; no samples were drawn for them. They are the same for every true mean and "
            "standard deviation."
        )

    def views(self) -> list[View]:
        """Return the intervals, the samples by spread and mean, and the coverage."""
        per_cent = f"{100 * self.long_run.level:g} %"
        coverage = self.over_sizes()
        title = "Mean and spread of every sample"
        return [
            View(
                f"{per_cent} intervals by {self.method}; those with × miss the true mean",
                self.picture,
            ),
            View(
                "Share of intervals so far that hold it",
                self.share_so_far(self.long_run.level, self.long_run.at_n),
            ),
            View(title, self.by_spread()),
            View("How often an interval holds the true mean", lambda _: coverage),
        ]

    def by_spread(self) -> Callable[[int], Figure]:
        """Draw the samples so far by s and m, with the lines on which m is z or t errors away."""
        steps, truth, chosen = self.steps, self.long_run, self.chosen
        places = np.array([(step.spread, step.mean) for step in steps])
        holds = np.array([step.holds[chosen] for step in steps])
        far = float(np.abs(places[:, 1] - truth.mean).max())
        widest = float(places[:, 0].max())
        lines = []
        for i, wide in enumerate(truth.quantiles / np.sqrt(truth.n)):
            # No farther than the edge of the picture.
            end = min(1.05 * widest, 1.1 * far / float(wide))
            x, y = [end, 0.0, end], [float(truth.mean + side * wide * end) for side in (-1, 0, 1)]
            lines.append(self.curve_of(i, x, y))
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
            traces.append(
                curves.marked(*places[now].tolist(), marker=curves.RING, showlegend=False)
            )
            return curves.with_legend(panels.alone(panels.Panel(traces, across, up)))

        return at

    def over_sizes(self) -> Figure:
        """Draw the coverage of each method for every size of the sample."""
        truth = self.long_run
        traces = []
        for i in range(len(METHODS)):
            x, y = plane.packed(truth.sizes.astype(float)), plane.packed(truth.curves[i])
            traces.append(self.curve_of(i, x, y))
        mark = curves.marked(truth.n, float(truth.at_n[self.chosen])) | {"showlegend": False}
        ends = np.log10([float(truth.sizes[0]), float(truth.sizes[-1])])
        across = {
            "title": {"text": "numbers in a sample, n", "standoff": 4},
            "type": "log",
            "range": [float(ends[0] - 0.06), float(ends[1] + 0.06)],
            "tickvals": _TICKS,
        }
        bottom = max(1 - _MISSES * (1 - truth.level), 0.0)
        panel = panels.Panel([*traces, mark], across, panels.axis("coverage", bottom, 1.0))
        return curves.with_legend(panels.alone(panel))

    def caption(self, now: int) -> str:
        """Write the sample, the rule with its numbers, the score so far, and the other method."""
        step, truth, chosen, other = self.steps[now], self.long_run, self.chosen, 1 - self.chosen
        name, wide = METHODS[chosen], float(truth.quantiles[chosen])
        where = (
            "as if it were the true standard deviation"
            if chosen == 0
            else f"and {counted(truth.n - 1, 'degree')} of freedom"
        )
        sample = (
            f"Sample {now + 1} of {len(self.steps)}: the interval around the mean of "
            f"{counted(truth.n, 'number')} {'holds' if step.holds[chosen] else 'misses'} the true "
            f"{number(truth.mean)}."
        )
        rule = (
            f"{name}: m ± {name} s/√n, with s = {_exact(step.spread)} {where}: "
            f"{_exact(step.mean)} ± {number(wide)} × "
            f"{decimal(step.error)} = {_exact(step.mean)} ± {_exact(wide * step.error)}, from "
            f"{self.ends(step, chosen)}."
        )
        others = (
            f"By {METHODS[other]}, the factor is {number(float(truth.quantiles[other]))}: from "
            f"{self.ends(step, other)}, which {'holds' if step.holds[other] else 'misses'} it."
        )
        return self.with_score(now, truth.level, sample, rule, others)

    def answer(self, now: int) -> str:
        """Write how many intervals hold the truth in the long run."""
        share = number(100 * float(self.long_run.at_n[self.chosen]))
        return f"In the long run, {share} % of the {self.method} intervals hold it."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """State the next sample's mean and spread, and ask whether its interval holds the mean."""
        after = self.steps[now + 1]
        sample = (
            f"The next {self.long_run.n} numbers have the mean {_exact(after.mean)} and the "
            f"standard deviation {number(after.spread)}."
        )
        return self.about_truth(after, sample)

    def ends(self, step: MeanIntervalsStep, i: int) -> str:
        """Write from where to where the interval of a method goes."""
        return f"{_exact(float(step.low[i]))} to {_exact(float(step.high[i]))}"


def _exact(value: float) -> str:
    """Write two decimals: one precision for a mean, its spread and the ends of its interval."""
    return f"{value:.2f}".replace("-", "−")
