"""The gallery: every lab with its picture and what it shows."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.site.cards import STYLE, Card, show_cards
from pages._shared.text import plain

COLUMNS = 3
START = (  # in the order of the course
    "linear_regression", "bias_variance", "decision_tree", "k_nearest_neighbors",
    "gaussian_discriminant", "perceptron", "logistic_regression", "svm", "k_means", "pca",
)  # fmt: skip


def show_labs(title: str, labs: Sequence[LabFile], words: str = "") -> None:
    """Show labs under a title. words : Markdown below the title."""
    st.header(title, anchor=False)
    if words:
        st.markdown(words)
    show_cards(
        [Card(f"{title} {lab.name}", lab.path, lab.title, lab.lead, lab.picture) for lab in labs],
        COLUMNS,
    )


def show_all() -> None:
    """Show the labs to start with, and then all labs by section."""
    show_labs("Start here", [lab for name in START for lab in LABS if lab.name == name])
    for section, labs in groupby(LABS, key=lambda lab: lab.section.title):
        shown = list(labs)
        show_labs(section, shown, shown[0].about_section)


def show_found(wanted: str) -> None:
    """Show the labs whose name or sentence has all words, then those whose lesson has them."""
    found: tuple[list[LabFile], list[LabFile]] = [], []
    for lab in LABS:
        named = f"{lab.title} {lab.lead}".lower()
        lesson = " ".join([named, *lab.texts.values()]).lower()
        if all(word in lesson for word in wanted.split()):
            found[not all(word in named for word in wanted.split())].append(lab)
    count = sum(map(len, found))
    st.html(f'<p role="status">{count} of {len(LABS)} labs are shown.</p>')
    if not count:
        st.info(plain(f"No lab has to do with “{wanted}”. Try a single word, or look it up below."))
        st.page_link("pages/glossary.py", label="Glossary", icon=":material/dictionary:")
    for title, labs in zip(("Labs about it", "Labs that mention it"), found, strict=True):
        if labs:
            show_labs(title, labs)


st.html(STYLE)
st.title("Chalkline", anchor=False)
st.markdown(
    "Draw points, move a slider, and watch a machine-learning algorithm take its steps, forwards "
    "and backwards, with every number explained."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    wanted = st.text_input("Find a lab", key="gallery.wanted", type="search", live=True, width=400)
    st.page_link(
        "pages/course.py", label="A course of fourteen weeks, situation by situation",
        icon=":material/school:",
    )  # fmt: skip
if wanted and wanted.strip():
    show_found(wanted.strip().lower())
else:
    show_all()
