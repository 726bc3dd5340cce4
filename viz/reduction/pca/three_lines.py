"""Three lines through one cloud: two regressions and the principal axis."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.pca.three_lines import LineEvent, LineStep
from viz.core import curves, plane
from viz.core.found import Axis
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Figure, Run, Track, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.turning import across_the_picture, angle_axis, opening
from viz.core.words import number, rounded
from viz.reduction.pca import marks
from viz.reduction.pca.marks import Columns, shown_rows

SIDES: dict[str, LineEvent] = {
    "up": "least up",
    "across": "least across",
    "sideways": "least sideways",
}
NAMES = {"up": "y on x", "across": "principal axis", "sideways": "x on y"}
_COLORS = dict(zip(SIDES, PALETTE[1:4], strict=True))  # the points are blue
_DASHES = {"up": "dash", "across": "dashdot", "sideways": "dot"}
_WHAT = {
    "up": "distances up and down: the regression of y on x",
    "across": "distances straight across: the principal axis",
    "sideways": "distances to the side: the regression of x on y",
}
_GOAL = "Each of the other lines is best for one direction of the distances."
_STEEPEST = 1e6  # times as much: nearly upright, or level
_TOP = 1.3  # of the total variance: larger mean squares leave the plot


def best(steps: Sequence[LineStep], side: str) -> LineStep:
    """Return the line with the least mean squared distances in one direction."""
    return next(step for step in steps if step.event == SIDES[side])


class ThreeLines(Show[LineStep]):
    """A line that is turned, and three lines, each best for distances in one direction."""

    def __init__(self, run: Run, columns: Columns, side: str) -> None:
        """Find the three best lines. side : the direction of the distances that are drawn."""
        super().__init__(run, columns.plane)
        self.columns, self.side = columns, side
        self.opens = opening([step.angle for step in self.steps])
        alike = "All points are drawn alike: their classes play no part."
        self.note = f"{marks.preprocessing(columns.standardize)} {alike}"

    def views(self) -> list[View]:
        """Return the picture with its handles, and the mean squares over the angle."""
        title = f"Turn the line: the distances {self.side}, and the three best lines"
        track = Track("The line", marks.ends(self.steps, self.data))
        angles = [step.angle for step in self.steps]
        squares = "Mean squared distance against the angle"
        return [
            View(title, self.picture, track=track),
            View(squares, errors(self.steps), ahead="by step", at=angles),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the line, the three best lines, and the distances of the points from the line."""
        step, data, columns = self.steps[now], self.data, self.columns
        X = columns.table[shown_rows(len(columns.table))]
        traces = [_sticks(X, step, self.side, data.bounds)]
        for kind in SIDES:
            ends = _through(best(self.steps, kind), data.bounds)
            stroke = {"width": 2, "dash": _DASHES[kind], "color": _COLORS[kind]}
            traces.append(
                plane.line(ends, line=stroke, name=f"{kind}: {NAMES[kind]}", showlegend=True)
            )
        traces += [
            plane.line(_through(step, data.bounds), line={"width": 3}, name="the line you turn"),
            plane.line(
                step.mean[None], mode="markers", marker={"size": 15, "symbol": 4}, name="mean"
            ),
        ]
        alike = np.zeros(len(data.X), int)  # the classes play no part
        points = plane.points(columns.table, alike)
        figure = plane.figure(traces, data.bounds, data.names, points=points)
        return curves.with_legend(figure, x=0, xanchor="left")

    def caption(self, now: int) -> str:
        """Write which distances the line at step `now` makes small, and by which rule."""
        step, side, names = self.steps[now], self.side, self.data.names
        line = f"The line at {marks.drawn_at(step)} has slope {_finite(step.slope)}"
        kind = next((kind for kind, event in SIDES.items() if event == step.event), None)
        if kind is None:
            rival = min(self.steps[: now + 1], key=lambda other: getattr(other, side))
            before = f"; it was {_finite(getattr(rival, side))} at {rounded(rival.angle)}°"
            first = (
                f"{line}; the mean squared distance {side} is {_finite(getattr(step, side))}"
                f"{'' if rival is step else before}."
            )
        else:
            first = f"{line}. It has the least {_WHAT[kind]}."
        if now == len(self.steps) - 1:
            first = (
                f"Back at the principal axis, {marks.drawn_at(step)}: its slope "
                f"{_finite(step.slope)} is between those of the two regressions."
            )
        found = {step.event for step in self.steps[: now + 1]}
        slopes = ", ".join(
            f"{NAMES[kind]} {_finite(best(self.steps, kind).slope)}"
            for kind, event in SIDES.items()
            if event in found
        )
        named = f"x is {names[0]}, y is {names[1]}. " if names != ("x", "y") else ""
        lines = "the three best lines" if set(SIDES.values()) <= found else "the best lines so far"
        known = f"Slopes of {lines}: {slopes}." if slopes else _GOAL
        return f"{first}\n{_rule(step)}\n{named}{known}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what a turn does to the mean squared distance that is drawn."""
        before, after = self.steps[now], self.steps[now + 1]
        if now + 2 == len(self.steps):
            return None  # the line goes back to the principal axis
        old, new = (getattr(step, self.side) for step in (before, after))
        if max(old, new) > _STEEPEST * after.across:
            return None
        reason = f"It goes from {number(old, 4)} to {number(new, 4)}."
        text = (
            f"The line turns from {before.angle:.1f}° to {after.angle:.1f}°. What does the mean "
            f"squared distance {self.side} do?"
        )
        return rises_or_falls(text, old, new, reason)

    def found(self, now: int) -> Axis:
        """Return the line."""
        return Axis(_through(self.steps[now], self.data.bounds))


