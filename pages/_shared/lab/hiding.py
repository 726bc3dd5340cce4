"""Parts of a page that a link hides from the eye, for an exercise sheet.

Screen readers still have them, for who cannot see the picture needs its caption and its values; and
a part comes into sight while the keyboard's focus is in it, so that nobody loses the focus.
"""

PARTS = {
    "data": ".st-key-data_panel, .st-key-load, .on-board",
    "parameters": '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    "caption": ".stage .words",
    "tools": ".stage .tools",
    "classes": ".stage .stage-legend",
    "player": ".stage .player",
    "lesson": ".st-key-chapter",
}
UNSEEN = (
    "position: absolute !important; width: 1px !important; min-width: 0 !important; "
    "height: 1px !important; min-height: 0 !important; overflow: hidden; clip-path: inset(50%);"
)
# What sliders say is then said in words.
VALUES = f".on-paper {{ display: block; {UNSEEN} }}"


def parse_parts(text: str) -> str:
    """Give the text back if it names parts; raises ValueError, with a sentence, if not."""
    for name in filter(None, text.split(",")):
        if name not in PARTS:
            raise ValueError(f"“{name[:40]}” is not one of {', '.join(PARTS)}")
    return text


def style(text: str) -> str:
    """Write the rules that hide the parts a text names."""
    parts = [name for name in PARTS if name in text.split(",")]
    rules = [f":is({PARTS[name]}):not(:focus-within) {{ {UNSEEN} }}" for name in parts]
    return "\n".join([*rules, VALUES] if "parameters" in parts else rules)
