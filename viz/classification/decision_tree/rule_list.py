"""The list of rules: the conditions that are gone are struck out, each rule with its estimate."""

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.classification.decision_tree.rule_post_pruning import Rule, RulesStep
from viz.classification.decision_tree.marks import LETTERS, conditions
from viz.core import panels, plane
from viz.core.graph import texts, without_axes
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE, symbol
from viz.core.told import told
from viz.core.words import decimal, number

LINES = 13  # that are shown at a time; of a longer list, those around the rule at hand
_WIDE = 38  # letters of a line's conditions
_SIGN, _NUMBER, _HOLDS, _RIGHT, _A = 0.02, 0.05, 0.1, 0.85, 0.99  # columns, as shares of the width
_MARGIN = {"l": 4, "r": 4, "t": 2, "b": 2}


class RuleList:
    """The lines of the list, which stay, and what a step writes on them."""

    def __init__(self, rules: Sequence[Rule], data: Plane) -> None:
        """Break the conditions of every rule into lines. rules : as the tree gives them."""
        self.data = data
        names = [panels.label(name, LETTERS) for name in data.names]
        self.written = [
            [
                f"{names[j]} {'≤' if below else '&gt;'} {number(t)}"
                for j, t, below in zip(
                    rule.feature.tolist(), rule.threshold.tolist(), rule.below.tolist(), strict=True
                )
            ]
            for rule in rules
        ]
        self.broken = [_broken(texts) for texts in self.written]

    def draw(self, step: RulesStep, at: int) -> Figure:
        """Draw the rules in the order in which they are asked. at : the rule to frame."""
        lines = [
            (r, line) for r in step.order.tolist() for line in range(max(len(self.broken[r]), 1))
        ]
        ours = [i for i, (r, _) in enumerate(lines) if r == at]
        start = max(min(ours[0] - 3, len(lines) - LINES), 0)
        frame = {
            "type": "rect", "x0": 0.002, "x1": 0.998, "y0": ours[0] - start + 0.5,
            "y1": ours[-1] - start + 1.5, "line": {"width": 2, "color": GREY},
        }  # fmt: skip
        layout = without_axes((0, 1, LINES + 0.6, -0.6), room=_MARGIN) | {"shapes": [frame]}
        kept = [int(np.count_nonzero(rule.kept)) for rule in step.rules]
        columns = self._columns(step, lines[start : start + LINES])
        # Plotly would write into the places of the mode that was shown before, and it forgets some.
        traces = [column | {"uid": f"rules {i}"} for i, column in enumerate(columns)]
        return {"data": traces, "layout": layout} | told(
            "Rules, in the order in which they are asked", "rule",
            [str(r + 1) for r in step.order.tolist()],
            {
                "conditions left": np.array(kept)[step.order],
                "right": step.right[step.order],
                "holds for": step.covered[step.order],
                "estimate A": step.estimates[step.order],
            },
        )  # fmt: skip

    def _columns(self, step: RulesStep, shown: Sequence[tuple[int, int]]) -> list[dict]:
        """Draw the signs and the words of the lines. shown : each is a line of a rule."""
        blank = [" "] * (LINES - len(shown))
        first = [line == 0 for _, line in shown]
        label = np.array([step.rules[r].label for r, _ in shown] + [0] * len(blank))
        rows = np.arange(1, LINES + 1.0)
        signed = np.where([*first, *(False for _ in blank)], rows, -9)
        numbers, holds, right, A = (
            [*column, *blank]
            for column in zip(
                *[
                    self._words(step, r, line) if line == 0
                    else (" ", self._conditions(step, r, line), " ", " ")
                    for r, line in shown
                ],
                strict=True,
            )
        )  # fmt: skip
        plain = [*(self._plainly(step, r, line) for r, line in shown), *(" " for _ in blank)]
        return [
            _signs(signed, label),
            _column(_NUMBER, rows, numbers, "middle right"),
            _column(_HOLDS, rows, holds, "middle right", hovertext=plain),
            _column(_RIGHT, rows, right, "middle left"),
            _column(_A, rows, A, "middle left"),
            *(
                _column(x, np.zeros(1), [f"<b>{word}</b>"], side)
                for x, word, side in (
                    (_NUMBER, "rule", "middle right"), (_RIGHT, "right", "middle left"),
                    (_A, "A", "middle left"),
                )
            ),
        ]  # fmt: skip

    def _words(self, step: RulesStep, r: int, line: int) -> tuple[str, str, str, str]:
        """Return what stands on the first line of a rule."""
        return (
            str(r + 1), self._conditions(step, r, line), f"{step.right[r]} of {step.covered[r]}",
            decimal(float(step.estimates[r])),
        )  # fmt: skip

    def _conditions(self, step: RulesStep, r: int, line: int) -> str:
        """Write the conditions on a line of a rule; struck out if they are gone."""
        kept, parts = step.rules[r].kept, []
        if not len(kept):
            return "always"
        for c in self.broken[r][line]:
            text = self.written[r][c]
            parts.append(text if kept[c] else f"<s>{text}</s>")
        return " ∧ ".join(parts) + " ∧" * (line + 1 < len(self.broken[r]))

    def _plainly(self, step: RulesStep, r: int, line: int) -> str:
        """Write the rule for the pointer and for readers who do not see it."""
        if line:
            return " "
        held = escape(conditions(*step.rules[r].box(2), self.data.names), quote=False)
        says = escape(self.data.classes[step.rules[r].label], quote=False)
        gone = [text for text, there in zip(self.written[r], step.rules[r].kept, strict=True)
                if not there]  # fmt: skip
        removed = f" (removed: {', '.join(gone)})" if gone else ""
        return f"rule {r + 1}: {held} ⇒ {says}{removed}"


def _broken(written: Sequence[str]) -> list[list[int]]:
    """Return which conditions stand on each line of a rule."""
    lines: list[list[int]] = []
    left = 0
    for c, text in enumerate(written):
        length = len(text.replace("&gt;", ">")) + 3
        if length > left:
            lines.append([])
            left = _WIDE
        lines[-1].append(c)
        left -= length
    return lines


def _signs(rows: ndarray, label: ndarray) -> dict:
    """Draw the colour and symbol of what each rule predicts."""
    marker = {
        "size": 12,
        "color": [PALETTE[int(k) % len(PALETTE)] for k in label],
        "symbol": [symbol(int(k)) for k in label],
    }
    places = np.column_stack([np.full(len(rows), _SIGN), rows])
    return plane.line(places, mode="markers", marker=marker, name="class that the rule predicts")


def _column(x: float, rows: ndarray, written: Sequence[str], side: str, **style: object) -> dict:
    places = np.column_stack([np.full(len(rows), x), rows])
    how = {"hoverinfo": "text"} if style else {}
    return texts(places, written, textposition=side, cliponaxis=True, **style | how)
