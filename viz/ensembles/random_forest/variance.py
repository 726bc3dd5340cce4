"""The variance of the vote against the number of trees: measured, and by the formula."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from algorithms.ensembles.vote_variance import VoteVariance
from viz.core import curves, panels, plane
from viz.core.scene import Figure, View
from viz.core.theme import GREY
from viz.core.words import number


def views(found: Sequence[VoteVariance] | None, tried: int, trees: int) -> list[View]:
    """Return the view of the variances, if there are any to show."""
    if found is None:
        return []
    title = "Variance of the vote, and ρσ² + (1 − ρ)σ²/b"
    return [View(title, partial(against_trees, found, tried, trees))]


def against_trees(found: Sequence[VoteVariance], tried: int, trees: int, now: int) -> Figure:
    """Draw the variances for every number of features tried, and mark this forest at this step."""
    most = max(trees, len(found[0].measured))
    traces = [
        trace
        for M, each in enumerate(found, start=1)
        for trace in _curves(each, M, most, {} if tried == M else {"color": GREY})
    ]
    here = float(found[tried - 1].of(np.array([now + 1.0]))[0])
    traces.append(curves.marked(now + 1, here, showlegend=False))
    top = max(max(float(each.measured.max()), each.variance) for each in found)
    x, y = panels.axis("trees b", 1, most), panels.axis("variance of a share", 0, top)
    figure = panels.alone(panels.Panel(traces, x, y))
    legend = {"orientation": "v", "x": 1, "xanchor": "right", "y": 1, "yanchor": "top"}
    figure["layout"] |= {"showlegend": True, "legend": legend}
    return figure


def _curves(found: VoteVariance, M: int, most: int, look: dict) -> list[dict]:
    """Draw the measured variances, the formula, and what it leaves of many trees, dotted: ρσ²."""
    b, t = np.unique(np.geomspace(1, most, 60).round()), len(found.measured)
    name = f"{M} tried: ρ = {number(found.correlation, 2)}, σ² = {number(found.variance, 2)}"
    dots = {"mode": "markers", "marker": {"size": 6} | look}
    return [
        plane.line(np.column_stack([np.arange(1, t + 1), found.measured]), **dots)
        | {"name": f"measured, {M} tried", "showlegend": False},
        plane.line(np.column_stack([b, found.of(b)]), line={"width": 2.5} | look)
        | {"name": name, "showlegend": True},
        plane.line(
            np.array([[0, found.common], [2 * most, found.common]]),
            line={"width": 1.5, "dash": "dot"} | look,
        )
        | {"name": f"ρσ², {M} tried", "showlegend": False},
    ]


def said(found: Sequence[VoteVariance] | None, tried: int, b: int) -> str:
    """Write the variance of the vote of b trees by the formula, with its numbers; "" if unknown."""
    if found is None:
        return ""
    each = found[tried - 1]
    value = number(float(each.of(np.array([float(b)]))[0]), 2)
    return (
        f"Variance of the vote: ρσ² + (1 − ρ)σ²/b = {number(each.common, 3)} + "
        f"{number(each.own, 3)}/{b} = {value}. One tree: σ² = {number(each.variance, 4)}; "
        f"correlation of two: ρ = {number(each.correlation, 4)}. More trees lower only the second "
        "term."
    )


def note(found: Sequence[VoteVariance] | None) -> str:
    """Write what the variance is over."""
    if found is None:
        return ""
    return (
        " The variance of the vote is over forests on halves of the learning points, averaged over "
        "places all over the picture and over classes. “1 tried”: 1 feature is tried at a split. A "
        "dot is measured on the first b trees; the line is the formula with the ρ and σ² of all "
        "trees. Dotted: ρσ², which more trees do not lower."
    )
