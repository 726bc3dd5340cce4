"""Pictures drawn one after the other, and the share of time in which a cell was black."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.markov_random_field.gibbs_sampling import SweepStep, chequerboard
from algorithms.graphs.markov_random_field.picture import Field
from viz.core import curves, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import decimal, equals, number
from viz.graphs.markov_random_field.marks import LAYERS, Paper

_APART = 0.02  # between two answers


class Draws(Show[SweepStep]):
    """Gibbs sampling, a sweep a step."""

    unit = "sweep"
    opens = 20

    def __init__(
        self, run: Run, data: Plane, original: ndarray, field: Field, query: ndarray,
        temperature: float, exact: ndarray | None,
    ) -> None:  # fmt: skip
        """Count wrong cells. exact : the probability of black, of every cell of narrow pictures."""
        super().__init__(run, data)
        self.field, self.T, self.exact = field, temperature, exact
        self.paper = Paper(data, original, field, query)
        self.majority = [np.where(step.share > 0.5, 1, -1) for step in self.steps]
        series: dict[str, Sequence[float]] = {
            "energy E": [step.energy for step in self.steps],
            "wrong cells": [self.paper.wrong(x) for x in self.majority],
        }
        self.timeline = curves.timeline(series, along=self.unit)
        self.note = (
            "Cells near a point are black, all others white; then noise flips some of them. The "
            "classes of the points play no part. A sweep draws all cells of one colour of a "
            "chequerboard at once, then the others. Wrong cells are counted in the majority: black "
            "where a cell was black in more than half of the sweeps."
        )

    def views(self) -> list[View]:
        """Return the drawn picture, the shares, the energy, and the exact shares if known."""
        views = [
            View("The picture of this sweep", self.picture, layers=LAYERS),
            View("Share of sweeps in which a cell was black", self.shares, board=False),
            View(
                "Energy, and wrong cells of the majority", self.timeline,
                ahead="by step", board=False,
            ),
        ]  # fmt: skip
        if self.exact is not None:
            title = "Share so far against the exact probability"
            views.append(View(title, self.against, board=False))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the picture of this sweep, with frames around the picked cell's neighbours."""
        return self.paper.picture(self.steps[now].image, self.paper.picked)

    def shares(self, now: int) -> Figure:
        """Draw the share of sweeps in which a cell was black."""
        return self.paper.shares(self.steps[now].share)

    def against(self, now: int) -> Figure:
        """Draw every cell's share against its exact probability, with the diagonal."""
        assert self.exact is not None
        both = np.column_stack([self.exact.ravel(), self.steps[now].share.ravel()])
        marker = {"size": 7, "opacity": 0.6}
        ends, look = np.array([[0.0, 0.0], [1.0, 1.0]]), {"width": 1.5, "color": GREY}
        cells = plane.line(both, mode="markers", marker=marker, name="cell", showlegend=True)
        layout = curves.panel_layout(
            xaxis={"title": {"text": "exact", "standoff": 4}, "range": [-0.05, 1.05]},
            yaxis={"title": {"text": "share so far"}, "range": [-0.05, 1.05]},
        )
        same = plane.line(ends, line=look, name="equal", showlegend=True)
        return curves.with_legend({"data": [same, cells], "layout": layout})

    def caption(self, now: int) -> str:
        """Write how the picture is drawn, the rule at the picked cell, and its share of black."""
        step, paper = self.steps[now], self.paper
        at, x = paper.picked, step.image
        if now == 0:
            said = f"The observed picture: {paper.wrong_said(x)}."
        else:
            said = (
                f"Sweep {now}: {paper.wrong(x)} of {x.size} cells are wrong in this picture, "
                f"{paper.wrong(self.majority[now])} in the majority of all sweeps."
            )
        rule = (
            "A sweep draws each cell again. The more observation and neighbours pull it to black "
            "(f), the more probable is black: 1 / (1 + exp(−2 f / T))."
        )
        p = float(self.field.black_probability(x, self.T)[at])
        where = f"Picked: row {at[0] + 1}, column {at[1] + 1}, f = {paper.pull(x, at, 1)}"
        share = f" So far black in {step.black[at]} of {now} sweeps." if now else ""
        exact = ""
        if self.exact is not None:
            exact = f" Exactly, black has {decimal(float(self.exact[at]))}."
        return f"{said}\n{rule}\n{where}: black next with probability {decimal(p)}.{share}{exact}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the probability of black of a cell that is drawn first in the next sweep."""
        x = self.steps[now].image
        first = np.argwhere(chequerboard(x.shape) == 0)
        row, column = first[int(rng.integers(len(first)))].tolist()
        at = (row, column)
        p = float(self.field.black_probability(x, self.T)[at])
        f, data = (
            float(each)
            for each in (self.field.fields(x)[at], self.field.data_weight * self.field.observed[at])
        )
        tempting = (1 / (1 + np.exp(-2 * each / self.T)) for each in (-f, data, f - data, f / 2, 0))
        others: list[float] = []
        for each in map(float, tempting):
            if all(abs(each - other) > _APART for other in (p, *others)):
                others.append(each)
        text = (
            f"In the next sweep, the cell under the “?” is drawn first: {self.paper.said(x, at)}. "
            f"With h = {number(self.field.data_weight)}, β = {number(self.field.coupling)} and "
            f"T = {number(self.T)}, how probable is black?"
        )
        reason = (
            f"{self.paper.sum_of_field(x, at)}, and 1 / (1 + exp(−2 f / T)) {equals(p)} "
            f"{decimal(p)}. Its neighbours are drawn after it, so they are as you see them."
        )
        options = [Option(decimal(each)) for each in others]
        return question(text, Option(decimal(p)), options, reason, self.paper.place(at))
