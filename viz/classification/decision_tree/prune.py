"""A tree is pruned: branches are cut off as long as the held-out errors do not rise."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.prune import PruneStep, size_curve
from algorithms.classification.decision_tree.tree import Tree
from viz.classification.decision_tree import tree_diagram
from viz.classification.decision_tree.marks import LAYERS, RULES, Boxes, rules
from viz.classification.decision_tree.tree_diagram import ABSENT, INNER, LEAF
from viz.core import curves, panels, plane, what_if
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number


class Pruning(Show[PruneStep]):
    """The cuts, what is left of the tree, and its errors and length by size."""

    opens = 1  # the first branch is cut off

    def __init__(self, run: Run, data: Plane, query: ndarray, held: ndarray, grown: Run) -> None:
        """Count the errors while the tree grew and is pruned. query, held : see `Boxes`."""
        super().__init__(run, data)
        self.boxes = Boxes(data, query, held, self.steps[0].tree)
        units = np.array([1.0, 100 / self.boxes.training, 100 / self.boxes.testing, 1.0])
        # A row per step: leaves, training and held-out errors in %, description length.
        self.growth, self.pruning = (
            units * size_curve(part, data.X[held], data.labels[held])
            for part in (grown.steps, self.steps)
        )
        self.note = self.boxes.note(" The dotted curves show the tree while it grew.")
        self.details = [(RULES, rules(self.steps[-1].tree, data))]

    def views(self) -> list[View]:
        """Return the picture, the diagram, and errors and length by size."""
        return [
            View("Leaves and cuts", self.picture, layers=LAYERS),
            View("What is left of the tree", self.diagram, height=1.3),
            View("Errors and description length by size", self.by_size, ahead=True),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the tree on the plane."""
        return self.boxes.picture(self.steps[now].tree, self.steps[now].node)

    def diagram(self, now: int) -> Figure:
        """Draw what is left of the tree."""
        step, tree = self.steps[now], self.steps[now].tree
        state = np.full(len(tree.feature), ABSENT)
        state[tree.leaves], state[tree.inner] = LEAF, INNER
        way = tree.path(self.boxes.query)
        return tree_diagram.draw(self.boxes.diagram, state, way, step.node, cut_off=True)

    def by_size(self, now: int) -> Figure:
        """Draw the shares of errors and the description length against the number of leaves."""
        both = np.concatenate([self.growth, self.pruning])
        widest = float(both[:, 0].max())
        across = {"range": [1 - 0.05 * widest, 1.05 * widest], "nticks": 6}
        across["title"] = {"text": "leaves", "standoff": 2}
        worst = float(both[:, 1:3].max()) or 1.0
        wrong = {"range": [-0.06 * worst, 1.1 * worst], "title": {"text": "% wrong"}, "nticks": 5}
        bits = {"range": [0, 1.1 * float(both[:, 3].max())], "title": {"text": "length, bits"}}
        errors = [
            *self._column(1, now, name="training", color=GREY),
            *self._column(2, now, name="held out"),
        ]
        figure = panels.side_by_side(
            Panel(errors, across, wrong),
            Panel(self._column(3, now), across, bits | {"nticks": 5}),
            split=0.42,
            room=0.18,
        )
        return curves.with_legend(figure, x=0.42)

    def caption(self, now: int) -> str:
        """Write which test was cut off, the errors before and after, and the picked rule."""
        step, tree = self.steps[now], self.steps[now].tree
        testing = self.boxes.testing
        rule = f"{self._length(now)} {_next(step)}"
        if now == 0:
            what = (
                f"The grown tree has {_leaves(tree)} and gets {step.errors} of {testing} held-out "
                "points wrong."
            )
        else:
            gone = self.boxes.test(step.node)
            if step.removed > 2:
                gone += f" and all {step.removed} nodes below it"
            to = f"{step.errors + step.fall} → {step.errors}" if step.fall else str(step.errors)
            ways = {1: "fall", 0: "stay the same", -1: "rise"}
            what = (
                f"Cut off {gone} (dotted box){', by hand' * (step.event == 'cut off by hand')}: "
                f"{_leaves(tree)} {'is' if len(tree.leaves) == 1 else 'are'} left, and the "
                f"held-out errors {ways[int(np.sign(step.fall))]} ({to} of {testing})."
            )
            saved = f"E(u) − E₀(u) = {number(step.fall)} held-out errors"
            rule = f"A leaf in place of the branch saves {saved}. {rule}"
        return f"{what}\n{rule}\n{self.boxes.rule(tree)}"

    def _length(self, now: int) -> str:
        """Write the training errors, and what the tree and they add to the description length."""
        tree = self.steps[now].tree
        bits, wrong = tree.description_length(self.data.X.shape[1])
        before = f", {int(self.pruning[now - 1, 3])} before" if now else ""
        return (
            f"Training errors: {tree.errors} of {self.boxes.training}. Description length: {bits} "
            f"bits (tree) + {wrong} (training errors) = {bits + wrong}{before}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which test of the tree is cut off next."""
        before, after = self.steps[now], self.steps[now + 1]
        falls = dict(zip(before.candidates.tolist(), before.falls.tolist(), strict=True))
        rest = sorted((u for u in falls if falls[u] < falls[after.node]), key=lambda u: -falls[u])
        if not rest:
            return None
        options = [self._named(before, node) for node in (after.node, *rest)]
        effects = [_effect(falls[node]) for node in (after.node, rest[0])]
        reason = f"Without it there are {effects[0]}; without “{options[1].text}”, {effects[1]}."
        return question("Which test is cut off next?", options[0], options[1:], reason)

    def found(self, now: int) -> Regions:
        """Return the classes of the leaves' boxes."""
        return self.boxes.found(self.steps[now].tree)

    def ghost(self, since: int, now: int) -> list[list[dict]]:
        """Return the cuts that were left at a step, and the errors and lengths by size."""
        cuts = self.boxes.cuts(self.steps[now].tree.inner)
        return [[what_if.path(cuts)]]

    def _column(self, column: int, now: int, name: str = "", **stroke: str) -> list[dict]:
        """Draw one column against the leaves: dotted while the tree grew, then as it is pruned."""
        grown, pruned = self.growth[:, [0, column]], self.pruning[:, [0, column]]
        return [
            plane.line(grown, line={"width": 1.5, "dash": "dot", **stroke}),
            plane.line(
                pruned, mode="lines+markers", name=name, showlegend=bool(name),
                line={"width": 3, **stroke}, marker={"size": 5, "symbol": column - 1},
            ),
            curves.marked(*pruned[now].tolist(), showlegend=False),
        ]  # fmt: skip

    def _named(self, step: PruneStep, node: int) -> Option:
        """Write a test, and how many points reach it."""
        points = counted(int(step.tree.counts[node].sum()), "point")
        return Option(f"{self.boxes.test(node)}, with {points}", self.boxes.middle(node))


def _leaves(tree: Tree) -> str:
    return "1 leaf" if len(tree.leaves) == 1 else f"{len(tree.leaves)} leaves"


def _next(step: PruneStep) -> str:
    """Write what cutting further would do to the held-out errors."""
    if len(step.falls) == 0:
        return "Only the root is left."
    if step.event == "pruned":
        least = -int(step.falls.max())
        return f"Pruned: every further cut would add {least} or more held-out errors."
    free = int((step.falls >= 0).sum())
    return (
        f"Next: {free} of {counted(len(step.falls), 'test')} can be cut off without more held-out "
        "errors."
    )


def _effect(fall: int) -> str:
    if fall == 0:
        return "as many held-out errors"
    return f"{counted(abs(fall), 'held-out error')} {'fewer' if fall > 0 else 'more'}"
