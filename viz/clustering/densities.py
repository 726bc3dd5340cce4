"""Pictures of densities: bumps that add up, widths, and the region of a one-class machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.one_class_svm import OneClassStep
from algorithms.clustering.kernel_density import BandwidthStep, KernelDensityStep
from algorithms.core.kernels import GridSum
from viz.core import curves, panels, plane, surface
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE

MOST_SHARES = 5  # bumps that are shown one by one at the picked point
MOST_DRAWN = 400  # points of the view of weights

_LEAST_SHARE = 0.01  # of the density: smaller ones are left to the others
_CELLS = 140  # of the picture along each axis
_PLACES = 240  # along a cut
_BELOW, _ABOVE = 3.0, 2.0  # of mean ln p that is shown around the best
_LOWEST = 50.0  # below the best a curve stays there
_UNSEEN = 0.25  # opacity of a point without a bump
_TURN = np.linspace(0, 2 * np.pi, 97)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_LAYERS = ("rgba(0, 114, 178, 0.55)", "rgba(0, 114, 178, 0.3)")
_OTHERS = "rgba(122, 127, 135, 0.3)"


def largest(shares: ndarray) -> ndarray:
    """Choose the few bumps with the largest shares of a sum, the largest first."""
    order = np.argsort(-shares, kind="stable")[:MOST_SHARES]
    return order[shares[order] > _LEAST_SHARE * shares.sum()]


def bumps_picture(data: Plane, query: ndarray, step: KernelDensityStep) -> Figure:
    """Draw the density of the points so far, the newest bump as rings of h and 2 h.

    Lines lead from the picked point to those with the largest shares there.
    """
    newest = step.points[step.bumps - 1]
    traces = [
        _ground(data, step),
        _ring(newest, step.bandwidth, width=3, color=NOW),
        _ring(newest, 2 * step.bandwidth, width=1.5, color=NOW, dash="dash"),
    ]
    strength = np.where(np.arange(len(data.X)) < step.bumps, 1.0, _UNSEEN)
    return _with_points(data, query, step, traces, strength)


def width_picture(data: Plane, query: ndarray, step: BandwidthStep) -> Figure:
    """Draw the density of all points at one width, which a ring around the picked point shows."""
    traces = [_ground(data, step.density), _ring(query, step.bandwidth, width=2, color=NOW)]
    return _with_points(data, query, step.density, traces, np.ones(len(data.X)))


def _ground(data: Plane, step: KernelDensityStep) -> dict:
    x, y, _ = plane.grid(data.bounds, _CELLS)
    return surface.bands(x, y, step.on_grid(x, y))[0]


def _ring(center: ndarray, radius: float, **line: object) -> dict:
    return plane.line(center + radius * _CIRCLE, line=line)


def _with_points(
    data: Plane, query: ndarray, step: KernelDensityStep, traces: list[dict], strength: ndarray
) -> Figure:
    shares = step.shares(query[None])[0]
    top = largest(shares)
    width = 1 + 5 * shares[top] / (shares.sum() or 1.0)
    points = plane.points(
        data.X, np.zeros(len(data.X)), size=np.full(len(data.X), 0.7), strength=strength
    )
    edges = plane.edges(np.broadcast_to(query, (len(top), 2)), data.X[top], width=width)
    return plane.figure(traces, data.bounds, data.names, points=points, edges=edges)


def cut(data: Plane, query: ndarray, step: KernelDensityStep, *, newest: bool = False) -> Figure:
    """Draw the density along the line through the picked point, as the sum of its bumps.

    Those with the largest shares at the picked point lie on all the others, the largest on top.
    newest : whether the bump that came last is drawn by itself, too.
    """
    x, places = _along(data, query)
    heights, at = step.shares(places), step.shares(query[None])[0]
    top = largest(at)[::-1]
    total = heights.sum(axis=1)
    level = total - heights[:, top].sum(axis=1)
    traces = [_layer(x, level, "others", fill="tozeroy", fillcolor=_OTHERS)]
    empty = MOST_SHARES - len(top)  # layers without a height, below those of the largest
    for place in range(MOST_SHARES):
        if place >= empty:
            level = level + heights[:, top[place - empty]]
        color = _LAYERS[(MOST_SHARES - 1 - place) % 2]
        traces.append(_layer(x, level, "largest", fill="tonexty", fillcolor=color))
        traces[-1]["showlegend"] = place == MOST_SHARES - 1
    traces.append(_layer(x, total, "p", line={"width": 2.5}))
    if newest:
        look = {"width": 2, "color": NOW, "dash": "dash"}
        traces.append(_layer(x, heights[:, -1], "newest", line=look))
    return _upon(data, query, traces, float(at.sum()), float(total.max()), "p")


def _along(data: Plane, query: ndarray) -> tuple[ndarray, ndarray]:
    x = np.linspace(data.bounds[0], data.bounds[1], _PLACES)
    return x, np.column_stack([x, np.full(_PLACES, query[1])])


def _layer(x: ndarray, height: ndarray, name: str, **style: object) -> dict:
    look = {"line": {"width": 0.5, "color": PALETTE[0]}} | style
    return plane.line(np.column_stack([x, height]), name=name, **look) | {"showlegend": True}


def _upon(
    data: Plane, query: ndarray, traces: list[dict], value: float, highest: float, title: str
) -> Figure:
    """Put curves of a cut on axes, with the picked point marked on them."""
    top = 1.1 * highest or 1.0
    x = float(query[0])
    panel = panels.Panel(
        [*traces, panels.upright(x, 0, top), curves.marked(x, value, showlegend=False)],
        x={
            "title": {"text": panels.label(data.names[0], 30), "standoff": 4},
            "range": list(data.bounds[:2]),
            "nticks": 7,
        },
        y={"title": {"text": title}, "range": [0, top], "nticks": 5},
    )
    return curves.with_legend(panels.alone(panel))


def at_picked(last: KernelDensityStep, query: ndarray) -> ndarray:
    """Give the density at the picked point after every bump."""
    count = np.arange(1, last.bumps + 1)
    return np.cumsum(last.shares(query[None])[0] * last.bumps) / count


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """The curves over all widths, and the track on the one of the points left out."""

    steps: Sequence[BandwidthStep]

    @cached_property
    def widths(self) -> ndarray:
        """Every width."""
        return np.array([step.bandwidth for step in self.steps])

    @cached_property
    def left_out(self) -> ndarray:
        """What the points say that are left out; not lower than is of use."""
        values = np.array([step.left_out for step in self.steps])
        return np.maximum(values, values.max() - _LOWEST)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The stretch of mean ln p that is shown."""
        best = float(self.left_out.max())
        return best - _BELOW, best + _ABOVE

    @cached_property
    def grips(self) -> ndarray:
        """The (steps, 1, 2) places that are dragged: on the curve, or at the edge of the view."""
        return np.stack([self.widths, self.left_out.clip(*self.range)], axis=1)[:, None]

    @cached_property
    def drawn(self) -> list[dict]:
        """Both curves."""
        x = plane.packed(self.widths)
        own = np.array([step.own for step in self.steps])
        dashed = {"width": 2, "color": PALETTE[1], "dash": "dash"}
        return [
            panels.curve(x, plane.packed(own), name="own density", line=dashed),
            panels.curve(x, plane.packed(self.left_out), name="left out", line={"width": 2.5}),
        ]


