"""What a mode of a lab shows, in records that all labs share: Run, Plane, View and Scene."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from numpy import ndarray

from viz.core.found import Found
from viz.core.question import Ask, no_question

T = TypeVar("T")

Along = Literal["xy", "x", "y"]  # the directions in which a pointer counts
Bounds = tuple[float, float, float, float]  # left, right, bottom, top
Figure = dict[str, Any]  # see viz/core/plane.py: Plotly's "data" and "layout", and the stage's own


@dataclass(frozen=True, eq=False)
class Call:
    """A function and what it was called with: enough to write it down and call it again."""

    function: Callable[..., Any]
    args: tuple
    how: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Run:
    """The steps of one call of an algorithm; all sessions share it. Step number = index.

    key : digest of the algorithm with its source, its arguments and the data.
    steps : may be lazy, as long as it has a length and an index.
    error : a sentence for the user; then there are no steps.
    call : what the steps came from; other runs may be among the arguments.
    sides : of two runs side by side: these, which have a call each.
    """

    key: str
    steps: Sequence[Any]
    error: str | None = None
    call: Call | None = None
    sides: tuple["Run", ...] = ()


@dataclass(frozen=True, eq=False)
class Plane:
    """The two columns of the data that stand on the board.

    X : (n, 2) places. labels : (n,) indices into `classes`. names : of the two axes.
    bounds : the stretch of plane that the picture shows. moved : where points were moved by hand,
    from which step of a run on they are at `X`, and the places of all points before it.
    """

    X: ndarray
    labels: ndarray
    classes: tuple[str, ...]
    names: tuple[str, str]
    bounds: Bounds
    moved: tuple[int, ndarray] | None = None

    @property
    def before(self) -> ndarray:
        """Give the places at the first steps of a run."""
        return self.moved[1] if self.moved else self.X

    def by_step(self, of: Callable[[ndarray], T]) -> Callable[[int], T]:
        """Give what the places at a step come to, worked out once for all steps alike."""
        now = of(self.X)
        if self.moved is None:
            return lambda _: now
        since, before = self.moved[0], of(self.before)
        return lambda step: before if step < since else now


@dataclass(frozen=True, eq=False)
class Track:
    """Handles that go with the steps: dragging one goes to the step with a place nearest to it.

    label : what they are, for screen readers. places : (steps, handles, 2), in the units of the
    view's axes. along : "xy", or the one direction, "x" or "y", in which the pointer counts.
    """

    label: str
    places: ndarray
    along: Along = "xy"


@dataclass(frozen=True, eq=False)
class View:
    """One panel of the stage: `draw(step number)` gives its figure, when somebody looks at it.

    All figures of a view have the same traces with the same attributes, in the same order.
    height : its share of the column beside the picture. ahead : it also shows what later steps do,
    as a curve to the end of the run does; a linked view alone can. It is hidden while a question
    waits. board : the points that it draws, if any, are those of the board, in the same order and
    at the same places. Only then can they be painted on.
    """

    title: str
    draw: Callable[[int], Figure]
    height: float = 1.0
    track: Track | None = None
    ahead: bool = False
    board: bool = True


Ghost = Callable[[int, int], Sequence[Sequence[dict[str, Any]]]]
"""Since a step, at a step: traces for the views, the picture first; there may be more views."""


@dataclass(frozen=True, eq=False)
class Scene:
    """All that is shown of a run.

    views : the picture first. caption : of a step number: a plain sentence, and on further lines
    the rule with its numbers. note : what holds for the whole run, such as the preprocessing.
    details : (title, text) of what can be opened below, such as a list of rules. ask : gives the
    question about the step after the one that is shown; where nothing is asked, silent says why.
    equal : the second view is as large as the picture. found : what Compare compares, at a step.
    ghost : the traces that show this run behind one with a changed step, see what_if.py.
    """

    views: Sequence[View]
    caption: Callable[[int], str]
    note: str = ""
    details: Sequence[tuple[str, str]] = ()
    ask: Ask = no_question
    silent: str = ""
    equal: bool = False
    found: Callable[[int], Found | None] | None = None
    ghost: Ghost | None = None
