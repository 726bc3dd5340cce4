"""Bumps of two sigmoids each, side by side, by hand."""

from collections.abc import Callable
from math import tanh

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.data.truths import Truth
from algorithms.networks.universal_approximation.sigmoid_bumps import BumpStep
from algorithms.networks.universal_approximation.sigmoid_sum import PLACES, SigmoidSum
from viz.core import curves, graph, panels, plane
from viz.core.found import Curve
from viz.core.panels import Panel
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import added, counted, enclosed, number, whole
from viz.networks.universal_approximation.marks import LEAST, NUMBERS, PART, SUM, Approximation

_FILLED = {"fill": "tozeroy", "fillcolor": "rgba(213, 94, 0, 0.4)"}  # the newest bump
_PAIR = PALETTE[6]  # of the two sigmoids
_EDGE = "rgba(213, 94, 0, 0.4)"  # of the bumps before the newest one,
_FAINT = "rgba(213, 94, 0, 0.16)"  # and what is in them
_WHOLE = 0.995  # of a bump's height: it reaches that much, or the caption says how little
_BUMP = 100  # places along a bump
_TAIL = 13.0  # in 1 / w, beyond the edges of a bump: there it is down to 2×10⁻⁶ of f
_BEYOND = 1.6  # parts beyond the ends of the truth: the last bump reaches one part further out
_AT_A_JUMP = 1e-9  # of x: on one of its sides
_APART = 0.1  # of the largest height
_BELOW = 0.3  # decades, or of the range, below the curves of the misses
# The diagram, in pixels of the smallest view: middles of its nodes, and half their sides.
_DIAGRAM = (0.0, 400.0, 0.0, 222.0)
_INPUT, _EARLIER = np.array([16.0, 84.0]), np.array([178.0, 202.0])
_UNITS = np.array([[160.0, 132.0], [160.0, 36.0]])
_SUM = np.array([350.0, 84.0])
_UNIT_SIDES, _SUM_SIDES, _EARLIER_SIDES = (
    np.array(sides) for sides in ([44.0, 22.0], [46.0, 36.0], [74.0, 13.0])
)
_NEAR_UNIT = 0.33  # of the way to the sum: weights are clear of the earlier units' line
_MARGIN = dict.fromkeys("lrtb", 4)
_CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])


