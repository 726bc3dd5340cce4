"""The stage's scripts: modules of one idea each, joined into one that the browser loads.

A server hands it out as a file, which browsers keep. Where there is no server (the app runs in the
browser, or in a test) its text is part of the answer.
"""

import re
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from algorithms.data.presets import MAX_ROWS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

HERE = Path(__file__).parent
SCRIPTS = (
    "protocol.js", "packing.js", "axes.js", "symbols.js", "run.js", "wishes.js", "post.js",
    "line.js", "feed.js", "pace.js", "edits.js", "edges.js", "layer.js", "scale.js", "contrast.js",
    "plot.js",
    "legend.js", "grips.js", "handles.js", "tracks.js", "pins.js", "panel.js", "beside.js",
    "player.js", "round.js", "quiz.js", "keys.js",
    "address.js", "present.js", "help.js", "live.js", "toolbar.js", "tools.js", "tips.js",
    "stage.js", "scripts.js",
)  # fmt: skip
STYLES = ("stage.css", "present.css")


def source(*names: str, folder: Path = HERE) -> str:
    """Join files; of modules that import each other the whole is one module."""
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    return re.sub(r"^import .*\n|^export (?!default)", "", text, flags=re.MULTILINE)


ALL = f"const MOST_POINTS = {MAX_ROWS};\n" + source(*SCRIPTS)
ADDRESS = f"/stage-{blake2b(ALL.encode(), digest_size=8).hexdigest()}.js"  # another for other text
_handed_out = False


def routes() -> list["Route"]:
    """Have the server hand the file out, for good; then the answers only name it."""
    global _handed_out
    from starlette.responses import Response  # here, for it is missing where there is no server
    from starlette.routing import Route

    _handed_out = not st.get_option("server.baseUrlPath")  # it is handed out at the top only

    def hand_out(_request: "Request") -> Response:
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(ALL, media_type="text/javascript", headers=kept)

    return [Route(ADDRESS, hand_out)]


def loader() -> str:
    """Give the script of the component that brings all others: it loads the file, or is it."""
    return source("fetch.js").replace("ADDRESS", ADDRESS) if _handed_out else ALL
