"""A tree grows: a leaf is split at its best cut, step by step."""

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.cuts import highest_impurity, impurity_curve
from algorithms.classification.decision_tree.decision_tree import DecisionTreeStep, impurity
from algorithms.classification.decision_tree.prune import size_curve
from algorithms.classification.decision_tree.rules import Rules
from algorithms.classification.decision_tree.split import TIE, Split
from viz.classification.decision_tree import next_split, tree_diagram
from viz.classification.decision_tree.marks import LAYERS, LETTERS, RULES, Boxes, rules, test
from viz.classification.decision_tree.tree_diagram import ABSENT, INNER, LEAF
from viz.core import curves, panels, plane, what_if
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number

_MOST_CUTS = 32  # of an impurity curve
_REASONS = {
    "max_depth": "at the depth limit",
    "min_samples_leaf": "with too few or only equal points to cut",
    "min_gain": "without a cut that gains enough",
    "significance": "without a significant cut",
}


class Growing(Show[DecisionTreeStep]):
    """The splits, why each of them is the best, and the errors while the tree grows."""

    unit = "split"
    opens = 2

    def __init__(self, run: Run, data: Plane, query: ndarray, held: ndarray, how: Rules) -> None:
        """Count the errors of all steps. query, held : see `Boxes`. how : the tree's rules."""
        super().__init__(run, data)
        whole = self.steps[-1].tree
        self.boxes, self.how = Boxes(data, query, held, whole), how
        # A row per step: leaves, training errors, held-out errors, description length.
        self.sizes = size_curve(self.steps, data.X[held], data.labels[held])
        self.highest = highest_impurity(self.steps, how.criterion)
        most, points = whole.counts.max(axis=1).tolist(), whole.counts.sum(axis=1).tolist()
        self.leaves = [f"{count}/{n}" for count, n in zip(most, points, strict=True)]
        self.note = self.boxes.note(
            " Beside a leaf, where there is room: how many of its points have the class that the "
            "leaf predicts."
        )
        self.details = [(RULES, rules(whole, data))]

    def views(self) -> list[View]:
        """Return the picture, the diagram, the cuts and, if points are held out, the errors."""
        why = "Impurity after each possible cut; dashed: before"
        views = [
            View("Leaves, cuts and points", self.picture, layers=LAYERS),
            View("The tree; ring: now; bold: picked point's way", self.diagram, height=1.3),
            View(why, self.why, ahead="at the start"),
        ]
        if self.boxes.testing:
            views.insert(2, View("Errors while it grows", self.errors, ahead="by step"))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the tree on the plane."""
        return self.boxes.picture(self.steps[now].tree, self.steps[now].node)

    def diagram(self, now: int) -> Figure:
        """Draw the tree so far, which has the whole place, with the path of the picked point."""
        step, tree, whole = self.steps[now], self.steps[now].tree, self.boxes.diagram
        known = len(tree.feature)  # the others are still to come
        state = np.full(len(whole.tests), ABSENT)
        state[:known] = np.where(tree.feature >= 0, INNER, LEAF)
        tests = [
            text * bool(inner) for text, inner in zip(whole.tests, state == INNER, strict=True)
        ]
        place = tree_diagram.layout(self.boxes.whole.parent, known)
        drawn = replace(whole, place=place, tests=tests, sizes=self.leaves)
        way = self.boxes.whole.path(self.boxes.query)
        return tree_diagram.draw(drawn, state, way, step.node)

    def errors(self, now: int) -> Figure:
        """Draw the shares of training and held-out errors against the number of splits."""
        shares, last = self._shares_wrong(), len(self.steps) - 1
        traces = []
        for j, (name, stroke) in enumerate((("training", {"color": GREY}), ("held out", {}))):
            here = curves.marked(now, float(shares[now, j]), showlegend=False)
            traces += [_against_splits(shares[:, j], name, width=2.5, **stroke), here]
        across = panels.axis("splits", 0, last) | ({"dtick": 1} if last < 8 else {})
        panel = Panel(traces, across, panels.axis("% wrong", 0, max(float(shares.max()), 10.0)))
        return curves.with_legend(panels.alone(panel))

    def why(self, now: int) -> Figure:
        """Draw the impurity that every cut of the chosen node would leave, a panel per feature."""
        left, right = (self._cut_curve(feature, now) for feature in (0, 1))
        before, gains = self._before(now), [cut.gain for cut in self.steps[now].candidates]
        fall = max([*gains, 0.02 * self.highest])
        levels = {"range": [before - 1.25 * fall, before + 0.25 * fall], "nticks": 4}
        left.y = levels | {"title": {"text": self.how.criterion}}
        right.y = levels | {"showticklabels": False}
        figure = panels.side_by_side(left, right, split=0.47, room=0.06)
        figure["layout"]["margin"]["b"] = 74  # for three lines
        return figure

    def caption(self, now: int) -> str:
        """Write the split, the gain in numbers, what comes next, and the picked point's rule."""
        step, rule = self.steps[now], self.boxes.rule(self.steps[now].tree)
        plainly = f"{self._plainly(step)}; {self._purer(now)}{self._wrong(now)}."
        if step.chosen is None:
            counts = " + ".join(str(count) for count in step.tree.counts[0].tolist())
            start = f"Points by class: {counts}."
            start += self._ending(now) or " The best of all cuts comes first."
            return f"{plainly}\n{start}{self._test(step)}\n{rule}"
        turn = self._only_purer(step, step.chosen)
        if not turn and not step.by_hand:
            turn = self._turn(step)
        why = f"{turn}{self._ending(now) or _no_gain(step)}{self._test(step)}"
        return f"{plainly}\n{self._gain(step, step.chosen)}{why}\n{rule}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the leaf or for the cut of the next split."""
        return next_split.ask(self.boxes, self.steps, self.how, now, rng)

    def found(self, now: int) -> Regions:
        """Return the classes of the leaves' boxes."""
        return self.boxes.found(self.steps[now].tree)

    def ghost(self, since: int, now: int) -> list[list[dict]]:
        """Return the cuts made from one step to another, and the errors."""
        nodes = [step.node for step in self.steps[since : now + 1]]
        cuts = [what_if.path(self.boxes.cuts(nodes))]
        if not self.boxes.testing:
            return [cuts]
        return [cuts, [], [what_if.curve(share, since) for share in self._shares_wrong().T]]

    def _shares_wrong(self) -> ndarray:
        """Return (steps, 2) shares of training and held-out errors, in %."""
        return 100 * self.sizes[:, 1:3] / np.array([self.boxes.training, self.boxes.testing])

    def _cut_curve(self, feature: int, now: int) -> Panel:
        """Draw the impurity that each cut of a feature would leave; dashed, the impurity before."""
        step, data, criterion = self.steps[now], self.data, self.how.criterion
        node, before = max(step.node, 0), self._before(now)
        here = step.tree.passes(node, data.X) & ~self.boxes.held
        by_hand = (step.chosen,) if step.by_hand else ()
        cuts = [cut for cut in (*by_hand, *step.candidates) if cut and cut.feature == feature]
        cut = cuts[0] if cuts else None
        taken = cut is not None and cut is step.chosen
        ends = self.boxes.frames[node][2 * feature : 2 * feature + 2].tolist()
        level = np.array([[ends[0], before], [ends[1], before]])
        curve = impurity_curve(data.X[here, feature], data.labels[here], criterion=criterion)
        look = {"symbol": 0, "line": {"width": 0}} | curves.DOT
        if not taken:
            look = curves.RING | {"line": {"width": 1.5}}
        traces = [
            plane.line(level, line={"width": 1.5, "dash": "dash"}),
            plane.line(
                np.column_stack(_thinned(*curve)),
                mode="lines+markers", line={"width": 2}, marker={"size": 3},
            ),
            curves.marked(
                cut.threshold if cut else ends[0],
                before - cut.gain if cut else -1.0,
                cliponaxis=True,
                marker=look,
            ),
        ]  # fmt: skip
        title = {"text": _worth(data.names[feature], cut, taken), "standoff": 2}
        room = 0.05 * (ends[1] - ends[0])
        across = {
            "range": [ends[0] - room, ends[1] + room],
            "nticks": 6,
            "title": title | {"font": {"size": 14}},
        }
        return Panel(traces, across, {})

    def _before(self, now: int) -> float:
        """Return the impurity of the chosen node."""
        step = self.steps[now]
        counts = step.tree.counts[max(step.node, 0)]
        return float(impurity(counts / counts.sum(), self.how.criterion))

    def _plainly(self, step: DecisionTreeStep) -> str:
        """Write which test cuts the box of the leaf."""
        tree, cut, data = step.tree, step.chosen, self.data
        if cut is None:
            says = data.classes[tree.classes[tree.majority[0]]]
            return f"One leaf with all {tree.counts[0].sum()} points predicts “{says}”"
        asked = test(data.names, cut.feature, cut.threshold)
        split = f"Split {len(tree.inner)}{', by hand' * step.by_hand}"
        if step.event in ("pure", "stopped"):
            split += ", the last"
        return f"{split}: {asked} cuts the dotted box in two"

    def _wrong(self, now: int) -> str:
        """Write the counts of errors at this step and at the step before."""
        sizes, training, testing = self.sizes, self.boxes.training, self.boxes.testing
        before = f" (before: {sizes[now - 1, 1]})" if now else ""
        verb = "is" if sizes[now, 1] == 1 else "are"
        points = counted(training, "point")
        text = f"{sizes[now, 1] or 'none'} of {points} {verb} wrong{before}"
        if not testing:
            return text
        before = f" (before: {sizes[now - 1, 2]})" if now else ""
        return f"{text}, and {sizes[now, 2] or 'none'} of {testing} held-out points{before}"

    def _purer(self, now: int) -> str:
        """Write what a split is good for that leaves as many training points wrong as before."""
        if not now or self.sizes[now, 1] != self.sizes[now - 1, 1] or self.steps[now].gain <= TIE:
            return ""
        return "the halves are purer on average, but still "

    def _gain(self, step: DecisionTreeStep, cut: Split) -> str:
        """Write the gain with its numbers, and the best cuts of the other features."""
        size, left, right = (sum(part) for part in (cut.total, cut.left, cut.right))
        before, low, high = (
            float(impurity(np.array(counts) / sum(counts), self.how.criterion))
            for counts in (cut.total, cut.left, cut.right)
        )
        ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
        others = [
            f"{test(self.data.names, other.feature, other.threshold)} "
            f"gains {'only ' * (other.gain < cut.gain)}{other.gain:.3f}"
            for other in step.candidates
            if other is not cut
        ]
        return (
            f"Gain, how far the {self.how.criterion} falls: {before:.3f} − ({left}/{size}) · "
            f"{low:.3f} − ({right}/{size}) · {high:.3f} = {step.gain:.3f}{ratio}; "
            f"{', '.join(others) or 'no other feature can be cut'}."
        )

    def _only_purer(self, step: DecisionTreeStep, cut: Split) -> str:
        """Write why a split is made that changes no prediction, or nothing."""
        left, right = (np.argmax(counts) for counts in (cut.left, cut.right))
        if left != right or step.gain <= TIE:
            return ""
        says = self.data.classes[step.tree.classes[left]]
        return f" Both leaves still predict “{says}”."

    def _turn(self, step: DecisionTreeStep) -> str:
        """Write why this leaf was split now."""
        if self.how.order != "best first":
            return " Depth first: the newest leaf."
        n, size = (int(step.tree.counts[node].sum()) for node in (0, step.node))
        return (
            f" Best first: the largest (n/N) · gain, ({size}/{n}) · {step.gain:.3f} = "
            f"{size / n * step.gain:.4f}."
        )

    def _test(self, step: DecisionTreeStep) -> str:
        """Compare P of the cut (at the start, the smallest P of all cuts) with the level."""
        level, tried = self.how.significance, sum(cut.tried for cut in step.candidates)
        if level == 1 or not tried:
            return ""
        cut = step.chosen or min(step.candidates, key=lambda cut: cut.p_value)
        p = cut.p_value * (tried if self.how.corrected else 1)
        text = f"P = {number(cut.p_value, 2)}"
        if self.how.corrected:
            text += f", times {tried} cuts {number(p, 2)},"
        return f" Chi-square: {text} {'≤' if p <= level else '>'} α = {level:g}."

    def _ending(self, now: int) -> str:
        """Write how the run ended, and why its mixed leaves are not split."""
        if self.steps[now].event == "pure":
            return " Done: every leaf is pure."
        if self.steps[now].event != "stopped":
            return ""
        fates = Counter(fate for step in self.steps for fate in step.fates)
        kept = [
            (fate, count) for fate, count in fates.most_common() if fate not in ("open", "pure")
        ]
        listed = "; ".join(f"{count} {_REASONS[fate]}" for fate, count in kept)
        return f" Leaves that stay mixed: {listed}."


