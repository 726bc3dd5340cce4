"""One-class support vector machine: the region that it finds, pair after pair."""

from functools import cached_property, lru_cache

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.one_class_svm import OneClassStep
from algorithms.core.kernels import GridSum
from algorithms.kernel_machines.moves import PairMove
from viz.clustering.densities import marks
from viz.core import curves, naming, panels, plane, surface
from viz.core.found import Inside
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, vector

MOST_DRAWN = 400  # points of the view of weights
_CLEAR = 1.1  # times as large
_BESIDE = 0.02  # of the axis of f: from its ends to the points beyond
_CUT = "The sum of bumps along the dotted line"
_KEY = "square: outside; large: it has weight<br>line: the border, f = 0; a loop inside is a hole"
_SIGNS = {
    "points": "point; a square is outside",
    "size": "size of a point: its weight α, from 0 to 1",
    "edges": "weight goes from one point to the other",
}


class OneClass(Show[OneClassStep]):
    """The region, its border, and the weights of the points."""

    opens = AT_THE_END

    def __init__(self, run: Run, data: Plane, query: ndarray, width: float) -> None:
        """Prepare the sums of bumps. query : the picked point. width : of the kernel."""
        super().__init__(run, data)
        self.query, self.task = query, self.steps[0].task
        self.note = _note(width, len(data.X))

    @cached_property
    def grid(self) -> GridSum:
        """Sums of bumps over the cells of the picture."""
        x, y, _ = plane.grid(self.data.bounds, marks.CELLS)
        return GridSum(self.task.kernel, self.task.points, x, y)

    @cached_property
    def evenly(self) -> ndarray:
        """Return the sum of the bumps along the cut, all of the same weight."""
        return self.steps[0].evenly(marks.along(self.data, self.query)[1])

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Return the lowest and the highest f of the points at the end; before, some are beyond."""
        values = self.steps[-1].decision_function(self.task.points)
        low, high = float(values.min()), float(values.max())
        room = 0.06 * (high - low) or 1.0
        return low - room, high + room

    def views(self) -> list[View]:
        """Return the region, the weights against f, and the cut."""
        return [
            View("The region and its border", self.picture),
            View("Every point's weight; f below 0 is outside", self.weights),
            View(_CUT, self.cut),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the sum of the weighted bumps, the border of the region, and every point's weight.

        The size of a point is its weight. Points outside have another colour and symbol. The arrow
        goes from the point that loses weight to the one that gains it.
        """
        step, data = self.steps[now], self.data
        f = self.grid(step.duals) + step.bias
        x, y = self.grid.x, self.grid.y
        traces = [
            surface.bands(x, y, f)[0],
            plane.borders(
                x, y, np.stack([f, np.zeros_like(f)]), line={"width": 3}, name="border, f = 0"
            ),
            marks.cut_line(data, self.query),
            naming.in_corner(_KEY, data.bounds),
        ]
        group = np.zeros(len(data.X), int)
        group[outside(step)] = 1
        points = plane.points(data.X, group, size=sizes(step.duals))
        i, j = step.moved or (0, 0)
        moving = now > 0 and step.event != "converged"
        arrow = plane.edges(data.X[[j]], data.X[[i]], width=2.0 * moving, arrow=True)
        return plane.figure(
            traces, data.bounds, data.names, points=points, edges=arrow, signs=_SIGNS
        )

    def weights(self, now: int) -> Figure:
        """Draw the weight of every point against its f, and the line that it has to reach."""
        step = self.steps[now]
        shown = np.unique(np.linspace(0, len(step.duals) - 1, MOST_DRAWN).round().astype(int))
        low, high = self.ends
        f = step.decision_function(step.task.points[shown])
        inside = low + _BESIDE * (high - low), high - _BESIDE * (high - low)
        beyond = (f < low) | (f > high)
        edge = {"size": 9, "color": PALETTE[0], "symbol": np.where(f < low, 7, 8).tolist()}
        places = np.stack([f.clip(*inside), step.duals[shown]], 1)
        wanted = np.array([[low, 1.0], [0, 1], [0, 0], [high, 0]])
        pair = step.moved or [0, 0]
        moved = step.decision_function(step.task.points[pair]).clip(*inside)
        moving = now > 0 and step.event != "converged"
        marker = {"size": 14, "symbol": 100, "color": NOW, "opacity": float(moving)}
        ring = {"mode": "markers", "marker": marker | {"line": {"width": 2.5}}}
        ring |= {"showlegend": moving}
        aim = {"line": {"width": 5, "color": GREY}, "opacity": 0.5, "showlegend": True}
        dots = {"size": 7, "color": PALETTE[0]}
        panel = panels.Panel(
            [
                plane.line(wanted, name="all end here", **aim),
                plane.line(np.where(beyond[:, None], np.nan, places), mode="markers", marker=dots),
                plane.line(
                    np.where(beyond[:, None], places, np.nan),
                    mode="markers",
                    marker=edge,
                    name="beyond",
                    showlegend=bool(beyond.any()),
                ),
                plane.line(np.stack([moved, step.duals[pair]], 1), name="the step's pair", **ring),
            ],
            x={
                "title": {"text": "height above the border, f", "standoff": 4},
                "range": [low, high],
                "nticks": 7,
            },
            y={"title": {"text": "weight α"}, "range": [-0.07, 1.07], "nticks": 5},
        )
        return curves.with_legend(panels.alone(panel))

    def cut(self, now: int) -> Figure:
        """Draw the sum of the bumps along the line through the picked point, and the level."""
        step, data, query = self.steps[now], self.data, self.query
        x, places = marks.along(data, query)
        total = step.sums(places)
        level = -step.bias
        value = float(step.sums(query[None])[0])
        grey = {"width": 2, "color": GREY, "dash": "dot"}
        dashed = {"width": 2, "color": PALETTE[1], "dash": "dash"}
        traces = [
            marks.layer(x, self.evenly, "equal weights", line=grey),
            marks.layer(x, total, "now", line={"width": 2.5}),
            marks.layer(x, np.full(marks.PLACES, level), "level ρ", line=dashed),
        ]
        highest = max(float(self.evenly.max()), float(total.max()), level, value)
        return marks.upon(data, query, traces, value, highest, "weighted sum")

    def caption(self, now: int) -> str:
        """Write how many points are outside, the move or what ν bounds, and the picked point."""
        step = self.steps[now]
        what = _bounds(step) if step.event == "converged" else _move(step)
        return f"{_region(step)}\n{what}\n{self._picked(step)}"

    def _picked(self, step: OneClassStep) -> str:
        query = self.query[None]
        f = float(step.decision_function(query)[0])
        total = number(f - step.bias, 4)
        side = "inside" if step.predict(query)[0] > 0 else "outside"
        return (
            f"Picked point {vector(self.query)}: the sum of the bumps is {total}; minus the level "
            f"it is f = {number(f)}, so the point is {side}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask from which point weight is taken: where the sum of the bumps is the highest."""
        step, move = self.steps[now], self.steps[now + 1].move
        if not isinstance(move, PairMove):
            return None
        used = step.duals > 0
        sums = step.sums(step.task.points)
        chosen = np.arange(len(sums)) == move.j
        others = used & (sums * _CLEAR < sums[move.j])

        def reason(j: int) -> str:
            return (
                f"The sum of the bumps is {number(float(sums[j]))} there, the highest of all "
                "points with weight: to take some away raises D the fastest."
            )

        text = "From which point is weight taken next?"
        return which_point(rng, self.data, text, chosen, others, reason)

    def found(self, now: int) -> Inside:
        """Return which points are inside."""
        inside = np.ones(len(self.data.X), bool)
        inside[outside(self.steps[now])] = False
        return Inside(inside)


@lru_cache(maxsize=8)
def outside(step: OneClassStep) -> ndarray:
    """Return the points outside: the picture and the caption of a step need them."""
    return step.outside


def sizes(duals: ndarray) -> ndarray:
    """Return the diameters of the points: small without weight, large at a weight of 1."""
    return np.where(duals > 0, 0.7 + 0.6 * duals, 0.4)


def _region(step: OneClassStep) -> str:
    n, beyond, support = len(step.duals), len(outside(step)), len(step.support)
    are = "is" if beyond == 1 else "are"
    if step.index == 0:
        start = (
            f"Start: the weight, ν n = {number(step.nu * n)}, is on the points farthest from the "
            f"mean, at most 1 on each"
        )
        there = f"{beyond} of {counted(n, 'point')} {are} outside"
        if step.event == "converged":
            return f"{start}; {there}. Nothing is gained by a move."
        return f"{start}. This is only the solver's first guess: {there} its border."
    ended = {
        "a point reaches 1": _full(step),
        "converged": " Converged.",
        "stopped at max_iter": " Stopped: no more moves are allowed.",
    }.get(step.event or "", "")
    said = f"{counted(beyond, 'point')} of {n} {are} outside the border"
    carry = "carries" if support == 1 else "carry"
    return f"{said}; {counted(support, 'point')} with weight {carry} it.{ended}"


def _full(step: OneClassStep) -> str:
    """Write which point a move takes to the largest weight, before any other."""
    if not isinstance(step.move, PairMove):
        return ""
    return f" Point {step.move.i + 1} is the first that a move takes to the largest weight, 1."


def _move(step: OneClassStep) -> str:
    match step.move:
        case PairMove(i, j, taken=taken):
            return (
                f"Weight {number(taken)} goes from point {j + 1} to point {i + 1}, where the sum "
                "of the bumps is lower."
            )
        case _:
            return f"All weights add up to ν n = {number(float(step.duals.sum()))}."


def _bounds(step: OneClassStep) -> str:
    """Write the shares of points outside and with weight beside ν, which is between them."""
    n, nu = len(step.duals), step.nu
    beyond, support = len(outside(step)) / n, len(step.support) / n
    out, share, carry = (f"{number(100 * each)} %" for each in (beyond, nu, support))
    said = (
        f"At most ν = {share} of the points may be outside: {out}. "
        f"At least {share} must have weight: {carry}."
    )
    largest = number(float(step.duals.max()))
    if beyond or largest == "1":
        return said
    return (
        f"{said} Only a point of weight 1 can be outside; the largest weight is {largest}, "
        "so every point with weight is on the border, which winds through them."
    )


def _note(width: float, n: int) -> str:
    """Write what the kernel is, and what the marks mean."""
    thinned = f" The view of weights shows {MOST_DRAWN} of {n:,} points." * (n > MOST_DRAWN)
    return (
        f"k(a, b) = exp(−‖a − b‖² / 2h²) with h = {number(width)}. A point's size is its weight α, "
        "from 0 to 1; squares are outside. The thick line is the border, f = 0. The arrow goes "
        "from the point that loses weight to the one that gains it. In the cut, the dotted line is "
        "the sum of the bumps if all weights were equal. At the end, "
        f"every point is on the grey line of the view of weights.{thinned}"
    )
