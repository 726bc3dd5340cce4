"""Pictures for decision trees: growing and pruning. (The words are in tree_words.py.)"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import Split, impurity, impurity_curve
from algorithms.classification.trees.tree import Tree
from viz.classification.trees import tree_diagram
from viz.classification.trees.tree_diagram import GREY
from viz.classification.trees.tree_words import Places, Plane, caption, prune_caption, rules
from viz.core import curves, plane
from viz.core.words import number

_CELLS = 200  # along each axis of the regions; the lines on top are exact
_MOST_CUTS = 32  # of an impurity curve
_TOGETHER = 8  # cuts that share a trace


Steps = Sequence[DecisionTreeStep] | Sequence[PruneStep]
Views = tuple[dict[str, Callable[[int], dict]], Callable[[int], str], str]


def grow_views(data: Plane, steps: Sequence[DecisionTreeStep], criterion: str, order: str) -> Views:
    """Give the views and the caption of growing, and the rules of the last tree."""
    places = _places(steps[-1].tree)
    views = {
        "Leaves, cuts and points": partial(picture, data, places, None, steps),
        "The tree (left: the test holds; ring: still to split; bold: the picked point)": partial(
            diagram, data, places, steps
        ),
        "Why this split: the impurity each cut would leave": partial(
            why, data, places, criterion, steps
        ),
    }
    words = partial(caption, data, places, criterion, order, steps)
    return views, words, rules(steps[-1].tree, data.axes, data.classes)


def prune_views(
    data: Plane, steps: Sequence[PruneStep], held: ndarray, grown: ndarray, pruned: ndarray
) -> Views:
    """Give the views and the caption of pruning, and the rules of the last tree.

    held : which points are held out. grown, pruned : see `sizes`.
    """
    places = _places(steps[0].tree)
    n_held = int(held.sum())
    views = {
        "Leaves and cuts; held-out points have a white dot": partial(
            picture, data, places, held, steps
        ),
        "What is left of the tree (left: the test holds; bold: the picked point)": partial(
            diagram, data, places, steps
        ),
        "Errors and description length by size (dotted: while it grew)": partial(
            sizes, grown, pruned, (len(held) - n_held, n_held)
        ),
    }
    words = partial(prune_caption, data, places, n_held, steps)
    return views, words, rules(steps[-1].tree, data.axes, data.classes)


def note(view: str) -> str:
    """Say what holds for the whole run."""
    if view == "ID3":
        return (
            "Quinlan's table of 14 days; the points on the board are not used. The course notes "
            "cut after three digits: they print 0.970, 0.570 and 0.019 where a rounded value "
            "would be 0.971, 0.571 and 0.020."
        )
    return (
        "Dotted: the box of the node at hand, with its cut. Dashed: the leaf of the picked point "
        "1, which you can drag. The features are used as they are: their scale does not matter."
    )


def picture(data: Plane, places: Places, held: ndarray | None, steps: Steps, now: int) -> dict:
    """Draw the leaves' boxes, the points, the tests' lines, the node at hand and the probe's leaf.

    held : which points are held out; they have a dot in the middle.
    """
    step, tree = steps[now], steps[now].tree
    frames = _frames(places, data.bounds)
    node, leaf = max(step.node, 0), tree.path(data.probe)[-1]
    traces = [
        _regions(tree, places, data.bounds),
        plane.points(data.X, data.y, wrong=step.predict(data.X) != data.y),
        *_cuts(tree, places.tree, frames),
        plane.line(_outline(frames[node]), line={"width": 4, "dash": "dot"}),
        plane.line(
            _lines(tree, frames, [node] if tree.feature[node] >= 0 else []),
            line={"width": 6},
        ),
        plane.line(_outline(frames[leaf]), line={"width": 2.5, "dash": "dash"}),
    ]
    if held is not None:
        dots = {"size": 4, "color": "#ffffff"}
        traces.append(plane.line(data.X[held], mode="markers", marker=dots))
    return plane.figure(traces, data.bounds, data.axes)


def diagram(data: Plane, places: Places, steps: Steps, now: int) -> dict:
    """Draw the tree so far, with the way of the probe through it and the leaves still open."""
    step, tree, whole = steps[now], steps[now].tree, places.tree
    room = len(whole.feature) - len(tree.feature)  # nodes to come
    inner = np.pad(tree.feature >= 0, (0, room))
    grows = isinstance(step, DecisionTreeStep)
    open_ = (whole.feature >= 0) & ~inner  # leaves that will have a test
    short = tuple(_short(name) for name in data.axes)
    tests = [
        f"{short[j]} ≤ {number(t)}" if j >= 0 else ""
        for j, t in zip(whole.feature.tolist(), whole.threshold.tolist(), strict=True)
    ]
    return tree_diagram.draw(
        places.diagram,
        whole.counts,
        whole.classes[whole.majority],
        shown=np.pad(tree.reached, (0, room)),
        inner=inner,
        waiting=open_ & grows,
        now=step.node,
        path=tree.path(data.probe),
        tests=tests,
    )


def why(
    data: Plane, places: Places, criterion: str, steps: Sequence[DecisionTreeStep], now: int
) -> dict:
    """Draw the impurity that every cut of the chosen node would leave, a panel per feature."""
    step = steps[now]
    node = max(step.node, 0)
    inside = (places.lower[node] < data.X) & (places.upper[node] >= data.X)
    here = inside.all(axis=1)
    before = impurity(step.tree.counts[node], criterion)
    highest = max(impurity(s.tree.counts[max(s.node, 0)], criterion) for s in steps)
    cuts = {cut.feature: cut for cut in step.candidates}
    traces, axes = [], {}
    for j, name in enumerate(data.axes):
        axis, limits = ("x", "x2")[j], data.bounds[2 * j : 2 * j + 2]
        curve = impurity_curve(data.X[here, j], data.y[here], criterion=criterion)
        thresholds, after = _thinned(*curve)
        cut, taken = cuts.get(j), step.chosen is not None and step.chosen.feature == j
        level = np.array([[limits[0], before], [limits[1], before]])
        traces += [
            plane.line(level, xaxis=axis, line={"width": 1.5, "dash": "dash"}),
            plane.line(
                np.column_stack([thresholds, after]),
                xaxis=axis,
                mode="lines+markers",
                line={"width": 2},
                marker={"size": 3},
            ),
            curves.marked(
                cut.threshold if cut else limits[0],
                before - cut.gain if cut else -1.0,
                xaxis=axis,
                cliponaxis=True,
                marker={
                    "size": 15,
                    "symbol": 100,
                    "line": {"width": 3 if taken else 1.5},
                },
            ),
        ]
        axes[("xaxis", "xaxis2")[j]] = {
            "range": list(limits),
            "domain": [(0.0, 0.47), (0.53, 1.0)][j],
            "anchor": "y",
            "nticks": 6,
            "title": {"text": _worth(name, cut, taken), "standoff": 2, "font": {"size": 14}},
        }
    axes["yaxis"] = {"range": [-0.06 * highest, 1.12 * highest], "nticks": 4}
    axes["yaxis"]["title"] = {"text": criterion}
    figure = {"data": traces, "layout": curves.panel_layout(**axes)}
    figure["layout"]["margin"] = {"l": 52, "r": 10, "t": 6, "b": 44}
    return figure


def sizes(grown: ndarray, pruned: ndarray, n: tuple[int, int], now: int) -> dict:
    """Draw the shares of errors and the description length against the number of leaves.

    grown, pruned : a row per step: leaves, training errors, held-out errors, MDL cost.
    n : the numbers of training and of held-out points.
    """

    def path(rows: ndarray, column: int, unit: float, axis: str, name: str, **style) -> dict:
        return plane.line(
            np.column_stack([rows[:, 0], rows[:, column] * unit]),
            name=name,
            xaxis=axis,
            yaxis=axis.replace("x", "y"),
            **style,
        )

    shares = (100 / n[0], 100 / n[1], 1.0)
    traces = []
    for column, (unit, name, color) in enumerate(
        zip(shares, ("training", "held out", "bits"), ({"color": GREY}, {}, {}), strict=True),
        1,
    ):
        axis = "x" if column < 3 else "x2"
        traces += [
            path(grown, column, unit, axis, name, line={"width": 1.5, "dash": "dot", **color}),
            path(
                pruned, column, unit, axis, name, mode="lines+markers",
                line={"width": 3, **color}, marker={"size": 5, "symbol": column - 1},
                showlegend=column < 3,
            ),
            curves.marked(
                float(pruned[now, 0]), float(pruned[now, column] * unit),
                xaxis=axis, yaxis=axis.replace("x", "y"), showlegend=False,
            ),
        ]  # fmt: skip
    widest = float(grown[:, 0].max())
    both = np.concatenate([grown, pruned])
    worst = float((both[:, 1:3] * shares[:2]).max()) or 1.0
    across = {"range": [1 - 0.05 * widest, 1.05 * widest], "nticks": 6}
    across["title"] = {"text": "leaves", "standoff": 2}
    layout = curves.panel_layout(
        xaxis={**across, "domain": [0, 0.42]},
        xaxis2={**across, "domain": [0.6, 1], "anchor": "y2"},
        yaxis={"range": [-0.06 * worst, 1.1 * worst], "title": {"text": "% wrong"}, "nticks": 5},
        yaxis2={
            "anchor": "x2", "nticks": 5, "title": {"text": "MDL, bits"},
            "range": [0, 1.1 * float(both[:, 3].max())],
        },
    )  # fmt: skip
    legend = {"orientation": "h", "x": 0.42, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout |= {"showlegend": True, "legend": legend}
    layout["margin"] = {"l": 56, "r": 10, "t": 24, "b": 42}
    return {"data": traces, "layout": layout}


def _places(tree: Tree) -> Places:
    return Places(tree, *tree.boxes(2), tree_diagram.layout(tree.parent))


def _frames(places: Places, bounds: plane.Bounds) -> ndarray:
    """Clip the nodes' boxes to the picture: (m, 4) of left, right, bottom, top."""
    left, right, bottom, top = bounds
    low = np.clip(places.lower, [left, bottom], [right, top])
    high = np.clip(places.upper, [left, bottom], [right, top])
    return np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)


