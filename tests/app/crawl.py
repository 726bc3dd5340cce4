"""Moves every widget of every mode of a lab to its ends and to each of its options."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from algorithms.data.presets import Dataset
from pages._shared.data import link
from pages._shared.lab.catalogue import LabFile
from pages._shared.stage.handles import places_text
from tests.app.session import Session
from tests.core.told import value
from viz.core import plane

KINDS = ("slider", "select_slider", "number_input", "selectbox", "toggle", "button_group")
DATA = ("preset", "drawn", "wide")
ROWS = 24  # of the wide table
DEGENERATE = {
    "one spot": lambda X: np.ones_like(X),
    "one point": lambda X: X[:1],
    "two points": lambda X: X[:2],
    "three points": lambda X: X[:3],
    "eight of eight": lambda X: X[:8],
    "on a line": lambda X: X[:, :1] * (1, 2),
    "level": lambda X: X * (1, 0) + 3,
    "upright": lambda X: X * (0, 1),
    "two places": lambda X: X[np.arange(20) % 2],
    "huge": lambda X: X / np.abs(X).max() * 1e12,
    "small": lambda X: X * 1e-12,
    "tiny": lambda X: X * 1e-38,
    "far away": lambda X: X * 1e-2 + 1e10,
    "unlike": lambda X: X * (1e-38, 1e10),
    "an outlier": lambda X: X * np.where(np.arange(20)[:, None] == 7, 1e10, 1),
}


class Move(NamedTuple):
    """A value for one widget."""

    kind: str
    key: str
    value: Any

    def __str__(self) -> str:
        return f"{self.key} = {self.value}"


def values(kind: str, widget: Any) -> list:
    """Return a few values for a widget: the ends, and something between, or all options."""
    match kind:
        case "slider":
            middle = widget.min + widget.step * round((widget.max - widget.min) / 2 / widget.step)
            return [widget.min, type(widget.min)(middle), widget.max]
        case "number_input":
            return [widget.min, min(widget.max, 7)]
        case "toggle" | "checkbox":
            return [True, False]
        case "select_slider":
            numbers = [value(option) for option in widget.options]
            return [numbers[0], numbers[len(numbers) // 2], numbers[-1]]
        case "button_group" if isinstance(widget.value, list):  # any number of the options
            return [list(widget.options), []]
        case _:
            return list(widget.options)


def kinds_of_data(lab: LabFile) -> tuple[str, ...]:
    """Return the kinds of data that a lab is walked through on: only its own without a board."""
    return DATA if lab.board else ("preset",)


def opened(lab: LabFile, data: str, address: Mapping[str, str]) -> Session:
    """Open a mode of a lab, as its link has it, on data of a kind."""
    session = Session()
    if data == "preset":
        return session.open(lab, **({"n": "40"} if lab.board else {}), **address)
    if data == "wide":
        session.open(lab, **address).paste(wide())
        return session
    points = drawn() if data == "drawn" else degenerate(data)
    text = link.encode(points, plane.bounds(points.X))
    assert text
    return session.open(lab, points=text, **address)


def drawn() -> Dataset:
    """Return points as somebody draws them: few, of two classes, two of them on one spot."""
    X = np.random.default_rng(3).normal(size=(14, 2)).round(2)
    X[1] = X[0]
    return Dataset("drawn", X, ("x", "y"), (X @ (1, -0.5) > 0).astype(int), ("1", "2"))


def degenerate(kind: str) -> Dataset:
    """Return points on which an algorithm may have nothing to learn."""
    X, shape = np.random.default_rng(5).normal(size=(20, 2)), DEGENERATE[kind]
    table = np.asarray(shape(X))
    labels = np.arange(len(table)) % 2
    if kind == "eight of eight":
        labels = np.arange(8)
    return Dataset(kind, table, ("x", "y"), labels, tuple("abcdefgh"[: labels.max() + 1]))


def wide() -> str:
    """Return a table of six columns, of very different scales, and two classes."""
    chance = np.random.default_rng(4)
    kinds = chance.integers(2, size=ROWS)
    columns = chance.normal(size=(ROWS, 6)) + kinds[:, None] * np.array([2, 1, 0, -1, 0, 3])
    table = columns * np.array([1, 1e-3, 1e6, 10, 1, 50]) + np.array([0, 0, 1e7, 0, -5, 0])
    rows = (",".join([*(f"{v:.5g}" for v in row), ["no", "yes"][k]])
            for row, k in zip(table, kinds, strict=True))  # fmt: skip
    return "a,b,c,d,e,f,kind\n" + "\n".join(rows)


def views(lab: LabFile) -> list[str | None]:
    """Return the names of a lab's modes; [""] if there is no choice."""
    session = Session().open(lab)
    named = [w for kind in ("button_group", "selectbox") for w in getattr(session.app, kind)]
    found = [list(w.options) for w in named if w.key == f"{lab.name}.view"]
    return found[0] if found else [None]


