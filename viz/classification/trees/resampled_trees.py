"""Pictures and words for trees on resamples: their borders, the latest of them, what changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.resampled_trees import (
    GridVotes,
    ResampledTreeStep,
    grid_votes,
    votes,
)
from algorithms.classification.trees.tree import Tree
from viz.classification.trees import resampled_trees_questions, tree_diagram
from viz.classification.trees.decision_tree import CELLS, appearing, diagram_of
from viz.classification.trees.tree_diagram import INNER, LEAF
from viz.core import curves, panels, plane
from viz.core.box_borders import box_borders
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure, Plane, Run, Scene, View
from viz.core.theme import GREY
from viz.core.words import number

NOTE = (
    "Shade: the vote of the resampled trees so far, pale where they disagree. Bold: the border of "
    "this step's tree; thin: of those before; dashed: of the tree of all points. A large point was "
    "drawn more than once, a small pale one not at all. A ring: this tree gives the point another "
    "class than the tree of all points. Another first question is one that parts more than a tenth "
    "of the points otherwise. The features are used as they are."
)
_PALE = "rgba(122, 127, 135, 0.45)"
_MISSING = 0.55, 0.45  # diameter and opacity of a point that was not drawn


@dataclass(frozen=True, eq=False)
class Resampled:
    """A run on resamples of the points, and a picked point, the `query`."""

    data: Plane
    query: ndarray
    steps: Sequence[ResampledTreeStep]

    @cached_property
    def grid(self) -> GridVotes:
        """Give what the trees say of the cells of the picture."""
        return grid_votes(self.steps, *plane.grid(self.data.bounds, CELLS)[:2])

    @cached_property
    def borders(self) -> list[ndarray]:
        """Give every tree's border between the classes."""
        return [border(step.tree, self.data.bounds) for step in self.steps]

    @cached_property
    def others(self) -> ndarray:
        """Tell which trees begin with another question than the first tree."""
        return np.array([step.event is not None for step in self.steps])

    @cached_property
    def votes(self) -> ndarray:
        """Count the trees so far, (steps, classes), by what they say of the query."""
        return votes(self.steps, self.query, len(self.data.classes))


def resample(run: Run, data: Plane, query: ndarray) -> Scene:
    """Show tree after tree, each on another resample of the points."""
    shown = Resampled(data, query, run.steps)
    views = [
        View("The vote of the trees, and the border of each", lambda now: picture(shown, now)),
        View("This step's tree (up: the test holds)", lambda now: diagram(shown, now), height=1.3),
        View("How much of the plane changes class", lambda now: changes(shown, now), ahead=True),
    ]
    return Scene(
        views,
        lambda now: caption(shown, now),
        NOTE,
        ask=resampled_trees_questions.ask(data, run.steps),
    )


def picture(shown: Resampled, now: int) -> Figure:
    """Draw the vote, the borders so far, and the points as often as they were drawn."""
    data, step = shown.data, shown.steps[now]
    winner, share = shown.grid.vote(now)
    made = np.arange(len(shown.steps)) < now
    traces = [
        plane.regions(winner, plane.certainty(share, len(shown.steps[0].classes)), data.bounds),
        *appearing(shown.borders[1:], made[1:], width=1),
        plane.line(shown.borders[0], line={"width": 2.5, "dash": "dash"}),
        plane.line(shown.borders[now], line={"width": 3.5}),
    ]
    drawn = step.drawn > 0
    size = np.where(drawn, np.sqrt(np.maximum(step.drawn, 1)), _MISSING[0])
    strength = np.where(drawn, 1.0, _MISSING[1])
    return plane.figure(
        traces,
        data.bounds,
        data.names,
        points=plane.points(data.X, data.labels, size=size, strength=strength),
        marks=plane.marks(step.changed.astype(int), (100, 100), (0, 18), 2),
    )


def diagram(shown: Resampled, now: int) -> Figure:
    """Draw this step's tree; a root that asks another question is marked."""
    tree = shown.steps[now].tree
    state = np.where(tree.feature >= 0, INNER, LEAF)
    marked = 0 if shown.others[now] else -1
    drawn = diagram_of(tree, shown.data.names)
    return tree_diagram.draw(drawn, state, tree.path(shown.query), marked)


def changes(shown: Resampled, now: int) -> Figure:
    """Draw the share of the plane that gets another class than from the tree of all points."""
    share, last = 100 * shown.grid.changed, len(shown.steps) - 1
    b = np.arange(1, last + 1)
    traces = []
    for name, of in (("same first question", False), ("another", True)):
        bars = np.flatnonzero(shown.others[1:] == of)
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
    panel = Panel(traces, across, panels.axis("% of the plane", 0, max(float(share.max()), 1.0)))
    return curves.with_legend(panels.alone(panel))


def caption(shown: Resampled, now: int) -> str:
    """Say what this resample's tree does differently, how often that was so, and the query."""
    return f"{_plainly(shown, now)}\n{_so_far(shown, now)}\n{_query(shown, now)}"


def _plainly(shown: Resampled, now: int) -> str:
    """Compare this step's tree with the first."""
    step, names = shown.steps[now], shown.data.names
    n = len(step.drawn)
    if now == 0:
        wrong = int(np.count_nonzero(step.predict(shown.data.X) != shown.data.labels))
        question = f"first whether {_question(step.tree, names)}"
        asks = "nothing" if step.tree.feature[0] < 0 else question
        return f"The tree of all {n} points asks {asks}; it gets {wrong or 'none'} of them wrong."
    changed, area = int(step.changed.sum()), number(100 * float(shown.grid.changed[now]))
    what = "another" if shown.others[now] else "nearly the same"
    return (
        f"Resample {now}: {what} first question, {_question(step.tree, names)}; {changed} of {n} "
        f"points and {area} % of the plane change class."
    )


def _so_far(shown: Resampled, now: int) -> str:
    """Say what a resample is, and sum up those so far."""
    step = shown.steps[now]
    n = len(step.drawn)
    if now == 0:
        missing = number(100 * (1 - 1 / n) ** n, 2)
        return (
            f"A resample: {n} draws from these {n} points, with replacement, so that a point is "
            f"missing with probability (1 − 1/{n})^{n} = {missing} %."
        )
    others, mean = int(shown.others[1 : now + 1].sum()), shown.grid.changed[1 : now + 1].mean()
    return (
        f"{np.count_nonzero(step.drawn)} of {n} points were drawn. So far the first question is "
        f"another one in {others} of {now}; on average {number(100 * float(mean))} % of "
        "the plane changes class."
    )


def _query(shown: Resampled, now: int) -> str:
    """Say what this tree makes of the picked point, and how many of those so far agree."""
    says = int(shown.steps[now].predict(shown.query[None])[0])
    text = f"The picked point: “{shown.data.classes[says]}”"
    if now == 0:
        return f"{text}."
    return f"{text}; so say {shown.votes[now, says]} of {now} resampled trees so far."


def _question(tree: Tree, names: Sequence[str]) -> str:
    """Write the first question; a tree of a single leaf asks none."""
    if tree.feature[0] < 0:
        return "nothing"
    return f"{names[tree.feature[0]]} ≤ {number(tree.threshold[0])}"


def border(tree: Tree, box: Bounds) -> ndarray:
    """Give the lines on which a tree's class changes."""
    inner = tree.inner
    cuts = zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True)
    return plane.joined(list(box_borders(tree.predict, cuts, box)[0]))
