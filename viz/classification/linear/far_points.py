"""Least squares beside logistic regression: outputs along a row of classes, and far points."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.far_points import FarPointsStep, Row
from viz.core import curves, naming, panels, plane
from viz.core.found import Regions
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import DASHES, GREY, color, symbol
from viz.core.words import counted, decimal, listed, number, place, rounded

_ALONG = 121  # places along the row
_NAMED = 15  # of them, where the row has its name
_HEIGHTS = (-0.6, 1.6)  # of the outputs that are shown
_BEYOND = 0.6  # of the row's length: how far the views of the row go on


class FarPoints(Show[FarPointsStep]):
    """Both models on the same points, while some far points go farther out."""

    opens = 6  # the far points are half-way to the handle

    def __init__(self, run: Run, data: Plane, row: Row) -> None:
        """Find the places where the models are read. row : of the classes."""
        super().__init__(run, data)
        self.row, self.classes = row, run.steps[0].least_squares.classes
        self.names = [data.classes[k] for k in self.classes]
        self.n = len(data.X)
        self.x, self.y, self.cells = plane.grid(data.bounds)
        self.s = np.linspace(-_BEYOND, 1 + _BEYOND, _ALONG)
        self.along = row.at(self.s)
        way = row.end - row.start
        size = np.ptp(data.X, axis=0) + 1e-300
        u = way / size  # so that the row is read off alike in both units
        means = np.array([data.X[data.labels == k].mean(axis=0) for k in self.classes])
        self.means = ((means - row.start) / size) @ u / max(float(u @ u), 1e-300)
        self.middle = int(np.abs(self.means - 0.5).argmin())
        self.at_mean = means[self.middle][None]
        self.group = data.classes[int(self.classes[run.steps[0].column])]
        added = len(run.steps[-1].added)
        self.note = (
            f"{counted(added, 'point')} of class {self.group} (crosses) go from its mean to the "
            "handle. Errors are counted on the points of the board. The row goes through the two "
            "class means that are farthest apart (0 and 1). A class is masked if its output is the "
            "largest at none of these points."
        )

    def views(self) -> list[View]:
        """Return the picture, and both models along the row."""
        return [
            View("Least squares (regions, thick) and logistic regression (grey)", self.picture),
            View("Least squares along the row: straight lines", self.outputs),
            View("Logistic regression along the row: curves", self.probabilities),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both borders, the regions of least squares, the row, and the far points."""
        step, data = self.steps[now], self.data
        squares = self._on_grid(step.outputs(self.cells))
        logistic = self._on_grid(step.probabilities(self.cells))
        far = step.added if len(step.added) else plane.GAP
        k = int(self.classes[step.column])
        cross = {"symbol": "x-thin", "size": 11, "line": {"width": 2.5, "color": color(k)}}
        traces = [
            plane.regions(self._winners(squares), None, data.bounds),
            plane.line(
                self.along, line={"width": 1.5, "dash": "dot", "color": GREY},
                name="the row of the classes",
            ),
            plane.borders(
                self.x, self.y, logistic, line={"width": 3, "color": GREY},
                name="logistic regression", showlegend=True,
            ),
            plane.borders(
                self.x, self.y, squares, line={"width": 4}, name="least squares",
                showlegend=True,
            ),
            plane.line(
                far, mode="markers", marker=cross, name="far points",
                showlegend=True,
            ),
            naming.words(self.along[_NAMED], "the row", "top left", size=14),
            naming.words(self.steps[-1].place, "far points end here\u2003", "middle left", size=14),
        ]  # fmt: skip
        wrong = step.least_squares.predict(data.X) != data.labels
        signs = {"wrong": "wrong by least squares"}
        points = plane.points(data.X, data.labels, wrong)
        figure = plane.figure(
            traces, data.bounds, data.names, points=points, signs=signs, classes=data.classes
        )
        return curves.with_legend(figure, x=0, xanchor="left")

    def outputs(self, now: int) -> Figure:
        """Draw the output of every class along the row."""
        values = self.steps[now].outputs(self.along)
        return self._lines(values, "output of the class", _HEIGHTS)

    def probabilities(self, now: int) -> Figure:
        """Draw the probability of every class along the row."""
        return self._lines(self.steps[now].probabilities(self.along), "probability", (0.0, 1.0))

    def caption(self, now: int) -> str:
        """Write how many points both models get wrong, and what the far points cost."""
        step = self.steps[now]
        return f"{self._wrong(step)}\n{self._far(step) if now else self._next()}"

    def answer(self, now: int) -> str:
        """Write both models at the mean of the class in the middle."""
        return "" if now else f" {self._middle(self.steps[0])}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the errors of least squares, or for what the far points cost in one model."""
        before, after = self.steps[now], self.steps[now + 1]
        kind = int(rng.integers(3))
        if kind == 0 or now == 0:
            reason = f"It goes from {before.wrong} to {after.wrong} of {self.n}."
            text = "The far points go on. What does the number of wrong points of least squares do?"
            return rises_or_falls(text, before.wrong, after.wrong, reason)
        if kind == 1:
            old, new = (self._output(self.steps[0], each.place) for each in (before, after))
            text = (
                "The far points go on. By the weights without them, what does the output of their "
                "class do at their place?"
            )
        else:
            old, new = self._loss(before), self._loss(after)
            text = "The far points go on. What does their loss −ln P in logistic regression do?"
        reason = f"It goes from {number(old)} to {number(new)}."
        return rises_or_falls(text, old, new, reason, least=0.02)

    def found(self, now: int) -> Regions:
        """Return the class of every cell by least squares."""
        scores = self._on_grid(self.steps[now].outputs(self.cells))
        return Regions(self.classes[scores.argmax(axis=0)])

    def _on_grid(self, values: ndarray) -> ndarray:
        size = len(self.x)
        return np.ascontiguousarray(values.T).reshape(-1, size, size)

    def _winners(self, scores: ndarray) -> ndarray:
        return self.classes[scores.argmax(axis=0)]

    def _lines(self, values: ndarray, title: str, heights: tuple[float, float]) -> Figure:
        """Draw a curve for each class along the row, with marks at the class means."""
        traces = [
            panels.curve(
                plane.packed(self.s), plane.packed(column), showlegend=True, name=name,
                line={"width": 3, "color": color(int(k)), "dash": DASHES[int(k) % len(DASHES)]},
            )
            for k, name, column in zip(self.classes, self.names, values.T, strict=True)
        ]  # fmt: skip
        low, high = heights
        foot = low - 0.06 * (high - low)  # the axis begins below it
        traces.append(
            panels.curve(
                self.means.tolist(), [foot] * len(self.means), mode="markers",
                name="class means", cliponaxis=False,
                marker={
                    "size": 11, "color": [color(int(k)) for k in self.classes],
                    "symbol": [symbol(int(k)) for k in self.classes],
                },
            )
        )  # fmt: skip
        layout = curves.panel_layout(
            xaxis=panels.axis("place along the row", float(self.s[0]), float(self.s[-1])),
            yaxis=panels.axis(title, low - 0.12 * (high - low), high),
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def _wrong(self, step: FarPointsStep) -> str:
        start = "On these points"
        if step.move:
            start = f"With {counted(len(step.added), 'far point')} at {place(step.place)}"
        said = (
            f"{start}, least squares gets {step.wrong} of {self.n} wrong, logistic regression "
            f"{step.wrong_logistic}."
        )
        if not step.masked:
            return said
        names = listed([self.data.classes[k] for k in step.masked])
        which = f"Class {names} is" if len(step.masked) == 1 else f"Classes {names} are"
        return f"{said} {which} masked."

    def _next(self) -> str:
        count = counted(len(self.steps[-1].added), "point")
        return (
            f"Next: {count} of class {self.group} are added at its mean and go to the handle. "
            "After every move both models are fitted again, yₖ = wₖ · x + bₖ to targets 0 and 1."
        )

    def _middle(self, step: FarPointsStep) -> str:
        """Write both models at the mean of the class that is nearest to the row's middle."""
        y, P = step.outputs(self.at_mean)[0], step.probabilities(self.at_mean)[0]
        of = ", ".join(f"{name}: {decimal(v)}" for name, v in zip(self.names, y, strict=True))
        p = ", ".join(f"{name}: {decimal(v)}" for name, v in zip(self.names, P, strict=True))
        return (
            f"At the mean of class {self.names[self.middle]}: outputs yₖ: {of}; "
            f"probabilities P(k | x): {p}."
        )

    def _far(self, step: FarPointsStep) -> str:
        """Write what a far point costs in both models, before and after least squares turns."""
        old, new = self._output(self.steps[0], step.place), self._output(step, step.place)
        return (
            f"Least squares turns so that their output goes from y = {decimal(old)} to "
            f"{decimal(new)}, nearer to 1: each costs (y − 1)² = {rounded((new - 1) ** 2)}, not "
            f"{rounded((old - 1) ** 2)}.\n"
            f"Logistic regression pays −ln P = {rounded(self._loss(step))} for each."
        )

    def _output(self, step: FarPointsStep, at: ndarray) -> float:
        """Return the output of the far points' class at a place."""
        return float(step.outputs(at[None])[0, step.column])

    def _loss(self, step: FarPointsStep) -> float:
        return float(
            step.logistic.losses(step.scaling.transform(step.place[None]), np.array([step.group]))[
                0
            ]
        )
