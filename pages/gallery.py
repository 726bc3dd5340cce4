"""The gallery: every lab with what it shows."""

from itertools import cycle, groupby

import streamlit as st

from pages._shared.labs import LABS

st.title("Chalkline", anchor=False)
st.markdown(
    "Draw points, move a slider, and watch a machine-learning algorithm take its steps, forwards "
    "and backwards, with every number explained."
)
for section, labs in groupby(LABS, key=lambda lab: lab.section):
    st.subheader(section, anchor=False)
    for lab, place in zip(labs, cycle(st.columns(2)), strict=False):
        with place.container(border=True):
            st.page_link(str(lab.path), label=f"**{lab.title}**", icon=":material/play_circle:")
            st.markdown(lab.lead)
