"""What the modes of principal component analysis draw and note: the plane with the components."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.reduction.pca.denoising import DenoisingStep
from algorithms.reduction.pca.pca import PcaStep
from algorithms.reduction.pca.power_iteration import PowerStep
from algorithms.reduction.pca.projection import Projection
from algorithms.reduction.pca.projection_axis import AxisStep
from viz.core import naming, plane
from viz.core.found import Axis
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, color, rgb
from viz.core.turning import across_the_picture, handles
from viz.core.words import fixed, number, numbered, rounded

FAINT = 0.4  # opacity of bars of other components
MOST_PROJECTIONS = 350  # of points, in a picture: every frame holds them
MOST_SCORES = 1000  # points in a plane of scores
_NAMES = 4  # components named on the plane
PALE = f"rgba{(*rgb(GREY), 0.5)}"
_SMALL = 0.8  # of the diameter, and of the strength, of points
_SIDES = "top left", "bottom right", "top right", "bottom left"
_SAME = 0.05  # degrees: angles that differ by less are called the same
_SHORT = 0.04  # of the picture: a shorter half of an axis is not seen


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns whose components are looked for; two of them stand on the plane.

    table : (n, d). names : of the columns. seen : the indices of the two. standardize : whether
    every column is divided by its standard deviation.
    """

    table: ndarray
    names: tuple[str, ...]
    seen: tuple[int, int]
    standardize: bool
    plane: Plane


def shown_rows(n: int, most: int = MOST_PROJECTIONS) -> ndarray:
    """Return the indices of the points to draw: all, or evenly chosen ones of too many."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(int)


def picture(
    columns: Columns, steps: Sequence[Projection], now: int, *, noise: bool = False
) -> Figure:
    """Draw the points, their reconstructions, and the components.

    noise : points with noise were projected in place of the table's; draw these as well. With more
    than two columns the picture is the shadow of all this on the plane.
    """
    step, table, data = steps[now], columns.table, columns.plane
    flat = table.shape[1] > 2  # right angles are lost anyway, so the points may fill the picture
    box = plane.bounds(data.X, alike=False) if flat else data.bounds
    rows = shown_rows(len(table))
    seen = list(columns.seen)
    given = step.noisy if isinstance(step, DenoisingStep) else table
    center = step.mean[seen]
    directions = (step.components * step.scale)[:, seen]
    before, last, ends = _axes(step, center, directions, box)
    traces = [
        plane.line(
            before.reshape(-1, 2), line={"width": 2, "dash": "dot"}, name="earlier component"
        ),
        plane.line(last.reshape(-1, 2), line={"width": 3}, name="component of this step"),
        *_lost(given[rows], step, seen, data.labels[rows]),
        _names(center, ends, box, table[:, seen]),
        plane.line(center[None], mode="markers", marker={"size": 11, "symbol": 4}, name="mean"),
    ]
    if flat:
        said = f"2 of {table.shape[1]} columns are drawn"
        said += ":<br>right angles do not show" if len(step.components) else ""
        traces.append(naming.in_corner(said, box, "bottom right"))
    if noise:
        small = {"size": 5, "symbol": 104, "line": {"width": 1}}
        traces.insert(
            0, plane.line(given[:, seen], mode="markers", marker=small, name="point with noise")
        )
    points = plane.points(table[:, seen], data.labels)
    return plane.figure(traces, box, data.names, points=points)


def axis(columns: Columns, step: Projection) -> Axis:
    """Return the last component as an axis, for Compare."""
    seen = list(columns.seen)
    center, directions = step.mean[seen], (step.components * step.scale)[:, seen]
    last = _axes(step, center, directions, columns.plane.bounds)[1]
    return Axis(last[0, :2] if len(last) else None)


def _axes(
    step: Projection, center: ndarray, directions: ndarray, box: Bounds
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the segments of the components before, that of the last one, and the ends to name.

    If all are shown at once, they are two standard deviations long; else they leave the picture.
    """
    if isinstance(step, PcaStep):
        half = directions * 2 * np.sqrt(step.variances)[:, None]
        return np.empty((0, 3, 2)), _segments(center, half), within_the_picture(center, half, box)
    half = across_the_picture(directions, box)
    through = _segments(center, half)
    ends = within_the_picture(center, half, box) if isinstance(step, PowerStep) else half[:0]
    return through[:-1], through[-1:], ends