def _no_gain(step: DecisionTreeStep) -> str:
    """Write why a split is made that gains nothing, or nothing."""
    if step.event != "no gain":
        return ""
    prepares = "open" in step.fates
    return " No gain: the split only prepares the next one." if prepares else " No gain."


def _against_splits(shares: ndarray, name: str, **stroke: object) -> dict:
    return panels.curve(
        plane.packed(np.arange(len(shares))), plane.packed(shares),
        mode="lines+markers", marker={"size": 5}, name=name, line=stroke, showlegend=True,
        hoverinfo="all", hovertemplate=f"%{{x}} splits: {name} %{{y:.3g}} %<extra></extra>",
    )  # fmt: skip


def _thinned(thresholds: ndarray, after: ndarray) -> tuple[ndarray, ndarray]:
    """Return fewer cuts where they are too dense to see: the lowest of every few neighbours."""
    if len(after) <= _MOST_CUTS:
        return thresholds, after
    parts = np.array_split(np.arange(len(after)), _MOST_CUTS)
    kept = [part[after[part].argmin()] for part in parts]
    return thresholds[kept], after[kept]


def _worth(name: str, cut: Split | None, taken: bool) -> str:
    short = panels.label(name, LETTERS)
    if cut is None:
        return f"{short}<br>no cut"
    ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
    texts = f"≤ {number(cut.threshold)}", f"gains {cut.gain:.3f}{ratio}"  # two fit side by side
    return "<br>".join([short, *(f"<b>{text}</b>" if taken else text for text in texts)])