class Crawler:
    """One mode of a lab. Every widget is moved, also widgets that appear after a move."""

    def __init__(self, lab: LabFile, data: str, view: str | None) -> None:
        """Open it."""
        self.lab, self.session, self.moves = (
            lab,
            opened(lab, data, {"view": view} if view else {}),
            0,
        )
        self.seen = {f"{lab.name}.view"}
        if data != "preset":  # what stands beside is a lab that is walked through itself
            self.seen.add(f"{lab.name}.beside")
        self.begun = f"{lab.name}, {view}, {data}"
        self.path: list[Move] = []
        self.check()

    def widgets(self) -> Iterator[tuple[str, Any]]:
        """Return the lab's own widgets that are shown, and the kinds of them."""
        for kind in KINDS:
            for widget in getattr(self.session.app, kind):
                if widget.key and widget.key.startswith(f"{self.lab.name}."):
                    yield kind, widget

    def unseen(self) -> list[tuple[str, Any]]:
        """Return the widgets that have not been moved yet, and mark them as moved."""
        found = [(kind, w) for kind, w in self.widgets() if w.key not in self.seen]
        self.seen |= {widget.key for _, widget in found}
        return found

    def walk(self) -> None:
        """Move each widget, then the widgets that this shows, and put it back."""
        for kind, widget in self.unseen():
            before = self.session.value(name_of(widget.key))
            for chosen in values(kind, widget):
                self.path.append(Move(kind, widget.key, chosen))
                self.do(self.path[-1])
                self.walk()
                self.path.pop()
            self.do(Move(kind, widget.key, before))
        self.drag()

    def stroll(self, chance: random.Random, moves: int) -> None:
        """Move random widgets one after the other, without putting them back."""
        for _ in range(moves):
            shown = [(kind, w) for kind, w in self.widgets() if w.key != f"{self.lab.name}.view"]
            if not shown:
                return
            kind, widget = chance.choice(shown)
            self.path.append(Move(kind, widget.key, chance.choice(values(kind, widget))))
            self.do(self.path[-1])

    def drag(self) -> None:
        """Drag all places that can be dragged into the corners of the picture."""
        here = self.session.state
        left, right, bottom, top = self.session.board.bounds
        for sent in self.session.stage["handles"]:
            name, count = sent["name"], len(sent["places"])
            key = f"{self.lab.name}.{name}"
            if key in self.seen:
                continue
            self.seen.add(key)
            for corner in ((left, bottom), (right, top)):
                here.kept[self.lab.name][name] = places_text([corner] * count)
                self.moves += 1
                self.path.append(Move("places", key, corner))
                self.session.run()
                self.check()
                self.path.pop()
            del here.kept[self.lab.name][name]
            self.session.run()

    def do(self, move: Move) -> None:
        """Move one widget as a visitor would, unless it has disappeared."""
        if all(widget.key != move.key for _, widget in self.widgets()):
            return
        self.moves += 1
        widget = getattr(self.session.app, move.kind)(key=move.key)
        try:
            widget.set_value(move.value)
            self.session.run()
        except AssertionError as error:
            raise AssertionError(f"{self}: {error}") from error
        self.check()

    def check(self) -> None:
        """Check that the page has its answer: no red box, a stage, finite captions."""
        try:
            assert self.session.stage["opening"]["total"] >= 1
            assert self.session.state.refused == []
            assert self.session.errors == []
        except (AssertionError, ValueError, KeyError) as error:
            raise AssertionError(f"{self}: {error!r}") from error

    def __str__(self) -> str:
        return f"{self.begun}: {', '.join(map(str, self.path))}"


def name_of(key: str) -> str:
    """Return the parameter that a widget stands for."""
    return key.partition(".")[2]
