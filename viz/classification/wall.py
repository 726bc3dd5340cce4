"""Pictures and words for all classifiers side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.classification.wall import WallStep
from algorithms.core.features import PolynomialFeatures
from viz.core import curves, plane
from viz.core.hatching import hatched
from viz.core.preparation import preprocessing
from viz.core.scene import Bounds, Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, RGB, rgb

CELLS = 100  # of a surface, both ways
COLUMNS = 5  # of the wall

_LEFT, _ACROSS = 18, 128  # cells to the left of a tile, and from one tile to the next
_BELOW, _DOWN = 54, 158  # cells for the words below a tile, and from one tile to the next
_EDGE, _CLEAR = len(RGB), len(RGB) + 1  # indices of colours after those of the classes


@dataclass(frozen=True, eq=False)
class Surface:
    """One classifier on the plane. winner : (rows, columns) of classes. border : between them."""

    winner: ndarray
    border: dict


@dataclass(frozen=True, eq=False)
class Pair:
    """Two classifiers to compare.

    differ : (rows, columns) where on the plane they disagree. points : on how many points.
    """

    first: WallStep
    second: WallStep
    differ: ndarray
    points: int


def side_by_side(
    run: Run, data: Plane, surfaces: Sequence[Surface], names: tuple[str, str], seed: int
) -> Scene:
    """Show one classifier after the other, and all of them on the wall.

    names : of two classifiers to compare, which may be there or not. seed : of the points held out.
    """
    steps, pair = run.steps, find_pair(run.steps, data.X, surfaces, names)
    differ = pair.differ if pair else np.zeros((CELLS, CELLS), bool)
    hatch, tiles = hatched(differ, data.bounds), tiled(surfaces)
    views = [
        View(
            "Regions of the classifier; ringed points are held out",
            lambda now: picture(data, steps[now], surfaces[now], hatch),
        ),
        View(
            "The wall: error on training points | on held-out points",
            lambda now: wall(steps, tiles, now),
            height=2,
        ),
        View("Errors: ○ training, ◆ held out", lambda now: errors(steps, now)),
    ]
    features: PolynomialFeatures = steps[0].model.features
    told = f"{note(steps, seed)} {preprocessing(features, data.names)}"
    return Scene(views, lambda now: caption(steps, pair, now), note=told)


def find_surfaces(steps: Sequence[WallStep], box: Bounds) -> tuple[Surface, ...]:
    """Find every classifier's class in every cell, and draw its border."""
    x_cells, y_cells, cells = plane.grid(box, CELLS)
    found = []
    for step in steps:
        # One row a class: NumPy is slow at reducing over a short last axis.
        scores = np.ascontiguousarray(step.scores(cells).T).reshape(-1, CELLS, CELLS)
        winner = step.classes[scores.argmax(axis=0)].astype(np.uint8)
        border = plane.borders(x_cells, y_cells, scores, line={"width": 3})
        found.append(Surface(winner, border))
    return tuple(found)


def find_pair(
    steps: Sequence[WallStep], X: ndarray, surfaces: Sequence[Surface], names: tuple[str, str]
) -> Pair | None:
    """Find two classifiers by their names, if both are there and not the same."""
    found = [step.index for name in names for step in steps if step.classifier.name == name]
    if len(found) != 2 or found[0] == found[1]:
        return None
    first, second = (steps[i] for i in found)
    differ = surfaces[first.index].winner != surfaces[second.index].winner
    return Pair(first, second, differ, int((first.predict(X) != second.predict(X)).sum()))


def picture(data: Plane, step: WallStep, surface: Surface, hatch: dict) -> Figure:
    """Draw one classifier's regions, hatched where the pair disagrees; held-out points ringed."""
    many = len(data.X) > 500
    size, width = (12, 1) if many else (17, 1.5)
    traces = [plane.regions(surface.winner, None, data.bounds), hatch, surface.border]
    points = plane.points(data.X, data.labels, step.wrong)
    held = plane.marks(data.X, step.held_out, (100, 100), (0, size), width)
    return plane.figure(traces, data.bounds, data.names, points=points, marks=held)


