"""Half-planes: points in one picture, their lines' weights in the other."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.learning_theory.version_space.half_planes import REACH, HalfPlanesStep
from viz.core import curves, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted, enclosed, number, percent
from viz.learning_theory.version_space import marks

WEIGHTS: Bounds = (-1.15 * REACH, 1.15 * REACH, -1.15 * REACH, 1.15 * REACH)
_PICKED = PALETTE[6]
_FILL = "rgba(0, 114, 178, 0.25)"
_TURN = np.linspace(0, 2 * np.pi, 61)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_ABOVE = np.array([0.0, 0.07])  # from a dot in the weights to its name
_ENDS = np.array([-10.0, 10.0])  # beyond both pictures
_ACROSS = np.linspace(*marks.PICTURE[:2], 121)


class HalfPlanes(Show[HalfPlanesStep]):
    """A sample is a line in the weights, and cuts a slice off them."""

    unit = "sample"
    opens = 4
    equal = True
    note = (
        "A line v = a u + b on the left is the point (a, b) on the right; a point (u, v) on the "
        "left is the line b = v − u a on the right. Drag the picked point or the weights."
    )

    def __init__(
        self, run: Run, X: ndarray, positive: ndarray, point: ndarray, line: ndarray,
        truth: ndarray | None,
    ) -> None:  # fmt: skip
        """Keep the samples, and what is picked. truth : the true weights, if they are shown."""
        super().__init__(run)
        self.X, self.positive, self.truth = X, positive, truth
        self.point, self.line = point, line
        self.whole = self.steps[0].area

    def views(self) -> list[View]:
        """Return the points, and the weights of their lines."""
        return [
            View("Points, and lines that agree with them", self.points, board=False),
            View("Weights: every sample cuts a slice off", self.weights, board=False),
        ]

    def points(self, now: int) -> Figure:
        """Draw the samples so far, where the lines left disagree, and the line in their middle."""
        step = self.steps[now]
        X, positive = self.X[: step.seen], self.positive[: step.seen]
        doubt = _doubt(step.polygon)
        middle = [_drawn(step.center)] if len(step.polygon) else []
        truth = [] if self.truth is None else [_drawn(self.truth)]
        traces = [
            plane.line(doubt, fill="toself", fillcolor=_FILL, line={"width": 0},
                       name="lines left disagree", showlegend=True),
            plane.line(plane.joined(middle), line={"width": 4},
                       name="line at the centre of the largest circle"),
            plane.line(_drawn(self.line), line={"width": 2.5, "color": _PICKED, "dash": "dash"},
                       name="line of the weights"),
            plane.line(plane.joined(truth), line={"width": 2, "dash": "dot", "color": GREY},
                       name="true line"),
            *marks.samples(X, positive),
            plane.rings(X[-1:] if step.seen else plane.GAP, size=20, name="newest sample"),
            marks.word("line of the weights", *_end(self.line, 0), color=_PICKED),
            marks.word("middle", *(_end(step.center, 1) if middle else (plane.GAP, "top left"))),
        ]  # fmt: skip
        figure = marks.picture(traces, legend=True)
        for axis, name in (("xaxis", "u"), ("yaxis", "v")):
            figure["layout"][axis]["title"] = {"text": name}
        return figure

    def weights(self, now: int) -> Figure:
        """Draw the polygon, the cuts so far, and its largest circle."""
        step = self.steps[now]
        P = step.polygon
        closed = np.concatenate([P, P[:1]]) if len(P) else plane.GAP
        cuts = [_cut(x) for x in self.X[: step.seen]]
        circle = step.center + step.radius * _CIRCLE if len(P) else plane.GAP
        middle = step.center[None] if len(P) else plane.GAP
        truth = plane.GAP if self.truth is None else self.truth[None]
        traces = [
            plane.line(closed, fill="toself", fillcolor=_FILL, line={"width": 3},
                       name="weights that agree with all samples so far"),
            plane.line(plane.joined(cuts), line={"width": 1, "color": GREY}, opacity=0.6,
                       name="line of a sample", showlegend=True),
            plane.line(cuts[-1] if cuts else plane.GAP, line={"width": 3, "color": GREY},
                       name="of the newest", showlegend=True),
            plane.line(_cut(self.point), line={"width": 2.5, "color": _PICKED, "dash": "dash"},
                       name="line of the picked point"),
            plane.line(circle, line={"width": 2}, name="largest circle", showlegend=True),
            plane.line(middle, mode="markers", marker={"size": 9}, name="its centre"),
            marks.word("middle", middle + _ABOVE, "top center"),
            plane.line(truth, mode="markers",
                       marker={"symbol": 4, "size": 13, "color": GREY}, name="true weights"),
            marks.word("picked point", *_end(_weights_line(self.point), 1, REACH), color=_PICKED),
            self._weights_name(),
        ]  # fmt: skip
        figure = plane.figure(traces, WEIGHTS, ("a, slope", "b, intercept"))
        figure["layout"]["yaxis"]["scaleanchor"] = "x"  # a circle looks like one
        return curves.with_legend(figure)

    def _weights_name(self) -> dict:
        """Name the weights that the reader moves, on the side where there is more room."""
        side = "left" if self.line[0] > 0 else "right"
        return plane.line(
            self.line[None], mode="markers+text", text=["weights"],
            textposition=f"middle {side}", marker={"size": marks.HANDLE, "opacity": 0},
            textfont={"size": 15, "weight": 700, "color": _PICKED, "shadow": "auto"},
        )  # fmt: skip

    def caption(self, now: int) -> str:
        """Write what the sample cut off, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        left = percent(step.area / self.whole)
        if now == 0:
            said = "No sample yet: every line with weights in the square is possible."
            return f"{said}\n{self._picked(step)}"
        (u, v), up = self.X[step.seen - 1], self.positive[step.seen - 1]
        name = f"Sample {step.seen} is {'positive' if up else 'negative'}"
        sign = ">" if up else "<"
        rule = f"{number(v)} − a · {enclosed(u)} − b {sign} 0"
        if step.event == "nothing is left":
            said = f"{name}, and no line agrees with all {counted(step.seen, 'sample')}."
            return f"{said}\nIt asks for {rule}."
        off = self.steps[now - 1].area - step.area
        what = f"it cuts {percent(off / self.steps[now - 1].area)} off the weights that were left"
        if off <= 1e-12:
            what = "all lines that were left predicted this, so nothing is cut off"
        said = f"{name}: {what}.\nIt"
        if now == len(self.steps) - 1:
            said = f"After all {step.seen} samples, {left} of the square is left.\n{name}: it"
        where = "below" if up else "above"
        kept = f"keeps the lines that pass {where} it, {left} of the square ({rule})"
        return f"{said} {kept}.\n{self._picked(step)}"

    def _picked(self, step: HalfPlanesStep) -> str:
        """Write what the lines left say of the picked point, and the picked line of the samples."""
        if not len(step.polygon):
            return ""
        side = int(step.sides(self.point[None])[0])
        says = ("some lines left say +, others −", "all lines left say +", "all lines left say −")
        seen = slice(step.seen)
        point = f"Picked point: {says[side]}."
        if not step.seen:
            return point
        above = self.X[seen, 1] > self.line[0] * self.X[seen, 0] + self.line[1]
        wrong = int((above != self.positive[seen]).sum())
        told = f"The dashed line is wrong on {wrong} of {counted(step.seen, 'sample')}."
        return f"{point} {told}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the lines left say of the next sample, before its label is known."""
        step = self.steps[now]
        x = self.X[step.seen]
        side = int(step.sides(x[None])[0])
        texts = ("some say +, others −", "all of them say +", "all of them say −")
        options = [Option(text) for text in texts]
        reason = (
            "Its line crosses the weights that are left, and has some of them on either side.",
            "Its line misses the weights that are left: all of them are lines below the point.",
            "Its line misses the weights that are left: all of them are lines above the point.",
        )[side]
        others = [option for option in options if option.text != texts[side]]
        text = "The next sample is at ?. What do the lines that are left say of it?"
        return question(text, options[side], others, reason, (0, float(x[0]), float(x[1])))


