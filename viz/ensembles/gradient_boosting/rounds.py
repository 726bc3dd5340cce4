"""The rounds of gradient boosting: shared parts of the modes with one and two features."""

from abc import abstractmethod
from itertools import product

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.ensembles.gradient_boosting import GradientBoostingStep
from algorithms.ensembles.tree_on_one_feature import StepFunction
from viz.core import curves, naming, panels, plane
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import added, alike, as_written, capital, counted, enclosed, fixed, number
from viz.ensembles.gradient_boosting.step_curve import step_curve

_SHOWN = 400  # residuals
_LARGE, _TRIED = 1e6, 5  # sums that are written in full are smaller; decimals tried
_LITTLE = 1e-2  # a change of the sum that is written with three digits and more decimals
_DECIMALS = 7  # at most
_CLOSEST = 8  # times, of the residuals' axis
_FEW = 12  # rounds, whose places along a curve are marked
_UNITS = (
    "Nothing is standardised, since trees do not depend on units. Step t is round t; step 0 is the "
    "constant F₀."
)
_HELD_OUT = (
    " The points that are held out were drawn at random and only judge. The dotted line "
    "among the errors is the round with the lowest held-out error. That error is optimistic, since "
    "the same points chose the round."
)
_TARGETS = {  # what a tree is grown on: minus the slopes of the loss
    "squared": "the residuals y − F",
    "absolute": "the signs of the residuals y − F",
    "Huber": "the residuals y − F, clipped to ±δ",
}
_PART = " Residuals with a cross were not drawn for this round's tree."


