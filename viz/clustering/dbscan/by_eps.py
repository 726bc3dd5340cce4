"""DBSCAN, "eps by eps": the radius grows, and clusters begin, grow and merge."""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.dbscan.dbscan import NOISE
from algorithms.clustering.dbscan.dbscan_by_eps import EpsStep
from algorithms.clustering.dbscan.optics import Reachability
from viz.clustering.dbscan import marks
from viz.core import naming, plane
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.words import counted, number

_HANDLE = 0.7  # of the points: left of the curve's knee, right of the words
_KEY = "circle: radius ε, at the densest point"
_NEW = "<br>thick line: a link that is new at this ε"
_SIGNS = {
    "points": "point, in the colour of its cluster; a cross is noise",
    "size": "large: core point; small: border point",
    "marks": marks.BORDER_SIGNS,
    "edges": "link between core points; thick: new at this ε",
}


class ByEps(Show[EpsStep]):
    """The radius grows; the line of eps goes with the steps."""

    opens = 29

    def __init__(self, run: Run, data: Plane, reachability: Reachability) -> None:
        """Prepare the curves over the radii of the steps."""
        super().__init__(run, data)
        self.reachability = reachability
        self.levels = self.steps[0].levels
        self.radii = np.array([step.eps for step in self.steps])
        self.curves = marks.Curves(self.levels, self.radii)
        self.few = len(data.X) <= marks.MOST_LINKED
        links = "Lines link core points, the new ones thick. The circle shows ε."
        said = [
            "Large: core points. Small in a ring: border points. Cross: noise.",
            *[links] * self.few,
            "A border point of several clusters goes to the nearest core point here, so the order "
            "of visits does not matter.",
            *self.curves.thinned,
        ]
        self.note = " ".join(said)

    def views(self) -> list[View]:
        """Return the picture, the distances with the line that is dragged, and the counts."""
        place = np.full(len(self.steps), _HANDLE * len(self.levels.X))
        line = Track("Radius ε", np.stack([place, self.radii], axis=1)[:, None], "y")
        nearest = f"{marks.radius_of(self.levels.min_samples)}: drag ε"
        return [
            View("Points and their clusters", self.picture),
            View(nearest, lambda now: self.curves.distances(self.steps[now].eps), track=line),
            View("Reachability: a valley below ε is a cluster", self.valleys),
            View("Clusters and noise points against ε", self.counts, ahead="to a question"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw clusters, the links that hold them together, and a circle at the densest point."""
        step, X, levels = self.steps[now], self.data.X, self.levels
        without = np.full(len(X), marks.NOISE_LOOK)
        points = marks.clustered(X, step.labels, without, step.core)
        edges, thick = None, False
        if self.few:
            new = levels.heights > (self.steps[now - 1].eps if now else step.eps)
            there = levels.heights <= step.eps
            width, thick = np.where(new, marks.THICK, marks.THIN) * there, bool((new & there).any())
            edges = plane.edges(*X[levels.edges.T], width=width)
        circle = marks.ball(X[levels.core_distances.argmin()], step.eps)
        traces = [circle, naming.in_corner(_KEY + _NEW * thick, self.data.bounds)]
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, edges=edges, signs=_SIGNS,
            marks=marks.border_rings(~step.core & (step.labels != NOISE)),
        )  # fmt: skip

    def counts(self, now: int) -> Figure:
        """Draw the numbers of clusters and noise points, marked at this eps."""
        return self.curves.counts(self.steps[now].eps)

    def valleys(self, now: int) -> Figure:
        """Draw the reach of every point in the order of OPTICS, in the colours of this eps."""
        step, found = self.steps[now], self.reachability
        return marks.valleys(found, step.labels, step.eps, float(self.radii[-1]))

    def caption(self, now: int) -> str:
        """Write how many clusters and noise points there are; below, how the numbers come about."""
        step, n, eps = self.steps[now], len(self.data.X), self.steps[now].eps
        cores, clusters = self.levels.cores(eps), step.clusters
        gone = len(self.levels.merged(self.steps[now - 1].eps, eps)) if now else 0
        border = counted(n - cores - step.noise, "border point")
        parts = f" {counted(gone, 'cluster')} {'is' if gone == 1 else 'are'} now part of another."
        return (
            f"ε = {number(eps)}: {marks.found(step.labels)}.{parts * (gone > 0)}\n"
            f"{cores} of {n} are core points ({self.levels.min_samples} or more within ε, "
            f"with themselves), {border}. Each link joins two groups: "
            f"clusters = core points − links = {cores} − {cores - clusters} = "
            f"{clusters}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether there will be more clusters or fewer, or which point stops being noise."""
        before, after = self.steps[now], self.steps[now + 1]
        if before.clusters != after.clusters and rng.random() < 0.5:
            return self._more_or_fewer(before, after)
        noise = [step.labels == NOISE for step in (before, after)]
        text = f"ε grows to {number(after.eps)}. Which of these points stops being noise?"
        return which_point(rng, self.data, text, noise[0] & ~noise[1], noise[1], self._reached)

    def _more_or_fewer(self, before: EpsStep, after: EpsStep) -> Question | None:
        ways = [Option("there are more: some begin"), Option("there are fewer: some merge")]
        right, wrong = ways if after.clusters > before.clusters else ways[::-1]
        reason = (
            f"There are {before.clusters or 'none'} before and {after.clusters} after. Core "
            f"points: {before.core.sum()} and {after.core.sum()}."
        )
        text = f"ε grows to {number(after.eps)}, and the number of clusters changes. Which way?"
        return question(text, right, [wrong], reason)

    def _reached(self, i: int) -> str:
        reach = number(float(self.levels.reach[i]))
        return f"From ε = {reach} on, it is in the ball of a core point, or is a core point itself."

    def found(self, now: int) -> Groups:
        """Return the clusters; noise is a group."""
        return Groups(self.steps[now].labels)
