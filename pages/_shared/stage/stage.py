"""The stage: the picture that can be painted on, the linked views, the player and the caption.

Python sends a run's length and a few frames. The browser requests the others as it plays, and
reports finished strokes and dragged handles (heard.py). The messages are declared in protocol.py.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from pages._shared.data.session_data import board
from pages._shared.session.cache import digest, once, turn
from pages._shared.session.parameters import by_user
from pages._shared.session.reach import has_server, origin
from pages._shared.session.state import session
from pages._shared.stage import heard, judging
from pages._shared.stage.changes import what_changed
from pages._shared.stage.drawn import frame_texts, opening, packed, quiz_steps
from pages._shared.stage.protocol import (
    Choice,
    Colors,
    Frames,
    Handles,
    Lesson,
    Look,
    Paint,
    Stage,
)
from pages._shared.stage.scripts import STYLES, loader, source
from pages._shared.stage.shown import Shown
from viz.core.scene import Scene
from viz.core.theme import INKS, PALETTE, RIM, SYMBOLS, TEMPLATES

# Three components, because data that stay the same are not sent again if they have their own.
_scripts = component(
    "scripts",
    css=source(*STYLES),
    js=loader(),
    isolate_styles=False,
)
_stage = component(
    "stage",
    html=source("stage.html"),
    js=source("boot/mount.js"),
    isolate_styles=False,  # Plotly puts its styles into the page
)
_frames = component("frames", js=source("boot/frames.js"), isolate_styles=False)

_HEARD: dict[str, Any] = {
    "on_edits_change": by_user(heard.carry_out),
    "on_places_change": by_user(heard.put_places),
    "on_chosen_change": by_user(heard.choose),
    "on_live_change": by_user(heard.note_live),
    "on_fork_change": by_user(heard.note_fork),
    "on_carried_change": by_user(heard.note_carried),
}

# If a fragment runs again by itself, even only in a week, Streamlit requests the page as soon as a
# broken connection is back. Otherwise a restarted server would first hear of the visitor's next
# action, and could not know what it changes.
NEVER = timedelta(days=7)


def show(
    place: str,
    shown: Shown,
    handles: Sequence[Handles],
    choices: Sequence[Choice],
    lesson: tuple[str, Lesson | None],
    *,
    paint: Paint | None,
    quiz: tuple[int, int],
    legend: list[str] | None,
) -> None:
    """Show a mode's run and scene on the stage.

    place : the lab and its mode. lesson : the lab's title, and the situation under way. paint : see
    `paint`; None for a lab without a board. quiz : the number of questions, 0 for no quiz, and the
    seed that draws them. legend : see `class_names`.
    """
    key, run, scene = shown.key, shown.run, shown.scene
    now = session()
    sent: Stage = {
        "place": place,
        "scene": key,
        "run": run.key,
        "opening": _opening(place, shown),
        "error": run.error,
        "bounds": repr(board().bounds) if paint else "",
        "session": now.name,
        "links": now.links,
        "look": _look(),
        "heard": now.heard,
        "put": now.put,
        "reason": "" if now.moving else what_changed(place),
        "origin": origin(st.context.url or ""),
        "rooms": has_server(),
        "lab": lesson[0],
        "lesson": lesson[1],
        "quiz": quiz_steps(key, run, scene, quiz),
        "forks": shown.forks,
        "fork": shown.fork,
        "grows": shown.grows,
        "opens": scene.opens,
        "carries": shown.carries,
        "legend": legend,
        "handles": list(handles),
        "choices": list(choices),
        "paint": paint,
        "theme": colors(),
    }
    _stage(key="stage", data=sent, **_HEARD)
    _serve(place, shown)


def _serve(place: str, shown: Shown) -> None:
    """Give the stage its scripts, the frames it asks for, and the costs of a room's drawings."""
    with st.container(key="unseen"):  # Streamlit loads Plotly for a chart; the stage shares it
        _load_plotly()
        _scripts(key="scripts")
        more_frames(place, shown.key, len(shown.run.steps), shown.scene)
        judging.judge(shown.key, shown.scene)


def _opening(place: str, shown: Shown) -> str:
    """Return the first frames, about the step that is to be shown, as JSON."""
    now, key = session(), shown.key
    at = now.look.step if now.followed else shown.fork or now.at.get(place, shown.scene.opens)
    frames = digest(("opening", key, at))
    return once(frames, lambda: opening(key, shown.run, shown.scene, at))


def _look() -> Look:
    """Return the step, zoom, presenter mode and layers that the last link asks for."""
    step, zoom, present, layers = session().look
    return {"at": step, "zoom": zoom, "present": present, "layers": list(layers)}


def paint(*, labelled: bool) -> Paint:
    """Return the state of the board for painting. labelled : points have classes."""
    here = board()
    return {
        "labels": packed(here.data.labels.astype(np.uint8)),
        "classes": list(here.data.classes) if labelled else None,
        "revision": here.revision,
        "done": {"page": here.page, "number": here.done},
        "undo": bool(here.past),
        "redo": bool(here.future),
    }


def colors() -> Colors:
    """Return the colours and symbols of the stage, light and dark."""
    return {
        "templates": TEMPLATES,
        "palette": [*PALETTE],
        "inks": INKS,
        "symbols": [*SYMBOLS],
        "rim": RIM,
    }


@st.cache_resource(show_spinner=False)
def _load_plotly() -> None:
    """Show a hidden chart, made only once because that takes Plotly 2 ms."""
    st.plotly_chart({"data": [{"x": [0], "y": [0]}]}, key="loader", height=10)


@st.fragment(run_every=NEVER)
@turn()
def more_frames(place: str, key: str, total: int, scene: Scene) -> None:
    """Draw the frames that the browser has requested; the rest of the page does not run again."""
    wanted, session().wanted = session().wanted, None
    text = None
    if wanted and wanted["scene"] == key:
        session().at[place] = wanted["at"]
        steps = [step for step in wanted["steps"] if step < total]
        text = "{" + ",".join(frame_texts(key, scene, steps)) + "}"
    answer: Frames = {
        "scene": key,
        "asked": wanted["number"] if wanted else 0,
        "frames": text,
    }
    _frames(
        key="frames",
        data=answer,
        on_wanted_change=heard.note_wanted,
    )
