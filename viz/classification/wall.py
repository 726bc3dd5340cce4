"""Pictures and words for all classifiers side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray
from scipy.ndimage import binary_erosion

from algorithms.classification.wall import WallStep
from viz.core import curves, plane
from viz.core.theme import RGB

CELLS = 100  # of a surface, both ways
COLUMNS = 5  # of the wall
ACCENT = "#D55E00"
_INK = (128, 134, 142)  # seen on white and on black
_LEFT, _ACROSS = 18, 128  # cells to the left of a tile, and from one tile to the next
_BELOW, _DOWN = 54, 158  # cells for the words below a tile, and from one tile to the next
_EDGE, _CLEAR = len(RGB), len(RGB) + 1  # indices of colours after those of the classes
_FINER, _STRIPE = 3, 12  # dots of the hatching per cell, and from one stripe to the next


@dataclass(frozen=True, eq=False)
class Scene:
    """What all views show: data, run, every classifier's `surfaces`, and a pair to compare."""

    X: ndarray
    y: ndarray
    run: Sequence[WallStep]
    surfaces: tuple[tuple[ndarray, dict], ...]
    pair: tuple[int, int] | None
    bounds: plane.Bounds
    names: tuple[str, str] = ("x", "y")

    @property
    def disagree(self) -> ndarray:
        """Where on the plane the two of the pair predict different classes."""
        if self.pair is None:
            return np.zeros((CELLS, CELLS), bool)
        first, second = (self.surfaces[i][0] for i in self.pair)
        return first != second

    @cached_property
    def hatch(self) -> dict:
        """The stripes over that part of the plane, the same at every step."""
        fine = np.kron(self.disagree, np.ones((_FINER, _FINER), bool))
        rows, columns = np.indices(fine.shape)
        stripes = (rows - columns) % _STRIPE < _FINER
        # An outline, for parts so small, or so slanted, that they lie between two stripes.
        inside = np.asarray(binary_erosion(fine, iterations=2, border_value=1), bool)
        inked = fine & (stripes | ~inside)
        colors, opacity = np.array([_INK] * 2, np.uint8), np.array([0, 235], np.uint8)
        return plane.image(inked.astype(np.uint8), colors, opacity, self.bounds)

    @cached_property
    def tiles(self) -> dict:
        """All surfaces in one image, in rows of `COLUMNS`."""
        rows = -(-len(self.run) // COLUMNS)
        cells = np.full((rows * _DOWN, COLUMNS * _ACROSS), _CLEAR, np.uint8)
        for i, (winner, _) in enumerate(self.surfaces):
            bottom, left = _BELOW + (rows - 1 - i // COLUMNS) * _DOWN, _LEFT + i % COLUMNS * _ACROSS
            cells[bottom : bottom + CELLS, left : left + CELLS] = _tile(winner)
        colors = np.array([*RGB, _INK, _INK], np.uint8)
        opacity = np.array([*[105] * len(RGB), 255, 0], np.uint8)
        return plane.image(cells, colors, opacity, (0.0, float(COLUMNS), -float(rows), 0.0))


def surfaces(run: Sequence[WallStep], bounds: plane.Bounds) -> tuple[tuple[ndarray, dict], ...]:
    """Find every classifier's class in every cell, and draw its border."""
    x_cells, y_cells, cells = plane.grid(bounds, CELLS)
    found = []
    for step in run:
        # One row a class: NumPy is slow at reducing over a short last axis.
        scores = np.ascontiguousarray(step.scores(cells).T).reshape(-1, CELLS, CELLS)
        winner = step.classes[scores.argmax(axis=0)].astype(np.uint8)
        found.append((winner, plane.borders(x_cells, y_cells, scores, line={"width": 3})))
    return tuple(found)


def find_pair(run: Sequence[WallStep], names: Sequence[str]) -> tuple[int, int] | None:
    """Give the steps of two classifiers by their names, if both are there and not the same."""
    found = [step.index for name in names for step in run if step.classifier.name == name]
    return (found[0], found[1]) if len(found) == 2 and found[0] != found[1] else None


def picture(scene: Scene, now: int) -> dict:
    """Draw one classifier's regions, hatched where the pair disagrees; held-out points ringed."""
    step = scene.run[now]
    winner, border = scene.surfaces[now]
    many = len(scene.X) > 500
    size, width = (12, 1) if many else (17, 1.5)
    traces = [
        plane.regions(winner, None, scene.bounds),
        scene.hatch,
        plane.points(scene.X, scene.y, wrong=step.wrong),
        border,
        plane.marks(scene.X, step.held, (100, 100), (0, size), width),
    ]
    return plane.figure(traces, scene.bounds, scene.names)


def wall(scene: Scene, now: int) -> dict:
    """Draw all surfaces as small multiples with their errors; a frame around the one shown."""
    m = len(scene.run)
    column, row = np.arange(m) % COLUMNS, np.arange(m) // COLUMNS
    left, top = column + _LEFT / _ACROSS, -row - (_DOWN - _BELOW - CELLS) / _DOWN
    right, foot = left + CELLS / _ACROSS, top - CELLS / _DOWN
    frame = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
    here = np.array([(x[now], y[now]) for x, y in frame])
    words = [f"{step.classifier.name}<br>{_percents(step)}" for step in scene.run]
    traces = [
        scene.tiles,
        _text((left + right) / 2, foot - 0.02, words, "bottom center", 12),
        _text(left - 0.02, top - 0.06, [str(i + 1) for i in range(m)], "middle left", 11),
        plane.line(here, line={"width": 4, "color": ACCENT}, cliponaxis=False),
    ]
    hidden = {"visible": False, "fixedrange": True}
    layout = curves.panel_layout(
        xaxis={"range": [0, COLUMNS], **hidden},
        yaxis={"range": [m // -COLUMNS, 0], "scaleanchor": False, **hidden},
    )
    layout |= {"margin": {"l": 2, "r": 2, "t": 2, "b": 2}, "meta": {"height": 2}}
    return {"data": traces, "layout": layout}


def _tile(winner: ndarray) -> ndarray:
    """Give the classes of a surface, with a thin line in ink where they change."""
    change = np.zeros(winner.shape, bool)
    change[:, 1:] |= winner[:, 1:] != winner[:, :-1]
    change[1:] |= winner[1:] != winner[:-1]
    change[:, :-1] |= change[:, 1:]  # two cells wide: a tile is smaller than its cells
    return np.where(change, _EDGE, winner)


def _text(x: ndarray, y: ndarray, words: Sequence[str], where: str, size: float) -> dict:
    style = {"textposition": where, "textfont": {"size": size}, "cliponaxis": False}
    return plane.line(np.column_stack([x, y]), mode="text", text=list(words), **style)


def _percents(step: WallStep) -> str:
    return " | ".join(f"{_percent(*part):.0f} %" if part[1] else "–" for part in _parts(step))


def _parts(step: WallStep) -> tuple[tuple[int, int], tuple[int, int]]:
    return step.train, step.test


def _percent(wrong: int, count: int) -> float:
    return 100 * wrong / count


def errors(scene: Scene, now: int) -> dict:
    """Draw the errors of all classifiers, numbered as on the wall, and mark the one shown."""
    m = len(scene.run)
    numbers = np.arange(1, m + 1)
    found = np.array(
        [[_percent(*p) if p[1] else np.nan for p in _parts(step)] for step in scene.run]
    )
    top = max(1.0, 1.12 * float(np.nanmax(found)))
    pairs = np.column_stack([np.repeat(numbers, 3), np.insert(found, 2, np.nan, axis=1).ravel()])
    band = np.array([[now + 1, -0.06 * top], [now + 1, top]])
    names = [step.classifier.name for step in scene.run]
    traces = [
        plane.line(band, line={"width": 18, "color": "rgba(213, 94, 0, 0.3)"}),
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


def caption(scene: Scene, now: int) -> str:
    """Say how well the classifier does and which shape its border has, and why."""
    step = scene.run[now]
    lines = [
        f"{now + 1} of {len(scene.run)}, {step.classifier.name}: wrong on {_share(step.train)} "
        f"training points and {_share(step.test)} held out; {step.parameters} parameters; fitted "
        f"in {_milliseconds(step.fit_time.seconds)} ms.",
        step.classifier.surface,
    ]
    if step.event:
        lines[1] += f" {step.event.capitalize()}."
    lines[1] += _ENDED.get(step.model.event or "", "")
    if scene.pair:
        first, second = (scene.run[i] for i in scene.pair)
        differ = int((first.predict(scene.X) != second.predict(scene.X)).sum())
        lines.append(
            f"Hatched: {first.classifier.name} and {second.classifier.name} disagree on "
            f"{100 * scene.disagree.mean():.3g} % of the plane and {differ} of {len(scene.X)} "
            "points."
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


def note(run: Sequence[WallStep], seed: int) -> str:
    """Say which points were held out, what is measured, and who refused the data."""
    (_, n_train), (_, n_test) = _parts(run[0])
    told = [
        f"All are fitted to the same {n_train} points; the other {n_test}, drawn with seed {seed}, "
        "are held out and have a ring. Every class keeps at least one point to learn from.",
        "Fit times are measured while running: they alone differ from run to run.",
        *(f"{name} is left out: {reason}." for name, reason in run[0].left_out),
    ]
    return " ".join(told)