def _regions(tree: Tree, places: Places, bounds: plane.Bounds) -> dict:
    """Fill every leaf's box with its class, paler where the leaf is mixed."""
    axes = plane.grid(bounds, _CELLS)[:2]
    first, last = (
        np.stack([np.searchsorted(cells, ends[:, j], "right") for j, cells in enumerate(axes)])
        for ends in (places.lower, places.upper)
    )
    winner, sure = np.zeros((_CELLS, _CELLS), int), np.zeros((_CELLS, _CELLS))
    chance = 1 / len(tree.classes)
    says = tree.classes[tree.majority]
    share = tree.counts.max(axis=1) / tree.counts.sum(axis=1)
    for leaf in tree.leaves:
        cells = (slice(first[1, leaf], last[1, leaf]), slice(first[0, leaf], last[0, leaf]))
        winner[cells], sure[cells] = says[leaf], (share[leaf] - chance) / (1 - chance)
    return plane.regions(winner, sure, bounds)


def _cuts(tree: Tree, whole: Tree, frames: ndarray) -> list[dict]:
    """Draw the cuts that are made by now, the others hidden.

    A few of them share a trace, in the order they were made, so that most traces of a step are
    all there or not at all and need not be sent again.
    """
    nodes = whole.inner[whole.left[whole.inner].argsort()]
    made = np.isin(nodes, tree.inner)
    traces = []
    for start in range(0, len(nodes), _TOGETHER):
        part, there = nodes[start : start + _TOGETHER], made[start : start + _TOGETHER]
        path = _lines(whole, frames, part)
        if there.any():
            path[np.repeat(~there, 3), 1] = np.nan
        traces.append({**plane.line(path, line={"width": 1.5}), "visible": bool(there.any())})
    return traces


