"""Frames: the figures of single steps, reduced to their differences from the first step."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from viz.core.scene import Figure, Scene

FIRST, BETWEEN = 2, 3  # steps of a run in the answer to a move, besides the last one
SHORT = 7  # steps: the answer holds all of a run as short as this
MOST = 150_000  # characters: an answer of this length holds only the steps it must


def key_steps(total: int, at: int = 0) -> list[int]:
    """Return the steps that are drawn before the browser requests them.

    These are all steps of a short run; otherwise the first ones, the last one, a few evenly spaced
    ones in between, and the step `at`.
    """
    if total <= SHORT:
        return list(range(total))
    last = total - 1
    between = (round(last * i / (BETWEEN + 1)) for i in range(1, BETWEEN + 1))
    return sorted({*range(FIRST), *between, last, min(at, last)})


def needed_steps(total: int, at: int) -> list[int]:
    """Return the steps that every answer holds, however long they are."""
    return sorted({0, total - 1, min(at, total - 1)})


def first_figures(scene: Scene) -> list[Figure]:
    """Return every view's figure at step 0, from which the frames differ."""
    return [view.draw(0) for view in scene.views]


def frame(scene: Scene, first: Sequence[Figure], step: int) -> dict:
    """Draw one step: its caption, and the differences of every view from its first figure.

    It also holds the answer and the question about the following step, if there are any.
    """
    figures = first if step == 0 else [view.draw(step) for view in scene.views]
    pairs = zip(first, figures, strict=True)
    views = [difference(a, b) for a, b in pairs]
    asked = scene.ask(step)
    question = {"question": _short(asdict(asked))} if asked else {}
    told = scene.answer(step)
    answer = {"answer": told} if told else {}
    return {"caption": scene.caption(step), **answer, "views": views, **question}


def _short(value: Any) -> Any:
    """Return a value without entries that are None, and with seven digits of every number."""
    if isinstance(value, dict):
        return {name: _short(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def difference(before: Figure, after: Figure) -> dict:
    """Return the attributes in which `after` differs; both must have the same attributes.

    "data" becomes {index of a trace: changed attributes}.
    """
    if before is after:
        return {}
    if len(before["data"]) != len(after["data"]):
        raise ValueError("every step must draw the same traces in the same order")
    pairs = enumerate(zip(before["data"], after["data"], strict=True))
    traces = {str(i): patch for i, (a, b) in pairs if (patch := _changed(a, b))}
    rest = _changed(_without_data(before), _without_data(after))
    return ({"data": traces} if traces else {}) | rest


def _without_data(figure: Figure) -> dict:
    return {name: value for name, value in figure.items() if name != "data"}


def _changed(before: dict, after: dict) -> dict:
    """Return the attributes of `after` that differ; both must have the same ones."""
    if before is after:
        return {}
    if before.keys() != after.keys():
        raise ValueError(f"steps draw different attributes: {before.keys() ^ after.keys()}")
    changed = {}
    for name, value in after.items():
        old = before[name]
        if value is old:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and "bdata" not in value:
            if inner := _changed(old, value):
                changed[name] = inner
        elif value != old:
            changed[name] = value
    return changed
