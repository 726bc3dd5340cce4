"""Names and colours of lines: each name beside its end, none over another; few colours."""

import numpy as np
from numpy import ndarray

from viz.core import panels, plane
from viz.core.theme import GREY, color

_MOST = 10  # names in one plot; of more lines those that end farthest from 0
_COLOURED = 4  # lines; the others are grey
_GAP = 0.105  # of the plot's height, from name to name


def line_colors(weights: ndarray) -> list[str]:
    """Return a colour for each of the few largest weights, and grey for the others."""
    colors = [GREY] * len(weights)
    largest = np.sort(np.argsort(-np.abs(weights), kind="stable")[:_COLOURED])
    for place, j in enumerate(largest.tolist()):
        colors[j] = color(place)
    return colors


def names_at_ends(
    names: tuple[str, ...],
    ends: ndarray,
    limits: tuple[float, float],
    places: tuple[float, float],
    colors: list[str],
) -> list[dict]:
    """Write each line's name where it ends, joined to it where names had to be moved apart.

    ends : the heights at which the lines end. limits : of the plot. places : along the axis, where
    the lines end and where the names begin.
    """
    low, high = limits
    chosen = np.sort(np.argsort(-np.abs(ends), kind="stable")[:_MOST])
    room = 0.03 * (high - low)
    at = ends[chosen].clip(low, high)
    heights = panels.spread_out(at, _GAP * (high - low), low + room, high - room)
    joins = [np.column_stack([places, ends]) for ends in zip(at, heights, strict=True)]
    return [
        plane.line(plane.joined(joins), line={"width": 1, "color": GREY}),
        panels.curve(
            [places[1]] * len(chosen),
            heights.tolist(),
            mode="text",
            text=[line_name(names[j]) for j in chosen.tolist()],
            textposition="middle right",
            textfont={"color": [colors[j] for j in chosen.tolist()]},
            cliponaxis=False,
        ),
    ]


def line_name(name: str) -> str:
    """Write the name of a line, clear of its end."""
    return f" {panels.label(name)}"
