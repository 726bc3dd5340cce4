"""Arrows: a gradient, a normal, a step."""

import numpy as np
from numpy import ndarray

from viz.core import plane


def arrow(
    start: ndarray, end: ndarray, color: str | None, *, width: int = 3, head: int = 13
) -> dict:
    """Draw an arrow, in ink without a colour; nothing where the end is NaN.

    width, head : of its line and its head, in pixels.
    """
    style = {} if color is None else {"color": color}
    return plane.line(
        np.stack([start, end]),
        mode="lines+markers",
        line={"width": width, **style},
        marker={
            "symbol": "arrow" if np.abs(end - start).max() > 0.01 else "circle",
            "size": [0, head],
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
            **style,
        },
        cliponaxis=False,
    )
