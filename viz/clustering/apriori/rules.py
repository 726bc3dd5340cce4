"""Association rules: the share of B among the baskets with A, beside its share among all."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.apriori.association_rules import RuleStep, Split
from algorithms.clustering.apriori.examples import Baskets
from viz.clustering.apriori.marks import Table, letters, words
from viz.core import curves, plane
from viz.core.graph import strokes, texts, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted, number, percent

_ALL, _WITH, _TALL = 1.25, 0.0, 0.55  # where the two bars are, and their height
_BOX = (-0.06, 1.06, -0.75, 2.1)
_TITLE = 1.95  # where the rule is written
_MARK = 0.33  # how far the mark of the share among all reaches from the middle of the lower bar
_SAID = 0.42, -0.58  # how far from that middle its share is written: beside words, below them
_ROOM = 0.45  # of the bar: the words above it are shorter
_GAP = 0.0015  # between two baskets of a bar
_BELOW = 0.42  # of a bar's middle: what is written on it
_EVEN = 0.005  # a lift within this of 1 says nothing


class Rules(Show[RuleStep]):
    """Two bars of the same length: all baskets, and those with the antecedent."""

    unit = "rule"
    opens = 7

    def __init__(self, run: Run, table: Baskets, min_confidence: float, edited: int) -> None:
        """Measure all rules. edited : the basket whose items can be changed."""
        super().__init__(run)
        self.baskets, self.least = table, min_confidence
        self.letters = letters(table)
        self.table = Table(table, edited)
        measured = [(step.confidence, step.lift) for step in self.steps[1:]]
        self.measured = np.array(measured).reshape(-1, 2)
        self.kept = self.measured[:, 0] >= min_confidence - 1e-9

    def views(self) -> list[View]:
        """Return the bars, the baskets, and all rules."""
        return [
            View("Baskets with B among all, and among those with A", self.picture, board=False),
            View("The baskets", self.rows, board=False),
            View("Lift against confidence, rule by rule", self.all_rules, board=False),
        ]

    def rows(self, now: int) -> Figure:
        """Draw the baskets, with the items of the rule."""
        A, B = self.steps[now].rule
        return self.table.draw(sorted(A + B))

    def picture(self, now: int) -> Figure:
        """Draw both bars, cut into baskets; those with B come first and are filled."""
        step = self.steps[now]
        bars = [
            (_ALL, step.baskets, step.with_consequent),
            (_WITH, step.with_antecedent, step.with_both),
        ]
        filled, empty = [], []
        for y, total, holding in bars:
            cells = _cells(y, total)
            filled, empty = [*filled, *cells[:holding]], [*empty, *cells[holding:]]
        base = step.base_rate if now else np.nan
        written = np.array([[0.0, y + d] for y, _, _ in bars for d in (_BELOW, -_BELOW)])
        among_all = f"{percent(step.base_rate)} of all" if now else ""
        dotted = {"width": 3, "dash": "dot", "color": PALETTE[1]}
        traces = [
            _filled(filled, PALETTE[0], "a basket with B"),
            _filled(empty, "rgba(122, 127, 135, 0.18)", "a basket without B"),
            plane.line(
                np.array([[base, _WITH - _MARK], [base, _WITH + _MARK]]), line=dotted,
                name="the share of B among all baskets",
            ),
            texts(
                np.array([[0.5, _TITLE]]), [self._rule(step) if now else ""],
                textfont={"size": 20, "weight": 700},
            ),
            texts(
                written, self._written(step), textposition="middle right",
                textfont={"size": 17, "shadow": "auto"},
            ),
            texts(
                np.array([[base, _WITH + _SAID[not base > _ROOM]]]), [among_all],
                textfont={"size": 15, "color": PALETTE[1]},
            ),
        ]  # fmt: skip
        return {"data": traces, "layout": without_axes(_BOX)}

    def _rule(self, step: RuleStep) -> str:
        """Write the rule with the names of its items."""
        A, B = (words(self.baskets, S) for S in step.rule)
        return f"{A} → {B}"

    def _written(self, step: RuleStep) -> list[str]:
        """Write above and below each bar what it shows."""
        if not step.with_antecedent:
            return [f"all {step.baskets} baskets", "", "", ""]
        A, B = (words(self.baskets, S) for S in step.rule)
        return [
            f"all {step.baskets} baskets",
            f"<b>{percent(step.base_rate)}</b> hold {B}",
            f"{counted(step.with_antecedent, 'basket')} with {A}",
            f"<b>{percent(step.confidence)}</b> hold {B}: the confidence",
        ]

    def all_rules(self, now: int) -> Figure:
        """Draw the rules so far, with a dot at the shown one."""
        seen = np.arange(len(self.measured)) < now
        top = max(2.0, 1.1 * float(self.measured[:, 1].max()))
        traces = [
            self._dots(seen & self.kept, {"color": PALETTE[0], "size": 11}, "confident enough"),
            self._dots(seen & ~self.kept, {"color": GREY, "size": 10, "symbol": 4}, "rejected"),
            plane.line(
                np.array([[-0.05, 1.0], [1.05, 1.0]]), line={"width": 1.5, "color": GREY},
                name="lift 1: A says nothing about B",
            ),
            curves.marked(*(self.measured[now - 1].tolist() if now else (-1.0, -1.0)), name="now"),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "confidence", "standoff": 4}, "range": [-0.05, 1.05]},
            yaxis={"title": {"text": "lift"}, "range": [0, top]},
            shapes=[curves.dotted(self.least)],
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def _dots(self, which: ndarray, marker: dict, name: str) -> dict:
        """Draw some of the rules."""
        places = self.measured[which] if which.any() else plane.GAP
        return plane.line(places, mode="markers", marker=marker, name=name, showlegend=True)

    def name(self, rule: Split) -> str:
        """Write a rule by its letters: BE → M."""
        return " → ".join("".join(self.letters[j] for j in S) for S in rule)

    def caption(self, now: int) -> str:
        """Write what the rule says, with confidence and lift."""
        step = self.steps[now]
        if now == 0:
            return (
                f"{counted(len(step.queue), 'rule')} can be made of the frequent sets: which keep "
                f"a confidence of {percent(self.least)}?\n"
                "A rule A → B splits a frequent set into two parts, A and B."
            )
        A, B = (words(self.baskets, S) for S in step.rule)
        both, first, second = step.with_both, step.with_antecedent, step.with_consequent
        rejected = step.confidence < self.least - 1e-9
        kept, least = ("rejected", "below") if rejected else ("kept", "at least")
        return (
            f"{both} of {counted(first, 'basket')} with {A} hold {B}: {self._said(step)}.\n"
            f"The rule is {kept}: its confidence {both}/{first} = {number(step.confidence)} is "
            f"{least} {number(self.least)}. Divided by the share of {B} in all, "
            f"{second}/{step.baskets}, it is the lift, {number(step.lift)}.\n"
            f"Its support is {both}/{step.baskets} = {number(step.support)}. "
            f"Kept so far: {counted(len(step.kept), 'rule')}."
        )

    def _said(self, step: RuleStep) -> str:
        """Write whether that is more than among all."""
        base = f"{percent(step.base_rate)} of all"
        if abs(step.lift - 1) <= _EVEN:
            return f"as many as the {base}"
        return f"{'more' if step.lift > 1 else 'fewer'} than the {base}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the confidence of the next rule, which the table gives."""
        after = self.steps[now + 1]
        A, B = (words(self.baskets, S) for S in after.rule)
        both, first, second, n = (
            after.with_both, after.with_antecedent, after.with_consequent, after.baskets,
        )  # fmt: skip
        tempting = [(both, second), (both, n), (second, n), (first - both, first), (first, n)]
        value = after.confidence
        others = [
            Option(f"{part} of {whole}")
            for part, whole in tempting
            if abs(part / whole - value) > 1e-9
        ]
        return question(
            f"Next is {A} → {B}. What is its confidence?",
            Option(f"{both} of {first}"), others,
            f"{counted(first, 'basket')} hold {A}, and {both} of them hold {B} as well.",
        )  # fmt: skip


def _cells(y: float, total: int) -> list[ndarray]:
    """Return the outlines of the baskets in a bar."""
    edges = np.linspace(0, 1, total + 1)
    return [
        np.array([[a, low], [a, high], [b, high], [b, low], [a, low]])
        for a, b in zip((edges[:-1] + _GAP).tolist(), (edges[1:] - _GAP).tolist(), strict=True)
        for low, high in [(y - _TALL / 2, y + _TALL / 2)]
    ]


def _filled(cells: list[ndarray], fill: str, name: str) -> dict:
    """Draw some of the baskets."""
    outline = {"width": 1, "color": GREY}
    lines = np.array(cells).reshape(-1, 5, 2)
    return strokes(lines, fill="toself", fillcolor=fill, line=outline, name=name)
