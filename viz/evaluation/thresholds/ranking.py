"""How well a classifier ranks points: its ROC curve, and precision against recall."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.evaluation.roc_curve import RocStep
from viz.core import curves, panels, plane
from viz.core.naming import words
from viz.core.scene import ANSWER, Figure
from viz.core.theme import GREY, NOW
from viz.core.words import number

_INSIDE = np.array([0.62, 0.35])  # of the area under most ROC curves
_CHANCE, _CHANCE_UP = np.array([0.2, 0.2]), np.array([0.52, 0.52])  # on the diagonal
_LOW = 0.35  # below both rates, the threshold's name is near the first of these
_APART = 0.2  # of the plane of the rates: a name needs this much room
_ENDS = 0.5  # from here on the threshold is written on the left of its point
_HIGH = 0.85  # from here on it has room below the name of the star
_RIGHT = 0.6  # a star farther right has its name on its left
_FOOT = np.array([0.02, 0.02])  # and the one below precision against recall
_OFF = "\u2002"  # between a name and the curve beside it
CLEAR = "\u2003"  # between a handle and its name
_AREA = "rgba(122,127,135,0.22)"


class Ranking:
    """The curves of a classifier, and of another one beside it.

    name : the classifier's name. best : the step of least cost. miss : what a miss costs, in false
    alarms.
    """

    def __init__(
        self,
        name: str,
        steps: Sequence[RocStep],
        best: int = 0,
        miss: float = 1.0,
        rival: "Ranking | None" = None,
    ) -> None:
        """Read rates and precisions off the steps."""
        self.steps, self.best, self.miss, self.rival = steps, best, miss, rival
        self.label = f"{name}, AUC {steps[-1].area:.3f}"  # in a legend
        # (steps, 2) false and true positive rates; recalls and precisions
        self.rates = np.array([(s.false_positive_rate, s.true_positive_rate) for s in steps])
        self.precisions = np.array([(s.true_positive_rate, s.precision) for s in steps])

    def roc(self) -> Callable[[int], Figure]:
        """Draw the whole curve in a square, thick up to this step, and the line of least cost."""
        rates, last = self.rates, len(self.rates) - 1
        still = [
            plane.line(np.array([[0.0, 0.0], [1.0, 1.0]]), line=_stroke(1, "dot")),
            plane.line(rates, line=_stroke(1.5)),
            plane.line(
                self.equal_costs(), line={"width": 1.5, "dash": "dash"}, name=self._same_cost(),
            ),
            *(self.rival.beside(self.rival.rates) if self.rival else []),
        ]  # fmt: skip
        area = "" if self.rival else f"whole area {self.steps[-1].area:.3f}"
        named = words(_INSIDE, area, "middle center") | {"meta": ANSWER}

        def at(now: int) -> Figure:
            so_far = plane.line(
                rates[: now + 1], line={"width": 4}, name=self.label,
                showlegend=self.rival is not None,
                fill="tozeroy", fillcolor=_AREA,
            )  # fmt: skip
            following = plane.line(
                rates[now : min(now + 1, last) + 1], line={"width": 3, "dash": "dot", "color": NOW}
            )
            low = now > 0 and bool((rates[now] < _LOW).all())  # the threshold is written there
            chance = words(_CHANCE_UP if low else _CHANCE, "random scores", "bottom right")
            apart = float(np.abs(rates[now] - rates[self.best]).max())
            near = rates[self.best, 0] < _RIGHT
            said = ["cheapest"]
            if rates[now, 0] < _ENDS or rates[now, 1] > _HIGH:  # elsewhere the threshold is there
                said = ["cheapest; dashed:", "the same cost"]
            said = "<br>".join(f"{_OFF}{line}{_OFF}" for line in said) * bool(apart > _APART)
            cheapest = star(rates[self.best], f"bottom {'right' if near else 'left'}", said)
            panel = panels.Panel(
                [so_far, *still, chance, following, cheapest, named, self._named(now)],
                panels.axis("false positive rate", 0, 1, constrain="domain"),
                panels.axis("true positive rate", 0, 1, scaleanchor="x", constrain="domain"),
            )
            figure = panels.alone(panel)
            return curves.with_legend(figure) if self.rival else figure

        return at

    def _same_cost(self) -> str:
        """Write what the dashed line through the star is."""
        return f"same cost, if 1 miss = {number(self.miss)} false alarm{'s' * (self.miss != 1)}"

    def _named(self, now: int) -> dict:
        """Write the threshold beside its point, where the curve does not pass."""
        if now == 0:
            return words(plane.GAP, "", "top right")
        (x, y), text = self.rates[now], f"threshold {number(self.steps[now].threshold)}"
        text += ": cheapest" * (now == self.best)
        if x < _ENDS:
            side = "top right" if y < 0.5 else "bottom right"
            return words(self.rates[now], f"{CLEAR}{text}", side)
        lines = 4 if y > _HIGH else 2  # below both lines of the star's name
        return words(self.rates[now], f"{lines * '<br>'}{text}", "bottom left")

    def precision(self) -> Callable[[int], Figure]:
        """Draw precision against recall; random scores would stay on the dotted line."""
        pairs, step = self.precisions, self.steps[0]
        share = step.positives / (step.positives + step.negatives)
        beside = self.rival.beside(self.rival.precisions) if self.rival else []
        still = [
            plane.line(np.array([[0.0, share], [1.0, share]]), line=_stroke(1, "dot")),
            plane.line(pairs, line={"width": 2.5}),
            *(trace | {"showlegend": False} for trace in beside),
            star(pairs[self.best], "bottom left"),
        ]

        def at(now: int) -> Figure:
            rates = words(_FOOT, _accuracy_and_precision(self.steps[now]), "top right")
            return panels.alone(
                panels.Panel(
                    [*still, rates, curves.marked(*pairs[now].tolist())],
                    panels.axis("recall (true positive rate)", 0, 1),
                    panels.axis("precision", 0, 1),
                )
            )

        return at

    def beside(self, path: ndarray) -> list[dict]:
        """Draw a curve of this classifier beside that of the other."""
        stroke = {"width": 2, "dash": "dash", "color": NOW}
        return [plane.line(path, line=stroke, name=self.label, showlegend=True)]

    def equal_costs(self) -> ndarray:
        """Return the ends of the line through the best point on which all costs are the same."""
        step, (a, b) = self.steps[0], self.rates[self.best]
        slope = step.negatives / (self.miss * step.positives)
        left, right = max(0.0, a - b / slope), min(1.0, a + (1 - b) / slope)
        return np.array([[x, b + slope * (x - a)] for x in (left, right)])


def star(place: ndarray, side: str, name: str = "cheapest") -> dict:
    """Draw the star at the threshold of least cost, an answer. side : where its name stands."""
    look = {"symbol": "star", "size": 13, "line": {"width": 1}}
    return plane.line(
        place[None], mode="markers+text", marker=look, text=[name], textposition=side,
        textfont={"shadow": "auto"}, cliponaxis=False, meta=ANSWER,
    )  # fmt: skip


def _accuracy_and_precision(step: RocStep) -> str:
    """Write the rates that also depend on how frequent the positives are."""
    right, called = step.true_positives, step.true_positives + step.false_positives
    precise = f"{right}/{called} = {number(step.precision)}" if called else "0/0, drawn as 1"
    n = step.positives + step.negatives
    correct = f"{right + step.true_negatives}/{n} = {number(step.accuracy)}"
    return f"accuracy {correct}<br>precision {precise}, F1 {number(step.f1)}"


def _stroke(width: float, dash: str = "solid") -> dict:
    return {"width": width, "dash": dash, "color": GREY}
