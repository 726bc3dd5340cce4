"""CLARA: PAM runs on samples, and all points judge the result."""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.k_medoids.clara import ClaraStep
from viz.clustering.k_medoids import marks
from viz.clustering.k_medoids.marks import DISTANCE, SUMMED
from viz.core import curves, naming, panels
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number, rounded

_DRAWN, _OTHER = 1.2, 0.5  # diameters of the points of the sample and of the others
_LITTLE = 1e-3  # of the cost: less is no difference
_TO_COME = 0.3  # opacity of the means of samples that have not been drawn yet
_ROOM = 0.3  # of the means, above and below them


class Samples(Show[ClaraStep]):
    """The samples, one after the other."""

    counts_from = 1  # as the samples do

    def __init__(self, run: Run, data: Plane, pam: Run) -> None:
        """Write the note. pam : the steps of PAM on all points."""
        super().__init__(run, data)
        self.rival = pam.steps[-1].cost
        said = [
            "Large: the points of the sample, the best medoids so far among them.",
            *marks.lines_join(len(data.X)),
            "The dot on the curve is the sample that is shown; the dashed line is where PAM on "
            "all points ends, from BUILD.",
            *marks.few_swaps(len(data.X)),
        ]
        self.note = " ".join(said)

    def views(self) -> list[View]:
        """Return the picture, and the mean distances."""
        return [
            View("The sample, its medoids, and all points", self.picture),
            View("Mean distance: in the sample, over all points", self.means, ahead=True),
        ]

    def picture(self, now: int) -> Figure:
        """Draw every point joined to its medoid, those of the sample large."""
        step = self.steps[now]
        size = np.full(len(self.data.X), _OTHER)
        size[step.sample] = _DRAWN
        traces = [
            marks.medoids(step.places),
            naming.in_corner("large: a point of the sample", self.data.bounds),
        ]
        return marks.clusters(self.data, traces, step.places, step.labels, size)

    def means(self, now: int) -> Figure:
        """Draw the mean distance within every sample and over all points, and PAM's."""
        step, judged, n = self.steps[now], self.steps[:-1], len(self.data.X)
        x = [each.number + 1 for each in judged]
        inside = [each.sample_cost / len(each.sample) for each in judged]
        over_all = [each.cost / n for each in judged]
        rival = self.rival / n
        low, high = (extreme([*inside, *over_all, rival]) for extreme in (min, max))
        room = _ROOM * (high - low) or _ROOM * high or 1.0
        dashed = {"width": 2, "color": GREY, "dash": "dash"}
        drawn = len(x) if step.judged else step.number + 1
        full, hollow = ({"size": 10, "symbol": kind} for kind in (0, 100))
        ends = [0, 2 * len(x)]
        panel = panels.Panel(
            [
                *_of_samples("all points", x, over_all, drawn, full),
                *_of_samples("the sample", x, inside, drawn, hollow),
                panels.curve(ends, [rival] * 2, name="PAM", line=dashed) | {"showlegend": True},
                curves.marked(step.number + 1, step.cost / n, showlegend=False),
            ],
            x={
                "title": {"text": "sample", "standoff": 4},
                "range": [0.5, len(x) + 0.5],
                "dtick": max(1, len(x) // 5),
            },
            y={
                "title": {"text": f"mean {DISTANCE[step.metric]}(x, its medoid)"},
                "range": [max(low - room, -0.05 * high), high + room],
                "nticks": 5,
            },
        )
        return curves.with_legend(panels.alone(panel))

    def caption(self, now: int) -> str:
        """Write whether the sample's medoids are the best so far; below, their costs."""
        step, total, n = self.steps[now], len(self.steps) - 1, len(self.data.X)
        s, cost = len(step.sample), number(step.cost, 4)
        rule = (
            f"Over all {n} points, the {SUMMED[step.metric]} to the medoids add up to {cost}, "
            f"a mean of {number(step.cost / n)}; within the sample the mean is "
            f"{number(step.sample_cost / s)}."
        )
        if step.judged:
            return (
                f"All {counted(total, 'sample')} are judged: the lowest cost is "
                f"{rounded(step.cost)}, of sample {step.number + 1}.\n{rule}\nA step of PAM on "
                f"all n = {n} points looks at n² = {n * n:,} distances, on a sample of s = {s} at "
                f"only s² = {s * s:,}."
            )
        found = "the best so far" if step.event else f"no better than {rounded(step.lowest)}"
        return (
            f"Sample {step.number + 1} of {total}: from {s} points PAM chooses medoids that cost "
            f"{rounded(step.cost)} for all points, {found}.\n{rule}"
        )

    def answer(self, now: int) -> str:
        """Write the cost of the medoids that PAM finds on all points."""
        return f"PAM on all points ends at {number(self.rival, 4)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the medoids of the next sample cost less than the best so far."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.judged or abs(after.cost - before.lowest) <= _LITTLE * before.lowest:
            return None
        ways = [Option("Yes: they cost less"), Option("No: they cost more")]
        right, wrong = ways if after.cost < before.lowest else ways[::-1]
        lowest = number(before.lowest, 4)
        text = (
            f"The best medoids so far cost {lowest} for all points. They are in the next sample, "
            "and PAM chooses medoids from it. Are the new ones better?"
        )
        reason = f"For all points they cost {number(after.cost, 4)}, the best so far {lowest}."
        return question(text, right, [wrong], reason)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)


def _of_samples(
    name: str, x: list[int], means: list[float], drawn: int, marker: dict
) -> tuple[dict, dict]:
    """Draw the means of the samples drawn so far, and pale those to come."""
    how = {"mode": "markers", "marker": marker, "setting": "sample"}
    every = curves.against(name, x, means, **how)
    strong = every | {"y": [*means[:drawn], *[None] * (len(x) - drawn)]}
    return strong, every | {"opacity": _TO_COME, "showlegend": False}
