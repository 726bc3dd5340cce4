"""A lab's page: title, data, one of its modes on the stage, the lesson.

Its file is one plain function per mode, their names in `MODES`, and a last line that opens it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages._shared.data import panel
from pages._shared.exports import menu as menu_of_exports
from pages._shared.exports.provenance import About
from pages._shared.lab import compare, goals, hiding, lesson, share, way
from pages._shared.lab.catalogue import LABS, LabFile, read_lab
from pages._shared.lab.mode_tools import TOO_MANY, Lab, Mode, Shown
from pages._shared.session import parameters
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session
from pages._shared.session.values import MOST_QUOTED
from pages._shared.session.view_state import read_look
from pages._shared.stage import changes, drawn, stage
from pages._shared.stage import fork as forking
from pages._shared.stage.protocol import Handles
from pages._shared.text import plain
from viz.core.preparation import scales

STYLE = Path(__file__).with_name("lab.css").read_text(encoding="utf-8")
ALONE = ".stApp { visibility: hidden; }"  # in a frame, until the stage is there and alone
MOST_QUESTIONS = 50  # of a quiz
BY_MAIL = ("utm_", "fbclid", "gclid")  # names that mail programs and social networks add to links
Opening = str | Mapping[str, Any]  # a preset, or a preset with options
AS_IT_WAS = [(forking.NAME, 0), (forking.WAYS + forking.MOVED, "")]  # values that are not printed
UNSAID = {"points", "hide", "quiz", "quiz_seed"}  # parameters without a widget, never printed


class Page(Lab):
    """One lab's page while it is being built; the widgets of its parameters go into the sidebar."""

    def __init__(
        self, path: str, data: str | Mapping[str, Opening] | None, mode: str, **data_options: Any
    ) -> None:
        """Start the page: see `open_lab`."""
        self.mode = mode
        file = read_lab(Path(path))
        if file.board != (data is not None):
            raise ValueError(f"{path}: write the call as open_lab(__file__, data=...)")
        parameters.begin(file.name)
        if (link := session().link) is not None:
            session().trial = way.asked(file, link)
        title, lead = escape(file.title), escape(file.lead)
        style = STYLE + ALONE if st.context.is_embedded else STYLE
        with st.container(key="head", horizontal=True, vertical_alignment="center"):
            st.html(
                f'<style>{style}</style><div class="lab-title"><h1>{title}</h1>'
                '<nav class="chapters" aria-label="Lesson"><a href="#try-this">Try this</a>'
                f'<a href="#idea">Idea</a></nav><p>{lead}</p></div>',
                width="content",
            )
            self.tabs = st.container(key="modes", width="content")
            self.sharing = st.container(key="sharing", width="content", horizontal=True)
            self.export = st.container(width="content")
            if data is not None:
                preset, own = _opens_on(file.name, data, mode)
                section = file.section
                grouped = section.labelled or section.gives == "groups"
                panel.show(section.presets, preset, grouped=grouped, **data_options | own)
        sidebar = st.sidebar.container()
        sidebar.header("Parameters", anchor=False)
        super().__init__(file, file.name, sidebar.container())
        if hidden := self.declare("hide", "Hidden parts", "", hiding.parse_parts):
            st.html(f"<style>{hiding.style(hidden)}</style>")
        self.foot = sidebar.container(horizontal=True)
        self.foot.button(
            "Reset this lab", help="Set all parameters of this lab to their defaults. Data stay.",
            on_click=by_user(self.kept.clear),
        )  # fmt: skip

    def show(
        self,
        modes: Mapping[str, Mode],
        *,
        label: str = "View",
        below: Callable[[], None] | None = None,
        before: str | None = None,
        several: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Show the mode that the user has chosen, then the lesson.

        modes : by their text in the address; the first is the default. Several modes are chosen by
        buttons next to the title. below : draws what is between the stage and the lesson. before :
        the mode of links that name none, if it is not the first. several : the mode, or else the
        lab, that is offered where a mode needs two classes and the data have more. names : on the
        buttons, of modes whose text in the address says too little.
        """
        chosen, *others = modes
        place = self.file.name
        if others:
            chosen = self._ask_mode(list(modes), label, names or {}, before=before)
            place = f"{place}, {chosen}"
        self.situation = way.show()
        other = compare.ask(self.foot, self, self.file)
        if other:
            shown, place = self._beside(other, chosen, modes[chosen]), f"{place}, {other.name}"
        else:
            shown = modes[chosen](self)
        if several and shown.run.error == TOO_MANY.format(len(np.unique(self.data.labels))):
            self._offer(several, modes)
        if self.situation:
            trial = way.under_way(self.file)
            self.situation["goal"] = goals.judged(self.file, trial, self.mode, shown.run)
        self._show_notes(shown, uses_board=self._show_stage(place, shown))
        if below:
            below()
        lesson.show(self.file, shown.code)
        with self.sharing:
            share.show(self.file)

    def _offer(self, several: str, modes: Mapping[str, Mode]) -> None:
        """Offer the mode or the lab that takes data of more than two classes."""
        if several in modes:
            st.button(
                f"Show these data under “{several}”", key="several", type="primary",
                on_click=by_user(partial(self.kept.__setitem__, self.mode, several)),
            )  # fmt: skip
            return
        lab = next(lab for lab in LABS if lab.name == several)
        # Without parameters it is no link: the points on the board stay.
        st.page_link(
            str(lab.path),
            label=f"Show these data in “{lab.title}”",
            icon=":material/arrow_forward:",
        )

    def _show_stage(self, place: str, shown: Shown) -> bool:
        """Show a scene on the stage, with its exports; return whether it uses the board."""
        # Without points, handles and choices have no meaning.
        there = len(self.data.X) or not self.on_points
        handles, choices = (self.handles, self.choices) if there else ([], [])
        quiz = (
            self.by_link("quiz", "Questions of the quiz", 0, MOST_QUESTIONS, 0),
            self.by_link("quiz_seed", "Seed of the quiz", 0, 9999, 0),
        )
        _read_link(len(shown.run.steps))
        names = drawn.class_names(shown.key, shown.scene, self.plane) if self.labelled else None
        paint = stage.paint(labelled=self.labelled) if self.file.board else None
        lesson = (self.file.title, self.situation)
        stage.show(place, shown, handles, choices, lesson, paint=paint, quiz=quiz, legend=names)
        about = About(self.file.title, self.file.lead, place, _parameters(), legend=names)
        with self.export:
            menu_of_exports.show(shown.key, shown.run, shown.scene, handles, about)
        return self.on_points or drawn.has_points(shown.key, shown.scene)

    def _show_notes(self, shown: Shown, *, uses_board: bool) -> None:
        """Show what was wrong with the link, the parameters (in print), and the scene's notes."""
        if not uses_board:
            st.html(f"<style>{hiding.PARTS['data']} {{ display: none; }}</style>")
        for sentence in session().refused:
            st.warning(plain(f"The link was corrected. {sentence}."))
        st.html(f'<p class="on-paper">{escape(_parameters())}</p>')
        unlike = scales(self.plane) if uses_board else ""
        if note := " ".join(filter(None, [shown.scene.note, unlike])):
            st.caption(plain(note))
        for title, text in shown.scene.details:
            with st.expander(title):
                st.code(text, language=None, wrap_lines=True)

    def _ask_mode(
        self, modes: list[str], label: str, names: Mapping[str, str], *, before: str | None
    ) -> str:
        """Ask for one of several modes, next to the title; see `show`."""
        head = self.within(self.tabs)
        if before:
            session().along.add(self.mode)
            if link := session().link:
                link.setdefault(self.mode, before)
        return head.buttons(
            self.mode, label, modes, modes[0], label_visibility="collapsed",
            format_func=lambda mode: names.get(mode, mode),
        )  # fmt: skip

    def _beside(self, other: LabFile, chosen: str, mode: Mode) -> Shown:
        """Show a mode of this lab on the left, and a mode of this or another lab on the right."""
        left, place = self.place.tabs(["Left", f"Right: {other.title}"])
        self.place, self.first = left, left.container()
        shown = mode(self)
        right = Lab(other, compare.scope(self.file.name, other.name), place, compare.RIGHT)
        name, other_mode = compare.ask_mode(right, other, compare.modes_of(other), chosen)
        beside = other_mode(right)
        self.labelled |= right.labelled
        names = compare.names((self.file, chosen), (other, name))
        sides = zip(names, (shown, beside), strict=True)
        key, run, scene = compare.joined(
            [(title, side.key, side.run, side.scene) for title, side in sides],
            self.plane,
        )  # fmt: skip
        # Only the two pictures are shown: the left is view 0, the right is view 1.
        pictures = [each for each in self.handles if each["view"] == 0]
        pictures += [Handles(**{**each, "view": 1}) for each in right.handles if each["view"] == 0]
        self.handles, self.choices = pictures, []
        return Shown(key, run, scene or self.without_run(), shown.code)


def open_lab(
    path: str, *, data: str | Mapping[str, Opening] | None, mode: str = "view", **data_options: Any
) -> Page:
    """Start a lab's page with its title, its sentence and the data panel.

    path : the page's `__file__`. data : the preset that the lab opens on; or one for each mode, the
    first also for modes that are not named; or None if the lab uses no data. mode : the parameter
    that chooses the mode. data_options : `n`, `noise`, ... of that preset, if they are not its
    defaults. A mode whose preset has options of its own gives a dictionary of them, in which the
    preset is `data`.
    """
    return Page(path, data, mode, **data_options)


def _opens_on(
    page: str, data: str | Mapping[str, Opening], mode: str
) -> tuple[str, dict[str, Any]]:
    """Return the preset that a lab opens on, in the chosen mode or the link's, and its options."""
    if isinstance(data, str):
        return data, {}
    here = session()
    asked = (here.link or here.kept.get(page, {})).get(mode, "")
    opening = data.get(asked, next(iter(data.values())))
    if isinstance(opening, str):
        return opening, {}
    return opening["data"], {name: value for name, value in opening.items() if name != "data"}


def _read_link(total: int) -> None:
    """Read the look from the link, and note what the link may not name."""
    here = session()
    if here.followed:
        here.look, refused = read_look(here.looks, max(0, total - 1))
        here.refused += refused
    unknown = [name for name in here.link or () if name not in here.declared]
    if unknown := [name for name in unknown if not name.startswith(BY_MAIL)]:
        named = ", ".join(f"“{name[:MOST_QUOTED]}”" for name in unknown[:3])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        here.refused.append(f"It names parameters that this page does not have: {named}{more}")


def _parameters() -> str:
    """Write all parameters and their values, for the printed page, which has no sliders."""
    said = {name: each for name, each in session().declared.items() if name not in UNSAID}
    return "; ".join(
        f"{each.label}: {changes.told(name, each.value)}"
        for name, each in said.items()
        if (name, each.value) not in AS_IT_WAS
    )
