"""What if: a run of which one step was done otherwise, and in its picture where it had gone before.

A lab's scene says how its run is told of there: `Scene.ghost` gives traces, by `path` and the like,
since a step and at a step.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.question import Question
from viz.core.scene import Figure, Scene, View

LOOK = {"width": 2.5, "dash": "dashdot"}  # no line of any picture has this look
FAINT = 0.6
KEY = {  # what the look means, in the picture itself
    "text": "faint, dash-dotted: as it was", "showarrow": False, "font": {"size": 13},
    "xref": "paper", "yref": "paper", "x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top",
}  # fmt: skip
_MOST = 300  # places of a curve
_LINES = 3  # of a caption: what differs from the run as it was has to fit


def what_if(scene: Scene, was: Scene, last: int, fork: int) -> Scene:
    """Show a run with the ghost of another one, which was the same until step `fork`.

    was : the scene of the other one, whose last step is `last`.
    """
    since = min(fork, last)

    def traces(now: int) -> Sequence[Sequence[dict]]:
        assert was.ghost
        return was.ghost(since, min(max(now, since), last))

    def haunted(view: View, i: int) -> View:
        def draw(now: int) -> Figure:
            figure = view.draw(now)
            ghosts = [{**trace, "visible": now >= fork} for trace in traces(now)[i]]
            ground, *above = figure["data"]
            layout = figure["layout"]
            if i == 0:
                layout = layout | {"annotations": [*layout.get("annotations", ()), KEY]}
            return figure | {"data": [ground, *ghosts, *above], "layout": layout}

        return replace(view, draw=draw)

    def caption(now: int) -> str:
        first, *rest = scene.caption(now).split("\n")
        plainly = was.caption(min(now, last)).split("\n")[0]
        ended = " (at its end)" if now > last else ""
        before = f"As it was, dash-dotted{ended}: {plainly}"
        if now < fork:
            before = f"Up to here as it was; step {fork} is done otherwise."
        return "\n".join([first, before, *rest][:_LINES])

    def ask(now: int) -> Question | None:
        return None if now + 1 == fork else scene.ask(now)  # that step follows no rule

    note = f"Dash-dotted: the run as it was, from step {fork} on. {scene.note}"
    some = len(traces(since))
    views = [haunted(view, i) if i < some else view for i, view in enumerate(scene.views)]
    return replace(scene, views=views, caption=caption, note=note.strip(), ask=ask)


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
