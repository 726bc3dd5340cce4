"""The lesson under the stage: the chapters of the page's docstring, and the source that ran."""

import inspect
from types import ModuleType

import streamlit as st

from pages._shared.labs import LabFile
from pages._shared.session.parameters import by_user


def show(lab: LabFile, code: ModuleType) -> None:
    """Show the tabs.

    Only the open one has content: colouring the source would take a third of a second of
    everybody's first visit.
    """
    chapters = ["Idea", "Maths", "Code", "Try this"]
    idea, maths, source, trials = st.tabs(chapters, key="chapter", on_change=by_user(_turn_page))
    if idea.open:
        idea.markdown(lab.texts["Idea"])
    if maths.open:
        maths.markdown(lab.texts["Maths"])
    if source.open:
        source.code(inspect.getsource(code), language="python", line_numbers=True)
    if trials.open:
        for title, link, text in lab.experiments:
            trials.page_link(
                str(lab.path),
                label=f"**{title}**",
                icon=":material/play_circle:",
                query_params=link,
            )
            trials.markdown(text)


def _turn_page() -> None:
    """Open another chapter: nothing else changes."""
