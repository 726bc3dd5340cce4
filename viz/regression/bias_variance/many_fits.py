"""The shared parts of both modes: fits of many sets, errors by complexity, the bull's-eye."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import SUPERSCRIPTS
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from algorithms.regression.bias_variance.curve_fits import Models, Polynomials, RidgePolynomials
from viz.core import curves, plane
from viz.core.found import Curve
from viz.core.naming import named_at_ends
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import number
from viz.regression.bias_variance import marks
from viz.regression.bias_variance.bulls_eye import BullsEye
from viz.regression.bias_variance.marks import FIT, MEAN, NOISE

_OLD = 30  # fits of earlier sets, evenly chosen from the run
_OLD_LINE, _OLD_PALE = {"width": 1.25, "color": FIT}, 0.45
_FADES, _LEAST = 0.92, 0.15  # with every later set, down to this opacity
_SHORT = 0.03  # of the picture's height: shorter lengths have no room for their word
_COARSE = 2  # places apart: enough for smooth curves, half of what has to be sent
_LETTERS = 30  # of all names below an axis: more of them do not fit side by side
_FAR = 2.0  # heights of the picture: lines leave it, but not farther
_COMPARED = 4  # models in a question, from simple to flexible
_CLEAR = 1.2  # times as far as the next

Parts = tuple[ndarray, ndarray, ndarray]
S = TypeVar("S", BiasVarianceStep, BootstrapStep)
_RAIL = 0.05  # of the picture's height: the names of the two x, beside their handles
_BAND = "mean ± 1 standard deviation"


@dataclass(frozen=True)
class Family:
    """What is fitted: models from simple to flexible, and the index of the `chosen` one."""

    models: Models
    chosen: int


class ManyFits(Show[S]):
    """The fits of a run, and the errors of all complexities; its two modes are final."""

    goal: str  # what the fits are compared with, in a word

    def __init__(self, run: Run, data: Plane, family: Family, at: ndarray, center: ndarray) -> None:
        """Name the complexities, and find the bull's-eye and the axis of the errors.

        data : the points on the board; none where they are not used. at : the bull's-eye's two x.
        center : (complexities, x), what the fits are compared with.
        """
        super().__init__(run, data)
        self.chosen, self.models, self.center = family.chosen, family.models, center
        self.kinds, self.last = kinds(family.models), self.steps[-1]
        self.kind = self.kinds[self.chosen]
        first, second = (int(np.abs(self.last.x - x).argmin()) for x in at)
        self.spots = first, second
        self.eye = BullsEye(self.steps, self.chosen, self.kinds, self.spots, center, self.goal)
        self.axis, self.foot = marks.error_axis(np.array(self.parts(self.last)), self.chosen)
        last = len(self.steps) - 1
        self.opens = last // 2
        shown = np.unique(np.linspace(0, last, min(last + 1, _OLD)).astype(int)).tolist()
        style = {
            "line": _OLD_LINE,
            "opacity": _OLD_PALE,
            "name": "fit of an earlier set",
        }
        self.old = [(i, self.curve(self.steps[i].predictions[self.chosen], **style)) for i in shown]

    def views(self) -> list[View]:
        """Return the fits, the bull's-eye, the errors against the complexity and at every x."""
        against, by_place = self.titles()
        return [
            View(f"Fits of many training sets, {self.kind}", self.picture),
            View("Fits as shots: error at x₁ across, at x₂ up", self.eye.picture, height=0.85),
            View(against, self.against_complexity, height=1.15),
            View(by_place, self.by_place),
        ]

    @property
    def what(self) -> str:
        """Return what tells the complexities apart: "degree", "λ" or "k"."""
        return self.kind.rpartition(" ")[0].removesuffix(" =")

    @abstractmethod
    def titles(self) -> tuple[str, str]:
        """Return the titles of the errors, by complexity and at every x."""

    @abstractmethod
    def known(self, now: int) -> list[dict]:
        """Draw the curve that the fits are compared with, and the points they were fitted to."""

    @abstractmethod
    def points(self, now: int) -> dict:
        """Return the points on the board."""

    @abstractmethod
    def parts(self, step: S) -> Parts:
        """Return for every complexity bias², variance, and the sum with the noise."""

    @abstractmethod
    def layers(self, step: S) -> Parts:
        """Return noise, noise + bias², and noise + bias² + variance at every x."""

    @abstractmethod
    def spread(self, step: S) -> ndarray:
        """Return the variance that the picture shows as a band."""

    @abstractmethod
    def errors(self, step: S, foot: float) -> list[dict]:
        """Draw the parts of the error; what is below `foot`, the least shown, is drawn at it."""

    def curve(self, y: ndarray, *, every: int = _COARSE, **style) -> dict:
        """Draw a function of x over the picture, by default at every second place."""
        smooth = isinstance(self.models, Polynomials | RidgePolynomials)
        if smooth and every > 1:  # the means of neighbours have steps
            style["line"] = style.get("line", {}) | {"shape": "spline"}
        return marks.over(self.last.x[::every], self._held(y)[::every], **style)

    def found(self, now: int) -> Curve:
        """Return this set's fit."""
        heights = self._held(self.steps[now].predictions[self.chosen])
        return Curve(np.column_stack([self.last.x, heights]))

    def picture(self, now: int) -> Figure:
        """Draw this set's fit over the earlier ones, and the mean of all with its band."""
        step, j = self.steps[now], self.chosen
        mean, spread = step.mean[j], np.sqrt(self.spread(step)[j])
        bottom, top = self.data.bounds[2:]
        places = [np.array([[step.x[spot], bottom], [step.x[spot], top]]) for spot in self.spots]
        edge = {"width": 0}
        band = {"line": edge, "fill": "tonexty", "fillcolor": marks.pale(MEAN, 0.3)}
        fit = {"line": {"width": 2, "color": FIT}, **marks.named("this fit")}
        middle = {"line": {"width": 4, "color": MEAN}, **marks.named("mean ± sd")}
        traces = [
            plane.line(
                plane.joined(places),
                line={"width": 1, "dash": "dot", "color": GREY},
                name="x₁ and x₂",
            ),
            self.curve(mean - spread, line=edge, name=_BAND),
            self.curve(mean + spread, **band, name=_BAND),
            *(
                old | {"visible": i < now, "opacity": _faded(max(now - i, 0))}
                for i, old in self.old
            ),
            *self.known(now),
            plane.line(plane.GAP, line=_OLD_LINE, opacity=_OLD_PALE, **marks.named("earlier")),
            self.curve(mean, **middle),
            self.curve(step.predictions[j], every=1, **fit),
            *self.lengths(now),
            plane.line(
                np.column_stack([step.x[list(self.spots)], [bottom + _RAIL * (top - bottom)] * 2]),
                mode="text",
                text=["\u2003x₁", "\u2003x₂"],
                textposition="middle right",
                textfont={"size": 15, "shadow": "auto"},
            ),
        ]
        points = self.points(now) if len(self.data.X) else None
        figure = plane.figure(traces, self.data.bounds, self.data.names, points=points)
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
        return curves.with_legend(figure, x=0, xanchor="left")

    def lengths(self, now: int) -> list[dict]:
        """Draw how far apart the fits are: one standard deviation up and down from the mean."""
        step, spot = self.steps[now], self.spots[1]
        mean, sd = step.mean[self.chosen, spot], np.sqrt(self.spread(step)[self.chosen, spot])
        what = "at x₂: 1 standard deviation of the fits, up and down"
        ends = mean - sd, mean + sd
        return [self.length(now, spot, ends, "± scatter", FIT, what)]

    def length(
        self, now: int, spot: int, ends: tuple[float, float], word: str, color: str, what: str
    ) -> dict:
        """Draw an upright length at a place, if it is long enough. A single fit has none."""
        bottom, top = self.data.bounds[2:]
        shown = now > 0 and abs(ends[1] - ends[0]) > _SHORT * (top - bottom)
        low, high = self._held(np.array(ends)) if shown else (np.nan, np.nan)
        return marks.length(float(self.last.x[spot]), low, high, word, color, what)

    def by_place(self, now: int) -> Figure:
        """Stack noise, bias² and variance at every x; from the bootstrap, the variance alone.

        Where bias² is below 0 by chance, none is drawn: the top stays the sum of all three.
        """
        layers, (_, _, whole) = (self.layers(step) for step in (self.steps[now], self.last))
        # A fit that swings at the ends leaves the plot there, so that the middle can be read.
        top = 1.15 * min(float(whole.max()), 8 * float(np.median(whole))) or 1.0
        traces = []
        for i, (values, color) in enumerate(zip(layers, (NOISE, MEAN, FIT), strict=True)):
            fill = {"fillcolor": marks.pale(color, 0.4), "fill": "tonexty" if i else "tozeroy"}
            heights = values[::_COARSE].clip(0, 3 * top)
            line = {"width": 1.5, "color": color}
            traces.append(marks.over(self.last.x[::_COARSE], heights, line=line, **fill))
        layout = curves.panel_layout(
            xaxis={"range": list(self.data.bounds[:2]), "nticks": 8},
            yaxis={"range": [0, top], "nticks": 4, "title": {"text": "error"}},
        )
        return {"data": traces, "layout": layout}

    def against_complexity(self, now: int) -> Figure:
        """Draw the errors of every complexity."""
        places = np.arange(len(self.kinds))
        names = [kind.rpartition(" ")[2] for kind in self.kinds]
        every = 1 + sum(map(len, names)) // _LETTERS  # names that would not fit side by side
        ticks = {"tickvals": places[::every].tolist(), "ticktext": names[::every]}
        layout = curves.panel_layout(
            xaxis={"range": [-0.4, len(places) - 0.6], "title": {"text": self.what}, **ticks},
            yaxis={"title": {"text": "error"}, **self.axis},
            shapes=[marks.upright(self.chosen)],
        )
        traces = self.errors(self.steps[now], self.foot)
        ends = {trace["name"].partition(":")[0]: trace["y"][-1] for trace in traces}
        figure = {"data": traces, "layout": layout}
        named = named_at_ends(figure, len(places) - 1, ends, margin=112, gap=0.11)
        words = named["data"][-1]
        colors = [trace["line"].get("color") for trace in traces]
        words["text"] = list(map(marks.coloured, words["text"], colors))
        return named

    def caption(self, now: int) -> str:
        """Write what set `now` did, with its numbers."""
        first, *rest = self.lines(now)
        best, before = (self.kinds[self.steps[i].best] for i in (now, max(now - 1, 0)))
        if best != before:
            first += f" Least error: {best}, before {before}."
        elif now and now == len(self.steps) - 1:
            first += f" Least error: {best}."
        return "\n".join([first, *rest])

    @abstractmethod
    def lines(self, now: int) -> list[str]:
        """Write the lines of the caption."""

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which model's next fit is farthest from the mean of its fits so far."""
        before, after = self.steps[now], self.steps[now + 1]
        count = len(self.kinds)
        models = np.unique(np.linspace(0, count - 1, min(count, _COMPARED)).round().astype(int))
        off = np.sqrt(np.square(after.predictions - before.mean).mean(axis=1))[models].tolist()

        *_, second, first = [0.0, *sorted(off)]
        if first <= _CLEAR * second:
            return None

        def reason(first: int, second: int) -> str:
            return (
                f"The root mean square of its difference from the mean is {number(off[first])}, "
                f"that of {self.kinds[models[second]]} {number(off[second])}. What varies from set "
                "to set is variance."
            )

        options = [Option(self.kinds[model]) for model in models]
        text = "Which model's next fit is farthest from the mean of its fits so far?"
        return which_most(text, options, off, reason)

    def fitted(self) -> str:
        """Write how the models are fitted."""
        models, (low, high) = self.models, self.ends()
        scaled = f"x is scaled to t from −1 to 1 on [{number(low)}, {number(high)}]"
        if isinstance(models, Polynomials):
            ridge = f", + {number(models.penalty)} Σ w² on t, t², …" if models.penalty else ""
            return f"{scaled}; the polynomials are fitted by least squares{ridge}."
        if isinstance(models, RidgePolynomials):
            power = str(models.degree).translate(SUPERSCRIPTS)
            return f"{scaled}; fits in t, …, t{power} by least squares + λ Σ w², intercept free."
        return "The prediction at x is the mean y of the k points with the nearest x."

    def ends(self) -> Sequence[float]:
        """Return the ends of the range of x on which fits are compared."""
        x = self.last.x
        return (1.5 * x[[0, -1]] - 0.5 * x[[1, -2]]).tolist()

    def _held(self, y: ndarray) -> ndarray:
        """Return heights no farther outside the picture than it can draw."""
        bottom, top = self.data.bounds[2:]
        room = _FAR * (top - bottom)
        return y.clip(bottom - room, top + room)


def _faded(age: int) -> float:
    """Return the opacity of a fit, so that the latest sets are seen among many."""
    return round(max(_LEAST, _OLD_PALE * _FADES**age), 2)


def kinds(models: Models) -> tuple[str, ...]:
    """Name the complexities."""
    if isinstance(models, Polynomials):
        return tuple(f"degree {degree}" for degree in models.degrees)
    if isinstance(models, RidgePolynomials):
        return tuple(f"λ = {number(penalty, 4)}" for penalty in models.penalties)
    return tuple(f"k = {k}" for k in models.ks)
