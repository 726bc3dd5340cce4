"""Points lifted into a space of three features, seen from a turning viewpoint."""

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.lift import LiftStep, raised
from algorithms.core.features import PolynomialFeatures
from viz.classification.svm import marks
from viz.classification.svm.machine import widest
from viz.core import plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import added, number, vector

_NAMES = {"bowl": ("x₁", "x₂", "x₁² + x₂²"), "squares": ("x₁²", "√2 x₁x₂", "x₂²")}

_CELLS = 100
_CIRCLES, _RAYS = 4, 12  # of the plane, lifted
_ROOM = 1.06  # between the features and the frame
_SHEET = 0.95  # of the half picture: half a side of the square of the plane f = 0
_AXES = 0.25  # their length in the corner, of half the picture
_SHORT = 0.35  # a shorter axis points nearly to the eye and has no name
_NO_NAME = "\u00a0"  # Plotly forgets the place of an empty text
_NEAR = 0.6  # of an axis' length: ends nearer to each other have their names on both sides


_NOTE = (
    "x₁ and x₂ are the two columns, as they are used. Filled: a square of the plane f = 0; "
    "dashed: f = −1 and f = +1, the edges of the street. The thick line is where the plane cuts "
    "the surface that holds the points. Grey: circles and rays of the plane, lifted. A thick "
    "outline marks a point on the wrong side. The cross is the picked point."
)


class Lift(Show[LiftStep]):
    """The border on the plane, and the lifted points with the plane that separates them."""

    silent = "The steps only turn the view."
    opens = 20  # tilted: the height shows, and the plane is not yet edge-on

    def __init__(
        self,
        run: Run,
        data: Plane,
        sides: marks.Sides,
        features: PolynomialFeatures,
        query: ndarray,
    ) -> None:
        """Compute the border and the visible part of the features. query : the picked place."""
        super().__init__(run, data)
        self.sides, self.features, self.query = sides, features, query
        self.note = f"{preprocessing(features, data.names)} {_NOTE}"
        self.lifted = fixed = self.steps[0].lifted
        self.wrong = fixed.margins <= 0
        cells = plane.on_grid(features, data.bounds, _CELLS)
        self.scores = self.steps[0].decision_function(cells).reshape(_CELLS, _CELLS)
        x, y, _ = plane.grid(data.bounds, _CELLS)
        contours = plane.contours(x, y, self.scores)
        self.levels = {
            level: plane.joined([np.asarray(piece) for piece in contours.lines(level)])
            for level in (-1.0, 0.0, 1.0)
        }
        self.mesh = raised(_mesh(features(data.X)), fixed.to)
        self.middle = (np.nanmin(self.mesh, axis=0) + np.nanmax(self.mesh, axis=0)) / 2
        # The frame holds the points and their surface as they turn.
        ends = np.array([np.nanmax(abs(seen), axis=0) for seen in self._turning()])
        self.wide, self.high = (_ROOM * ends.max(axis=0)).tolist()

    def views(self) -> list[View]:
        """Return the border on the plane, and the lifted points."""
        border = self.border()
        return [
            View("Both sides of the border, and the edges f = −1 and +1", lambda _: border),
            View(
                "Lifted points, the plane f = 0; dashed: f = ±1",
                self.picture,
                height=1.6,
                board=False,
            ),
        ]

    def border(self) -> Figure:
        """Draw both sides of the border on the plane of the points, and the edges of the street."""
        data, dashed = self.data, {"width": 1.5, "dash": "dash"}
        traces = [
            marks.filled(self.scores, self.sides, data.bounds),
            plane.line(self.levels[0.0], line={"width": 3}, name=marks.BORDER),
            plane.line(
                np.concatenate([self.levels[-1.0], self.levels[1.0]]), line=dashed, name=marks.EDGES
            ),
        ]
        points = plane.points(data.X, data.labels, self.wrong)
        return plane.figure(traces, data.bounds, data.names, points=points)

    def picture(self, now: int) -> Figure:
        """Draw the lifted points, the plane f = 0 with its cut, and the edges of the street."""
        data, fixed = self.data, self.lifted
        cut = raised(self.features(self.levels[0.0]), fixed.to)
        spot = raised(self.features(self.query[None]), fixed.to)
        traces = [
            plane.line(self._seen(now, self.mesh), line={"width": 1, "color": GREY}, opacity=0.6),
            plane.line(
                self._sheet(now, 0.0), line={"width": 1.5, "color": GREY},
                fill="toself", fillcolor="rgba(122,127,135,0.22)",
            ),
            plane.line(
                np.concatenate([self._sheet(now, -1.0), plane.GAP, self._sheet(now, 1.0)]),
                line={"width": 1.5, "dash": "dash"},
            ),
            plane.line(self._seen(now, cut), line={"width": 3}),
            plane.line(
                self._seen(now, spot), mode="markers",
                marker={"symbol": 4, "size": 13, "line": {"width": 2}},
            ),
            *self._axes(now),
        ]  # fmt: skip
        points = plane.points(self._seen(now, fixed.points), data.labels, self.wrong)
        box = (-self.wide, self.wide, -self.high, self.high)
        figure = plane.figure(traces, box, ("", ""), points=points)
        figure["layout"]["xaxis"] |= {"visible": False}
        figure["layout"]["yaxis"] |= {"visible": False, "scaleanchor": "x"}
        figure["layout"]["margin"] = {"l": 6, "r": 6, "t": 6, "b": 6}
        return figure

    def _sheet(self, now: int, level: float) -> ndarray:
        """Return the corners of a square of the plane f = level, as seen; none if w = 0."""
        fixed, half = self.lifted, _SHEET * self.wide
        if fixed.length == 0:
            return plane.GAP
        right, normal, eye = self.steps[-1].frame
        height = (level - fixed.bias - fixed.weights @ self.middle) / (fixed.weights @ normal)
        if abs(height) > max(self.wide, self.high):
            return plane.GAP
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * half
        return self.steps[now].seen(corners @ np.array([right, eye]) + height * normal)

    def _axes(self, now: int) -> list[dict]:
        """Draw the axes of the features in a corner; axes that point at the viewer get no name."""
        step, length = self.steps[now], _AXES * self.wide
        corner = np.array([-0.72 * self.wide, 1.2 * length - self.high])  # they turn downwards, too
        ends = step.frame[:2].T
        lines = np.concatenate([[corner, corner + length * end, plane.GAP[0]] for end in ends])
        to = step.lifted.to
        texts = [
            name if np.hypot(*end) > _SHORT else _NO_NAME
            for name, end in zip(_NAMES[to], ends, strict=True)
        ]
        return [
            plane.line(lines, line={"width": 2}),
            plane.line(
                corner + length * ends, mode="text", text=texts, textposition=_sides(ends),
                textfont={"shadow": "auto"},
            ),
        ]  # fmt: skip

    def _turning(self) -> list[ndarray]:
        """Return where the surface and the points are seen, at every step."""
        shown = np.concatenate([self.mesh, self.lifted.points])
        return [self._seen(now, shown) for now in range(len(self.steps))]

    def _seen(self, now: int, F: ndarray) -> ndarray:
        """Return the places of features in the view of a step, relative to the middle."""
        return self.steps[now].seen(F - self.middle)

    def caption(self, now: int) -> str:
        """Write the viewpoint, the plane's border in 2-D, and f at the picked point."""
        if now == 0:
            said = self._first()
        else:
            said = self._last() if self.steps[now].event else self._between(now)
        return f"{said}\n{self._rule()}\n{self._picked()}"

    def found(self, now: int) -> Regions:
        """Return the side of every cell."""
        return marks.regions(self.scores, self.sides)

    def _first(self) -> str:
        if self.lifted.to == "bowl":
            return "Seen from above, the height of the points does not show: the border is a curve."
        return "Seen with x₁² to the right and x₂² up: every point has moved to its squares."

    def _between(self, now: int) -> str:
        degrees = number(self.steps[-1].turned_from(self.steps[0]) * self.steps[now].share)
        if self.lifted.to == "bowl":
            return f"Turned by {degrees}°: every point is at the height x₁² + x₂², on a bowl."
        return f"Turned by {degrees}°: every point is on half a cone: (√2 x₁x₂)² = 2 · x₁² · x₂²."

    def _last(self) -> str:
        wrong, n = int(self.wrong.sum()), len(self.wrong)
        verb = "is" if wrong == 1 else "are"
        return (
            f"Seen along the plane the border is a straight line: {wrong or 'none'} of {n} points "
            f"{verb} on its wrong side."
        )

    def _rule(self) -> str:
        """Write the plane with its numbers, and its curve on the plane of the points."""
        names = _NAMES[self.lifted.to]
        first, *others = self.lifted.weights.tolist()
        terms = [f"{number(first)} {names[0]}"] + [
            f"{added(weight)} {f'({name})' if ' + ' in name else name}"
            for weight, name in zip(others, names[1:], strict=True)
        ]
        units = "In standardised units, " if widest(self.features) else ""
        rule = f"{units}f = w·φ + b = {' '.join(terms)} {added(self.lifted.bias)}"
        if self.lifted.circle is None:
            return f"{rule}."
        center, radius = self.lifted.circle
        return f"{rule}; f = 0 is a circle of radius {number(radius)} about {vector(center)}."

    def _picked(self) -> str:
        """Write f at the picked place."""
        fixed = self.lifted
        u = self.features(self.query[None])
        f = float(self.steps[0].decision_function(u)[0])
        phi = raised(u, fixed.to)[0]
        apart = ""
        if fixed.length > 0:
            apart = f", |f| / ‖w‖ = {number(abs(f) / fixed.length)} away from the plane"
        name = marks.side_name(self.sides[int(f > 0)], self.data)
        return (
            f"Picked point: it is lifted to φ = {vector(phi)}, f = {number(f)}{apart}, so {name}."
        )