def _lost(X: ndarray, step: Projection, seen: list[int], group: ndarray) -> list[dict]:
    """Draw a line from every point to its reconstruction, a dot in the colour of its group."""
    path = np.full((len(X), 3, 2), np.nan)
    path[:, 0] = X[:, seen]
    path[:, 1] = step.reconstruct(X)[:, seen]
    thin = {"width": 0.75, "color": PALE}
    dots = {"size": 8, "opacity": 1, "color": [color(int(k)) for k in group]}
    return [
        plane.line(
            path.reshape(-1, 2), line=thin, name="what is lost: from a point to its projection"
        ),
        plane.line(path[:, 1], mode="markers", marker=dots, name="projection of a point"),
    ]


def within_the_picture(center: ndarray, half: ndarray, box: Bounds) -> ndarray:
    """Return the half axes, shortened to end in the picture with room for a name."""
    left, right, bottom, top = box
    room = np.where(half > 0, [right, top] - center, center - [left, bottom])
    share = np.abs(half / np.maximum(room, 0.05 * np.array([right - left, top - bottom])))
    return 0.85 * half / np.maximum(share.max(axis=1, initial=0), 1.0)[:, None]


def _segments(center: ndarray, half: ndarray) -> ndarray:
    """Return (k, 3, 2) places: both ends of every segment through the centre, and a gap."""
    return np.stack([center - half, center + half, np.full_like(half, np.nan)], axis=1)


def _names(center: ndarray, half: ndarray, box: Bounds, points: ndarray) -> dict:
    """Draw the names of the first components at an end of each, clear of the points and axes.

    An axis that is too short to see has no name.
    """
    left, right, bottom, top = box
    long = np.abs(half / [right - left, top - bottom]).max(axis=1, initial=0) > _SHORT
    shown = np.flatnonzero(long)[:_NAMES].tolist()
    taken = [points, *(naming.along(np.stack([center - far, center + far])) for far in half)]
    font = {"size": 19, "shadow": "auto"}
    asked = [
        naming.Name(f"u{i}", [(center + s * half[i], side) for s in (1, -1) for side in _SIDES], {})
        for i in shown
    ]
    found = naming.clear_names(asked, box, np.concatenate(taken))
    x, y = ([plane.unpacked(trace[axis]).item() for trace in found] for axis in "xy")
    return plane.line(np.zeros((0, 2)), mode="text") | {
        "x": x,
        "y": y,
        "text": [f"<b>{numbered('u', i)}</b>" for i in shown],
        "textposition": [trace["textposition"] for trace in found],
        "textfont": font,
    }


def small_points(places: ndarray, group: ndarray, strength: float = _SMALL) -> dict:
    """Return the points of a linked view, in the colours and symbols of their groups."""
    size, strengths = np.full(len(places), _SMALL), np.full(len(places), strength)
    return plane.points(places, group, size=size, strength=strengths)


def as_the_first(first: float, *others: float) -> list[str]:
    """Write the first number with four digits, and the others with as many decimals."""
    decimals = _decimals(first)
    if decimals is None:
        return [number(value, 4) for value in (first, *others)]
    return [fixed(value, decimals) for value in (first, *others)]


def with_the_rest(total: float, part: float) -> list[str]:
    """Write a total, a part of it and the rest, which is rounded so that the sum comes out."""
    decimals = _decimals(total)
    whole, one = (each if decimals is None else round(each, decimals) for each in (total, part))
    return as_the_first(total, part, whole - one)


def _decimals(value: float) -> int | None:
    """Return the decimals of a number with four digits; None if it needs a power of ten."""
    if not 1e-2 <= abs(value) < 1e6:
        return None
    return max(0, 3 - int(np.floor(np.log10(abs(value)))))


def preprocessing(standardize: bool) -> str:
    """Write what is done to the columns first."""
    if standardize:
        return "Every column is centred and divided by its standard deviation."
    return "Every column is centred and keeps its unit."


def own_angle(step: AxisStep) -> float:
    """Return the angle of an axis in the coordinates of its direction, in degrees."""
    a, b = step.components[0].tolist()
    return float(np.degrees(np.arctan2(b, a)) % 180)


def as_drawn(step: AxisStep) -> bool:
    """Return whether the angle on the picture is that of the axis's direction."""
    far = abs(own_angle(step) - step.angle)
    return min(far, 180 - far) < _SAME


def drawn_at(step: AxisStep) -> str:
    """Write the angle of an axis, and that it is one of the picture where this matters."""
    return f"{rounded(step.angle)}°{'' if as_drawn(step) else ' in the picture'}"


def ends(steps: Sequence[AxisStep], data: Plane) -> ndarray:
    """Return the places of the handles that turn the line, for every step."""
    directions = np.array([step.components[0] * step.scale for step in steps])
    return handles(steps[0].mean, directions, data.bounds)
