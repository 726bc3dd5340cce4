"""Fisher's axis: an axis that is turned until it separates two classes."""

from collections.abc import Callable

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.fisher_axis import FisherAxisStep, ratios
from viz.core import curves, panels, plane
from viz.core.drawing import Drawing
from viz.core.found import Regions
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, color, symbol
from viz.core.turning import across_the_picture, angle_axis, handles
from viz.core.words import counted, enclosed, number, rounded, vector

_CELLS = 60  # along each axis: the border is straight
_BINS = 30
_ROUNDING = 1e-12  # of the largest
_STICKS = 350  # perpendiculars at most: every frame holds them
_STARS = {"most separation": "star", "most variance": "diamond", "through both means": "circle"}
_SHORT = {
    "most separation": "\u2002best\u2002",  # clear of the ring
    "most variance": "most variance",
    "through both means": "means",
}


class FisherAxis(Show[FisherAxisStep]):
    """The axis is turned by its handles; the strips and J show how well it separates."""

    def __init__(self, run: Run, data: Plane) -> None:
        """Write what the marks mean, and what keeps J finite."""
        super().__init__(run, data)
        self.center = self.steps[0].center
        self.opens = max(range(len(self.steps)), key=lambda now: self.steps[now].ratio)
        self.note = (
            "Every point is dropped onto the axis. A large mark is the mean of a class there, the "
            "dashed line is the border half-way between the two, and a thick outline marks a point "
            "on the wrong side. s² is the sum of the squared distances of a class from its mean, "
            "on the axis. The bars in the strips are one standard deviation long to either side."
        )
        if self.steps[0].singular:
            self.note += (
                " Within the classes the points vary in one direction at most, so J has no bound. "
                "A billionth of the variance is therefore added to s²."
            )

    def views(self) -> list[View]:
        """Return the picture, the strips, and J by angle."""
        directions = np.array([step.direction for step in self.steps])
        ends = handles(self.center, directions, self.data.bounds)
        track = Track("The axis", ends)
        return [
            View("Turn the axis by its handles", self.picture(), track=track),
            View("On the axis: each class with its mean ± deviation", self.strips()),
            View("Separation J of the axis at every angle", self.ratios(), ahead=True),
        ]

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        _, _, cells = plane.grid(self.data.bounds, _CELLS)
        return Regions(self.steps[now].predict(cells).reshape(_CELLS, _CELLS))

    def to_draw(self) -> Drawing | None:
        """Return the axis as a class draws it, judged by 1/J; None if J has no bound, or is 0."""
        best = max(self.steps, key=lambda step: step.ratio)
        if best.singular or best.ratio == 0:
            return None
        codes = (self.data.labels == best.classes[1]).astype(int)
        left, right, bottom, top = self.data.bounds
        corner, size = np.array([left, bottom]), np.array([right - left, top - bottom])

        def cost(places: ndarray) -> float:
            direction = places[1] - places[0]
            if not direction.any():
                raise ValueError("two places at the same point are no axis")
            (ratio,) = ratios(self.data.X, codes, direction[None])
            return 1 / ratio if ratio > 0 else np.inf

        return Drawing(
            task="Draw the axis on which the two classes are best separated: the least 1/J.",
            shape="line",
            names=("First end", "Second end"),
            start=corner + size * [[0.2, 0.5], [0.8, 0.5]],
            measure="1/J",
            cost=cost,
            best=handles(self.center, best.direction[None], self.data.bounds)[0],
        )

    def picture(self) -> Callable[[int], Figure]:
        """Draw the axis, the points and both means projected onto it, and the border."""
        x, y, cells = plane.grid(self.data.bounds, _CELLS)
        shown = (
            np.linspace(0, len(self.data.X) - 1, min(len(self.data.X), _STICKS)).round().astype(int)
        )
        X = self.data.X[shown]

        def at(now: int) -> Figure:
            step = self.steps[now]
            half = across_the_picture(step.direction[None], self.data.bounds)[0]
            feet = self.center + step.transform(X) * step.direction
            sticks = np.stack([X, feet, np.full_like(X, np.nan)], axis=1).reshape(-1, 2)
            score = step.decision_function(cells).reshape(_CELLS, _CELLS)
            means = self.center + step.means[:, None] * step.direction
            traces = [
                plane.regions(self.found(now).classes, None, self.data.bounds),
                plane.line(
                    sticks, line={"width": 1, "color": GREY}, name="way of a point to the axis"
                ),
                plane.borders(
                    x, y, np.stack([-score, score]), line={"width": 2, "dash": "dash"},
                    name="border half-way between the two means",
                ),
                plane.line(
                    np.array([self.center - half, self.center + half]), line={"width": 3},
                    name="axis",
                ),
                plane.line(
                    means,
                    mode="markers",
                    marker={
                        "size": 17,
                        "symbol": [symbol(int(k)) for k in step.classes],
                        "color": [color(int(k)) for k in step.classes],
                        "line": {"width": 3, "color": "#ffffff"},
                    },
                    name="mean of a class on the axis",
                ),
                plane.line(
                    self._beyond(step)[None], mode="text", text="<b>z</b>",
                    textposition="top right", textfont={"size": 17, "shadow": "auto"},
                    name="z: the end of the axis to which z grows",
                ),
            ]  # fmt: skip
            wrong = step.predict(self.data.X) != self.data.labels
            points = plane.points(self.data.X, self.data.labels, wrong)
            return plane.figure(traces, self.data.bounds, self.data.names, points=points)

        return at

    def _beyond(self, step: FisherAxisStep) -> ndarray:
        """Return a place on the axis beyond the handle at its positive end."""
        ends = handles(self.center, step.direction[None], self.data.bounds)[0] - self.center
        return self.center + 1.15 * ends[(ends @ step.direction).argmax()]

    def strips(self) -> Callable[[int], Figure]:
        """Draw where the points are on the axis: the first class upwards, the second downwards."""
        reach = float(np.hypot(*(self.data.X - self.center).T).max()) or 1.0
        edges = np.linspace(-reach, reach, _BINS + 1)
        middles = plane.packed((edges[1:] + edges[:-1]) / 2)
        classes = self.steps[0].classes.tolist()
        members = [self.data.labels == k for k in classes]
        counts = np.array([
            [np.histogram(step.transform(self.data.X[of])[:, 0], edges)[0] for of in members]
            for step in self.steps
        ])  # fmt: skip
        top = float(counts.max())
        ticks = {"tickvals": [-top, 0, top], "ticktext": [f"{top:g}", "0", f"{top:g}"]}
        layout = curves.panel_layout(
            xaxis=panels.axis("z on the axis", -reach, reach),
            yaxis=panels.axis("points", -1.3 * top, 1.3 * top, **ticks),
            barmode="overlay",
        )
        layout["margin"] = {"l": 58, "r": 14, "t": 8, "b": 44}

        def at(now: int) -> Figure:
            step = self.steps[now]
            traces = []
            for i, (k, sign) in enumerate(zip(classes, (1, -1), strict=True)):
                traces.append({
                    "type": "bar", "x": middles, "y": plane.packed(sign * counts[now, i] * 1.0),
                    "width": float(edges[1] - edges[0]), "marker": {"color": color(k)},
                    "name": self.data.classes[k], "showlegend": True, "hoverinfo": "skip",
                })  # fmt: skip
            for i, sign in enumerate((1, -1)):
                mean = float(step.means[i])
                around = float(np.sqrt(step.scatters[i] / members[i].sum()))
                height = sign * 1.15 * top
                traces += [
                    panels.curve([mean, mean], [0, sign * 1.25 * top], line={"width": 3}),
                    panels.curve(
                        [mean - around, mean + around], [height, height],
                        mode="lines+markers", line={"width": 3},
                        marker={"symbol": 142, "size": 12, "line": {"width": 3}},
                    ),
                ]  # fmt: skip
            middle = float(step.means.mean())
            traces.append(panels.upright(middle, -1.3 * top, 1.3 * top))
            return curves.with_legend({"data": traces, "layout": layout})

        return at

    def ratios(self) -> Callable[[int], Figure]:
        """Draw J against the angle, with the named directions."""
        path = np.array([(step.angle, step.ratio) for step in self.steps])
        top = float(path[:, 1].max()) or 1.0
        traces = [plane.line(path[:-1], line={"width": 3})]
        for event, mark in _STARS.items():
            if step := self.noted(event):
                look = {"symbol": mark, "size": 13, "line": {"width": 1}}
                place = np.array([[step.angle, step.ratio]])
                beside = _free_side(step.angle, float(path[path[:, 1].argmax(), 0]))
                traces.append(
                    plane.line(
                        place, mode="markers+text", marker=look, cliponaxis=False,
                        text=[_SHORT[event]], textposition=beside, textfont={"shadow": "auto"},
                    )
                )  # fmt: skip
        layout = curves.panel_layout(xaxis=angle_axis(), yaxis=panels.axis("J", 0.0, top))

        def at(now: int) -> Figure:
            return {"data": [*traces, curves.marked(*path[now].tolist())], "layout": layout}

        return at

    def caption(self, now: int) -> str:
        """Write how far the axis separates the classes, J, and the named directions."""
        step, n = self.steps[now], len(self.data.X)
        wrong = int((step.predict(self.data.X) != self.data.labels).sum())
        largest = max(float(np.abs(each.means).max()) for each in self.steps)
        first, second = (_exact(value, largest) for value in step.means.tolist())
        ratio = _exact(step.ratio, max(each.ratio for each in self.steps))
        scatters = " + ".join(number(value) for value in step.scatters)
        are = "is" if wrong == 1 else "are"
        back = "Back to the axis" if now == len(self.steps) - 1 else "Axis"
        return (
            f"{back} at {rounded(step.angle)}°{_SAID[step.event]}; {wrong} of "
            f"{counted(n, 'point')} {are} nearer to the other class's mean (large mark).\n"
            "Separation J is the squared distance of the means over the squared spreads inside the "
            f"classes: ({number(first)} − {enclosed(second)})² / ({scatters}) = {number(ratio)}.\n"
            f"The axis has the direction w = {vector(step.direction)}."
        )

    def answer(self, now: int) -> str:
        """Write J for Fisher's axis."""
        best = self.noted("most separation") or self.steps[now]
        return f"Best, Fisher's axis: {_told(best)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether J rises or falls, or how the projected means move."""
        before, after = self.steps[now], self.steps[now + 1]
        turned = f"The axis turns from {before.angle:.1f}° to {after.angle:.1f}°. What does"
        if rng.random() < 0.3:
            was, will = (float(abs(step.means[1] - step.means[0])) for step in (before, after))
            text = f"{turned} the distance of the projected means do?"
        else:
            was, will = before.ratio, after.ratio
            text = f"{turned} J do?"
        reason = f"It goes from {number(was, 4)} to {number(will, 4)}."
        return rises_or_falls(text, was, will, reason)

    def noted(self, event: str) -> FisherAxisStep | None:
        """Return the direction with this name, if there is one."""
        return next((step for step in self.steps if step.event == event), None)


def _exact(value: float, largest: float) -> float:
    """Return a value, or 0 if the value is only rounding."""
    return 0.0 if abs(value) <= _ROUNDING * largest else value


_SAID = {
    None: "",
    "most separation": ", the best: no axis has a larger J",
    "most variance": ", where the points spread most: it ignores the classes",
    "through both means": ", through both means: nowhere are they farther apart",
    "means fall together": ": both means fall together",
}


def _free_side(angle: float, peak: float) -> str:
    """Return the side of a mark on which the curve of J, with its one peak, leaves room."""
    if angle < peak:
        return "middle left" if angle > 60 else "top center" if angle > 30 else "top right"
    return "middle right" if angle < 120 or angle == peak < 150 else "middle left"


def _told(step: FisherAxisStep) -> str:
    return f"J = {number(step.ratio)} at {step.angle:.1f}°"
