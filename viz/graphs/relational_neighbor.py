"""Labels that spread over a graph, from a few known points, round by round."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.relational_neighbor import RoundStep
from viz.core import curves, plane
from viz.core.graph import without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, SYMBOLS, color
from viz.core.words import counted, number, percent

_NONE = "none yet"
_MOST = 12  # neighbours that are drawn around the picked point
_SHARE = 0.6  # where a neighbour's share is, on the way from the picked point to the neighbour
_STAR = (-1.9, 1.9, -1.2, 1.2)
_FAINT = 0.35  # opacity of a point whose classes have equal shares
_WITHOUT = len(PALETTE)  # the look of a point without a label: a grey circle
_SMALL = 0.7  # diameter of a point without a label, as a part of the usual one
_CLOSE = 0.02  # between the two largest shares: not asked about
_WIDEST, _PICKED = 0.6, 1.8  # pixels, of an edge, and of one at the picked point
_LARGE = 3.6  # diameter of a known point, as a part of the usual one: seen around its handle


class Rounds(Show[RoundStep]):
    """Weighted-vote relational neighbour, a round a step."""

    unit = "round"
    opens = 5

    def __init__(
        self, run: Run, data: Plane, known: ndarray, graph: tuple[ndarray, ndarray],
        query: ndarray,
    ) -> None:  # fmt: skip
        """Find the picked point and its neighbours. graph : edges and weights."""
        super().__init__(run, data)
        self.query = query
        self.known, (self.edges, self.w) = known, graph
        self.picked = int(np.square(data.X - query).sum(axis=1).argmin())
        self.names = [f"class {data.classes[c]}" for c in self.steps[0].classes]
        classes = self.steps[0].classes.tolist()
        self.looks = [(color(c), SYMBOLS[c % _WITHOUT]) for c in classes] + [(GREY, 0)]
        self.near, self.pull = self._neighbours(self.picked)
        at_picked = (self.edges == self.picked).any(axis=1)
        self.widths = np.where(at_picked, _PICKED, _WIDEST) * self.w / self.w.max()
        self.without = [int((~step.reached).sum()) for step in self.steps]
        self.wrong = [int(self._wrong(step).sum()) for step in self.steps]
        self.note = (
            "Only the labels of the known points are used; the other points' own classes count "
            "what is wrong. Drag a known point to another one to make that one known."
        )

    def views(self) -> list[View]:
        """Return the graph, the picked point among its neighbours, and the errors."""
        return [
            View("The graph, with the labels so far", self.picture),
            View("The picked point's neighbours, and its label", self.votes, board=False),
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
            "strength": "the fainter, the closer the vote", "wrong": "wrong label",
            "edges": "edge between near points: bold at the picked point",
        }  # fmt: skip
        data, known = self.data, X[self.known]
        new = reached & ~self.steps[max(now - 1, 0)].reached
        new[self.picked] = False  # it has a ring of its own
        marks = [
            *self._key(),
            plane.rings(X[new] if new.any() else plane.GAP, size=15, line={"width": 1.25},
                        name="first label in this round"),
            plane.line(np.stack([self.query, X[self.picked]]), line={"width": 2, "dash": "dot"},
                       name="from the cross hair to the picked point, the nearest one"),
            plane.rings(X[[self.picked]], size=20, line={"width": 3}, name="picked point"),
            plane.line(known, mode="markers+text", text=["known"] * len(known),
                       textposition="bottom right", marker={"size": 24, "opacity": 0},
                       textfont={"size": 15, "weight": 700, "shadow": "auto"}, name="known point"),
        ]  # fmt: skip
        figure = plane.figure(
            marks, data.bounds, data.names, points=points, edges=edges, signs=signs
        )
        return curves.with_legend(figure)

    def _key(self) -> list[dict]:
        """Return the entries of the legend: the labels, a point without one, rings and rims."""
        entries = {
            name: {"size": 11, "color": ink, "symbol": symbol}
            for name, (ink, symbol) in zip([*self.names, _NONE], self.looks, strict=True)
        }
        entries["new"] = {"size": 15, "symbol": 100, "line": {"width": 1.25}}
        if any(self.wrong):
            entries["wrong"] = {"size": 11, "symbol": 100, "line": {"width": 4}}
        return [
            plane.line(plane.GAP, mode="markers", name=name, marker=look, showlegend=True)
            for name, look in entries.items()
        ]

    def votes(self, now: int) -> Figure:
        """Draw the neighbours around the picked point, with their labels before the round."""
        before, step = self.steps[max(now - 1, 0)], self.steps[now]
        near, w = self.near[:_MOST], self.pull[:_MOST]
        places = self._around(near)
        spokes = [
            plane.line(np.stack([place, np.zeros(2)]), line={"width": 1 + 3 * float(share)},
                       name="edge: the wider, the more it weighs" if i == 0 else "", opacity=0.5)
            for i, (place, share) in enumerate(zip(places, w / w.max(initial=1e-9), strict=True))
        ]  # fmt: skip
        says, names = before.labels[near], [*self.names, _NONE]
        groups = [says == c for c in step.classes] + [~before.reached[near]]
        dots = [
            plane.line(places[rows] if rows.any() else plane.GAP, mode="markers", name=name,
                       marker={"size": 22, "color": ink, "symbol": symbol}, showlegend=True)
            for rows, name, (ink, symbol) in zip(groups, names, self.looks, strict=True)
        ]  # fmt: skip
        shares = before.shares[near].max(axis=1, initial=0.0)
        torn = before.reached[near] & (shares < 1 - _CLOSE)
        written = [percent(float(p), 2) if t else "" for p, t in zip(shares, torn, strict=True)]
        i = self.picked
        ink, symbol = self.looks[int(step.shares[i].argmax()) if step.reached[i] else -1]
        middle = {"size": 26, "color": ink, "symbol": symbol}
        words = {"mode": "text", "textfont": {"size": 14, "shadow": "auto"}, "name": "its share"}
        traces = [
            *spokes,
            *dots,
            plane.line(_SHARE * places, text=written, **words),
            plane.line(np.zeros((1, 2)), mode="markers", marker=middle),
            plane.rings(np.zeros((1, 2)), size=36, line={"width": 3}, name="picked point"),
        ]
        layout = without_axes(_STAR)
        return curves.with_legend({"data": traces, "layout": layout})

    def _around(self, near: ndarray) -> ndarray:
        """Return evenly spaced places on a circle, turned to the neighbours' own directions."""
        way = self.data.X[near] - self.data.X[self.picked]
        angle = np.arctan2(way[:, 1], way[:, 0])
        even = 2 * np.pi * np.argsort(np.argsort(angle)) / max(len(near), 1)
        turn = even + np.angle(np.exp(1j * (angle - even)).sum())
        return np.column_stack([np.cos(turn), np.sin(turn)])

    def progress(self, now: int) -> Figure:
        """Draw how many points have no label, and how many a wrong one, after every round."""
        rounds, last = range(len(self.steps)), max(len(self.steps) - 1, 1)
        traces = [
            curves.against("without a label", rounds, self.without, setting="round", mode="lines"),
            curves.marked(now, self.without[now], name="this round", showlegend=False),
        ]
        if any(self.wrong):
            traces.insert(
                1,
                curves.against(
                    "wrong label", rounds, self.wrong, setting="round", mode="lines",
                    line={"dash": "dash", "color": PALETTE[3]},
                ),
            )  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "round", "standoff": 4},
                "nticks": 8,
                "range": [-0.03 * last, 1.03 * last],
            },
            yaxis={
                "title": {"text": "points"},
                "range": [-0.06 * max(self.without), 1.08 * max(self.without)],
                "nticks": 5,
            },
        )
        return curves.with_legend({"data": traces, "layout": layout})

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
            if step.gained and moved:
                said = f"Round {now}: {got} {gets} first label, {moved} {changes} label."
            elif step.gained:
                said = f"Round {now}: {got} {gets} first label from labelled neighbours."
            elif moved:
                said = f"Round {now}: {counted(moved, 'point')} {changes} label."
            else:
                said = f"Round {now}: no label changes, only shares do."
        of = len(step.labels) - none - int(self.known.sum())
        if now and step.event == "converged":
            known = counted(int(self.known.sum()), "known point")
            right = f"all {of} labels are" if wrong == 0 else f"{of - wrong} of {of} labels are"
            said = f"Round {now}: nothing changes any more. From {known}, {right} right."
        rule = "Each point takes the mean of its labelled neighbours' shares of the classes."
        if now == 0:
            rule = "In each round, every other point asks its neighbours."
        found = f" {counted(of, 'label')} found, {wrong or 'none'} of them wrong"
        left = f"{counted(none, 'point')} without one" if none else "no point is without one"
        counts = f"{found}; {left}." if now else ""
        return f"{said}\n{rule}{counts}\nPicked point: {self._vote(now)}"

    def _vote(self, now: int) -> str:
        """Write the picked point's shares as the mean of its neighbours' in the round before."""
        i, step = self.picked, self.steps[now]
        of = counted(len(self.near), "neighbour")
        if self.known[i]:
            return f"it is known, as {self.names[int(step.shares[i].argmax())]}."
        if not step.reached[i]:
            return f"none of its {of} had a label."
        c = int(step.shares[i].argmax())
        before = self.steps[now - 1]
        voters = before.reached[self.near]
        w, p = self.pull[voters], before.shares[self.near[voters], c]
        weighed = "" if np.ptp(self.pull) == 0 else ", weighed"
        return (
            f"{int(voters.sum())} of its {of} had a label; {self.names[c]} has "
            f"{number(float(w @ p))} of {number(float(w.sum()))} votes{weighed}, "
            f"{percent(float(step.shares[i, c]))}."
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
