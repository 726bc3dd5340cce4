"""My lecture: situations of one's own, in an order of one's own, to present and to give away."""

from functools import partial
from urllib.parse import urlencode, urljoin

import streamlit as st

from pages._shared.data.table import ReadError, quoted
from pages._shared.lab import collect, way
from pages._shared.lab.lecture import (
    LECTURE,
    Stop,
    lecture,
    packed,
    read,
    stop_at,
    unpacked,
    written,
)
from pages._shared.session.reach import reachable
from pages._shared.site.cards import STYLE
from pages._shared.text import plain

NAME = "show"  # in the address


def take(raw: bytes, name: str) -> None:
    """Take the lecture in a file."""
    try:
        lecture().change(read(raw, quoted(name)))
    except ReadError as error:
        lecture().error = str(error)


def take_file() -> None:
    """Take the lecture in the file that has just been chosen."""
    if file := st.session_state["lecture file"]:
        take(file.getvalue(), file.name)


def open_link() -> None:
    """Take the lecture in the address, once: going back to the address does not undo changes."""
    mine, text = lecture(), st.query_params.get(NAME, "")
    if text in ("", mine.opened):
        return
    mine.opened = text
    try:
        mine.change(unpacked(text))
    except ReadError as error:
        mine.error = str(error)


def put(at: int, to: int | None) -> None:
    """Move a situation to another place, or remove it."""
    stops = list(lecture().stops)
    stop = stops.pop(at)
    if to is not None:
        stops.insert(to, stop)
    lecture().change(stops)


def edit(at: int, stop: Stop) -> None:
    """Ask for other words for a situation."""
    with st.form(f"words {at}", border=False):
        words = collect.ask_words(stop.experiment, f"words {at}")
        if not st.form_submit_button("Save"):
            return
    try:
        other = stop_at(urlencode(stop.experiment.link), stop.lab, words)
    except ReadError as error:
        st.error(plain(str(error)))
        return
    stops = list(lecture().stops)
    stops[at] = other
    lecture().change(stops)
    st.rerun()


def show_stop(at: int, stop: Stop, last: int) -> None:
    """Show a situation with the buttons that edit, move and remove it."""
    experiment = stop.experiment
    with st.container(border=True, key=f"stop {at}"):
        words, buttons = st.columns([3, 2], vertical_alignment="center")
        with words:
            label = f"**{at + 1}. {plain(experiment.title)}** ({stop.lab.title})"
            way.link((LECTURE, at), label, ":material/play_circle:")
            answer = f"  \n:small[Answer: {plain(experiment.answer)}]" if experiment.answer else ""
            st.markdown(plain(experiment.question) + answer)
        with buttons, st.container(horizontal=True, horizontal_alignment="right"):
            with st.popover("Edit", key=f"edit {at}"):
                edit(at, stop)
            st.button("Up", key=f"up {at}", disabled=at == 0, on_click=partial(put, at, at - 1))
            down = partial(put, at, at + 1)
            st.button("Down", key=f"down {at}", disabled=at == last, on_click=down)
            st.button("Remove", key=f"remove {at}", on_click=partial(put, at, None))


def show_gifts(stops: list[Stop]) -> None:
    """Show the lecture as one link and as a file."""
    st.subheader("Give it away", anchor=False)
    if text := packed(stops):
        address = urljoin(st.context.url or "", f"lecture?{urlencode({NAME: text})}")
        st.code(reachable(address), language=None, wrap_lines=True)
    else:
        st.markdown("The lecture is too long for a link. Save it as a file.")
    st.download_button(
        "Save as a file", written(stops), "lecture.json", "application/json",
        icon=":material/download:",
    )  # fmt: skip


open_link()
st.html(STYLE)
st.page_link("pages/course.py", label="Course", icon=":material/arrow_back:")
st.title("My lecture", anchor=False)
mine = lecture()
if mine.error:
    st.error(plain(mine.error), icon=":material/error:")
if stops := mine.stops:
    st.markdown(
        "Open the first situation and press P for the wall. T opens its answer; `.` and `,` go to "
        "the next and the previous one. The list lasts as long as this tab: keep its link or file."
    )
    for at, stop in enumerate(stops):
        show_stop(at, stop, len(stops) - 1)
    show_gifts(stops)
else:
    st.markdown(
        "Nothing is in it yet. Set up any lab, with your own data and at the step you want to "
        "show, open **Share**, and add it with a title and a question."
    )
st.file_uploader("Load a lecture (it replaces the list)", key="lecture file", on_change=take_file)
