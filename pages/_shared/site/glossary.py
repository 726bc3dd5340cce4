"""The glossary's terms, from glossary.md: `## Term`, then what it means."""

import re
from pathlib import Path

FILE = Path(__file__).with_name("glossary.md")


def read_glossary() -> dict[str, str]:
    """Give every term's definition, in the order of the file."""
    chapters = f"\n{FILE.read_text(encoding='utf-8')}".split("\n## ")[1:]
    parts = (chapter.partition("\n") for chapter in chapters)
    return {term.strip(): definition.strip() for term, _, definition in parts}


def anchor(term: str) -> str:
    """Give the anchor that Streamlit makes of a heading: `kl-divergence`, but `ada-boost`."""
    return re.sub(r"(?<=\w)(?=[A-Z][a-z])| ", "-", term).lower()
