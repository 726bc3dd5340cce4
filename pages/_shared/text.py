"""User text on a page: labels and messages are Markdown, so what the user typed is escaped."""

import re

# Where an address may go on.
LINK = re.compile(r"https?:(?=//)|www(?=\.)|(?<=\w)@(?=\w)", re.IGNORECASE)
JOINER = "\u2060"  # takes no room, and is no part of an address


def plain(text: str) -> str:
    """Escape text so that Markdown shows it as it is; no backslash keeps an address from a link."""
    unlinked = LINK.sub(rf"\g<0>{JOINER}", text)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])", r"\\\1", unlinked)
