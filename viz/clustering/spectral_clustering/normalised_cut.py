"""The normalised cut: points go over in the order of the second eigenvector, one a step."""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.normalised_cut import CutStep
from algorithms.core.similarity_graph import NOTHING
from viz.core import curves, panels, plane
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, color, symbol
from viz.core.words import counted, number

_LINKED = 4  # edges of a point that are drawn, to its nearest points; fewer among many points
_EDGES = 1600  # drawn at most, about
_THICK = 3.0  # pixels of an edge of weight 1
_HEAVIEST = 3  # of all edges that are cut, drawn even if they are not to nearest points
_DASHED = 2.0  # pixels of an edge that is cut, however little it weighs
_CUT = PALETTE[3]  # pink: no side has it
_LEAST = NOTHING  # Ncut on the logarithmic axis: what is less is drawn there
_SIGNS = {
    "points": "point, in the colour of its side",
    "edges": "edge to a nearest point, as wide as it weighs",
}


class Cut(Show[CutStep]):
    """Both sides of the graph, the numbers with the threshold, and Ncut at every threshold."""

    unit = "threshold"
    counts_from = 1

    def __init__(self, run: Run, data: Plane) -> None:
        """Prepare the edges that are drawn, and the curve."""
        super().__init__(run, data)
        first = self.steps[0]
        self.ends = first.graph.heaviest_edges(max(1, min(_LINKED, _EDGES // len(data.X))))
        a, b = self.ends.T
        self.width = _THICK * first.graph.weights[a, b]
        self.opens = self.steps[-1].best - 1
        self.least = float(first.graph.eigenvalues[1])
        self.ncuts = np.array([step.ncut for step in self.steps])
        self.note = (
            "Drawn are the edges of every point to its nearest ones, as wide as they weigh. Those "
            f"that are cut are pink and dashed, as are the {_HEAVIEST} heaviest of all cut edges; "
            "all of these are drawn equally thin. "
            "Ncut counts all edges, also those that are not drawn. No cut in two has an Ncut below "
            "λ₂, the dotted line."
        )

    def views(self) -> list[View]:
        """Return the graph in two, the numbers in their order, and Ncut so far."""
        t = np.arange(1.0, len(self.steps) + 1)
        between = (self._sorted[:-1] + self._sorted[1:]) / 2
        grips = np.column_stack([t + 0.5, between])[:, None]
        return [
            View("Both sides, and the edges that are cut", self.picture),
            View(
                "Numbers u₂ / √d in order: drag the threshold", self.numbers,
                track=Track("Threshold", grips, "x"),
            ),
            View("Ncut at every threshold so far; dotted: λ₂", self.curve),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the points in the colours of their sides, the edges, and those that are cut."""
        X, side = self.data.X, self.steps[now].labels
        is_cut = side[self.ends[:, 0]] != side[self.ends[:, 1]]
        drawn = self.ends[is_cut]
        a, b = np.concatenate([drawn, self._heaviest_cut(side)]).T
        lines = plane.joined([np.array(ends) for ends in zip(X[a], X[b], strict=True)])
        cut = plane.line(
            lines,
            line={"width": _DASHED, "color": _CUT, "dash": "dash"},
            name="edge that is cut",
            showlegend=True,
        )
        a, b = self.ends.T
        edges = plane.edges(X[a], X[b], width=np.where(is_cut, 0.0, self.width))
        mover = X[self.steps[now].order[now]]
        ring = plane.rings(mover[None], size=16, name="point that has gone over last")
        sides = [
            plane.line(
                plane.GAP, mode="markers", name=f"in {name}", showlegend=True,
                marker={"size": 11, "symbol": symbol(group), "color": color(group)},
            )
            for group, name in enumerate("AB")
        ]  # fmt: skip
        figure = plane.figure(
            [*sides, cut, ring], self.data.bounds, self.data.names,
            points=plane.points(X, side), edges=edges, signs=_SIGNS,
        )  # fmt: skip
        return curves.with_legend(figure, x=0, xanchor="left")

    def _heaviest_cut(self, side: np.ndarray) -> np.ndarray:
        """Return the ends of the heaviest edges between the sides. (e, 2)."""
        a, b = (np.flatnonzero(side == group) for group in (0, 1))
        weights = self.steps[0].graph.weights[np.ix_(a, b)]
        heaviest = np.argsort(-weights, axis=None, kind="stable")[:_HEAVIEST]
        i, j = np.unravel_index(heaviest, weights.shape)
        return np.column_stack([a[i], b[j]])

    def numbers(self, now: int) -> Figure:
        """Draw the numbers in ascending order, and the threshold between two of them."""
        n, t = len(self._sorted), self.steps[now].t
        places = np.column_stack([np.arange(1.0, n + 1), self._sorted])
        dots = plane.line(places, mode="markers", marker={"size": 5}, name="number of a point")
        low, high = float(self._sorted[0]), float(self._sorted[-1])
        room = 0.05 * (high - low) or 0.1
        line = panels.upright(t + 0.5, low - room, high + room)
        across = panels.axis("points, sorted by u₂ / √d", 1, n)
        up = panels.axis("u₂ / √d", low, high)
        return panels.alone(panels.Panel([dots, line], across, up))

    def curve(self, now: int) -> Figure:
        """Draw Ncut at the thresholds so far, and the bound that no cut is below."""
        n = len(self.steps)
        t, shown, least = np.arange(1.0, now + 2), self.ncuts.clip(_LEAST), max(self.least, _LEAST)
        traces = [
            plane.line(np.column_stack([t, shown[: now + 1]]), line={"width": 2.5}),
            panels.curve(
                [1, n], [least] * 2, name="λ₂, the least of all cuts",
                line={"width": 1.5, "dash": "dot", "color": GREY},
            ),
            curves.marked(now + 1, float(shown[now])),
        ]  # fmt: skip
        across = panels.axis("points in A", 1, n)
        low = float(np.log10(min(least, shown.min()))) - 0.1
        high = float(np.log10(shown.max())) + 0.1
        up = {"title": {"text": "Ncut"}, "range": [low, high], **curves.powers(low, high)}
        if min(self.least, float(self.ncuts.min())) < _LEAST:  # the lowest tick is at _LEAST
            up["ticktext"] = [f"≤ {up['ticktext'][0]}", *up["ticktext"][1:]]
        return panels.alone(panels.Panel(traces, across, up))

    def caption(self, now: int) -> str:
        """Write Ncut with its numbers, how low it is, and the point that went over."""
        step, n = self.steps[now], len(self.data.X)
        if step.best == step.t:
            low = "the lowest so far"
        else:
            where = f"with {counted(step.best, 'point')} in A"
            low = f"the lowest so far is {number(step.lowest)}, {where}"
        cut, volume, rest = (number(value) for value in (step.cut_weight, step.volume, step.rest))
        d = float(step.graph.degrees[step.order[now]])
        inside = (d - step.cut_weight + (self.steps[now - 1].cut_weight if now else 0.0)) / 2
        leads = f"{number(max(inside, 0.0))} of its edges' weight of {number(d)} leads"
        if number(max(inside, 0.0)) == number(d):
            leads = f"nearly all of its edges' weight of {number(d)} leads"
        end = f" (below {number(_LEAST)}, where the axis ends)" if self.least < _LEAST else ""
        return (
            f"{counted(step.t, 'point')} in A, {n - step.t} in B: Ncut = {number(step.ncut)}; "
            f"{low}.\n"
            f"The edges that are cut weigh {cut} in all. Compared with all edges of A and of B, "
            f"Ncut = {cut} / {volume} + {cut} / {rest}; no cut has less than λ₂ = "
            f"{number(self.least)}{end}.\n"
            f"The ringed point went over last: {leads} to points in A."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point goes over next, or what Ncut then does."""
        before, after = self.steps[now], self.steps[now + 1]
        if rng.random() < 0.5:
            text = f"One more point goes over to A. What does Ncut = {number(before.ncut)} do?"
            cuts = f"the cut from {number(before.cut_weight)} to {number(after.cut_weight)}"
            reason = f"It goes to {number(after.ncut)}, {cuts}."
            place = (0, *self.data.X[after.order[now + 1]].tolist())
            return rises_or_falls(text, before.ncut, after.ncut, reason, place=place)
        changed = before.labels != after.labels
        values = before.numbers

        def reason_of(i: int) -> str:
            return f"Its number {number(float(values[i]))} is the lowest in B."

        return which_point(
            rng, self.data, "Which point goes over to A next?", changed,
            (before.labels == 1) & ~changed & (values > values[changed].max()), reason_of,
        )  # fmt: skip

    def found(self, now: int) -> Groups:
        """Return the two sides."""
        return Groups(self.steps[now].labels)

    @property
    def _sorted(self) -> np.ndarray:
        first = self.steps[0]
        return first.numbers[first.order]
