"""Pictures and words for all classifiers side by side."""

from collections import Counter
from collections.abc import Callable, Sequence
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
COARSE = 50  # of a tile's surface, which is drawn smaller
COLUMNS = 5  # of the wall

_FEW = 300  # points: of more, each is smaller on a tile
_LEFT, _ACROSS = 18, 128  # dots to the left of a tile, and from one tile to the next
_BELOW, _DOWN = 54, 158  # dots for the words below a tile, and from one tile to the next
_EDGE, _CLEAR, _POINT = len(RGB), len(RGB) + 1, len(RGB) + 2  # colours after those of the classes


@dataclass(frozen=True, eq=False)
class Surface:
    """One classifier on the plane. winner : (rows, columns) of classes; and how they are drawn."""

    winner: ndarray
    fill: dict
    border: dict


@dataclass(frozen=True, eq=False)
class Surfaces:
    """The surfaces of all classifiers, each found when it is wanted, and the tiles of the wall."""

    of: Sequence[Callable[[], Surface]]
    tiles: Callable[[], dict]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two classifiers to compare.

    differ : (rows, columns) where on the plane they disagree. points : on how many points.
    """

    first: WallStep
    second: WallStep
    differ: ndarray
    points: int


@dataclass(frozen=True, eq=False)
class Query:
    """A picked place, and the class that each classifier gives it."""

    place: ndarray
    said: tuple[str, ...]


def side_by_side(
    run: Run, data: Plane, surfaces: Surfaces, names: tuple[str, str], place: ndarray, seed: int
) -> Scene:
    """Show one classifier after the other, and all of them on the wall.

    names : of two classifiers to compare, which may be there or not. place : the picked one. seed :
    of the points held out.
    """
    steps, pair = run.steps, find_pair(run.steps, data.X, surfaces, names)
    differ = pair.differ if pair else np.zeros((CELLS, CELLS), bool)
    hatch, query, tiles = hatched(differ, data.bounds), ask(steps, data, place), surfaces.tiles()
    views = [
        View(
            "Regions of the classifier; ringed points are held out",
            lambda now: picture(data, steps[now], surfaces.of[now](), hatch),
        ),
        View(
            "The wall: training | held-out error",
            lambda now: wall(steps, tiles, data, place, now),
            height=2,
        ),
        View("Errors: ○ training, ◆ held out", lambda now: errors(steps, now)),
    ]
    features: PolynomialFeatures = steps[0].model.features
    told = f"{note(steps, seed)} {preprocessing(features, data.names)}"
    return Scene(views, lambda now: caption(steps, pair, query, now), note=told)


def find_surface(steps: Sequence[WallStep], index: int, box: Bounds) -> Surface:
    """Find a classifier's class in every cell, and draw its regions and its border."""
    x_cells, y_cells, cells = plane.grid(box, CELLS)
    step = steps[index]
    # One row a class: NumPy is slow at reducing over a short last axis.
    scores = np.ascontiguousarray(step.scores(cells).T).reshape(-1, CELLS, CELLS)
    winner = step.classes[scores.argmax(axis=0)].astype(np.uint8)
    border = plane.borders(x_cells, y_cells, scores, line={"width": 3})
    return Surface(winner, plane.regions(winner, None, box), border)


def find_tile(steps: Sequence[WallStep], index: int, box: Bounds) -> ndarray:
    """Find a classifier's class in every cell of a coarser grid."""
    return steps[index].predict(plane.grid(box, COARSE)[2]).reshape(COARSE, COARSE).astype(np.uint8)


def find_pair(
    steps: Sequence[WallStep], X: ndarray, surfaces: Surfaces, names: tuple[str, str]
) -> Pair | None:
    """Find two classifiers by their names, if both are there and not the same."""
    found = [step.index for name in names for step in steps if step.classifier.name == name]
    if len(found) != 2 or found[0] == found[1]:
        return None
    first, second = (steps[i] for i in found)
    differ = surfaces.of[first.index]().winner != surfaces.of[second.index]().winner
    return Pair(first, second, differ, int((first.predict(X) != second.predict(X)).sum()))


def ask(steps: Sequence[WallStep], data: Plane, place: ndarray) -> Query:
    """Ask all classifiers for the class of one place."""
    said = (int(step.predict(place[None])[0]) for step in steps)
    return Query(place, tuple(data.classes[label] for label in said))


def picture(data: Plane, step: WallStep, surface: Surface, hatch: dict) -> Figure:
    """Draw one classifier's regions, hatched where the pair disagrees; held-out points ringed."""
    traces = [surface.fill, hatch, surface.border]
    points = plane.points(data.X, data.labels, step.wrong)
    held = ringed(data.X, step.held_out)
    return plane.figure(traces, data.bounds, data.names, points=points, marks=held)


def ringed(X: ndarray, held_out: ndarray) -> dict:
    """Put a ring around the points held out."""
    size, width = (12, 1) if len(X) > 500 else (17, 1.5)
    return plane.marks(X, held_out, (100, 100), (0, size), width)


