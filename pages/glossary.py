"""The glossary of the lessons' terms. `glossary#dual` is the address of "Dual"."""

import streamlit as st

from pages._shared.site.glossary import read_glossary
from pages._shared.text import plain

STYLE = """<style>
.stMainBlockContainer { padding: 4rem 2rem 3rem; max-width: 48rem; margin: auto; }
</style>"""

st.html(STYLE)
st.title("Glossary", anchor=False)
wanted = st.text_input("Find a word", key="glossary.wanted").strip().lower()
found = [
    f"##### {term}\n{definition}"
    for term, definition in read_glossary().items()
    if wanted in f"{term} {definition}".lower()
]
# In one piece: a page of hundreds still grows when the browser looks for a term by its address.
st.markdown("\n\n".join(found) or f"No word here has to do with “{plain(wanted)}”.")
