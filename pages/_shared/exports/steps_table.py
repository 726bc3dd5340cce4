"""Writes the steps of a run as a table, with a row for each step."""

import csv
import io
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from algorithms.core.work import pausing
from pages._shared.data.table import guarded, plain_number
from viz.core.scene import Run, Scene

MOST_ROWS = 5000


def evenly(total: int, most: int) -> list[int]:
    """Return `most` evenly spaced steps with the first and the last, or all if there are fewer."""
    return np.unique(np.linspace(0, total - 1, min(total, most)).round().astype(int)).tolist()


def steps_csv(run: Run, scene: Scene) -> str:
    """Write step number, event, first line of the caption, and the fields that hold one value.

    A run of more than `MOST_ROWS` steps gets `MOST_ROWS` evenly spaced rows. Text that a
    spreadsheet would run as a formula gets a leading apostrophe.
    """
    chosen = evenly(len(run.steps), MOST_ROWS)
    captions = pausing(scene.caption(i) for i in chosen)
    values = [_values(run.steps[i]) for i in chosen]
    names = list(dict.fromkeys(name for each in values for name in each))
    rows = [
        [i, guarded(run.steps[i].event or ""), guarded(caption.partition("\n")[0])]
        + [_cell(each.get(name)) for name in names]
        for i, each, caption in zip(chosen, values, captions, strict=True)
    ]
    out = io.StringIO()
    header = ["step", "event", "caption", *map(guarded, names)]
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def _values(step: Any) -> dict[str, Any]:
    """Return the fields of a step that hold one number or one text, without the event."""
    if not is_dataclass(step):
        return {}
    found = {each.name: getattr(step, each.name) for each in fields(step) if each.name != "event"}
    return {
        name: value for name, value in found.items()
        if isinstance(value, bool | int | float | str | np.generic)
    }  # fmt: skip


def _cell(value: Any) -> str:
    """Write a value; NaN and None give an empty cell."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return guarded(value)
    return plain_number(value) if isinstance(value, float) else str(value)
