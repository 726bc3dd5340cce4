"""Two classifiers on one plane: where they differ, and which held-out points each gets wrong."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.core.pipeline import Mapped
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, rgb

_FINE, _COARSE = 140, 80  # cells along each axis
_SYMBOLS = (100, 101, 102)
_SIZES, _SMALLER = (0, 18, 20), (0, 14, 16)  # of the marks, in pixels
_MANY = 500  # with more points than this, marks are smaller
_NEAR = 0.78  # of the picture, across and up: where the names of both classifiers are
_BETWEEN = 20  # places on each part of a border
_AGREED, _PALE = 0.5, 0.15  # the strength of a point that both judge alike, and of no judged one
ALIKE, ONLY_FIRST, ONLY_SECOND = range(3)  # the kinds of marks
_COLORS, _OPACITY = np.array([rgb(GREY)] * 2, np.uint8), np.array([0, 140], np.uint8)
MARKS = (
    "A square: only the first is wrong on this held-out point. A diamond: only the "
    "second is wrong. On pale points both are right or both are wrong, and the palest are not "
    "judged. Grey: the "
    "two disagree. The first classifier has the solid border, the second the dashed one."
)
_SIGNS = {
    "wrong": "thick outline: both wrong",
    "strength": "pale: both agree; palest: not judged",
    "marks": [
        "",
        "only the first is wrong",
        "only the second is wrong",
    ],
}


def pair(
    data: Plane,
    classes: ndarray,
    models: Sequence[Mapped],
    names: tuple[str, str],
    *,
    fine: bool = True,
) -> Callable[[ndarray, ndarray, ndarray], Figure]:
    """Return a function that draws both classifiers and some points, given which are wrong.

    Its arguments are (n,) the points judged, (2, n) those that each classifier gets wrong, and
    (n,) those held out.
    fine : use a finer grid, for a picture whose classifiers are the same at all steps.
    """
    size = _FINE if fine else _COARSE
    x, y, cells = plane.grid(data.bounds, size)
    said = [_said(model, classes, cells) for model in models]
    winners = [classes[scores.argmax(axis=0)].reshape(size, size) for scores in said]
    strokes = ({"width": 2.5}, {"width": 2.5, "dash": "dash"})
    borders = [
        plane.borders(
            x, y, scores.reshape(-1, size, size), line=stroke, name=f"border of {name}",
            showlegend=True,
        )
        for scores, stroke, name in zip(said, strokes, names, strict=True)
    ]  # fmt: skip
    traces = [
        plane.regions(winners[0], None, data.bounds) | {"name": "class that the first predicts"},
        _grey(winners[0] != winners[1], data.bounds) | {"name": "the two disagree"},
        *borders,
        *_named(borders, names, data.bounds),
        naming.in_corner(
            f"in a square: only {names[0]} is wrong<br>in a diamond: only {names[1]}<br>"
            "pale: both agree",
            data.bounds, "bottom right",
        ),
    ]  # fmt: skip

    def draw(shown: ndarray, wrong: ndarray, held: ndarray) -> Figure:
        kind = np.full(len(shown), ALIKE)
        kind[wrong[0] & ~wrong[1]] = ONLY_FIRST
        kind[wrong[1] & ~wrong[0]] = ONLY_SECOND
        strength = np.where(kind != ALIKE, 1.0, np.where(shown, _AGREED, _PALE))
        points = plane.points(
            data.X, data.labels, wrong[0] & wrong[1], held=held, strength=strength
        )
        sizes, width = (_SMALLER, 1) if len(data.X) > _MANY else (_SIZES, 2)
        marks = plane.marks(kind, _SYMBOLS, sizes, width)
        return plane.figure(
            traces, data.bounds, data.names, points=points, marks=marks, signs=_SIGNS
        )

    return draw


def regions_of_first(data: Plane, models: Sequence[Mapped], *, fine: bool = True) -> Regions:
    """Return the class that the first classifier predicts in every cell."""
    size = _FINE if fine else _COARSE
    cells = plane.grid(data.bounds, size)[2]
    return Regions(models[0].predict(cells).reshape(size, size))


def _named(borders: Sequence[dict], names: tuple[str, str], box: Bounds) -> list[dict]:
    """Write the names of both classifiers beside their borders, on the outer sides of the pair."""
    left, right, bottom, top = box
    size = np.array([right - left, top - bottom])
    near = np.array([left, bottom]) + _NEAR * size
    places = [_nearest(border, near, size) for border in borders]
    (x, y), (other_x, other_y) = ((place - near) / size for place in places)
    sides = ["top left", "bottom right"][:: 1 if y - x >= other_y - other_x else -1]
    return [
        naming.words(place, f" {name} ", side)
        for place, name, side in zip(places, names, sides, strict=True)
    ]


def _nearest(border: dict, near: ndarray, size: ndarray) -> ndarray:
    """Return the place on a border that is nearest to another, by the size of the picture."""
    path = np.column_stack([plane.unpacked(border[axis]) for axis in "xy"]).astype(float)
    parts = np.linspace(0, 1, _BETWEEN)[:, None]
    places = (path[:-1, None] + parts * np.diff(path, axis=0)[:, None]).reshape(-1, 2)
    places = places[np.isfinite(places[:, 0])]
    if not len(places):
        return plane.GAP[0]
    return places[np.hypot(*((places - near) / size).T).argmin()]


def _grey(part: ndarray, box: Bounds) -> dict:
    return plane.image(part.astype(np.uint8), _COLORS, _OPACITY, box)


def _said(model: Mapped, classes: ndarray, cells: ndarray) -> ndarray:
    """Return (classes, cells) scores; 1 and -1 if the model knows fewer classes."""
    scores = np.ascontiguousarray(model.scores(cells).T)
    if len(scores) == len(classes):
        return scores
    return np.where(model.predict(cells) == classes[:, None], 1.0, -1.0)
