"""The tools that a mode is given: the data, parameters and handles, runs, one scene.

A mode is one plain function, `mode(lab) -> Shown`; page.py shows it.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from algorithms.core.validate import OneClass, TooManyClasses
from algorithms.core.work import TooMuchWork, limited, pausing
from algorithms.data.presets import Dataset
from pages._shared.data.session_data import board
from pages._shared.lab.catalogue import LabFile
from pages._shared.session.cache import Later, digest, once
from pages._shared.session.parameters import Parameters
from pages._shared.session.state import session
from pages._shared.stage.handles import parse_places, places_text, read_places
from pages._shared.stage.protocol import Choice, Grip, Handles
from pages._shared.stage.shown import Shown
from viz.core import plane
from viz.core.scene import Along, Call, Plane, Run, Scene, View
from viz.core.show import Show

MOST_WORK = 1e11  # operations of a run: ten to twenty seconds
TOO_MUCH = (
    "This run was stopped after 100,000,000,000 operations, which take ten to twenty seconds. "
    "Choose fewer points or classes, a smaller C or a narrower kernel."
)
ONE_CLASS = (
    "All points are of one class. Choose another class (keys 1 to 8) and draw some points of it, "
    "or relabel some points. Or choose a class column or a preset with classes under “Data”."
)
TOO_MANY = (
    "This needs exactly two classes; these data have {}. Under “Data”, choose a class column with "
    "two values or another preset, or erase or relabel the points of the other classes."
)


Mode = Callable[["Lab"], Shown]
Limit = float | np.ndarray  # of all places, or (k,) of each


class Lab(Parameters):
    """A lab as its modes see it: the data, parameters and handles, runs, the scene."""

    def __init__(self, file: LabFile, scope: str, place: DeltaGenerator, prefix: str = "") -> None:
        """Start without handles. For the arguments see Parameters."""
        super().__init__(scope, place, prefix)
        self.first = place.container()  # for widgets above all others, if there are any
        self.file, self.section = file, file.section
        self.labelled = file.section.labelled  # a mode may use the classes where others do not
        self.handles: list[Handles] = []
        self.choices: list[Choice] = []
        self.on_points = False  # whether an algorithm ran on the board's points

    @property
    def data(self) -> Dataset:
        """Return the data set on the board, which all labs share."""
        return board().data

    @property
    def plane(self) -> Plane:
        """Return the two columns on the axes. The bounds do not change while points are painted."""
        data = self.data
        names = (data.columns[data.x], data.columns[data.y])
        return Plane(data.X, data.labels, data.classes, names, board().bounds)

    def places(
        self,
        name: str,
        label: str,
        default: np.ndarray,
        *,
        look: Grip = "number",
        within: tuple[Limit, Limit, Limit, Limit] | None = None,
        view: int = 0,
        along: Along = "xy",
        before: str | None = None,
        at: int | None = None,
    ) -> np.ndarray:
        """Return (k, 2) places that the user drags on a view; kept in the address.

        look : "number", "query" or "line", see the stage's protocol. within : left, right, bottom
        and top, where they have to stay; by default the board's bounds, and required in a lab
        without a board. view, along : the index of their view, and the directions in which they can
        be dragged. before : the name in old links. at : the only step at which they are shown.
        Places that nobody has dragged follow their default.
        """
        if within is None and not self.file.board:
            raise TypeError(f"places {name!r} need `within`: the lab has no board")
        parse = partial(parse_places, len(default))
        text = self.declare(name, label, places_text(default), parse, before=before)
        left, right, bottom, top = np.broadcast_arrays(*(within or board().bounds))
        low, high = np.stack([left, bottom], axis=-1), np.stack([right, top], axis=-1)
        places = np.clip(read_places(text), low, high)
        session().handles[self.prefix + name] = (self.scope, name)
        handles = Handles(
            name=self.prefix + name,
            label=label,
            look=look,
            view=view,
            along=along,
            places=places.tolist(),
        )
        self.handles.append(handles if at is None else {**handles, "at": at})
        return places

    def handle(self, name: str, label: str, place: np.ndarray, *, along: Along, at: int) -> None:
        """Show a handle that is no parameter of its own; `put_at` says where it has been put.

        label : what it is, for screen readers. place : (2,), on the first view. along : the
        directions in which it can be dragged. at : the only step at which it is shown.
        """
        name_here = self.prefix + name
        session().handles[name_here] = (self.scope, name)
        self.handles.append(
            Handles(
                name=name_here, label=label, look="line", view=0, along=along,
                places=[place.tolist()], at=at,
            )
        )  # fmt: skip

    def put_at(self, name: str) -> np.ndarray | None:
        """Return the (2,) place where a `handle` has been put since it was shown, if it was."""
        text = str(self.kept.pop(name, ""))
        try:
            return read_places(parse_places(1, text))[0]
        except ValueError:
            return None

    def choose_at(
        self, name: str, value: str, label: str, place: np.ndarray, *, text: str = "",
        size: np.ndarray | None = None, at: int | None = None,
    ) -> None:  # fmt: skip
        """Show a button in the picture that gives a parameter a value.

        name : of a parameter that has been asked for. label : what it does, for screen readers.
        place, text : its middle, and what stands on it. size : without text, across and up, of the
        part of the picture that it lies over. at : the only step at which it is shown.
        """
        session().choices[self.prefix + name] = (self.scope, name)
        choice = Choice(
            name=self.prefix + name, value=value, text=text, label=label, view=0,
            place=place.tolist(),
        )  # fmt: skip
        if size is not None:
            choice["size"] = size.tolist()
        if at is not None:
            choice["at"] = at
        self.choices.append(choice)

    def run(self, algorithm: Callable[..., Iterable], *args: Any, **how: Any) -> Run:
        """Run an algorithm on the points to its end, or return the run that some session has made.

        A Run among the arguments stands for its steps, a Later for its value. If the algorithm
        raises ValueError, the run has no steps, and the message as its error for the user.
        """
        self.on_points = True
        if missing := self._missing():
            return Run(digest((algorithm, args, how)), (), missing)
        return self.run_apart(algorithm, *args, **how)

    def run_apart(self, algorithm: Callable[..., Iterable], *args: Any, **how: Any) -> Run:
        """Run an algorithm that does not use the board's points; the board may be empty."""
        key = digest((algorithm, args, how))
        call = _noted(algorithm, args, how)

        def make() -> Run:
            try:
                steps = algorithm(*map(_steps, args), **{k: _steps(v) for k, v in how.items()})
                with limited(MOST_WORK):
                    return Run(key, tuple(pausing(steps)), call=call)
            except TooMuchWork:
                return Run(key, (), TOO_MUCH)
            except OneClass:
                return Run(key, (), ONE_CLASS)
            except TooManyClasses as error:
                return Run(key, (), TOO_MANY.format(error.count))
            except ValueError as error:
                return Run(key, (), str(error))

        return once(key, make)

    def _missing(self) -> str | None:
        """Write which points have to be drawn before the algorithm can run; None if it can."""
        if len(self.data.X) == 0:
            return "There are no points yet. Choose Point or Brush and draw some on the picture."
        if self.section.two_classes and len(np.unique(self.data.labels)) < 2:
            return ONE_CLASS
        return None

    def later(self, compute: Callable[..., Any], *args: Any, **how: Any) -> Later:
        """Return a result that a scene needs besides its run, computed when the scene is made."""

        def make() -> Any:
            return compute(*map(_steps, args), **{k: _steps(v) for k, v in how.items()})

        return Later(digest((compute, args, how)), make, _noted(compute, args, how))

    def scene(
        self, draw: Callable[..., Scene | Show], run: Run, *args: Any, code: ModuleType, **how: Any
    ) -> Shown:
        """Show a run by the mode `draw(run, *args, **how)`, made once for all sessions.

        A Later among the arguments stands for its value. A run that failed shows `without_run`.
        """
        if run.error:
            # The key holds what the picture depends on: the points, and where they are.
            known = digest((run, self.plane if self.file.board else None))
            return Shown(known, run, self.without_run(), code)
        key = digest((draw, run, args, how))

        def make() -> Scene:
            shown = draw(run, *map(_value, args), **{k: _value(v) for k, v in how.items()})
            return shown.scene() if isinstance(shown, Show) else shown

        return Shown(key, run, once(key, make), code)

    def without_run(self) -> Scene:
        """Return the scene that is shown without a run: the points, or nothing without a board."""
        if not self.file.board:
            return Scene([View("No picture", lambda _: plane.nothing())], lambda _: "")
        data = self.plane
        return Scene([View("The points", lambda _: plane.data_only(data))], lambda _: "")


def _noted(function: Callable[..., Any], args: tuple, how: dict[str, Any]) -> Call:
    """Return a call with copies of its random generators, whose state the call will change."""

    def as_now(argument: Any) -> Any:
        return deepcopy(argument) if isinstance(argument, np.random.Generator) else argument

    return Call(function, tuple(map(as_now, args)), {k: as_now(v) for k, v in how.items()})


def _value(argument: Any) -> Any:
    if isinstance(argument, partial):
        given = {name: _value(each) for name, each in argument.keywords.items()}
        return partial(argument.func, *map(_value, argument.args), **given)
    return argument.value() if isinstance(argument, Later) else argument


def _steps(argument: Any) -> Any:
    return argument.steps if isinstance(argument, Run) else _value(argument)
