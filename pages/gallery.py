"""The gallery: every lab with its picture and what it shows."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.site.cards import STYLE, Card, show_cards

COLUMNS = 3
START = ("k_means", "decision_tree", "linear_regression")  # labs that need no other lab first


def show_labs(title: str, labs: Sequence[LabFile]) -> None:
    """Show labs under a title."""
    st.header(title, anchor=False)
    show_cards(
        [Card(f"{title} {lab.name}", lab.path, lab.title, lab.lead, lab.picture) for lab in labs],
        COLUMNS,
    )


st.html(STYLE)
st.title("Chalkline", anchor=False)
st.markdown(
    "Draw points, move a slider, and watch a machine-learning algorithm take its steps, forwards "
    "and backwards, with every number explained."
)
st.page_link(
    "pages/course.py", label="A course of fourteen weeks, situation by situation",
    icon=":material/school:",
)  # fmt: skip
show_labs("Start here", [lab for name in START for lab in LABS if lab.name == name])
for section, labs in groupby(LABS, key=lambda lab: lab.section.title):
    show_labs(section, list(labs))
