"""Pictures and words for distances in cubes of more and more dimensions."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.neighbors.distances_in_cube import EDGES, DistancesStep
from viz.classification.neighbors import neighbors_questions
from viz.core import curves
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import NOW, PALETTE
from viz.core.words import counted, number

NOTE = (
    "The points are drawn evenly from a cube with sides of length 1; those on the board are not "
    "used. Each step adds columns to the same points."
)


def concentration(run: Run, n: int) -> Scene:
    """Show the histogram of the distances, and what becomes of near and far. n : of points."""
    steps: Sequence[DistancesStep] = run.steps
    top = 110 * max(float(step.heights.max()) for step in steps)
    views = [
        View(
            "Distances of all pairs; dashed: from one query", lambda now: histogram(steps[now], top)
        ),
        View("Farthest / nearest, from one query", lambda now: ratios(steps, now), ahead=True),
        View("Corners and neighbourhoods", lambda now: cube(steps, now), ahead=True),
    ]
    return Scene(
        views,
        lambda now: caption(steps[now], n),
        NOTE,
        ask=neighbors_questions.ask_dimensions(steps),
    )


def histogram(step: DistancesStep, top: float) -> Figure:
    """Draw the shares of the pairs by their distance, in parts of the mean distance.

    The two lines are the nearest and the farthest point of the query. top : of the axis, in %.
    """
    ends = [step.nearest / step.mean, step.farthest / step.mean]
    bars = {
        "type": "bar",
        "x": ((EDGES[:-1] + EDGES[1:]) / 2).tolist(),
        "y": (100 * step.heights).tolist(),
        "width": float(EDGES[1]),
        "marker": {"color": PALETTE[0], "line": {"width": 0}},
        "hovertemplate": "about %{x:.3g} of the mean: %{y:.3g} %<extra></extra>",
    }
    lines = {
        "type": "scatter",
        "mode": "lines",
        "x": [ends[0], ends[0], None, ends[1], ends[1]],
        "y": [0, 0.9 * top, None, 0, 0.9 * top],
        "line": {"color": NOW, "width": 3, "dash": "dash"},
        "hoverinfo": "skip",
    }
    names = {
        "type": "scatter",
        "mode": "text",
        "x": ends,
        "y": [0.97 * top, 0.93 * top],
        "text": ["nearest", "farthest"],
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
    return {"data": [bars, lines, names], "layout": layout}


def ratios(steps: Sequence[DistancesStep], now: int) -> Figure:
    """Draw how many times as far as the nearest point the farthest one is, against d."""
    ds, ratio = [step.d for step in steps], [step.ratio for step in steps]
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


def cube(steps: Sequence[DistancesStep], now: int) -> Figure:
    """Draw the share of the cube in its round ball, and the side of a cube with 1 % of it."""
    ds = [step.d for step in steps]
    ball, side = [100 * step.ball for step in steps], [100 * step.side for step in steps]
    green = {"line": {"color": PALETTE[2], "dash": "dash"}, "marker": {"symbol": 2}}
    traces = [
        curves.against("% of the cube in its ball", ds, ball, setting="d"),
        curves.against("% of the side for 1 %", ds, side, setting="d", **green),
        curves.marked(ds[now], ball[now], showlegend=False),
        curves.marked(ds[now], side[now], showlegend=False),
    ]
    layout = _against_d(ds, yaxis={"title": {"text": "%"}, "range": [-5, 108], "nticks": 5})
    return curves.with_legend({"data": traces, "layout": layout})


def _against_d(ds: Sequence[int], yaxis: dict) -> dict:
    axis = {
        "title": {"text": "features d", "standoff": 2},
        "type": "log",
        "range": [-0.08, float(np.log10(ds[-1])) + 0.08],
        "tickvals": list(ds),
        "ticktext": [str(d) for d in ds],
    }
    layout = curves.panel_layout(xaxis=axis, yaxis=yaxis)
    layout["margin"] = {**layout["margin"], "b": 40}
    return layout


def caption(step: DistancesStep, n: int) -> str:
    """Say how much farther the farthest point is than the nearest, and what that comes from."""
    spread = 100 * step.spread / step.mean
    ratio = f"{number(step.farthest)}/{number(step.nearest)} = {number(step.ratio)}"
    return (
        f"With {counted(step.d, 'feature')} the farthest of {n} points is {number(step.ratio)} "
        "times as far from a query as the nearest.\n"
        f"Farthest/nearest = {ratio}. All pairs: {number(step.mean)} ± "
        f"{number(step.spread)}, a spread of {number(spread)} % of the mean.\n"
        f"The round ball that touches the cube's faces holds {_percent(step.ball)} of it; a cube "
        f"that holds 1 % of the points has sides of {number(step.side)}."
    )


def _percent(share: float) -> str:
    return f"{number(100 * share)} %" if share >= 1e-5 else "less than 0.001 %"
