"""From one figure per step to one figure with frames that holds only what changes."""

from collections.abc import Sequence

import numpy as np

MOST_FRAMES = 80


def thin(events: Sequence[str | None], most: int = MOST_FRAMES) -> list[int]:
    """Choose which steps to show: the first, the last, the events, then evenly spaced ones.

    events : each step's event or None. Returns at most `most` step numbers, in order.
    """
    n = len(events)
    if n <= most:
        return list(range(n))
    named = [i for i, event in enumerate(events) if event]
    kept = {0, n - 1} | set(_evenly(named, most - 2))
    others = [i for i in range(n) if i not in kept]
    return sorted(kept | set(_evenly(others, most - len(kept))))


def _evenly(items: list[int], most: int) -> list[int]:
    if len(items) <= most:
        return items
    return [items[i] for i in np.linspace(0, len(items) - 1, max(most, 0)).round().astype(int)]


def animate(figures: Sequence[dict]) -> dict:
    """Join figures of the same traces, in the same order, into the first one plus its frames.

    Frame i holds, as Plotly's frames do, the traces that differ from the first figure's, and of
    those only the attributes that differ.
    """
    first = figures[0]
    frames = []
    for figure in figures:
        if len(figure["data"]) != len(first["data"]):
            raise ValueError("every step must draw the same traces in the same order")
        patches = [_difference(a, b) for a, b in zip(first["data"], figure["data"], strict=True)]
        traces = [i for i, patch in enumerate(patches) if patch]
        layout = _difference(first["layout"], figure["layout"])
        frames.append(
            {"data": [patches[i] for i in traces], "traces": traces}
            | ({"layout": layout} if layout else {})
        )
    return {**first, "frames": frames}


def _difference(before: dict, after: dict) -> dict:
    """Give the attributes of `after` that differ; both must have the same ones."""
    if before is after:
        return {}
    if before.keys() != after.keys():
        raise ValueError(f"steps draw different attributes: {before.keys() ^ after.keys()}")
    changed = {}
    for name, value in after.items():
        old = before[name]
        if value is old:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and "bdata" not in value:
            if inner := _difference(old, value):
                changed[name] = inner
        elif value != old:
            changed[name] = value
    return changed
