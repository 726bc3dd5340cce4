"""A scene as the JSON that the browser gets: its first answer, and single frames.

Everything is drawn once for all sessions.
"""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from pages._shared.session.cache import digest, once
from pages._shared.stage import protocol
from pages._shared.stage.protocol import Opening, Packed
from viz.core import frames, plane, question
from viz.core.scene import Figure, Plane, Run, Scene, View


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
        "drawing": _drawing(scene),
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
    if not scene.names_classes:
        return None
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


def _drawing(scene: Scene) -> protocol.Drawing | None:
    """Return what a class can draw, as the browser gets it."""
    found = scene.to_draw
    if found is None:
        return None
    return {
        "task": found.task,
        "shape": found.shape,
        "names": list(found.names),
        "start": found.start.tolist(),
        "measure": found.measure,
        "classes": found.classes,
        "runs": found.runs if found.run else "",
    }


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
        "large": view.large,
    }
    if view.ahead:
        sent["ahead"] = "hidden" if view.ahead is True else view.ahead
    if view.at:
        sent["at"] = [float(x) for x in view.at]
    if view.layers:
        sent["layers"] = [
            {"name": each.name, "marks": list(each.marks), "on": each.on} for each in view.layers
        ]
    return sent


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
