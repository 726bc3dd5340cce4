"""Names and colours of lines: each name beside its end, none over another; few colours."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np
from numpy import ndarray

from viz.core import panels, plane
from viz.core.theme import DASHES, GREY, PALETTE

_MOST = 10  # names in one plot; of more lines those that end farthest from 0
_GAP = 0.105  # of the plot's height, from name to name
BALL = PALETTE[2]  # the diamond or circle of two weights
_COLORS = [each for each in PALETTE if each != BALL]


def line_colors(sizes: ndarray, columns: Sequence[int]) -> list[str]:
    """Return the colours of the largest weights, those of their columns, and grey for the others.

    If two of them have the same colour, the later one takes the next that is free. With so
    many weights no diamond is drawn, so the largest one left takes its colour.
    """
    colors = [GREY] * len(sizes)
    by_size = np.argsort(-sizes, kind="stable")
    for j in np.sort(by_size[: len(_COLORS)]).tolist():
        later = np.roll(_COLORS, -columns[j]).tolist()
        colors[j] = next(each for each in later if each not in colors)
    for j in by_size[len(_COLORS) : len(PALETTE)].tolist():
        colors[j] = BALL
    return colors


def line_dashes(colors: Sequence[str]) -> list[str]:
    """Return the dash patterns of lines: several grey ones each have their own."""
    grey = iter(cycle(DASHES))
    return [next(grey) if color == GREY else "solid" for color in colors]


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
