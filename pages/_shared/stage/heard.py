"""What the browser reports: strokes, handles and sliders, pressed buttons, what-ifs, frames.

A report that our own page would not send changes nothing.
"""

from typing import Any

import streamlit as st

from pages._shared.data.session_data import board
from pages._shared.session.state import session
from pages._shared.stage import fork as forking
from pages._shared.stage.handles import places_text
from pages._shared.stage.protocol import MOST_WANTED, Wanted


def sent(component: str, what: str) -> Any:
    """Return the browser's last message, or None."""
    state = st.session_state.get(component)
    return state.get(what) if state else None


def carry_out() -> None:
    """Carry out the painted strokes before the page runs."""
    if edits := sent("stage", "edits"):
        board().carry_out(edits)


def put_places() -> None:
    """Keep the dragged places, which the lab then reads like those of a link."""
    here, moved = session(), sent("stage", "places")
    try:
        name, text = str(moved["name"]), places_text(moved["places"])
        here.put = int(moved["number"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send
    scope, parameter = here.handles.get(name, ("", ""))
    if scope in here.kept:  # it is not if a link has ended what the handle belonged to
        here.kept[scope][parameter] = text
        here.moved = moved.get("moving") is True
        here.heard += 1


def choose() -> None:
    """Keep the value of the button that was pressed, which the lab then reads like a link's."""
    here, chosen = session(), sent("stage", "chosen")
    try:
        name, value = str(chosen["name"]), str(chosen["value"])
    except (KeyError, TypeError):
        return  # nothing our own page would send
    scope, parameter = here.choices.get(name, ("", ""))
    if scope in here.kept:
        here.kept[scope][parameter] = value
        here.heard += 1


def note_live() -> None:
    """Note the value of a slider that is being dragged, which is shown but not kept."""
    live, here = sent("stage", "live"), session()
    try:
        here.live = (str(live["key"]), str(live["before"]), str(live["value"]))
    except (KeyError, TypeError):
        return  # nothing our own page would send
    here.heard += 1


def note_fork() -> None:
    """Change the step after the shown one, or go back to the original run."""
    try:
        step = max(0, int(sent("stage", "fork")["step"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send
    forking.turn(session(), step + 1)


def note_carried() -> None:
    """Move a point from the changed step on."""
    try:
        forking.move(session(), sent("stage", "carried"))
    except (LookupError, TypeError, ValueError, OverflowError):
        return  # nothing our own page would send


def note_wanted() -> None:
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
