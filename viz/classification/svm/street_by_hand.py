"""A street turned by hand, the best one of its direction, and the best of all."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.street_by_hand import (
    ON_EDGE,
    StreetStep,
    between_means,
    places_on,
    through,
)
from algorithms.core.features import PolynomialFeatures
from viz.classification.svm import marks
from viz.classification.svm.machine import widest
from viz.core import curves, naming, plane
from viz.core.drawing import Drawing
from viz.core.found import Regions
from viz.core.graph import texts
from viz.core.preparation import preprocessing
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number, rounded

_CELLS, _FINE_CELLS = 100, 300  # of the sides to compare, and of the picture: edges without steps
_FARTHEST = 4.0  # margin: points beyond are drawn there
_NOTE = (
    "Dashed: the edges f = −1 and f = +1. Dotted: the line of the street by hand. A thin stroke "
    "leads from every point with a loss to its own edge. A thick outline marks a point on the "
    "wrong side of the line. A ring marks a support vector: a point on its own edge, in the street "
    "or on its wrong side. At step 0, two discs hold the line, the third holds the edge."
)
_LOSS = {"width": 1}
_WAY = "way of a point with a loss to its own edge"
_BY_HAND = "line of the street by hand"
_NO_WORD = "\u00a0"  # Plotly forgets the place of an empty text
_NONE_SHORT = "no point falls short of its edge"
_RING = "ring: support vector"
_ROOM = 1.5  # times the cost of the first street by hand: longer bars are cut there
_SIGNS = {"marks": ["", "support vector: without it, another street may be the best"]}
_STREETS = ("by hand", "best of its direction", "best of all")


class Street(Show[StreetStep]):
    """Three streets, their losses and their costs."""

    def __init__(
        self, run: Run, data: Plane, sides: marks.Sides, features: PolynomialFeatures
    ) -> None:
        """Keep the classes of both sides, and how the columns are scaled."""
        super().__init__(run, data)
        self.sides, self.features = sides, features
        self.unit_shown = features.spread * features.scale  # of the features, on the picture's axes
        self.note = f"{preprocessing(features, data.names)} {_NOTE}"

    def views(self) -> list[View]:
        """Return the picture, the costs, and the losses."""
        return [
            View(
                "The street; strokes: from points with a loss to their edge",
                self.picture,
            ),
            View("What the streets cost", self.costs, ahead=True),
            View("The loss of every point, by its margin", self.losses),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the street, and a line from every point with a loss to its own edge."""
        data, box, step = self.data, self.data.bounds, self.steps[now]
        corners = plane.on_corners(self.features, box)
        f, yours = step.decision_function(corners), self.steps[0].decision_function(corners)
        dotted, edge = {"width": 2, "dash": "dot", "color": GREY}, {"width": 1.5, "dash": "dash"}
        line = plane.straight_border(f, box, line={"width": 3}, name=marks.BORDER)
        your_line = plane.straight_border(yours, box, line=dotted, name=_BY_HAND)
        traces = [
            marks.filled(self._f(now, _FINE_CELLS), self.sides, box),
            your_line,
            line,
            plane.straight_border(f - 1, box, line=edge, name=marks.EDGES),
            plane.straight_border(f + 1, box, line=edge, name=marks.EDGES),
            *self._losses(step),
            naming.word_at_end(your_line, box, _STREETS[0] if now else _NO_WORD, low=True),
            naming.in_corner(_RING if now else "drag the discs", box, "bottom right"),
        ]
        wrong = step.predict(step.task.points) != step.classes[(step.task.signs > 0).astype(int)]
        points = plane.points(data.X, data.labels, wrong)
        held = np.zeros(len(data.X), np.uint8)
        if now:  # nothing but the handles holds the street by hand
            held[step.support] = 1
        rings = plane.marks(held, [100, 100], [0, 18], 2.5)
        return plane.figure(traces, box, data.names, points=points, marks=rings, signs=_SIGNS)

    def losses(self, now: int) -> Figure:
        """Draw three losses against the margin, and every point on the hinge at its own margin."""
        steps, step = self.steps, self.steps[now]
        low = min(-2.0, *(float(each.margins.min()) for each in (steps[0], steps[-1])))
        low = max(low, -2 * _FARTHEST)
        m = np.linspace(low, _FARTHEST, 121)
        margins = np.clip(step.margins, low, _FARTHEST)
        thin = {"width": 1, "color": GREY}
        traces = [
            plane.line(np.column_stack([m, np.maximum(1 - m, 0)]), name="hinge", line={"width": 4}),
            plane.line(
                np.array([[low, 1.0], [0, 1], [0, 0], [_FARTHEST, 0]]),
                name="0/1",
                line=thin | {"dash": "dot"},
            ),
            plane.line(
                np.column_stack([m, np.logaddexp(0, -m)]),
                name="logistic",
                line=thin | {"dash": "dash"},
            ),
        ]
        traces = [trace | {"showlegend": True} for trace in traces]
        for sign, side, symbol in ((-1, self.sides[0], 0), (1, self.sides[1], 1)):
            own = margins[step.task.signs == sign]
            marker = {"size": 8, "color": marks.side_color(side), "symbol": symbol, "opacity": 0.6}
            places = np.column_stack([own, np.maximum(1 - own, 0)])
            traces.append(plane.line(places, mode="markers", marker=marker, cliponaxis=False))
        top = 1 - low
        ticks = [*range(-2 * int(_FARTHEST), int(_FARTHEST) + 1, 1 if low > -4 else 2)]
        layout = curves.panel_layout(
            xaxis={"range": [low - 0.2, _FARTHEST + 0.2]}
            | {"tickvals": ticks, "ticktext": [*map(number, ticks[:-1]), f"{ticks[-1]}+"]}
            | {"title": {"text": "how far on its own side, in half-widths", "standoff": 0}},
            yaxis={"range": [-0.06 * top, 1.04 * top], "nticks": 5, "title": {"text": "loss"}},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def costs(self, now: int) -> Figure:
        """Draw the costs of the three streets; the bar of a much worse one is cut, with a gap."""
        steps = self.steps
        costs = np.array([step.objective for step in steps])
        top = _ROOM * self._cost(self._first_by_hand())
        names = [f"<b>{name}</b>" if index == now else name for index, name in enumerate(_STREETS)]
        labels = [
            f"{name}<br>P = {number(step.objective, 4)}"
            for name, step in zip(names, steps, strict=True)
        ]
        parts = (
            ("being narrow: ½ ‖w‖²", [step.half_norm for step in steps], {"color": GREY}),
            ("falling short: C Σ hinge", [step.objective - step.half_norm for step in steps], {}),
        )
        traces = [
            {
                "type": "bar",
                "orientation": "h",
                "name": name,
                "x": values,
                "y": [0, 1, 2],
                "marker": look,
                "hoverinfo": "skip",
                "showlegend": True,
            }
            for name, values, look in parts
        ]
        cut = np.flatnonzero(costs > top)
        gaps = np.column_stack([np.full(len(cut), 0.93 * top), cut])
        traces.append(texts(gaps, ["//"] * len(cut), textfont={"size": 24, "shadow": "auto"}))
        layout = curves.panel_layout(
            xaxis={"range": [0, 1.04 * top], "nticks": 6},
            yaxis={"range": [2.6, -0.6], "tickvals": [0, 1, 2], "ticktext": labels},
        ) | {"barmode": "stack", "bargap": 0.35}
        layout["margin"] = {**layout["margin"], "l": 150}
        return curves.with_legend({"data": traces, "layout": layout}, traceorder="normal")

    def caption(self, now: int) -> str:
        """Write what holds the street or what it costs, with the numbers in the objective."""
        step, C = self.steps[now], self.steps[now].task.C
        hinge = number(round(float(step.hinges.sum()), 3), 4)
        return (
            f"{self._headline(now)}\n"
            "It pays for being narrow and for points short of their edge: P = ½ ‖w‖² + C Σ hinge = "
            f"½ · {number(step.length, 4)}² + {C:g} · {hinge} = {number(step.objective, 4)}.\n"
            f"{self._width(step)}. {self._what_to_drag(now)}"
        )

    def _swapped(self, now: int) -> bool:
        """Return whether f by hand, at the first step, is on average lower in the second class."""
        step = self.steps[now]
        means = [float(step.margins[step.task.signs == sign].mean()) for sign in (-1, 1)]
        return now == 0 and sum(means) < 0

    def _what_to_drag(self, now: int) -> str:
        if self._swapped(now):
            return "Drag the disc on the edge across the line to swap the sides back."
        do = "Go back to step 0 and drag" if now else "Drag"
        return f"{do} the discs to turn a street by hand."

    def _headline(self, now: int) -> str:
        step, n = self.steps[now], len(self.data.X)
        if step.length == 0:
            return f"The street that is {_STREETS[now]} has w = 0: f is the same everywhere."
        if now < 2:
            street = ("The street by hand", "Same direction, best place and width: it")[now]
            short = int((step.hinges > ON_EDGE).sum())
            falls = "falls short of its own edge" if short == 1 else "fall short of their own edge"
            points = f"{short} of {counted(n, 'point')} {falls} (strokes)"
            cost = rounded(step.objective)
            about = "" if cost == number(step.objective, 4) else "about "
            costs = f"{street} costs {about}{cost}"
            if self._swapped(now):
                return f"The street's sides have swapped. {costs}; {points}."
            return f"{costs}; {points if short else _NONE_SHORT}."
        wrong = int((step.margins <= 0).sum())
        side = f"{wrong or 'none'} of {counted(n, 'point')} {'is' if wrong == 1 else 'are'}"
        held = counted(len(step.support), "support vector")
        held += " holds it" if len(step.support) == 1 else " hold it"
        if float(step.hinges.max()) < ON_EDGE:
            return f"The widest street between the classes: {held} from both sides."
        return f"The best street of all: {held}; {side} on its wrong side."

    def answer(self, now: int) -> str:
        """Write what the best street of all costs, until it is shown."""
        if now == len(self.steps) - 1:
            return ""
        return f"The best of all has P = {number(self.steps[-1].objective, 4)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how the better street differs in width or in losses."""
        before, after = self.steps[now], self.steps[now + 1]
        better = "of this direction" if now == 0 else "of all"
        widths = [step.width for step in (before, after)]
        losses = [float(step.hinges.sum()) for step in (before, after)]
        reason = (
            f"Its width goes from {number(widths[0])} to {number(widths[1])}, and the sum of the "
            f"losses from {number(losses[0])} to {number(losses[1])}: together this costs least."
        )
        seen = [step.width_on(self.unit_shown) for step in (before, after)]
        alike = (seen[0] < seen[1]) == (widths[0] < widths[1])  # what is seen does not mislead
        by_width = rng.random() < 0.5 and alike
        which, (old, new) = ("width", widths) if by_width else ("sum of losses", losses)
        text = f"Next is the best street {better}. What does the {which} do?"
        return rises_or_falls(text, old, new, reason)

    def found(self, now: int) -> Regions:
        """Return the side of every cell."""
        return marks.regions(self._f(now), self.sides)

    def to_draw(self) -> Drawing | None:
        """Return the street as a class draws it, judged by P; None if the best one has w = 0."""
        best, features = self.steps[-1], self.features
        if best.length == 0:
            return None
        side = self.data.classes[self.sides[1]]
        return Drawing(
            task=f"Draw the best street. Its third handle is on the edge on the side of “{side}”.",
            shape="street",
            names=("First end of the line", "Second end of the line", f"Edge of “{side}”"),
            start=self._first_by_hand(),
            measure="cost P",
            cost=self._cost,
            best=features.columns.back(features.products.back(places_on(best))),
        )

    def _first_by_hand(self) -> ndarray:
        """Return the places of the street by hand before anybody has dragged it."""
        second = (self.steps[0].task.signs > 0).astype(int)
        return between_means(self.data.X, second, self.data.bounds)

    def _cost(self, places: ndarray) -> float:
        """Return the cost P of the street of three places."""
        return StreetStep(self.steps[0].task, 0, *through(self.features(places))).objective

    def _losses(self, step: StreetStep) -> list[dict]:
        """Draw a line from every point with a loss to its own edge, in its side's colour."""
        ways, has_edge = step.ways_back(self.unit_shown), step.length > 0
        traces = []
        for sign, side in zip((-1, 1), self.sides, strict=True):
            short = np.flatnonzero((step.hinges > 0) & (step.task.signs == sign) & has_edge)
            start = self.data.X[short]
            lines = plane.joined(list(np.stack([start, start + ways[short]], axis=1)))
            look = _LOSS | {"color": marks.side_color(side)}
            traces.append(plane.line(lines, line=look, name=_WAY))
        return traces

    def _width(self, step: StreetStep) -> str:
        """Write the width in the units of P, and as the picture shows it if that differs."""
        if step.length == 0:
            return "It has no width"
        width = f"Its width is 2 / ‖w‖ = {number(step.width)}"
        if not widest(self.features):
            return width
        return f"{width} in standardised units, {number(step.width_on(self.unit_shown))} as drawn"

    def _f(self, now: int, size: int = _CELLS) -> ndarray:
        """Return f in size × size cells of the picture."""
        cells = plane.on_grid(self.features, self.data.bounds, size)
        return self.steps[now].decision_function(cells).reshape(size, size)
