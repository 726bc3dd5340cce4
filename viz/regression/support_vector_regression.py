"""Support vector regression: the tube, primal and dual, and the loss of every point."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.pipeline import plane_units
from algorithms.kernel_machines.moves import FreeMove, PairMove
from algorithms.regression.support_vector_regression import TubeStep
from viz.core import curves, naming, plane
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import added, counted, number

IN, EDGE, OUT = 0, 1, 2
"""Whether a point's dual is at 0, between, or at C."""

_PLACES = 200  # along the curve
_SHOWN = 400  # points of the loss at most
_MOST_DRAWN = 60  # steps whose objectives are drawn; fewer of many points:
_MOST_PREDICTED = 60_000  # values of f that they take together
_TUBE = "rgba(0, 114, 178, 0.22)"
_LOSS = {"width": 2.5}
_OTHER = {"width": 1.5, "color": GREY}  # losses to compare it with
_BEND = 61  # places along the squared loss
_AROUND = {
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
}  # of a point: where its name is
_ABOVE = 0.045  # of the picture: from the edge to its ε, over the handle
_MIDDLE = 0.2, 0.8  # of the points along x: the handle on the edge is between these
_CLEAR = 0.018  # of the picture: from a point to its name, outside its mark
_DIGITS = 4, 5, 6, 7  # of the numbers of a quotient, until it comes out as printed
_UNSEEN = 0.002  # of the picture's height: a curve that moves by less seems to stand still
_SAME = 1e-9  # of P: a gap as small as rounding errors
_SHAPES = np.array([0, 100, 101])  # of a point by its state: a dot, a ring, a square
_INSIDE = 0.98  # of ε: a point is surely inside
_KEY = [  # samples for the row above the picture: the stage draws the marks themselves
    plane.line(
        plane.GAP, mode="markers", name=name, showlegend=True,
        marker={"symbol": symbol, "size": 15, "line": {"width": 2}},
    )
    for name, symbol in (("pull below C", 100), ("pull at full C", 101))
]  # fmt: skip
_KEY.append(plane.line(plane.GAP, line={"width": 1.5}, name="loss (strokes)", showlegend=True))
_SIGNS = {
    "size": "large: the points moved in this step",
    "marks": ["", "0 < |β| < C", "|β| = C"],
    "edges": "loss: how far a point is outside the tube",
}