class Rounds(Show[GradientBoostingStep]):
    """The errors, the residuals beside a tree, and the caption and questions of a round.

    features : (n, 1) or (n, 2), of the points on the board. at : the place where the sum is read,
    (1,) an x or (1, 2) a point. picked : the name of that place.
    """

    unit = "round"
    opens = 5

    features: ndarray
    at: ndarray
    picked: str

    def __init__(
        self, run: Run, data: Plane, loss: str, held: ndarray, at: ndarray, features: ndarray
    ) -> None:
        """Measure the run: its errors, the sum at the picked place, the largest residuals.

        loss : "squared", "absolute" or "Huber". held : (n,) which points are held out.
        """
        super().__init__(run, data)
        self.loss, self.held, self.at, self.features = loss, held, at, features
        steps, squared = self.steps, loss == "squared"
        self.measure = "mean squared error" if squared else "mean absolute error"
        self.middle = "mean" if squared else "median"  # what F is before the first round
        self.training = np.array([step.training_error for step in steps])
        self.held_out = self.best = None
        if held.any():
            self.held_out = np.array([step.held_out_error for step in steps], float)
            self.best = int(self.held_out.argmin())  # the first round with the lowest error
        # the sum after every round at the picked place
        rises = [step.learning_rate * self._says(now) for now, step in enumerate(steps)]
        self.read = float(steps[0].total(at)[0]) + np.cumsum(rises)
        # the training points whose residuals are drawn: no more than there is room for
        found = np.flatnonzero(~held)
        few = np.linspace(0, len(found) - 1, min(len(found), _SHOWN)).round().astype(int)
        self.shown = found[few]
        every = np.array([step.residuals[self.shown] for step in steps])
        self.farthest = min(float(every.min()), 0.0), max(float(every.max()), 0.0)
        waiting = any(not step.drawn[~held].all() for step in steps)
        judging = _HELD_OUT if held.any() else ""
        self.note = f"{self.drawn()}{_UNITS}{judging}{_PART if waiting else ''}"

    @abstractmethod
    def drawn(self) -> str:
        """Write the meaning of the pictures for the note."""

    def errors(self, now: int) -> Figure:
        """Draw the errors against the rounds; a dotted line is at the lowest held-out error."""
        series = [("training", self.training, "solid", curves.DOT)]
        if self.held_out is not None:
            series.append(("held out", self.held_out, "dash", curves.HOLLOW))
        last = len(self.steps) - 1
        rounds = plane.packed(np.arange(last + 1))
        traces = []
        for name, values, dash, head in series:
            curve = panels.curve(
                rounds,
                plane.packed(values),
                mode="lines+markers" if last <= _FEW else "lines",
                marker={"size": 4},
                name=name,
                line={"width": 2.5 if dash == "solid" else 1.5, "dash": dash},
                showlegend=True,
                hoverinfo="all",
                hovertemplate=f"round %{{x}}: {name} %{{y:.4g}}<extra></extra>",
            )
            here = float(values[now])
            traces += [curve, curves.marked(now, here, marker=head, showlegend=False)]
        top = max(float(values.max()) for _, values, *_ in series)
        figure = panels.alone(
            Panel(traces, panels.axis("round", 0, last), panels.axis(self.measure, 0, top))
        )
        if self.best is not None:
            figure["layout"]["shapes"] = [curves.dotted(self.best, 2)]
            figure["layout"]["annotations"] = [
                {"x": self.best, "xanchor": "left", "xshift": 4, "text": "best held out"}
                | {"y": 1, "yref": "y domain", "yanchor": "top", "showarrow": False}
            ]
        ends = {f"\u2002{name}": float(values[-1]) for name, values, *_ in series}
        return naming.named_at_ends(figure, last, ends, margin=84)

    def beside_tree(self, now: int, x: ndarray, tree: StepFunction, across: dict) -> Panel:
        """Draw the residuals at places x along an axis, and the tree.

        The dashed line is the share of the tree that is added. The dotted lines are at ±δ of the
        Huber loss. A cross: this point was not drawn for the tree.
        """
        step, rows = self.steps[now], self.shown
        r, drawn = step.residuals[rows], step.drawn[rows]
        symbols = np.where(drawn, 0, 4).tolist()
        part = StepFunction(tree.cuts, step.learning_rate * tree.values)
        left, right = across["range"]
        traces = [
            panels.curve([left, right], [0, 0], line={"width": 1, "color": GREY}),
            plane.line(
                np.stack([x, r], axis=1),
                mode="markers",
                marker={"size": 6, "symbol": symbols, "color": PALETTE[0]},
            ),
            step_curve(
                tree, left, right, width=2.5, color=PALETTE[1], name="tree h", showlegend=True
            ),
            step_curve(
                part, left, right, width=2, dash="dash", color=PALETTE[1], name="added, η h",
                showlegend=True,
            ),
        ]  # fmt: skip
        if step.delta is not None:
            level = [step.delta, step.delta, None, -step.delta, -step.delta]
            ends = [left, right, None, left, right]
            stroke = {"width": 1.5, "dash": "dot", "color": GREY}
            traces.append(panels.curve(ends, level, name="±δ", showlegend=True, line=stroke))
        return Panel(traces, across, self._residual_axis(now))

    def _residual_axis(self, now: int) -> dict:
        """Return the axis of the residuals: as they shrink, twice as close, and twice again."""
        r = self.steps[now].residuals[self.shown]
        here = np.abs([r.clip(max=0).min(), r.clip(min=0).max()])
        closer = np.abs(self.farthest)[here > 0] / here[here > 0]
        zoom = 2 ** int(np.log2(closer.min(initial=_CLOSEST)))
        title = "residual" if zoom == 1 else f"residual ({zoom} × closer)"
        return panels.axis(title, *(end / zoom for end in self.farthest))

    def caption(self, now: int) -> str:
        """Write how the errors changed, the rule of one leaf, and the sum at the picked place."""
        return f"{self._plainly(now)}\n{self._rule(now)}\n{self._read_off(now)}"

    def answer(self, now: int) -> str:
        """Write that no other round is better, which only the whole run shows."""
        return "No other round has a lower held-out error." if now and now == self.best else ""

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the sum at the picked place, or the held-out error, rises or falls."""
        if rng.random() < 0.5:
            return self._ask_sum(now) or self._ask_error(now)
        return self._ask_error(now) or self._ask_sum(now)

    def _says(self, now: int) -> float:
        """Return the prediction of the round's tree at the picked place."""
        return float(self.steps[now].tree(self.at)[0])

    def _plainly(self, now: int) -> str:
        """Write in one sentence how well the sum does, and whether it was better before."""
        learned = counted(int((~self.held).sum()), "point")
        if now == 0:
            return f"Start: F is the {self.middle} of {learned} everywhere, {number(self.read[0])}."
        if self.steps[now].event == "nothing left to learn":
            return f"Round {now}: F goes through every training point, and the run ends."
        if self.held_out is None:
            error = number(self.training[now])
            return f"Round {now}: a tree fits what is missing; the {self.measure} is {error}."
        best = self._best_so_far(now)
        lowest, here = alike(float(self.held_out[best]), float(self.held_out[now]))
        if best == now:
            return f"Round {now}: a tree fits what is missing; the held-out error falls to {here}."
        of_best = f"round {best}" if best else "the start"
        if lowest == here:
            return f"Round {now}: the held-out error is no lower than in {of_best}, {here}."
        if best == now - 1:
            falls = self.training[now] < self.training[best]
            but = "the training error falls, but " if falls else ""
            return f"Round {now}: {but}the held-out error rises from {lowest} to {here}."
        few = counted(int(self._most_moved(now)[1].sum()), "point")
        return (
            f"Round {now}: the tree moves F most at {few}; the held-out error is {here}, and was "
            f"{lowest} in {of_best}."
        )

    def _best_so_far(self, now: int) -> int:
        """Return the round with the lowest held-out error so far; this one if none is held out."""
        return now if self.held_out is None else int(self.held_out[: now + 1].argmin())

    def _rule(self, now: int) -> str:
        """Write the rule for the leaf that moves the sum most, with its numbers."""
        step = self.steps[now]
        if now == 0 and step.event == "nothing left to learn":
            return "No tree can be grown: every residual y − F is 0."
        if now == 0:
            return f"The first tree will be grown on {_TARGETS[self.loss]}."
        parts = step.tree.parts()
        leaf, members = self._most_moved(now)
        h, rate = float(parts.values[leaf]), step.learning_rate
        way = "rises" if h > 0 else "falls"
        moved = f"F {way}: η h = {number(rate)} · {enclosed(h)} = {number(rate * h)}"
        rule = f"{self.middle} of {counted(int(members.sum()), 'residual')}"
        if step.delta is not None:
            first = float(np.median(step.residuals[members]))
            rule = (
                f"{number(first)} ({rule}) {added(h - first)} (mean of the differences from it, "
                "each clipped to ±δ)"
            )
        leaves = counted(len(parts.values), "leaf").replace("leafs", "leaves")
        residuals = counted(int(step.drawn.sum()), "residual")
        grown = {
            "squared": f"fits {residuals}",
            "absolute": f"is grown on the signs of {residuals}",
            "Huber": f"is grown on {residuals}, clipped to ±δ",
        }
        return (
            f"A tree with {leaves} {grown[self.loss]}. "
            f"F moves most {self._where(parts.low[leaf], parts.high[leaf])}: the tree says "
            f"h = {rule} = {number(h)}; there {moved}."
        )

    def _most_moved(self, now: int) -> tuple[int, ndarray]:
        """Return the leaf in which the tree moves the sum most, and which points it learned of."""
        step = self.steps[now]
        parts = step.tree.parts()
        leaf = int(np.abs(parts.values).argmax())
        return leaf, parts.holding(self.features)[leaf] & step.drawn

    def _where(self, low: ndarray, high: ndarray) -> str:
        """Write the conditions on the features that lead into a leaf."""
        found = []
        for name, least, most in zip(self.data.names, low.tolist(), high.tolist(), strict=False):
            below = f"{number(least)} < " if np.isfinite(least) else ""
            above = f" ≤ {number(most)}" if np.isfinite(most) else ""
            if below or above:
                found.append(f"{below}{name}{above}")
        return f"where {' and '.join(found)}" if found else "in the only leaf"

    def _read_off(self, now: int) -> str:
        """Write the sum at the picked place, with digits enough that the sum comes out."""
        step, read = self.steps[now], self.read
        text = f"{capital(self.picked)}: "
        if now == 0:
            text += f"F₀ = {number(read[0])}."
        else:
            rate, h = step.learning_rate, self._says(now)
            before, says, after = _sum_that_comes_out(float(read[now - 1]), rate, h)
            factor = f"({says})" if h < 0 else says
            text += (
                f"the tree says h = {says}, so F becomes F + η h = "
                f"{before} + {number(rate)} · {factor} = {after}."
            )
        if step.delta is not None:
            text += f" δ = {number(step.delta)}."
        return text

    def _ask_sum(self, now: int) -> Question | None:
        """Ask whether the next tree raises or lowers the sum at the picked place."""
        old, new = self.read[now : now + 2].tolist()
        said = "the step from the median" if self.loss == "Huber" else f"the {self.middle}"
        reason = (
            f"In its leaf there {said} of the residuals is h = {number(self._says(now + 1))}, and "
            "F goes from {} to {}.".format(*_before_and_after(old, new, new - old))
        )
        text = f"What does the next tree do to the sum F at the {self.picked}?"
        return rises_or_falls(text, old, new, reason)

    def _ask_error(self, now: int) -> Question | None:
        """Ask whether the next tree raises or lowers the held-out error."""
        if self.held_out is None:
            return None
        old, new = self.held_out[now : now + 2].tolist()
        reason = (
            f"It goes from {number(old)} to {number(new)}, and the training error from "
            f"{number(self.training[now])} to {number(self.training[now + 1])}."
        )
        return rises_or_falls("What does the next tree do to the held-out error?", old, new, reason)


