"""What every lab is built from: title, data, parameters, runs, one scene on the stage, the lesson.

A lab's page is one plain function per mode, `mode(lab) -> Shown`, and a last line that opens it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from algorithms.core.validate import TooManyClasses
from algorithms.core.work import TooMuchWork, limited, spend
from algorithms.data.presets import Dataset
from pages._shared import compare, hiding, lesson, share
from pages._shared.data import panel
from pages._shared.exports import menu as menu_of_exports
from pages._shared.exports.about import About
from pages._shared.labs import LabFile, read_lab
from pages._shared.session import parameters
from pages._shared.session.cache import Later, digest, once
from pages._shared.session.look import read_look
from pages._shared.session.parameters import Parameters, by_user
from pages._shared.session.state import board, session
from pages._shared.session.values import MOST_QUOTED
from pages._shared.stage import stage
from pages._shared.stage.handles import parse_places, places_text, read_places
from pages._shared.stage.protocol import Handles
from pages._shared.text import plain
from viz.core import plane
from viz.core.preparation import scales
from viz.core.scene import Bounds, Call, Plane, Run, Scene, View

STYLE = Path(__file__).with_name("lab.css").read_text(encoding="utf-8")
MOST_QUESTIONS = 50  # of a quiz
MOST_STEPS = 1_000_000
BY_MAIL = ("utm_", "fbclid", "gclid")  # names that mail programs and networks add to links
UNSAID = {"points", "hide", "quiz", "quiz_seed"}  # parameters that no widget sets
MOST_WORK = 1e11  # operations of a run: ten to twenty seconds
TOO_MUCH = (
    "This run was given up after 100,000,000,000 operations, ten to twenty seconds of them. Fewer "
    "points or classes, a smaller C or a narrower kernel need less."
)
TOO_MANY = (
    "This needs exactly two classes; these data have {}. Under “Data” choose a class column with "
    "two values or another preset, or erase or relabel the points of the others."
)


@dataclass(frozen=True, eq=False)
class Shown:
    """What a mode shows: a run and its scene, the key they are known by, and the source to read.

    fork : gives the parameters, as text, that start the same algorithm from a step, if that can be.
    """

    key: str
    run: Run
    scene: Scene
    code: ModuleType
    fork: Callable[[Any], dict[str, str]] | None = None


Mode = Callable[["Lab"], Shown]


class Lab(Parameters):
    """What a mode builds with: the data, its parameters and handles, its runs, its scene."""

    def __init__(self, file: LabFile, scope: str, place: DeltaGenerator, prefix: str = "") -> None:
        """Start without handles; see Parameters."""
        super().__init__(scope, place, prefix)
        self.file, self.section = file, file.section
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
        session().handles[self.prefix + name] = (self.scope, name)
        self.handles.append(
            Handles(
                name=self.prefix + name,
                label=label,
                look=look,
                view=view,
                along=along,
                places=places.tolist(),
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
        call = _noted(algorithm, args, how)

        def make() -> Run:
            try:
                steps = algorithm(*map(_steps, args), **{k: _steps(v) for k, v in how.items()})
                with limited(MOST_WORK):
                    return Run(key, tuple(_heeding(steps)), call=call)
            except TooMuchWork:
                return Run(key, (), TOO_MUCH)
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

        return Later(digest((compute, args, how)), make, _noted(compute, args, how))

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


class Page(Lab):
    """One lab's page while it is being built; the widgets of its parameters go into the sidebar."""

    def __init__(self, path: str, data: str | Mapping[str, str], **data_options: Any) -> None:
        """Start the page: see `open_lab`."""
        file = read_lab(Path(path))
        parameters.begin(file.name)
        if (link := session().link) is not None:
            session().trial = lesson.tried(file, link)
        title, lead = escape(file.title), escape(file.lead)
        with st.container(key="head", horizontal=True, vertical_alignment="center"):
            st.html(
                f'<style>{STYLE}</style><div class="lab-title"><h1>{title}</h1><p>{lead}</p></div>',
                width="content",
            )
            self.tabs = st.container(key="modes", width="content")
            self.sharing = st.container(key="sharing", width="content", horizontal=True)
            self.export = st.container(width="content")
            panel.show(file.section, _opens_on(file.name, data), **data_options)
        sidebar = st.sidebar.container()
        sidebar.subheader("Parameters", anchor=False)
        super().__init__(file, file.name, sidebar.container())
        if hidden := self.declare("hide", "Hidden parts", "", hiding.parse_parts):
            st.html(f"<style>{hiding.style(hidden)}</style>")
        self.foot = sidebar.container(horizontal=True)
        self.foot.button(
            "Reset this lab", help="All parameters of this lab to their defaults; the data stay.",
            on_click=by_user(self.kept.clear),
        )  # fmt: skip

    def show(
        self,
        modes: Mapping[str, Mode],
        *,
        name: str = "view",
        label: str = "View",
        menu: bool = False,
        below: Callable[[], None] | None = None,
        before: str | None = None,
    ) -> None:
        """Show the mode that the user has chosen, then the lesson.

        modes : by their text in the address, the first is the default; if there are several, they
        stand by the title. menu : they are chosen from a menu, for so many buttons have no room.
        below : draws what stands between the stage and the lesson. before : the mode of links that
        name none, where the first one is younger than they are.
        """
        if len(modes) > 1:
            head = self.within(self.tabs)
            options, ask = list(modes), head.choice if menu else head.buttons
            if before:
                session().along.add(name)
                if link := session().link:
                    link.setdefault(name, before)
            chosen = ask(name, label, options, options[0], label_visibility="collapsed")
            place = f"{self.file.name}, {chosen}"
        else:
            (chosen,), place = modes, self.file.name
        lesson.show_trial(self.file)
        other = compare.ask(self.foot, self, self.file)
        if other:
            shown, place = self._beside(other, chosen, modes[chosen]), f"{place}, {other.name}"
        else:
            shown = modes[chosen](self)
        if (step := session().fork) is not None:
            self._start_from(step, shown, name)
        handles = self.handles if len(self.data.X) else []  # on an empty plane they mean nothing
        quiz = (
            self.by_link("quiz", "Questions of the quiz", 0, MOST_QUESTIONS, 0),
            self.by_link("quiz_seed", "Seed of the quiz", 0, 9999, 0),
        )
        _read_link(len(shown.run.steps))
        stage.show(
            place, shown.key, shown.run, shown.scene, handles,
            labelled=self.section.labelled, quiz=quiz, forks=shown.fork is not None,
        )  # fmt: skip
        about = About(self.file.title, self.file.lead, place, _parameters())
        with self.export:
            menu_of_exports.show(shown.key, shown.run, shown.scene, handles, about)
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
        with self.sharing:
            share.show()

    def _start_from(self, step: int, shown: Shown, mode: str) -> None:
        """Go to the link that starts the same run anew from one of its steps, beside this one."""
        session().fork = None
        if shown.fork and step < len(shown.run.steps):
            start = shown.fork(shown.run.steps[step])
            link = compare.forked(self.file.name, step, start, mode)
            st.switch_page(str(self.file.path), query_params=link)

    def _beside(self, other: LabFile, chosen: str, mode: Mode) -> Shown:
        """Show a mode of this lab on the left, one of another lab or of this one on the right."""
        left, place = self.place.tabs(["Left", f"Right: {other.title}"])
        self.place = left
        shown = mode(self)
        right = Lab(other, compare.scope(self.file.name, other.name), place, compare.RIGHT)
        name, other_mode = compare.ask_mode(right, other, compare.modes_of(other), chosen)
        beside = other_mode(right)
        fork = self.by_link("fork", "Step of the fork", 0, MOST_STEPS, 0)
        names = compare.names((self.file, chosen), (other, name))
        if fork:
            names = ("As it was", f"What if, from step {fork}")
        sides = zip(names, (shown, beside), strict=True)
        key, run, scene = compare.joined(
            [(title, side.key, side.run, side.scene) for title, side in sides],
            self.plane, self.section.gives, fork,
        )  # fmt: skip
        # Only the pictures are shown: the left one is view 0, the right one view 1.
        pictures = [each for each in self.handles if each["view"] == 0]
        pictures += [Handles(**{**each, "view": 1}) for each in right.handles if each["view"] == 0]
        self.handles = pictures
        return Shown(key, run, scene or _points_alone(self.plane), shown.code)


