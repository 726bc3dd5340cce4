"""Eigenvectors: one axis after the other."""

import numpy as np
from numpy.random import Generator

from algorithms.reduction.multidimensional_scaling.classical_scaling import ClassicalScalingStep
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.naming import in_corner, words
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import number, numbered, percent
from viz.reduction.multidimensional_scaling import marks
from viz.reduction.multidimensional_scaling.marks import Given

_SHOWN = 12  # eigenvalues
_ZERO = 1e-9  # of the largest eigenvalue: rounding errors
_REACH = 0.9  # of the map, that an axis goes through


class Classical(Show[ClassicalScalingStep]):
    """Each step adds the axis of the next eigenvalue; the first two are drawn."""

    unit = "axis"
    opens = 2

    def __init__(self, run: Run, things: Given) -> None:
        """Find how the map is turned, and its square."""
        super().__init__(run)
        self.things = things
        self.note = "The map may be turned or mirrored. Along axis 1 the places spread most."
        self.turn = np.eye(2)
        self.turn = marks.to_the_places(things, self._flat(len(self.steps) - 1))
        self.box = marks.map_box([self._flat(len(self.steps) - 1)])

    def views(self) -> list[View]:
        """Return what is given, the map, the eigenvalues, and the Shepard diagram."""
        return [
            *marks.first_views(
                self.things, "The map: the first two axes", self.picture,
                [step.embedding for step in self.steps],
            ),
            View("Eigenvalue of every axis: how much it spreads", self.eigenvalues, board=False),
            View("Distances with these axes against those given", self.shepard, board=False),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the map with its axes, and say that it may be turned or mirrored."""
        axes = self._axes(now)
        figure = marks.the_map(self.things, self._flat(now), self.box, lines=axes[:2])
        said = "the map may be turned or mirrored"
        if self.things.places is not None:
            said = "turned so that north is up: distances do not say where it is"
        name = in_corner(said, self.box, "top left")
        return {**figure, "data": [*axes, *figure["data"], name]}

    def _axes(self, now: int) -> list[dict]:
        """Draw the first two axes as far as they are there, with their names at their ends."""
        long = 0.5 * _REACH * (self.box[1] - self.box[0])
        ends = long * np.where(self.turn[:, :1] < 0, -self.turn, self.turn)  # to the right
        ends[self.steps[now].axes :] = np.nan
        lines = [
            plane.line(
                np.stack([-end, end]), line={"width": 1.5, "color": GREY}, name=f"axis {k + 1}"
            )
            for k, end in enumerate(ends)
        ]
        font = {"color": GREY, "shadow": "auto"}
        sides = [_beside(end) for end in ends]
        names = texts(ends, ["axis 1", "axis 2"], textposition=sides, textfont=font)
        return [*lines, names]

    def shepard(self, now: int) -> Figure:
        """Draw the distances with all axes so far against those given."""
        return marks.shepard(self.things, self.steps[now].embedding)

    def eigenvalues(self, now: int) -> Figure:
        """Draw the eigenvalues; those of the axes so far are filled."""
        step = self.steps[now]
        values = step.eigenvalues
        shown = values if len(values) <= _SHOWN else np.append(values[: _SHOWN - 1], values[-1])
        bars = {
            "type": "bar", "x": list(range(1, len(shown) + 1)), "y": shown.tolist(),
            "marker": {
                "color": PALETTE[0],
                "opacity": [1.0 if i < step.axes else 0.35 for i in range(len(shown))],
            },
            "hovertemplate": "λ = %{y:.4g}<extra></extra>",
        }  # fmt: skip
        ticks = [str(i + 1) for i in range(len(shown))]
        if len(values) > _SHOWN:
            ticks[-1] = "last"
        unit = self.things.unit
        low, high = min(0.0, float(shown.min())), float(shown.max()) or 1.0
        layout = curves.panel_layout(
            xaxis={
                "range": [0.3, len(shown) + 0.7], "tickvals": bars["x"], "ticktext": ticks,
            },
            yaxis={
                "range": [1.1 * low - 0.02 * high, 1.08 * high],
                "nticks": 5, "title": {"text": f"λ, {unit}²" if unit else "λ"},
            },
        )  # fmt: skip
        count = np.count_nonzero(_negative(values))
        below = 1 + np.flatnonzero(shown < 0)[-count:] if count else np.array([np.nan])
        at = np.array([below.mean(), 0.0])
        told = words(at, f"{count} below 0" if count else "", "top center")
        return {"data": [bars, told], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the axis adds."""
        step, things = self.steps[now], self.things
        values = step.eigenvalues
        if now == 0:
            return (
                "Start: the distances determine the scalar products; the map has no axis yet.\n"
                "The squared distances D, centred by J in rows and columns, give B = −½ J D J; its "
                f"positive eigenvalues add up to {number(values.clip(0).sum())}."
            )
        j = step.axes - 1
        many = "axis holds" if step.axes == 1 else "axes hold"
        flat = "; the map shows the first two" if step.axes > 2 else ""
        what = f"{step.axes} {many} {percent(step.kept)} of the spread that a map can hold{flat}."
        if values[j] <= 0:
            what = f"Axis {step.axes} stays 0: its eigenvalue is not positive."
        negative = int(np.count_nonzero(_negative(values)))
        end = ""
        if negative:
            below = f"{negative} of {len(values)} eigenvalues {'is' if negative == 1 else 'are'}"
            end = f" No map fits exactly: {below} negative."
        i, k = marks.worst(things, step.embedding)
        square = f"{things.unit}²" if things.unit else ""
        far = float(np.linalg.norm(step.embedding[i] - step.embedding[k]))
        return (
            f"{what}\nA place on axis {step.axes} is an entry of eigenvector {step.axes}, "
            f"stretched by √λ, where the eigenvalue λ = {marks.length(float(values[j]), square)}."
            f"{end}\n"
            f"Worst: {things.pair(i, k)}, {marks.length(far, things.unit)} apart with these axes "
            f"and {marks.length(float(things.distances[i, k]), things.unit)} as given."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what share of the positive eigenvalues the map will have with the next axis."""
        before, after = self.steps[now], self.steps[now + 1]
        ways = [Option(f"about {share} %") for share in (10, 30, 50, 70, 90, 100)]
        near = [abs(100 * after.kept - share) for share in (10, 30, 50, 70, 90, 100)]
        first, second = np.argsort(near, kind="stable")[:2].tolist()
        if near[second] - near[first] < 4:
            return None
        others = [way for i, way in enumerate(ways) if abs(i - first) in (1, 2)]
        reason = (
            f"{numbered('λ', after.axes - 1)} = "
            f"{number(float(after.eigenvalues[after.axes - 1]))}; from {percent(before.kept)} to "
            f"{percent(after.kept)}."
        )
        text = (
            f"Axis {after.axes} is added. What share of the positive eigenvalues will the map have?"
        )
        return question(text, ways[first], others, reason)

    def _flat(self, now: int) -> np.ndarray:
        """Return the first two axes, turned as the places are; 0 where there is no second one."""
        Z = self.steps[now].embedding
        Z = Z[:, :2] if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])
        return Z @ self.turn


def _beside(end: np.ndarray) -> str:
    """Return where the name of an axis is at its right end: where the axis does not go."""
    across, up = end
    if np.isfinite(end).all() and abs(up) > across:
        return "bottom right" if up > 0 else "top right"
    return "top left" if up > 0 else "bottom left"


def _negative(values: np.ndarray) -> np.ndarray:
    """Return which eigenvalues are below 0 by more than rounding errors. values : from the top."""
    return values < -_ZERO * max(float(values[0]), 1e-300)
