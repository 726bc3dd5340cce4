"""What the drawings of a room cost: the browser asks, and the algorithm answers.

The drawings come from phones. The browser of the teacher's page has them from the room, which may
be in another process, and asks the process that has the run.
"""

from typing import Any

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from algorithms.core.work import pausing
from pages._shared.session.cache import turn
from pages._shared.stage.heard import sent
from pages._shared.stage.protocol import MOST_DRAWINGS, Drawings, Judged
from pages._shared.stage.scripts import source
from viz.core.drawing import MOST_PLACES, Drawing
from viz.core.scene import Scene

_judge = component("judge", js=source("boot/judge.js"), isolate_styles=False)


@st.fragment
@turn()
def judge(key: str, scene: Scene) -> None:
    """Answer what the drawings cost; the rest of the page does not run again."""
    if scene.to_draw is None:
        return
    asked = read_drawings(sent("judge", "drawings"))
    answer: Judged = {"scene": key, "asked": 0, "costs": [], "best": [], "least": None}
    if asked is not None and asked["scene"] == key:
        answer = judged(scene.to_draw, asked)
    _judge(key="judge", data=answer, on_drawings_change=_heard)


def judged(drawing: Drawing, asked: Drawings) -> Judged:
    """Return the cost of every drawing, and the best one with its cost."""
    return {
        "scene": asked["scene"],
        "asked": asked["number"],
        "costs": [drawing.judge(np.array(places, float)) for places in pausing(asked["places"])],
        "best": drawing.best.tolist(),
        "least": drawing.judge(drawing.best),
    }


def read_drawings(raw: Any) -> Drawings | None:
    """Return the request of our own page; None for what it would not send."""
    try:
        places = [
            [[float(x), float(y)] for x, y in each[:MOST_PLACES]]
            for each in raw["places"][:MOST_DRAWINGS]
        ]
        return {"scene": str(raw["scene"]), "places": places, "number": max(0, int(raw["number"]))}
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _heard() -> None:
    """Answer the request when the fragment runs."""
