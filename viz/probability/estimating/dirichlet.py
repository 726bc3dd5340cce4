"""Three sides: the posterior as a hill over a triangle, roll by roll."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.dirichlet import DirichletStep
from viz.core import curves, naming, plane
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Layer, Run, View
from viz.core.show import Show
from viz.core.theme import DASHES, GREY, PALETTE, rgb
from viz.core.triangle import CORNERS, shares_at
from viz.core.words import counted, listed, number

BOX: Bounds = (-0.1, 1.1, -0.1, 0.98)
SIDES = ("1", "2", "3")
_SIZE = 80  # cells of the picture along an axis
_LEVELS = 32
_HILL = PALETTE[6]  # no colour of a side
_FILL = np.tile(np.array(rgb(_HILL), np.uint8), (_LEVELS, 1))
_OPACITY = np.linspace(0, 200, _LEVELS).astype(np.uint8)
_APART = 0.003  # between two answers
_MODE = "mode: MAP"
_NEAR, _AROUND = 0.025, 0.045  # from a mark to its name, and from the ring around the truth
_SIDES = {"middle right": (1, 0), "middle left": (-1, 0), "top center": (0, 1),
          "bottom center": (0, -1)}  # fmt: skip
_NAMES = np.array([[-0.06, -0.06], [1.06, -0.06], [0.5, 0.93]])


class Dirichlet(Show[DirichletStep]):
    """What the rolls say about the three sides."""

    unit = "roll"
    opens = 10

    note = "A place near a corner gives its side a large probability; the centre gives all ⅓."

    def __init__(self, run: Run, truth: ndarray) -> None:
        """Find the cells in the triangle. truth : the probabilities of the sides."""
        super().__init__(run)
        self.truth, self.prior = truth, self.steps[0].mean
        theta = shares_at(plane.grid(BOX, _SIZE)[2])
        self.inside = (theta > 0).all(axis=1)
        self.theta = theta[self.inside]
        x = np.arange(len(self.steps))
        means = np.array([step.mean for step in self.steps])
        self.range = [float(means.min()) - 0.05, float(means.max()) + 0.05]
        self.lines = [
            plane.line(
                np.column_stack([x, means[:, k]]), name=f"mean of {side}", showlegend=True,
                line={"width": 2.5, "color": PALETTE[k], "dash": DASHES[k]},
            )
            for k, side in enumerate(SIDES)
        ]  # fmt: skip

    def views(self) -> list[View]:
        """Return the triangle and the means against the rolls."""
        return [
            View(
                "The posterior over all dice with three sides",
                self.picture,
                board=False,
                layers=[Layer("mode", (_MODE,))],
            ),
            View("Mean of each side, roll by roll", self.by_rolls, ahead="by step", board=False),
            View("Rolls of each side: the faint part is the prior", self.counts, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the density, with its highest place strongest, and the estimates."""
        step = self.steps[now]
        density = step.log_density(self.theta)
        cells = np.zeros(_SIZE * _SIZE, np.uint8)
        cells[self.inside] = np.rint((_LEVELS - 1) * np.exp(density - density.max()))
        marks = [
            (self.prior, 100, 9, GREY, "mean of the prior"),
            (step.most_likely, 100, 19, GREY, "share of the rolls: maximum likelihood"),
            (step.mode, 102, 13, _HILL, _MODE),
            (step.mean, 101, 11, None, "mean"),
            (self.truth, 0, 8, GREY, "the true die"),
        ]
        share = self.prior if step.most_likely is None else step.most_likely
        way = {"line": {"width": 1.5, "dash": "dot", "color": GREY}}
        traces = [
            plane.image(cells.reshape(_SIZE, _SIZE), _FILL, _OPACITY, BOX)
            | {"name": "posterior, strong where it is high"},
            plane.line(CORNERS[[0, 1, 2, 0]], line={"width": 2}, name="all dice"),
            plane.line(np.stack([self.prior, share]) @ CORNERS, **way, name="from prior to rolls"),
        ]
        for at, symbol, size, ink, name in marks:
            place = plane.GAP if at is None else at[None] @ CORNERS
            marker = {"symbol": symbol, "size": size, "line": {"width": 2.5}}
            marker |= {"color": ink} if ink else {}  # without a colour it is ink
            traces.append(plane.line(place, mode="markers", marker=marker, name=name))
        font = {"size": 16, "weight": 700, "color": list(PALETTE[: len(SIDES)])}
        traces.append(texts(_NAMES, [f"side {side}" for side in SIDES], textfont=font))
        traces += self._names(step)
        figure = plane.figure(traces, BOX, ("", ""))
        for axis in ("xaxis", "yaxis"):
            figure["layout"][axis] |= {"visible": False}
        figure["layout"]["yaxis"]["scaleanchor"] = "x"  # its sides are equally long
        figure["layout"]["margin"] = {"l": 6, "r": 6, "t": 6, "b": 6}
        return figure

    def _names(self, step: DirichletStep) -> list[dict]:
        """Write what the marks are, each where it covers least."""
        rolled = step.most_likely is not None
        share = step.most_likely if rolled else step.mean
        named = [
            ("truth", self.truth, _AROUND), ("mean", step.mean, _NEAR),
            ("rolls alone" * rolled, share, _NEAR), ("prior" * rolled, self.prior, _NEAR),
        ]  # fmt: skip
        places = np.array([at @ CORNERS for _, at, _ in named])
        taken = [naming.along(CORNERS[[0, 1, 2, 0]]), places, naming.along(places[2:])]
        names = [
            naming.Name(
                word, [(at + room * np.array(way), side) for side, way in _SIDES.items()],
                {"size": 15},
            )
            for (word, _, room), at in zip(named, places, strict=True)
        ]  # fmt: skip
        return naming.clear_names(names, BOX, np.concatenate(taken))

    def by_rolls(self, now: int) -> Figure:
        """Draw the mean of every side against the number of rolls."""
        most = len(self.steps) - 1
        marks = [
            curves.marked(
                now, float(mean), name="now", showlegend=False, marker=curves.DOT | {"color": ink}
            )
            for mean, ink in zip(self.steps[now].mean, PALETTE, strict=False)
        ]
        layout = curves.panel_layout(
            xaxis={"title": {"text": "rolls", "standoff": 4}, "range": [-0.03 * most, 1.03 * most]},
            yaxis={"title": {"text": "mean"}, "range": self.range, "nticks": 5},
        )
        return curves.with_legend({"data": [*self.lines, *marks], "layout": layout})

    def counts(self, now: int) -> Figure:
        """Draw the prior and the rolls of every side as stacked bars."""
        step, first = self.steps[now], self.steps[0]
        parts = [(first.a, 0.35, "in the prior"), (step.counts, 1.0, "rolls")]
        bars = [
            {
                "type": "bar", "name": name, "x": [f"side {side}" for side in SIDES],
                "y": heights.tolist(), "opacity": opacity,
                "marker": {"color": PALETTE[: len(SIDES)]},
                "hovertemplate": "%{y}<extra></extra>",
            }
            for heights, opacity, name in parts
        ]  # fmt: skip
        top = 1.05 * float(self.steps[-1].a.max())
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={"title": {"text": "count"}, "range": [0, top], "nticks": 5},
        )
        return {"data": bars, "layout": layout | {"barmode": "stack"}}

    def caption(self, now: int) -> str:
        """Write the roll and the means, then the three estimates of its side."""
        step = self.steps[now]
        means = listed(
            [f"{number(p)} for {side}" for p, side in zip(step.mean, SIDES, strict=True)]
        )
        if now == 0:
            a = " + ".join(number(each) for each in step.a)
            return (
                f"Before the first roll, the means are {means}.\nA mean is aₖ / A, with A = {a}.\n"
                f"{self._true()}"
            )
        k = int((step.counts - self.steps[now - 1].counts).argmax())
        said = f"Roll {now} shows side {SIDES[k]}: the hill moves towards its corner."
        if now == len(self.steps) - 1:
            said = f"After {counted(now, 'roll')}, the means are {means}."
        a, n = self.steps[0].a, step.counts
        return (
            f"{said}\nFor side {SIDES[k]}, the rolls alone say {n[k]}/{step.rolls} = "
            f"{number(n[k] / step.rolls)}. With the prior, the mean □ is ({number(a[k])} + "
            f"{n[k]}) / ({number(a.sum())} + {step.rolls}) = {number(step.mean[k])}.\n"
            f"{self._true()}"
        )

    def _true(self) -> str:
        """Write where the true die is."""
        shares = [f"{number(p)} for {side}" for p, side in zip(self.truth, SIDES, strict=True)]
        return f"At the cross hair: the true die has {listed(shares)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the mean of the side that comes up next."""
        step, after = self.steps[now], self.steps[now + 1]
        k = int((after.counts - step.counts).argmax())
        right = float(after.mean[k])
        values = (after.counts[k] / after.rolls, step.mean[k], step.mean[k] + 1 / after.rolls, 1.0)
        others = [Option(number(v)) for v in values if abs(v - right) > _APART and 0 <= v <= 1]
        text = (
            f"With the prior, side {SIDES[k]} has the count {number(step.a[k])} of "
            f"{number(step.a.sum())}. It comes up next. What is its mean then?"
        )
        reason = f"{number(after.a[k])} / {number(after.a.sum())} = {number(right)}."
        return question(text, Option(number(right)), others, reason)