def open_lab(path: str, *, data: str | Mapping[str, str], **data_options: Any) -> Page:
    """Start a lab's page: its title and sentence, and the data panel in the sidebar.

    path : the page's `__file__`. data : the preset it opens on, or those of its modes, the first
    one for the modes that are not named; data_options : that preset's `n`, `noise`, ... if not its
    own.
    """
    return Page(path, data, **data_options)


def _opens_on(page: str, data: str | Mapping[str, str]) -> str:
    """Give the preset a lab opens on, in the mode that was chosen or that the link names."""
    if isinstance(data, str):
        return data
    here = session()
    asked = (here.link or here.kept.get(page, {})).get("view", "")
    return data.get(asked, next(iter(data.values())))


def _read_link(total: int) -> None:
    """Read what the link just opened says besides the parameters, and say what it may not."""
    here = session()
    if here.followed:
        here.look, refused = read_look(here.looks, max(0, total - 1))
        here.refused += refused
    unknown = [name for name in here.link or () if name not in here.declared]
    if unknown := [name for name in unknown if not name.startswith(BY_MAIL)]:
        named = ", ".join(f"“{name[:MOST_QUOTED]}”" for name in unknown[:3])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        here.refused.append(f"It names what cannot be set here: {named}{more}")


def _parameters() -> str:
    """Say what is set, for the page on paper, which has no sliders."""
    declared = session().declared.items()
    return "; ".join(f"{each.label}: {each.value}" for name, each in declared if name not in UNSAID)


def _noted(function: Callable[..., Any], args: tuple, how: dict[str, Any]) -> Call:
    """Note a call before it is made: random generators as they are now, for they go on."""

    def as_now(argument: Any) -> Any:
        return deepcopy(argument) if isinstance(argument, np.random.Generator) else argument

    return Call(function, tuple(map(as_now, args)), {k: as_now(v) for k, v in how.items()})


def _value(argument: Any) -> Any:
    return argument.value() if isinstance(argument, Later) else argument


def _steps(argument: Any) -> Any:
    return argument.steps if isinstance(argument, Run) else _value(argument)


def _heeding(steps: Iterable) -> Iterator:
    """Give the steps one by one, and others their turn between them."""
    for step in steps:
        spend()
        yield step


def _points_alone(data: Plane) -> Scene:
    return Scene([View("The points", lambda _: plane.data_only(data))], lambda _: "")
