"""The least-squares line by formula: one projection after the other."""

import numpy as np
from numpy.random import Generator

from algorithms.regression.linear_regression.linear_regression import ProjectionStep, moments
from viz.core import curves, naming, plane
from viz.core.arrows import arrow
from viz.core.found import Curve
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import number, rounded
from viz.regression.linear_regression import marks
from viz.regression.linear_regression.marks import enclosed_four, equation, four, parameters

_DOTS = 800  # residuals drawn as dots at most
_BASE = GREY  # the line that is projected on
_TOLD = 0.05  # of the range of y, or of a slope: numbers nearer to each other are alike


class Formula(Show[ProjectionStep]):
    """The projection of y on the ones, then on x."""

    opens = 1

    def __init__(self, run: Run, data: Plane, query: float, unused: int) -> None:
        """Prepare the residuals. query : the x at which the line is read off.

        unused : columns of the table that are not on the plane.
        """
        super().__init__(run, data)
        self.query = query
        shown = data.X[marks.spread(data.X[:, 0], _DOTS)]
        self.residuals = [
            np.column_stack([shown[:, 0], shown[:, 1] - step.predict(shown[:, :1])])
            for step in self.steps
        ]
        self.note = (
            f"{marks.columns_note(data, unused)} Grey: the line before; ×: the mean of the points."
        )

    def views(self) -> list[View]:
        """Return the line, the projection, and the residuals."""
        return [
            View("The line, and its residuals", self.picture),
            View("The projection, with true angles and lengths", self.projection),
            View("Residuals by x: the level goes, then the tilt", self.against_x),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the line so far, the residuals, a cross at the mean of the points, the reading."""
        line, before = parameters(self.steps[now]), parameters(self.steps[max(now - 1, 0)])
        X, bounds = self.data.X, self.data.bounds
        cross = {"symbol": "x-thin", "size": 16, "line": {"width": 3}}
        center = X.mean(axis=0)[None] if now > 0 else plane.GAP
        traces = [
            marks.sticks(X, line, bounds),
            marks.fit_line(
                before, bounds, line={"width": 2, "color": GREY}, **marks.keyed("line before")
            ),
            marks.fit_line(line, bounds, line={"width": 3}, **marks.keyed("line now")),
            plane.line(center, mode="markers", marker=cross, name="mean of the points"),
            self._mean(center, line, before),
            marks.reading(self.query, line, bounds),
        ]
        points = plane.points(X, marks.one_kind(self.data))
        return marks.with_key(plane.figure(traces, bounds, self.data.names, points=points))

    def _mean(self, center: np.ndarray, *fits: marks.Line) -> dict:
        """Name the mean of the points where it covers least, once it is shown."""
        seen = [naming.along(marks.visible(fit, self.data.bounds)) for fit in fits]
        sides = ("bottom right", "top left", "bottom left", "top right")
        where = [(center[0], side) for side in sides] if np.isfinite(center).all() else []
        name = naming.Name("mean", where, {"size": 15, "weight": 700})
        return naming.clear_names([name], self.data.bounds, np.vstack([self.data.X, *seen]))[0]

    def projection(self, now: int) -> Figure:
        """Draw the right triangle in which this step splits the residual, with its lengths.

        Angles and proportions are true: the picture is the plane, in the space with an axis for
        every point, that holds the residual before and the direction it is projected on.
        """
        step = self.steps[max(now, 1)]
        size = step.before or 1.0
        corner, tip = np.array([step.part, 0.0]) / size, np.array([step.part, step.residual]) / size
        whole, part, rest = ("y", "ȳ", "y − ȳ") if now < 2 else ("y − ȳ", "ŷ − ȳ", "y − ŷ")
        space = "multiples of (1, …, 1)" if now < 2 else "multiples of x − x̄"
        done, mark = now > 0, 0.06 * np.array([[-1.0, 0], [-1, 1], [0, 1]])
        angle = corner + mark if done and step.part > 0 and step.residual > 0 else plane.GAP
        shown = 0.0 if done else np.nan  # before the first projection there is only y
        lengths = [rounded(length) for length in (step.before, step.part, step.residual)]
        side, below = (corner + tip) / 2 + shown, corner / 2 + [shown, -0.04]
        traces = [
            plane.line(np.array([[-0.3, 0], [1.2, 0]]), line={"width": 6, "color": _BASE}),
            plane.line(angle, line={"width": 1.5}),
            arrow(np.zeros(2), tip, None),
            arrow(np.zeros(2), corner + shown, PALETTE[0]),
            arrow(corner, tip + shown, PALETTE[1]),
            marks.text(tip / 2, f"‖{whole}‖ = {lengths[0]}\u00a0\u00a0", "top left", None),
            marks.text(below, f"‖{part}‖ = {lengths[1]}", "bottom center", PALETTE[0]),
            marks.text(
                side + np.array([0.03, 0.0]),
                f" ‖{rest}‖ = {lengths[2]}",
                "middle right",
                PALETTE[1],
            ),
            marks.text(np.array([1.2, -0.13]), space, "bottom center", GREY),
        ]
        hidden = {"visible": False, "showgrid": False}
        high = max(float(tip[1]) + 0.06, 0.4)
        layout = curves.panel_layout(
            xaxis={"range": [-0.3, 2.1], **hidden},
            yaxis={"range": [-0.2, high], "scaleanchor": "x", **hidden},
        )
        layout["margin"] = {"l": 8, "r": 8, "t": 6, "b": 6}
        return {"data": traces, "layout": layout}

    def against_x(self, now: int) -> Figure:
        """Draw the residuals against x, with the level or the tilt that the next step removes."""
        line, best = parameters(self.steps[now]), parameters(self.steps[-1])
        most = 1.1 * max(float(np.abs(each[:, 1]).max()) for each in self.residuals) or 1.0
        level = (0.0, self.steps[1].intercept)
        trend = (best[0] - line[0], best[1] - line[1]) if now else level
        ends = np.array(self.data.bounds[:2])
        tilt = np.stack([ends, trend[0] * ends + trend[1]], axis=1)
        dots = {"size": 6, "color": PALETTE[1]}
        traces = [
            plane.line(np.stack([ends, [0.0, 0.0]], axis=1), line={"width": 1, "color": GREY}),
            plane.line(tilt, line={"width": 3, "color": PALETTE[0]}),
            plane.line(self.residuals[now], mode="markers", marker=dots),
        ]
        layout = curves.panel_layout(
            xaxis={"range": list(self.data.bounds[:2]), "nticks": 8},
            yaxis={"range": [-most, most], "title": {"text": "residual"}, "nticks": 6},
        )
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the projection did, with its numbers in the closed form."""
        step = self.steps[now]
        said = [self._start, self._level, self._tilt][now](step)
        return f"{said}\n{marks.read_off(self.query, parameters(step), self.data.bounds)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the height of the level line, then for the slope."""
        after = self.steps[now + 1]
        return self._height() if after.column == -1 else self._slope(after)

    def found(self, now: int) -> Curve:
        """Return the line."""
        return marks.found(parameters(self.steps[now]), self.data.bounds)

    def _start(self, step: ProjectionStep) -> str:
        return (
            f"Start: the fit is 0 at each of the {len(self.data.X)} points, so the residuals are y "
            f"itself, an arrow of length ‖y‖ = {rounded(step.residual)}.\n"
            "Next: drop a perpendicular from y to the multiples of (1, …, 1), then to those of "
            "x − x̄. Together these are all that a line w x + b can predict."
        )

    def _level(self, step: ProjectionStep) -> str:
        whole, part, rest = np.square([step.before, step.part, step.residual]).tolist()
        squares = f"{four(whole)} = {four(part)} + {four(rest)}"
        return (
            f"The best level is the mean of y, {rounded(step.intercept)}: the arrow of residuals "
            f"shrinks from {rounded(step.before)} to {rounded(step.residual)}.\n"
            f"The residuals now add up to {_zero(step.products[1], step.before)}. The arrows make "
            f"a right angle, so their squared lengths add up: {squares}."
        )

    def _tilt(self, step: ProjectionStep) -> str:
        squares = f"{four(step.part**2)} / {four(step.before**2)} = {four(step.r_squared)}"
        explained = f"the share R² = {squares} of the squares is explained"
        if step.event == "nothing new":
            return (
                "All x are the same, so the points show no slope. The mean stays: "
                f"{equation(step)}.\nx − x̄ = 0 adds nothing to the fit: {explained}."
            )
        x, y, s_xx, s_xy = moments(*self.data.X.T)
        w = float(step.weights[0])
        return (
            f"The best slope is {rounded(w)}: it takes away {rounded(100 * step.r_squared)} % of "
            f"the squared residuals; f = {rounded(step.loss)}.\n"
            f"How x and y vary together, over how x varies: w = {four(s_xy)} / {four(s_xx)} = "
            f"{four(w)}. Through the means: b = {four(y)} − {enclosed_four(w)} · "
            f"{enclosed_four(x)} = {four(step.intercept)}. So {explained}."
        )

    def _height(self) -> Question | None:
        """Ask for the height of the level line: mean, median or half-way."""
        left, right, bottom, top = self.data.bounds
        y = self.data.X[:, 1]
        heights = [float(of) for of in (y.mean(), np.median(y), (y.min() + y.max()) / 2)]
        named = [
            Option(f"{name}, at {number(height)}", (0, (left + right) / 2, height))
            for name, height in zip(("the mean", "the median", "half-way up"), heights, strict=True)
        ]
        told = _TOLD / 2 * (top - bottom)
        others = [i for i in (1, 2) if abs(heights[i] - heights[0]) > told]
        reason = (
            f"Σ (y − b)² is least where b is the mean of y, {number(heights[0])}; there the "
            "residuals above and below add up to 0."
        )
        text = "The column of ones comes first. At which height is the level line?"
        return question(text, named[0], [named[i] for i in others], reason)

    def _slope(self, after: ProjectionStep) -> Question | None:
        """Ask for the slope; wrong options are other slopes one could think of."""
        x, y = self.data.X.T
        w, (_, _, s_xx, s_xy) = float(after.weights[0]), moments(x, y)
        s_yy = moments(y, x).s_xx
        if s_xx == 0 or s_xy == 0:
            return None
        slopes = [s_yy / s_xy, float(np.sign(s_xy) * np.sqrt(s_yy / s_xx)), 2 * w, -w]
        others = [Option(number(slope)) for slope in slopes if abs(slope - w) > _TOLD * abs(w)]
        reason = (
            f"w = Sxy / Sxx = {number(s_xy)} / {number(s_xx)} = {number(w)}: the residuals are "
            "then at a right angle to x."
        )
        text = "The column x is added. Which slope w does the line get?"
        return question(text, Option(number(w)), others, reason)


def _zero(value: float, scale: float) -> str:
    return "0" if abs(value) < 1e-6 * (1 + scale) else four(value)
