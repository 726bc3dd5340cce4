"""Marks that all modes with points on the plane share: a tree's boxes, diagram and rules."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.decision_tree.rule_post_pruning import Rule
from algorithms.classification.decision_tree.tree import Tree
from viz.classification.decision_tree import tree_diagram
from viz.classification.decision_tree.tree_diagram import Diagram
from viz.core import naming, panels, plane
from viz.core.found import Regions
from viz.core.question import Place
from viz.core.scene import Bounds, Figure, Layer, Plane
from viz.core.words import counted, number

CELLS = 200  # along each axis of the regions; the lines on top are exact
LETTERS = 12  # of a column's name
RULES = "The last step's tree as rules: a disjunction of conjunctions for every class"
_TOGETHER = 8  # lines that share a trace
_NOTE = (
    "In the tree, the way goes up where the test holds, and the bold line is the picked point's "
    "way. The features are used as they are: their scale does not matter."
)
_HELD_OUT = (
    " The points that are held out are drawn at random; the tree does not grow on them, they only "
    "test it."
)

_FAINTEST, _MORE = 0.15, 0.65  # shade of an undecided leaf, and what a pure one has more
_CUT, _BOX, _ITS_CUT = "cut of the tree", "box of the node at hand", "its cut"
_LEAF = "leaf of the picked point"
LAYERS = (
    Layer("cuts", (_CUT,), on=True),
    Layer("node at hand", (_BOX, _ITS_CUT), on=True),
    Layer("leaf of the picked point", (_LEAF,)),
)


class Boxes:
    """The trees of a run on the plane, and the path of a picked point through them.

    query : the picked point. held : (n,) which points are held out. whole : the largest tree of the
    run, which contains the nodes of all others.
    """

    def __init__(self, data: Plane, query: ndarray, held: ndarray, whole: Tree) -> None:
        """Compute what is the same at all steps: the boxes of all nodes, and the diagram."""
        self.data, self.query, self.held, self.whole = data, query, held, whole
        left, right, bottom, top = data.bounds
        self.lower, self.upper = whole.boxes(2)
        low, high = (
            np.clip(ends, [left, bottom], [right, top]) for ends in (self.lower, self.upper)
        )
        # What the picture shows of the boxes: (nodes, 4) of left, right, bottom, top.
        self.frames = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)
        self.nodes = whole.inner[whole.left[whole.inner].argsort()]  # in the order of their cuts
        self.diagram = diagram_of(whole, data.names)
        self.training, self.testing = np.bincount(held, minlength=2).tolist()

    def picture(self, tree: Tree, node: int) -> Figure:
        """Draw the leaves, the points, the cuts, the node at hand and the picked point's leaf.

        Points that are held out have a dot in the middle. node : -1 for the root.
        """
        data, node, leaf = self.data, max(node, 0), tree.path(self.query)[-1]
        tested = np.array([node])
        share = tree.counts.max(axis=1) / tree.counts.sum(axis=1)
        at = tree.over_grid(*plane.grid(data.bounds, CELLS)[:2])
        certain = (_FAINTEST + _MORE * plane.certainty(share, len(tree.classes)))[at]
        cuts = [self.cuts([each]) for each in self.nodes]
        traces = [
            plane.regions(tree.classes[tree.majority][at], certain, data.bounds),
            *appearing(cuts, np.isin(self.nodes, tree.inner), name=_CUT, width=1.5),
            plane.line(
                outline(self.frames[node]),
                line={"width": 3, "dash": "dot"},
                name=_BOX,
            ),
            *(  # between steps, no cut turns
                plane.line(
                    self.cuts(tested[tree.feature[tested] == j]), line={"width": 5}, name=_ITS_CUT
                )
                for j in range(2)
            ),
            plane.line(
                outline(self.frames[leaf]),
                line={"width": 2.5, "dash": "dash"},
                name=_LEAF,
            ),
            naming.in_corner("deeper colour: purer", data.bounds),
        ]
        wrong = tree.predict(data.X) != data.labels
        points = plane.points(data.X, data.labels, wrong=wrong, held=self.held)
        return plane.figure(
            traces, data.bounds, data.names, points=points, classes=data.classes, query=self.query
        )

    def found(self, tree: Tree) -> Regions:
        """Return the class of every cell of the picture."""
        leaf = tree.over_grid(*plane.grid(self.data.bounds, CELLS)[:2])
        return Regions(tree.classes[tree.majority][leaf])

    def cuts(self, nodes: Sequence[int] | ndarray) -> ndarray:
        """Return the cut of every node across its box, with gaps in between."""
        nodes = np.asarray(nodes, int)
        left, right, bottom, top = self.frames[nodes].T
        t, gap = self.whole.threshold[nodes], np.full(len(nodes), np.nan)
        upright = self.whole.feature[nodes] == 0
        x = np.stack([np.where(upright, t, left), np.where(upright, t, right), gap], axis=1)
        y = np.stack([np.where(upright, bottom, t), np.where(upright, top, t), gap], axis=1)
        return np.column_stack([x.ravel(), y.ravel()])

    def middle(self, node: int) -> Place:
        """Return the middle of a node's box, in the picture."""
        left, right, bottom, top = self.frames[node].tolist()
        return (0, (left + right) / 2, (bottom + top) / 2)

    def test(self, node: int) -> str:
        """Write the test of a node."""
        return test(self.data.names, *self.whole.test(node))

    def note(self, mode: str) -> str:
        """Write the meaning of lines and dots. mode : a sentence about the marks of one mode."""
        return _NOTE + mode + (_HELD_OUT if self.held.any() else "")

    def rule(self, tree: Tree) -> str:
        """Write the rule that decides about the picked point."""
        leaf = tree.path(self.query)[-1]
        label = tree.classes[tree.majority[leaf]]
        held = conditions(self.lower[leaf], self.upper[leaf], self.data.names)
        return f"The picked point: class “{self.data.classes[label]}” {in_words(held)}."


