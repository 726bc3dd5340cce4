"""The glossary of the lessons' terms. `glossary#dual` is the address of "Dual"."""

import streamlit as st

from pages._shared.site.glossary import anchor, read_glossary
from pages._shared.text import plain

STYLE = """<style>
.stMainBlockContainer { padding: 4rem 2rem 3rem; max-width: 48rem; margin: auto; }
.letters ul { display: flex; flex-wrap: wrap; list-style: none; margin: 0; padding: 0; }
.letters a { display: block; min-width: 1.75rem; line-height: 2rem; text-align: center; }
.letters a { color: inherit; }
</style>"""

st.html(STYLE)
st.title("Glossary", anchor=False)
wanted = st.text_input("Find a word", key="glossary.wanted").strip().lower()
found = {
    term: definition
    for term, definition in read_glossary().items()
    if wanted in f"{term} {definition}".lower()
}
first = {term[0].upper(): term for term in reversed(found)}  # of each letter
links = (
    f'<li><a href="#{anchor(term)}">{letter}</a></li>' for letter, term in sorted(first.items())
)
if first:
    st.html(f'<nav class="letters" aria-label="Letters"><ul>{"".join(links)}</ul></nav>')
# In one piece: a page of hundreds still grows when the browser looks for a term by its address.
pieces = (f"##### {term}\n{definition}" for term, definition in found.items())
st.markdown("\n\n".join(pieces) or f"No word here has to do with “{plain(wanted)}”.")