def tiled(tiles: Sequence[Callable[[], ndarray]], data: Plane) -> dict:
    """Draw all tiles in one image, in rows of `COLUMNS`, with the points on each."""
    rows = -(-len(tiles) // COLUMNS)
    dots = np.full((rows * _DOWN, COLUMNS * _ACROSS), _CLEAR, np.uint8)
    points = _dotted(data)
    for i, tile in enumerate(tiles):
        bottom, left = _BELOW + (rows - 1 - i // COLUMNS) * _DOWN, _LEFT + i % COLUMNS * _ACROSS
        drawn = np.where(points == _CLEAR, _tile(tile()), points)
        dots[bottom : bottom + CELLS, left : left + CELLS] = drawn
    colors = np.array([*RGB, rgb(GREY), rgb(GREY), *RGB], np.uint8)
    opacity = np.array([*[105] * len(RGB), 255, 0, *[255] * len(RGB)], np.uint8)
    return plane.image(dots, colors, opacity, (0.0, float(COLUMNS), -float(rows), 0.0))


def _tile(winner: ndarray) -> ndarray:
    """Give the classes of a coarse surface, with a thin line where they change."""
    fine = winner.repeat(CELLS // COARSE, axis=0).repeat(CELLS // COARSE, axis=1)
    change = np.zeros(fine.shape, bool)
    change[:, 1:] |= fine[:, 1:] != fine[:, :-1]
    change[1:] |= fine[1:] != fine[:-1]
    change[:, :-1] |= change[:, 1:]  # two dots wide: a tile is smaller than its dots
    return np.where(change, _EDGE, fine % len(RGB))


def _dotted(data: Plane) -> ndarray:
    """Give a tile with nothing on it but the points, a few dots each."""
    left, right, bottom, top = data.bounds
    share = (data.X - [left, bottom]) / [right - left, top - bottom]
    wide = 3 if len(share) <= _FEW else 2
    column, row = np.floor(CELLS * share).astype(int).T - wide // 2
    tile = np.full((CELLS, CELLS), _CLEAR, np.uint8)
    across, up = np.meshgrid(np.arange(wide), np.arange(wide))
    rows, columns = row[:, None] + up.ravel(), column[:, None] + across.ravel()
    group = np.repeat(_POINT + data.labels % len(RGB), wide * wide)
    inside = ((rows >= 0) & (rows < CELLS) & (columns >= 0) & (columns < CELLS)).ravel()
    tile[rows.ravel()[inside], columns.ravel()[inside]] = group[inside]
    return tile


def wall(steps: Sequence[WallStep], tiles: dict, data: Plane, place: ndarray, now: int) -> Figure:
    """Draw all surfaces as small multiples with their errors; a frame around the one shown.

    place : the picked one, which has a small ring on every tile.
    """
    m = len(steps)
    column, row = np.arange(m) % COLUMNS, np.arange(m) // COLUMNS
    left, top = column + _LEFT / _ACROSS, -row - (_DOWN - _BELOW - CELLS) / _DOWN
    right, foot = left + CELLS / _ACROSS, top - CELLS / _DOWN
    frame = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
    here = np.array([(x[now], y[now]) for x, y in frame])
    words = [f"{step.classifier.label}<br>{_percents(step)}" for step in steps]
    far_left, far_right, bottom, top_end = data.bounds
    across = (place[0] - far_left) / (far_right - far_left)
    up = (place[1] - bottom) / (top_end - bottom)
    picked = np.column_stack([left + across * (right - left), foot + up * (top - foot)])
    ring = {"symbol": 100, "size": 8, "line": {"width": 2}}
    traces = [
        tiles,
        _text((left + right) / 2, foot - 0.02, words, "bottom center", 12),
        _text(left - 0.02, top - 0.06, [str(i + 1) for i in range(m)], "middle left", 11),
        plane.line(picked, mode="markers", marker=ring),
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
    names = [step.classifier.label for step in steps]
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


def caption(steps: Sequence[WallStep], pair: Pair | None, query: Query, now: int) -> str:
    """Say how well the classifier does and which shape its border has, and why."""
    step = steps[now]
    name = f"{now + 1} of {len(steps)}, {step.classifier.label}"
    lines = [
        f"{name}: wrong on {_share(step.test)} held-out points."
        if step.test[1]
        else f"{name}: wrong on {_share(step.train)} points; none is held out.",
        f"On its own training points wrong on {_share(step.train)}. It keeps {step.parameters} "
        f"numbers and was fitted in {_milliseconds(step.fit_time.seconds)} ms.",
        step.classifier.surface,
    ]
    if step.event:
        lines[0] = f"{lines[0][:-1]}: the {step.event}."
    lines[2] += _ENDED.get(step.model.event or "", "")
    if pair:
        lines.append(
            f"Hatched: {pair.first.classifier.label} and {pair.second.classifier.label} disagree "
            f"on {100 * pair.differ.mean():.3g} % of the plane and {pair.points} of "
            f"{len(step.held_out)} points."
        )
    return "\n".join([*lines, answers(query, now)])


def answers(query: Query, now: int) -> str:
    """Say what all classifiers, and this one, say of the picked place."""
    (most, count), *others = Counter(query.said).most_common()
    rest = "".join(f", {fewer} {_say(fewer)} {name}" for name, fewer in others)
    whole = f"At the cross hair {count} of {len(query.said)} {_say(count)} class {most}{rest}"
    return f"{whole}; this one says {query.said[now]}."


def _say(count: int) -> str:
    return "says" if count == 1 else "say"


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
    split = (
        f"All are fitted to the same {n_train} points; the other {n_test}, drawn with seed {seed}, "
        "are held out and have a ring. Every class keeps at least one point to learn from."
    )
    told = [
        split if n_test else f"All are fitted to all {n_train} points: none is held out.",
        *(
            [f"The lowest of {len(steps)} errors on held-out points is optimistic: it was picked."]
            if n_test
            else []
        ),
        "Fit times are measured while running: they alone differ from run to run.",
        *(f"{name} is left out: {reason}." for name, reason in steps[0].left_out),
    ]
    return " ".join(told)
