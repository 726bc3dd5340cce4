"""The messages between Python and the browser about the stage, all of them JSON.

`python -m tests.stage.write_protocol` writes the same types as JSDoc into `protocol.js`. Every test
that opens a lab checks what Python sends against these types.
"""

from typing import Any, Literal, NotRequired, TypedDict

from algorithms.data.presets import MAX_ROWS
from viz.core.drawing import Shape
from viz.core.scene import Along
from viz.core.theme import Ink

MOST_POINTS = MAX_ROWS  # on the board
MOST_WANTED = 60  # frames that may be asked for at once
MOST_DRAWINGS = 2000  # of a room

Grip = Literal["number", "query", "line"]


class Packed(TypedDict):
    """Plotly's typed array.

    With `gaps` it holds the differences of ascending numbers; after 255 the difference goes on.
    """

    dtype: Literal["f8", "f4", "i4", "u1"]
    bdata: str  # base64
    gaps: NotRequired[bool]


class Points(TypedDict):
    """The data points of a view, as viz.core.plane.points makes them."""

    x: Packed
    y: Packed
    group: Packed  # picks fill and symbol
    wrong: Packed  # 1: misclassified, drawn with a thick outline
    size: NotRequired[Packed]  # of the usual diameter, in 32nds
    strength: NotRequired[Packed]  # opacity, of 255
    held: NotRequired[Packed]  # 1: held out, drawn with a pale dot in the middle
    fills: NotRequired[list[str]]  # colours by group, where they are not the palette's
    symbols: NotRequired[list[int]]  # by group
    names: NotRequired[list[str]]  # in the table of the view
    slices: NotRequired[Packed]  # (points * groups) shares of 255: those of mixed points are pies


class Marks(TypedDict):
    """Outlines over some of the figure's points that show their state."""

    kind: Packed  # for each point a place in the next two
    symbols: list[int]
    sizes: list[int]  # pixels, 0: no mark
    width: float


class Edges(TypedDict):
    """Straight connections, in ink, below the points."""

    places: Packed  # (m * 4): x0, y0, x1, y1
    width: Packed  # pixels
    arrow: bool


class Signs(TypedDict):
    """What the marks mean that the stage draws; the legend shows them beside the traces' names."""

    points: NotRequired[str]
    wrong: NotRequired[str]
    size: NotRequired[str]
    strength: NotRequired[str]
    edges: NotRequired[str]
    marks: NotRequired[list[str]]  # one for every kind


class Told(TypedDict):
    """Numbers for the table of a view that its picture shows without writing them."""

    title: str
    of: str  # what a row is
    names: list[str]  # of the rows
    columns: list[str]
    values: Packed  # (rows * columns)


