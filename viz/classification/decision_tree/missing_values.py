"""ID3 with missing values: the fractions of the examples in the table and on the branches."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.id3 import entropy
from algorithms.classification.decision_tree.missing_values import (
    MISSING,
    FractionQuestion,
    FractionsStep,
)
from algorithms.classification.decision_tree.play_tennis import Table
from viz.classification.decision_tree import id3_table, tree_diagram
from viz.classification.decision_tree.attribute_tree import TITLE, bars, conditions, states
from viz.classification.decision_tree.id3_table import LITTLE
from viz.classification.decision_tree.tree_diagram import Diagram
from viz.core import question
from viz.core.question import Option
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.words import counted, number

_ENDINGS = {
    None: "",
    "pure": " Done: every leaf holds one class.",
    "stopped": " Done: some leaves stay mixed, with nothing to ask or fewer than two examples.",
}
_MOST = 5  # leaves whose votes are written


class Fractions(Show[FractionsStep]):
    """Questions about the examples of a table with gaps, one after another."""

    opens = 2

    note = (
        "Quinlan's table of 14 days, of which some values are removed at random (?); the points "
        "on the board are not used. The weight is the fraction of a day at the node that is "
        "asked. In the tree, the number on a branch is the share p of its answer among the known "
        "ones, and a number at a leaf is the fraction of the day to follow. A ring marks a leaf "
        "that will be asked."
    )

    def __init__(self, run: Run, table: Table, missing: ndarray, day: int) -> None:
        """Place the nodes of the last step's tree.

        missing : (n, a) which values are missing. day : the example to follow, from 1.
        """
        super().__init__(run)
        self.table, self.missing, self.day = table, missing, day
        self.examples = np.where(missing, MISSING, table.examples)
        self.whole = self.steps[-1]
        self.w = self.whole.fractions(self.examples)  # no later question changes a fraction
        self.placed = self._diagram()
        self.highest = max(
            (each.gain for step in self.steps for each in step.candidates), default=0.0
        )

    def views(self) -> list[View]:
        """Return the table, the tree and the gains."""
        return [
            View("The examples, and what fraction of each is here", self.picture),
            View(TITLE, self.diagram, height=1.4),
            View("Why this question: the gain of every attribute", self.gains,
                 ahead="at the start"),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the table."""
        step = self.steps[now]
        asked = int(step.attribute[step.node]) if step.node >= 0 else -1
        w = self.w[max(step.node, 0)]
        return id3_table.draw(self.table, self.day, w, asked, missing=self.missing)

    def diagram(self, now: int) -> Figure:
        """Draw the tree so far, and all ways of the followed day with its fractions."""
        step = self.steps[now]
        leaves = self._leaves(step)
        says = list(self.placed.says)
        for leaf in leaves:
            says[leaf] += f", weight {number(self.w[leaf, self.day - 1], 2)}"
        ways = [step.way(leaf) for leaf in leaves]
        placed = replace(self.placed, says=says)
        return tree_diagram.draw(placed, states(step, self.whole), ways[0], step.node, ways[1:])

    def gains(self, now: int) -> Figure:
        """Draw the gain of every attribute at the node that is asked (at the start: the root)."""
        step, names = self.steps[now], list(self.table.attributes)
        found = {each.attribute: each for each in step.candidates}
        best = step.attribute[step.node] if step.node >= 0 else -1
        texts = {A: f"{each.gain:.3f}" for A, each in found.items()}
        return bars(
            names, [found[A].gain if A in found else 0.0 for A in range(len(names))],
            [texts.get(A, "asked above, or not known") for A in range(len(names))], best,
            {"range": [0, 1.35 * self.highest or 1.0],
             "title": {"text": "gain, bits", "standoff": 2}},
        )  # fmt: skip

    def caption(self, now: int) -> str:
        """Write which question was asked, its shares and gain, and the followed day's vote."""
        step = self.steps[now]
        if now == 0:
            gone = int(self.missing.sum())
            what = (
                f"Nothing is asked yet: one leaf with {self._signed(step.counts[0])}. "
                f"{counted(gone, 'value')} of {self.missing.size} {'is' if gone == 1 else 'are'} "
                "missing."
            )
            rule = f"Gains: {self._gains(step.candidates)}.{_ENDINGS[step.event]}"
        else:
            what, rule = self._asked(step)
        return f"{what}\n{rule}\n{self._vote(step)}"

    def ask(self, now: int, rng: Generator) -> question.Question | None:
        """Ask for the next attribute; not at the root, whose gains the first caption shows."""
        before, after = self.steps[now], self.steps[now + 1]
        if now == 0:
            return None
        names = [self.table.attributes[each.attribute] for each in after.candidates]
        gains = [each.gain for each in after.candidates]

        def reason(first: int, second: int) -> str:
            return (
                f"{names[first]} gains {gains[first]:.3f} there, {names[second]} "
                f"{gains[second]:.3f}."
            )

        text = (
            f"Next is the leaf with {self._signed(before.counts[after.node])}. Which attribute is "
            "it asked about?"
        )
        return which_most(text, [Option(name) for name in names], gains, reason)

    def _leaves(self, step: FractionsStep) -> list[int]:
        """Return the leaves that a fraction of the followed day reaches, the largest first."""
        w = self.w[step.leaves, self.day - 1]
        order = np.argsort(-w, kind="stable")
        return step.leaves[order[w[order] > LITTLE]].tolist()

    def _asked(self, step: FractionsStep) -> tuple[str, str]:
        """Write which attribute is asked at which node, the shares, and the gain."""
        asked, counts = step.chosen, step.counts[step.node]
        assert asked
        name, values = self.table.attributes[asked.attribute], self.table.values[asked.attribute]
        where = " and ".join(conditions(self.table, step, step.node))
        several = (self.w[step.node] > LITTLE) & self.missing[:, asked.attribute]
        goes = (
            f"{counted(int(several.sum()), 'day')} without it "
            f"{'goes' if several.sum() == 1 else 'go'} down every branch"
            if several.any() else "it is known for every day here"
        )  # fmt: skip
        what = (
            f"{'Where ' + where if where else 'At the root'}, with {self._signed(counts)}: ask "
            f"about {name}, the largest gain; {goes}."
        )
        shares = ", ".join(
            f"p({value}) = {number(p, 2)}" for value, p in zip(values, asked.p, strict=True)
        )
        sums, n = np.array(asked.counts).sum(axis=1), float(counts.sum())
        below = [
            f"({number(size)}/{number(n)}) · {float(entropy(np.array(part))):.3f}"
            for size, part in zip(sums.tolist(), asked.counts, strict=True)
        ]
        terms = " − ".join([f"{float(entropy(counts)):.3f}", *below])
        others = [each for each in step.candidates if each is not asked]
        rest = f"; {self._gains(others)}" if others else ""
        return what, f"{shares}. Gain = {terms} = {asked.gain:.3f}{rest}.{_ENDINGS[step.event]}"

    def _vote(self, step: FractionsStep) -> str:
        """Write what the leaves say together about the day to follow."""
        table, leaves = self.table, self._leaves(step)
        example = self.examples[self.day - 1][None]
        P = step.predict_proba(example)[0]
        k, truth = int(P.argmax()), int(table.labels[self.day - 1])
        terms = [
            f"{number(self.w[leaf, self.day - 1], 2)} · {number(step.shares[leaf, k], 2)}"
            for leaf in leaves[:_MOST]
        ]
        more = " + …" if len(leaves) > _MOST else ""
        ending = "." if k == truth else f", which is wrong: it was {table.classes[truth]}."
        return (
            f"Day {self.day}, by its weight in every leaf: P({table.classes[k]}) = "
            f"{' + '.join(terms)}{more} = {number(float(P[k]), 2)}{ending}"
        )

    def _gains(self, questions: Sequence[FractionQuestion]) -> str:
        ranked = sorted(questions, key=lambda each: -each.gain)
        return ", ".join(
            f"{self.table.attributes[each.attribute]} {each.gain:.3f}" for each in ranked
        )

    def _signed(self, counts: ndarray) -> str:
        """Write how many examples of every class there are, in fractions."""
        return " and ".join(
            f"{number(count)} {name}"
            for count, name in zip(counts.tolist(), self.table.classes, strict=True)
        )

    def _diagram(self) -> Diagram:
        """Place the nodes, and write at each what it asks or predicts."""
        last, table = self.whole, self.table
        answers = [""] * len(last.attribute)
        for node, children in enumerate(last.children):
            for value, child in enumerate(children[children >= 0].tolist()):
                name = table.values[last.attribute[node]][value]
                share = float(last.share[child])
                answers[child] = f"{name} {number(share, 2)}" if share else name
        label = last.shares.argmax(axis=1)
        return Diagram(
            tree_diagram.layout(last.parent),
            last.counts,
            label,
            tests=[table.attributes[A] + "?" if A >= 0 else "" for A in last.attribute.tolist()],
            answers=answers,
            says=[table.classes[k] for k in label.tolist()],
        )
