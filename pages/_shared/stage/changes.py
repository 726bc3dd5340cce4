"""Which parameters have changed since a lab was last shown, in words."""

from typing import Any

from pages._shared.data.session_data import board
from pages._shared.session.cache import digest
from pages._shared.session.state import Declared, session
from pages._shared.session.values import Chosen
from pages._shared.stage import fork as forking
from pages._shared.stage.handles import places_told
from viz.core.words import listed, number


def what_changed(place: str) -> str:
    """Write which parameters differ from those at the last rerun of this lab.

    A parameter that has only followed its default, such as places on the picture, is not named. If
    only places were dragged, or only What if was pressed, the result is empty: the user sees what
    has changed.
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
        turned = changes.keys() == {forking.NAME}
        seen = dragged or turned
        now.reason = "" if seen else "; ".join(changes.values()) or "the data changed"
    now.shown[place] = shown | {"points": points}
    return now.reason


def told(name: str, value: Any) -> str:
    """Write the value of a parameter as captions write numbers and places."""
    if name in session().handles:
        return places_told(value)
    if name.endswith(forking.WAYS + forking.MOVED):
        return forking.moved_told(value)
    if isinstance(value, Chosen):
        return listed(value) or "nothing"
    if isinstance(value, bool):
        return "on" if value else "off"
    return number(value, 6) if isinstance(value, float) else str(value)
