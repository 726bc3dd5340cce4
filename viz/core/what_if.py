"""What if: a run with a changed step, and behind it the run as it was, as a faint ghost.

A scene says how its run is shown as a ghost: `Scene.ghost` gives traces, by `path` and the like.

Where points were moved by hand, the run as it was is shown until that step, and from there on the
new run, as if the points had always been where they are: a scene need not know of it. But a view
that is `ahead` is the same at all steps, so it takes the points of each step from `Plane.by_step`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.found import Found
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
    """Return the scene of a run with another one, the same until step `fork`, as its ghost.

    was : the scene of the other one, whose last step is `last`. moved : (m, 2) places that points
    were moved from at the fork, and those that they were moved to.
    """
    both = _Both(scene, was, last, fork, moved)
    note = f"Dash-dotted: the run as it was, from step {fork} on. {scene.note}"
    if moved:
        note = f"From step {fork} on {_said(*moved, 'is at')}. {note}"
    return replace(
        scene,
        views=[both.with_ghost(view, i) for i, view in enumerate(scene.views)],
        caption=both.caption,
        note=note.strip(),
        ask=both.ask,
        found=both.found if scene.found else None,
    )


@dataclass(frozen=True, eq=False)
class _Both:
    """A scene and the one it was before a step was changed; see `what_if`."""

    scene: Scene
    was: Scene
    last: int
    fork: int
    moved: tuple[ndarray, ndarray] | None

    def at(self, now: int) -> Scene:
        """Return the scene that is shown at a step: points are moved from the fork on."""
        return self.was if self.moved and now < self.fork else self.scene

    def ghosts(self, i: int, now: int) -> Sequence[dict]:
        """Return the traces of the run as it was for a view, and the ways of moved points."""
        assert self.was.ghost
        since = min(self.fork, self.last)
        traces = self.was.ghost(since, min(max(now, since), self.last))
        ways = [_pulled(*self.moved)] if self.moved and i == 0 else []
        own = traces[i] if i < len(traces) else []
        return [{**trace, "visible": now >= self.fork} for trace in [*own, *ways]]

    def with_ghost(self, view: View, i: int) -> View:
        """Return a view with the ghost between its ground and what is drawn above."""

        def draw(now: int) -> Figure:
            figure = (view if view.ahead else self.at(now).views[i]).draw(now)
            ground, *above = figure["data"]
            layout = figure["layout"]
            if i == 0:
                layout = layout | {"annotations": [*layout.get("annotations", ()), KEY]}
            return figure | {"data": [ground, *self.ghosts(i, now), *above], "layout": layout}

        unchanged = not self.moved and not self.ghosts(i, self.fork)
        return view if unchanged else replace(view, draw=draw)

    def caption(self, now: int) -> str:
        """Write what is shown, and the plain sentence about the run as it was."""
        first, *rest = self.at(now).caption(now).split("\n")
        plainly = self.was.caption(min(now, self.last)).split("\n")[0]
        ended = " (at its end)" if now > self.last else ""
        before = f"As it was, dash-dotted{ended}: {plainly}"
        if now < self.fork:
            before = f"Up to here as it was; step {self.fork} is changed."
        if self.moved and now == self.fork:
            said = _said(*self.moved, "goes to")
            first = f"{said[0].upper()}{said[1:]}, by hand. {first}"
        return "\n".join([first, before, *rest][:_LINES])

    def ask(self, now: int) -> Question | None:
        """Ask as the scene does, but not about the changed step, which follows no rule."""
        return None if now + 1 == self.fork else self.at(now).ask(now)

    def found(self, now: int) -> Found | None:
        """Return what the scene of the step has found."""
        find = self.at(now).found
        return find(now) if find else None


def _said(old: ndarray, new: ndarray, verb: str) -> str:
    """Write which points were moved by hand; of a few, from where to where."""
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
