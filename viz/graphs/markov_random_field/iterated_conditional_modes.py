"""A picture that loses its noise, cell by cell: every flip lowers the energy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.markov_random_field.iterated_conditional_modes import FlipStep, next_cell
from algorithms.graphs.markov_random_field.picture import Field, neighbour_sums
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted, enclosed, number
from viz.graphs.markov_random_field.marks import COLOURS, LAYERS, PAIR, Paper, neighbours

_OPENS = 18  # flips, when the first rows are clean and the others are not


class Flips(Show[FlipStep]):
    """Iterated conditional modes, one flip or one sweep a step."""

    def __init__(
        self, run: Run, data: Plane, original: ndarray, field: Field, query: ndarray, by: str
    ) -> None:
        """Count wrong cells. by : what a step is, "flip" or "sweep"."""
        super().__init__(run, data)
        self.unit = by
        self.opens = _OPENS if by == "flip" else 0
        self.field, self.paper = field, Paper(data, original, field, query)
        series: dict[str, Sequence[float]] = {
            "wrong": [self.paper.wrong(step.image) for step in self.steps],
            "energy": [step.energy for step in self.steps],
        }
        self.timeline = curves.timeline(series, along=by)
        weights = field.data_weight, 4 * field.coupling
        self.reach = 1.15 * max(sum(weights), 0.1)
        self.note = (
            "Cells near a point are black, all others white; then noise flips some of them. The "
            "classes of the points play no part. The cells are visited row by row, from the top."
        )

    def views(self) -> list[View]:
        """Return the picture, the wrong cells, why the cell has its colour, and the energy."""
        which = "flipped" if self.unit == "flip" else "picked"
        return [
            View("The picture", self.picture, layers=LAYERS),
            View(
                "Wrong cells, and energy",
                self.timeline,
                height=1.3,
                ahead="by step",
                board=False,
            ),
            View(f"The {which} cell: energy if white, if black", self.cell, board=False),
            View(PAIR, self.paper.pair, board=False),
        ]

    def at(self, now: int) -> tuple[int, int]:
        """Return the cell that has flipped, or the picked one."""
        return self.paper.cell(self.steps[now].cell if self.unit == "flip" else None)

    def picture(self, now: int) -> Figure:
        """Draw the picture, and a frame around the cell that has flipped and its neighbours."""
        framed = self.unit == "flip"
        return self.paper.picture(self.steps[now].image, self.at(now), framed=framed)

    def cell(self, now: int) -> Figure:
        """Draw the terms of the energy with the cell `at` a step, for both of its colours."""
        x, at = self.steps[now].image, self.at(now)
        terms = (
            ("observed", self.field.data_weight * self.field.observed[at], GREY),
            ("neighbours", self.field.coupling * neighbour_sums(x)[at], PALETTE[0]),
        )
        colours = np.array([-1, 1])
        bars: list[dict[str, Any]] = [
            {
                "type": "bar", "name": name, "x": [0, 1], "y": (-colours * each).tolist(),
                "marker": {"color": ink}, "hoverinfo": "skip", "showlegend": True,
            }
            for name, each, ink in terms
        ]  # fmt: skip
        totals = (-colours * sum(each for _, each, _ in terms)).tolist()
        total = {
            "type": "scatter", "mode": "markers+text", "name": "sum", "x": [0, 1], "y": totals,
            "marker": {"symbol": 2, "size": 14, "line": {"width": 2, "color": "#ffffff"}},
            "text": [f"\u2002<b>{number(each)}</b>" for each in totals],
            "textposition": "middle right", "textfont": {"size": 16, "shadow": "auto"},
            "hoverinfo": "skip", "showlegend": True,
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"tickvals": [0, 1], "ticktext": ["white", "black"], "range": [-0.6, 1.6]},
            yaxis={"range": [-self.reach, self.reach], "nticks": 5, "title": {"text": "energy"}},
        ) | {"barmode": "relative", "bargap": 0.2}
        return curves.with_legend({"data": [*bars, total], "layout": layout})

    def caption(self, now: int) -> str:
        """Write what has flipped, the energy with its numbers, and the picked cell."""
        step, paper = self.steps[now], self.paper
        x, wrong = step.image, paper.wrong_said(step.image)
        if now == 0:
            said = f"The observed picture: {wrong}."
            said += " No flip of a cell lowers the energy." if step.event else ""
            rule = f"{paper.sum_of_energy(x)}."
        elif self.unit == "sweep":
            said = f"Sweep {now}: {counted(step.in_step, 'cell')} flipped; {wrong}."
            rule = f"Every flip lowers the energy: {self._change(now)}."
        else:
            at = self.at(now)
            colour = COLOURS[int(x[at])]
            said = self._flipped(x, at)
            pull = float(self.field.fields(x)[at]) * int(x[at])  # the cell's part of −E now
            rule = (
                f"Framed, row {at[0] + 1}, column {at[1] + 1}: the pull to {colour} is "
                f"{paper.pull(x, at, int(x[at]))}. The flip lowers its energy from "
                f"{number(pull)} to {number(-pull)}."
            )
        if step.event == "converged" and now:
            first = paper.wrong(self.steps[0].image)
            rule = f"{said} Energy: {self._change(now)}."
            if self.field.coupling:
                rule += " Several flips at once may lower it."
            said = (
                f"No flip lowers the energy any more: of {counted(first, 'wrong cell')}, "
                f"{paper.wrong(x)} are left."
                if paper.wrong(x) <= first
                else f"No flip lowers the energy any more: {wrong}."
            )
        other = ", not the framed cell" if self.unit == "flip" and step.cell is not None else ""
        return f"{said}\n{rule}\nPicked (ring{other}): {paper.said(x, paper.picked)}."

    def _flipped(self, x: ndarray, at: tuple[int, int]) -> str:
        """Write what the flip of a cell has mended or spoiled, and who wanted it."""
        observed, right = x[at] == self.field.observed[at], x[at] == self.paper.original[at]
        near, wrong = neighbours(at, x.shape), self.paper.wrong(x)
        alike = sum(x[*cell] == x[at] for cell in near)
        who = f"{alike} of {counted(len(near), 'neighbour')}"
        if observed:
            what = "A wrong flip is undone" if right else "The noise is back"
            colour = COLOURS[int(x[at])]
            verb = "is" if alike == 1 else "are"
            why = f"{who} {verb} {colour} now, and {colour} was observed"
        else:
            what = "Noise is undone" if right else "A right cell goes wrong"
            why = f"{who} {'outvotes' if alike == 1 else 'outvote'} what was observed"
        count = counted(wrong, "wrong cell") if wrong else "No wrong cell"
        return f"{what}: {why}. {count} {'left' if right else 'now'}."

    def _change(self, now: int) -> str:
        before, after = self.steps[now - 1].energy, self.steps[now].energy
        return f"{number(before, 4)} − {number(before - after)} = {number(after, 4)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether a cell flips when its turn comes, and why."""
        step = self.steps[now]
        if step.event == "converged":
            return None
        x, next_one = step.image, next_cell(self.field, step)
        at = self.paper.cell(next_one)
        if rng.random() < 0.5:
            at = self._tempting(step, next_one, rng) or at
        f, y = float(self.field.fields(x)[at]), int(self.field.observed[at])
        neighbourly = int(neighbour_sums(x)[at])
        flips = at == self.paper.cell(next_one)
        ways = {
            True: [
                "It flips: its neighbours outweigh what was observed",
                "It flips: what was observed outweighs its neighbours",
            ],
            False: [
                "It stays: what was observed outweighs its neighbours",
                "It stays: its neighbours outweigh what was observed",
            ],
        }
        stronger = neighbourly * f > 0  # the field has the sign of the neighbours
        right = ways[flips][int(stronger != flips)]
        if neighbourly * y >= 0 or f == 0:
            return None
        others = [Option(text) for text in (*ways[not flips], *ways[flips]) if text != right]
        said = self.paper.said(x, at)
        text = (
            f"The visit comes to the cell under the “?”: {said}. With "
            f"h = {number(self.field.data_weight)} and β = {number(self.field.coupling)}, does the "
            "cell flip?"
        )
        change = enclosed(2 * int(x[at]) * f)
        reason = f"{self.paper.sum_of_field(x, at)}. A flip changes the energy by 2 x f = {change}."
        return question(text, Option(right), others, reason, self.paper.place(at))

    def _tempting(self, step: FlipStep, until: int, rng: Generator) -> tuple[int, int] | None:
        """Return a cell that is visited before the next flip, and pulled both ways."""
        size = step.image.size
        count = (until - step.position) % size
        pulled = neighbour_sums(step.image) * self.field.observed < 0
        offsets = rng.permutation(count)
        visited = (self.paper.cell(int(step.position + each) % size) for each in offsets)
        return next((cell for cell in visited if pulled[cell]), None)
