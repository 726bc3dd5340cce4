"""What if: a run with a changed step, and behind it the original run as a faint ghost.

`Scene.ghost` returns the traces that show a scene's run as a ghost.

If points were moved by hand, the original run is shown until that step, and the new run from then
on, as if the points had always been there, so a scene need not know about it. But a view that is
`ahead` is the same at all steps, so it takes the points of each step from `Plane.by_step`.
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
from viz.core.words import capital, counted, vector

LOOK = {"width": 2.5, "dash": "dashdot"}  # no line of any picture has this look
FAINT = 0.6
AS_IT_WAS = "the run as it was, before your change"
KEY = {  # the legend for this look, in the picture itself
    "text": "faint, dash-dotted: as it was", "showarrow": False,
    "xref": "paper", "yref": "paper", "x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top",
}  # fmt: skip
_MOST = 300  # places of a curve
_NAMED = 2  # moved points whose places are written
_LINES = 3  # lines of a caption, so that the comparison fits


def what_if(
    scene: Scene, was: Scene, last: int, fork: int, moved: tuple[ndarray, ndarray] | None = None
) -> Scene:
    """Return the scene of a changed run, with the original run as its ghost.

    was : the scene of the original run, whose last step is `last`. fork : the changed step. moved :
    (m, 2) places from which points were moved at the fork, and the places to which.
    """
    both = _Both(scene, was, last, fork, moved)
    called = _called(scene, fork)
    note = f"Dash-dotted: the run as it was, from {called} on. {scene.note}"
    if moved:
        note = f"From {called} on {_said(*moved, 'is at')}. {note}"
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
    """The scenes of a changed run and of the original run; see `what_if`."""

    scene: Scene
    was: Scene
    last: int
    fork: int
    moved: tuple[ndarray, ndarray] | None

    def at(self, now: int) -> Scene:
        """Return the scene that is shown at a step; before the fork no point has moved."""
        return self.was if self.moved and now < self.fork else self.scene

    def ghosts(self, i: int, now: int) -> Sequence[dict]:
        """Return the traces of the original run for a view, and the paths of moved points."""
        assert self.was.ghost
        since = min(self.fork, self.last)
        traces = self.was.ghost(since, min(max(now, since), self.last))
        ways = [_pulled(*self.moved)] if self.moved and i == 0 else []
        own = traces[i] if i < len(traces) else []
        return [{**trace, "visible": now >= self.fork} for trace in [*own, *ways]]

    def with_ghost(self, view: View, i: int) -> View:
        """Return a view with the ghost above its first trace and below the others."""

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
        """Write the caption of the step, with the plain sentence of the original run below it."""
        first, *rest = self.at(now).caption(now).split("\n")
        plainly = self.was.caption(min(now, self.last)).split("\n")[0]
        ended = " (at its end)" if now > self.last else ""
        before = f"As it was, dash-dotted{ended}: {plainly}"
        if now < self.fork:
            before = f"So far as it was; {_called(self.scene, self.fork)} is changed."
        if self.moved and now == self.fork:
            said = _said(*self.moved, "goes to")
            first = f"{capital(said)}, by hand. {first}"
        return "\n".join([first, before, *rest][:_LINES])

    def ask(self, now: int) -> Question | None:
        """Return the scene's question, but none about the changed step, which follows no rule."""
        return None if now + 1 == self.fork else self.at(now).ask(now)

    def found(self, now: int) -> Found | None:
        """Return the result that Compare compares at a step."""
        find = self.at(now).found
        return find(now) if find else None


def _called(scene: Scene, step: int) -> str:
    """Name a step as its lab counts: "round 7"."""
    return f"{scene.unit} {step + scene.counts_from}"


def _said(old: ndarray, new: ndarray, verb: str) -> str:
    """Write which points were moved by hand, with the places if there are only a few."""
    if len(old) > _NAMED:
        return f"{counted(len(old), 'point')} have been moved"
    pairs = zip(old, new, strict=True)
    return ", ".join(f"the point at {vector(a)} {verb} {vector(b)}" for a, b in pairs)


def _pulled(old: ndarray, new: ndarray) -> dict:
    """Draw rings where the points were, and lines to where they are."""
    ways = plane.joined(list(np.stack([old, new], axis=1)))
    sizes = np.where(np.arange(len(ways)) % 3 == 0, 18, 0)  # a gap follows each pair
    ring = {"symbol": 100, "size": sizes.tolist(), "line": {"width": 2}}
    return path(ways) | {"mode": "lines+markers", "marker": ring, "name": "a point that you moved"}


def path(places: ndarray, **stroke: Any) -> dict:
    """Draw the original path through (m, 2) places; a row of NaN is a gap."""
    return plane.line(places, opacity=FAINT, line=LOOK | stroke, name=AS_IT_WAS)


def curve(values: Sequence[float], fork: int) -> dict:
    """Draw how a number went on from the step before `fork`, against the steps."""
    at = np.unique(np.linspace(max(fork - 1, 0), len(values) - 1, _MOST).round().astype(int))
    return path(np.column_stack([at, np.asarray(values)[at]]))


def paths(steps: Sequence[ndarray], fork: int) -> dict:
    """Draw the paths of several places from the step before `fork` to the end."""
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
        name=AS_IT_WAS,
    )