def _doubt(polygon: ndarray) -> ndarray:
    """Return the border of the places that some lines of a polygon are above and others below."""
    if not len(polygon):
        return plane.GAP
    v = polygon[:, :1] * _ACROSS + polygon[:, 1:]  # a corner has the highest and the lowest line
    low, high = v.min(axis=0), v.max(axis=0)
    return np.column_stack([np.append(_ACROSS, _ACROSS[::-1]), np.append(low, high[::-1])])


def _end(weights: ndarray, end: int, high: float = marks.SQUARE[1]) -> tuple[ndarray, str]:
    """Return where a line leaves a square, on the left or on the right, and a word's side."""
    a, b = weights
    low = -high
    inside = [(u, a * u + b) for u in (low, high)]
    if a:
        inside += [((v - b) / a, v) for v in (low, high)]
    inside = sorted(p for p in inside if max(map(abs, p)) <= high + 1e-9)
    place = np.array([inside[-end]]) if inside else plane.GAP
    falls_to_the_word = (a < 0) == bool(end) and abs(a) < 1
    across, up = "left" if end else "right", "bottom" if falls_to_the_word else "top"
    return place, f"{up} {across}"


def _drawn(weights: ndarray) -> ndarray:
    """Return the line v = a u + b by two points."""
    a, b = weights
    return np.column_stack([_ENDS, a * _ENDS + b])


def _cut(x: ndarray) -> ndarray:
    """Return the line b = v - u a of a point by two points."""
    return _drawn(_weights_line(x))


def _weights_line(x: ndarray) -> ndarray:
    """Return slope and intercept of a point's line in the weights, b = v − u a."""
    u, v = x
    return np.array([-u, v])