class Bumps(Show[BumpStep]):
    """The bumps, one after the other, and the errors of other numbers of bumps."""

    unit = "bump"

    note = (
        "The green curve is the truth f, the blue one the network N: one hidden layer of sigmoids. "
        "All weights are written down, none is learned. Two numbers say how far N misses f: the "
        "root of the mean square of f − N, and the largest |f − N|, at 400 places between the ends "
        "of f. The first and the last bump reach one part further out."
    )

    def __init__(self, run: Run, data: Plane, truth: Truth, found: ndarray, query: float) -> None:
        """Prepare the curve of the misses.

        found : (numbers, 2) how far the sums of other numbers of bumps miss. query : a picked x.
        """
        super().__init__(run, data)
        self.shown = Approximation(truth, data, query)
        if truth.jumps:
            self.note += " Where f jumps, the largest is also taken on both sides of the jump."
        self.by_number = by_number(found, self.steps[-1])
        self.width = (truth.high - truth.low) / self.steps[-1].bumps
        heights = np.abs(self.steps[-1].heights[::2])
        half = len(heights) // 2  # so that there is a sum of several bumps below the newest one
        self.opens = half + int(heights[half:].argmax()) + 1
        left, right = data.bounds[:2]
        reach = _BEYOND * self.width  # so that the fall of the last bump is seen, too
        self.wide = np.linspace(min(left, truth.low - reach), max(right, truth.high + reach), 400)

    def views(self) -> list[View]:
        """Return the picture, the network, the misses by number of bumps, and the newest bump."""
        return [
            View("The truth, and the sum of the bumps", self.picture),
            View("The network: two hidden units for a bump", self.network),
            View("How far the whole sum misses", self.by_number),
            View("The two sigmoids of the newest bump", self.pair),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the sum so far over the truth, the newest bump filled."""
        step = self.steps[now]
        rise, fall = newest(step, self.shown.x)
        path = np.stack([self.shown.x, rise + fall], axis=1)
        filled = plane.line(
            path, line={"width": 1.5, "color": PART}, name="newest bump", showlegend=True, **_FILLED
        )
        outlines = plane.line(
            self._outlines(step), line={"width": 1, "color": _EDGE}, fill="toself",
            fillcolor=_FAINT, name="earlier ones", showlegend=now > 1,
        )  # fmt: skip
        return self.shown.over(step, filled, outlines)

    def _outlines(self, step: BumpStep) -> ndarray:
        """Return the outlines of all bumps but the newest: whole, from the axis to the axis."""
        low, width = self.shown.truth.low, self.width
        parts = []
        for i in range(len(step.heights) // 2 - 1):
            pair = slice(2 * i, 2 * i + 2)
            tail = _TAIL * step.half / float(step.weights[2 * i])
            reach = max(_BEYOND * width, width + tail)
            x = np.linspace(low + i * width - reach, low + (i + 1) * width + reach, _BUMP)
            parts.append(np.column_stack([x, step.units(x)[:, pair] @ step.heights[pair]]))
        return plane.joined(parts)

    def network(self, now: int) -> Figure:
        """Draw the network: x, the two newest hidden units, the earlier ones, and their sum N."""
        step, x = self.steps[now], self.wide
        heights = step.heights[-2:].tolist()
        small = np.zeros((2, len(x)))
        if now:
            small = step.units(x)[:, -2:].T
        N = step.predict(x[:, None])
        most = max(float(np.abs(self.steps[-1].predict(x[:, None])).max()), 1e-300)
        drawn = [2 * curve - 1 for curve in small] + [(N / most).clip(-1, 1)]
        places, sides = [*_UNITS, _SUM], [_UNIT_SIDES, _UNIT_SIDES, _SUM_SIDES]
        across = np.linspace(-0.9, 0.9, len(x))
        paths = [
            place + 0.8 * side * np.stack([across / 0.8, curve], axis=1)
            for place, side, curve in zip(places, sides, drawn, strict=True)
        ]
        looks = [
            ("first", {"width": 2.5, "color": _PAIR}),
            ("second", {"width": 2.5, "color": _PAIR, "dash": "dash"}),
            ("network N", {"width": 3, "color": SUM}),
        ]
        nodes = [*zip(places, sides, strict=True)] if now else [(_SUM, _SUM_SIDES)]
        if now > 1:
            nodes.append((_EARLIER, _EARLIER_SIDES))
        ways = [(place, side) for place, side in nodes if place is not _SUM]
        from_x = [(_INPUT + np.array([10, 0]), place - side * [1, 0]) for place, side in ways]
        to_sum = [(place + side * [1, 0], _SUM - _SUM_SIDES * [1, 0]) for place, side in ways]
        traces = [
            graph.strokes(
                np.array([*from_x, *to_sum]).reshape(-1, 2, 2),
                line={"width": 1.5, "color": GREY}, name="weight",
            ),
            graph.strokes(
                np.array([place + side * _CORNERS for place, side in nodes]),
                line={"width": 1.5}, name="unit",
            ),
            *(
                plane.line(path if now or i == 2 else plane.GAP, line=look, name=name)
                for i, (path, (name, look)) in enumerate(zip(paths, looks, strict=True))
            ),
            graph.texts(*self._written(step, heights)),
        ]  # fmt: skip
        return {"data": traces, "layout": graph.without_axes(_DIAGRAM, room=_MARGIN)}

    def _written(self, step: BumpStep, heights: list[float]) -> tuple[ndarray, list[str]]:
        """Return the places of the diagram's texts, and the texts."""
        above, now = np.array([0.0, _UNIT_SIDES[1] + 11]), step.bumps
        w = float(step.weights[-1]) / step.half if now else 0.0
        written = [(_INPUT, "<b>x</b>"), (_SUM + np.array([0, _SUM_SIDES[1] + 12]), "<b>N = Σ</b>")]
        if now == 0:
            written.append((_UNITS.mean(axis=0), "no hidden unit yet"))
        else:
            for place, edge, height, up in zip(_UNITS, step.edges, heights, (1, -1), strict=True):
                written.append((place + above, f"σ({number(w)} ({_minus(edge)}))"))
                start, end = place + _UNIT_SIDES * [1, 0], _SUM - _SUM_SIDES * [1, 0]
                along = start + _NEAR_UNIT * (end - start)
                written.append((along + np.array([0, 22 * up]), f"<b>· {enclosed(height)}</b>"))
        if now > 1:
            written.append((_EARLIER, f"{2 * now - 2} earlier units"))
        return np.array([place for place, _ in written]), [text for _, text in written]

    def pair(self, now: int) -> Figure:
        """Draw the two sigmoids of the newest bump, and their sum."""
        x = self.wide
        rise, fall = newest(self.steps[now], x)
        most = float(np.abs(self.steps[-1].heights).max()) or 1.0
        series = [
            ("their sum", rise + fall, {"width": 1.5, "color": PART}, _FILLED),
            ("first", rise, {"width": 2.5, "color": _PAIR}, {}),
            ("second", fall, {"width": 2.5, "dash": "dash", "color": _PAIR}, {}),
        ]
        traces = [
            panels.curve(
                plane.packed(x), plane.packed(y), name=name, line=look, showlegend=True, **more
            )
            for name, y, look, more in series
        ]
        across = panels.axis(panels.label(self.shown.data.names[0]), x[0], x[-1]) | {
            "range": [x[0], x[-1]]
        }
        panel = Panel(traces, across, panels.axis("added to N", -most, most))
        return curves.with_legend(panels.alone(panel))

    def caption(self, now: int) -> str:
        """Write what the newest bump is, the rule with its numbers, and N at the picked x.

        At the end it says how far the sum misses.
        """
        step, last, truth = self.steps[now], self.steps[-1], self.shown.truth
        if now == 0:
            return (
                f"Start: no hidden unit yet, N = 0.\n"
                f"f is known from {number(truth.low)} to {number(truth.high)}: in "
                f"{counted(last.bumps, 'part')} of width {number(self.width)} each, one bump a "
                "part. The first and the last bump reach one part further out.\n"
                f"{self.shown.read(step)}"
            )
        height, weight = float(step.heights[-2]), float(step.weights[-2]) / step.half
        (a, b), width = step.edges, self.width
        first = (
            f"Bump {now} of {last.bumps} is as high as f in the middle of its part: "
            f"f({number(step.middle)}) = {number(height)}."
        )
        adds = "It adds"
        if now == 1:
            adds = "The first bump reaches one part further out. It adds"
        if step.event:
            first = (
                f"All bumps stand: {2 * now} hidden units miss f by {number(step.miss.rms)} (root "
                "mean square)."
            )
            adds = f"{self._largest(step)}{self._at_an_end(step)}. The last bump adds"
        reach = tanh(weight * (b - a) / 4)
        share = f"tanh({number(weight)} · {number(b - a)} / 4) = {number(100 * reach)} %"
        only = f", so it reaches only {share} of its height"
        edges = f"[σ(w ({_minus(a)})) − σ(w ({_minus(b)}))]"
        steep = whole(f"{number(weight * width)} / {number(width)} = {number(weight)}")
        return (
            f"{first}\n{adds} {whole(f'{number(height)} · {edges}')}, "
            f"{whole('w = steepness / width')} = {steep}{only if reach < _WHOLE else ''}.\n"
            f"{self.shown.read(step)}"
        )

    def _largest(self, step: BumpStep) -> str:
        """Write the largest miss: exactly at a jump, or among the places compared."""
        size, x = number(step.miss.largest), step.miss.at
        if any(abs(x - jump) <= _AT_A_JUMP for jump in self.shown.truth.jumps):
            return f"Largest miss: {size}, at x = {number(x)}, where f jumps"
        return f"Largest miss at {PLACES} places: {size}, at x = {number(x)}"

    def _at_an_end(self, step: BumpStep) -> str:
        """Write why the largest miss is there, if it is in the outer half of an end part."""
        truth, x = self.shown.truth, step.miss.at
        reach = tanh(float(step.weights[0]) / step.half * self.width / 4)
        inner = min(x - truth.low, truth.high - x) > 0.5 * self.width
        return "" if step.bumps == 1 or inner or reach < _WHOLE else ", where an end bump is level"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next bump's height; wrong options: its negative, and other bumps' heights."""
        heights = [float(v) for v in self.steps[-1].heights[::2]]
        least = _APART * max(map(abs, heights))
        right, after = heights[now], self.steps[now + 1]
        kept: list[float] = []
        for value in (-right, *(heights[i] for i in rng.permutation(len(heights)))):
            if all(abs(value - each) > least for each in (right, *kept)):
                kept.append(value)
        reason = (
            f"It is as high as the truth in the middle of its part: f({number(after.middle)}) = "
            f"{number(right)}."
        )
        options = [Option(number(value)) for value in kept[:3]]
        return question("How high is the next bump?", Option(number(right)), options, reason)

    def found(self, now: int) -> Curve:
        """Return N."""
        return self.shown.curve(self.steps[now])


def newest(step: SigmoidSum, x: ndarray) -> tuple[ndarray, ndarray]:
    """Return the two newest units' sum at every x; 0 as long as there are none."""
    if len(step.heights) == 0:
        return np.zeros(len(x)), np.zeros(len(x))
    rise, fall = (step.units(x) * step.heights)[:, -2:].T
    return rise, fall


def by_number(found: ndarray, last: BumpStep) -> Callable[[int], Figure]:
    """Draw the errors of whole sums over the number of bumps, and mark the run's own number."""
    floor = LEAST * float(found.max()) or 1e-12
    series = [("root mean square", found[:, 0], "solid"), ("largest", found[:, 1], "dash")]
    traces = [
        curves.against(
            name, NUMBERS, values.clip(floor), setting="bumps", line={"width": 2.5, "dash": dash}
        )
        for name, values, dash in series
    ]
    traces += [
        curves.marked(last.bumps, max(value, floor), marker=dot, showlegend=False)
        for value, dot in zip(last.miss[:2], (curves.DOT, curves.HOLLOW), strict=True)
    ]
    low, high = (float(np.log10(value)) for value in (max(found.min(), floor), found.max() or 1.0))
    low -= max(_BELOW, _BELOW * (high - low))  # the lower left corner is free for the text
    traces.append(
        graph.texts(
            np.array([[NUMBERS[0], 10**low]]),
            [f"● ○ at the end: {counted(last.bumps, 'bump')}"],
            textposition="top right",
        )
    )
    ticks = [1, 2, 5, 10, 20, 60]
    across = panels.axis("bumps", 0, float(np.log10(NUMBERS[-1])), type="log", tickvals=ticks)
    up = panels.axis("miss", low, high, **curves.powers(low - 0.5, high + 0.5))
    if high - low < 1:
        up |= {"range": [low - 0.5, high + 0.5]}
    figure = curves.with_legend(panels.alone(Panel(traces, across, up)))
    return lambda _: figure


def _minus(place: float) -> str:
    """Write x minus a place: x − 2.05, and x + 3.54 where the place is below 0."""
    place = round(place, 9)  # what is 0 but for rounding is 0
    return f"x {added(-place)}" if place < 0 else f"x − {number(abs(place))}"
