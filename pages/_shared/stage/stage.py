"""The stage: the picture that can be painted on, the linked views, the player and the caption.

Python sends a run's length and a few frames. The browser requests the others as it plays, and
reports finished strokes and dragged handles. The messages are declared in protocol.py.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from pages._shared.data.session_data import board
from pages._shared.session.cache import digest, once, turn
from pages._shared.session.parameters import by_user
from pages._shared.session.reach import has_server, origin
from pages._shared.session.state import Declared, session
from pages._shared.stage import fork as forking
from pages._shared.stage import protocol
from pages._shared.stage.handles import places_text, places_told
from pages._shared.stage.protocol import (
    MOST_WANTED,
    Colors,
    Frames,
    Handles,
    Look,
    Opening,
    Packed,
    Paint,
    Stage,
    Wanted,
)
from pages._shared.stage.scripts import STYLES, loader, source
from pages._shared.stage.shown import Shown
from viz.core import frames, plane, question
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import INKS, PALETTE, RIM, SYMBOLS, TEMPLATES
from viz.core.words import number

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

# If a fragment runs again by itself, even only in a week, Streamlit requests the page as soon as a
# broken connection is back. Otherwise a restarted server would first hear of the visitor's next
# action, and could not know what it changes.
NEVER = timedelta(days=7)


def show(
    place: str,
    shown: Shown,
    handles: Sequence[Handles],
    *,
    paint: Paint | None,
    quiz: tuple[int, int],
    legend: list[str] | None,
) -> None:
    """Show a mode's run and scene on the stage.

    place : the lab and its mode. paint : see `paint`; None for a lab without a board. quiz : the
    number of questions, 0 for no quiz, and the seed that draws them. legend : see `class_names`.
    """
    key, run, scene = shown.key, shown.run, shown.scene
    now = session()
    at = now.look.step if now.followed else shown.fork or now.at.get(place, 0)
    sent: Stage = {
        "place": place,
        "scene": key,
        "run": run.key,
        "opening": once(digest(("opening", key, at)), lambda: opening(key, run, scene, at)),
        "error": run.error,
        "bounds": repr(board().bounds) if paint else "",
        "session": now.name,
        "links": now.links,
        "look": _look(),
        "heard": now.heard,
        "reason": "" if now.moving else what_changed(place),
        "origin": origin(st.context.url or ""),
        "rooms": has_server(),
        "quiz": quiz_steps(key, run, scene, quiz),
        "forks": shown.forks,
        "fork": shown.fork,
        "carries": shown.carries,
        "legend": legend,
        "handles": list(handles),
        "paint": paint,
        "theme": colors(),
    }
    _stage(
        key="stage",
        data=sent,
        on_edits_change=by_user(_carry_out),
        on_places_change=by_user(_put_places),
        on_live_change=by_user(_note_live),
        on_fork_change=by_user(_note_fork),
        on_carried_change=by_user(_note_carried),
    )
    with st.container(key="unseen"):  # Streamlit loads Plotly for a chart; the stage shares it
        _load_plotly()
        _scripts(key="scripts")
        more_frames(place, key, len(run.steps), scene)


def _look() -> Look:
    """Return the step, zoom and presenter mode that the last link asks for."""
    step, zoom, present = session().look
    return {"at": step, "zoom": zoom, "present": present}


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
        on_wanted_change=_note_wanted,
    )


def opening(key: str, run: Run, scene: Scene, at: int) -> str:
    """Return the first answer for a scene as JSON; see `Opening` in protocol.py."""
    total = max(1, len(run.steps))
    events = [(i, step.event) for i, step in enumerate(run.steps) if step.event]
    names = sorted({name for _, name in events})
    first = first_figures(key, scene)
    sent: Opening = {
        "total": total,
        "equal": scene.equal,
        "unit": scene.unit,
        "first": scene.counts_from,
        "names": names,
        "steps": gaps(np.array([i for i, _ in events], np.int64)),
        "kinds": packed(np.array([names.index(name) for _, name in events], np.uint8)),
        "views": [_view(view, figure) for view, figure in zip(scene.views, first, strict=True)],
        "frames": {},
    }
    text = _json(sent)
    drawn = ",".join(key_frames(key, scene, frames.MOST - len(text), total, at))
    return f"{text.removesuffix('}}')}{drawn}}}}}"


def key_frames(key: str, scene: Scene, room: int, total: int, at: int) -> list[str]:
    """Draw the frames of an answer: those that are needed, and others as far as there is room."""
    needed = frames.needed_steps(total, at)
    texts = frame_texts(key, scene, needed)
    room -= sum(map(len, texts))
    for step in frames.key_steps(total, at):
        if step not in needed:
            (text,) = frame_texts(key, scene, [step])
            room -= len(text)
            if room < 0:
                break
            texts.append(text)
    return texts


def has_points(key: str, scene: Scene) -> bool:
    """Return whether the picture shows points that can be painted on."""
    return scene.views[0].board and "points" in first_figures(key, scene)[0]


def class_names(key: str, scene: Scene, data: Plane) -> list[str] | None:
    """Return the names of the points' groups if these are the classes of the data, else None."""
    points = first_figures(key, scene)[0].get("points")
    drawn = points and points["group"] == plane.points(data.X, data.labels)["group"]
    return list(data.classes) if drawn and len(data.classes) > 1 else None