def _sum_that_comes_out(before: float, rate: float, h: float) -> tuple[str, str, str]:
    """Write F, h and F + η h with few digits, but enough that the written sum comes out."""
    after = before + rate * h
    change, largest = abs(rate * h), max(abs(before), abs(after))
    if change > 10.0**-_DECIMALS and largest < _LARGE:
        least = max(2 - _power(largest), -_power(change), 0)
        for decimals, digits in product(range(least, least + _TRIED), (3, 4, 5, 6)):
            found = round(before, decimals) + as_written(rate) * as_written(h, digits)
            old, new = fixed(before, decimals), fixed(after, decimals)
            if fixed(found, decimals) == new and old != new:
                return old, number(h, digits), new
    old, new = _before_and_after(before, after, rate * h)
    return old, number(h, 4), new


def _power(value: float) -> int:
    """Return the power of ten of the first digit."""
    return int(np.floor(np.log10(value)))


def _before_and_after(before: float, after: float, change: float) -> tuple[str, str]:
    """Write the sum before and after a change, with enough decimals to show the change."""
    if 0 < abs(change) < _LITTLE:
        decimals = min(2 - int(np.floor(np.log10(abs(change)))), _DECIMALS)
        return fixed(before, decimals), fixed(after, decimals)
    old, new, _ = alike(before, after, change)
    return old, new