def likelihoods(curve: Likelihoods, now: int) -> Figure:
    """Draw the mean ln p of the points against the width: left out, and of their own density."""
    x, y = curve.grips[now, 0].tolist()
    low, high = np.log10(curve.widths[[0, -1]]).tolist()
    room = 0.04 * (high - low)
    best = curve.widths[curve.steps[now].best]
    panel = panels.Panel(
        [
            *({**line, "showlegend": True} for line in curve.drawn),
            panels.upright(float(best), *curve.range),
            curves.marked(x, y, showlegend=False),
        ],
        x={
            "title": {"text": "width h", "standoff": 4},
            "type": "log",
            "range": [low - room, high + room],
            "tickvals": _round_numbers(low, high),
        },
        y={"title": {"text": "mean ln p"}, "range": list(curve.range), "nticks": 5},
    )
    return curves.with_legend(panels.alone(panel))


def _round_numbers(low: float, high: float) -> list[float]:
    """Give 1, 2 and 5 times the powers of ten between two powers."""
    powers = 10.0 ** np.arange(np.floor(low), np.ceil(high) + 1)
    ticks = np.outer(powers, (1, 2, 5)).ravel()
    return ticks[(ticks >= 10**low) & (ticks <= 10**high)].tolist()


@dataclass(frozen=True, eq=False)
class Region:
    """What the views of a one-class machine are drawn from."""

    data: Plane
    query: ndarray
    steps: Sequence[OneClassStep]

    @cached_property
    def grid(self) -> GridSum:
        """Sums of bumps over the cells of the picture."""
        task = self.steps[0].task
        return GridSum(task.kernel, task.points, *plane.grid(self.data.bounds, _CELLS)[:2])

    @cached_property
    def evenly(self) -> ndarray:
        """The sum of the bumps along the cut, all of the same weight."""
        return self.steps[0].evenly(_along(self.data, self.query)[1])

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest f of the points, at the start and at the end."""
        points = self.steps[0].task.points
        values = [self.steps[now].decision_function(points) for now in (0, -1)]
        low, high = float(np.min(values)), float(np.max(values))
        room = 0.06 * (high - low) or 1.0
        return low - room, high + room

    def sums(self, now: int, places: ndarray) -> ndarray:
        """Give the sum of the weighted bumps, which is f - b."""
        step = self.steps[now]
        return step.decision_function(places) - step.bias


@lru_cache(maxsize=8)
def outside(step: OneClassStep) -> ndarray:
    """Give the points outside: the picture and the words of a step ask for them."""
    return step.outside


def region_picture(region: Region, now: int) -> Figure:
    """Draw the sum of the weighted bumps, the border of the region, and every point's weight.

    A point's size is its weight; those outside are of another colour and symbol. The arrow goes
    from the point that loses weight to the one that gains it.
    """
    step, data = region.steps[now], region.data
    f = region.grid(step.duals) + step.bias
    x, y = region.grid.x, region.grid.y
    traces = [
        surface.bands(x, y, f)[0],
        plane.found(
            plane.REGION,
            plane.borders(x, y, np.stack([f, np.zeros_like(f)]), line={"width": 3}),
        ),
    ]
    group = np.zeros(len(data.X), int)
    group[outside(step)] = 1
    points = plane.points(data.X, group, size=sizes(step.duals))
    i, j = step.log.moved(step.index) or (0, 0)
    arrow = plane.edges(data.X[[j]], data.X[[i]], width=2.0 * (now > 0), arrow=True)
    return plane.figure(traces, data.bounds, data.names, points=points, edges=arrow)


def sizes(duals: ndarray) -> ndarray:
    """Give the points' diameters: small without weight, large at a weight of 1."""
    return np.where(duals > 0, 0.7 + 0.6 * duals, 0.4)


