"""An axis turned by hand: how much of the variance it keeps."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from algorithms.reduction.pca.projection_axis import AxisStep
from viz.core import curves, naming, plane
from viz.core.found import Axis
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Figure, Run, Track, View
from viz.core.theme import GREY
from viz.core.turning import angle_axis, opening
from viz.core.words import enclosed, number, rounded
from viz.reduction.pca import marks
from viz.reduction.pca.marks import Columns, shown_rows, small_points
from viz.reduction.pca.on_columns import Both, OnColumns

_GOLDEN = 0.618
_SIDES = "top left", "bottom right", "top right", "bottom left"
_CLEAR = 0.04  # of the panel's height: a mark on a curve does not hit its name
_FAR = 1e6  # times a direction: a half axis that leaves the picture


class ByHand(OnColumns[AxisStep]):
    """An axis that is turned by its handles."""

    def __init__(self, run: Run, columns: Columns, both: Both) -> None:
        """Find the best axis. both : all components, as they are and scaled."""
        super().__init__(run, columns, both)
        self.opens = opening([step.angle for step in self.steps])
        self.best = next(step for step in self.steps if step.event == "most variance")

    def views(self) -> list[View]:
        """Return the picture with its handles, the variance over the angle, and the scores."""
        track = Track("The axis", marks.ends(self.steps, self.data))
        scores = "Scores z along the axis, by class"
        return [
            View("Turn the axis by its handles", self.picture, track=track),
            View("Variance along the axis, error across it", turning(self.steps), ahead=True),
            View(scores, self.scores, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points, their projections, the axis, and faintly the best one."""
        figure = marks.picture(self.columns, self.steps, now)
        return {**figure, "data": [*figure["data"], *self._best_axis()]}

    def _best_axis(self) -> list[dict]:
        """Draw the best axis, with its name where it covers few points."""
        step, box = self.best, self.data.bounds
        half = marks.within_the_picture(step.mean, step.components * step.scale * _FAR, box)[0]
        ends = step.mean + np.stack([-half, half])
        look = {"width": 2.5, "dash": "dash"}
        axis = plane.line(ends, line=look, name="the best axis", meta=ANSWER)
        where = [(end, side) for end in ends[::-1] for side in _SIDES]
        name = naming.Name("best axis", where, {"size": 15})
        names = naming.clear_names([name], box, self.data.X)
        return [axis, names[0] | {"meta": ANSWER}]

    def scores(self, now: int) -> Figure:
        """Draw the scores z on the axis, a row for every class, and their standard deviation."""
        step, data = self.steps[now], self.data
        rows = shown_rows(len(data.X))
        z = step.transform(data.X[rows])[:, 0]
        group = data.labels[rows]
        classes, row = np.unique(group, return_inverse=True)
        spread = (np.arange(len(rows)) * _GOLDEN) % 1 - 0.5
        deviation = float(np.sqrt(step.variances[0]))
        reach = 1.05 * float(np.hypot(*((data.X - step.mean) / step.scale).T).max())
        bar = plane.line(
            np.array([[-deviation, -0.8], [deviation, -0.8]]),
            mode="lines+markers",
            line={"width": 4},
            marker={"symbol": 142, "size": 14, "line": {"width": 3}},
        )
        what = naming.words(np.array([0, -1.05]), "± one standard deviation", "bottom center")
        layout = curves.panel_layout(
            xaxis={"range": [-reach, reach], "nticks": 9, "title": {"text": "z"}},
            yaxis={"range": [-1.6, len(classes) - 0.4], "showticklabels": False, "showgrid": False},
        )
        points = small_points(np.column_stack([z, row + 0.6 * spread]), group)
        return {"data": [bar, what], "layout": layout, "points": points}

    def caption(self, now: int) -> str:
        """Write what the axis at step `now` keeps, and how that is computed."""
        step, best = self.steps[now], self.best
        kept = f"{number(100 * step.explained[0])} %"
        where = f"Axis at {marks.drawn_at(step)}"
        if now == len(self.steps) - 1:
            where = f"Back at the best axis, {marks.drawn_at(step)}"
        first = f"{where}: the projections keep {kept} of the variance"
        most = 100 * best.explained[0]
        first += {
            "most variance": ", the most of all axes: this is the first principal component.",
            "least variance": ", the least of all axes: this is the second principal component.",
            None: f"; the best axis, at {rounded(best.angle)}°, keeps {number(most)} %.",
        }[step.event]
        (a, b), S = step.components[0], step.covariance
        p, q, s = enclosed(a), enclosed(b), enclosed(S[0, 1], 4)
        of_x, of_y = number(S[0, 0], 4), number(S[1, 1], 4)
        terms = f"{p}²·{of_x} + 2·{p}·{q}·{s} + {q}²·{of_y}"
        variance = float(step.variances[0])
        total, along, across = marks.with_the_rest(step.total, variance)
        both = (
            "Variance along the axis and squared error across it always add up to "
            f"{total}: here {along} + {across}."
        )
        direction = f"({number(a)}, {number(b)})"
        given = f"the columns' variances {of_x} and {of_y} and covariance {number(S[0, 1], 4)}"
        rule = f"Along {direction}, {given} give the variance {terms}."
        if not marks.as_drawn(step):
            which = "scaled columns" if self.columns.standardize else "the columns' units"
            there = f"In {which}, the axis is at {rounded(marks.own_angle(step))}°"
            if now == len(self.steps) - 1:
                return f"{first}\n{both}\n{there}."
            rule = f"{there}; along {direction}, {given} give {terms}."
        elif now == len(self.steps) - 1:
            return f"{first}\n{both}"
        return f"{first}\n{both}\n{rule}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the axis keeps more or less when it is turned on."""
        before, after = self.steps[now], self.steps[now + 1]
        if now + 2 == len(self.steps):
            return None  # the axis goes back to the best one
        old, new = float(before.variances[0]), float(after.variances[0])
        reason = f"It goes from {number(old, 4)} to {number(new, 4)}."
        text = (
            f"The axis turns from {before.angle:.1f}° to {after.angle:.1f}°. What does the "
            "variance along it do?"
        )
        return rises_or_falls(text, old, new, reason)

    def found(self, now: int) -> Axis:
        """Return the axis."""
        return marks.axis(self.columns, self.steps[now])


