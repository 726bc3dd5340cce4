"""Names of lines at their ends, each beside its own and none over another."""

import numpy as np
from numpy import ndarray

from viz.core import panels, plane, theme
from viz.core.theme import GREY

_MOST = 10  # names in one plot; of more lines those that end farthest from 0
_GAP = 0.105  # of the plot's height, from name to name


def names_at_ends(
    names: tuple[str, ...],
    ends: ndarray,
    limits: tuple[float, float],
    places: tuple[float, float],
) -> list[dict]:
    """Write each line's name where it ends, joined to it where names had to be moved apart.

    ends : the heights at which the lines end. limits : of the plot. places : along the axis, where
    the lines end and where the names begin. The name of a dashed line is in italics.
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
            text=[line_name(names[j], j) for j in chosen.tolist()],
            textposition="middle right",
            textfont={"color": [theme.color(j) for j in chosen.tolist()]},
            cliponaxis=False,
        ),
    ]


def line_name(name: str, j: int) -> str:
    """Write the name of line j, in italics if the line is dashed."""
    written = panels.label(name)
    return f" <i>{written}</i>" if panels.stroke(j)["dash"] == "dash" else f" {written}"
