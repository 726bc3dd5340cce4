"""Leverage: one point is pulled up and down, and the line follows."""

from functools import cached_property

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.regression.linear_regression.leverage import LeverageStep, point_at
from algorithms.regression.linear_regression.linear_regression import moments
from viz.core import curves, plane
from viz.core.found import Curve
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import added, enclosed, number
from viz.regression.linear_regression import marks
from viz.regression.linear_regression.marks import four, parameters

_SMALL, _LARGE = 0.5, 2.5  # of the usual diameter of a point
_OPENS = 0.75  # of the way: the point is high, and the line has followed it
_PALE = 0.3  # opacity of the point where it was
_ROOM = 0.07  # of the picture's height, below the lowest and above the highest pulled point
_DOTS = 400  # leverages drawn at most
_TOLD = 0.05  # of a way: ways nearer to each other are alike
_MARKS = (
    " Dashed: the line before the pull. The larger a point, the larger its leverage. The thick "
    "stroke shows how far the line has moved at the point. In the view of the fit, the dotted line "
    "is a fit that follows the point all the way."
)


class Leverage(Show[LeverageStep]):
    """The line while the point at one end of x, or in its middle, is pulled up and down."""

    def __init__(self, run: Run, data: Plane, end: str, unused: int) -> None:
        """Find the point. end : of x, as `point_at` has it.

        unused : columns of the table that are not on the plane.
        """
        super().__init__(run, data)
        self.point = point_at(data.X[:, 0], end)
        self.x = float(data.X[self.point, 0])
        self.h = float(self.steps[0].leverages[self.point])
        self.before = next(step for step in self.steps if step.event)
        self.heights = np.array([step.height for step in self.steps])
        self.fits = np.array([self._fitted(step) for step in self.steps])
        self.moments = moments(*data.X.T)
        left, right, bottom, top = data.bounds
        room = _ROOM * (top - bottom)
        self.box = left, right, bottom - room, top + room
        self.opens = round(_OPENS * (len(self.steps) - 1))
        self.note = f"{marks.columns_note(data, unused)}{_MARKS}"

    def views(self) -> list[View]:
        """Return the line, the leverages against x, and the fit against the point's height."""
        held = np.column_stack([np.full(len(self.heights), self.x), self.heights])[:, None]
        return [
            View(
                "Pull the point: the line follows (dashed: before). Large points: large leverage",
                self.picture,
                track=Track("The pulled point", held, along="y"),
            ),
            View("Leverage against x; dashed: the average", self.against_x),
            View(
                "The fit at its x against its height: slope h",
                self.following,
                ahead="to a question",
            ),
        ]

    @cached_property
    def points(self) -> dict:
        """Return the data points, their areas in proportion to their leverages."""
        h = self.steps[0].leverages
        size = np.sqrt(h / h.mean()).clip(_SMALL, _LARGE)
        strength = np.where(np.arange(len(h)) == self.point, _PALE, 1.0)
        return plane.points(self.data.X, marks.one_kind(self.data), size=size, strength=strength)

    def picture(self, now: int) -> Figure:
        """Draw the line, the line before (dashed), and how far the point and the line moved."""
        step, before, bounds = self.steps[now], self.before, self.box
        went = np.array([[self.x, before.height], [self.x, step.height]])
        followed = np.array([[self.x, self._fitted(before)], [self.x, self.fits[now]]])
        traces = [
            plane.line(
                went,
                line={"width": 2, "dash": "dot", "color": GREY},
                name="way of the point you pull",
            ),
            marks.fit_line(
                parameters(before), bounds, line=marks.BEST, **marks.keyed("before the pull")
            ),
            marks.fit_line(parameters(step), bounds, line={"width": 3}, **marks.keyed("line now")),
            plane.line(
                followed,
                line={"width": 6, "color": PALETTE[1]},
                **marks.keyed("how far it followed"),
            ),
            plane.line(
                went[1:], mode="markers", marker={"size": 26, "color": PALETTE[0]},
                name="the point as you pull it",
            ),
        ]  # fmt: skip
        signs = {
            "size": "area of a point: its leverage",
            "strength": "faint: where the pulled point was",
        }
        figure = plane.figure(traces, bounds, self.data.names, points=self.points, signs=signs)
        return marks.with_key(figure)

    def against_x(self, now: int) -> Figure:
        """Draw the leverages against x, on a parabola about the mean; no step changes them."""
        x, h = self.data.X[:, 0], self.steps[now].leverages
        shown = marks.spread(x, _DOTS)
        left, right = self.data.bounds[:2]
        average = np.array([[left, h.mean()], [right, h.mean()]])
        dots, dashed = np.stack([x[shown], h[shown]], axis=1), {"width": 2, "dash": "dash"}
        traces = [
            plane.line(average, line=dashed | {"color": GREY}),
            plane.line(dots, mode="markers", marker={"size": 6, "color": PALETTE[0]}),
            curves.marked(self.x, self.h),
        ]
        height = {"range": [0, 1.15 * float(h.max())], "title": {"text": "leverage h"}, "nticks": 5}
        layout = curves.panel_layout(xaxis={"range": [left, right], "nticks": 8}, yaxis=height)
        return {"data": traces, "layout": layout}

    def following(self, now: int) -> Figure:
        """Draw how high the line is at the point's x over the height of the point.

        The dotted line is where both are equal.
        """
        low, high = self.data.bounds[2:]
        all_the_way = np.array([[low, low], [high, high]])
        fits: ndarray = np.stack([self.heights, self.fits], axis=1)
        traces = [
            plane.line(all_the_way, line={"width": 2, "dash": "dot", "color": GREY}),
            plane.line(fits, line={"width": 3, "color": PALETTE[1]}),
            curves.marked(float(self.heights[now]), float(self.fits[now])),
        ]
        titles = {"text": "height of the point", "standoff": 2}, {"text": "fit at its x"}
        layout = curves.panel_layout(
            xaxis={"range": [low, high], "title": titles[0], "nticks": 7},
            yaxis={"range": [low, high], "title": titles[1], "nticks": 5},
        )
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write how far the line follows the point, with the numbers in the rule."""
        step, lift = self.steps[now], self.steps[now].lifted
        where, share = f"The point at x = {number(self.x)}", f"{number(100 * self.h)} %"
        moved = f"{'lifted' if lift > 0 else 'lowered'} by {number(abs(lift))}"
        first = (
            f"{where} is {moved}; the line follows it by {number(self.h * abs(lift))}, {share} of "
            "the way."
        )
        if step.event:
            first = (
                f"{where} is where it was. Drag it up and down: the line follows it by {share} of "
                "the way."
            )
        return f"{first}\n{self._leverage()}\n{self._slope(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how far the line follows the point, and what its slope does."""
        before, after = self.steps[now], self.steps[now + 1]
        if rng.random() < 0.5:
            return self._follows(before.height, after.height)
        old, new = (float(step.weights[0]) for step in (before, after))
        reason = (
            f"The point is at {number(self.x)}, and the mean of x is "
            f"{number(self.moments.mean_x)}: the slope goes from {number(old)} to {number(new)}."
        )
        text = "The point ? is pulled up. What does the slope of the line do?"
        return rises_or_falls(text, old, new, reason, place=(0, self.x, before.height))

    def found(self, now: int) -> Curve:
        """Return the line."""
        return marks.found(parameters(self.steps[now]), self.data.bounds)

    def _fitted(self, step: LeverageStep) -> float:
        """Return what a line predicts at the point's x."""
        w, b = parameters(step)
        return w * self.x + b

    def _leverage(self) -> str:
        """Write the rule of the leverage with its numbers."""
        (x_mean, _, s_xx, _), n = self.moments, len(self.data.X)
        if s_xx == 0:
            return f"All x are the same, so every leverage is h = 1/{n} = {number(1 / n)}."
        away = f"({four(self.x)} {added(-x_mean, 4)})²"
        rule = f"1/{n} + {away} / {four(s_xx)} = {four(self.h)}"
        average = f"the average is 2/{n} = {number(2 / n)}"
        return (
            f"Its leverage, the share of the way that the line follows, is h = {rule}; {average}."
        )

    def _slope(self, now: int) -> str:
        """Write the rule of the slope with its numbers."""
        step, (x_mean, _, s_xx, _) = self.steps[now], self.moments
        if s_xx == 0:
            return f"The points show no slope; the level is {four(step.intercept)}."
        old, new = float(self.before.weights[0]), float(step.weights[0])
        change = f"{enclosed(step.lifted)} · {enclosed(self.x - x_mean)} / {four(s_xx)}"
        return (
            "The slope changes by the lift times the distance from the mean of x, over the squared "
            f"distances of all: {change} = {number(new - old)}."
        )

    def _follows(self, low: float, high: float) -> Question | None:
        """Ask how far the line follows the point."""
        h, n, way = self.h, len(self.data.X), high - low
        if way <= 0:
            return None
        ways = [h * way, way, way / n, way / 2]
        options = [Option(number(goes)) for goes in ways]
        others = [options[i] for i in (1, 2, 3) if abs(ways[i] - ways[0]) > _TOLD * ways[0]]
        reason = (
            f"Its leverage is h = {number(h)}, which depends on x alone: {number(h)} · "
            f"{number(way)} = {number(h * way)}."
        )
        text = f"The point ? is pulled up by {number(way)}. How far does the line rise at its x?"
        return question(text, options[0], others, reason, (0, self.x, low))
