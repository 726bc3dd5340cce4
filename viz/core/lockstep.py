"""Two runs on the same points, side by side under one player, with where they disagree marked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from viz.core.differences import Mark, differences
from viz.core.found import Found
from viz.core.scene import Figure, Plane, Run, Scene, View


@dataclass(frozen=True, eq=False)
class Pane:
    """One side: its title, its run and its scene. Of the scene only the picture is shown."""

    title: str
    run: Run
    scene: Scene

    @property
    def last(self) -> int:
        """Return its last step, at which it waits for the other side."""
        return max(0, len(self.run.steps) - 1)

    def own(self, now: int) -> int:
        """Return the index of this side's step at a step of both."""
        return min(now, self.last)

    def figure(self, now: int) -> Figure:
        """Draw the picture."""
        return self.scene.views[0].draw(self.own(now))

    def found(self, now: int) -> Found | None:
        """Return the result that Compare compares."""
        return self.scene.found(self.own(now)) if self.scene.found else None

    def caption(self, now: int, lines: int) -> str:
        """Return the first lines of the caption of a step."""
        words = self.scene.caption(self.own(now)).split("\n")[:lines]
        waits = " (at its end)" if now > self.last else ""
        return f"{self.title}{waits}: {' '.join(words)}"


@dataclass(frozen=True, eq=False)
class Both:
    """A step of both runs."""

    steps: tuple[Any, Any]
    event: str | None


def both_runs(panes: Sequence[Pane]) -> Run:
    """Return two runs as one, step by step; the shorter one waits at its end."""
    if error := next((pane.run.error for pane in panes if pane.run.error), None):
        return Run(" | ".join(pane.run.key for pane in panes), (), error)
    steps = []
    for now in range(1 + max(pane.last for pane in panes)):
        left, right = (pane.run.steps[pane.own(now)] for pane in panes)
        events = [
            f"{pane.title}: {step.event}"
            for pane, step in zip(panes, (left, right), strict=True)
            if step.event and now <= pane.last
        ]
        steps.append(Both((left, right), "; ".join(events) or None))
    key, sides = " | ".join(pane.run.key for pane in panes), tuple(pane.run for pane in panes)
    return Run(key, tuple(steps), sides=sides)


def side_by_side(left: Pane, right: Pane, data: Plane) -> Scene:
    """Return a scene with the pictures and captions of two runs at the same step.

    If both results are of one kind (see found.py), their differences are hatched, ringed or filled
    in both pictures. All layers start off, so that the differences are seen.
    """
    panes = (left, right)
    mark = _marking(panes, data)

    def view(pane: Pane) -> View:
        def draw(now: int) -> Figure:
            figure, marked = pane.figure(now), mark(now)
            return figure | {"data": [*figure["data"], *(marked[0] if marked else [])]}

        picture = pane.scene.views[0]
        track = picture.track if left.last == right.last else None
        layers = [replace(layer, on=False) for layer in picture.layers]
        return View(pane.title, draw, track=track, board=picture.board, layers=layers)

    def caption(now: int) -> str:
        marked = mark(now)
        words = [pane.caption(now, 1 if marked else 2) for pane in panes]
        return "\n".join([marked[1], *words] if marked else words)

    note = " ".join(f"{pane.title}: {pane.scene.note}" for pane in panes if pane.scene.note)
    counts = {(pane.scene.unit, pane.scene.counts_from) for pane in panes}
    unit, counts_from = counts.pop() if len(counts) == 1 else ("step", 0)
    return Scene(
        [view(left), view(right)], caption, note, equal=True, unit=unit, counts_from=counts_from
    )


def _marking(panes: Sequence[Pane], data: Plane) -> Callable[[int], Mark | None]:
    """Return a function that marks the differences of two runs at a step, if there are any."""
    made: dict[int, Mark | None] = {}

    def mark(now: int) -> Mark | None:
        if now not in made:
            made.clear()  # both pictures and the caption of a step use the same marks
            left, right = (pane.found(now) for pane in panes)
            made[now] = differences(left, right, data)
        return made[now]

    return mark
