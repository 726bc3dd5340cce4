"""Two runs on the same points, side by side under one player, with where they disagree marked.

Classes disagree where the two pictures fill the plane with different ones; clusters, whose numbers
mean nothing, where the points are grouped differently once the numbers are paired up as well as
they can be.
"""

from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.core.agreement import disagree
from viz.core import plane
from viz.core.hatching import hatched
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.words import number

Mark = tuple[dict, str]  # a trace for either picture, and what to say of it


@dataclass(frozen=True, eq=False)
class Pane:
    """One side: what it is called, its run and its scene, of which the picture is shown.

    begins : the step of both at which it sets out; it waits until then, and again at its end.
    """

    title: str
    run: Run
    scene: Scene
    begins: int = 0

    @property
    def last(self) -> int:
        """The step of both at which it is at its end."""
        return self.begins + max(0, len(self.run.steps) - 1)

    def own(self, now: int) -> int:
        """Give the number of its own step at a step of both."""
        return min(max(now, self.begins), self.last) - self.begins

    def figure(self, now: int) -> Figure:
        """Draw the picture."""
        return self.scene.views[0].draw(self.own(now))

    def caption(self, now: int, lines: int) -> str:
        """Give the first lines of what is said of a step."""
        words = self.scene.caption(self.own(now)).split("\n")[:lines]
        waits = " (waits)" if now < self.begins else " (at its end)" if now > self.last else ""
        return f"{self.title}{waits}: {' '.join(words)}"


@dataclass(frozen=True, eq=False)
class Both:
    """A step of either run."""

    steps: tuple[Any, Any]
    event: str | None


def both_runs(panes: Sequence[Pane]) -> Run:
    """Join two runs, step by step; one that is not under way waits."""
    if error := next((pane.run.error for pane in panes if pane.run.error), None):
        return Run(" | ".join(pane.run.key for pane in panes), (), error)
    steps = []
    for now in range(1 + max(pane.last for pane in panes)):
        left, right = (pane.run.steps[pane.own(now)] for pane in panes)
        events = [
            f"{pane.title}: {step.event}"
            for pane, step in zip(panes, (left, right), strict=True)
            if step.event and pane.begins <= now <= pane.last
        ]
        steps.append(Both((left, right), "; ".join(events) or None))
    key, sides = " | ".join(pane.run.key for pane in panes), tuple(pane.run for pane in panes)
    return Run(key, tuple(steps), sides=sides)


def side_by_side(left: Pane, right: Pane, data: Plane, gives: str) -> Scene:
    """Show the pictures of two runs at the same step, the captions of both, and their differences.

    gives : what the two find, see Section: "classes" are compared by the regions of the pictures,
    "groups" by the points. What differs is marked in both: hatched, or ringed.
    """
    panes = (left, right)
    mark = _marking(panes, data, gives)

    def view(pane: Pane) -> View:
        def draw(now: int) -> Figure:
            figure, marked = pane.figure(now), mark(now)
            return figure | {"data": [*figure["data"], *([marked[0]] if marked else [])]}

        alike = left.last == right.last and not right.begins
        track = pane.scene.views[0].track if alike else None
        return View(pane.title, draw, track=track)

    def caption(now: int) -> str:
        marked = mark(now)
        words = [pane.caption(now, 1 if marked else 2) for pane in panes]
        return "\n".join([marked[1], *words] if marked else words)

    note = " ".join(f"{pane.title}: {pane.scene.note}" for pane in panes if pane.scene.note)
    return Scene([view(left), view(right)], caption, note, equal=True)


def _marking(panes: Sequence[Pane], data: Plane, gives: str) -> Callable[[int], Mark | None]:
    """Choose how two runs are compared: by their regions, by their groups of points, or not."""
    first = [pane.figure(0) for pane in panes]
    if gives == "classes" and all(_filled(figure) is not None for figure in first):
        compare = _by_regions
    elif gives == "groups" and all(_grouped(figure, data) is not None for figure in first):
        compare = _by_groups
    else:
        return lambda _: None
    made: dict[int, Mark] = {}

    def mark(now: int) -> Mark:
        if now not in made:
            made.clear()  # both pictures and the caption of one step ask for it
            made[now] = compare([pane.figure(now) for pane in panes], data)
        return made[now]

    return mark


def _by_regions(figures: Sequence[Figure], data: Plane) -> Mark:
    grids = [grid for figure in figures if (grid := _filled(figure)) is not None]
    size = max(len(grid) for grid in grids)
    left, right = (_enlarged(grid, size) for grid in grids)
    part = left != right
    share = number(100 * float(part.mean()))
    words = f"Hatched: where they predict different classes, {share} % of the picture."
    return hatched(part, data.bounds), words if part.any() else "They predict the same everywhere."


def _enlarged(grid: ndarray, size: int) -> ndarray:
    """Give a square grid of so many rows, each of the nearest one of the grid's."""
    rows = np.arange(size) * len(grid) // size
    return grid[rows][:, rows]


def _by_groups(figures: Sequence[Figure], data: Plane) -> Mark:
    left, right = (_grouped(figure, data) for figure in figures)
    assert left is not None and right is not None
    part = disagree(left, right)
    words = (
        f"Ringed: the {part.sum()} of {len(part)} points that they group differently."
        if part.any()
        else "They put the same points together."
    )
    return plane.rings(data.X[part]), words


def _filled(figure: Figure) -> ndarray | None:
    """Find the classes that a picture fills the plane with."""
    grids = (plane.classes_shown(trace) for trace in figure["data"])
    return next((grid for grid in grids if grid is not None), None)


def _grouped(figure: Figure, data: Plane) -> ndarray | None:
    """Find the group that each of the data's points is drawn in."""
    if (points := figure.get("points")) is None:
        return None
    packed = points["group"]
    group = np.frombuffer(b64decode(packed["bdata"]), packed["dtype"]).astype(int)
    if len(group) != len(data.X):
        return None
    return np.array(points["symbols"])[group] if "symbols" in points else group