class Tube(Show[TubeStep]):
    """The tube, move by move. The steps are in standard units; the picture is not."""

    opens = AT_THE_END

    def __init__(self, run: Run, data: Plane, query: float) -> None:
        """Prepare the places along the curve. query : the x at which it is read off."""
        super().__init__(run, data)
        self.query, self.units = query, plane_units(data.X)
        (cx, cy), (sx, sy) = self.units.center, self.units.spread
        self._high = (data.bounds[3] - data.bounds[2]) / sy
        self.held_at = where_it_is_held(data.X, self.steps)[0]
        self.x = np.linspace(*data.bounds[:2], _PLACES)
        self.along = ((self.x - cx) / sx)[:, None]
        ends = self.steps[0], self.steps[-1]
        self.farthest = max(float(np.abs(step.residuals).max()) for step in ends)
        last, n = len(self.steps) - 1, len(data.X)
        most = min(last + 1, _MOST_DRAWN, max(2, _MOST_PREDICTED // max(n, 1)))
        self.at = np.unique(np.linspace(0, last, most).round().astype(int))
        x, y = data.names
        self.note = (
            f"Both columns are standardised, ({x} {added(-cx, 4)}) / {number(sx, 4)} and "
            f"({y} {added(-cy, 4)}) / {number(sy, 4)}: ε, β, b and residuals are in these units. "
            "Ring: 0 < |β| < C, at the end on an edge of the tube. Square: |β| = C, at the end "
            "outside or on an edge. No mark: β = 0, at the end inside or on an edge; erasing such "
            "a point would then only change the units. The points of the latest pair are large, "
            "with their numbers: ↑ β rises, ↓ β falls. P jumps from step to step: its lowest value "
            "so far is drawn."
        )
        self.lowest = np.minimum.accumulate([step.primal_objective for step in self.steps])

    def views(self) -> list[View]:
        """Return the tube, the losses, and the objectives."""
        primal = self.lowest[self.at].tolist()
        dual = [self.steps[i].dual_objective for i in self.at]
        return [
            View("The curve in its tube", self.picture),
            View("What every point costs", self.losses),
            View(
                "The dual rises to the primal",
                lambda now: self.objectives(primal, dual, now),
                ahead="by step",
            ),
        ]

    def curve(self, now: int) -> ndarray:
        """Return f along the x axis, in the units of the data."""
        return self._back(self.steps[now].predict(self.along))

    def predicted(self, now: int, x: float) -> float:
        """Return f at an x, both in the units of the data."""
        u = (x - self.units.center[0]) / self.units.spread[0]
        return float(self._back(self.steps[now].predict(np.array([[u]])))[0])

    def picture(self, now: int) -> Figure:
        """Draw the curve in its tube and the points: ringed at an edge, squared at C.

        A ring and a square show the dual; the pair that was moved is large.
        """
        step, data, x, middle = self.steps[now], self.data, self.x, self.curve(now)
        half = step.task.epsilon * self.units.spread[1]
        up, down = np.stack([x, middle + half], 1), np.stack([x, middle - half], 1)
        dashed = {"width": 1.5, "dash": "dash", "color": PALETTE[0]}
        read = np.array(
            [[self.query, data.bounds[2]], [self.query, self.predicted(now, self.query)]]
        )
        traces = [
            plane.line(
                np.concatenate([up, down[::-1]]),
                fill="toself",
                fillcolor=_TUBE,
                line={"width": 0},
                name=f"tube: ± {number(step.task.epsilon)} sd = {number(half)}",
                showlegend=True,
            ),
            plane.line(
                np.concatenate([up, plane.GAP, down]), line=dashed, name="edge of the tube, ± ε"
            ),
            plane.line(np.stack([x, middle], axis=1), line={"width": 3}, name="fitted curve"),
            plane.line(
                read,
                mode="lines+markers",
                line={"width": 2, "dash": "dot", "color": PALETTE[2]},
                marker={"size": [0, 11], "color": PALETTE[2], "opacity": 1},
                name="prediction at the picked x",
            ),
        ]
        beyond = np.sign(step.residuals) * step.losses * self.units.spread[1]
        ends = data.X - np.column_stack([np.zeros(len(beyond)), beyond])
        traces.append(self._half_width(now, half))
        edges = plane.edges(data.X[beyond != 0], ends[beyond != 0], width=1.5)
        moved = [] if step.event == "converged" else step.moved
        size = np.ones(len(data.X))
        size[moved] = 1.6
        large = "large: its pull changes now" if len(moved) else ""
        traces.append(naming.in_corner(large, data.bounds))
        traces += self._pair(now, np.stack([x, middle], axis=1))
        points = plane.points(data.X, data.labels, size=size)
        marks = plane.marks(states(step), (100, 100, 101), (0, 15, 13), 2.0)
        figure = plane.figure(
            [*traces, *_KEY], data.bounds, data.names,
            points=points, marks=marks, edges=edges, signs=_SIGNS,
        )  # fmt: skip
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
        return curves.with_legend(figure, x=0, xanchor="left")

    def _half_width(self, now: int, half: float) -> dict:
        """Draw ε from the curve up to the edge at the last step, where the edge can be dragged."""
        x, f = self.held_at, self.predicted(now, self.held_at)
        _, _, bottom, top = self.data.bounds
        name = [[x, f + half + _ABOVE * (top - bottom)]]
        path = np.concatenate([[[x, f], [x, f + half]], plane.GAP, name])
        return plane.line(
            path if now == len(self.steps) - 1 else np.full_like(path, np.nan),
            mode="lines+text",
            line={"width": 2, "color": PALETTE[0]},
            text=["", "", "", "ε"],
            textfont={"size": 16, "shadow": "auto"},
            name="half-width ε of the tube",
        )

    def _pair(self, now: int, curve: ndarray) -> list[dict]:
        """Write beside the two points of a move their numbers, and where they pull the curve."""
        step, data = self.steps[now], self.data
        move = None if step.event == "converged" else step.move
        pair = [(move.i, "↑"), (move.j, "↓")] if isinstance(move, PairMove) else []
        left, right, bottom, top = data.bounds
        off = _CLEAR * np.array([right - left, top - bottom])
        names = [
            naming.Name(
                f"{i + 1} {way}",
                [(data.X[i] + off * out, side) for side, out in _AROUND.items()],
                {"size": 16},
            )
            for i, way in pair
        ] or 2 * [naming.Name("", [], {"size": 16})]
        taken = np.concatenate([data.X, naming.along(curve)])
        return naming.clear_names(names, data.bounds, taken)

    def objectives(self, primal: Sequence[float], dual: Sequence[float], now: int) -> Figure:
        """Draw how the dual rises to the primal; it never passes it.

        primal, dual : at the steps that are drawn, the lowest primal so far, as it jumps, and the
        dual.
        """
        step, last = self.steps[now], len(self.steps) - 1 or 1
        dashed = {"line": {"dash": "dash", "color": PALETTE[1]}, "marker": {"symbol": 1, "size": 4}}
        traces = [
            curves.against("lowest P so far", self.at, primal, setting="step", marker={"size": 4}),
            curves.against("dual D", self.at, dual, setting="step", **dashed),
            curves.marked(now, step.dual_objective, marker=curves.HOLLOW, showlegend=False),
            curves.marked(now, float(self.lowest[now]), showlegend=False),
        ]
        layout = curves.panel_layout(
            xaxis={"range": [-0.04 * last, 1.04 * last], "nticks": min(6, last + 1)}
            | {"title": {"text": "step", "standoff": 2}},
            yaxis={"title": {"text": "objective"}, "nticks": 5, **_scale(primal, dual)},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def losses(self, now: int) -> Figure:
        """Draw the loss of every point over its residual; beside it |r| and r²."""
        step = self.steps[now]
        n = len(step.residuals)
        shown = np.linspace(0, n - 1, min(n, _SHOWN)).round().astype(int)
        r, shapes = step.residuals[shown], _SHAPES[states(step)[shown]]
        epsilon = step.task.epsilon
        wide = self._wide(now)
        r = r.clip(-wide, wide)
        shape = np.array(
            [[-wide, wide - epsilon], [-epsilon, 0], [epsilon, 0], [wide, wide - epsilon]]
        )
        cost = np.maximum(np.abs(r) - epsilon, 0)
        square = np.linspace(-np.sqrt(wide), np.sqrt(wide), _BEND)  # as far as the plot is high
        traces = [
            plane.line(
                np.array([[-wide, wide], [0, 0], [wide, wide]]), line=_OTHER | {"dash": "dash"},
                name="absolute |r|", showlegend=True,
            ),
            plane.line(
                np.stack([square, square**2], 1), line=_OTHER | {"dash": "dot"},
                name="squared r²", showlegend=True,
            ),
            plane.line(shape, line=_LOSS, name="with the tube", showlegend=True),
            plane.line(
                np.stack([r, cost], 1), mode="markers", name="point, marked as in the picture",
                marker={
                    "size": 11, "color": PALETTE[0], "symbol": shapes.tolist(),
                    "line": {"width": 2, "color": PALETTE[0]},
                },
            ),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "residual r, in standard deviations of y", "standoff": 2},
                "range": [-wide, wide],
            },
            yaxis={"title": {"text": "loss"}, "range": [-0.06 * wide, wide], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def _wide(self, now: int) -> float:
        """Return how far the axis of residuals goes: as far as at the end, once all are there."""
        epsilon = self.steps[now].task.epsilon
        at_end = max(float(np.abs(self.steps[-1].residuals).max()), 2 * epsilon)
        fits = float(np.abs(self.steps[now].residuals).max()) <= at_end
        return 1.1 * (at_end if fits else max(self.farthest, at_end)) or 1.0

    def caption(self, now: int) -> str:
        """Write how many points hold the curve, what the move did, and what is read off."""
        step, read = self.steps[now], self.predicted(now, self.query)
        f = (read - self.units.center[1]) / self.units.spread[1]
        before = self.steps[max(now - 1, 0)]
        return (
            f"{_holders(step, before)}\n{self._moved(now)}{_move(step)}\n"
            f"Picked x = {number(self.query)}: {number(read)} is predicted, {number(abs(f))} "
            f"standard deviations {'below' if f < 0 else 'above'} the mean of y."
        )

    def _moved(self, now: int) -> str:
        """Write how far the curve moves at a step, which may be too little to be seen."""
        if now == 0 or self.steps[now].event == "converged":
            return ""
        far = np.abs(self.curve(now) - self.curve(now - 1)).max() / self.units.spread[1]
        unseen = ", too little to be seen" if far < _UNSEEN * self._high else ""
        return f"The curve moves by at most {number(float(far))} sd of y{unseen}. "

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for a point whose dual moves; the other options are in the tube, with β = 0."""
        before, after = self.steps[now], self.steps[now + 1]
        old, new = before.coefficients, after.coefficients
        residuals, epsilon = np.abs(before.residuals), before.task.epsilon
        moved, idle = old != new, (old == 0) & (new == 0) & (residuals < _INSIDE * epsilon)

        def reason(i: int) -> str:
            return (
                f"Its β goes from {number(float(old[i]))} to {number(float(new[i]))}, at |y − f| = "
                f"{number(float(residuals[i]))}; the others are inside ε = {number(epsilon)} and "
                "stay at β = 0."
            )

        text = "Which point does the next move pull at?"
        return which_point(rng, self.data, text, moved, idle, reason)

    def found(self, now: int) -> Curve:
        """Return the curve."""
        return Curve(np.stack([self.x, self.curve(now)], axis=1))

    def _back(self, v: ndarray) -> ndarray:
        """Return standardised heights in the units of the data."""
        return self.units.center[1] + v * self.units.spread[1]


def where_it_is_held(X: ndarray, steps: Sequence[TubeStep]) -> tuple[float, float, float]:
    """Return the x of the handle on the tube's edge, the last curve there, and one sd of y.

    The x is that of a point half-way up and not far from the middle: there the curve moves least as
    the tube gets wider.
    """
    units, half_way = plane_units(X), X[:, 1].min() / 2 + X[:, 1].max() / 2
    low, high = np.quantile(X[:, 0], _MIDDLE, method="nearest")
    among = X[(X[:, 0] >= low) & (X[:, 0] <= high)]
    x = float(among[np.abs(among[:, 1] - half_way).argmin(), 0])
    (cx, cy), (sx, sy) = units.center.tolist(), units.spread.tolist()
    f = float(steps[-1].predict(np.array([[(x - cx) / sx]]))[0])
    return x, cy + sy * f, sy


def states(step: TubeStep) -> ndarray:
    """Return whether every point's dual is IN, EDGE or OUT."""
    duals = step.duals
    return np.where(duals == 0, IN, np.where(duals >= step.C, OUT, EDGE))


def _scale(primal: Sequence[float], dual: Sequence[float]) -> dict:
    """Return a range that shows where primal and dual meet, not how far apart they begin."""
    top = min(max(primal), 4 * primal[-1] + 1e-9)
    low = min(0.0, *dual)
    room = 0.06 * (top - low) or 1.0
    return {"range": [low - room, top + room]}


def _holders(step: TubeStep, before: TubeStep) -> str:
    """Write which pulls change at a step, and how many points hold the curve."""
    where = states(step)
    counts = {state: int((where == state).sum()) for state in (IN, EDGE, OUT)}
    hold, full = counts[EDGE] + counts[OUT], counts[OUT]
    if step.index == 0:
        return f"Start: β = 0 for all {len(where)} points. No point pulls yet, the curve is level."
    if step.event == "converged":
        left = f"; the other {counts[IN]} could be left out" if counts[IN] else ""
        return f"Converged: {hold} of {counted(len(where), 'point')} hold the curve{left}."
    ended = {
        "rounding": " Stopped: rounding allows no further move.",
        "stopped at max_iter": " Stopped: the moves are used up.",
        "a point reaches C": " A point has full C for the first time.",
    }.get(step.event or "", "")
    return (
        f"{_pulls(step, before)}: {hold} of {counted(len(where), 'point')} hold the curve, "
        f"{'all' if 1 < full == hold else full} of them with full C.{ended}"
    )


def _pulls(step: TubeStep, before: TubeStep) -> str:
    """Write in plain words whose pull changes, and how."""
    if isinstance(step.move, FreeMove):
        return f"All {len(step.move.members)} points that pull below C change their pull together"
    assert step.move
    i, j = step.move.i, step.move.j
    was, now = before.coefficients, step.coefficients
    rises = "up more" if was[i] >= 0 else "down less" if now[i] <= 0 else "up instead of down"
    falls = "down more" if was[j] <= 0 else "up less" if now[j] >= 0 else "down instead of up"
    return f"Point {i + 1} pulls the curve {rises}, point {j + 1} {falls}"


def _move(step: TubeStep) -> str:
    """Write the rule with the numbers of the move, and what the curve costs."""
    primal, dual = step.primal_objective, step.dual_objective
    gap = primal - dual
    costs = f"No curve costs less than D = {number(dual)}; this one costs P = {number(primal)}"
    if step.event == "converged":
        edge, out = (int((states(step) == state).sum()) for state in (EDGE, OUT))
        more = "as much" if gap <= _SAME * (1 + abs(primal)) else f"at most {number(gap)} more"
        edges = "on the edges of the tube" if step.task.epsilon else "on the curve"
        return (
            f"Points {edges} pull with less than C: {edge}. Points outside "
            f"pull with full C: {out}. No curve costs less than D = {number(dual)}; this one costs "
            f"{more}."
        )
    match step.move:
        case PairMove(slope=slope, eta=eta, wanted=wanted, taken=taken):
            quotient = f"D's slope / curvature = {_quotient(slope, eta, wanted)}"
            if taken == wanted:
                how = f"Both pulls β change by {quotient}, where D is largest"
            else:
                full = bool((step.duals[[step.move.i, step.move.j]] >= step.C).any())
                limit = f"reaches C = {number(step.C)}" if full else "is 0"
                how = (
                    f"Both pulls β change by {number(taken)}, then one of them {limit}; without "
                    f"this limit they would change by {quotient}"
                )
            return f"{how}. {costs}."
        case FreeMove(_, bounded):
            verb = "reaches" if bounded == 1 else "reach"
            held = f"; {bounded} of them {verb} C or 0" if bounded else ""
            return f"Their β move to the values with the largest D{held}. {costs}."
        case _:
            loss = _factor(float(step.losses.sum()), step.C, primal)
            return (
                "A curve costs P: how much it bends, plus C times the distances of all points from "
                f"the tube, in sd of y. Here P = 0 + {number(step.C)} · {loss} = "
                f"{number(primal)}. D is what every curve costs at least, so far "
                f"D = {number(dual)}. Each step raises it, until D = P."
            )


def _factor(value: float, other: float, product: float) -> str:
    """Write value, with as many digits as make value times other come out as printed."""
    for digits in (3, *_DIGITS):
        if number(float(f"{value:.{digits}g}") * other) == number(product):
            return number(value, digits)
    return number(value)


def _quotient(slope: float, eta: float, wanted: float) -> str:
    """Write slope / eta = wanted, with as many digits as make it come out as printed."""
    for digits in _DIGITS:
        above, below = (float(f"{value:.{digits}g}") for value in (slope, eta))
        if below > 0 and number(above / below) == number(wanted):
            return f"{number(slope, digits)} / {number(eta, digits)} = {number(wanted)}"
    return f"{number(slope)} / {number(eta)}, without bound since D does not bend down"
