"""The menu above every page: the pages of the app, by section."""

from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st

from pages._shared.lab.catalogue import LABS

STYLE = Path(__file__).with_suffix(".css")


def pages() -> dict[str, list]:
    """Return copies of the pages for `st.navigation`, which marks the shown page in them."""
    return {title: [copy(page) for page in found] for title, found in _found().items()}


def section(name: str) -> str:
    """Return the title of the section of a lab, or nothing for another page."""
    return next((lab.section.title for lab in LABS if lab.name == name), "")


@cache
def _found() -> dict[str, list]:
    """Find the pages' files once for all visitors, as asking the disk takes a tenth of a rerun."""
    found: dict[str, list] = {
        "": [
            st.Page("pages/gallery.py", title="Gallery", default=True),
            st.Page("pages/course.py", title="Course"),
            st.Page("pages/lecture.py", title="Lecture", visibility="hidden"),  # the menu is full
            st.Page("pages/glossary.py", title="Glossary"),
        ]
    }
    for lab in LABS:
        page = st.Page(lab.path, title=lab.title, url_path=lab.name)
        found.setdefault(lab.section.title, []).append(page)
    return found
