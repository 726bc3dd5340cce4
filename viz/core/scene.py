"""The records by which a mode shows a run, shared by all labs: Run, Plane, View and Scene."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from numpy import ndarray

from viz.core.drawing import Drawing
from viz.core.found import Found
from viz.core.question import Ask, no_question

T = TypeVar("T")

Along = Literal["xy", "x", "y"]  # the directions in which a pointer counts
Bounds = tuple[float, float, float, float]  # left, right, bottom, top
Figure = dict[str, Any]  # see viz/core/plane.py: Plotly's "data" and "layout", and the stage's own
ANSWER = "answer"  # "meta" of a trace that tells what is asked for: hidden until the answer opens
DENSE = "dense"  # "meta" of a line that fills its view: it may flash as a region does; see run.js


@dataclass(frozen=True, eq=False)
class Call:
    """A function and its arguments: enough to write the call as code and to repeat it."""

    function: Callable[..., Any]
    args: tuple
    how: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Run:
    """The steps of one call of an algorithm, shared by all sessions.

    key : digest of the algorithm with its source, its arguments and the data.
    steps : any sequence with a length and an index, also a lazy one.
    error : a sentence for the user; then there are no steps.
    call : the call that made the steps; other runs may be among its arguments.
    sides : for two runs side by side, these two runs.
    """

    key: str
    steps: Sequence[Any]
    error: str | None = None
    call: Call | None = None
    sides: tuple["Run", ...] = ()


@dataclass(frozen=True, eq=False)
class Plane:
    """The two columns of the data on the axes of the board.

    X : (n, 2) places. labels : (n,) indices into `classes`. names : the names of the axes.
    bounds : the part of the plane that the picture shows. moved : if points were moved by hand, the
    step from which they are at `X`, and the places of all points before it.
    """

    X: ndarray
    labels: ndarray
    classes: tuple[str, ...]
    names: tuple[str, str]
    bounds: Bounds
    moved: tuple[int, ndarray] | None = None

    @property
    def before(self) -> ndarray:
        """Return the places before any point was moved by hand."""
        return self.moved[1] if self.moved else self.X

    def by_step(self, of: Callable[[ndarray], T]) -> Callable[[int], T]:
        """Return a function of the step that gives `of` the places at that step, computed once."""
        now = of(self.X)
        if self.moved is None:
            return lambda _: now
        since, before = self.moved[0], of(self.before)
        return lambda step: before if step < since else now


@dataclass(frozen=True, eq=False)
class Track:
    """Handles whose place depends on the step; dragging one goes to the step with that place.

    label : their name, for screen readers. places : (steps, handles, 2), in the units of the view's
    axes. along : "xy", or the one direction, "x" or "y", in which the pointer counts.
    """

    label: str
    places: ndarray
    along: Along = "xy"


@dataclass(frozen=True)
class Layer:
    """Marks of a view that are switched on and off together, in the legend.

    name : on the switch and in links, of a few words without a comma. marks : what they are called
    in the legend: the names of traces, and texts of `signs`. on : whether they are seen as the lab
    opens.
    """

    name: str
    marks: tuple[str, ...]
    on: bool = False


@dataclass(frozen=True, eq=False)
class View:
    """One panel of the stage: `draw(step)` returns its figure when somebody looks at it.

    All figures of a view have the same traces with the same attributes, in the same order.
    height : its share of the column next to the picture. ahead : it also shows later steps, and is
    hidden while a question waits, or while the answer of a situation is closed. "to a question":
    only while a question waits, because situations have the reader work with it. "by step": its
    curves are over the steps, as the scene counts them; they end at the shown one instead. "at the
    start": only at the first step, and while a question waits. Only linked views can be ahead.
    at : where its curves are at every step, if that is not the step's number.
    board : its points, if any, are those of the board, in the same order and places, so that they
    can be painted on. layers : its marks that can be switched on and off. large : a linked view
    that opens in the place of the picture, and the picture beside it.
    """

    title: str
    draw: Callable[[int], Figure]
    height: float = 1.0
    track: Track | None = None
    ahead: bool | Literal["to a question", "by step", "at the start"] = False
    at: Sequence[float] = ()
    board: bool = True
    layers: Sequence[Layer] = ()
    large: bool = False


Ghost = Callable[[int, int], Sequence[Sequence[dict[str, Any]]]]
"""Given the changed step and the shown one: traces for the first views, the picture first."""


def no_answer(_: int) -> str:
    """Tell nothing, where nothing has to be kept back."""
    return ""


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that is shown of a run.

    views : the picture first. caption : given a step, a plain sentence and, on further lines, the
    rule with its numbers. answer : given a step, the end of the caption, which tells what later
    steps or other settings come to; the stage keeps it back while an answer is awaited. note : a
    text on the whole run, such as the preprocessing. details : (title, text) that can be opened
    below, such as a list of rules. ask : given the shown step, a question about the next one;
    silent : why there are no questions. equal : the second view is as large as the picture.
    found : given a step, the result that Compare compares. ghost : the traces that show this run
    behind one with a changed step, see what_if.py. to_draw : what a class can draw on the picture.
    unit : what a step is called. counts_from : the number of step 0. opens : the step that is shown
    first, unless a link asks for another. names_classes : whether the picture names the classes of
    its points; where they only give the colours, it says so itself.
    """

    views: Sequence[View]
    caption: Callable[[int], str]
    note: str = ""
    details: Sequence[tuple[str, str]] = ()
    ask: Ask = no_question
    silent: str = ""
    answer: Callable[[int], str] = no_answer
    equal: bool = False
    unit: str = "step"
    counts_from: int = 0
    opens: int = 0
    found: Callable[[int], Found | None] | None = None
    ghost: Ghost | None = None
    to_draw: Drawing | None = None
    names_classes: bool = True
