"""Parts of a page that a link hides, for an exercise sheet.

Screen readers still read them, because a user who cannot see the picture needs its caption and
values. A hidden part is shown while the keyboard's focus is in it, so that the focus stays visible.
"""

PARTS = {
    "data": ".st-key-data_panel, .st-key-load, .on-board",
    "parameters": '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    "caption": ".stage .words",
    "tools": ".stage .tools",
    "classes": ".stage .stage-legend",
    "player": ".stage .player",
    "lesson": ".st-key-chapter, .chapters",
}
UNSEEN = (
    "position: absolute !important; width: 1px !important; min-width: 0 !important; "
    "height: 1px !important; min-height: 0 !important; overflow: hidden; clip-path: inset(50%);"
)
# With the parameters hidden, screen readers get their values as text.
VALUES = f".on-paper {{ display: block; {UNSEEN} }}"


def parse_parts(text: str) -> str:
    """Return the text if it names parts; raise ValueError, with a sentence, otherwise."""
    for name in filter(None, text.split(",")):
        if name not in PARTS:
            raise ValueError(f"“{name[:40]}” is not one of {', '.join(PARTS)}")
    return text


def style(text: str) -> str:
    """Write the CSS rules that hide the parts named in a text."""
    parts = [name for name in PARTS if name in text.split(",")]
    rules = [f":is({PARTS[name]}):not(:focus-within) {{ {UNSEEN} }}" for name in parts]
    return "\n".join([*rules, VALUES] if "parameters" in parts else rules)
