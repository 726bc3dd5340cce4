"""User text on a page. Labels and messages are Markdown, so the user's text is escaped."""

import re

# The places where Markdown may begin a link by itself.
LINK = re.compile(r"https?:(?=//)|www(?=\.)|(?<=\w)@(?=\w)", re.IGNORECASE)
JOINER = "\u2060"  # has no width, and cannot be part of an address


def plain(text: str) -> str:
    """Return text that Markdown shows unchanged. A joiner prevents links; backslashes do not."""
    unlinked = LINK.sub(rf"\g<0>{JOINER}", text)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])", r"\\\1", unlinked)
