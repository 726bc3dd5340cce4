"""STING: cells from coarse to fine, then dense cells that touch become clusters.

A cell that is ruled out is grey, with all its parts. A relevant one has an outline until its parts
are looked at. A dense cell is strong until it has the colour of its cluster.
"""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.adjusted_rand import adjusted_rand_index
from algorithms.clustering.dbscan.dbscan import DBSCANStep
from algorithms.clustering.dbscan.sting import RULES, StingStep, least
from algorithms.core.agreement import renumbered, renumbering
from viz.clustering.dbscan import marks
from viz.core import curves, naming, plane
from viz.core.found import Groups
from viz.core.graph import strokes
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, RGB, rgb
from viz.core.words import counted, decimal, number, place

_SHARP = 512  # dots of the cells' image, both ways
_OUT, _DENSE, _FIRST = 1, 2, 3  # inks of the cells: ruled out, dense, of the first cluster
_INKS = np.array([(0, 0, 0), rgb(GREY), rgb(GREY), *RGB], np.uint8)
_OPACITY = np.array([0, 40, 160, *[90] * len(RGB)], np.uint8)
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
_EVEN = 0.5  # of the relevant and of the other cells: how often they are asked about
_OUT_KEY = "faint: ruled out; blank: empty, never looked at<br>"
_SPLITTING = "strong: dense; only framed: still to be split"
_JOINING = "strong: dense, of no cluster yet; in colour: its cluster"
_FINISHED = "in colour: cells of a cluster; cross: noise"
_SIGNS = {"points": "point, in the colour of its cluster; a grey cross has none"}


