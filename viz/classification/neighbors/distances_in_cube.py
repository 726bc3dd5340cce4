"""Distances in cubes of more and more dimensions."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.classification.neighbors.distances_in_cube import EDGES, FEW, DistancesStep
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number

_NAMED = 2 * len(EDGES) // 3  # where the first histogram has its name
_NO_NAME = "\u00a0"  # Plotly forgets the place of an empty text


class DistancesInCube(Show[DistancesStep]):
    """The histogram of the distances, and how the near and the far ones become alike."""

    note = (
        "The points are drawn evenly from a cube with sides of length 1; those on the board are "
        "not used. Each step adds columns to the same points."
    )

    opens = 5  # enough columns for the far points to be nearly as near as the near ones

    def __init__(self, run: Run, n: int) -> None:
        """Choose the height of the histogram. n : the number of points."""
        super().__init__(run)
        self.n, self.ds = n, [step.d for step in self.steps]
        self.top = 110 * max(float(step.heights.max()) for step in self.steps)  # of the axis, in %
        few = counted(self.ds[0], "feature")
        self.first = {
            "type": "scatter",
            "name": f"with {few}",
            "mode": "lines+text",
            "text": [f"with {few}" if edge == EDGES[_NAMED] else _NO_NAME for edge in EDGES],
            "textposition": "top right",
            "textfont": {"shadow": "auto"},
            "x": EDGES.tolist(),
            "y": (100 * np.append(self.steps[0].heights, 0)).tolist(),
            "line": {"width": 2, "shape": "hv", "dash": "dot", "color": GREY},
            "hoverinfo": "skip",
        }

    def views(self) -> list[View]:
        """Return the histogram, the ratio of far to near, and the shape of the cube."""
        return [
            View("Distances of all pairs", self.histogram),
            View("Farthest / nearest, from one query", self.ratios, ahead="by step", at=self.ds),
            View("Corners and neighbourhoods", self.cube, ahead="by step", at=self.ds),
        ]

    def histogram(self, now: int) -> Figure:
        """Draw the share of the pairs by their distance, divided by the mean distance.

        The two dashed lines are the nearest and the farthest point of the query, the dotted one is
        the histogram of the first step.
        """
        step, top = self.steps[now], self.top
        ends = [step.nearest / step.mean, step.farthest / step.mean]
        middles = (EDGES[:-1] + EDGES[1:]) / 2
        bars = {
            "type": "bar",
            "name": "share of all pairs",
            "x": middles.tolist(),
            "y": (100 * step.heights).tolist(),
            "width": float(EDGES[1]),
            "marker": {"color": GREY, "line": {"width": 0}},
            "hovertemplate": "about %{x:.3g} of the mean: %{y:.3g} %<extra></extra>",
        }
        lines = {
            "type": "scatter",
            "name": "nearest and farthest point of one query",
            "mode": "lines",
            "x": [ends[0], ends[0], None, ends[1], ends[1]],
            "y": [0, 0.9 * top, None, 0, 0.9 * top],
            "line": {"width": 3, "dash": "dash"},
            "hoverinfo": "skip",
        }
        names = {
            "type": "scatter",
            "mode": "text",
            "x": ends,
            "y": [0.95 * top, 0.95 * top],
            "text": ["nearest to a query", "farthest from it"],
            "textposition": ["middle left" if ends[0] > 0.5 else "middle right", "middle right"],
            "hoverinfo": "skip",
        }
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "distance / mean distance", "standoff": 6},
                "range": [0, float(EDGES[-1])],
            },
            yaxis={"title": {"text": "% of the pairs"}, "range": [0, top]},
        )
        layout |= {"bargap": 0, "margin": {"l": 64, "r": 14, "t": 14, "b": 46}}
        return {"data": [bars, lines, names, self.first], "layout": layout}

    def ratios(self, now: int) -> Figure:
        """Draw the ratio farthest / nearest against d."""
        ds, ratio = self.ds, [step.ratio for step in self.steps]
        traces = [
            curves.against("farthest / nearest", ds, ratio, setting="d"),
            curves.marked(ds[now], ratio[now]),
        ]
        high = float(np.log10(max(ratio)))
        return {
            "data": traces,
            "layout": _against_d(
                ds,
                yaxis={
                    "title": {"text": "ratio"},
                    "type": "log",
                    "range": [-0.06 * high, 1.08 * high],
                    "tickvals": [1, 10, 100, 1000, 10_000],
                },
            ),
        }

    def cube(self, now: int) -> Figure:
        """Draw the share of the cube inside its ball, and the side of a cube with 1 % of it."""
        ds, steps = self.ds, self.steps
        ball, side = [100 * step.ball for step in steps], [100 * step.side for step in steps]
        dashed = {"line": {"dash": "dash"}, "marker": {"symbol": 2}}
        traces = [
            curves.against("ball in the cube", ds, ball, setting="d"),
            curves.against(
                "side of a cube with 1 % of the points", ds, side, setting="d", **dashed
            ),
            curves.marked(ds[now], ball[now], showlegend=False),
            curves.marked(ds[now], side[now], showlegend=False),
        ]
        layout = _against_d(ds, yaxis={"title": {"text": "%"}, "range": [-5, 108], "nticks": 5})
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write how much farther the farthest point is than the nearest, and why."""
        step = self.steps[now]
        spread = 100 * step.spread / step.mean
        return (
            f"With {counted(step.d, 'feature')} the farthest of {self.n} points is "
            f"{number(step.ratio)} times as far from a query as the nearest.\n"
            f"The farthest is {number(step.farthest)} away, the nearest {number(step.nearest)}. "
            f"All pairs are {number(step.mean)} ± {number(step.spread)} apart: the spread is "
            f"{number(spread)} % of the mean.\n"
            f"The round ball that touches the cube's faces holds {_percent(step.ball)} of it; a "
            f"cube that holds 1 % of the points has sides of {number(step.side)}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how more columns change near and far distances, or the size of a neighbourhood."""
        before, after = self.steps[now], self.steps[now + 1]
        if rng.random() < 0.5:
            return _neighbourhood(before, after)
        ends = [number(step.ratio) for step in (before, after)]
        reason = (
            f"With {counted(before.d, 'feature')} the farthest point is {ends[0]} times as far as "
            f"the nearest, with {after.d} {ends[1]} times."
        )
        text = (
            f"The cube goes from {counted(before.d, 'feature')} to {after.d}. What does farthest / "
            "nearest, seen from the query, do?"
        )
        return rises_or_falls(text, before.ratio, after.ratio, reason)


def _neighbourhood(before: DistancesStep, after: DistancesStep) -> Question | None:
    """Ask for the side of a small cube; its d-th power is the share of the points."""
    sides = [after.side, before.side, FEW, after.side / 2]
    options = [Option(number(side)) for side in sides]
    reason = (
        f"Its volume has to be {FEW}. The volume is the side to the power of {after.d}, so the "
        f"side is {number(after.side)}."
    )
    text = (
        f"A cube in {after.d} dimensions has sides of length 1. How long are the sides of a "
        f"smaller cube that holds {number(100 * FEW)} % of its points?"
    )
    return question(text, options[0], options[1:], reason)


def _against_d(ds: Sequence[int], yaxis: dict) -> dict:
    axis = {
        "title": {"text": "features d", "standoff": 2},
        "type": "log",
        "range": [-0.08, float(np.log10(ds[-1])) + 0.08],
        "tickvals": list(ds),
        "ticktext": [str(d) for d in ds],
    }
    return curves.panel_layout(xaxis=axis, yaxis=yaxis)


def _percent(share: float) -> str:
    return f"{number(100 * share)} %" if share >= 1e-5 else "less than 0.001 %"