def weights(region: Region, now: int) -> Figure:
    """Draw every point's weight against its f, over the steps of the line that it has to reach."""
    step = region.steps[now]
    shown = np.unique(np.linspace(0, len(step.duals) - 1, MOST_DRAWN).round().astype(int))
    low, high = region.ends
    f = step.decision_function(step.task.points[shown]).clip(low, high)
    wanted = np.array([[low, 1.0], [0, 1], [0, 0], [high, 0]])
    pair = step.log.moved(now) or [0, 0]
    moved = step.decision_function(step.task.points[pair]).clip(low, high)
    ring = {"size": 14, "symbol": 100, "color": NOW, "line": {"width": 2.5 if now else 0}}
    dots = {"size": 7, "color": PALETTE[0]}
    panel = panels.Panel(
        [
            plane.line(wanted, line={"width": 5, "color": GREY}, opacity=0.5),
            plane.line(np.stack([f, step.duals[shown]], 1), mode="markers", marker=dots),
            plane.line(np.stack([moved, step.duals[pair]], 1), mode="markers", marker=ring),
        ],
        x={"title": {"text": "f of the point", "standoff": 4}, "range": [low, high], "nticks": 7},
        y={"title": {"text": "weight α"}, "range": [-0.07, 1.07], "nticks": 5},
    )
    return panels.alone(panel)


def region_cut(region: Region, now: int) -> Figure:
    """Draw the sum of the bumps along the line through the picked point, and the level."""
    step, data, query = region.steps[now], region.data, region.query
    x, places = _along(data, query)
    total = region.sums(now, places)
    level = -step.bias
    value = float(region.sums(now, query[None])[0])
    grey = {"width": 2, "color": GREY, "dash": "dot"}
    dashed = {"width": 2, "color": PALETTE[1], "dash": "dash"}
    traces = [
        _layer(x, region.evenly, "all alike", line=grey),
        _layer(x, total, "now", line={"width": 2.5}),
        _layer(x, np.full(_PLACES, level), "level ρ", line=dashed),
    ]
    highest = max(float(region.evenly.max()), float(total.max()), level, value)
    return _upon(data, query, traces, value, highest, "Σ α k")