def turning(steps: Sequence[AxisStep]) -> Callable[[int], Figure]:
    """Return how to draw variance, error and their sum over the angle, with a step marked.

    The last step, back at the best axis, is on the curves already.
    """
    angle = np.array([step.angle for step in steps])
    variance = np.array([step.variances[0] for step in steps])
    error = np.array([step.error for step in steps])
    top = 1.2 * steps[0].total
    lines = [
        plane.line(np.column_stack([angle, values])[:-1], name=name, line=stroke)
        for name, values, stroke in (
            ("variance", variance, {"width": 3}),
            ("error", error, {"width": 2, "dash": "dash"}),
            ("sum", variance + error, {"width": 2, "dash": "dot"}),
        )
    ]
    most, least = (
        next(i for i, step in enumerate(steps) if step.event == event)
        for event in ("most variance", "least variance")
    )
    far = int(np.abs(angle[:, None] - angle[[most, least]]).min(axis=1).argmax())
    named = (("variance", most, variance[most]), ("error", least, error[least]))
    names = [
        naming.words(np.array([angle[i], height + _CLEAR * top]), name, _side(angle[i]))
        for name, i, height in (*named, ("sum", far, steps[0].total))
    ]
    best = np.array([[angle[most], 0.0], [angle[most], variance[most]]])
    lines += [
        plane.line(best, name="the best axis", line={"width": 1.5, "dash": "dot", "color": GREY}),
        *names,
    ]
    layout = curves.panel_layout(
        xaxis=angle_axis(),
        yaxis={"range": [-0.04 * top, top], "nticks": 5, "title": {"text": "variance"}},
    )

    def at(now: int) -> Figure:
        marks = [
            curves.marked(float(angle[now]), float(values[now]), marker=look, showlegend=False)
            for values, look in ((variance, curves.DOT), (error, curves.HOLLOW))
        ]
        return {"data": [*lines, *marks], "layout": layout}

    return at


def _side(angle: float) -> str:
    """Return the side of a place on which its name stays inside the panel."""
    across = "left" if angle > 150 else "right" if angle < 30 else "center"
    return f"top {across}"
