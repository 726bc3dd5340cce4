"""Kernel density, bump by bump: the bumps add up."""

from functools import cached_property

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.kernel_density import KernelDensityStep
from viz.clustering.densities import marks
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number, vector

_UNSEEN = 0.35  # opacity of a point without a bump
_FEW = 3  # points of least density that have a ring at the end
_SIGNS = {
    "strength": "faint: it has no bump yet",
    "marks": ["", "one of the points of least density"],
}
_CLEAR = 1.1  # times as large
_EARLY = 20  # bumps before which p at a place is mostly chance
_NOTHING = 1e-6  # of the highest p at the picked point: less than this is next to nothing
_BESIDE = 1.2  # widths h from the picked point: such a bump raises p there, and leaves it free


class Bumps(Show[KernelDensityStep]):
    """The bumps as they add up."""

    unit = "bump"
    counts_from = 1
    note = (
        "The strongest blue is the highest p of the step, or that of the end if this is higher: "
        "then a blue stands for the same p from step to step. All bands are equally high. "
        "Orange: h and 2h around the newest bump. Faint points have no bump yet. " + marks.SINGLY
    )

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Keep the picked point, whose density is taken apart."""
        super().__init__(run, data)
        self.query = query
        self.opens = self._near_the_cut()
        self.p = self.steps[-1].after_every_bump(query)
        self.timeline = curves.timeline(
            {"p": self.p.tolist()}, along=self.unit, first=self.counts_from
        )

    def _near_the_cut(self) -> int:
        """Return an early step whose new bump is near the cut, beside the picked point."""
        points, h = self.steps[0].points, self.steps[0].bandwidth
        first, last = len(points) // 5, len(points) // 2
        across, up = np.abs(points[first:last] - self.query).T
        off = up + np.abs(_BESIDE * h - across)
        return first + int(off.argmin()) if len(off) else 0

    def views(self) -> list[View]:
        """Return the density, the cut, and p at the picked point."""
        return [
            View("The density, bump after bump", self.picture),
            View(marks.CUT, self.cut),
            View("p at the picked point, bump after bump", self.history, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the density of the points so far, the newest bump by circles at h and 2h.

        At the end no bump is the newest, and rings are around the points of least density.
        """
        step, data = self.steps[now], self.data
        ended = step.event == "all points"
        newest = plane.GAP[0] if ended else step.points[step.bumps - 1]
        rings = f"rings: the {counted(len(self.lowest), 'point')} of least density"
        key = "orange: the newest bump, at h and 2h<br>pale: no bump yet"
        ground, scale = marks.ground(data, step, self.top)
        traces = [
            ground,
            *marks.circles(newest, step.bandwidth, "the newest bump"),
            naming.in_corner(f"{rings if ended else key}<br>{scale}", data.bounds),
        ]
        strength = np.where(np.arange(len(data.X)) < step.bumps, 1.0, _UNSEEN)
        ringed = np.zeros(len(data.X))
        if ended:
            ringed[self.lowest] = 1
        around = plane.marks(ringed, [100, 100], [0, 13], 2)
        return marks.with_points(data, self.query, traces, strength, marks=around, signs=_SIGNS)

    @cached_property
    def top(self) -> float:
        """Return the highest p of all bumps, the lowest that the strongest blue stands for."""
        return marks.highest(self.data, self.steps[-1])

    @cached_property
    def lowest(self) -> ndarray:
        """Return the points at which the density of all bumps is least."""
        return np.argsort(self.steps[-1].score_samples(self.data.X), kind="stable")[:_FEW]

    def cut(self, now: int) -> Figure:
        """Draw the cut, with the newest bump by itself."""
        return marks.cut(self.data, self.query, self.steps[now], newest=True)

    def history(self, now: int) -> Figure:
        """Draw p at the picked point, after the first few bumps without these.

        A single one of the first bumps is much of the density, so p jumps there by chance.
        """
        figure = self.timeline(now)
        first, last = _EARLY if now >= _EARLY else 0, len(self.p) - 1
        top = 1.15 * float(self.p[first:].max()) or 1.0
        room = 0.04 * max(last - first, 1)
        across = [first + self.counts_from - room, last + self.counts_from + room]
        layout = figure["layout"]
        title = self.unit + f" (without the jumps of the first {first})" * (first > 0)
        settled = {
            "xaxis": layout["xaxis"] | {"range": across, "title": {"text": title, "standoff": 4}},
            "yaxis": layout["yaxis"] | {"range": [-0.04 * top, top]},
        }
        curve, mark = figure["data"]
        begun = plane.unpacked(curve["x"]) >= first + self.counts_from
        y = plane.packed(np.where(begun, plane.unpacked(curve["y"]), np.nan))
        return {"data": [curve | {"y": y}, mark], "layout": layout | settled}

    def caption(self, now: int) -> str:
        """Write where the newest bump is, the rule, and the sum at the picked point."""
        step = self.steps[now]
        m, h = step.bumps, step.bandwidth
        height = float(step.shares(step.points[m - 1 : m])[0, -1])
        if step.event == "all points":
            first = (
                f"All {counted(m, 'point')} have their bump: this is the density. "
                f"Of all points, it is lowest at the {counted(len(self.lowest), 'ringed one')}: "
                "look there first for outliers."
            )
        else:
            first = f"Bump {m} of {len(step.points)} is added: {self._change(now)}."
        rule = (
            "The volume below the density stays 1, so with more bumps each is lower: its top is "
            f"now 1 / (2π h² n) = 1 / (2π · {number(h)}² · {m}) = {number(height)}."
        )
        return f"{first}\n{rule}\n{marks.picked_density(step, self.query)}"

    def _change(self, now: int) -> str:
        """Write from where to where p at the picked point goes."""
        if now == 0:
            return "so far it is the whole density"
        there = "at the picked point the density"
        both, least = self.p[now - 1 : now + 1], _NOTHING * self.p.max()
        old, new = (number(p) if p > least else "almost 0" for p in both.tolist())
        if old == new:
            return f"{there} is {new}"
        return f"{there} {'rises' if both[1] > both[0] else 'falls'} from {old} to {new}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the density at a point rises with the next bump."""
        points = self.steps[0].points
        i = int(rng.integers(len(points)))
        m = now + 2
        shares = self.steps[now + 1].shares(points[[i]])[0]
        bump, before = float(shares[-1]) * m, float(shares[:-1].sum()) * m / (m - 1)
        if max(bump, before) <= _CLEAR * min(bump, before):
            return None
        after = float(shares.sum())
        ways = [Option("it rises"), Option("it falls")]
        right, wrong = ways if bump > before else ways[::-1]
        reason = (
            f"There, the new bump is {number(bump)} high, and the density so far is "
            f"{number(before)}. The mean over all bumps goes to {number(after)}."
        )
        x, y = points[i].tolist()
        text = (
            f"The next bump is that of the point at {vector(points[now + 1])}. "
            "What does the density at the point ? do?"
        )
        return question(text, right, [wrong], reason, (0, x, y))
