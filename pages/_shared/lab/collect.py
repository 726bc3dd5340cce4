"""Add what a lab shows to my lecture: its parameters, data and step, with a question."""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages._shared.data.table import ReadError
from pages._shared.lab import way
from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.lab.lecture import LONGEST, MOST, lecture, stop_at
from pages._shared.session.cache import digest
from pages._shared.text import plain

LABELS = {"title": "Title", "question": "Question", "answer": "Answer (if there is one)"}
HIDES_END = "Hide the number of steps until the answer is open"


def show(lab: LabFile, address: str) -> None:
    """Show the form. A situation under way gives its words."""
    st.markdown("**Add to my lecture**: this lab as it is now, with its data and its step")
    with st.form("collect", border=False):
        words = ask_words(way.under_way(lab), "collect")
        added = st.form_submit_button("Add", icon=":material/playlist_add:")
    if added:
        _add(lab, address, words)
    st.page_link("pages/lecture.py", label=f"My lecture: {len(lecture().stops)} situations")


def ask_words(given: Experiment | None, key: str) -> dict[str, Any]:
    """Ask for the words of a situation, which are by default those of another one.

    Return title, question, answer, and whether the number of steps is hidden.
    """
    said = {name: getattr(given, name) if given else "" for name in LABELS}
    hides = given is not None and given.hides_end
    about = digest((*said.values(), hides))  # other defaults, other widgets
    words = {
        name: st.text_input(label, said[name], key=f"{key} {name} {about}", max_chars=LONGEST[name])
        for name, label in LABELS.items()
    }
    return words | {"hides_end": st.checkbox(HIDES_END, hides, key=f"{key} hides_end {about}")}


def _add(lab: LabFile, address: str, words: dict[str, Any]) -> None:
    mine = lecture()
    if len(mine.stops) >= MOST:
        st.error(f"A lecture has at most {MOST} situations. Remove one first.")
        return
    try:
        mine.stops.append(stop_at(urlsplit(address).query, lab, words))
    except ReadError as error:
        st.error(plain(str(error)))
    else:
        st.success(f"Added as situation {len(mine.stops)}.")
