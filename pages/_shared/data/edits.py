"""Painting as pure functions: a data set and a message of the browser give the new data set."""

import math
from dataclasses import replace

import numpy as np
from numpy import ndarray

from algorithms.data.presets import MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data.decimals import MAX_VALUE, fine_places, rounded
from viz.core.scene import Bounds

DRAWN = "drawn"  # the name of points without a file or preset


def edit(data: Dataset, request: dict, bounds: Bounds) -> Dataset:
    """Return the data set after one stroke.

    request : one of
        {"op": "add", "points": [[x, y], ...], "label": 0}
        {"op": "move", "index": 3, "to": [x, y]}
        {"op": "erase", "indices": [3, ...]}
        {"op": "relabel", "indices": [3, ...], "label": 1}

    Places are rounded to what can be distinguished within `bounds`. Raises ValueError otherwise.
    """
    try:
        return _edit(data, request, bounds)
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise ValueError(f"not an edit: {error}") from error


def _edit(data: Dataset, request: dict, bounds: Bounds) -> Dataset:
    match request["op"]:
        case "add":
            points = [_point(p) for p in request["points"][:MAX_ROWS]]
            return _add(data, _rounded(points, bounds), _label(request))
        case "move":
            index, place = moved(data, request, bounds)
            table = data.table.copy()
            table[index, [data.x, data.y]] = place
            return replace(data, table=table)
        case "erase":
            keep = np.ones(len(data.table), bool)
            keep[_indices(data, request["indices"])] = False
            return replace(data, table=data.table[keep], labels=data.labels[keep])
        case "relabel":
            label = _label(request)
            labels = data.labels.copy()
            labels[_indices(data, request["indices"])] = label
            return replace(data, labels=labels, classes=_with_class(data.classes, label))
        case other:
            raise ValueError(f"unknown edit {other!r}")


def moved(data: Dataset, request: dict, bounds: Bounds) -> tuple[int, ndarray]:
    """Return the row that is moved, and its new place. Raise as `edit` does for other requests."""
    (index,) = _indices(data, [request["index"]])
    (place,) = _rounded([_point(request["to"])], bounds)
    return index, place


def empty() -> Dataset:
    """Return an empty plane to draw on."""
    no_points, no_labels = np.empty((0, 2)), np.empty(0, np.int64)
    return Dataset(DRAWN, no_points, ("x", "y"), no_labels, ("1",))


def _add(data: Dataset, points: ndarray, label: int) -> Dataset:
    """Add points; in columns that are not on the axes, they get the mean of the other points."""
    points = points[: MAX_ROWS - len(data.table)]
    rows = np.tile(_middle(data), (len(points), 1))
    rows[:, [data.x, data.y]] = points
    return replace(
        data,
        table=np.concatenate([data.table, rows]),
        labels=np.append(data.labels, np.full(len(points), label)),
        classes=_with_class(data.classes, label),
    )


def _middle(data: Dataset) -> ndarray:
    """Return the mean of every column, rounded like painted places."""
    if not len(data.table):
        return np.zeros(len(data.columns))
    spreads = np.ptp(data.table, axis=0)
    means = zip(data.table.mean(axis=0), spreads, data.table[0], strict=True)
    return np.array([
        rounded(mean, fine_places(spread)) if spread else first for mean, spread, first in means
    ])  # fmt: skip


def _rounded(points: list[tuple[float, float]], bounds: Bounds) -> ndarray:
    """Return (m, 2) places, rounded so that a link holds them exactly."""
    places = np.array(points).reshape(-1, 2)
    for axis, spread in enumerate((bounds[1] - bounds[0], bounds[3] - bounds[2])):
        places[:, axis] = rounded(places[:, axis], fine_places(spread))
    return places


def _with_class(classes: tuple[str, ...], label: int) -> tuple[str, ...]:
    """Return the class names up to `label`; new classes are named by their number."""
    names = list(classes)
    while len(names) <= label:
        name = str(len(names) + 1)
        names.append(name if name not in names else f"class {name}")
    return tuple(names)


def _point(pair: list) -> tuple[float, float]:
    x, y = float(pair[0]), float(pair[1])
    if not (math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) <= MAX_VALUE):
        raise ValueError(f"not a point of the plane: {pair!r}")
    return x, y


def _label(request: dict) -> int:
    label = int(request["label"])
    if not 0 <= label < MAX_CLASSES:
        raise ValueError(f"label must be between 0 and {MAX_CLASSES - 1}, got {label}")
    return label


def _indices(data: Dataset, wanted: list) -> list[int]:
    if len(wanted) > MAX_ROWS:
        raise ValueError(f"at most {MAX_ROWS} points, got {len(wanted)}")
    indices = [int(i) for i in wanted]
    if not all(0 <= i < len(data.table) for i in indices):
        raise ValueError(f"points must be between 0 and {len(data.table) - 1}, got {indices}")
    return indices
