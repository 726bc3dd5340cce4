"""Two curves and the α line: every experiment falls into one of four areas."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.special import ndtri

from algorithms.evaluation.one_test import AREAS, ExperimentsStep, power
from viz.core import curves, graph, plane
from viz.core.question import Option, Question, question
from viz.core.scene import ANSWER, Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import DASHES, PALETTE
from viz.core.words import counted, number, percent

WINDOW: Bounds = (-3.5, 7.0, -0.28, 0.46)
RAIL = -0.03  # the height of the α line's handle
_INKS = (PALETTE[0], PALETTE[3], PALETTE[4], PALETTE[2])  # of the areas
_SYMBOLS = (0, 4, 1, 2)
_ROWS = (-0.12, -0.22)  # around which the dots are piled up, under H₀ and under H₁
_DOT, _FAR = 0.008, 0.04  # from one dot of a pile to the next, and the farthest from its row
_PILE = 0.25  # width of a pile
_EDGES = np.linspace(0, 1, 21)  # of the bins of p-values
_MOST = 100  # numbers that the power is drawn for, or twice as many as the test has
_H = ("H₀", "H₁")
_NAMES = "α, false alarms", "β, misses"
_ORDER = (0, 1, 3, 2)  # of the areas in a bar, from its foot
_SHORT = ("H₀ kept", "false alarm", "effect found", "missed")
_PALE = 0.15  # opacity of the power
_UNDER = -0.03  # the height of the words below the axis
_MISSED, _FOUND = 0.08, 0.2  # the heights of those left and right of the line


class OneTest(Show[ExperimentsStep]):
    """The curves of z, the experiments below them, their p-values, and the power.

    It opens in the second half, with a false alarm.
    """

    unit = "experiment"
    note = (
        "The test is one-sided: only a large z speaks for an effect. So the line is at 1.645 for "
        "α = 0.05, not at the 1.96 of a two-sided test."
    )

    def __init__(self, run: Run, n: int, effect: float, alpha: float) -> None:
        """Compute the curves, which no experiment changes."""
        super().__init__(run)
        self.n, self.effect, self.alpha = n, effect, alpha
        self.line, self.shift = float(ndtri(1 - alpha)), effect * sqrt(n)
        self.power = float(power(np.array([float(n)]), effect, alpha)[0])
        last = self.steps[-1]
        self.kinds = 2 * last.effect + (last.p < alpha)
        half = len(self.kinds) // 2
        alarms = (i + 1 for i, kind in enumerate(self.kinds) if AREAS[kind] == "false alarm")
        self.opens = next((now for now in alarms if now > half), half)
        self.dots = _piles(np.clip(last.z, WINDOW[0], WINDOW[1]), last.effect)
        self.top = int(np.histogram(last.p, _EDGES)[0].max())
        self.curves = self._curves()
        self.by_size = self._by_size()

    def views(self) -> list[View]:
        """Return the curves, the p-values so far, and the power against n."""
        return [
            View("z under H₀ and under H₁, and the experiments", self.picture, board=False),
            View("p-values so far", self.p_values, board=False),
            View("Power against n", lambda _: self.by_size, board=False),
        ]

    def _curves(self) -> list[dict]:
        """Draw both densities, with the areas of false alarms, of misses and of the power."""
        z = np.linspace(WINDOW[0], WINDOW[1], 211)
        traces = []
        for k, (middle, ink) in enumerate(((0.0, _INKS[0]), (self.shift, _INKS[3]))):
            height = np.exp(-((z - middle) ** 2) / 2) / np.sqrt(2 * np.pi)
            shown = z > self.line if k == 0 else z < self.line
            area = 1 + k  # a false alarm, a miss
            traces.append(_area(z, np.where(shown, height, 0.0), _INKS[area], _NAMES[k]))
            if k == 1:
                beyond = np.where(shown, 0.0, height)
                traces.insert(0, _area(z, beyond, _INKS[3], "power", opacity=_PALE))
            traces.append(
                plane.line(
                    np.column_stack([z, height]), name=f"density of z under {_H[k]}",
                    line={"width": 3, "color": ink, "dash": DASHES[k]},
                )
            )  # fmt: skip
        edge = np.array([[self.line, WINDOW[2]], [self.line, WINDOW[3]]])
        return [
            *traces,
            plane.line(edge, line={"width": 2.5}, name="the α line: reject beyond it"),
            self._names(),
            self._shares(),
        ]

    def _names(self) -> dict:
        """Write the names of the curves and of the areas where they are."""
        top = 1 / np.sqrt(2 * np.pi)
        alarms = f"α = {number(self.alpha)}: false alarms"
        named = [
            ((0.0, top), "H₀", "top left", _INKS[0]),
            ((self.shift, top), "H₁", "top right", _INKS[3]),
            ((self.line + 0.1, _UNDER), alarms, "middle right", _INKS[1]),
            ((self.line, _MISSED), "misses: β", "top left", _INKS[2]),
            ((self.line, _FOUND), "power", "top right", _INKS[3]),
        ]
        return _words(named)

    def _shares(self) -> dict:
        """Write the areas under H₁ below their names; an experiment may ask for them."""
        misses, found = f"= {number(1 - self.power)}", f"= {number(self.power)}"
        areas = [
            ((self.line, _MISSED), misses, "bottom left", _INKS[2]),
            ((self.line, _FOUND), found, "bottom right", _INKS[3]),
        ]
        return _words(areas) | {"meta": ANSWER}

    def picture(self, now: int) -> Figure:
        """Draw the curves, and every experiment so far as a dot below its curve."""
        dots = []
        for area, name in enumerate(AREAS):
            rows = np.flatnonzero(self.kinds[:now] == area)
            marker = {"symbol": _SYMBOLS[area], "size": 8, "color": _INKS[area]}
            shown = self.dots[rows] if len(rows) else plane.GAP
            dots.append(plane.line(shown, mode="markers", marker=marker, name=name))
        latest = 0 < now < len(self.dots)  # at the end the caption counts all
        newest = plane.rings(self.dots[now - 1 : now] if latest else plane.GAP, name="newest")
        figure = plane.figure([*self.curves, *dots, newest], WINDOW, ("z", "density"))
        figure["layout"]["yaxis"] |= {
            "tickvals": [*_ROWS, 0, 0.2, 0.4],
            "ticktext": ["H₀ true", "H₁ true", "0", "0.2", "0.4"],
        }
        figure["layout"]["margin"]["l"] = 66
        return figure

    def p_values(self, now: int) -> Figure:
        """Draw how many p-values so far are in each twentieth, in the colours of the areas."""
        step = self.steps[now]
        bars = [
            {
                "type": "bar", "name": name, "marker": {"color": _INKS[area]},
                "x": ((_EDGES[1:] + _EDGES[:-1]) / 2).tolist(),
                "y": np.histogram(step.p[self.kinds[:now] == area], _EDGES)[0].tolist(),
                "hovertemplate": "%{y}<extra></extra>",
            }
            for area, name in zip(_ORDER, _SHORT, strict=True)
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "p", "standoff": 4}, "range": [-0.02, 1.02], "nticks": 6},
            yaxis={"title": {"text": "experiments"}, "range": [0, 1.25 * self.top], "nticks": 4},
        )
        layout |= {"barmode": "stack", "shapes": [curves.dotted(self.alpha, 2)]}
        layout["annotations"] = [
            {"x": self.alpha, "xanchor": "left", "xshift": 4, "y": 1, "yref": "paper"}
            | {"yanchor": "top", "text": "α", "showarrow": False, "font": {"shadow": "auto"}}
        ]
        return curves.with_legend({"data": bars, "layout": layout}, traceorder="normal")

    def _by_size(self) -> Figure:
        """Draw the power against n, for this effect, half of it and twice as much."""
        traces, most = [], max(_MOST, 2 * self.n)
        sizes = np.linspace(1, most, 100)
        for k, times in enumerate((0.5, 1, 2)):
            found = power(sizes, times * self.effect, self.alpha)
            look = {"width": 3 if times == 1 else 1.5, "dash": DASHES[(1, 0, 2)[k]]}
            name = f"effect {number(times * self.effect)}"
            path = np.column_stack([sizes, found])
            traces.append(plane.line(path, line=look, name=name, showlegend=True))
        traces.append(curves.marked(self.n, self.power, name="this test", showlegend=False))
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "n", "standoff": 4},
                "range": [-0.02 * most, 1.03 * most],
                "nticks": 6,
            },
            yaxis={"title": {"text": "power"}, "range": [-0.03, 1.03], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write the newest experiment, and how many fell into which area."""
        step = self.steps[now]
        if now == 0:
            line = number(self.line)
            return (
                f"No experiment yet; beyond the line at {line}, H₀ is rejected.\n"
                "Every experiment will have its z, and p = 1 − Φ(z)."
            )
        i = now - 1
        counts = step.counts(self.alpha)
        rejected = counts[1] + counts[3]
        what = f"{_H[int(step.effect[i])]} is true, and z = {number(step.z[i])}: {self._kind(i)}."
        under = counts[0] + counts[1], counts[2] + counts[3]
        shares = f"Of {counted(rejected, 'rejection')}, {counts[1]} {_are(counts[1])} false."
        ended = step.event == "finished"
        never = "H₀ is never rejected." if ended else "H₀ is not rejected so far."
        shares = shares if rejected else never
        if step.event == "finished":
            what = (
                f"{counted(now, 'experiment')}: {counts[1]} of {under[0]} under H₀ are false "
                f"alarms, {counts[2]} of {under[1]} under H₁ are missed."
            )
        newest = f"p = 1 − Φ(z) = {number(step.p[i])}. "
        return f"{what}\n{newest if step.event != 'finished' else ''}{shares}"

    def answer(self, now: int) -> str:
        """Write n, effect, alpha and power, of which three determine the fourth."""
        return (
            f"In the long run, the test finds {percent(self.power)} of the true effects: power = "
            f"Φ(effect · √n − z at α) = Φ({number(self.effect)} · √{self.n} − "
            f"{number(self.line, 4)}) = {number(self.power)}."
        )

    def _kind(self, i: int) -> str:
        return AREAS[int(self.kinds[i])]

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask into which area the next experiment falls."""
        last = self.steps[-1]
        truth = _H[int(last.effect[now])]
        z, p = number(last.z[now]), number(last.p[now])
        text = f"In the next experiment {truth} is true, and z = {z}. Which area is that?"
        right = self._kind(now)
        beyond = "beyond" if last.p[now] < self.alpha else "not beyond"
        reason = (
            f"z is {beyond} the line at {number(self.line)} (p = {p}, α = {number(self.alpha)}), "
            f"and {truth} is true."
        )
        return question(text, Option(right), [Option(a) for a in AREAS if a != right], reason)


def _words(named: Sequence[tuple]) -> dict:
    """Write each text at its place, on its side of it, in its ink."""
    places, words, sides, inks = zip(*named, strict=True)
    return graph.texts(
        np.array(places), words, textposition=list(sides), mode="markers+text",
        marker={"size": 10, "opacity": 0},
        textfont={"color": list(inks), "shadow": "auto", "weight": 700},
    )  # fmt: skip


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _piles(z: ndarray, effect: ndarray) -> ndarray:
    """Return a place for each experiment, at its z and around its row, beside those near it."""
    depth = np.zeros(len(z))
    for there in (False, True):
        rows = np.flatnonzero(effect == there)
        seen: dict[int, int] = {}
        for i in rows.tolist():
            column = int(z[i] // _PILE)
            depth[i] = seen.get(column, 0)
            seen[column] = seen.get(column, 0) + 1
    side = np.where(depth % 2 == 1, 1.0, -1.0)
    away = np.minimum(_DOT * np.ceil(depth / 2), _FAR)
    return np.column_stack([z, np.where(effect, _ROWS[1], _ROWS[0]) + side * away])


def _area(z: ndarray, height: ndarray, ink: str, name: str, *, opacity: float = 0.45) -> dict:
    """Fill an area under a curve."""
    red, green, blue = (int(ink[i : i + 2], 16) for i in (1, 3, 5))
    return plane.line(
        np.column_stack([z, height]), name=name, line={"width": 0}, fill="tozeroy",
        fillcolor=f"rgba({red}, {green}, {blue}, {opacity})",
    )  # fmt: skip