class Figure(TypedDict):
    """What Plotly draws, and what the stage draws between its regions and its lines."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]
    points: NotRequired[Points]
    marks: NotRequired[Marks]
    edges: NotRequired[Edges]
    told: NotRequired[Told]
    signs: NotRequired[Signs]


class Track(TypedDict):
    """Handles whose places depend on the step; dragging one goes to the step with that place."""

    label: str
    along: Along  # the directions in which the pointer counts
    handles: int
    places: Packed  # (steps * handles * 2)


class Layer(TypedDict):
    """Marks that are switched on and off together; see layers.js."""

    name: str
    marks: list[str]  # their names in the legend
    on: bool  # as the lab opens


class View(TypedDict):
    """One panel. `first` is its figure at step 0; frames hold the differences from it."""

    title: str
    height: float
    first: Figure
    track: Track | None
    board: bool  # its points, if any, are the board's: the picture can be painted on
    large: bool  # it opens in the big place, and the picture in the small one
    # It shows what later steps do; see secret.js.
    ahead: NotRequired[Literal["hidden", "to a question", "by step", "at the start"]]
    at: NotRequired[list[float]]  # where its curves are at every step, if not at its number
    layers: NotRequired[list[Layer]]


class Option(TypedDict):
    """An answer."""

    text: str
    place: NotRequired[list[float]]  # the number of a view, and x and y on its axes


class Question(TypedDict):
    """What will the next step do?"""

    text: str
    options: list[Option]
    right: int  # an option's index
    reason: str  # for afterwards
    place: NotRequired[list[float]]  # what is asked about


class Patch(TypedDict):
    """The differences from a view's first figure; those of traces by the trace's index."""

    data: NotRequired[dict[str, dict[str, Any]]]
    layout: NotRequired[dict[str, Any]]
    points: NotRequired[dict[str, Any]]
    marks: NotRequired[dict[str, Any]]
    edges: NotRequired[dict[str, Any]]
    told: NotRequired[dict[str, Any]]
    signs: NotRequired[dict[str, Any]]


class Frame(TypedDict):
    """One step."""

    caption: str
    answer: NotRequired[str]  # the end of the caption; see secret.js
    views: list[Patch]
    question: NotRequired[Question]


class Drawing(TypedDict):
    """What a class can draw on the picture; see viz.core.drawing."""

    task: str
    shape: Shape
    names: list[str]  # of the places
    start: list[list[float]]  # places, in data
    measure: str  # what the cost is
    classes: bool  # the points are shown with their classes
    runs: str  # what the button says that runs the lab on the drawings; "": there is none


class Opening(TypedDict):
    """The answer to a move: how long the run is, where its events are, and a few frames."""

    total: int  # steps
    equal: bool  # the second view is as large as the picture
    unit: str  # what a step is called, "round"
    first: int  # the number of step 0
    names: list[str]  # of the events
    steps: Packed  # the step of each event, ascending
    kinds: Packed  # its place in `names`
    views: list[View]
    drawing: Drawing | None
    frames: dict[str, Frame]  # by step number
    numbers: NotRequired[list[int]]  # of the steps in the whole run, where this is not all of it


class Handles(TypedDict):
    """Places that the user drags; they are a parameter of the lab."""

    name: str  # the parameter's
    label: str
    look: Grip  # a disc with its number, a cross hair, or a bar
    view: int
    along: Along
    places: list[list[float]]
    fixed: NotRequired[bool]  # they are only looked at
    at: NotRequired[int]  # the only step at which they are there


class Choice(TypedDict):
    """A button in a view that sets a parameter of the lab."""

    name: str  # the parameter's
    value: str
    text: str  # "": it lies unseen over a part of the picture, of this `size`
    label: str  # for screen readers
    view: int
    place: list[float]  # of its middle, in data
    size: NotRequired[list[float]]  # across and up, in data
    at: NotRequired[int]  # the only step at which it is there


class Done(TypedDict):
    """How many edits of which browser page were carried out."""

    page: str
    number: int


class Paint(TypedDict):
    """The state of the board, which can be painted on."""

    labels: Packed  # each point's class
    classes: list[str] | None  # their names; None where points have no class
    revision: int  # edits of another revision are void
    done: Done
    undo: bool
    redo: bool


class Colors(TypedDict):
    """Colours, symbols and Plotly's templates, "light" and "dark"."""

    templates: dict[str, Any]
    palette: list[str]
    inks: dict[Literal["light", "dark"], Ink]
    symbols: list[int]
    rim: float  # the share of a point's colour in its outline


class Look(TypedDict):
    """Step, zoom, presenter mode and layers of a link."""

    at: int  # the step
    zoom: tuple[float, float, float, float] | None  # left, right, bottom, top: shares of the whole
    present: bool  # presenter mode
    layers: list[str]  # that were switched on or off


class Goal(TypedDict):
    """What the situation under way asks the visitor to bring about."""

    name: str  # no other goal has it
    text: str
    hint: str
    reached: bool  # by the run that is shown


class Lesson(TypedDict):
    """The situation under way, in its week or in a lecture."""

    question: str
    todo: str  # what to do to answer it
    answer: str  # "" if there is none
    hides_end: bool  # the player does not show the number of steps until the answer is open
    place: str  # "Week 6: 3 of 11"
    previous: str  # lab and title of the situation before; "" at the start
    next: str  # "" at the end
    goal: Goal | None


