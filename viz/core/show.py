"""A mode of a lab as one class: its views, captions, questions and comparisons together."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from viz.core.drawing import Drawing
from viz.core.found import Found
from viz.core.question import Question, asking, no_question
from viz.core.scene import Plane, Run, Scene, View

S = TypeVar("S")

AT_THE_END = sys.maxsize  # for `opens`: the last step


class Show(ABC, Generic[S]):
    """One mode's way to show a run; classes that inherit from it are final.

    Everything that is the same at all steps is computed once, in `__init__`. Every method takes the
    index of a step.

    note : a text on the whole run, such as the preprocessing. details : (title, text) that can be
    opened below the picture. equal : the second view is as large as the picture. silent : why the
    mode asks no questions. unit : what captions and the player call a step.
    counts_from : the number of step 0. opens : the step that is shown first, where the start shows
    little; of a shorter run its last one.
    """

    note: str = ""
    details: Sequence[tuple[str, str]] = ()
    equal: bool = False
    silent: str = ""
    unit: str = "step"
    names_classes: bool = True
    counts_from: int = 0
    opens: int = 0

    data: Plane  # a lab without a board has none

    def __init__(self, run: Run, data: Plane | None = None) -> None:
        """Keep the run's steps and the points on the board."""
        self.steps: Sequence[S] = run.steps
        if data is not None:
            self.data = data

    @abstractmethod
    def views(self) -> Sequence[View]:
        """Return the panels, the picture first."""

    @abstractmethod
    def caption(self, now: int) -> str:
        """Write one plain sentence about the step; on further lines, the rule with its numbers."""

    def answer(self, now: int) -> str:
        """Write what later steps or other settings come to, for the end of the caption, or ""."""
        return ""

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Return a question about step `now + 1`, which the run judges, or None.

        A mode that says why it is `silent` has none.
        """
        return None

    def found(self, now: int) -> Found | None:
        """Return the result that Compare compares; None if this mode cannot be compared."""
        return None

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict[str, Any]]]:
        """Return the traces that show this run, since a step, behind one with that step changed.

        One sequence of traces for each of the first views; the picture comes first.
        """
        return ()

    def to_draw(self) -> Drawing | None:
        """Return what a class can draw on the picture, everybody on a phone; None if nothing."""
        return None

    def scene(self) -> Scene:
        """Return the scene for the stage."""
        return Scene(
            views=tuple(self.views()),
            caption=self.caption,
            answer=self.answer,
            note=self.note,
            details=self.details,
            ask=no_question if self.silent else asking(len(self.steps), self.ask),
            silent=self.silent,
            equal=self.equal,
            unit=self.unit,
            counts_from=self.counts_from,
            opens=int(max(min(self.opens, len(self.steps) - 1), 0)),  # as the stage reads it
            found=self.found,
            ghost=self.ghost,
            to_draw=self.to_draw(),
            names_classes=self.names_classes,
        )
