"""Trees on resamples: their borders, the latest tree, and how much changes with the sample."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.resampled_trees import (
    ResampledTreeStep,
    grid_votes,
    votes,
)
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.features import SUPERSCRIPTS
from viz.classification.decision_tree import tree_diagram
from viz.classification.decision_tree.marks import CELLS, appearing, diagram_of, test
from viz.classification.decision_tree.tree_diagram import INNER, LEAF
from viz.core import curves, naming, panels, plane
from viz.core.box_borders import box_borders
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import number

_PALE = "rgba(122, 127, 135, 0.45)"
_KEY = "dashed: tree of all points · ring: the class changes"
_MISSING = 0.55, 0.45  # diameter and opacity of a point that was not drawn
_SIGNS = {
    "size": "area of a point: how often it was drawn",
    "strength": "faint: not drawn for this tree",
    "marks": ["", "ring: this tree gives the point another class than the tree of all points"],
}


class Resampling(Show[ResampledTreeStep]):
    """Tree after tree, each on another resample of the points."""

    unit = "resample"

    note = (
        "Shade: the vote of the resampled trees so far, faint where they disagree. Bold: the "
        "border of this step's tree; thin: the borders of those before; dashed: that of the tree "
        "of all points. A large point was drawn more than once, a small faint one not at all. A "
        "ring: this tree gives the point another class than the tree of all points does. The first "
        "question counts as another one if more than a tenth of the points change sides. The "
        "features are used as they are."
    )

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Compute every tree's class in each cell of the picture. query : the picked point."""
        super().__init__(run, data)
        self.query = query
        self.grid = grid_votes(self.steps, *plane.grid(data.bounds, CELLS)[:2])
        self.borders = [border(step.tree, data.bounds) for step in self.steps]
        # Which trees begin with another question than the first tree.
        self.others = np.array([step.event is not None for step in self.steps])
        self.opens = int(self.others.argmax()) or min(1, len(self.steps) - 1)
        self.votes = votes(self.steps, query, len(data.classes))
        self.changes_so_far = np.cumsum([step.changed for step in self.steps], axis=0)

    def views(self) -> list[View]:
        """Return the vote, this step's tree, and how much of the plane changes class."""
        return [
            View("The vote of the trees, and the border of each", self.picture),
            View("This resample's tree", self.diagram, height=1.3),
            View("How much of the plane changes class", self.changes, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the vote and the borders so far; a point's size shows how often it was drawn."""
        data, step = self.data, self.steps[now]
        winner, share = self.grid.vote(now)
        made = np.arange(len(self.steps)) < now
        sure = plane.certainty(share, len(self.steps[0].classes))
        traces = [
            plane.regions(winner, sure, data.bounds),
            *appearing(
                self.borders[1:], made[1:], name="border of an earlier tree", width=1, color=GREY
            ),
            plane.line(
                self.borders[0],
                line={"width": 2, "dash": "dash"},
                name="border of the tree of all points",
            ),
            plane.line(self.borders[now], line={"width": 2.5}, name="border of this step's tree"),
            naming.in_corner(_KEY, data.bounds, size=14),
        ]
        drawn = step.drawn > 0
        size = np.where(drawn, np.sqrt(np.maximum(step.drawn, 1)), _MISSING[0])
        strength = np.where(drawn, 1.0, _MISSING[1])
        points = plane.points(data.X, data.labels, size=size, strength=strength)
        marks = plane.marks(step.changed.astype(int), (100, 100), (0, 18), 2)
        return plane.figure(
            traces, data.bounds, data.names, points=points, marks=marks, signs=_SIGNS
        )

    def diagram(self, now: int) -> Figure:
        """Draw this step's tree; its root is marked if it asks another question."""
        tree = self.steps[now].tree
        state = np.where(tree.feature >= 0, INNER, LEAF)
        drawn = diagram_of(tree, self.data.names)
        return tree_diagram.draw(drawn, state, tree.path(self.query), 0 if self.others[now] else -1)

    def changes(self, now: int) -> Figure:
        """Draw the share of the plane whose class differs from that of the tree of all points."""
        share, last = 100 * self.grid.changed, len(self.steps) - 1
        b = np.arange(1, last + 1)
        traces = []
        for name, of in (("same first question", False), ("another", True)):
            bars = np.flatnonzero(self.others[1:] == of)
            traces.append(
                {
                    "type": "bar",
                    "x": b[bars].tolist(),
                    "y": share[1:][bars].tolist(),
                    "name": name,
                    "marker": {"color": GREY if of else _PALE},
                    "hovertemplate": "resample %{x}: %{y:.3g} %<extra></extra>",
                }
            )
        traces.append(curves.marked(now, float(share[now]), showlegend=False))
        across = panels.axis("resample", 1, last) | {"range": [-0.5, last + 0.5]}
        up = panels.axis("% of the plane", 0, max(float(share.max()), 1.0))
        return curves.with_legend(panels.alone(Panel(traces, across, up)))

    def caption(self, now: int) -> str:
        """Write the changes by this tree and by those so far, and the picked point's class."""
        return f"{self._plainly(now)}\n{self._so_far(now)}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for a point whose class changes now for the first time."""
        after, data = self.steps[now + 1], self.data

        def reason(i: int) -> str:
            place = data.X[[i]]
            first, then = (data.classes[step.predict(place)[0]] for step in (self.steps[0], after))
            return (
                f"The tree of all points predicts {first} there, the next one {then}. For the "
                "others, all trees so far predict what the tree of all points does."
            )

        text = "Which point gets another class from the next tree than from the tree of all points?"
        unchanged = self.changes_so_far[now + 1] == 0
        return which_point(rng, data, text, after.changed, unchanged, reason)

    def found(self, now: int) -> Regions:
        """Return the class that wins the vote in every cell."""
        return Regions(self.grid.vote(now)[0])

    def _plainly(self, now: int) -> str:
        """Compare this step's tree with the first."""
        step, first = self.steps[now], _question(self.steps[now].tree, self.data.names)
        n = len(step.drawn)
        if now == 0:
            wrong = int(np.count_nonzero(step.predict(self.data.X) != self.data.labels))
            asks = first if step.tree.feature[0] < 0 else f"first whether {first}"
            return (
                f"The tree of all {n} points asks {asks}; it gets {wrong or 'none'} of them wrong."
            )
        changed, area = int(step.changed.sum()), number(100 * float(self.grid.changed[now]))
        what = "another" if self.others[now] else "nearly the same"
        return (
            f"Resample {now}: {what} first question, {first}; {changed} of {n} points and {area} % "
            "of the plane change class."
        )

    def _so_far(self, now: int) -> str:
        """Write what a resample is, and sum up the resamples so far."""
        step = self.steps[now]
        n = len(step.drawn)
        if now == 0:
            missing, power = number(100 * (1 - 1 / n) ** n, 2), str(n).translate(SUPERSCRIPTS)
            return (
                f"A resample: {n} draws from these {n} points, with replacement. A point is "
                f"missing with probability (1 − 1/{n}){power} = {missing} %."
            )
        others, mean = int(self.others[1 : now + 1].sum()), self.grid.changed[1 : now + 1].mean()
        return (
            f"{np.count_nonzero(step.drawn)} of {n} points were drawn, some several times. So far "
            f"{others} of {now} trees ask another first question; on average "
            f"{number(100 * float(mean))} % of the plane changes class."
        )

    def _picked(self, now: int) -> str:
        """Write what this tree predicts for the picked point, and how many so far agree."""
        label = int(self.steps[now].predict(self.query[None])[0])
        text = f"The picked point: “{self.data.classes[label]}”"
        if now == 0:
            return f"{text}."
        return f"{text}; {self.votes[now, label]} of {now} resampled trees so far agree."


def _question(tree: Tree, names: Sequence[str]) -> str:
    """Write the first question; a tree of a single leaf asks none."""
    if tree.feature[0] < 0:
        return "nothing"
    return test(names, *tree.test(0))


def border(tree: Tree, box: Bounds) -> ndarray:
    """Return the lines on which a tree's class changes."""
    inner = tree.inner
    cuts = zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True)
    return plane.joined(list(box_borders(tree.predict, cuts, box)[0]))
