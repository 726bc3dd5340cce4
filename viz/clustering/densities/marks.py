"""Shared parts of the modes: the density, the shares at the picked point, a cut through it."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.kernel_density import KernelDensityStep
from viz.core import curves, panels, plane, surface
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE, rgb
from viz.core.words import number, vector

MOST_SHARES = 3  # bumps that are shown and written one by one at the picked point
CELLS = 140  # of the picture along each axis
PLACES = 240  # along a cut
KEY = "ringed: largest shares at the picked point"
CUT = "The density along the dotted line"

_DEEP, _SKY = 200, 5  # opacity of 255 of the highest band, and its colour: it is seen on black
_LEAST_SHARE = 0.01  # of the density: smaller ones are left to the others
_TURN = np.linspace(0, 2 * np.pi, 97)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_LAYERS = ("rgba(0, 114, 178, 0.55)", "rgba(0, 114, 178, 0.3)")
_FILL = f"rgba{(*rgb(NOW), 0.3)}"
_OTHERS = "rgba(122, 127, 135, 0.3)"
_SIGNS = {
    "strength": "faint: it has no bump yet",
    "marks": ["", "its share is among the largest at the picked point"],
}


def largest(shares: ndarray) -> ndarray:
    """Return the few bumps with the largest shares of a sum, the largest first."""
    order = np.argsort(-shares, kind="stable")[:MOST_SHARES]
    return order[shares[order] > _LEAST_SHARE * shares.sum()]


def ground(data: Plane, step: KernelDensityStep) -> dict:
    """Draw the density as bands of equal height."""
    x, y, _ = plane.grid(data.bounds, CELLS)
    return surface.bands(x, y, step.on_grid(x, y), strong=_DEEP, ink=_SKY)[0]


def ring(center: ndarray, radius: float, name: str, **line: object) -> dict:
    """Draw a circle that is lightly filled."""
    fill = {"fill": "toself", "fillcolor": _FILL}
    return plane.line(center + radius * _CIRCLE, line=line, name=name, **fill)


def with_points(
    data: Plane, query: ndarray, step: KernelDensityStep, traces: list[dict], strength: ndarray
) -> Figure:
    """Draw the points, with rings around those with the largest shares at the picked point."""
    ringed = np.zeros(len(data.X))
    ringed[largest(step.shares(query[None])[0])] = 1
    points = plane.points(
        data.X, np.zeros(len(data.X)), size=np.full(len(data.X), 0.7), strength=strength
    ) | {"fills": [GREY]}  # not the colour of the density
    rings = plane.marks(ringed, [100, 100], [0, 13], 2)
    traces = [*traces, cut_line(data, query)]
    return plane.figure(traces, data.bounds, data.names, points=points, marks=rings, signs=_SIGNS)


def cut_line(data: Plane, query: ndarray) -> dict:
    """Draw where the cut is: across the picture, through the picked point."""
    ends = np.column_stack([data.bounds[:2], [query[1], query[1]]])
    return plane.line(
        ends,
        line={"width": 1.5, "dash": "dot", "color": GREY},
        name="the line of the cut beside it",
    )


def cut(data: Plane, query: ndarray, step: KernelDensityStep, *, newest: bool = False) -> Figure:
    """Draw the density along the line through the picked point, as the sum of its bumps.

    Bumps with the largest shares at the picked point are on top of all others, the largest on top.
    newest : whether the last bump is drawn by itself, too.
    """
    x, places = along(data, query)
    heights, at = step.shares(places), step.shares(query[None])[0]
    top = largest(at)[::-1]
    total = heights.sum(axis=1)
    level = total - heights[:, top].sum(axis=1)
    traces = [layer(x, level, "others", fill="tozeroy", fillcolor=_OTHERS)]
    empty = MOST_SHARES - len(top)  # layers without a height, below those of the largest
    for place in range(MOST_SHARES):
        if place >= empty:
            level = level + heights[:, top[place - empty]]
        color = _LAYERS[(MOST_SHARES - 1 - place) % 2]
        traces.append(layer(x, level, "largest", fill="tonexty", fillcolor=color))
        traces[-1]["showlegend"] = place == MOST_SHARES - 1
    traces.append(layer(x, total, "p", line={"width": 2.5}))
    if newest:
        look = {"width": 2, "color": NOW, "dash": "dash"}
        traces.append(layer(x, heights[:, -1], "newest", line=look))
    return upon(data, query, traces, float(at.sum()), float(total.max()), "p")


def along(data: Plane, query: ndarray) -> tuple[ndarray, ndarray]:
    """Return x and the places along the line through the picked point."""
    x = np.linspace(data.bounds[0], data.bounds[1], PLACES)
    return x, np.column_stack([x, np.full(PLACES, query[1])])


def layer(x: ndarray, height: ndarray, name: str, **style: object) -> dict:
    """Draw a curve of a cut."""
    look = {"line": {"width": 0.5, "color": PALETTE[0]}} | style
    return plane.line(np.column_stack([x, height]), name=name, **look) | {"showlegend": True}


def upon(
    data: Plane, query: ndarray, traces: list[dict], value: float, highest: float, title: str
) -> Figure:
    """Draw the curves of a cut on axes, with the picked point marked."""
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


def picked_density(step: KernelDensityStep, query: ndarray) -> str:
    """Write the density at the picked point, and how much of it is the nearest point's bump."""
    shares = step.shares(query[None])[0]
    total = float(shares.sum())
    start = f"Picked point {vector(query)}: p = {number(total)}"
    if len(shares) == 1 or total == 0:
        return f"{start}."
    part = number(100 * float(shares.max()) / total)
    return f"{start}, and the bump of the nearest point is {part} % of it."