def test(names: Sequence[str], feature: int, threshold: float) -> str:
    """Write a test of a feature."""
    return f"{names[feature]} ≤ {number(threshold)}"


def in_words(held: str) -> str:
    """Write conditions as a clause."""
    return "everywhere" if held == "always" else f"where {held.replace(' ∧ ', ' and ')}"


def condition(names: Sequence[str], rule: Rule, c: int) -> str:
    """Write condition number c of a rule."""
    sign = "≤" if rule.below[c] else ">"
    return f"{names[rule.feature[c]]} {sign} {number(rule.threshold[c])}"


def diagram_of(tree: Tree, names: Sequence[str]) -> Diagram:
    """Return the diagram of a tree, with the test at every node."""
    short = [panels.label(name, LETTERS) for name in names]
    tests = [
        f"{short[j]} ≤ {number(t)}" if j >= 0 else ""
        for j, t in zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True)
    ]
    label = tree.classes[tree.majority]
    answers = [""] * len(tests)
    if len(tests) > 1:
        answers[tree.left[0]], answers[tree.right[0]] = "yes", "no"
    return Diagram(tree_diagram.layout(tree.parent), tree.counts, label, tests, answers)


def appearing(
    paths: Sequence[ndarray], there: ndarray, *, name: str, **stroke: object
) -> list[dict]:
    """Draw the lines that exist at this step, and hide the others.

    A few lines share a trace, in the order in which they appear. So most traces of a step are
    either complete or empty, and need not be sent again.
    """
    traces = []
    for start in range(0, len(paths), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        path = np.concatenate(paths[part])
        if there[part].any():
            hidden = np.repeat(~there[part], [len(piece) for piece in paths[part]])
            path[hidden, 1] = np.nan
        line = plane.line(path, line=stroke, name=name)
        traces.append({**line, "visible": bool(there[part].any())})
    return traces


def outline(frame: Bounds | ndarray) -> ndarray:
    """Return the closed path around a frame: left, right, bottom, top."""
    left, right, bottom, top = frame
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])


def rules(tree: Tree, data: Plane) -> str:
    """Write the tree as a disjunction of conjunctions for every class, one line per leaf."""
    lower, upper = tree.boxes(len(data.names))
    says = tree.classes[tree.majority]
    lines = []
    for label in tree.classes.tolist():
        called = data.classes[label]
        leaves = [leaf for leaf in tree.leaves.tolist() if says[leaf] == label]
        leaves.sort(key=lambda leaf: -int(tree.counts[leaf].sum()))
        for i, leaf in enumerate(leaves):
            start = f"{called}  ⇐" if i == 0 else "∨".rjust(len(called) + 3)
            tests = conditions(lower[leaf], upper[leaf], data.names)
            own, every = tree.counts[leaf].max(), tree.counts[leaf].sum()
            lines.append(f"{start}  ( {tests} )   {own} of {counted(int(every), 'point')}")
    return "\n".join(lines)


def conditions(lower: ndarray, upper: ndarray, names: Sequence[str]) -> str:
    """Write the tests on the way to a node with this box, combined by feature."""
    texts = []
    for name, low, high in zip(names, lower, upper, strict=True):
        if np.isfinite(low) and np.isfinite(high):
            texts.append(f"{number(low)} < {name} ≤ {number(high)}")
        elif np.isfinite(high):
            texts.append(f"{name} ≤ {number(high)}")
        elif np.isfinite(low):
            texts.append(f"{name} > {number(low)}")
    return " ∧ ".join(texts) or "always"