def _mesh(U: ndarray) -> ndarray:
    """Return circles and rays of the plane as far as the points reach."""
    radius = float(np.hypot(*U.T).max(initial=1e-9))
    turn = np.linspace(0, 2 * np.pi, 49)
    circles = [_polar(radius * (k + 1) / _CIRCLES, turn) for k in range(_CIRCLES)]
    out = np.linspace(0, radius, 13)
    rays = [_polar(out, angle) for angle in 2 * np.pi * np.arange(_RAYS) / _RAYS]
    return plane.joined(circles + rays)


def _polar(radius: ndarray | float, angle: ndarray | float) -> ndarray:
    return np.stack(np.broadcast_arrays(radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _sides(ends: ndarray) -> list[str]:
    """Return the sides of the axes' ends on which their names do not touch."""
    sides = []
    for k, (x, y) in enumerate(ends):
        others = [end for j, end in enumerate(ends) if j != k and np.hypot(*end) > _SHORT]
        near = [end for end in others if np.hypot(*(end - ends[k])) < _NEAR]
        if abs(x) > abs(y) and near:
            sides.append("top center" if y >= max(end[1] for end in near) else "bottom center")
        elif abs(x) > abs(y) or near:
            right = x > max(end[0] for end in near) if near else x > 0
            sides.append("middle right" if right else "middle left")
        else:
            sides.append("top center" if y > 0 else "bottom center")
    return sides
