"""Pictures and words for points that are lifted into a space of three features."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.lift import LiftStep, raised
from algorithms.core.features import PolynomialFeatures
from viz.classification.svm.svm import Sides, filled, side_name
from viz.core import plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY
from viz.core.words import added, number, vector

NAMES = {"bowl": ("x₁", "x₂", "x₁² + x₂²"), "squares": ("x₁²", "√2 x₁x₂", "x₂²")}

_CELLS = 100
_CIRCLES, _RAYS = 4, 12  # of the plane, lifted
_ROOM = 1.06  # between the features and the frame
_AXES = 0.2  # their length in the corner, of half the picture
_SHORT = 0.35  # an axis that points so nearly to the eye has no name
_NO_NAME = "\u00a0"  # Plotly forgets the place of an empty text
_NEAR = 0.6  # of an axis' length: ends so near to each other have names on both sides


@dataclass(frozen=True, eq=False)
class Lift:
    """A run, and what no step changes: where its border is, and the stretch that is seen.

    query : a picked place on the plane.
    """

    data: Plane
    sides: Sides
    features: PolynomialFeatures
    steps: Sequence[LiftStep]
    query: ndarray

    @cached_property
    def wrong(self) -> ndarray:
        """Tell which points are on the wrong side of the plane, or in it."""
        step, signs = self.steps[0], self.steps[0].lifted.signs
        return signs * step.decision_function(self.features(self.data.X)) <= 0

    @cached_property
    def scores(self) -> ndarray:
        """Give f on the cells of the picture, row by row."""
        cells = plane.on_grid(self.features, self.data.bounds, _CELLS)
        return self.steps[0].decision_function(cells).reshape(_CELLS, _CELLS)

    @cached_property
    def levels(self) -> dict[float, ndarray]:
        """Give the lines f = −1, 0 and 1 on the picture of the points, with gaps between them."""
        x, y, _ = plane.grid(self.data.bounds, _CELLS)
        found = plane.contours(x, y, self.scores)
        return {
            level: plane.joined([np.asarray(piece) for piece in found.lines(level)])
            for level in (-1.0, 0.0, 1.0)
        }

    @cached_property
    def mesh(self) -> ndarray:
        """Give circles and rays of the plane as far as the points reach, lifted."""
        to, U = self.steps[0].lifted.to, self.features(self.data.X)
        radius = float(np.hypot(*U.T).max(initial=1e-9))
        turn = np.linspace(0, 2 * np.pi, 49)
        circles = [_polar(radius * (k + 1) / _CIRCLES, turn) for k in range(_CIRCLES)]
        out = np.linspace(0, radius, 13)
        rays = [_polar(out, angle) for angle in 2 * np.pi * np.arange(_RAYS) / _RAYS]
        return raised(plane.joined(circles + rays), to)

    @cached_property
    def middle(self) -> ndarray:
        """Give the place among the features that is in the middle of every view."""
        return (np.nanmin(self.mesh, axis=0) + np.nanmax(self.mesh, axis=0)) / 2

    @cached_property
    def reach(self) -> float:
        """Give how far the features go from their middle."""
        return _ROOM * float(np.nanmax(np.linalg.norm(self.mesh - self.middle, axis=1)))

    def seen(self, now: int, F: ndarray) -> ndarray:
        """Give where features are in the view of a step, about its middle."""
        return self.steps[now].seen(F - self.middle)


def _polar(radius: ndarray | float, angle: ndarray | float) -> ndarray:
    return np.stack(np.broadcast_arrays(radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def picture(shown: Lift) -> Figure:
    """Draw both sides of the border on the plane of the points, and the edges of the street."""
    data, dashed = shown.data, {"width": 1.5, "dash": "dash"}
    traces = [
        filled(shown.scores, shown.sides, data.bounds),
        plane.line(shown.levels[0.0], line={"width": 3}),
        plane.line(np.concatenate([shown.levels[-1.0], shown.levels[1.0]]), line=dashed),
    ]
    points = plane.points(data.X, data.labels, shown.wrong)
    return plane.figure(traces, data.bounds, data.names, points=points)


def lifted(shown: Lift, now: int) -> Figure:
    """Draw the lifted points, the plane f = 0 with its cut, and the edges of the street."""
    data, fixed = shown.data, shown.steps[now].lifted
    cut = raised(shown.features(shown.levels[0.0]), fixed.to)
    spot = raised(shown.features(shown.query[None]), fixed.to)
    traces = [
        plane.line(shown.seen(now, shown.mesh), line={"width": 1, "color": GREY}, opacity=0.6),
        plane.line(
            _sheet(shown, now, 0.0), line={"width": 1.5, "color": GREY},
            fill="toself", fillcolor="rgba(122,127,135,0.22)",
        ),
        plane.line(
            np.concatenate([_sheet(shown, now, -1.0), plane.GAP, _sheet(shown, now, 1.0)]),
            line={"width": 1.5, "dash": "dash"},
        ),
        plane.line(shown.seen(now, cut), line={"width": 3}),
        plane.line(
            shown.seen(now, spot), mode="markers",
            marker={"symbol": 4, "size": 13, "line": {"width": 2}},
        ),
        *_axes(shown, now),
    ]  # fmt: skip
    points = plane.points(shown.seen(now, fixed.points), data.labels, shown.wrong)
    box = (-shown.reach, shown.reach, -shown.reach, shown.reach)
    figure = plane.figure(traces, box, ("", ""), points=points)
    figure["layout"]["xaxis"] |= {"visible": False}
    figure["layout"]["yaxis"] |= {"visible": False, "scaleanchor": "x"}
    figure["layout"]["margin"] = {"l": 6, "r": 6, "t": 6, "b": 6}
    return figure


def _sheet(shown: Lift, now: int, level: float) -> ndarray:
    """Give the corners of a square of the plane f = level, in the view of a step; none if w = 0."""
    fixed, half = shown.steps[now].lifted, 0.7 * shown.reach
    if fixed.length == 0:
        return plane.GAP
    right, normal, eye = shown.steps[-1].frame
    height = (level - fixed.bias - fixed.weights @ shown.middle) / (fixed.weights @ normal)
    if abs(height) > shown.reach:
        return plane.GAP
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * half
    return shown.steps[now].seen(corners @ np.array([right, eye]) + height * normal)


def _axes(shown: Lift, now: int) -> list[dict]:
    """Draw the directions of the features in a corner; name those that do not point to the eye."""
    step, length = shown.steps[now], _AXES * shown.reach
    corner = shown.reach * np.array([-0.72, -0.72])
    ends = step.frame[:2].T
    lines = np.concatenate([[corner, corner + length * end, plane.GAP[0]] for end in ends])
    to = step.lifted.to
    texts = [
        name if np.hypot(*end) > _SHORT else _NO_NAME
        for name, end in zip(NAMES[to], ends, strict=True)
    ]
    return [
        plane.line(lines, line={"width": 2}),
        plane.line(
            corner + length * ends, mode="text", text=texts, textposition=_sides(ends),
            textfont={"size": 13},
        ),
    ]  # fmt: skip


def _sides(ends: ndarray) -> list[str]:
    """Give the sides of the axes' ends on which their names do not touch."""
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


