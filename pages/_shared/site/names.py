"""What Streamlit leaves out on every page: names for screen readers, the menu's current section."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

_names = component("names", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"))


def give_names(section: str) -> None:
    """Send the page the script that gives names; it takes no room. section : that is marked."""
    with st.container(key="names"):
        st.html("<style>:has(> .st-key-names) { position: absolute; }</style>")
        _names(key="names script", data={"section": section})
