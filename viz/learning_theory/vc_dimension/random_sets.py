"""Random sets: how many labellings of each are realised, and is any set shattered?"""

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.vc_dimension.hypotheses import (
    BOXES,
    HALF_PLANES,
    POLYGONS,
    Box,
    convex_hull,
)
from algorithms.learning_theory.vc_dimension.random_sets import RandomSetsStep
from algorithms.learning_theory.vc_dimension.shattering import all_labellings
from viz.core import curves, plane
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted
from viz.learning_theory.vc_dimension import marks

_ROOM = (-1.2, 1.2, -1.2, 1.2)


class RandomSets(Show[RandomSetsStep]):
    """One set of points in each step, with all its labellings."""

    unit = "set"
    counts_from = 1
    opens = 9

    silent = "The next set is drawn at random, so nothing shows how many labellings are realised."

    def __init__(self, run: Run, hypotheses: str) -> None:
        """Count how many labellings occur over the whole run."""
        super().__init__(run)
        self.note = (
            "Blue: the smallest box around the positives. Dashed: the smallest box around all "
            "points. No box holds the points on its sides without a point inside it."
            if hypotheses == BOXES
            else "The dashed line is the hull of the points: a point inside it is between the "
            "others."
        )
        self.note += " The points have the labels of the framed labelling, the hardest so far."
        if hypotheses == HALF_PLANES:
            self.note += f" {marks.BELOW_THE_BOUND}"
        self.hypotheses, self.n = hypotheses, len(self.steps[0].X)
        self.labellings = all_labellings(self.n)
        self.realized = np.cumsum([step.realized for step in self.steps], axis=0)
        self.least = int(self.steps[-1].counts.min())
        self.most_often = int(np.bincount(self.steps[-1].counts).max())

    def views(self) -> list[View]:
        """Return the set, its labellings, the counts of all sets, and the bound."""
        return [
            View("One set of points", self.picture, board=False),
            View("All its labellings (✕: not realised)", self.wall, height=1.3, board=False),
            View("Sets by how many labellings are realised", self.counts, board=False),
            View("The most labellings realised, over all sets", self.growth, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points with their hardest labelling, and their hull or smallest box."""
        X = self.steps[now].X
        y = self.labellings[self.hardest(now)]
        hull, positives = self._around(X), plane.GAP
        drawn = self.hypotheses in (BOXES, POLYGONS)
        if drawn and y.any():
            positives = self._around(X[y])
        shape = "box" if self.hypotheses == BOXES else "hull"
        traces = [
            plane.line(
                positives, fill="toself", fillcolor=marks.FILL,
                line={"width": 3, "color": marks.POSITIVE}, name=f"{shape} around +",
                showlegend=drawn,
            ),
            plane.line(
                hull, line={"width": 1.5, "dash": "dash", "color": GREY},
                name=f"{shape} around all", showlegend=True,
            ),
            *marks.labelled(X, y, 24),
        ]  # fmt: skip
        return curves.with_legend(marks.framed(traces, _ROOM))

    def _around(self, X: ndarray) -> ndarray:
        """Return the outline of the smallest box around points, or of their hull."""
        if self.hypotheses == BOXES:
            return Box(X.min(axis=0), X.max(axis=0)).outline(_ROOM)
        return convex_hull(X).outline(_ROOM)

    def wall(self, now: int) -> Figure:
        """Draw all labellings of this set."""
        step = self.steps[now]
        regions = [
            self._in_tile(step.X, y) if realized else plane.GAP
            for y, realized in zip(self.labellings, step.realized, strict=True)
        ]
        return marks.wall(
            step.X, self.labellings, step.realized, self.hardest(now), regions, wide=True
        )

    def _in_tile(self, X: ndarray, y: ndarray) -> ndarray:
        """Return the smallest box or the hull of the positives, inside a tile."""
        if self.hypotheses not in (BOXES, POLYGONS) or not y.any():
            return plane.GAP
        if y.sum() == 1:
            return marks.within_tile(Box(*marks.around_point(X[y][0], X[~y])).outline(_ROOM), X)
        return marks.within_tile(self._around(X[y]), X)

    def hardest(self, now: int) -> int:
        """Return the labelling that the fewest sets so far realise, one that this set does not."""
        return int(np.lexsort((self.realized[now], self.steps[now].realized))[0])

    def counts(self, now: int) -> Figure:
        """Draw how often each number of labellings has occurred so far."""
        total, step = len(self.labellings), self.steps[now]
        numbers = np.arange(self.least, total + 1)
        often = self._often(step.counts)
        here = numbers == step.counts[-1]
        bars = {
            "type": "bar", "x": numbers.tolist(), "y": often[self.least :].tolist(),
            "marker": {"color": np.where(here, PALETTE[0], GREY).tolist()},
            "hovertemplate": "%{x} labellings: %{y} sets<extra></extra>",
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": f"labellings realised, of {total}", "standoff": 4},
                "range": [self.least - 0.6, total + 0.6], "nticks": 8,
            },
            yaxis={"title": {"text": "sets"}, "range": [0, 1.08 * self.most_often], "nticks": 4},
        )  # fmt: skip
        return {"data": [bars], "layout": layout}

    def _often(self, counts: ndarray) -> ndarray:
        return np.bincount(counts, minlength=len(self.labellings) + 1)

    def growth(self, now: int) -> Figure:
        """Draw 2^n, Sauer's bound, and the most labellings realised so far."""
        return marks.growth(self.hypotheses, 2, self.n, int(self.steps[now].counts.max()))

    def caption(self, now: int) -> str:
        """Write how many labellings are realised, and how many sets are shattered so far."""
        step, total = self.steps[now], len(self.labellings)
        count, most = int(step.counts[-1]), int(step.counts.max())
        what = f"Set {now + 1} of {len(self.steps)}: {count} of {total} labellings are realised."
        if count == total:
            what = f"Set {now + 1} of {len(self.steps)} is shattered: all {total} are realised."
        sets = f"{step.shattered} of {counted(now + 1, 'set')} shattered so far"
        if most == total:
            decided = f"one shattered set is enough: the VC dimension is at least {self.n}."
        else:
            decided = f"the most is {most} of {total}. Sets that fail prove nothing alone."
        if now == len(self.steps) - 1:
            return f"{sets.replace(' so far', '')}; {decided}\n{what}"
        return f"{what}\n{sets}; {decided}"