def errors(steps: Sequence[LineStep]) -> Callable[[int], Figure]:
    """Return how to draw the three mean squares over the angle, with a star at each minimum.

    The last step, back at the principal axis, is on the curves already.
    """
    angle = np.array([step.angle for step in steps])
    top = _TOP * steps[0].total
    series = {kind: np.array([getattr(step, kind) for step in steps]) for kind in SIDES}
    lines, stars = [], []
    for kind, values in series.items():
        look = {"width": 3, "dash": _DASHES[kind], "color": _COLORS[kind]}
        drawn = np.where(values < 3 * top, values, np.nan)  # beyond the plot there is no line
        places = np.column_stack([angle, drawn])
        lines.append(plane.line(places[:-1], name=kind, showlegend=True, line=look))
        least = steps.index(best(steps, kind))
        star = {"size": 13, "symbol": "star", "color": _COLORS[kind]}
        stars.append(plane.line(places[[least]], mode="markers", marker=star, meta=ANSWER))
    layout = curves.panel_layout(
        xaxis=angle_axis(),
        yaxis={"range": [0, top], "nticks": 5, "title": {"text": "mean square"}},
    )

    def at(now: int) -> Figure:
        seen = [min(float(values[now]), 3 * top) for values in series.values()]
        marks = [curves.marked(float(angle[now]), y, showlegend=False, cliponaxis=True)
                 for y in seen]  # fmt: skip
        return curves.with_legend({"data": [*lines, *stars, *marks], "layout": layout})

    return at


def _through(step: LineStep, box: tuple[float, float, float, float]) -> ndarray:
    """Return the two places at which a line leaves the picture."""
    half = across_the_picture((step.components * step.scale), box)[0]
    return np.array([step.mean - half, step.mean + half])


def _sticks(X: ndarray, step: LineStep, side: str, box: tuple) -> dict:
    """Draw the way from every point to the line, in one direction, as far as the picture goes."""
    if side == "across":
        feet = step.reconstruct(X)
    else:
        offsets, slope = X - step.mean, step.slope
        feet = X.copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            if side == "up":
                feet[:, 1] = step.mean[1] + slope * offsets[:, 0]
            else:
                feet[:, 0] = step.mean[0] + offsets[:, 1] / slope
    low, high = np.array(box[::2]), np.array(box[1::2])
    feet = np.clip(np.nan_to_num(feet, nan=0.0), low - 2 * (high - low), high + 2 * (high - low))
    path = np.stack([X, feet, np.full_like(X, np.nan)], axis=1).reshape(-1, 2)
    return plane.line(path, line={"width": 1.5, "color": marks.PALE}, name="distance of a point")


def _rule(step: LineStep) -> str:
    """Write the three mean squares."""
    up, sideways = _finite(step.up), _finite(step.sideways)
    return (
        f"In mean square, the line misses the points by {number(step.across)} across, "
        f"{up} up and {sideways} sideways."
    )


def _finite(value: float) -> str:
    return number(value) if _bounded(value) else "without bound"


def _bounded(value: float) -> bool:
    return abs(value) < 1e9
