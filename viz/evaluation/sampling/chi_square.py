"""A split of points, its table, and the chi-square that adds up cell by cell."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.special import chdtri, gammaln

from algorithms.evaluation.chi_square import ChiSquareStep
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, NOW, PALETTE, SYMBOLS
from viz.core.words import counted, factor, number

WINDOW: Bounds = (-4.0, 4.0, -0.1, 1.0)
LEVEL = 0.05
_REACH = 2.0  # the axis of x ends no nearer to 0
_ENOUGH = 5  # points to expect in every cell, as a rule of thumb
SIDES = ("left", "right")
_CURVE = 300  # places along the density
_STEEP = 0.25  # the density near 0 is cut off here, so that the tail is seen
_HIGH = 0.2  # of the axis, from the tail to its name
_LINE = 0.08  # of the strip of points: a line of words above it
_FAINT = 0.3  # opacity of the points outside of the newest cell
_LEAST = 0.05  # where the density begins: it has no top with one degree of freedom


class ChiSquare(Show[ChiSquareStep]):
    """The points and the split, the table, and the density of chi-square."""

    unit = "cell"
    opens = AT_THE_END
    note = (
        "p counts for one split that was chosen beforehand. Of a split that is dragged until p is "
        "small, it says nothing."
    )

    def __init__(self, run: Run, x: ndarray, classes: ndarray, split: float) -> None:
        """Spread the points upwards, in an order that says nothing."""
        super().__init__(run)
        self.x, self.classes, self.split = x, classes, split
        self.up = 0.06 + 0.88 * (np.arange(len(x)) * 0.6180339887 % 1)
        reach = min(1.1 * float(max(np.abs(x).max(), abs(split), _REACH)), WINDOW[1])
        self.window: Bounds = (-reach, reach, WINDOW[2], WINDOW[3] + _LINE * classes.max() + _LINE)
        first = self.steps[0]
        self.k = first.observed.shape[1]
        self.critical = float(chdtri(first.freedom, LEVEL))
        self.end = max(1.25 * self.steps[-1].statistic, 2.5 * self.critical)
        t = np.linspace(_LEAST, self.end, _CURVE)
        half = first.freedom / 2
        log = (half - 1) * np.log(t) - t / 2 - half * np.log(2) - gammaln(half)
        self.density = np.column_stack([t, np.exp(log)])

    def views(self) -> list[View]:
        """Return the points, the density, and the counts."""
        return [
            View("Points of all classes, and the split", self.picture, board=False),
            View("Chi-square if side and class are independent", self.under_h0, board=False),
            View("Counts (bars), and expected counts (strokes)", self.counts, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the split and the points, faint outside of the cell that is added."""
        places = np.column_stack([self.x, self.up])
        side, own = self._cell(now)
        whole = now == 0 or self.steps[now].event == "finished"
        here = (self.classes == own) & ((self.x > self.split) == side) | whole
        edge = np.array([[self.split, 0.0], [self.split, 1.0]])
        traces = [plane.line(edge, line={"width": 3}, name="the split")]
        for j in range(self.k):
            rows = self.classes == j
            marker = {
                "symbol": SYMBOLS[j], "size": 9, "color": PALETTE[j],
                "opacity": np.where(here[rows], 1.0, _FAINT).tolist(),
            }  # fmt: skip
            shown = places[rows] if rows.any() else plane.GAP
            traces.append(plane.line(shown, mode="markers", marker=marker, name=f"class {j + 1}"))
        traces += self._key()
        traces += self._counted(now)
        figure = plane.figure(traces, self.window, ("x", "heights mean nothing"))
        figure["layout"]["yaxis"] |= {"showticklabels": False, "showgrid": False}
        return curves.with_legend(figure)

    def _key(self) -> list[dict]:
        """Return the entries of the legend: a point of every class, and a faint one."""
        looks = {f"class {j + 1}": (SYMBOLS[j], PALETTE[j], 1.0) for j in range(self.k)}
        looks["faint: not in this cell"] = (SYMBOLS[0], GREY, _FAINT)
        return [
            plane.line(
                plane.GAP, mode="markers", name=name, showlegend=True,
                marker={"symbol": symbol, "size": 9, "color": ink, "opacity": opacity},
            )
            for name, (symbol, ink, opacity) in looks.items()
        ]  # fmt: skip

    def _counted(self, now: int) -> list[dict]:
        """Write the counts of all cells above both sides; the newest one is bold."""
        observed, newest = self.steps[now].observed, self._cell(now) if now else None
        words = []
        for side, where in enumerate(SIDES):
            lines = [f"class {j + 1}, {where}: {observed[side, j]}" for j in range(self.k)]
            if newest and newest[0] == side:
                lines[newest[1]] = f"<b>{lines[newest[1]]}</b>"
            words.append(naming.in_corner("<br>".join(lines), self.window, f"top {where}"))
        return words

    def _cell(self, now: int) -> tuple[int, int]:
        """Return the side and the class of the newest cell."""
        side, own = divmod(max(now, 1) - 1, self.k)
        return side, own

    def counts(self, now: int) -> Figure:
        """Draw the counts of all cells as bars, and the expected ones as lines across them."""
        step = self.steps[now]
        names = [f"{s} {j + 1}" for s in SIDES for j in range(self.k)]
        added = [i < now for i in range(len(names))]
        bars = {
            "type": "bar", "name": "O, counted", "x": names,
            "y": step.observed.ravel().tolist(),
            "marker": {"color": [*PALETTE[: self.k]] * 2,
                       "opacity": [1.0 if seen else 0.4 for seen in added]},
            "hovertemplate": "%{y}<extra></extra>",
        }  # fmt: skip
        expected = {
            "type": "scatter", "mode": "markers", "name": "E, expected", "x": names,
            "y": step.expected.ravel().tolist(), "hoverinfo": "skip",
            "marker": {"symbol": 141, "size": 26, "line": {"width": 3}},
        }  # fmt: skip
        top = 1.1 * max(step.observed.max(), step.expected.max())
        layout = curves.panel_layout(
            xaxis={"type": "category", "title": {"text": "side and class", "standoff": 4}},
            yaxis={"title": {"text": "points"}, "range": [0, float(top)], "nticks": 5},
        )
        return {"data": [bars, expected], "layout": layout}

    def under_h0(self, now: int) -> Figure:
        """Draw the density of chi-square, the tail of 5 %, and the sum so far."""
        step = self.steps[now]
        t, height = self.density.T
        tail = np.column_stack([t, np.where(t >= self.critical, height, 0.0)])
        mark = np.array([[step.statistic, 0.0]])
        top = 1.1 * min(float(height.max()), _STEEP)
        beyond = np.array([self.critical, _HIGH * top])
        traces = [
            plane.line(tail, line={"width": 0}, fill="tozeroy", fillcolor="rgba(204,121,167,0.5)",
                       name="the largest 5 % under H₀"),
            plane.line(self.density, line={"width": 2.5, "color": GREY}, name="density under H₀"),
            plane.line(mark, mode="markers+text", name="the sum so far", cliponaxis=False,
                       marker={"symbol": 5, "size": 15, "color": NOW},
                       text=[f"sum: {number(step.statistic)}"], textposition="top right",
                       textfont={"shadow": "auto"}),
            naming.words(beyond, f"5 % beyond {number(self.critical)}", "top right"),
        ]  # fmt: skip
        return plane.figure(traces, (0.0, self.end, 0.0, top), ("chi-square", "density"))

    def caption(self, now: int) -> str:
        """Write the newest cell's part, and at the end the p-value."""
        step = self.steps[now]
        total = int(step.observed.sum())
        if now == 0:
            return (
                f"{counted(total, 'point')}, {int(step.observed[0].sum())} of them left of the "
                f"split. Does the side go with the class?\nE = row sum · column sum / {total}; "
                f"χ² = sum of (O − E)² / E; {self._degrees()}"
            )
        side, own = self._cell(now)
        seen, expected = int(step.observed[side, own]), float(step.expected[side, own])
        sums = int(step.observed[side].sum()), int(step.observed[:, own].sum())
        part = number(float(step.parts[side, own]))
        cell = f"Class {own + 1} on the {SIDES[side]}"
        rule = (
            f"O = {seen} counted, E = {sums[0]} · {sums[1]} / {total} = {number(expected)} "
            f"expected; (O − E)² / E = {part} is added, which makes χ² = {number(step.statistic)}"
        )
        if step.event != "finished":
            return f"{cell}: {counted(seen, 'point')}, {number(expected, 2)} expected.\n{rule}."
        verdict, rejects = "Class and side may be independent", "H₀ is not rejected"
        if step.p < LEVEL:
            verdict, rejects = "Class and side seem to depend on each other", "H₀ is rejected"
        least = float(step.expected.min())
        rough = f" The least E is {number(least)}: below 5, p is rough." if least < _ENOUGH else ""
        return (
            f"{verdict}: χ² = {number(step.statistic)}, p = {number(step.p)}, so {rejects}.\n"
            f"{cell}: {rule}.\nWithout a dependence (H₀), χ² is above {number(self.critical)} in "
            f"5 % of tables ({self._degrees()}).{rough}"
        )

    def _degrees(self) -> str:
        count = self.steps[0].freedom
        return f"{count} degree{'s' * (count != 1)} of freedom"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the sum after the next cell."""
        step, right = self.steps[now], self.steps[now + 1].statistic
        side, own = self._cell(now + 1)
        seen, expected = int(step.observed[side, own]), float(step.expected[side, own])
        if expected == 0:
            return None
        gap = seen - expected
        wrong = (abs(gap) / expected, gap**2, gap**2 / max(seen, 1), abs(gap), 0.0)
        others = [
            Option(number(step.statistic + part))
            for part in wrong
            if abs(step.statistic + part - right) > 0.02 * max(right, 0.1)
        ]
        text = (
            f"The sum so far is {number(step.statistic)}. Class {own + 1}, {SIDES[side]}, has O = "
            f"{seen} and E = {number(expected)}. What is the sum with this cell?"
        )
        reason = (
            f"(O − E)² / E = {factor(number(gap))}² / {number(expected)} = "
            f"{number(float(step.parts[side, own]))} is added, which makes {number(right)}."
        )
        return question(text, Option(number(right)), others, reason)