def _lines(tree: Tree, frames: ndarray, nodes: Sequence[int] | ndarray) -> ndarray:
    """Give the cut of every node across its box, with gaps in between."""
    nodes = np.asarray(nodes, int)
    left, right, bottom, top = frames[nodes].T
    t, gap = tree.threshold[nodes], np.full(len(nodes), np.nan)
    upright = tree.feature[nodes] == 0
    x = np.stack([np.where(upright, t, left), np.where(upright, t, right), gap], axis=1)
    y = np.stack([np.where(upright, bottom, t), np.where(upright, top, t), gap], axis=1)
    return np.column_stack([x.ravel(), y.ravel()])


def _outline(frame: ndarray) -> ndarray:
    left, right, bottom, top = frame
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])


def _thinned(thresholds: ndarray, after: ndarray) -> tuple[ndarray, ndarray]:
    """Keep the lowest of every few neighbouring cuts where there are more than can be seen."""
    if len(after) <= _MOST_CUTS:
        return thresholds, after
    parts = np.array_split(np.arange(len(after)), _MOST_CUTS)
    kept = [part[after[part].argmin()] for part in parts]
    return thresholds[kept], after[kept]


def _worth(name: str, cut: Split | None, taken: bool) -> str:
    if cut is None:
        return f"{_short(name)}: no cut"
    ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
    text = f"{_short(name)} ≤ {number(cut.threshold)} gains {cut.gain:.3f}{ratio}"
    return f"<b>{text}</b>" if taken else text


def _short(name: str) -> str:
    return name if len(name) <= 12 else name[:11] + "…"
