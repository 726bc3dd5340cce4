"""User text on a page: labels and messages are Markdown, so what the user typed is escaped."""

import re


def plain(text: str) -> str:
    """Escape text so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])", r"\\\1", text)
