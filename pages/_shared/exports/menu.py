"""The menu “Export” next to a lab's title.

Python writes a file only when the visitor asks for it, and sends it to the menu's script, which
saves it. No server is needed, so this also works when the app runs in the browser.
"""

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages._shared.data.session_data import board
from pages._shared.data.table_data import to_csv
from pages._shared.exports.animation import BOUND, animation
from pages._shared.exports.program import Part, as_notebook, as_script, program
from pages._shared.exports.provenance import About, read_link
from pages._shared.exports.source import Unwritable
from pages._shared.exports.steps_table import MOST_ROWS, steps_csv
from pages._shared.session.cache import store, turn
from pages._shared.session.reach import reachable
from pages._shared.session.turns import OverBudget
from pages._shared.stage.heard import sent
from pages._shared.stage.protocol import Handles
from pages._shared.stage.scripts import source
from viz.core.scene import Run, Scene

HERE = Path(__file__).parent
GLYPHS = HERE / "outlines" / "glyphs.json"  # written by tests/exports/write_glyphs.py
MOST_SECONDS = 60.0  # of processor time for one file
TOO_LONG = (
    f"This file was stopped after {MOST_SECONDS:.0f} seconds of computing. Choose fewer points or "
    "fewer steps, or export the script, which takes no time."
)


def script() -> str:
    """Return the menu's script, which holds that of the GIF's writer as a text."""
    drawn = ("../stage/svg.js", "../stage/picture.js", "regions.js", "fonts.js", "outlines.js")
    joined = source(*drawn, "film.js", "menu.js", folder=HERE)
    return f"const FILM_WORKER = {json.dumps(film_worker())};\n{joined}"


def film_worker() -> str:
    """Return the script that writes a GIF: gifenc as an object of that name, then our own code."""
    encoder = (HERE / "gifenc" / "gifenc.esm.js").read_text(encoding="utf-8")
    code, _, exported = encoder.rpartition("export{")
    names = re.sub(r"(\w+) as (\w+)", r"\2: \1", exported.partition("}")[0])
    return f"{code}const gifenc = {{{names}}};\n{source('film_worker.js', folder=HERE)}"


_menu = component(
    "exports",
    html=source("menu.html", folder=HERE),
    css=source("menu.css", folder=HERE),
    js=script(),
)


@dataclass(frozen=True, eq=False)
class Shown:
    """The run and the scene on the stage, which the files are written from."""

    key: str  # of the scene
    run: Run
    scene: Scene
    handles: Sequence[Handles]
    about: About

    @property
    def program(self) -> list[Part]:
        """Return the run as Python."""
        return program(self.run, self.about.lines)


WRITERS: dict[str, tuple[str, str, Callable[[Shown], str]]] = {
    "animation": (
        ".html", "text/html", lambda it: animation(it.key, it.run, it.scene, it.handles, it.about)
    ),
    "data": ("-data.csv", "text/csv", lambda _: to_csv(board().data)),
    "steps": ("-steps.csv", "text/csv", lambda it: steps_csv(it.run, it.scene)),
    "notebook": (".ipynb", "application/x-ipynb+json", lambda it: as_notebook(it.program)),
    "glyphs": ("-glyphs.json", "application/json", lambda _: GLYPHS.read_text(encoding="utf-8")),
    "script": (".py", "text/x-python", lambda it: as_script(it.program)),
}  # fmt: skip


@st.fragment
@turn()
def show(key: str, run: Run, scene: Scene, handles: Sequence[Handles], about: About) -> None:
    """Show the menu. Only this part of the page runs again when somebody uses it."""
    place = st.popover("Export", icon=":material/download:", key="export", on_change="rerun")
    if not place.open:
        return
    with place:
        _menu(
            key="exports",
            data={
                "name": about.name,
                "failed": run.error,
                "notes": {
                    "animation": "The HTML file plays offline with player, keys and captions, "
                    f"light or dark. {BOUND} Of a longer run it has some steps, evenly spaced.",
                    "steps": f"Event, caption and numbers of {_some(len(run.steps))}.",
                },
                "file": written(Shown(key, run, scene, handles, about), sent("exports", "asked")),
            },
            on_asked_change=_heard,
        )


def _heard() -> None:
    """Receive a request. Only this part of the page runs again, so the callback is empty."""


def written(shown: Shown, asked: Any) -> dict[str, Any] | None:
    """Return the file that the browser has asked for, packed, or an error message."""
    try:
        ending, kind, write = WRITERS[asked["what"]]
        number, link = int(asked["number"]), reachable(read_link(asked["link"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None  # no request, or one that our own page would not send
    try:
        with store().gate.budget(MOST_SECONDS):
            text = write(replace(shown, about=replace(shown.about, link=link)))
    except Unwritable as error:
        return {"number": number, "error": f"This file cannot be written. {error}"}
    except OverBudget:
        return {"number": number, "error": TOO_LONG}
    packed = b64encode(gzip.compress(text.encode(), 5, mtime=0)).decode()
    name = f"{shown.about.name}{ending}"
    return {"number": number, "name": name, "type": kind, "packed": packed}


def _some(total: int) -> str:
    """Return the number of steps in the table, in words."""
    if total <= MOST_ROWS:
        return "every step"
    return f"{MOST_ROWS:,} of the {total:,} steps, evenly spaced"
