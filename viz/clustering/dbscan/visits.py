"""DBSCAN, "visits": a ball goes from point to point, and clusters grow where it finds many."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.dbscan.dbscan import NOISE, DBSCANStep
from algorithms.clustering.dbscan.dbscan_by_eps import DensityLevels
from viz.clustering.dbscan import marks
from viz.core import curves, naming, plane
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number

_CORES_ASKED = 0.2  # share of the core points that are asked about: most points are core points
_WAITING = 0.45  # opacity of a point that is not visited yet
_LAST = "The last point visited: "
_NOW = 2.25  # width of a link that is new: the points below are seen
_KEY = (
    "large: core point; small in a ring: border point; cross: noise<br>"
    "faint: not visited; pale colour: in the queue"
)
_LINES = "<br>line: whose ball found it"
_ENDS = (  # of a cluster, for its name: a direction, and the side on which the name is
    ((0, 1), "top center"),
    ((0, -1), "bottom center"),
    ((1, 0), "middle right"),
    ((-1, 0), "middle left"),
)
_OFF = 0.015  # of the picture, from a cluster's last point to its name
_SIGNS = {
    "points": "point, in the colour of its cluster, pale in the queue; a cross is noise",
    "size": "large: core point, or not visited; small: border point",
    "marks": marks.BORDER_SIGNS,
    "strength": "faint: not visited yet",
    "edges": "link to the point in whose ball it was found; thick: now",
}


class Visits(Show[DBSCANStep]):
    """The ball goes from point to point."""

    unit = "visit"
    counts_from = 1

    def __init__(self, run: Run, data: Plane, levels: DensityLevels, radii: ndarray) -> None:
        """Prepare the curves over `radii`."""
        super().__init__(run, data)
        self.walk = self.steps[0].walk
        self.eps, self.min_samples = self.walk.eps, self.walk.min_samples
        self.curves = marks.Curves(levels, radii)
        self.looks = self._looks(levels.labels(self.eps))
        self.opens = self._most_new()
        self.few = len(data.X) <= marks.MOST_LINKED
        links = "A line joins a point to the one whose ball it was in."
        said = [
            "Visited points: large is a core point, small in a ring a border point, a cross noise, "
            "for now.",
            "Faint: not visited yet; pale colour: in the queue. The circle is the ball.",
            *[links] * self.few,
            *self.curves.thinned,
        ]
        self.note = " ".join(said)

    def _looks(self, lasting: np.ndarray) -> np.ndarray:
        """Return the look of every cluster, the same as in "eps by eps".

        lasting : (n,) the clusters of core points, as they are numbered there.
        """
        end = self.steps[-1]
        core = end.core & (end.labels != NOISE)
        looks = np.zeros(end.labels.max(initial=0) + 1, int)
        looks[end.labels[core]] = lasting[core]
        return looks

    def views(self) -> list[View]:
        """Return the picture, the distances, the counts, and the queue by visit."""
        counts = self.curves.counts(self.eps)
        nearest = marks.radius_of(self.min_samples)
        queue = [int(np.count_nonzero(step.waiting)) for step in self.steps]
        by_visit = curves.timeline({"points in the queue": queue}, along="visit", first=1)
        return [
            View("Points, clusters and the ball", self.picture),
            View(f"{nearest} (dot: this point)", self.distances),
            View("Clusters and noise points against ε", lambda _: counts),
            View("Points in the queue after every visit", by_visit, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the ball and what has been found: thick lines now, thin ones before."""
        step, X, taken = self.steps[now], self.data.X, self.walk.taken
        without = np.where(step.visited, marks.NOISE_LOOK, marks.UNSEEN)
        queue = ~step.visited & (step.labels != NOISE)
        strength = np.where(step.visited | queue, 1.0, _WAITING)
        large = step.core | ~step.visited
        looks = np.where(step.labels == NOISE, NOISE, self.looks[step.labels])
        points = marks.clustered(X, looks, without, large, strength, queue)
        border = step.visited & ~step.core & (step.labels != NOISE)
        edges = None
        if self.few:
            width = np.where(taken == step.visit, _NOW, marks.THIN) * (taken <= step.visit)
            edges = plane.edges(X[np.maximum(self.walk.finder, 0)], X, width=width)
        finished = step.event == "all visited"
        center = plane.GAP[0] if finished else X[step.point]
        traces = [
            marks.ball(center, self.eps),
            plane.line(center[None], mode="markers", marker={"size": 13}, name="point visited now"),
            naming.in_corner(_KEY + _LINES * self.few, self.data.bounds),
            *self._names(step.labels if finished else np.full(len(X), NOISE)),
        ]
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, edges=edges, signs=_SIGNS,
            marks=marks.border_rings(border),
        )  # fmt: skip

    def _names(self, labels: ndarray) -> list[dict]:
        """Write the first clusters' numbers and sizes beside them."""
        X, names = self.data.X, []
        left, right, bottom, top = self.data.bounds
        off = _OFF * np.array([right - left, top - bottom])
        for label in range(marks.MOST_SIZES):
            own = X[labels == label]
            ends = [
                (own[(own @ way).argmax()] + off * way, side) for way, side in _ENDS if len(own)
            ]
            names.append(naming.Name(f"cluster {label + 1}: {len(own)}", ends, {"size": 15}))
        return naming.clear_names(names, self.data.bounds, X)

    def _most_new(self) -> int:
        """Return the step from the middle on whose ball has the largest share of points that join.

        The cluster of its point has begun before.
        """
        n, walk = len(self.steps), self.walk
        middle = self.steps[n // 2 : 3 * n // 4]
        share = [
            len(step.joined) / walk.sizes[step.point] * (walk.finder[step.point] != step.point)
            for step in middle
        ]
        return n // 2 + int(np.argmax(share)) if share else 0

    def distances(self, now: int) -> Figure:
        """Draw the sorted distances, with a dot at the visited point."""
        return self.curves.distances(self.eps, self.steps[now].point)

    def caption(self, now: int) -> str:
        """Write what the visited point is; below, how many points its ball holds, and the queue."""
        step = self.steps[now]
        size = int(self.walk.sizes[step.point])
        least = "at least" if size >= self.min_samples else "fewer than"
        rule = (
            f"With its centre, the ball of radius ε = {number(self.eps)} holds {size}, {least} "
            f"the {self.min_samples} (min_samples) of a core point."
        )
        lines = [self._visited(step, size), f"{rule} {self._queue(step)}".rstrip()]
        if step.event == "all visited":
            lines[0] = f"{_LAST}{lines[0][0].lower()}{lines[0][1:]}"
            lines.insert(0, f"All points are visited: {marks.found(step.labels)}.")
        return "\n".join(lines)

    def _visited(self, step: DBSCANStep, size: int) -> str:
        i, holds = step.point, f"its ball holds {counted(size, 'point')}"
        cluster = f"cluster {int(step.labels[i]) + 1}"
        if step.labels[i] == NOISE:
            what = "Noise" if step.event == "all visited" else "Noise, for now"
            return f"{what}: {holds}, too few, and no core point's ball holds it so far."
        if not step.core[i]:
            return f"A border point of {cluster}: {holds}, so nothing joins here."
        joined, begins = len(step.joined), self.walk.finder[i] == i
        late = int(np.count_nonzero(step.visited[step.joined])) - begins
        were_noise = f"; {late} of them had been called noise" if late else ""
        if begins:
            others = f"and {joined - 1} more join" if joined > 1 else "and no other joins"
            begun = f"{cluster.capitalize()} begins with a core point"
            return f"{begun}: {holds}, {others}{were_noise}."
        joins = f"{counted(joined, 'point')} {'joins' if joined == 1 else 'join'}"
        joins = joins if joined else "all of them had been found before"
        return f"A core point of {cluster}: {holds}; {joins}{were_noise}."

    def _queue(self, step: DBSCANStep) -> str:
        labels, label = step.labels, step.labels[step.point]
        ended = step.event == "all visited"  # the headline says so
        visited = f"{step.visit + 1} of {len(labels)} points are visited"
        said = "" if ended else f"{visited}."
        if label == NOISE:
            return said
        if waiting := int(np.count_nonzero(step.waiting)):
            said = f"{visited}, {waiting} in the queue."
        else:
            inside = labels == label
            total, core = np.count_nonzero(inside), np.count_nonzero(step.core & inside)
            said += "Now " if ended else "\nThe queue is empty: "
            said += (
                f"cluster {label + 1} is complete, {counted(int(core), 'core point')} "
                f"+ {counted(int(total - core), 'border point')} = {total}."
            )
        near = labels[step.neighbors]
        others = int(np.count_nonzero((near != label) & (near != NOISE)))
        if others and step.core[step.point]:
            verb = "belongs" if others == 1 else "belong"
            said += f" {counted(others, 'border point')} in the ball {verb} to an earlier cluster."
        return said

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the point is that is visited next: core, border or noise."""
        after = self.steps[now + 1]
        i, size = after.point, int(self.walk.sizes[after.point])
        core, taken = size >= self.min_samples, self.walk.taken[i] <= after.visit
        if core and rng.random() > _CORES_ASKED:
            return None
        ways = [
            Option("a core point"),
            Option("a border point: found, but not core"),
            Option("noise, for now"),
        ]
        right = 0 if core else 1 if taken else 2
        found = ("", ", and it is in the ball of a core point", ", and no core point has found it")
        than = "at least" if core else "fewer than"
        reason = (
            f"Its ball holds {counted(size, 'point')}, counting itself: {than} the "
            f"{self.min_samples} of a core point{found[right]}."
        )
        place = (0, *self.data.X[i].tolist())
        text = "The next point is marked ?. What is it?"
        return question(text, ways[right], ways, reason, place)

    def found(self, now: int) -> Groups:
        """Return the clusters; noise is a group, and so are the points not visited yet."""
        step = self.steps[now]
        unseen = ~step.visited & (step.labels == NOISE)
        return Groups(np.where(unseen, NOISE - 1, step.labels))
