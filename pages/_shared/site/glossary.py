"""The glossary's terms, read from glossary.md: `## Term`, then its definition."""

import re
from pathlib import Path

FILE = Path(__file__).with_name("glossary.md")


def read_glossary() -> dict[str, str]:
    """Return every term's definition, in the order of the file."""
    chapters = f"\n{FILE.read_text(encoding='utf-8')}".split("\n## ")[1:]
    parts = (chapter.partition("\n") for chapter in chapters)
    return {term.strip(): definition.strip() for term, _, definition in parts}


def anchor(term: str) -> str:
    """Return Streamlit's anchor for a heading: `kl-divergence`, but `ada-boost`."""
    return re.sub(r"(?<=\w)(?=[A-Z][a-z])| ", "-", term).lower()
