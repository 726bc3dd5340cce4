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
    answer: Judged = {"scene": key, "asked": 0, "costs": [], "best": [], "least": None, "link": {}}
    if asked is not None and asked["scene"] == key:
        answer = judged(scene.to_draw, asked)
    _judge(key="judge", data=answer, on_drawings_change=_heard)


def judged(drawing: Drawing, asked: Drawings) -> Judged:
    """Return the cost of every drawing, the best one with its cost, and how to run on all."""
    each = [np.array(places, float) for places in asked["places"]]
    costs = [drawing.judge(places) for places in pausing(each)]
    return {
        "scene": asked["scene"],
        "asked": asked["number"],
        "costs": costs,
        "best": drawing.best.tolist(),
        "least": drawing.judge(drawing.best),
        "link": _link(drawing, each, costs, asked["counts"]),
    }


def _link(
    drawing: Drawing, each: list[np.ndarray], costs: list[float | None], counts: list[int]
) -> dict[str, str]:
    """Return the parameters with which the lab runs on the drawings of all phones."""
    triples = zip(each, costs, counts, strict=True)
    known = [places for places, cost, count in triples for _ in range(count) if cost is not None]
    return drawing.run(np.array(known[:MOST_DRAWINGS])) if drawing.run and known else {}


def read_drawings(raw: Any) -> Drawings | None:
    """Return the request of our own page; None for what it would not send."""
    try:
        places = [
            [[float(x), float(y)] for x, y in each[:MOST_PLACES]]
            for each in raw["places"][:MOST_DRAWINGS]
        ]
        counts = [min(max(int(count), 0), MOST_DRAWINGS) for count in raw["counts"][: len(places)]]
        counts += [1] * (len(places) - len(counts))
        number = max(0, int(raw["number"]))
        return {"scene": str(raw["scene"]), "places": places, "counts": counts, "number": number}
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _heard() -> None:
    """Answer the request when the fragment runs."""
