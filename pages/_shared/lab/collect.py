"""Add what a lab shows to my lecture: its parameters, data and step, with a question."""

import streamlit as st

from pages._shared.data.table import ReadError
from pages._shared.lab import way
from pages._shared.lab.catalogue import LabFile
from pages._shared.lab.lecture import LONGEST, MOST, lecture, stop_at
from pages._shared.text import plain

NAMES = ("title", "question", "answer")


def show(lab: LabFile, address: str) -> None:
    """Show the form. A situation under way gives its words."""
    here = way.under_way(lab)
    given = (here.title, here.question, here.answer) if here else ("", "", "")
    st.markdown("**Add to my lecture**: this lab as it is now, with its data and its step")
    keys = [f"lecture {name} {given[0]}" for name in NAMES]
    with st.form("collect", border=False):
        title, question, answer = (
            st.text_input(
                name.capitalize() + (" (if there is one)" if name == "answer" else ""), value=text,
                key=key, max_chars=LONGEST[name],
            )
            for name, key, text in zip(NAMES, keys, given, strict=True)
        )  # fmt: skip
        added = st.form_submit_button("Add", icon=":material/playlist_add:")
    if added:
        _add(lab, address, title, question, answer)
    st.page_link("pages/lecture.py", label=f"My lecture: {len(lecture().stops)} situations")


def _add(lab: LabFile, address: str, *words: str) -> None:
    mine = lecture()
    if len(mine.stops) >= MOST:
        st.error(f"A lecture has at most {MOST} situations. Remove one first.")
        return
    try:
        mine.stops.append(stop_at(address, lab, *words))
    except ReadError as error:
        st.error(plain(str(error)))
    else:
        st.success(f"Added as situation {len(mine.stops)}.")