def tiled(surfaces: Sequence[Surface]) -> dict:
    """Draw all surfaces in one image, in rows of `COLUMNS`."""
    rows = -(-len(surfaces) // COLUMNS)
    cells = np.full((rows * _DOWN, COLUMNS * _ACROSS), _CLEAR, np.uint8)
    for i, surface in enumerate(surfaces):
        bottom, left = _BELOW + (rows - 1 - i // COLUMNS) * _DOWN, _LEFT + i % COLUMNS * _ACROSS
        cells[bottom : bottom + CELLS, left : left + CELLS] = _tile(surface.winner)
    colors = np.array([*RGB, rgb(GREY), rgb(GREY)], np.uint8)
    opacity = np.array([*[105] * len(RGB), 255, 0], np.uint8)
    return plane.image(cells, colors, opacity, (0.0, float(COLUMNS), -float(rows), 0.0))


def _tile(winner: ndarray) -> ndarray:
    """Give the classes of a surface, with a thin line where they change."""
    change = np.zeros(winner.shape, bool)
    change[:, 1:] |= winner[:, 1:] != winner[:, :-1]
    change[1:] |= winner[1:] != winner[:-1]
    change[:, :-1] |= change[:, 1:]  # two cells wide: a tile is smaller than its cells
    return np.where(change, _EDGE, winner % len(RGB))


def wall(steps: Sequence[WallStep], tiles: dict, now: int) -> Figure:
    """Draw all surfaces as small multiples with their errors; a frame around the one shown."""
    m = len(steps)
    column, row = np.arange(m) % COLUMNS, np.arange(m) // COLUMNS
    left, top = column + _LEFT / _ACROSS, -row - (_DOWN - _BELOW - CELLS) / _DOWN
    right, foot = left + CELLS / _ACROSS, top - CELLS / _DOWN
    frame = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
    here = np.array([(x[now], y[now]) for x, y in frame])
    words = [f"{step.classifier.name}<br>{_percents(step)}" for step in steps]
    traces = [
        tiles,
        _text((left + right) / 2, foot - 0.02, words, "bottom center", 12),
        _text(left - 0.02, top - 0.06, [str(i + 1) for i in range(m)], "middle left", 11),
        plane.line(here, line={"width": 4, "color": NOW}, cliponaxis=False),
    ]
    hidden = {"visible": False, "fixedrange": True}
    layout = curves.panel_layout(
        xaxis={"range": [0, COLUMNS], **hidden},
        yaxis={"range": [m // -COLUMNS, 0], "scaleanchor": False, **hidden},
    )
    layout["margin"] = {"l": 2, "r": 2, "t": 2, "b": 2}
    return {"data": traces, "layout": layout}


def _text(x: ndarray, y: ndarray, words: Sequence[str], where: str, size: float) -> dict:
    style = {"textposition": where, "textfont": {"size": size}, "cliponaxis": False}
    return plane.line(np.column_stack([x, y]), mode="text", text=list(words), **style)


def _percents(step: WallStep) -> str:
    return " | ".join(f"{_percent(*part):.0f} %" if part[1] else "–" for part in _parts(step))


def _parts(step: WallStep) -> tuple[tuple[int, int], tuple[int, int]]:
    return step.train, step.test


def _percent(wrong: int, count: int) -> float:
    return 100 * wrong / count


def errors(steps: Sequence[WallStep], now: int) -> Figure:
    """Draw the errors of all classifiers, numbered as on the wall, and mark the one shown."""
    m = len(steps)
    numbers = np.arange(1, m + 1)
    found = np.array([[_percent(*p) if p[1] else np.nan for p in _parts(step)] for step in steps])
    top = max(1.0, 1.12 * float(np.nanmax(found)))
    pairs = np.column_stack([np.repeat(numbers, 3), np.insert(found, 2, np.nan, axis=1).ravel()])
    band = np.array([[now + 1, -0.06 * top], [now + 1, top]])
    names = [step.classifier.name for step in steps]
    traces = [
        plane.line(band, line={"width": 18, "color": NOW}, opacity=0.3),
        plane.line(pairs, line={"width": 1.5}),
        _dots(numbers, found[:, 0], names, "training", symbol="circle-open", size=10),
        _dots(numbers, found[:, 1], names, "held out", symbol="diamond", size=9),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.4, m + 0.6], "tickvals": numbers.tolist(), "fixedrange": True},
        yaxis={"range": [-0.06 * top, top], "title": {"text": "error, %"}, "nticks": 5},
    )
    return {"data": traces, "layout": layout}


def _dots(x: ndarray, y: ndarray, names: list[str], what: str, **marker) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": plane.packed(x),
        "y": plane.packed(y),
        "text": names,
        "marker": {"line": {"width": 2}, **marker},
        "hovertemplate": f"%{{text}}: %{{y:.1f}} % of {what}<extra></extra>",
    }


def caption(steps: Sequence[WallStep], pair: Pair | None, now: int) -> str:
    """Say how well the classifier does and which shape its border has, and why."""
    step = steps[now]
    lines = [
        f"{now + 1} of {len(steps)}, {step.classifier.name}: wrong on {_share(step.train)} "
        f"training points and {_share(step.test)} held out; {step.parameters} parameters; fitted "
        f"in {_milliseconds(step.fit_time.seconds)} ms.",
        step.classifier.surface,
    ]
    if step.event:
        lines[1] += f" {step.event.capitalize()}."
    lines[1] += _ENDED.get(step.model.event or "", "")
    if pair:
        lines.append(
            f"Hatched: {pair.first.classifier.name} and {pair.second.classifier.name} disagree on "
            f"{100 * pair.differ.mean():.3g} % of the plane and {pair.points} of "
            f"{len(step.held_out)} points."
        )
    return "\n".join(lines)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.{0 if seconds > 0.01 else 2}f}"


def _share(part: tuple[int, int]) -> str:
    wrong, count = part
    return f"{wrong} of {count} ({_percent(wrong, count):.3g} %)" if count else "none of 0"


_ENDED = {
    "stopped at max_iter": " Stopped before it converged.",
    "a machine stopped at max_iter": " Stopped before it converged.",
    "singular scatter within the classes": " Here a direction without spread decides.",
    "no surface": " Here a class has no spread in some direction; that of all points stands in.",
}


def note(steps: Sequence[WallStep], seed: int) -> str:
    """Say which points were held out, what is measured, and who refused the data."""
    (_, n_train), (_, n_test) = _parts(steps[0])
    told = [
        f"All are fitted to the same {n_train} points; the other {n_test}, drawn with seed {seed}, "
        "are held out and have a ring. Every class keeps at least one point to learn from.",
        *(
            [f"The lowest of {len(steps)} errors on held-out points is optimistic: it was picked."]
            if n_test
            else []
        ),
        "Fit times are measured while running: they alone differ from run to run.",
        *(f"{name} is left out: {reason}." for name, reason in steps[0].left_out),
    ]
    return " ".join(told)