def quiz_steps(key: str, run: Run, scene: Scene, quiz: tuple[int, int]) -> list[int]:
    """Return randomly drawn steps at whose questions a quiz stops."""
    count, _ = quiz
    name, total = digest(("quiz", key, quiz)), len(run.steps)
    return once(name, lambda: [*question.quiz(scene.ask, total, *quiz)]) if count else []


def gaps(ascending: np.ndarray) -> Packed:
    """Pack ascending numbers as their differences, in bytes; after 255 the difference goes on."""
    between = np.diff(ascending, prepend=0)
    written = np.full(len(between) + int((between // 255).sum()), 255, np.uint8)
    written[np.cumsum(between // 255 + 1) - 1] = between % 255
    return {**packed(written), "gaps": True}


def packed(values: np.ndarray) -> Packed:
    """Pack an array as Plotly's typed array."""
    return Packed(**plane.packed(values))


def _view(view: View, first: Figure) -> protocol.View:
    track: protocol.Track | None = view.track and {
        "label": view.track.label,
        "along": view.track.along,
        "handles": view.track.places.shape[1],
        "places": packed(view.track.places.ravel()),
    }
    sent: protocol.View = {
        "title": view.title,
        "height": view.height,
        "first": protocol.Figure(**first),
        "track": track,
        "board": view.board,
    }
    return {**sent, "ahead": True} if view.ahead else sent


def first_figures(key: str, scene: Scene) -> list[dict]:
    """Draw all views at step 0, once for all sessions."""
    return once(digest(("first", key)), lambda: frames.first_figures(scene))


def frame_texts(key: str, scene: Scene, steps: Iterable[int]) -> list[str]:
    """Draw frames, each once for all sessions, as the members of a JSON object."""
    first = first_figures(key, scene)
    return [
        once(
            digest(("frame", key, step)),
            lambda step=step: f'"{step}":{_json(frames.frame(scene, first, step))}',
        )
        for step in steps
    ]


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"not JSON: {value!r}")


def what_changed(place: str) -> str:
    """Write which parameters differ from those at the last rerun of this lab.

    A parameter that has only followed its default, such as places on the picture, is not named. If
    only places were dragged, the result is empty: the user sees what has changed.
    """
    now = session()
    shown = {name: value for name, value in now.declared.items() if name != "points"}
    points = Declared("the data", digest(board().data), None)
    before = now.shown.get(place, {})
    changes = {
        name: f"{label} {told(name, before[name].value)} → {told(name, value)}"
        for name, (label, value, default) in shown.items()
        if name in before
        and before[name].value != value
        and (value != default or before[name].value != before[name].default)
    }
    if changes or before.get("points", points) != points:
        dragged = bool(changes) and changes.keys() <= now.handles.keys()
        now.reason = "" if dragged else "; ".join(changes.values()) or "the data changed"
    now.shown[place] = shown | {"points": points}
    return now.reason


def told(name: str, value: Any) -> str:
    """Write the value of a parameter as captions write numbers and places."""
    if name in session().handles:
        return places_told(value)
    if name.endswith(forking.WAYS + forking.MOVED):
        return forking.moved_told(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    return number(value, 6) if isinstance(value, float) else str(value)


def sent(component: str, what: str) -> Any:
    """Return the browser's last message, or None."""
    state = st.session_state.get(component)
    return state.get(what) if state else None


def _carry_out() -> None:
    """Carry out the painted strokes before the page runs."""
    if edits := sent("stage", "edits"):
        board().carry_out(edits)


def _put_places() -> None:
    """Keep the dragged places, which the lab then reads like those of a link."""
    here, moved = session(), sent("stage", "places")
    try:
        name, text = str(moved["name"]), places_text(moved["places"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send
    if name in here.handles:
        scope, parameter = here.handles[name]
        here.kept[scope][parameter] = text
        here.moved = moved.get("moving") is True
        here.heard += 1


def _note_live() -> None:
    """Note the value of a slider that is being dragged, which is shown but not kept."""
    live, here = sent("stage", "live"), session()
    try:
        here.live = (str(live["key"]), str(live["before"]), str(live["value"]))
    except (KeyError, TypeError):
        return  # nothing our own page would send
    here.heard += 1


def _note_fork() -> None:
    """Change the step after the shown one, or go back to the original run."""
    try:
        step = max(0, int(sent("stage", "fork")["step"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send
    forking.turn(session(), step + 1)


def _note_carried() -> None:
    """Move a point from the changed step on."""
    try:
        forking.move(session(), sent("stage", "carried"))
    except (LookupError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send


def _note_wanted() -> None:
    """Note which frames the browser requests; ignore what our own page would not send.

    This callback is not made by `by_user`, since the page itself does not run again.
    """
    try:
        session().wanted = _read_wanted(sent("frames", "wanted"))
    except (KeyError, TypeError, ValueError, OverflowError):
        session().wanted = None


def _read_wanted(wanted: Any) -> Wanted:
    steps = [int(step) for step in wanted["steps"][:MOST_WANTED]]
    return {
        "scene": str(wanted["scene"]),
        "steps": [step for step in steps if step >= 0],
        "at": max(0, int(wanted["at"])),
        "number": int(wanted["number"]),
    }