def caption(shown: Lift, now: int) -> str:
    """Say from where the lifted points are seen, and what the plane is in two dimensions."""
    if now == 0:
        told = _first(shown)
    else:
        told = _last(shown) if shown.steps[now].event else _between(shown, now)
    return f"{told}\n{_rule(shown)}\n{_picked(shown)}"


def _first(shown: Lift) -> str:
    if shown.steps[0].lifted.to == "bowl":
        return "Seen from above, nobody can tell how high the points stand: the border is a curve."
    return "Seen with x₁² to the right and x₂² up: every point has moved to its squares."


def _between(shown: Lift, now: int) -> str:
    degrees = number(_angle(shown) * shown.steps[now].share)
    if shown.steps[now].lifted.to == "bowl":
        return f"Turned by {degrees}°: every point stands as high as its x₁² + x₂², on a bowl."
    return f"Turned by {degrees}°: every point lies on half a cone, as (√2 x₁x₂)² = 2 · x₁² · x₂²."


def _angle(shown: Lift) -> float:
    """Give the whole turn, in degrees."""
    turn = shown.steps[-1].frame @ shown.steps[0].frame.T
    return float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))


def _last(shown: Lift) -> str:
    wrong, n = int(shown.wrong.sum()), len(shown.wrong)
    verb = "is" if wrong == 1 else "are"
    return (
        f"Seen along the plane the border is a straight line: {wrong or 'none'} of {n} points "
        f"{verb} on its wrong side."
    )


def _rule(shown: Lift) -> str:
    """Write the plane with its numbers, and what it is on the plane of the points."""
    fixed = shown.steps[0].lifted
    names = NAMES[fixed.to]
    first, *others = fixed.weights.tolist()
    terms = [f"{number(first)} {names[0]}"] + [
        f"{added(weight)} {f'({name})' if ' + ' in name else name}"
        for weight, name in zip(others, names[1:], strict=True)
    ]
    rule = f"f = w·φ + b = {' '.join(terms)} {added(fixed.bias)}"
    if fixed.circle is None:
        return f"{rule}."
    center, radius = fixed.circle
    return f"{rule}; f = 0 is a circle of radius {number(radius)} about {vector(center)}."


def _picked(shown: Lift) -> str:
    """Take f apart at the picked place."""
    step, fixed = shown.steps[0], shown.steps[0].lifted
    u = shown.features(shown.query[None])
    f = float(step.decision_function(u)[0])
    phi = raised(u, fixed.to)[0]
    apart = ""
    if fixed.length > 0:
        apart = f", |f| / ‖w‖ = {number(abs(f) / fixed.length)} away from the plane"
    name = side_name(shown.sides[int(f > 0)], shown.data)
    return f"Picked point: φ{vector(u[0])} = {vector(phi)}, f = {number(f)}{apart}: {name}."


def note() -> str:
    """Say what the marks mean."""
    return (
        "x₁ and x₂ are the two columns, as they are used. Filled: a square of the plane f = 0; "
        "dashed: f = −1 and f = +1, the edges of the street. Thick: where the plane cuts what the "
        "points stand on. Grey: circles and rays of the plane, lifted. A thick outline: on the "
        "wrong side. The cross: the picked point."
    )
