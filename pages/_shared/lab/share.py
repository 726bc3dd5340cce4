"""The Share button next to the title: the link to the current view, its QR code, and a frame."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st
from streamlit.components.v2 import component

from pages._shared.data.session_data import board
from pages._shared.lab import collect
from pages._shared.lab.catalogue import LabFile
from pages._shared.lab.hiding import PARTS
from pages._shared.session.cache import turn
from pages._shared.session.qr import qr_code
from pages._shared.session.reach import netloc, reach
from pages._shared.session.state import session
from pages._shared.stage.heard import sent
from pages._shared.stage.scripts import source

# Characters. A longer text makes a code of over 97 modules a side, too fine for the last row.
LONGEST_CODE = 858
TOO_LONG = (
    "The link has {} characters. A code that phones can read from the last row holds {}. Copy the "
    "link, or use fewer points."
)

NOTHING: dict[str, Any] = {"address": "", "link": "", "embed": "", "svg": "", "notes": []}
THEMES = {"as the reader has it": "", "light": "light_theme", "dark": "dark_theme"}  # of a frame
HERE = Path(__file__).parent
_link = component(
    "share",
    html=source("share.html", folder=HERE),
    css=source("share.css", folder=HERE),
    js=source("share.js", folder=HERE),
    isolate_styles=False,
)


@st.fragment
@turn()
def show(lab: LabFile) -> None:
    """Show the button; its content is made when it is opened."""
    with st.popover("Share", icon=":material/share:", key="share", on_change="rerun") as place:
        if place.open:
            _show_link(lab)


def _show_link(lab: LabFile) -> None:
    below = st.container()
    hidden = session().declared["hide"].value.split(",")
    wanted = st.pills(
        "Hide, for an exercise sheet", list(PARTS), selection_mode="multi", key="share_hides",
        default=[part for part in PARTS if part in hidden],
    )  # fmt: skip
    theme = st.segmented_control(
        "Theme, in a frame", list(THEMES), default="as the reader has it", key="share_theme"
    )
    # The browser sends its address, because Streamlit does not know what the browser writes there.
    address = sent("share_link", "address")
    data = about(str(address), wanted, THEMES.get(theme or "", "")) if address else NOTHING
    with below:
        _link(key="share_link", data=data, on_address_change=_heard)
    if address:
        collect.show(lab, str(address))


def _heard() -> None:
    """Receive the address. Only the fragment runs again, so the callback is empty."""


def about(address: str, hidden: Sequence[str], theme: str = "") -> dict[str, Any]:
    """Return the link for an address, its QR code, a frame with it, and notes."""
    try:
        host, note = reach(urlsplit(address).hostname or "")
        link = shared_link(address, host, hidden)
    except ValueError:  # nothing our own page would send
        return NOTHING
    short = len(link) <= LONGEST_CODE
    notes = [
        note,
        board().in_address().note,
        "" if short else TOO_LONG.format(len(link), LONGEST_CODE),
    ]
    svg = qr_code(link, "QR code of the link") if short else ""
    return {
        "address": address, "link": link, "embed": frame(link, theme), "svg": svg,
        "notes": list(filter(None, notes)),
    }  # fmt: skip


def frame(link: str, theme: str) -> str:
    """Write the element that shows the stage alone in another page. theme : Streamlit's name."""
    asked = {"embed": "true", "embed_options": theme} if theme else {"embed": "true"}
    address = f"{link}{'&' if urlsplit(link).query else '?'}{urlencode(asked)}"
    return (
        f'<iframe src="{escape(address)}" title="Chalkline" width="960" height="540" '
        'style="border: 0" allow="fullscreen; clipboard-write"></iframe>'
    )


def shared_link(address: str, host: str, hidden: Sequence[str]) -> str:
    """Return the link for an address with a host that others can reach."""
    parts = urlsplit(address)
    said = dict(parse_qsl(parts.query, keep_blank_values=True))
    said = {name: text for name, text in said.items() if name not in ("present", "hide")}
    if hidden:
        said["hide"] = ",".join(hidden)
    return parts._replace(
        netloc=netloc(parts, host), query=urlencode(said, safe=",;"), fragment=""
    ).geturl()
