"""The steps of a run as a table: a row each, with what is said and the numbers of the step."""

import csv
import io
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from pages._shared.data.table import guarded, plain_number
from viz.core.scene import Run, Scene

MOST_ROWS = 5000


def evenly(total: int, most: int) -> list[int]:
    """Choose so many of the steps, the first and the last among them; all if there are no more."""
    return np.unique(np.linspace(0, total - 1, min(total, most)).round().astype(int)).tolist()


def steps_csv(run: Run, scene: Scene) -> str:
    """Write step number, event, first line of the caption, and the fields that hold one value.

    Of a run of more than `MOST_ROWS` steps so many rows are written, evenly spaced. Text that a
    spreadsheet would run as a formula gets a leading apostrophe.
    """
    chosen = evenly(len(run.steps), MOST_ROWS)
    values = [_values(run.steps[i]) for i in chosen]
    names = list(dict.fromkeys(name for each in values for name in each))
    rows = [
        [i, guarded(run.steps[i].event or ""), guarded(scene.caption(i).partition("\n")[0])]
        + [_cell(each.get(name)) for name in names]
        for i, each in zip(chosen, values, strict=True)
    ]
    out = io.StringIO()
    header = ["step", "event", "caption", *map(guarded, names)]
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def _values(step: Any) -> dict[str, Any]:
    """Give the fields of a step that hold one number or one text; the event has its own column."""
    if not is_dataclass(step):
        return {}
    found = {each.name: getattr(step, each.name) for each in fields(step) if each.name != "event"}
    return {
        name: value for name, value in found.items()
        if isinstance(value, bool | int | float | str | np.generic)
    }  # fmt: skip


def _cell(value: Any) -> str:
    """Write a value; what is no number has an empty cell."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return guarded(value)
    return plain_number(value) if isinstance(value, float) else str(value)
