"""What every lab is built from: title, data, parameters, runs, one scene on the stage, the lesson.

A lab's page is one plain function per mode, `mode(lab) -> Shown`, and a last line that opens it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import streamlit as st

from algorithms.core.validate import TooManyClasses
from algorithms.data.presets import Dataset
from pages._shared import lesson
from pages._shared.data import panel
from pages._shared.labs import read_lab
from pages._shared.session import parameters
from pages._shared.session.cache import Later, digest, once
from pages._shared.session.parameters import Parameters, by_user
from pages._shared.session.state import board, session
from pages._shared.stage import stage
from pages._shared.stage.handles import parse_places, places_text, read_places
from pages._shared.stage.protocol import Handles
from pages._shared.text import plain
from viz.core import plane
from viz.core.preparation import scales
from viz.core.scene import Bounds, Plane, Run, Scene, View

STYLE = Path(__file__).with_name("lab.css").read_text(encoding="utf-8")
TOO_MANY = (
    "This needs exactly two classes; these data have {}. Under “Data” choose a class column with "
    "two values or another preset, or erase or relabel the points of the others."
)


@dataclass(frozen=True, eq=False)
class Shown:
    """What a mode shows: a run and its scene, the key they are known by, and the source to read."""

    key: str
    run: Run
    scene: Scene
    code: ModuleType


Mode = Callable[["Lab"], Shown]


class Lab(Parameters):
    """One lab's page while it is being built; the widgets of its parameters go into the sidebar."""

    def __init__(self, path: str, data: str | Mapping[str, str], **data_options: Any) -> None:
        """Start the page: see `open_lab`."""
        self.file = read_lab(Path(path))
        self.section = self.file.section
        parameters.begin(self.file.name)
        if (link := session().link) is not None:
            session().trial = lesson.tried(self.file, link)
        title, lead = escape(self.file.title), escape(self.file.lead)
        with st.container(key="head", horizontal=True, vertical_alignment="center"):
            st.html(
                f'<style>{STYLE}</style><div class="lab-title"><h1>{title}</h1><p>{lead}</p></div>',
                width="content",
            )
            self.tabs = st.container(key="modes", width="content")
            panel.show(self.section, _opens_on(self.file.name, data), **data_options)
        sidebar = st.sidebar.container()
        sidebar.subheader("Parameters", anchor=False)
        super().__init__(self.file.name, sidebar.container())
        sidebar.button(
            "Reset this lab", help="All parameters of this lab to their defaults; the data stay.",
            on_click=by_user(self.kept.clear),
        )  # fmt: skip
        self.handles: list[Handles] = []

    @property
    def data(self) -> Dataset:
        """The data set on the board, which all labs share."""
        return board().data

    @property
    def plane(self) -> Plane:
        """Its two columns that stand on the board. The bounds stay while points are painted."""
        data = self.data
        names = (data.columns[data.x], data.columns[data.y])
        return Plane(data.X, data.labels, data.classes, names, board().bounds)

    def places(
        self,
        name: str,
        label: str,
        default: np.ndarray,
        *,
        look: str = "number",
        within: Bounds | None = None,
        view: int = 0,
        along: str = "xy",
        before: str | None = None,
    ) -> np.ndarray:
        """Give (k, 2) places that the user drags on a view; kept in the address.

        look : "number", "query" or "line", see the stage's protocol. within : where they have to
        stay, all of the picture unless said. view, along : the number of the view they stand on,
        and the directions they can be dragged in. before : the name in links of old. Places nobody
        dragged follow their default.
        """
        parse = partial(parse_places, len(default))
        text = self.declare(name, label, places_text(default), parse, before=before)
        left, right, bottom, top = within or board().bounds
        places = np.clip(read_places(text), [left, bottom], [right, top])
        session().handles.append(name)
        self.handles.append(
            Handles(
                name=name, label=label, look=look, view=view, along=along, places=places.tolist()
            )
        )
        return places

    def run(self, algorithm: Callable[..., Iterable], *args: Any, **how: Any) -> Run:
        """Run an algorithm on the points to its end, or find that some session did so before.

        A Run among the arguments stands for its steps, a Later for its value. A ValueError of the
        algorithm is a sentence for the user: the run has no steps and carries it.
        """
        if missing := self._missing():
            return Run(digest((algorithm, args, how)), (), missing)
        return self.run_apart(algorithm, *args, **how)

    def run_apart(self, algorithm: Callable[..., Iterable], *args: Any, **how: Any) -> Run:
        """Run an algorithm that uses none of the points on the board: they may be missing."""
        key = digest((algorithm, args, how))

        def make() -> Run:
            try:
                steps = algorithm(*map(_steps, args), **{k: _steps(v) for k, v in how.items()})
                return Run(key, tuple(steps))
            except TooManyClasses as error:
                return Run(key, (), TOO_MANY.format(error.count))
            except ValueError as error:
                return Run(key, (), str(error))

        return once(key, make)

    def _missing(self) -> str | None:
        """Say what has to be drawn before there is anything to run."""
        if len(self.data.X) == 0:
            return "There are no points yet. Choose Point or Brush and draw some on the picture."
        if self.section.two_classes and len(np.unique(self.data.labels)) < 2:
            return (
                "All points are of one class. Choose another class (keys 1 to 8) and draw some "
                "points of it, relabel some, or choose a class column or a preset with classes "
                "under “Data”."
            )
        return None

    def later(self, compute: Callable[..., Any], *args: Any, **how: Any) -> Later:
        """Name what a scene needs besides its run: it is computed when the scene is made."""

        def make() -> Any:
            return compute(*map(_steps, args), **{k: _steps(v) for k, v in how.items()})

        return Later(digest((compute, args, how)), make)

    def scene(
        self, draw: Callable[..., Scene], run: Run, *args: Any, code: ModuleType, **how: Any
    ) -> Shown:
        """Show a run as `draw(run, *args, **how)` has it, unless some session made that before.

        A Later among the arguments stands for its value. A run that failed shows the points alone.
        """
        if run.error:
            # The key holds what the picture depends on: the points, and where they are.
            return Shown(digest((run, self.plane)), run, _points_alone(self.plane), code)
        key = digest((draw, run, args, how))
        scene = once(
            key, lambda: draw(run, *map(_value, args), **{k: _value(v) for k, v in how.items()})
        )
        return Shown(key, run, scene, code)

    def show(
        self,
        modes: Mode | Mapping[str, Mode],
        *,
        name: str = "view",
        label: str = "View",
        menu: bool = False,
        below: Callable[[], None] | None = None,
        before: str | None = None,
    ) -> None:
        """Show the mode that the user has chosen, then the lesson.

        modes : by their text in the address, the first is the default; or the only one; they stand
        by the title. menu : they are chosen from a menu, for there is no room for as many buttons.
        below : draws what stands between the stage and the lesson. before : the mode of links that
        name none, where the first one is younger than they are.
        """
        if isinstance(modes, Mapping):
            head = Parameters(self.scope, self.tabs)
            options, ask = list(modes), head.choice if menu else head.buttons
            if before and (link := session().link):
                link.setdefault(name, before)
            chosen = ask(name, label, options, options[0], label_visibility="collapsed")
            mode, place = modes[chosen], f"{self.file.name}, {chosen}"
        else:
            mode, place = modes, self.file.name
        lesson.show_trial(self.file)
        shown = mode(self)
        handles = self.handles if len(self.data.X) else []  # on an empty plane they mean nothing
        stage.show(place, shown.key, shown.run, shown.scene, handles,
                   labelled=self.section.labelled)  # fmt: skip
        for sentence in session().refused:
            st.warning(plain(f"The link was corrected. {sentence}."))
        st.html(f'<p class="on-paper">{escape(_parameters())}</p>')
        if note := " ".join(filter(None, [shown.scene.note, scales(self.plane)])):
            st.caption(plain(note))
        for title, text in shown.scene.details:
            with st.expander(title):
                st.code(text, language=None, wrap_lines=True)
        if below:
            below()
        lesson.show(self.file, shown.code)


def open_lab(path: str, *, data: str | Mapping[str, str], **data_options: Any) -> Lab:
    """Start a lab's page: its title and sentence, and the data panel in the sidebar.

    path : the page's `__file__`. data : the preset it opens on, or those of its modes, the first
    one for the modes that are not named; data_options : that preset's `n`, `noise`, ... if not its
    own.
    """
    return Lab(path, data, **data_options)


def _opens_on(page: str, data: str | Mapping[str, str]) -> str:
    """Give the preset a lab opens on, in the mode that was chosen or that the link names."""
    if isinstance(data, str):
        return data
    here = session()
    asked = (here.link or here.kept.get(page, {})).get("view", "")
    return data.get(asked, next(iter(data.values())))


def _parameters() -> str:
    """Say what is set, for the page on paper, which has no sliders."""
    declared = session().declared.items()
    return "; ".join(f"{each.label}: {each.value}" for name, each in declared if name != "points")


def _value(argument: Any) -> Any:
    return argument.value() if isinstance(argument, Later) else argument


def _steps(argument: Any) -> Any:
    return argument.steps if isinstance(argument, Run) else _value(argument)


def _points_alone(data: Plane) -> Scene:
    return Scene([View("The points", lambda _: plane.data_only(data))], lambda _: "")