class Stage(TypedDict):
    """The data of the stage at a rerun."""

    place: str  # the lab and its mode: each has a step to come back to
    scene: str  # the scene's key, under which frames are requested
    run: str  # the run's key: as long as it is the same, the shown step stays
    opening: str  # an Opening as JSON
    error: str | None
    bounds: str  # changes when the plane does: zooming ends; "" where there is no board
    session: str  # the session that answers: another one if the first was lost
    links: int  # links opened so far
    look: Look  # that of the last link
    heard: int  # messages about dragged handles and sliders: every one gets an answer
    put: int  # the number of the last move of a handle that was heard
    reason: str  # what changed since the run before
    origin: str  # that links get instead of the page's own; "" where others reach that
    lab: str  # its title; "" in an exported run, whose page has a heading
    lesson: Lesson | None
    rooms: bool  # phones can join a room: there is a server
    quiz: list[int]  # steps at whose questions a quiz stops, ascending; empty without a quiz
    forks: bool  # a step of the run can be changed
    fork: int  # the changed step; 0: none
    grows: bool  # answers of the user make the run longer: a new one is shown at its end
    carries: bool  # a dragged point is moved from the changed step on, and not in the data
    opens: int  # the step to show where nothing was shown before, and no link asks for a step
    legend: list[str] | None  # names of the groups of the picture's points, if they are classes
    handles: list[Handles]
    choices: list[Choice]
    paint: Paint | None  # None: the lab has no board
    theme: Colors


class Frames(TypedDict):
    """The answer to a request for frames."""

    scene: str
    asked: int  # the number of the request
    frames: str | None  # {step: Frame} as JSON


class Wanted(TypedDict):
    """The browser asks for frames."""

    scene: str
    steps: list[int]  # MOST_WANTED at most
    at: int  # the step that is shown
    number: int  # of the request


class Drawings(TypedDict):
    """The browser asks what the drawings of a room cost, and for the best one."""

    scene: str
    places: list[list[list[float]]]  # of each drawing, MOST_DRAWINGS at most
    counts: list[int]  # phones that gave this drawing
    number: int  # of the request, from 1


class Judged(TypedDict):
    """The answer: the costs of the drawings, and the best one."""

    scene: str
    asked: int  # the number of the request; 0: there was none
    costs: list[float | None]  # None: this is no drawing
    best: list[list[float]]  # places
    least: float | None  # its cost
    link: dict[str, str]  # the parameters with which the lab runs on the drawings, if it can


class Edit(TypedDict):
    """A stroke, an undo or a redo; see pages/_shared/data/edits.py."""

    op: Literal["add", "move", "erase", "relabel", "undo", "redo"]
    points: NotRequired[list[list[float]]]  # to add
    label: NotRequired[int]  # of them, or of those that are relabelled
    indices: NotRequired[list[int]]  # of those that are erased or relabelled
    index: NotRequired[int]  # of the one that is moved
    to: NotRequired[list[float]]
    number: NotRequired[int]  # of the edit
    revision: NotRequired[int]  # of the board that was painted on


class Edits(TypedDict):
    """The browser has painted. It repeats edits until it sees them done."""

    page: str
    edits: list[Edit]


class Moved(TypedDict):
    """A handle is being dragged, or has been let go."""

    name: str
    places: list[list[float]]
    moving: bool
    number: int  # counts the moves of all handles


class Chosen(TypedDict):
    """A button in a view was pressed."""

    name: str  # of the parameter
    value: str
    number: int  # of the message, since the same value may be chosen again


class Fork(TypedDict):
    """The browser asks to change the next step, or to go back to the original run."""

    step: int  # that is shown
    number: int  # of the request, since the same step may be requested again


class Carried(TypedDict):
    """A point was dragged: it is moved from the changed step on."""

    index: int
    to: list[float]
    number: int  # of the message, since the same message may be sent again


class Live(TypedDict):
    """A slider is being dragged; the widget itself only reports when it is let go."""

    key: str  # of the widget
    value: str
    before: str  # what it was before


class Messages(TypedDict):
    """The messages of the stage to Python, by name."""

    edits: Edits
    places: Moved
    chosen: Chosen
    live: Live
    fork: Fork
    carried: Carried
