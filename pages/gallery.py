"""The gallery: every lab with its picture and what it shows."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pages._shared.labs import LABS, LabFile

# The link of a card covers all of it. Every row is as high as its highest card.
STYLE = """<style>
.stMainBlockContainer { padding: 4rem 2rem 3rem; max-width: 80rem; margin: auto; }
[class*="st-key-card"] { position: relative; height: 100%; }
[class*="st-key-card"] [data-testid="stPageLink"] { position: static; }
[class*="st-key-card"] a { position: static; }
[class*="st-key-card"] a::after { content: ""; position: absolute; inset: 0; border-radius: 8px; }
[class*="st-key-card"]:hover { border-color: var(--st-primary-color); }
[class*="st-key-card"] a:focus-visible { outline: none; }
[class*="st-key-card"] a:focus-visible::after { outline: 3px solid var(--st-primary-color); }
[class*="st-key-card"] img { border-radius: 4px; }
[class*="st-key-card"] [data-testid="stElementToolbar"] { display: none; }
[class*="st-key-card"] [data-testid="stImageContainer"] { pointer-events: none; }
[data-testid="stColumn"] > div, [data-testid="stColumn"] > div > div { height: 100%; }
</style>"""
COLUMNS = 3
START = ("k_means", "decision_tree", "linear_regression")  # labs that need no other one before


def show_labs(title: str, labs: Sequence[LabFile]) -> None:
    """Show labs under a title, row by row: so the keyboard goes, too."""
    st.header(title, anchor=False)
    for first in range(0, len(labs), COLUMNS):
        row = labs[first : first + COLUMNS]
        for lab, place in zip(row, st.columns(COLUMNS), strict=False):
            with place.container(border=True, key=f"card {title} {lab.name}"):
                if lab.picture(theme).exists():
                    st.image(str(lab.picture(theme)), alt=lab.title, width="stretch")
                st.page_link(str(lab.path), label=f"**{lab.title}**", icon=":material/play_circle:")
                st.markdown(lab.lead)


theme = st.context.theme.type or "light"
st.html(STYLE)
st.title("Chalkline", anchor=False)
st.markdown(
    "Draw points, move a slider, and watch a machine-learning algorithm take its steps, forwards "
    "and backwards, with every number explained."
)
show_labs("Start here", [lab for name in START for lab in LABS if lab.name == name])
for section, labs in groupby(LABS, key=lambda lab: lab.section.title):
    show_labs(section, list(labs))
