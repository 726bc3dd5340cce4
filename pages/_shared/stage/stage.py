"""The stage: the picture that can be painted on, the linked views, the player and the caption.

Everything moves in the browser; Python sends a whole run at once and hears of finished strokes.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from algorithms.data.presets import MAX_ROWS
from viz.core.frames import animate, thin
from viz.core.theme import PALETTE, SYMBOLS, TEMPLATES

HERE = Path(__file__).parent
View = Callable[[int], dict]  # step number -> figure
# Handles that go with the steps: what they are, for screen readers, and their (steps, k, 2) places.
# Dragging one on the picture goes to the step that has a place nearest to the pointer.
Track = tuple[str, np.ndarray]


def _source(*names: str) -> str:
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "stage",
    html=_source("stage.html"),
    css=_source("stage.css"),
    js=f"const MOST_POINTS = {MAX_ROWS};\n"
    + _source("plots.js", "player.js", "paint.js", "handles.js", "stage.js"),
    isolate_styles=False,  # Plotly puts its styles into the page
)


def payload(
    events: Sequence[str | None],
    views: Mapping[str, View],
    captions: Callable[[int], str],
    track: Track | None = None,
) -> str:
    """Draw a run: all that the browser needs to play it, as JSON.

    events : each step's event. views : the picture first, then the linked views, by title.
    """
    shown = thin(events)
    run = {
        "steps": shown,
        "total": len(events),
        "events": [events[i] for i in shown],
        "captions": [captions(i) for i in shown],
        "track": track and {"label": track[0], "places": track[1][shown].tolist()},
        "views": [
            {"title": title, "figure": animate([view(i) for i in shown])}
            for title, view in views.items()
        ],
    }
    return json.dumps(run, allow_nan=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"not JSON: {value!r}")


def mount(
    data: dict, *, labelled: bool, on_edits: Callable[[], None], on_places: Callable[[], None]
) -> None:
    """Put the stage on the page. data : what `Stage.update` in stage.js reads."""
    theme = {
        "templates": TEMPLATES,
        "palette": PALETTE,
        "symbols": SYMBOLS,
        "labelled": labelled,
    }
    _component(
        key="stage",
        data={**data, "theme": theme},
        on_edits_change=on_edits,
        on_places_change=on_places,
    )


def sent(what: str) -> Any:
    """Give what the browser sent last, or None: its "edits" or the "places" of its handles.

    Edits are {"page": a token, "edits": those the page has not yet seen done}; places are pairs.
    """
    state = st.session_state.get("stage")
    return state.get(what) if state else None
