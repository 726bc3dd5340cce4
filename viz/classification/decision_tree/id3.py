"""ID3: one question after another about categories; the table, the tree and the gains."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.criterion import FORMULAS, NUNEZ, TAN, Criterion
from algorithms.classification.decision_tree.id3 import Id3Step, Question
from algorithms.classification.decision_tree.play_tennis import Table
from viz.classification.decision_tree import id3_table, tree_diagram
from viz.classification.decision_tree.attribute_tree import TITLE, bars, conditions, states
from viz.classification.decision_tree.marks import RULES
from viz.classification.decision_tree.tree_diagram import Diagram
from viz.core import question
from viz.core.question import Option
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Run, View
from viz.core.show import Show

_ENDINGS = {
    None: "",
    "pure": " Done: every leaf holds one class.",
    "no attribute left": " Done: nothing is left to ask where classes are still mixed.",
}


class Asking(Show[Id3Step]):
    """Questions about the examples of a table, one after another."""

    opens = 2

    note = (
        "Quinlan's table of 14 days; the points on the board are not used. An answer has the "
        "colour of its days' commonest class, fainter if they are more mixed. Days at other nodes "
        "are dim. In the tree, a leaf with days of both classes is hollow, a ring marks the "
        "question, and the bold line is the way of the day to follow. The course notes cut after "
        "three digits: they print 0.970, 0.570 and 0.019, where a rounded value would be "
        "0.971, 0.571 and 0.020."
    )

    def __init__(
        self,
        run: Run,
        table: Table,
        day: int,
        how: Criterion = Criterion(),  # noqa: B008, it is frozen
        plain: Run | None = None,
    ) -> None:
        """Place the nodes of the last step's tree.

        day : the example to follow, from 1. how : what the attributes are compared by. plain : the
        run by the gain alone, if costs count.
        """
        super().__init__(run)
        self.how, self.plain = how, plain
        self.table, self.day, self.example = table, day, table.examples[day - 1]
        self.whole = self.steps[-1]
        self.placed = _diagram(table, self.whole)
        self.details = [(RULES, rules(table, self.whole))]

    def views(self) -> list[View]:
        """Return the table, the tree and the gains."""
        picture = "The examples at this node, and how pure every answer is"
        why = "Why this question: the gain of every attribute"
        if self.how.counts_costs:
            why = "Why this question: the gain and the cost of every attribute"
        return [
            View(picture, self.picture),
            View(TITLE, self.diagram),
            View(why, self.gains, ahead="at the start"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the table."""
        step, here = self.steps[now], np.ones(len(self.table.labels), bool)
        if now:
            here = self.steps[now - 1].apply(self.table.examples) == step.node
        asked = int(step.attribute[step.node]) if step.node >= 0 else -1
        costs = self.how.costs if self.how.counts_costs else ()
        return id3_table.draw(self.table, self.day, here, asked, costs)

    def diagram(self, now: int) -> Figure:
        """Draw the tree so far and the path of one example through it."""
        step = self.steps[now]
        way = step.way(int(step.apply(self.example[None])[0]))
        return tree_diagram.draw(self.placed, states(step, self.whole), way, step.node)

    def gains(self, now: int) -> Figure:
        """Draw what every attribute is worth at the node that is asked (at the start: the root)."""
        step, names = self.steps[now], list(self.table.attributes)
        found = {each.attribute: each for each in step.candidates}
        best = step.attribute[step.node] if step.node >= 0 else -1
        costly = self.how.counts_costs
        title = FORMULAS[self.how.name] if costly else "gain, bits"
        highest = max((self._length(each) for each in step.candidates), default=0.0)
        axis = {"range": [0, (2.7 if costly else 1.35) * highest or 1.0]}
        return bars(
            names, [self._length(found[A]) if A in found else 0.0 for A in range(len(names))],
            [self._worth(found.get(A)) for A in range(len(names))], best,
            axis | {"title": {"text": title, "standoff": 2}},
        )  # fmt: skip

    def caption(self, now: int) -> str:
        """Write which question was asked and why, with the numbers in its gain."""
        step, table = self.steps[now], self.table
        if now == 0:
            ranked = sorted(step.candidates, key=lambda each: -each.score)
            entropy = f"Entropy = {_entropy_sum(step.counts[0])} = {step.entropies[0]:.4f} bits."
            what = f"Nothing is asked yet: one leaf with {_signed(table, step.counts[0])}."
            called = f"{self._score().capitalize()}s"
            if self.how.counts_costs:
                called = f"Values of {self._score()}"
            rule = f"{entropy} {called}: {_scores(table, ranked)}."
        else:
            what, rule = self._asked(step)
        return f"{what}\n{rule}\n{self._followed(step)}"

    def ask(self, now: int, rng: Generator) -> question.Question | None:
        """Ask for the next attribute; not at the root, whose gains the first caption shows."""
        before, after = self.steps[now], self.steps[now + 1]
        if now == 0:
            return None
        names = [self.table.attributes[each.attribute] for each in after.candidates]
        scores = [each.score for each in after.candidates]

        def reason(first: int, second: int) -> str:
            return (
                f"{names[first]} is worth {scores[first]:.4f} there, {names[second]} "
                f"{scores[second]:.4f}."
            )

        examples = _signed(self.table, before.counts[after.node])
        text = f"Next is the leaf with {examples}. Which attribute is it asked about?"
        return which_most(text, [Option(name) for name in names], scores, reason)

    def _asked(self, step: Id3Step) -> tuple[str, str]:
        """Write which attribute is asked at which node, and its gain with the numbers."""
        table, counts = self.table, step.counts[step.node]
        asked = next(q for q in step.candidates if q.attribute == step.attribute[step.node])
        name, n, before = table.attributes[asked.attribute], int(counts.sum()), step.entropies
        terms = [
            f"({sum(answer)}/{n}) · {_bits(float(before[child]))}"
            for answer, child in zip(asked.counts, step.children[step.node], strict=False)
        ]
        where = " and ".join(conditions(table, step, step.node))
        what = (
            f"{'Where ' + where if where else 'At the root'}, with {_signed(table, counts)}: ask "
            f"about {name}, {self._why()}."
        )
        others = [each for each in step.candidates if each is not asked]
        own = self._own_score(asked)
        parts = " − ".join([f"{before[step.node]:.4f}", *terms])
        rest = f"; {_scores(table, others)}" if others else ""
        rule = (
            f"Gain is the entropy here minus that after the answer: {parts} = {step.gain:.4f}{own}"
            f"{rest}.{_ENDINGS[step.event]}"
        )
        return what, rule

    def _followed(self, step: Id3Step) -> str:
        """Write what the tree predicts for the day to follow, and whether it is right."""
        table, leaf = self.table, int(step.apply(self.example[None])[0])
        rule = " and ".join(conditions(table, step, leaf)) or "nothing is asked"
        says, truth = table.classes[step.label[leaf]], table.classes[table.labels[self.day - 1]]
        ending = "." if says == truth else f", which is wrong: it was {truth}."
        spent = self._spent(step) if self.how.counts_costs else ""
        return f"Day {self.day}: {rule}, so {table.target} = {says}{ending}{spent}"

    def _spent(self, step: Id3Step) -> str:
        """Write what the questions about the day cost, and those about a day on average."""
        costs, table = self.how.costs, self.table
        way = step.way(int(step.apply(self.example[None])[0]))
        asked = [costs[A] for A in step.attribute[way].tolist() if A >= 0]
        if not asked:
            return ""
        terms = " + ".join(f"{cost:g}" for cost in asked)
        total = f"{terms} = {sum(asked):g}" if len(asked) > 1 else terms
        mean = float(step.spent(table.examples, costs).mean())
        text = f" Its questions cost {total}, those of a day on average {mean:.1f}"
        if step.event and self.plain:
            before = float(self.plain.steps[-1].spent(table.examples, costs).mean())
            text += f" (in the tree by the gain alone {before:.1f})"
        return f"{text}."

    def _length(self, asked: Question) -> float:
        """Return the length of an attribute's bar: the gain, or the score if costs count."""
        return asked.score if self.how.counts_costs else asked.gain

    def _worth(self, asked: Question | None) -> str:
        """Write what an attribute is worth, beside its bar."""
        if asked is None:
            return "asked above"
        if self.how.counts_costs:
            cost = self.how.costs[asked.attribute]
            return f"{asked.score:.4f}: gain {asked.gain:.3f}, cost {cost:g}"
        if asked.score != asked.gain:
            return f"{asked.gain:.4f}, ratio {asked.score:.4f}"
        return f"{asked.gain:.4f}"

    def _score(self) -> str:
        """Return the name of what the attributes are compared by."""
        return FORMULAS.get(self.how.name, self.how.name)

    def _why(self) -> str:
        """Write why an attribute is asked about."""
        if self.how.counts_costs:
            return "which gains most for its cost"
        return f"the largest {self.how.name}"

    def _own_score(self, asked: Question) -> str:
        """Write the score of an attribute with its numbers, if it is not the gain."""
        cost = self.how.costs[asked.attribute] if self.how.counts_costs else 0
        return {
            "gain": "",
            "gain ratio": f", ratio {asked.score:.4f}",
            TAN: f"; {asked.gain:.4f}² / {cost:g} = {asked.score:.4f}",
            NUNEZ: (
                f"; (2^{asked.gain:.4f} − 1) / ({cost:g} + 1)^{self.how.w:g} = {asked.score:.4f}"
            ),
        }[self.how.name]


