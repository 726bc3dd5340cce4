"""Cards in rows: a picture, a link that covers the whole card, and a sentence."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

# The link of a card covers all of it. Every row is as high as its highest card.
STYLE = """<style>
.stMainBlockContainer { padding: 4rem 2rem 3rem; max-width: 80rem; margin: auto; }
[class*="st-key-card"] { position: relative; height: 100%; }
[class*="st-key-card"] :is(.stElementContainer, .stPageLink) { position: static; }
[class*="st-key-card"] a { position: static; }
[class*="st-key-card"] a::after { content: ""; position: absolute; inset: 0; border-radius: 8px; }
[class*="st-key-card"]:hover { border-color: var(--st-primary-color); }
[class*="st-key-card"] a:focus-visible { outline: none; }
[class*="st-key-card"] a:focus-visible::after { outline: 3px solid var(--st-primary-color); }
[class*="st-key-card"] img { border-radius: 4px; }
[class*="st-key-card"] [data-testid="stElementToolbar"] { display: none; }
[class*="st-key-card"] [data-testid="stImageContainer"] { pointer-events: none; }
[data-testid="stColumn"] > div, [data-testid="stColumn"] > div > div { height: 100%; }
.weeks ul { list-style: none; margin: 0; padding: 0; columns: 23rem; }
.weeks a { line-height: 1.9; color: inherit; }
</style>"""


class Card(NamedTuple):
    """The content of a card. link : parameters of the page. words : Markdown below the link."""

    key: str
    page: Path
    title: str
    words: str
    picture: Callable[[str], Path]  # of the theme, "light" or "dark"
    link: dict[str, str] | None = None


def show_cards(cards: Sequence[Card], columns: int) -> None:
    """Show cards row by row, which is also the keyboard's order."""
    theme = st.context.theme.type or "light"
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        for card, place in zip(row, st.columns(columns), strict=False):
            with place.container(border=True, key=f"card {card.key}"):
                if (picture := card.picture(theme)).exists():
                    st.image(str(picture), alt=card.title, width="stretch")
                st.page_link(
                    str(card.page), label=f"**{card.title}**", icon=":material/play_circle:",
                    query_params=card.link,
                )  # fmt: skip
                st.markdown(card.words)
