"""A tree is read as rules, and each rule loses conditions: its box grows on the picture."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.rule_post_pruning import Rule, RulesStep, Trial
from viz.classification.decision_tree.marks import CELLS, condition, conditions, in_words, outline
from viz.classification.decision_tree.rule_list import RuleList
from viz.core import curves, panels, plane, what_if
from viz.core.found import Regions
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, decimal

_BOX, _BEFORE, _DECIDES = (
    "where the rule holds", "where it held before", "where the picked point's rule holds"
)  # fmt: skip
_LAYERS = (
    Layer("the rule", (_BOX,), on=True),
    Layer("the rule before", (_BEFORE,), on=True),
    Layer("the picked point's rule", (_DECIDES,), on=False),
)
_STRENGTH = "full: held-out points for which the rule holds; only these count for its estimate"
_MOST = 3  # other conditions whose estimates are written


class RulePruning(Show[RulesStep]):
    """The box of the rule at hand, the list of all rules, and the held-out errors."""

    opens = 4

    note = (
        "A rule is struck out condition by condition. Rules overlap where the first one in the "
        "list decides: the tree's order while they are pruned, the order of their estimates at "
        "the end. The points that are held out are drawn at random. The tree did not grow on "
        "them, but the rules and the pruned tree are chosen on them, so that their held-out "
        "errors are optimistic."
    )

    def __init__(self, run: Run, data: Plane, query: ndarray, held: ndarray, pruned: Run) -> None:
        """Prepare the list and the errors.

        query : the picked point. held : (n,) which points are held out. pruned : the same tree,
        pruned by reduced error on the same points.
        """
        super().__init__(run, data)
        self.query, self.held, self.testing = query, held, int(held.sum())
        self.list = RuleList(self.steps[0].rules, data)
        self.errors = [step.errors for step in self.steps]
        self.tree, self.pruned = self.errors[0], pruned.steps[-1].errors
        self.details = [("The rules at the end, in the order of their estimates", self._text())]

    def views(self) -> list[View]:
        """Return the picture, the list of rules, and the errors."""
        return [
            View("The rule's box, and what all rules predict", self.picture, layers=_LAYERS),
            View("The rules and their estimates A", self.rules, height=1.4, board=False),
            View("Held-out errors", self.curve, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw what the rules predict, the box of the rule at hand, and its held-out points."""
        step, data, at = self.steps[now], self.data, self._at(now)
        rule = step.rules[at]
        before = self.steps[now - 1].rules[at] if step.rule >= 0 else rule
        decides = self._deciding(step)
        labels, estimates = np.array([each.label for each in step.rules]), step.estimates
        certain = plane.certainty(estimates, len(step.classes)).clip(0, 1)[decides]
        picked = int(step.deciding(self.query[None])[0])
        traces = [
            plane.regions(labels[decides], certain, data.bounds),
            self._outlined(before, _BEFORE, width=3, dash="dot"),
            self._outlined(rule, _BOX, width=4),
            self._outlined(step.rules[picked], _DECIDES, width=2.5, dash="dash"),
        ]
        counts = self.held & (rule.holds(data.X) | (step.event == "sorted"))
        points = plane.points(
            data.X, data.labels, wrong=step.predict(data.X) != data.labels, held=self.held,
            strength=np.where(counts, 1.0, 0.3),
        )  # fmt: skip
        signs = {"strength": _STRENGTH}
        return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)

    def rules(self, now: int) -> Figure:
        """Draw the list of the rules."""
        return self.list.draw(self.steps[now], self._at(now))

    def curve(self, now: int) -> Figure:
        """Draw the held-out errors of the rules, and those of the grown and of the pruned tree."""
        last = len(self.steps) - 1
        x = np.arange(last + 1)
        most = max(*self.errors, self.pruned, 1)
        traces = [
            panels.curve(x.tolist(), [level] * (last + 1), name=name, showlegend=True, line=line)
            for name, level, line in (
                ("grown tree", self.tree, {"width": 2, "dash": "dash"}),
                ("pruned tree", self.pruned, {"width": 2, "dash": "dot"}),
            )
        ]
        rules = panels.curve(
            x.tolist(), self.errors, name="rules", showlegend=True, line={"width": 3}
        )
        mark = curves.marked(now, self.errors[now], showlegend=False)
        across = panels.axis("step", 0, max(last, 1))
        up = panels.axis("errors", 0, most)
        return curves.with_legend(panels.alone(panels.Panel([*traces, rules, mark], across, up)))

    def caption(self, now: int) -> str:
        """Write which rule lost which condition, the estimates, and the picked point's rule."""
        step = self.steps[now]
        if step.event == "sorted":
            what, rule = self._sorted(now)
        elif step.rule < 0:
            what = (
                f"The tree as rules, one for each of its {len(step.rules)} leaves, with "
                f"{step.conditions} conditions in all: {self._wrong(now)}."
            )
            rule = f"A rule's estimate is A = (r + 1)/(n + K). {self._estimate(step, 0)}"
        else:
            what, rule = self._removed(now)
        return f"{what}\n{rule}\n{self._picked(step)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which condition goes next, or which rule comes first when they are sorted."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.event == "sorted":
            estimates = before.estimates.tolist()
            options = [Option(f"rule {r + 1}") for r in range(len(estimates))]
            return which_most(
                "All rules are pruned. Which of them is asked first?", options, estimates,
                lambda i, j: (
                    f"{self._estimate(before, i)} The next is rule {j + 1}, with "
                    f"{decimal(estimates[j])}."
                ),
            )  # fmt: skip
        best = next(trial for trial in after.tried if trial.condition == after.removed)
        rest = [trial for trial in after.tried if trial.estimate < best.estimate]
        rest.sort(key=lambda trial: -trial.estimate)
        if not rest:
            return None
        r, K = after.rule, len(after.classes)
        named = [condition(self.data.names, after.rules[r], c.condition) for c in (best, *rest)]
        options = [Option(f"the condition {text}") for text in named]
        reason = (
            f"Without {named[0]} the estimate is {_fraction(best, K)}, without {named[1]} it is "
            f"{_fraction(rest[0], K)}."
        )
        return question(f"What does rule {r + 1} lose next?", options[0], options[1:], reason)

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        step = self.steps[now]
        labels = np.array([each.label for each in step.rules])
        return Regions(labels[self._deciding(step)])

    def ghost(self, since: int, now: int) -> list[list[dict]]:
        """Return the box of the rule at hand, and the errors."""
        box = what_if.path(outline(self._frame(self.steps[now].rules[self._at(now)])))
        return [[box], [], [what_if.curve(self.errors, since)]]

    def _at(self, now: int) -> int:
        """Return the rule that a step shows: the one that lost a condition, or the first one."""
        step = self.steps[now]
        return step.rule if step.rule >= 0 else int(step.order[0])

    def _deciding(self, step: RulesStep) -> ndarray:
        """Return the rule that decides about every cell of the picture, row 0 at the bottom."""
        x, y, _ = plane.grid(self.data.bounds, CELLS)
        decides = np.zeros((len(y), len(x)), int)
        for r in step.order[::-1].tolist():
            (left, bottom), (right, top) = step.rules[r].box(2)
            rows, columns = (y > bottom) & (y <= top), (x > left) & (x <= right)
            decides[np.ix_(rows, columns)] = r
        return decides

    def _frame(self, rule: Rule) -> ndarray:
        """Return what the picture shows of a rule's box: left, right, bottom, top."""
        left, right, bottom, top = self.data.bounds
        return np.clip(rule.box(2), [left, bottom], [right, top]).T.ravel()

    def _outlined(self, rule: Rule, name: str, **stroke: object) -> dict:
        return plane.line(outline(self._frame(rule)), line=stroke, name=name)

    def _removed(self, now: int) -> tuple[str, str]:
        """Write which condition went, and the estimates with and without it."""
        step, before = self.steps[now], self.steps[now - 1]
        r, K = step.rule, len(step.classes)
        rule, n, n_before = step.rules[r], int(step.covered[r]), int(before.covered[r])
        hand = ", by hand," if step.event == "removed by hand" else ""
        what = f"Rule {r + 1}{hand} loses {condition(self.data.names, rule, step.removed)}"
        if n == n_before:
            what += f" and still holds for the same {counted(n, 'held-out point')}."
        else:
            right, was = int(step.right[r]), int(before.right[r])
            says = f"still right for {right}" if right == was else f"right for {right}, not {was}"
            what += f": it holds for {n} held-out points, not {n_before}, and is {says}."
        chosen = next(trial for trial in step.tried if trial.condition == step.removed)
        others = sorted(
            (trial for trial in step.tried if trial is not chosen), key=lambda each: -each.estimate
        )[:_MOST]
        old = Trial(-1, int(before.right[r]), n_before, float(before.estimates[r]))
        sign = "≥" if chosen.estimate >= old.estimate else "<"
        worths = ", ".join(
            f"{decimal(each.estimate)} without {condition(self.data.names, rule, each.condition)}"
            for each in others
        )
        than = f" The others: {worths}." if others else ""
        return what, (
            f"A = {_fraction(chosen, K)} {sign} {_fraction(old, K)} with it.{than}"
            f"{self._in_the_list(now)}{self._ending(step)}"
        )

    def _in_the_list(self, now: int) -> str:
        """Write how many errors the list makes, if the wider rule changed that."""
        errors, before = self.errors[now], self.errors[now - 1]
        if errors == before:
            return ""
        return (
            f" The list makes {counted(errors, 'error')}, not {before}: this rule now decides for "
            "points that a later one decided for."
        )

    def _ending(self, step: RulesStep) -> str:
        """Write why a rule is done, if it is."""
        if step.event != "rule pruned":
            return ""
        if not step.rules[step.rule].kept.any():
            return f" Rule {step.rule + 1} always holds now."
        return f" Rule {step.rule + 1} is done: A would fall without any other condition."

    def _sorted(self, now: int) -> tuple[str, str]:
        """Write which rules come first and last, and the errors of the trees and the rules."""
        step, first, last = self.steps[now], *self.steps[now].order[[0, -1]].tolist()
        estimates = step.estimates
        before = f" (before: {self.errors[now - 1]})" if now else ""
        what = (
            f"Sorted by A, rule {first + 1} is asked first and rule {last + 1} last: "
            f"{self._wrong(now)}{before}."
        )
        if len(step.rules) == 1:
            what = f"A single leaf is a single rule, which always holds: {self._wrong(now)}."
        conditions = sum(len(rule.kept) for rule in step.rules)
        return what, (
            f"A = {decimal(float(estimates[first]))} for the first, "
            f"{decimal(float(estimates[last]))} for the last. {step.conditions} of {conditions} "
            f"conditions are left. Held-out errors: grown tree {self.tree}, pruned tree "
            f"{self.pruned}, rules {step.errors}."
        )

    def _wrong(self, now: int) -> str:
        verb = "is" if self.errors[now] == 1 else "are"
        return f"{self.errors[now] or 'none'} of {self.testing} held-out points {verb} wrong"

    def _estimate(self, step: RulesStep, r: int) -> str:
        """Write the estimate of a rule with its numbers."""
        right, covered = int(step.right[r]), int(step.covered[r])
        whole = Trial(-1, right, covered, float(step.estimates[r]))
        return (
            f"Rule {r + 1} holds for n = {counted(covered, 'held-out point')}, r = {right} of them "
            f"of its class: A = {_fraction(whole, len(step.classes))}."
        )

    def _picked(self, step: RulesStep) -> str:
        """Write which rule decides about the picked point."""
        r = int(step.deciding(self.query[None])[0])
        held = conditions(*step.rules[r].box(2), self.data.names)
        says = self.data.classes[step.rules[r].label]
        return f"The picked point: rule {r + 1} decides, class “{says}” {in_words(held)}."

    def _rule(self, step: RulesStep, r: int) -> str:
        """Write a rule, its conditions combined by feature."""
        held = conditions(*step.rules[r].box(2), self.data.names)
        return f"{held} ⇒ “{self.data.classes[step.rules[r].label]}”"

    def _text(self) -> str:
        """Write the rules of the last step, in their order."""
        step = self.steps[-1]
        return "\n".join(
            f"{place}. rule {r + 1}:  {self._rule(step, r)}   right for {step.right[r]} of "
            f"{step.covered[r]}, A = {decimal(float(step.estimates[r]))}"
            for place, r in enumerate(step.order.tolist(), 1)
        )


def _fraction(trial: Trial, K: int) -> str:
    """Write A = (r + 1)/(n + K) with its numbers."""
    return f"({trial.right} + 1)/({trial.covered} + {K}) = {decimal(trial.estimate)}"
