"""Pictures for decision trees: growing and pruning."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import Split, impurity, impurity_curve
from algorithms.classification.trees.tree import Tree
from viz.classification.trees import tree_diagram
from viz.classification.trees.tree_diagram import ABSENT, INNER, LEAF, WAITING, Diagram
from viz.core import curves, panels, plane, what_if
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY
from viz.core.words import number

CELLS = 200  # along each axis of the regions; the lines on top are exact
_MOST_CUTS = 32  # of an impurity curve
_TOGETHER = 8  # lines that share a trace
_LETTERS = 12  # of a column's name

S = TypeVar("S", DecisionTreeStep, PruneStep)


@dataclass(frozen=True, eq=False)
class Trees(Generic[S]):
    """The trees of a run, on the plane and in the diagram.

    query : the picked point, whose way through the trees is shown. held : (n,) which points are
    held out. whole : the tree when it is largest; all nodes of the others are among its own.
    """

    data: Plane
    query: ndarray
    held: ndarray
    steps: Sequence[S]
    whole: Tree

    @cached_property
    def boxes(self) -> tuple[ndarray, ndarray]:
        """Give the (nodes, 2) ends of every node's box: lower < x <= upper."""
        return self.whole.boxes(2)

    @cached_property
    def frames(self) -> ndarray:
        """Give what the picture shows of the boxes: (nodes, 4) of left, right, bottom, top."""
        left, right, bottom, top = self.data.bounds
        low, high = (np.clip(ends, [left, bottom], [right, top]) for ends in self.boxes)
        return np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)

    @cached_property
    def diagram(self) -> Diagram:
        """Give the diagram of the whole tree."""
        return diagram_of(self.whole, self.data.names)


def diagram_of(tree: Tree, names: Sequence[str]) -> Diagram:
    """Give the diagram of a tree, with the test at every node."""
    short = [panels.label(name, _LETTERS) for name in names]
    tests = [
        f"{short[j]} ≤ {number(t)}" if j >= 0 else ""
        for j, t in zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True)
    ]
    label = tree.classes[tree.majority]
    return Diagram(tree_diagram.layout(tree.parent), tree.counts, label, tests)