def rules(table: Table, step: Id3Step) -> str:
    """Write the tree as a disjunction of conjunctions for every class, one line per leaf."""
    lines = []
    for label, name in enumerate(table.classes):
        leaves = [i for i, a in enumerate(step.attribute) if a < 0 and step.label[i] == label]
        for i, leaf in enumerate(leaves):
            start = f"{name}  ⇐" if i == 0 else "∨".rjust(len(name) + 3)
            tests = " ∧ ".join(conditions(table, step, leaf)) or "always"
            lines.append(f"{start}  ( {tests} )   {step.counts[leaf].sum()} examples")
    return "\n".join(lines)


def _diagram(table: Table, last: Id3Step) -> Diagram:
    """Place the nodes of a tree, and write at each what it asks or predicts."""
    answers = [""] * len(last.parent)
    for node, children in enumerate(last.children):
        for value, child in enumerate(children[children >= 0]):
            answers[child] = table.values[last.attribute[node]][value]
    return Diagram(
        tree_diagram.layout(last.parent),
        last.counts,
        last.label,
        tests=[table.attributes[a] + "?" if a >= 0 else "" for a in last.attribute],
        answers=answers,
        says=[
            _leaf(table, counts, label)
            for counts, label in zip(last.counts, last.label.tolist(), strict=True)
        ],
        hollow=True,
    )


def _leaf(table: Table, counts: ndarray, label: int) -> str:
    """Write what a leaf predicts, or of a mixed one how many examples of each class it has."""
    if np.count_nonzero(counts) < 2:
        return table.classes[label]
    pairs = zip(counts.tolist(), table.classes, strict=True)
    return ", ".join(f"{count} {name}" for count, name in pairs if count)


def _scores(table: Table, questions: Sequence[Question]) -> str:
    return ", ".join(f"{table.attributes[each.attribute]} {each.score:.4f}" for each in questions)


def _signed(table: Table, counts: ndarray) -> str:
    return " and ".join(
        f"{count} {name}" for count, name in zip(counts.tolist(), table.classes, strict=True)
    )


def _bits(entropy: float) -> str:
    return f"{entropy:.4f}" if entropy else "0"


def _entropy_sum(counts: ndarray) -> str:
    n = counts.sum()
    return " ".join(f"− {c}/{n} log₂ {c}/{n}" for c in counts.tolist() if c)
