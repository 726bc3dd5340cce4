"""The gallery: every lab with its picture and what it shows."""

from itertools import cycle, groupby

import streamlit as st

from pages._shared.labs import LABS

STYLE = """<style>
.stMainBlockContainer { padding: 4rem 2rem 3rem; max-width: 90rem; margin: auto; }
[data-testid="stImage"] img { border-radius: 4px; }
</style>"""
COLUMNS = 4

theme = st.context.theme.type or "light"
st.html(STYLE)
st.title("Chalkline", anchor=False)
st.markdown(
    "Draw points, move a slider, and watch a machine-learning algorithm take its steps, forwards "
    "and backwards, with every number explained."
)
for section, labs in groupby(LABS, key=lambda lab: lab.section.title):
    st.subheader(section, anchor=False)
    for lab, place in zip(labs, cycle(st.columns(COLUMNS)), strict=False):
        with place.container(border=True):
            if lab.picture(theme).exists():
                st.image(str(lab.picture(theme)), alt=lab.title, width="stretch")
            st.page_link(str(lab.path), label=f"**{lab.title}**", icon=":material/play_circle:")
            st.markdown(lab.lead)