def picture(shown: Trees, now: int) -> Figure:
    """Draw the leaves' boxes, the points, the tests' lines, the node at hand and the query's leaf.

    Points that are held out have a dot in the middle.
    """
    data, frames, held = shown.data, shown.frames, shown.held
    step, tree = shown.steps[now], shown.steps[now].tree
    node, leaf = max(step.node, 0), tree.path(shown.query)[-1]
    tested = [node] if tree.feature[node] >= 0 else []
    traces = [
        _regions(data, tree),
        *_cuts(shown, tree),
        plane.line(_outline(frames[node]), line={"width": 4, "dash": "dot"}),
        plane.line(_lines(tree, frames, tested), line={"width": 6}),
        plane.line(_outline(frames[leaf]), line={"width": 2.5, "dash": "dash"}),
    ]
    if held.any():
        dots = {"size": 4, "color": "#ffffff"}
        traces.append(plane.line(data.X[held], mode="markers", marker=dots))
    points = plane.points(data.X, data.labels, wrong=step.predict(data.X) != data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


def ghost(shown: Trees[DecisionTreeStep], since: int, now: int) -> list[dict]:
    """Draw the cuts that were made from one step to another."""
    nodes = [step.node for step in shown.steps[since : now + 1]]
    return [what_if.path(_lines(shown.whole, shown.frames, nodes))]


def diagram(shown: Trees, now: int) -> Figure:
    """Draw the tree so far, with the query's way through it and the leaves still open."""
    step, tree = shown.steps[now], shown.steps[now].tree
    known = len(tree.feature)  # the others are still to come
    state = np.full(len(shown.whole.feature), ABSENT)
    state[:known][tree.reached] = LEAF
    if isinstance(step, DecisionTreeStep):
        state[:known][tree.reached & (shown.whole.feature[:known] >= 0)] = WAITING
    state[tree.inner] = INNER
    return tree_diagram.draw(shown.diagram, state, tree.path(shown.query), step.node)


def growth(shown: Trees[DecisionTreeStep], sizes: ndarray, now: int) -> Figure:
    """Draw the shares of training and held-out errors against the number of splits.

    sizes : a row per step: leaves, training errors, held-out errors, MDL cost.
    """
    shares, last = shares_wrong(shown, sizes), len(sizes) - 1
    traces = []
    for j, (name, stroke) in enumerate((("training", {"color": GREY}), ("held out", {}))):
        here = curves.marked(now, float(shares[now, j]), showlegend=False)
        traces += [_against_splits(shares[:, j], name, width=2.5, **stroke), here]
    across = panels.axis("splits", 0, last) | ({"dtick": 1} if last < 8 else {})
    panel = Panel(traces, across, panels.axis("% wrong", 0, max(float(shares.max()), 10.0)))
    return curves.with_legend(panels.alone(panel))


def shares_wrong(shown: Trees[DecisionTreeStep], sizes: ndarray) -> ndarray:
    """Give (steps, 2) shares of training and held-out errors, in %. sizes : see `growth`."""
    return 100 * sizes[:, 1:3] / np.bincount(shown.held, minlength=2)


def _against_splits(shares: ndarray, name: str, **stroke: object) -> dict:
    return panels.curve(
        plane.packed(np.arange(len(shares))), plane.packed(shares),
        mode="lines+markers", marker={"size": 5}, name=name, line=stroke, showlegend=True,
        hoverinfo="all", hovertemplate=f"%{{x}} splits: {name} %{{y:.3g}} %<extra></extra>",
    )  # fmt: skip


def highest_impurity(steps: Sequence[DecisionTreeStep], criterion: str) -> float:
    """Give the impurity of the most mixed node that was split."""
    return max(impurity(step.tree.counts[max(step.node, 0)], criterion) for step in steps)


def why(shown: Trees[DecisionTreeStep], criterion: str, highest: float, now: int) -> Figure:
    """Draw the impurity that every cut of the chosen node would leave, a panel per feature.

    highest : see `highest_impurity`; it is what the axes reach to.
    """
    left, right = (_cut_curve(shown, criterion, j, now) for j in (0, 1))
    levels = {"range": [-0.06 * highest, 1.12 * highest], "nticks": 4}
    left.y, right.y = levels | {"title": {"text": criterion}}, levels | {"showticklabels": False}
    figure = panels.side_by_side(left, right, split=0.47, room=0.06)
    figure["layout"]["margin"]["b"] = 58  # for two lines
    return figure


def _cut_curve(shown: Trees[DecisionTreeStep], criterion: str, feature: int, now: int) -> Panel:
    """Draw what the cuts of one feature would leave; what there is before them is dashed."""
    step, data = shown.steps[now], shown.data
    node = max(step.node, 0)
    lower, upper = shown.boxes
    here = ((lower[node] < data.X) & (upper[node] >= data.X)).all(axis=1) & ~shown.held
    before = impurity(step.tree.counts[node], criterion)
    cuts = [cut for cut in (step.by_hand, *step.candidates) if cut and cut.feature == feature]
    cut = cuts[0] if cuts else None
    taken = cut is not None and cut is step.chosen
    ends = data.bounds[2 * feature : 2 * feature + 2]
    level = np.array([[ends[0], before], [ends[1], before]])
    found = impurity_curve(data.X[here, feature], data.labels[here], criterion=criterion)
    traces = [
        plane.line(level, line={"width": 1.5, "dash": "dash"}),
        plane.line(
            np.column_stack(_thinned(*found)),
            mode="lines+markers", line={"width": 2}, marker={"size": 3},
        ),
        curves.marked(
            cut.threshold if cut else ends[0],
            before - cut.gain if cut else -1.0,
            cliponaxis=True,
            marker={"size": 15, "symbol": 100, "line": {"width": 3 if taken else 1.5}},
        ),
    ]  # fmt: skip
    title = {"text": _worth(data.names[feature], cut, taken), "standoff": 2, "font": {"size": 14}}
    return Panel(traces, {"range": list(ends), "nticks": 6, "title": title}, {})


def sizes(shown: Trees[PruneStep], grown: ndarray, pruned: ndarray, now: int) -> Figure:
    """Draw the shares of errors and the description length against the number of leaves.

    grown, pruned : a row per step: leaves, training errors, held-out errors, MDL cost.
    """
    training, held = np.bincount(shown.held, minlength=2)
    units = [1.0, 100 / training, 100 / held, 1.0]
    grown, pruned = grown * units, pruned * units
    both = np.concatenate([grown, pruned])
    widest = float(both[:, 0].max())
    across = {"range": [1 - 0.05 * widest, 1.05 * widest], "nticks": 6}
    across["title"] = {"text": "leaves", "standoff": 2}
    worst = float(both[:, 1:3].max()) or 1.0
    wrong = {"range": [-0.06 * worst, 1.1 * worst], "title": {"text": "% wrong"}, "nticks": 5}
    bits = {"range": [0, 1.1 * float(both[:, 3].max())], "title": {"text": "length, bits"}}
    errors = [
        *_by_size(grown, pruned, 1, now, name="training", color=GREY),
        *_by_size(grown, pruned, 2, now, name="held out"),
    ]
    figure = panels.side_by_side(
        Panel(errors, across, wrong),
        Panel(_by_size(grown, pruned, 3, now), across, bits | {"nticks": 5}),
        split=0.42,
        room=0.18,
    )
    return curves.with_legend(figure, x=0.42)


def _by_size(
    grown: ndarray, pruned: ndarray, column: int, now: int, name: str = "", **stroke: str
) -> list[dict]:
    """Draw one column against the leaves: dotted while the tree grew, then as it is pruned."""
    return [
        plane.line(grown[:, [0, column]], line={"width": 1.5, "dash": "dot", **stroke}),
        plane.line(
            pruned[:, [0, column]], mode="lines+markers", name=name, showlegend=bool(name),
            line={"width": 3, **stroke}, marker={"size": 5, "symbol": column - 1},
        ),
        curves.marked(float(pruned[now, 0]), float(pruned[now, column]), showlegend=False),
    ]  # fmt: skip


def _regions(data: Plane, tree: Tree) -> dict:
    """Fill every leaf's box with its class, paler where the leaf is mixed."""
    leaf = tree.over_grid(*plane.grid(data.bounds, CELLS)[:2])
    share = tree.counts.max(axis=1) / tree.counts.sum(axis=1)
    certain = plane.certainty(share, len(tree.classes))
    return plane.regions(tree.classes[tree.majority][leaf], certain[leaf], data.bounds)


def _cuts(shown: Trees, tree: Tree) -> list[dict]:
    """Draw the cuts that are made by now, the others hidden, in the order they are made in."""
    whole = shown.whole
    nodes = whole.inner[whole.left[whole.inner].argsort()]
    lines = [_lines(whole, shown.frames, [node]) for node in nodes]
    return appearing(lines, np.isin(nodes, tree.inner), width=1.5)


def appearing(paths: Sequence[ndarray], there: ndarray, **stroke: object) -> list[dict]:
    """Draw those of many lines that are there by now, the others hidden.

    A few of them share a trace, in the order in which they come, so that most traces of a step are
    all there or not at all and need not be sent again.
    """
    traces = []
    for start in range(0, len(paths), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        path = np.concatenate(paths[part])
        if there[part].any():
            hidden = np.repeat(~there[part], [len(piece) for piece in paths[part]])
            path[hidden, 1] = np.nan
        line = plane.line(path, line=stroke)
        traces.append({**line, "visible": bool(there[part].any())})
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


def _outline(frame: Bounds | ndarray) -> ndarray:
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
    short = panels.label(name, _LETTERS)
    if cut is None:
        return f"{short}<br>no cut"
    ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
    text = f"≤ {number(cut.threshold)} gains {cut.gain:.3f}{ratio}"
    return f"{short}<br>{f'<b>{text}</b>' if taken else text}"
