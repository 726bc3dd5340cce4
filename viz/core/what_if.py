"""What if: a run of which one step was done otherwise, and in its picture where it had gone before.

A lab's scene says how its run is told of there: `Scene.ghost` gives traces, by `path` and the like,
since a step and at a step.

Where points were moved by hand, the run is told of as it was until that step, and from there on as
if the points had always been where they are: a scene needs not know. But a view that is `ahead` is
the same one at all steps, so it has to take the points of each step from `Plane.by_step`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.question import Question
from viz.core.scene import Figure, Scene, View
from viz.core.words import counted, vector

LOOK = {"width": 2.5, "dash": "dashdot"}  # no line of any picture has this look
FAINT = 0.6
KEY = {  # what the look means, in the picture itself
    "text": "faint, dash-dotted: as it was", "showarrow": False, "font": {"size": 13},
    "xref": "paper", "yref": "paper", "x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top",
}  # fmt: skip
_MOST = 300  # places of a curve
_NAMED = 2  # points that were moved
_LINES = 3  # of a caption: what differs from the run as it was has to fit


def what_if(
    scene: Scene, was: Scene, last: int, fork: int, moved: tuple[ndarray, ndarray] | None = None
) -> Scene:
    """Show a run with the ghost of another one, which was the same until step `fork`.

    was : the scene of the other one, whose last step is `last`. moved : (m, 2) places that points
    were moved from at the fork, and those that they were moved to.
    """
    since = min(fork, last)
    pulled = [_pulled(*moved)] if moved else []

    def traces(now: int) -> Sequence[Sequence[dict]]:
        assert was.ghost
        return was.ghost(since, min(max(now, since), last))

    with_ghosts = len(traces(since))  # so many of the views, the first ones

    def haunted(view: View, i: int) -> View:
        def draw(now: int) -> Figure:
            figure = drawn(view, i, now)
            told = traces(now)[i] if i < with_ghosts else []
            ghosts = [{**trace, "visible": now >= fork} for trace in [*told, *pulled * (i == 0)]]
            ground, *above = figure["data"]
            layout = figure["layout"]
            if i == 0:
                layout = layout | {"annotations": [*layout.get("annotations", ()), KEY]}
            return figure | {"data": [ground, *ghosts, *above], "layout": layout}

        return replace(view, draw=draw)

    def at(now: int) -> Scene:
        return was if moved and now < fork else scene

    def drawn(view: View, i: int, now: int) -> Figure:
        return (view if view.ahead else at(now).views[i]).draw(now)

    def caption(now: int) -> str:
        first, *rest = at(now).caption(now).split("\n")
        plainly = was.caption(min(now, last)).split("\n")[0]
        ended = " (at its end)" if now > last else ""
        before = f"As it was, dash-dotted{ended}: {plainly}"
        if now < fork:
            before = f"Up to here as it was; step {fork} is done otherwise."
        if moved and now == fork:
            said = _said(*moved, "goes to")
            first = f"{said[0].upper()}{said[1:]}, by hand. {first}"
        return "\n".join([first, before, *rest][:_LINES])

    def ask(now: int) -> Question | None:
        return None if now + 1 == fork else at(now).ask(now)  # that step follows no rule

    note = f"Dash-dotted: the run as it was, from step {fork} on. {scene.note}"
    if moved:
        note = f"From step {fork} on {_said(*moved, 'is at')}. {note}"
    views = [
        haunted(view, i) if moved or i < with_ghosts else view for i, view in enumerate(scene.views)
    ]
    return replace(scene, views=views, caption=caption, note=note.strip(), ask=ask)


def _said(old: ndarray, new: ndarray, verb: str) -> str:
    """Say which points were moved by hand: where a few were, from where to where."""
    if len(old) > _NAMED:
        return f"{counted(len(old), 'point')} are elsewhere"
    pairs = zip(old, new, strict=True)
    return ", ".join(f"the point at {vector(a)} {verb} {vector(b)}" for a, b in pairs)


def _pulled(old: ndarray, new: ndarray) -> dict:
    """Draw where the points were, as rings, and lines to where they are."""
    ways = plane.joined(list(np.stack([old, new], axis=1)))
    sizes = np.where(np.arange(len(ways)) % 3 == 0, 18, 0)  # a gap follows each pair
    ring = {"symbol": 100, "size": sizes.tolist(), "line": {"width": 2}}
    return path(ways) | {"mode": "lines+markers", "marker": ring}


def path(places: ndarray, **stroke: Any) -> dict:
    """Draw where a run had gone: (m, 2) places joined up, a row of NaN is a gap."""
    return plane.line(places, opacity=FAINT, line=LOOK | stroke)


def curve(values: Sequence[float], fork: int) -> dict:
    """Draw how a number had gone on from before a step to the end, against the steps."""
    at = np.unique(np.linspace(max(fork - 1, 0), len(values) - 1, _MOST).round().astype(int))
    return path(np.column_stack([at, np.asarray(values)[at]]))


def paths(steps: Sequence[ndarray], fork: int) -> dict:
    """Draw the ways of several places from before a step to the end. steps : (k, 2) each."""
    ways = np.stack(steps[max(fork - 1, 0) :]).swapaxes(0, 1)
    return path(plane.joined(list(ways)))


def numbered(places: ndarray) -> dict:
    """Draw numbered places as rings, where centres are discs."""
    return plane.line(
        places,
        mode="markers+text",
        text=[str(j + 1) for j in range(len(places))],
        marker={"symbol": 100, "size": 24, "line": {"width": 2}},
        opacity=FAINT + 0.2,
    )
