"""Pictures for gradient boosting on two features: the surface, and each tree's leaves."""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.box_tree import Shape
from algorithms.ensembles.step_tree import StepFunction
from viz.core import curves, panels, plane
from viz.core.scene import Bounds, Figure
from viz.core.surface import bands
from viz.ensembles.gradient_boosting import Boosted, beside_tree

_CELLS = 150  # along each axis
_ABOVE, _BELOW = 3, 4  # groups whose symbols have their tip up and down
_SMALLEST, _LARGEST = 0.3, 2.2  # diameters of points
_UNLEARNED = 0.45  # opacity of the points held out
_NUMBERED = 8  # leaves: more of them have no numbers


def picture(shown: Boosted, now: int) -> Figure:
    """Draw the sum as a surface, the cuts of this round's tree, and residuals as points."""
    data, step = shown.data, shown.steps[now]
    x, y, _ = plane.grid(data.bounds, _CELLS)
    shape = step.tree.trees[0].shape
    parts = step.tree.parts()
    low, high = np.maximum(parts.low, data.bounds[::2]), np.minimum(parts.high, data.bounds[1::2])
    traces = [
        bands(x, y, step.total.surface(x, y), shown.levels)[0],
        plane.line(_cuts(shape, data.bounds), line={"width": 2.5, "dash": "dash"}),
        _numbers((low + high) / 2, len(shape.leaves)),
    ]
    return plane.figure(traces, data.bounds, data.names, points=_by_residual(shown, now))


def _by_residual(shown: Boosted, now: int) -> dict:
    """Give the points: the tip tells the side of the residual, the area its size."""
    r = shown.steps[now].residuals
    least, most = shown.farthest
    size = _LARGEST * np.sqrt(np.abs(r) / (max(most, -least) or 1.0))
    return plane.points(
        shown.data.X,
        np.where(r >= 0, _ABOVE, _BELOW),
        size=size.clip(_SMALLEST, _LARGEST),
        strength=np.where(shown.held, _UNLEARNED, 1.0),
    )


def _cuts(shape: Shape, box: Bounds) -> ndarray:
    """Give the cuts as (m, 2) lines, each as long as the part that it cuts."""
    low, high = shape.boxes()
    low, high = np.maximum(low, box[::2]), np.minimum(high, box[1::2])
    lines = []
    for node, feature in enumerate(shape.feature):
        if feature < 0:
            continue
        ends = np.array([low[node], high[node]])
        ends[:, feature] = shape.threshold[node]
        lines.append(ends)
    return plane.joined(lines)


def _numbers(places: ndarray, leaves: int) -> dict:
    """Number the leaves, unless there are too many of them."""
    shown = leaves <= _NUMBERED
    return plane.line(
        places[: leaves * shown],
        mode="text",
        text=[f"<b>{i + 1}</b>" for i in range(leaves * shown)],
        textfont={"size": 16},
    )


def leaf_by_leaf(shown: Boosted, now: int) -> Figure:
    """Draw the residuals beside the tree, every leaf as wide as any other.

    Within a leaf the points stand in the order of x.
    """
    tree, rows = shown.steps[now].tree, shown.shown
    parts, X = tree.parts(), shown.data.X[rows]
    leaves = len(parts.values)
    place = np.empty(len(rows))
    for i, members in enumerate(parts.holding(X)):
        (found,) = np.nonzero(members)
        order = np.arange(1, len(found) + 1) / (len(found) + 1)
        place[found[X[found, 0].argsort()]] = (i + order) / leaves
    flat = StepFunction(np.arange(1, leaves) / leaves, parts.values)
    across = {"title": {"text": "leaf", "standoff": 4}, "range": [0, 1], "showticklabels": False}
    panel = beside_tree(shown, now, place, flat, across)
    top = panel.y["range"][1]
    panel.traces.append(
        _numbers(
            np.column_stack([(np.arange(leaves) + 0.5) / leaves, np.full(leaves, top)]), leaves
        )
        | {"textposition": "bottom center"}
    )
    return curves.with_legend(panels.alone(panel))
