"""Labels that spread over a graph, from a few known points, round by round."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.relational_neighbor import RoundStep
from viz.core import curves, panels, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, SYMBOLS, color
from viz.core.words import counted, number, percent

_NONE = "none yet"
_FAINT = 0.45  # opacity of a point whose classes have equal shares
_WITHOUT = len(PALETTE)  # the look of a point without a label: a grey circle
_SMALL = 0.7  # diameter of a point without a label, or with its first, as a part of the usual one
_CLOSE = 0.02  # between the two largest shares: not asked about
# pixels, of the lightest and the heaviest edge: every edge is seen
_ALIKE, _OTHERS, _AT_PICKED = (0.6, 1.8), (0.45, 1.5), (1.2, 3.6)
_MANY = 1200  # edges; more of them are thinner, so that the points are still seen
_THINNEST = 0.25  # pixels; the stage rounds to these
_LARGE = 2.9  # diameter of a known point, as a part of the usual one: seen around its handle
_MEAN = (1.08, 1.26)  # the ends of the mean's bar, beside those of the neighbours from 0 to 1
_APART = 0.1  # of a bar's height, from name to name
_ROOM = 0.11  # the width of a bar in which "no vote" has room
_TWO_LINES = 46  # pixels below the bars, for two lines of words
_FILLED = 0.92  # of a neighbour's room, by its bar
_EMPTY = "rgba(0, 0, 0, 0)"
_HARDLY = 1e-9  # a share so near 0 or 1 that the whole bar is of one class
_THIN, _HAIR = 0.01, 1.5  # the width of a bar that would hardly be seen; pixels of its rim


class Rounds(Show[RoundStep]):
    """Weighted-vote relational neighbour, a round a step."""

    unit = "round"
    opens = 5

    def __init__(
        self, run: Run, data: Plane, known: ndarray, graph: tuple[ndarray, ndarray], picked: int
    ) -> None:
        """Find the neighbours of the picked point. graph : edges and weights."""
        super().__init__(run, data)
        self.known, (self.edges, self.w), self.picked = known, graph, picked
        self.names = [f"class {data.classes[c]}" for c in self.steps[0].classes]
        classes = self.steps[0].classes.tolist()
        self.looks = [(color(c), SYMBOLS[c % _WITHOUT]) for c in classes] + [(GREY, 0)]
        self.near, self.pull = self._neighbours(self.picked)
        at_picked = (self.edges == self.picked).any(axis=1)
        self.weighted = bool(np.ptp(self.w) > 0)
        thin = min(1.0, _MANY / max(len(self.edges), 1))
        self.widths = np.where(at_picked, _ALIKE[1], max(_THINNEST, thin * _ALIKE[0]))
        if self.weighted:
            share = self.w / self.w.max()
            bold, others = (np.interp(share, [0, 1], ends) for ends in (_AT_PICKED, _OTHERS))
            self.widths = np.where(at_picked, bold, np.maximum(_THINNEST, thin * others))
        self.without = [int((~step.reached).sum()) for step in self.steps]
        self.wrong = [int(self._wrong(step).sum()) for step in self.steps]
        series: dict[str, Sequence[float]] = {"none": self.without}
        if any(self.wrong):
            series["wrong"] = self.wrong
        self.progress = curves.timeline(series, along=self.unit)
        self.note = (
            "Two points are neighbours if one is among the k nearest of the other, so a point may "
            "have more than k. Only the labels of the known points are used; the other points' own "
            "classes count what is wrong. Drag a known point to another one to make that one known."
        )

    def views(self) -> list[View]:
        """Return the graph, the vote on the picked point, and the errors."""
        return [
            View("The graph, with the labels so far", self.picture),
            View("Picked point: the mean of its neighbours", self.votes, board=False),
            View("Points without a label, and wrong labels", self.progress,
                 ahead="by step", board=False),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the points by their labels so far, and the edges."""
        step, X = self.steps[now], self.data.X
        shares, reached, wrong = step.shares, step.reached, self._wrong(step)
        before = self.steps[max(now - 1, 0)].reached
        sure = plane.certainty(shares.max(axis=1), shares.shape[1]).clip(0, 1)
        points = plane.points(
            X, np.where(reached, step.labels % _WITHOUT, _WITHOUT), wrong,
            size=np.where(self.known, _LARGE, np.where(before, 1.0, _SMALL)),
            strength=np.where(reached & ~wrong, _FAINT + (1 - _FAINT) * sure, 1.0),
        ) | {"fills": [*PALETTE, GREY], "symbols": [*SYMBOLS, 0]}  # fmt: skip
        start, end = X[self.edges].swapaxes(0, 1)
        edges = plane.edges(start, end, width=self.widths)
        signs = {
            "points": "point, by its label so far",
            "size": "large: known point; small: first label in this round; small, grey: none yet",
            "strength": "the fainter, the closer the vote; a wrong label is not faint",
            "wrong": "wrong label",
            "edges": "edge between near points: bold at the picked point"
            + ", the wider the heavier" * self.weighted,
        }  # fmt: skip
        figure = plane.figure(
            self._key(), self.data.bounds, self.data.names, points=points, edges=edges, signs=signs
        )
        return curves.with_legend(figure)

    def _key(self) -> list[dict]:
        """Return the entries of the key: the labels, a point without one, the other signs."""
        entries = {
            name: {"size": 11, "color": ink, "symbol": symbol}
            for name, (ink, symbol) in zip([*self.names, _NONE], self.looks, strict=True)
        }
        ink = PALETTE[0]
        entries["known"] = {"size": 16, "color": ink, "line": {"width": 2}}
        if any(self.wrong):
            entries["wrong"] = {"size": 11, "symbol": 100, "line": {"width": 4}}
        return [
            plane.line(plane.GAP, mode="markers", name=name, marker=look, showlegend=True)
            for name, look in entries.items()
        ]

    def votes(self, now: int) -> Figure:
        """Draw the neighbours' shares before the round, each as a bar, and their mean beside them.

        A bar is as wide as its edge weighs, so the mean is the part of the whole area.
        """
        before, step = self.steps[max(now - 1, 0)], self.steps[now]
        shares = np.concatenate([before.shares[self.near], step.shares[[self.picked]]])
        ends = np.append(0, self.pull.cumsum()) / self.pull.sum()
        bars = {
            "type": "bar",
            "x": [*((ends[1:] + ends[:-1]) / 2).tolist(), sum(_MEAN) / 2],
            "width": [*(_FILLED * np.diff(ends)).tolist(), _MEAN[1] - _MEAN[0]],
            "hoverinfo": "skip",
        }
        names, inks = [*self.names, _NONE], [ink for ink, _ in self.looks]
        # a bar of hardly any weight is a hairline, and is seen; one without a vote is empty
        hair = _HAIR * (np.array(bars["width"]) < _THIN)
        fills = [*inks[:-1], _EMPTY]
        parts = np.column_stack([shares, shares.max(axis=1) == 0]).astype(float)
        wide = _FILLED * np.diff(ends) >= _ROOM
        told = self._told(bool(wide.all()))
        silent = {
            "text": [*np.where(wide & (parts[:-1, -1] > 0), "no vote", "").tolist(), ""],
            "textposition": "inside", "insidetextanchor": "middle", "textangle": -90,
            "textfont": {"size": 15, "color": GREY},
        }  # fmt: skip
        traces = [
            *(
                bars
                | {
                    "name": name,
                    "y": part.tolist(),
                    "marker": {
                        "color": fill,
                        "line": {
                            "width": np.where(part > 0, hair + (fill == _EMPTY), 0).tolist(),
                            "color": ink,
                        },
                    },
                }
                for name, part, ink, fill in zip(names, parts.T, inks, fills, strict=True)
            ),
            self._level(step),
            self._beside(parts[-1]),
        ]
        traces[len(self.names)] |= silent
        layout = curves.panel_layout(
            barmode="stack",
            xaxis={
                "range": [-0.02, 1.9],
                "tickvals": [0.5, sum(_MEAN) / 2],
                "ticktext": [f"neighbours, nearest first{told}", "mean"],
                "tickangle": 0,
                "showgrid": False,
            },
            yaxis={"range": [0, 1.02], "nticks": 5, "title": {"text": "share of the vote"}},
        )
        layout["margin"] |= {"b": _TWO_LINES}
        return {"data": traces, "layout": layout}

    def _told(self, roomy: bool) -> str:
        """Write in a second line what a wide bar is, and an empty one unless its bar has room."""
        words = ["wide: heavier"] if np.ptp(self.pull) else []
        words += [] if roomy else ["empty: no vote"]
        return f"<br>{'; '.join(words)}" if words else ""

    def _level(self, step: RoundStep) -> dict:
        """Draw the mean across all neighbours, a dashed line between two classes with a share."""
        heights = step.shares[self.picked].cumsum()[:-1]
        heights[(heights < _HARDLY) | (heights > 1 - _HARDLY)] = np.nan
        lines = [np.array([[0, height], [_MEAN[1], height]]) for height in heights]
        dashed = {"width": 2, "dash": "dash"}
        return plane.line(plane.joined(lines), line=dashed, name="mean of those with a label")

    def _beside(self, parts: ndarray) -> dict:
        """Write the classes' names and shares beside the bar of the mean."""
        seen = parts > 0
        heights = parts.cumsum() - parts / 2
        heights[seen] = panels.spread_out(heights[seen], _APART, _APART / 2, 1 - _APART / 2)
        said = [
            f"{name}: {percent(float(p), 2)}" for name, p in zip(self.names, parts, strict=False)
        ]
        text = [t if s else "" for t, s in zip([*said, _NONE], seen, strict=True)]
        where = np.column_stack([np.full(len(parts), _MEAN[1] + 0.02), heights])
        return plane.line(where, mode="text", text=text, textposition="middle right",
                          textfont={"size": 15, "shadow": "auto"}, name="share")  # fmt: skip

    def caption(self, now: int) -> str:
        """Write how many points got a label, the rule, and the vote on the picked point."""
        step = self.steps[now]
        wrong, none = int(self._wrong(step).sum()), int((~step.reached).sum())
        said = self._said(now)
        of = len(step.labels) - none - int(self.known.sum())
        mean = "weighted mean" if self.weighted else "mean"
        rule = f"Each point takes the {mean} of its labelled neighbours' shares of the classes."
        if now == 0:
            rule = "In each round, every other point asks its neighbours."
        found = f" {counted(of, 'label')} found, {wrong or 'none'} of them wrong"
        left = f"{counted(none, 'point')} without one" if none else "no point is without one"
        counts = f"{found}; {left}." if now else ""
        if now and not step.gained:
            counts += f" Shares change by {number(step.change)} at most."
        if step.event in ("converged", "stopped at max_iter"):  # the headline has the counts
            counts = " With a smaller tolerance there are more rounds, and labels may still change."
            counts *= step.event == "converged" and step.change > 0
        return f"{said}\n{rule}{counts}\nPicked point: {self._vote(now)}"

    def _said(self, now: int) -> str:
        """Write what the round did to the labels, in one sentence."""
        step, none = self.steps[now], int((~self.steps[now].reached).sum())
        if now == 0:
            absent = [n for n, c in zip(self.names, step.shares.T, strict=True) if not c.any()]
            known = f"Start: {counted(int(self.known.sum()), 'label')} known"
            if absent:
                return f"{known}, none of {absent[0]}: no point can get this label."
            return f"{known}, {none} to be found."
        if step.event in ("converged", "stopped at max_iter"):
            of, wrong = int((step.reached & ~self.known).sum()), int(self._wrong(step).sum())
            right = f"{of - wrong} of {counted(of, 'label')} found are right"
            left = f", and {counted(none, 'point')} never got one" if none else ""
            change = "no share changes any more"
            if step.event != "converged":
                change = f"shares still change, by {number(step.change)} at most"
                return f"Round {now} is the last allowed: {change}; {right}{left}."
            if step.change > 0:
                change = f"shares change by {number(step.change)} at most, within the tolerance"
            return f"Round {now}: {change}, so the run ends; {right}{left}."
        bad = self.wrong[now]
        wrong = f"{counted(bad, 'label') if bad else 'no label'} {'are' if bad > 1 else 'is'} wrong"
        if step.gained:
            points = "point (small) takes" if step.gained == 1 else "points (small) take"
            their = "its" if step.gained == 1 else "their"
            return (
                f"Round {now}: {step.gained} more {points} the mean of {their} neighbours; "
                f"{none or 'none'} left; {wrong}."
            )
        if moved := int((step.labels != self.steps[now - 1].labels).sum()):
            one = moved == 1
            change = f"{moved} {'point changes its label' if one else 'points change their labels'}"
            by = f"outvoted by {'its' if one else 'their'} neighbours"
            return f"Round {now}: {change}, {by}; {wrong}."
        return f"Round {now}: no label changes, only shares do; {wrong}."

    def _vote(self, now: int) -> str:
        """Write the picked point's shares as the mean of its neighbours' in the round before."""
        i, step = self.picked, self.steps[now]
        of, alone = counted(len(self.near), "neighbour"), len(self.near) == 1
        if self.known[i]:
            return f"it is known, as {self.names[int(step.shares[i].argmax())]}."
        if not step.reached[i]:
            return "its only neighbour had no label." if alone else f"none of its {of} had a label."
        c = int(step.shares[i].argmax())
        before = self.steps[now - 1]
        voters = before.reached[self.near]
        w, p = self.pull[voters], before.shares[self.near[voters], c]
        weighted = "" if np.ptp(self.pull) == 0 else ", weighted"
        had = "its only neighbour" if alone else f"{int(voters.sum())} of its {of}"
        return (
            f"{had} had a label; {self.names[c]} has "
            f"{number(float(w @ p))} of {number(float(w.sum()))} votes{weighted}, "
            f"{percent(float(step.shares[i, c]), 2)}."
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
        """Return a point's neighbours and the weights of their edges, the nearest first."""
        ends = np.flatnonzero((self.edges == i).any(axis=1))
        near = self.edges[ends].sum(axis=1) - i
        order = np.square(self.data.X[near] - self.data.X[i]).sum(axis=1).argsort(kind="stable")
        return near[order], self.w[ends][order]

    def _alike(self, step: RoundStep) -> ndarray:
        """Return which points have only neighbours of one label, or none with a label."""
        same, (i, j) = np.ones(len(step.labels), bool), self.edges.T
        unlike = step.labels[i] != step.labels[j]
        same[i[unlike]] = same[j[unlike]] = False
        return same

    def _wrong(self, step: RoundStep) -> ndarray:
        """Return which points have a label that is not their class."""
        return step.reached & (step.labels != self.data.labels)
