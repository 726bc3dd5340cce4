"""Shared parts of the modes: the density, the points, a cut through the picked point."""

from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.clustering.kernel_density import KernelDensityStep
from viz.core import curves, panels, plane, surface
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import number, vector

CELLS = 140  # of the picture along each axis
PLACES = 240  # along a cut
MOST_BUMPS = 40  # of a cut that are drawn singly
CUT = "The density along the dotted line"
SINGLY = f"The cut shows the {MOST_BUMPS} highest bumps on its line; p is the sum of them all."

_DEEP = 240  # opacity of 255 of the highest band
_TURN = np.linspace(0, 2 * np.pi, 97)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_BELOW = "rgba(122, 127, 135, 0.3)"
_SEEN = 0.01  # of the highest bump: a lower one is not drawn


def ground(data: Plane, step: KernelDensityStep, least: float | None = None) -> tuple[dict, str]:
    """Draw the density as bands of equal height, and write what the strongest one stands for.

    The strongest band is the highest p of the picture, the faintest one the lowest. least : the
    lowest p that the strongest one stands for; the faintest is then at 0.
    """
    x, y, _ = plane.grid(data.bounds, CELLS)
    p = step.on_grid(x, y)
    low, top = float(p.min()), float(p.max())
    if least is not None:
        low, top = 0.0, max(top, least)
    return surface.bands(x, y, p, (low, top), strong=_DEEP)[0], f"strongest blue: p = {number(top)}"


def highest(data: Plane, step: KernelDensityStep) -> float:
    """Return the highest p of the picture."""
    x, y, _ = plane.grid(data.bounds, CELLS)
    return float(step.on_grid(x, y).max())


def circles(center: ndarray, h: float, what: str) -> list[dict]:
    """Draw how wide a bump is, by circles at h and 2h. what : its centre, in words."""
    far, near = {"width": 1.5, "dash": "dot", "color": NOW}, {"width": 3, "color": NOW}
    return [
        plane.line(center + 2 * h * _CIRCLE, line=far, name=f"2h around {what}"),
        plane.line(center + h * _CIRCLE, line=near, name=f"h around {what}"),
    ]


def with_points(
    data: Plane, query: ndarray, traces: list[dict], strength: ndarray, **drawn: Any
) -> Figure:
    """Draw the points, in grey: the density has the colour. drawn : more for the figure."""
    points = plane.points(
        data.X, np.zeros(len(data.X)), size=np.full(len(data.X), 0.7), strength=strength
    ) | {"fills": [GREY]}
    traces = [*traces, cut_line(data, query)]
    return plane.figure(traces, data.bounds, data.names, points=points, **drawn)


def cut_line(data: Plane, query: ndarray) -> dict:
    """Draw where the cut is: across the picture, through the picked point."""
    ends = np.column_stack([data.bounds[:2], [query[1], query[1]]])
    return plane.line(
        ends,
        line={"width": 1.5, "dash": "dot", "color": GREY},
        name="the line of the cut beside it",
    )


def cut(data: Plane, query: ndarray, step: KernelDensityStep, *, newest: bool = False) -> Figure:
    """Draw the density along the line through the picked point, and bumps whose sum it is.

    newest : whether the last bump has its own colour.
    """
    x, places = along(data, query)
    heights = step.shares(places)
    total, peaks = heights.sum(axis=1), heights.max(axis=0)
    highest = np.argsort(-peaks, kind="stable")[:MOST_BUMPS]
    seen = np.where(heights > _SEEN * peaks.max(), heights, np.nan)
    thin = {"width": 1, "color": GREY}
    singly = [np.column_stack([x, bump])[np.isfinite(bump)][::2] for bump in seen.T[highest]]
    traces = [
        layer(x, total, "p, their sum", fill="tozeroy", fillcolor=_BELOW, line={"width": 2.5}),
        plane.line(plane.joined(singly), name="bumps", line=thin) | {"showlegend": True},
    ]
    if newest:
        look = {"width": 2.5, "color": NOW, "dash": "dash"}
        added = step.event != "all points"  # at the end no bump is the newest
        bump = seen[:, -1] if added else np.full(PLACES, np.nan)
        traces.append(layer(x, bump, "newest", line=look) | {"showlegend": added})
    p = float(step.shares(query[None]).sum())
    return upon(data, query, traces, p, float(total.max()), "p")


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
    """Write the density at the picked point, and how much of it is the nearest point's bump.

    Until every point has its bump, the nearest one is that of the points so far.
    """
    shares = step.shares(query[None])[0]
    total = float(shares.sum())
    start = f"Picked point {vector(query)}: p = {number(total)}"
    if len(shares) == 1 or total == 0:
        return f"{start}."
    part = number(100 * float(shares.max()) / total)
    m = len(shares)
    near = "nearest point" if m == len(step.points) else f"nearest of the {m} points so far"
    if part == "100":
        return f"{start}, and nearly all of it is the bump of the {near}."
    return f"{start}, and the bump of the {near} is {part} % of it."
