"""Pictures and words for all classifiers side by side."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.classification.wall import WallStep
from algorithms.core.features import PolynomialFeatures
from viz.classification import wall_questions
from viz.core import curves, plane, tiles
from viz.core.hatching import hatched
from viz.core.preparation import preprocessing
from viz.core.scene import Bounds, Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, RGB, rgb

CELLS = 100  # of a surface, both ways
COARSE = 50  # of a tile's surface, which is drawn smaller

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
    hatch, query, image = hatched(differ, data.bounds), asked(steps, data, place), surfaces.tiles()
    views = [
        View(
            "Regions of the classifier; ringed points are held out",
            lambda now: picture(data, steps[now], surfaces.of[now](), hatch),
        ),
        View(
            "The wall: training | held-out error",
            lambda now: wall(steps, image, data, place, now),
            height=2,
            ahead=True,
        ),
        View("Errors: ○ training, ◆ held out", lambda now: errors(steps, now), ahead=True),
    ]
    features: PolynomialFeatures = steps[0].model.features
    told = f"{note(steps, seed)} {preprocessing(features, data.names)}"
    return Scene(
        views,
        lambda now: caption(steps, pair, query, now),
        note=told,
        ask=wall_questions.ask(data, steps),
    )


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


def asked(steps: Sequence[WallStep], data: Plane, place: ndarray) -> Query:
    """Ask all classifiers for the class of one place."""
    said = (int(step.predict(place[None])[0]) for step in steps)
    return Query(place, tuple(data.classes[label] for label in said))


def picture(data: Plane, step: WallStep, surface: Surface, hatch: dict) -> Figure:
    """Draw one classifier's regions, hatched where the pair disagrees; held-out points ringed."""
    traces = [surface.fill, hatch, surface.border]
    points = plane.points(data.X, data.labels, step.wrong)
    held = ringed(step.held_out)
    return plane.figure(traces, data.bounds, data.names, points=points, marks=held)


def ringed(held_out: ndarray) -> dict:
    """Put a ring around the points held out."""
    size, width = (12, 1) if len(held_out) > 500 else (17, 1.5)
    return plane.marks(held_out, (100, 100), (0, size), width)


def tiled(surfaces: Sequence[Callable[[], ndarray]], data: Plane) -> dict:
    """Draw all tiles in one image, with the points on each."""
    points = tiles.dotted(data.X, _POINT + data.labels % len(RGB), data.bounds, _CLEAR)
    drawn = [np.where(points == _CLEAR, _tile(surface()), points) for surface in surfaces]
    colors = np.array([*RGB, rgb(GREY), rgb(GREY), *RGB], np.uint8)
    opacity = np.array([*[105] * len(RGB), 255, 0, *[255] * len(RGB)], np.uint8)
    return tiles.image(tiles.sheet(drawn, _CLEAR), colors, opacity)


def _tile(winner: ndarray) -> ndarray:
    """Give the classes of a coarse surface, with a thin line where they change."""
    times = tiles.CELLS // COARSE
    fine = winner.repeat(times, axis=0).repeat(times, axis=1)
    change = np.zeros(fine.shape, bool)
    change[:, 1:] |= fine[:, 1:] != fine[:, :-1]
    change[1:] |= fine[1:] != fine[:-1]
    change[:, :-1] |= change[:, 1:]  # two dots wide: a tile is smaller than its dots
    return np.where(change, _EDGE, fine % len(RGB))


def wall(steps: Sequence[WallStep], image: dict, data: Plane, place: ndarray, now: int) -> Figure:
    """Draw all surfaces as small multiples with their errors; a frame around the one shown.

    place : the picked one, which has a small ring on every tile.
    """
    names = [step.classifier.label.replace(", ", " ").replace(" = ", "=") for step in steps]
    words = [f"{name}<br>{_percents(step)}" for name, step in zip(names, steps, strict=True)]
    left, right, bottom, top = data.bounds
    picked = (place - [left, bottom]) / [right - left, top - bottom]
    return tiles.wall(image, words, now, picked)


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
    where = ""
    if pair:
        where = (
            f"Hatched: {pair.first.classifier.label} and {pair.second.classifier.label} disagree "
            f"on {100 * pair.differ.mean():.3g} % of the plane and {pair.points} of "
            f"{len(step.held_out)} points. "
        )
    return "\n".join([*lines, f"{where}{answers(query, now)}"])


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
    rest = int((~steps[0].held_out).sum())
    quick = f", drawn at random from {rest:,} to keep it quick" if n_train < rest else ""
    others = "another" if quick else "the other"
    split = (
        f"All are fitted to the same {n_train} points{quick}; {others} {n_test}, drawn with seed "
        f"{seed}, are held out and have a ring. Every class keeps at least one point to learn from."
    )
    which = f"the same {n_train} points{quick}" if quick else f"all {n_train} points"
    told = [
        split if n_test else f"All are fitted to {which}: none is held out.",
        "A thick outline: taken for another class.",
        *(
            [f"The lowest of {len(steps)} errors on held-out points is optimistic: it was picked."]
            if n_test
            else []
        ),
        "Fit times are measured while running: they alone differ from run to run.",
        *(f"{name} is left out: {reason}." for name, reason in steps[0].left_out),
    ]
    return " ".join(told)
