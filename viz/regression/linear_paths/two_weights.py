"""Two weights: error ellipses, the ball of the norm, and where they touch."""

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep
from viz.core import naming, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.theme import GREY, PALETTE, RGB
from viz.core.words import listed, rounded
from viz.regression.linear_paths.fit import four
from viz.regression.linear_paths.line_names import BALL
from viz.regression.linear_paths.path_mode import PathMode

_INSIDE = "rgba(0, 158, 115, 0.18)"
_BANDS = 32
_AROUND = {
    "middle right": (1, 0),
    "top center": (0, 1),
    "middle left": (-1, 0),
    "bottom center": (0, -1),
}  # of a mark: where its name is
_FARTHER = 1, 2.5, 4, 6  # times as far: the name is above an ellipse that would cross it
_SHOWN = 0.85  # of the picture: there the ellipse has its name
_TINY = 0.03  # of the axis: a smaller ball has no name
_OFF = 0.06  # of the axes: from least squares to its name, outside its handle
_POINTS = 150  # on the fitted plane at most
_SIZE = 40  # cells along a side of it


class TwoWeights(PathMode[RidgeStep | LassoPathStep]):
    """Two weights on the path of ridge or lasso, and the ball that holds them."""

    def __init__(
        self,
        run: Run,
        data: Plane,
        made: PreparedTable,
        choice: FeatureChoice,
        folds: CrossValidation,
        box: Bounds,
    ) -> None:
        """Measure the path. box : the weights that are shown."""
        super().__init__(run, data, made, choice, folds)
        self.box = box
        if self.large:
            self.note += (
                " While least squares is dragged, the targets change: every residual of least "
                "squares stays."
            )

    def _opening(self) -> int:
        """Open where the ball is seen; of the lasso, halfway to the step with two weights."""
        both = [bool(step.weights.all()) for step in self.steps]
        first = both.index(True) if any(both) else 0
        return max(first - 2, first // 2) if first else len(self.steps) // 2

    def views(self) -> list[View]:
        """Return the ellipses with the ball, and the path; of a single column the fit is first."""
        geometry = "Where the ellipse touches the ball of the weights"
        path = "The weights against the penalty"
        if not self.large:
            return [
                self.fit.view,
                View("Error ellipses, ball of the weights; the prior", self.geometry_and_prior),
                View(f"{path}; the errors", self.path_and_errors, ahead="to a question"),
            ]
        return [
            View(geometry, self.picture, board=False),
            View(path, self.path.paths, ahead="to a question"),
            View("The fitted plane: blue low, orange high", self.plane),
            View("The prior of the weights", self.prior),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the geometry as the large picture, with words at its marks."""
        panel = self.geometry(now)
        return panels.alone(Panel([*panel.traces, *self._words(now)], panel.x, panel.y))

    def geometry(self, now: int) -> Panel:
        """Draw the ball of all weights with no larger norm, and the ellipse that touches it."""
        summary, w = self.path.summary, self.steps[now].weights
        thin = {"width": 1, "color": GREY}
        traces = [
            plane.line(plane.joined(list(summary.fixed)), line=thin, name="equal errors"),
            plane.line(
                _ball(float(np.linalg.norm(w, summary.order)), summary.order),
                fill="toself",
                fillcolor=_INSIDE,
                line={"width": 2, "color": BALL},
                name=f"{self.ball}: all weights of at most this size",
            ),
            plane.line(
                summary.touching[now], line={"width": 2.5},
                name="the same error as this step",
            ),
            plane.line(
                summary.measured.weights, line={"width": 2, "dash": "dot"}, name="path of w"
            ),
            plane.line(
                self._ends, mode="markers", marker={"size": 9, "symbol": "x"},
                name="0 and least squares",
            ),
            plane.line(
                w[None], mode="markers", marker={"size": 12}, name="w of this step"
            ),
        ]  # fmt: skip
        return Panel(traces, *_axes(self.fit.made.names, self.box))

    def geometry_and_prior(self, now: int) -> Figure:
        """Draw the geometry of the two weights, and the prior beside it."""
        left, right = self.geometry(now), self.path.prior(now)
        return panels.side_by_side(left, right, split=0.56, room=0.04)

    def path_and_errors(self, now: int) -> Figure:
        """Draw the two weights against the penalty, and the errors beside them."""
        left, right = self.path.against_penalty(now), self.path.errors.panel(now)
        return panels.side_by_side(left, right, split=0.46, room=0.13)

    def plane(self, now: int) -> Figure:
        """Draw the fitted plane over the two features."""
        return panels.alone(self.fitted_plane(now))

    def prior(self, now: int) -> Figure:
        """Draw the prior that the penalty stands for."""
        return panels.alone(self.path.prior(now))

    @property
    def _ends(self) -> ndarray:
        """Return both ends of the path: 0 and least squares."""
        return np.array([[0.0, 0.0], self.steps[-1].weights])

    @property
    def ball(self) -> str:
        """Return the name of the ball of the norm."""
        return "diamond" if self.path.summary.order == 1 else "circle"

    def _words(self, now: int) -> list[dict]:
        """Write at the ball, at the ellipse that touches it and at least squares what they are."""
        summary, w = self.path.summary, self.steps[now].weights
        left, right, bottom, top = box = self.box
        size = np.array([right - left, top - bottom])
        ellipse, best = summary.touching[now], self._ends[1]
        ball = _ball(float(np.linalg.norm(w, summary.order)), summary.order)
        around = [
            (best + far * _OFF * size * out, side)
            for far in _FARTHER
            for side, out in _AROUND.items()
            if far == 1 or side == "top center"
        ]
        inner = np.abs(ellipse - [left, bottom] - size / 2) < _SHOWN * size / 2
        shown = ellipse[inner.all(axis=1)]  # a long ellipse leaves the picture
        named = len(shown) > 0 and np.ptp(ellipse[:, 1]) > 0.1 * size[1]
        far = np.concatenate([shown.argmax(axis=0), shown.argmin(axis=0)]) if named else []
        ends = [(shown[at], side) for side, at in zip(_AROUND, far, strict=False)]
        low, most = float(ball[:, 1].min()), float(ball[:, 1].max())
        outside = low > bottom + 0.1 * size[1]
        inside = np.array([0.0, max(low, bottom) / 2]), "middle center"
        where = (np.array([0.0, low]), "bottom center") if outside else inside
        below = [where] if most > _TINY * size[1] else []
        font = {"size": 15, "color": GREY}
        asked = [
            naming.Name(f"least squares{self.large * ': drag it'}", around, font),
            naming.Name(self.ball, below, font | {"color": BALL}),
            naming.Name("equal error", ends, font),
        ]
        taken = [naming.along(line) for line in (ellipse, ball, self._ends)]
        return naming.clear_names(asked, box, np.concatenate(taken))

    def fitted_plane(self, now: int) -> Panel:
        """Draw the fitted plane as shades over the two features, with the training points.

        Shades, the lines between them and the points' colours are on one scale, that of the target.
        """
        X, y = self.fit.made.training
        box = plane.bounds(np.array([X.min(axis=0), X.max(axis=0)]))
        low, high = float(y.min()), float(y.max())
        _, _, cells = plane.grid(box, _SIZE)
        fitted = self.steps[now].predict(cells).reshape(_SIZE, _SIZE)
        band = ((fitted - low) / (high - low or 1.0) * _BANDS).clip(0, _BANDS - 1).astype(np.uint8)
        shade = np.linspace(0, 1, _BANDS)[:, None]
        colors = (shade * RGB[1] + (1 - shade) * RGB[0]).astype(np.uint8)
        opacity = (40 + 150 * np.abs(2 * shade[:, 0] - 1)).astype(np.uint8)
        some = np.linspace(0, len(X) - 1, min(len(X), _POINTS)).round().astype(int)
        scale = [[0, PALETTE[0]], [0.5, "#dddddd"], [1, PALETTE[1]]]
        traces = [
            plane.image(band, colors, opacity, box),
            plane.line(
                X[some],
                mode="markers",
                marker={
                    "size": 6, "color": plane.packed(y[some]), "cmin": low, "cmax": high,
                    "colorscale": scale, "line": {"width": 1, "color": "#333333"},
                },
            ),
        ]  # fmt: skip
        sides = [
            {"title": {"text": panels.label(name), "standoff": 4}, "range": list(ends), "nticks": 4}
            for name, ends in zip(self.fit.made.names, (box[:2], box[2:]), strict=True)
        ]
        return Panel(traces, sides[0], {**sides[1], "scaleanchor": False})

    def caption(self, now: int) -> str:
        """Write where the ellipse touches the ball, what holds there, and how large the ball is."""
        return f"{self._where(now)}\n{self._condition(now)}\n{self._size(now)}"

    def _where(self, now: int) -> str:
        """Write in one plain sentence where the solution is."""
        step, w = self.steps[now], self.steps[now].weights
        ball = self.ball
        corner = " at a corner" if self.path.summary.order == 1 and w.any() and not w.all() else ""
        where = f"The ellipse of equal error touches the {ball}{corner}"
        if not w.any():
            where = f"The {ball} has shrunk to the point 0"
        elif step.penalty == 0:
            where = f"Without a penalty the {ball} reaches least squares"
        named = zip(self.fit.made.names, w.tolist(), strict=True)
        first = f"{where}: {', '.join(f'{panels.label(name)} {rounded(v)}' for name, v in named)}."
        if step.event in ("variable enters", "variable leaves"):
            which = self.fit.made.names[getattr(step, "variable", 0)]
            first += f" “{which}” {step.event.split()[1]}."
        return first

    def _condition(self, now: int) -> str:
        """Write the condition that holds at the solution."""
        step = self.steps[now]
        names = [panels.label(name) for name in self.fit.made.names]
        pulls = [four(pull) for pull in step.correlations.tolist()]
        told = listed([f"{name} {pull}" for name, pull in zip(names, pulls, strict=True)])
        if self.path.summary.order == 2:
            return (
                f"Each pull x·r on the error is λ = {four(step.penalty)} times its weight: {told}."
            )
        return (
            f"A weight leaves 0 only where its pull |x·r| on the error reaches "
            f"λ = {four(step.penalty)}. x·r: {told}."
        )

    def _size(self, now: int) -> str:
        """Write the size of the weights."""
        first, second = (four(abs(w)) for w in self.steps[now].weights.tolist())
        size = f"|w₁| + |w₂| = {first} + {second}"
        if self.path.summary.order == 2:
            size = f"√(w₁² + w₂²) = √({first}² + {second}²)"
        return f"Size of the {self.ball}: {size} = {four(self.path.summary.measured.norms[now])}."


def _ball(radius: float, order: int) -> ndarray:
    """Return the outline of all w with a norm of at most `radius`."""
    turn = np.linspace(0, 2 * np.pi, 73 if order == 2 else 5)
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])


def _axes(names: tuple[str, ...], box: Bounds) -> tuple[dict, dict]:
    """Return axes with one scale for both weights, so that a circle is round."""
    first, second = (f"weight of {panels.label(name)}" for name in names)
    both = {"nticks": 5, "zeroline": True}
    return (
        both | {"range": list(box[:2]), "title": {"text": first, "standoff": 4}},
        both
        | {"range": list(box[2:]), "title": {"text": second, "standoff": 2}, "scaleanchor": "x"},
    )
