"""Labels that spread over a graph, from a few known points, round by round."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.relational_neighbor import RoundStep
from viz.core import curves, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, SYMBOLS, color
from viz.core.words import counted, decimal, number, percent

_NONE = "none yet"
_MOST = 12  # neighbours with a bar
_FAINT = 0.35  # opacity of a point whose classes have equal shares
_WITHOUT = len(PALETTE)  # the look of a point without a label: a grey circle
_SMALL = 0.7  # diameter of a point without a label, as a part of the usual one
_CLOSE = 0.02  # between the two largest shares: not asked about
_WIDEST, _PICKED = 0.8, 2.5  # pixels, of an edge, and of one at the picked point
_LARGE = 1.9  # diameter of a known point, as a part of the usual one


class Rounds(Show[RoundStep]):
    """Weighted-vote relational neighbour, a round a step."""

    unit = "round"
    opens = 12

    def __init__(
        self, run: Run, data: Plane, known: ndarray, graph: tuple[ndarray, ndarray],
        query: ndarray, *, above: float,
    ) -> None:  # fmt: skip
        """Find the picked point and its neighbours.

        graph : edges and weights. above : how far handles are above the known points, as a part of
        the picture's height.
        """
        super().__init__(run, data)
        self.above = above
        self.known, (self.edges, self.w) = known, graph
        self.picked = int(np.square(data.X - query).sum(axis=1).argmin())
        self.names = [f"class {data.classes[c]}" for c in self.steps[0].classes]
        self.near, self.pull = self._neighbours(self.picked)
        at_picked = (self.edges == self.picked).any(axis=1)
        self.widths = np.where(at_picked, _PICKED, _WIDEST) * self.w / self.w.max()
        series: dict[str, Sequence[float]] = {
            "without a label": [int((~step.reached).sum()) for step in self.steps],
            "wrong labels": [int(self._wrong(step).sum()) for step in self.steps],
        }
        self.timeline = curves.timeline(series)
        self.most_wrong = max(series["wrong labels"])
        self.note = (
            "Only the labels of the known points are used; the other points' own classes count "
            "what is wrong. Dragging a handle to another point makes that one known."
        )

    def views(self) -> list[View]:
        """Return the graph, the votes of the picked point's neighbours, and the errors."""
        return [
            View("The graph, with the labels so far", self.picture),
            View("The vote on the picked point in this round", self.votes, board=False),
            View("Points without a label, and wrong labels", self.progress,
                 ahead="by step", board=False),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the points by their labels so far, and the edges."""
        step, X = self.steps[now], self.data.X
        shares, reached = step.shares, step.reached
        sure = plane.certainty(shares.max(axis=1), shares.shape[1]).clip(0, 1)
        points = plane.points(
            X, np.where(reached, step.labels % _WITHOUT, _WITHOUT), self._wrong(step),
            size=np.where(self.known, _LARGE, np.where(reached, 1.0, _SMALL)),
            strength=np.where(reached, _FAINT + (1 - _FAINT) * sure, 1.0),
        ) | {"fills": [*PALETTE, GREY], "symbols": [*SYMBOLS, 0]}  # fmt: skip
        start, end = X[self.edges].swapaxes(0, 1)
        edges = plane.edges(start, end, width=self.widths)
        signs = {
            "points": "point, by its label so far",
            "size": "large: known point; small and grey: no label yet",
            "strength": "the paler, the closer the vote", "wrong": "wrong label",
            "edges": "edge between near points: bold at the picked point",
        }  # fmt: skip
        data = self.data
        known = X[self.known]
        top = known + np.array([0.0, self.above * (data.bounds[3] - data.bounds[2])])
        stems = np.stack([known, top, np.full_like(known, np.nan)], axis=1).reshape(-1, 2)
        marks = [
            plane.line(stems, line={"width": 1.5}, name="from a known point to its handle"),
            plane.rings(X[[self.picked]], size=16, name="picked point"),
            plane.line(known, mode="markers+text", text=["known"] * len(known),
                       textposition="bottom right", marker={"size": 14, "opacity": 0},
                       textfont={"size": 15, "weight": 700, "shadow": "auto"}, name="known point"),
        ]  # fmt: skip
        return plane.figure(marks, data.bounds, data.names, points=points, edges=edges, signs=signs)

    def votes(self, now: int) -> Figure:
        """Draw each neighbour's weight, parted by the shares of its classes before the round."""
        step, shown = self.steps[max(now - 1, 0)], self.near[:_MOST]
        weight = self.pull[:_MOST]
        shares = np.column_stack([step.shares[shown], ~step.reached[shown]])
        inks = [*(color(int(c)) for c in step.classes), GREY]
        bars = [
            {
                "type": "bar", "name": name, "x": list(range(1, len(shown) + 1)),
                "y": (weight * part).tolist(), "hoverinfo": "skip",
                "marker": {"color": ink}, "showlegend": True,
            }
            for name, part, ink in zip([*self.names, _NONE], shares.T, inks, strict=True)
        ]  # fmt: skip
        top = 1.1 * float(weight.max(initial=0.1))
        order = "" if np.ptp(weight) == 0 else ", the heaviest first"
        layout = curves.panel_layout(
            xaxis={"title": {"text": f"neighbour{order}", "standoff": 4}, "dtick": 1},
            yaxis={"title": {"text": "weight w"}, "range": [0, top], "nticks": 5},
        ) | {"barmode": "stack", "bargap": 0.3}
        layout["margin"]["b"] = 44
        return curves.with_legend({"data": bars, "layout": layout})

    def progress(self, now: int) -> Figure:
        """Draw how many points have no label, and how many a wrong one, after every round."""
        figure = self.timeline(now)
        axes = dict(figure["layout"])
        axes["xaxis"] = axes["xaxis"] | {"title": {"text": "round", "standoff": 4}}
        if self.most_wrong < 5:
            axes["yaxis2"] = axes["yaxis2"] | {"dtick": 1}
        axes["margin"] = axes["margin"] | {"b": 44}
        return {**figure, "layout": axes}

    def caption(self, now: int) -> str:
        """Write how many points got a label, the rule, and the vote on the picked point."""
        step = self.steps[now]
        wrong, none = int(self._wrong(step).sum()), int((~step.reached).sum())
        if now == 0:
            said = f"Start: {counted(int(self.known.sum()), 'label')} known, {none} to be found."
        else:
            got = counted(step.gained, "point")
            moved = int((step.labels != self.steps[now - 1].labels).sum()) - step.gained
            gets = "gets its" if step.gained == 1 else "get their"
            changes = "changes its" if moved == 1 else "change their"
            said = f"Round {now}: {got} {gets} first label, {moved} {changes} label."
        of = len(step.labels) - none - int(self.known.sum())
        if now and step.event == "converged":
            known = counted(int(self.known.sum()), "known point")
            right = f"all {of} labels are" if wrong == 0 else f"{of - wrong} of {of} labels are"
            said = f"Round {now}: nothing changes any more. From {known}, {right} right."
        rule = (
            "p(c) ← Σ w p′(c) / Σ w over the neighbours with a label. Largest change: "
            f"{number(step.change)}. " if now else "Known points keep their label. "
        )  # fmt: skip
        return (
            f"{said}\n{rule}Wrong: {wrong} of {counted(of, 'found label')}; without a label: "
            f"{none}.\nPicked point: {self._vote(now)}"
        )

    def _vote(self, now: int) -> str:
        """Write the picked point's shares as the mean of its neighbours' in the round before."""
        i, step = self.picked, self.steps[now]
        if self.known[i]:
            return f"it is known, as {self.names[int(step.shares[i].argmax())]}."
        if not step.reached[i]:
            return f"none of its {counted(len(self.near), 'neighbour')} had a label."
        c = int(step.shares[i].argmax())
        before = self.steps[now - 1]
        voters = before.reached[self.near]
        w, p = self.pull[voters], before.shares[self.near[voters], c]
        return (
            f"{self.names[c]} has Σ w p′ / Σ w = {decimal(float(w @ p))} / "
            f"{decimal(float(w.sum()))} = {percent(float(step.shares[i, c]))}, from "
            f"{int(voters.sum())} of {counted(len(self.near), 'neighbour')}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the label that a point has after the next round."""
        step, after = self.steps[now], self.steps[now + 1]
        top = np.sort(after.shares, axis=1)[:, -2:]
        clear = ~after.reached | (top[:, 1] - top[:, 0] > _CLOSE)
        news = (step.labels != after.labels) & clear & ~self.known
        torn = clear & ~self.known & ~self._alike(step)
        rows = np.flatnonzero(news if news.any() and rng.random() < 0.7 else torn)
        if len(rows) == 0:
            return None
        i = int(rng.choice(rows))
        near, w = self._neighbours(i)
        voters = step.reached[near]
        says = w[voters] @ step.shares[near[voters]] / (w[voters].sum() or 1.0)
        told = ", ".join(f"{n} {percent(float(s))}" for n, s in zip(self.names, says, strict=True))
        names = [*self.names, _NONE]
        right = names[-1] if not after.reached[i] else self.names[int(after.shares[i].argmax())]
        held = self.names[int(step.shares[i].argmax())] if step.reached[i] else "no label"
        text = (
            f"The point under the “?” has {held} now, and {int(voters.sum())} of its "
            f"{counted(len(near), 'neighbour')} have a label. Which one does it have after the "
            "next round?"
        )
        reason = (
            f"The mean of its neighbours with a label: {told}."
            if voters.any()
            else "None of its neighbours has a label, so nobody votes."
        )
        x, y = self.data.X[i].tolist()
        others = [Option(name) for name in names if name != right]
        return question(text, Option(right), others, reason, (0, x, y))

    def _neighbours(self, i: int) -> tuple[ndarray, ndarray]:
        """Return a point's neighbours and the weights of their edges, the heaviest first."""
        ends = np.flatnonzero((self.edges == i).any(axis=1))
        order = ends[np.argsort(-self.w[ends], kind="stable")]
        pairs = self.edges[order]
        return pairs.sum(axis=1) - i, self.w[order]

    def _alike(self, step: RoundStep) -> ndarray:
        """Return which points have only neighbours of one label, or none with a label."""
        same, (i, j) = np.ones(len(step.labels), bool), self.edges.T
        unlike = step.labels[i] != step.labels[j]
        same[i[unlike]] = same[j[unlike]] = False
        return same

    def _wrong(self, step: RoundStep) -> ndarray:
        """Return which points have a label that is not their class."""
        return step.reached & (step.labels != self.data.labels)