class Cells(Show[StingStep]):
    """The cells over the points; DBSCAN's clusters; the cells looked at on every level."""

    unit = "cell"
    counts_from = 1
    opens = 99

    def __init__(self, run: Run, data: Plane, rival: Run, eps: float) -> None:
        """Measure the cells. rival : DBSCAN's steps on the same points, with radius eps."""
        super().__init__(run, data)
        self.survey = survey = self.steps[0].survey
        self.rival: DBSCANStep = rival.steps[-1]
        self.eps = eps
        self.L, self.m = survey.levels, survey.min_samples
        self.box: Bounds = (
            float(survey.low[0]), float(survey.low[0] + survey.span[0]),
            float(survey.low[1]), float(survey.low[1] + survey.span[1]),
        )  # fmt: skip
        self.alike = adjusted_rand_index(survey.labels, self.rival.labels)
        self.note = (
            "Grey: ruled out. Outlined: relevant, no part looked at yet. Strong: dense, without a "
            "cluster yet. Cells without points are not stored, and never looked at."
        )

    def views(self) -> list[View]:
        """Return the picture, DBSCAN's clusters, and the cells of every level."""
        still = self._rival()
        title = f"DBSCAN on the same points, with ε = {number(self.eps)}"
        return [
            View("Points and cells", self.picture),
            View(title, lambda _: still, 1.3),
            View("Cells of every level, in percent", self.by_level),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points, the cells as far as they are judged, and the cell of this step."""
        step = self.steps[now]
        X, labels = self.data.X, step.labels
        finished = step.event == "finished"
        without = np.full(len(X), marks.NOISE_LOOK if finished else marks.UNSEEN)
        core = np.ones(len(X), bool)
        cells = plane.image(self._inks(step), _INKS, _OPACITY, self.box)
        traces = [
            cells | {"name": "grey: ruled out; strong: dense; in colour: dense, with its cluster"},
            strokes(
                self._squares(self._open(step)), line={"width": 1.25},
                name="relevant cell, no part looked at yet",
            ),
            strokes(
                self._squares([] if finished else [step.cell]),
                line={"width": 4}, name="cell of this step",
            ),
        ]  # fmt: skip
        stage = _FINISHED if finished else _JOINING if step.joined else _SPLITTING
        traces.append(naming.in_corner(_OUT_KEY + stage, self.data.bounds))
        points = marks.clustered(X, labels, without, core)
        points |= {"size": plane.points(X, labels + 1, size=np.full(len(X), 0.6))["size"]}
        data = self.data
        return plane.figure(traces, data.bounds, data.names, points=points, signs=_SIGNS)

    def _inks(self, step: StingStep) -> ndarray:
        """Return the ink of every dot of the cells."""
        size = 2**self.L
        inks = np.zeros((size, size), np.uint8)
        for (level, row, column, _), kept in self._looked(step):
            wide = 2 ** (self.L - level)
            part = np.s_[row * wide : (row + 1) * wide, column * wide : (column + 1) * wide]
            inks[part] = (_DENSE if level == self.L else 0) if kept else _OUT
        dense = self.survey.dense[: step.joined]
        inks[tuple(dense.T)] = _FIRST + self.survey.clusters[: step.joined] % len(RGB)
        return inks.repeat(_SHARP // size, axis=0).repeat(_SHARP // size, axis=1)

    def _looked(self, step: StingStep) -> list[tuple[list[int], bool]]:
        """Return the cells that have been looked at, and whether they are relevant."""
        cells = self.survey.cells[: step.looked].tolist()
        return list(zip(cells, self.survey.relevant[: step.looked].tolist(), strict=True))

    def _open(self, step: StingStep) -> list[tuple[int, int, int]]:
        """Return the relevant cells of which no part has been looked at yet."""
        looked = self._looked(step)
        parted = {(level - 1, row // 2, column // 2) for (level, row, column, _), _ in looked}
        kept = [tuple(cell[:3]) for cell, is_kept in looked if is_kept]
        return [cell for cell in kept if cell not in parted]  # type: ignore

    def _squares(self, cells: list[tuple[int, int, int]]) -> ndarray:
        """Return the outlines of cells. (c, 5, 2)."""
        corners = [
            (np.array([column, row]) + _SQUARE) / 2**level for level, row, column in cells
        ]  # fmt: skip
        return self.survey.low + self.survey.span * np.reshape(corners, (-1, 5, 2))

    def _rival(self) -> Figure:
        """Draw DBSCAN's clusters."""
        X, data = self.data.X, self.data
        without = np.full(len(X), marks.NOISE_LOOK)
        theirs = self.rival.labels  # with STING's number for the cluster that shares most points
        matched = renumbered(theirs, renumbering(self.survey.labels, theirs))
        points = marks.clustered(X, matched, without, self.rival.core)
        signs = {"points": "point, in the colour of DBSCAN's cluster; a cross is noise"}
        signs |= {"size": "large: a core point"}
        return plane.figure([], data.bounds, data.names, points=points, signs=signs)

    def by_level(self, now: int) -> Figure:
        """Draw the share of the cells of every level that were looked at, and that are relevant."""
        step = self.steps[now]
        cells, levels = self.survey.cells[: step.looked], np.arange(self.L + 1)
        kept = self.survey.relevant[: step.looked]
        every = 4.0**levels
        looked = np.bincount(cells[:, 0], minlength=self.L + 1) / every
        relevant = np.bincount(cells[kept, 0], minlength=self.L + 1) / every
        names = [f"{4**level:,}" for level in levels.tolist()]
        bars = [
            {
                "type": "bar", "name": name, "x": names, "y": (100 * heights).tolist(),
                "marker": {"color": ink}, "hoverinfo": "skip", "showlegend": True,
            }
            for name, heights, ink in (
                ("looked at", looked, GREY), ("relevant", relevant, PALETTE[0])
            )
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category", "title": {"text": "cells of the level", "standoff": 4}},
            yaxis={"title": {"text": "% of the level"}, "range": [0, 108], "nticks": 5},
        )
        return curves.with_legend({"data": bars, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what became of the cell; below, the rule with its numbers, and what is known."""
        step = self.steps[now]
        if step.joined:
            return self._joins(step)
        level, _, _, n = self.survey.cells[now].tolist()
        kept = bool(self.survey.relevant[now])
        needed = least(level, self.L, self.m, self.survey.rule)
        holds = f"It holds {counted(n, 'point')}, {'at least' if kept else 'fewer than'}"
        of = f"m = {self.m}"
        if self.survey.rule == RULES[1] and level < self.L:
            of = f"m · 4^(L − l) = {self.m} · 4^{self.L - level} = {needed}"
        if level == self.L:
            dense = "dense" if kept else "not dense"
            said = (
                f"A cell of the lowest level, {level}, holds {counted(n, 'point')}: it is {dense}."
            )
            why = f"A dense cell holds at least {of} points."
        else:
            verdict = "relevant: its parts are looked at" if kept else "ruled out, with its parts"
            said = f"A cell of level {level} is {verdict}."
            why = f"{holds} {of}: {self._why(kept)}."
        none = " No cell is dense: all points are noise." * (step.event == "finished")
        return f"{said}\n{why}{none}\n{self._tally(step)}"

    def _why(self, kept: bool) -> str:
        if self.survey.rule == RULES[1]:
            return "it is dense on average" if kept else "on average it is not dense"
        return "a part of it may be dense" if kept else f"no part of it can have {self.m} points"

    def _tally(self, step: StingStep) -> str:
        every = sum(4**level for level in range(self.L + 1))
        out = step.looked - int(self.survey.relevant[: step.looked].sum())
        if step.event == "finished":
            joined = f", and then {counted(step.joined, 'dense cell')} joined" * bool(step.joined)
            return (
                f"{step.looked} of {every:,} cells were looked at, {out} of them ruled out or not "
                f"dense{joined}."
            )
        return (
            f"{counted(step.looked, 'cell')} of {every:,} {'is' if step.looked == 1 else 'are'} "
            f"looked at so far; {out} of them are ruled out or not dense."
        )

    def _joins(self, step: StingStep) -> str:
        """Write which cluster a dense cell gets, and at the end what was found."""
        cluster, dense = int(self.survey.clusters[step.joined - 1]) + 1, len(self.survey.dense)
        begins = step.joined == 1 or self.survey.clusters[step.joined - 2] + 1 < cluster
        said = f"A dense cell begins cluster {cluster}" if begins else (
            f"A dense cell touches one of cluster {cluster}, and joins it"
        )  # fmt: skip
        rule = (
            "No dense cell that touches it has a cluster yet." if begins
            else "Cells touch by a side or by a corner."
        )  # fmt: skip
        tally = f"{step.joined} of {counted(dense, 'dense cell')} have a cluster."
        if step.event != "finished":
            return f"{said}.\n{rule} {tally}\n{self._tally(step)}"
        return (
            f"Finished: {marks.found(step.labels)}. DBSCAN: {marks.found(self.rival.labels)}.\n"
            f"{self._tally(step)} After the counts, no point was needed.\nThe adjusted Rand index "
            f"of both divisions is {decimal(self.alike)} (1: the same division)."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next cell is relevant; about both answers equally often."""
        after = self.steps[now + 1]
        if after.joined:
            return None
        level, row, column, n = self.survey.cells[now + 1].tolist()
        kept = bool(self.survey.relevant[now + 1])
        share = float(self.survey.relevant.mean())
        if rng.random() > _EVEN / max(share if kept else 1 - share, _EVEN):
            return None
        middle = self.survey.low + self.survey.span * (np.array([column, row]) + 0.5) / 2**level
        needed = least(level, self.L, self.m, self.survey.rule)
        what = "dense" if level == self.L else "relevant"
        ways = [Option(f"yes, it is {what}"), Option(f"no, it is not {what}")]
        right, wrong = ways if kept else ways[::-1]
        reason = f"It has {counted(n, 'point')}; a {what} cell needs {needed} or more."
        text = f"The next cell, of level {level}, has its middle at {place(middle)}. Is it {what}?"
        x, y = middle.tolist()
        return question(text, right, [wrong], reason, (0, x, y))

    def found(self, now: int) -> Groups:
        """Return the clusters; points without one are a group."""
        return Groups(self.steps[now].labels)
