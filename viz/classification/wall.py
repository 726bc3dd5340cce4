"""All classifiers side by side: one after the other, and all of them on a wall."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.wall import WallStep
from algorithms.core.features import PolynomialFeatures
from viz.core import curves, naming, plane, tiles
from viz.core.found import Regions
from viz.core.hatching import hatched
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import ANSWER, Bounds, Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, RGB, rgb
from viz.core.words import counted, listed

CELLS = 150  # of a surface, both ways: the steps of 1-NN are hardly seen

_SHORT = {"Cubic logistic": "Cubic log.", "Decision tree": "Tree"}  # below small pictures
_NAMED = 3  # classifiers in a sentence; more are counted
_SMALL = 2  # dots across a point on a tile, so that the borders are seen
_PAIR = (("dash", "dashed"), ("dot", "dotted"))  # borders of the compared
_EDGE, _CLEAR, _POINT = len(RGB), len(RGB) + 1, len(RGB) + 2  # colours after those of the classes
_TO_COME, _PALE = _POINT + len(RGB), 40  # a tile to come; of 255: its opacity
_AHEAD = 75  # of 255: opacity of the regions of the tiles to come


@dataclass(frozen=True, eq=False)
class Surface:
    """One classifier on the plane: (rows, columns) of its classes, and its traces."""

    winner: ndarray
    fill: dict
    border: dict


@dataclass(frozen=True, eq=False)
class Surfaces:
    """The surfaces of all classifiers, and the wall at every step, each computed when needed.

    ahead : the tiles of all classifiers, pale.
    """

    of: Sequence[Callable[[], Surface]]
    walls: Sequence[Callable[[], dict]]
    ahead: Callable[[], dict]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two classifiers to compare.

    differ : (rows, columns) where on the plane they disagree. points : the number of points on
    which they disagree.
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


class Wall(Show[WallStep]):
    """One classifier after the other, and all of them so far on the wall."""

    equal = True
    unit = "classifier"
    opens = AT_THE_END  # here the wall is full
    counts_from = 1

    def __init__(
        self,
        run: Run,
        data: Plane,
        surfaces: Surfaces,
        names: tuple[str, str],
        place: ndarray,
        seed: int,
    ) -> None:
        """Find where a pair of classifiers disagrees, and all classes of the picked place.

        names : of two classifiers to compare, if both are there. seed : of the held-out points.
        """
        super().__init__(run, data)
        self.surfaces, self.place = surfaces, place
        self.pair = find_pair(self.steps, data.X, surfaces, names)
        self.compared = []
        if self.pair:
            disagree = {"name": "hatched: the compared pair disagrees"}
            # The borders are its outline: one of cells would be a fringe beside them.
            self.compared.append(hatched(self.pair.differ, data.bounds, outlined=False) | disagree)
            self.compared += _both(self.pair, surfaces, data.bounds)
        self.query = asked(self.steps, data, place)
        features: PolynomialFeatures = self.steps[0].model.features
        told = [note(self.steps, seed), _easier(self.steps), preprocessing(features, data.names)]
        self.note = " ".join(filter(None, told))

    def views(self) -> list[View]:
        """Return the regions, the wall, and the errors."""
        of = "held-out" if self.steps[0].test[1] else "training"
        title = f"The wall: {of} error, the lowest so far bold"
        return [
            View("Regions of the framed classifier", self.picture),
            View(title, self.wall, height=2.5),
            View("Errors: ○ training, ◆ held out", self.errors, height=2),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the regions with their border; or the borders of the pair, hatched between them."""
        data, step, surface = self.data, self.steps[now], self.surfaces.of[now]()
        traces = [surface.fill, *(self.compared or [surface.border])]
        points = plane.points(data.X, data.labels, step.wrong, held=step.held_out)
        return plane.figure(traces, data.bounds, data.names, points=points)

    def wall(self, now: int) -> Figure:
        """Draw the surfaces so far as small multiples, with their errors; a frame around the last.

        The tile of a classifier to come is pale, and empty while a question waits.
        """
        names = [step.classifier.label.partition(",")[0] for step in self.steps]
        errors = [_percent(*(step.test if step.test[1] else step.train)) for step in self.steps]
        errors = errors[: now + 1]
        written = [
            f"<b>{error:.0f} %</b>" if error == min(errors) else f"{error:.0f} %"
            for error in errors
        ]
        written += [""] * (len(names) - len(written))
        words = [
            f"{_SHORT.get(name, name)}<br>{error}"
            for name, error in zip(names, written, strict=True)
        ]
        left, right, bottom, top = tiles.close(self.data.X, self.data.bounds)
        picked = (self.place - [left, bottom]) / [right - left, top - bottom]
        tiled = self.surfaces.walls[now]() | {"name": "predicted class, by every classifier"}
        figure = tiles.wall(tiled, words, now, now + 1, picked)
        pale = {"name": "pale: classifiers to come", "meta": ANSWER}
        figure["data"].insert(0, self.surfaces.ahead() | pale)
        return figure

    def errors(self, now: int) -> Figure:
        """Draw the errors so far, a row for each classifier of the wall, and mark the one shown."""
        rows = -np.arange(float(len(self.steps)))
        found = np.array(
            [[_percent(*p) if p[1] else np.nan for p in _parts(step)] for step in self.steps]
        )
        top = max(1.0, 1.06 * float(np.nanmax(found)))
        found[now + 1 :] = np.nan
        pairs = np.column_stack([np.insert(found, 2, np.nan, axis=1).ravel(), np.repeat(rows, 3)])
        here = np.array([[-0.02 * top, rows[now]], [top, rows[now]]])
        names = [step.classifier.label for step in self.steps]
        traces = [
            plane.line(here, line={"width": 15, "color": GREY}, opacity=0.25),
            plane.line(pairs, line={"width": 1.5}),
            _dots(found[:, 0], rows, "training", symbol="circle-open", size=10),
            _dots(found[:, 1], rows, "held out", symbol="diamond", size=9),
        ]
        layout = curves.panel_layout(
            xaxis={"range": [-0.02 * top, top], "title": {"text": "error, %"}, "nticks": 6},
            yaxis={
                "range": [rows[-1] - 0.6, 0.6], "tickvals": rows.tolist(), "ticktext": names,
                "fixedrange": True,
            },
        )  # fmt: skip
        layout["margin"] = {"l": 122, "r": 12, "t": 4, "b": 44}
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write the shape of the classifier's border, and how many points it gets wrong."""
        step, pair = self.steps[now], self.pair
        name, shape = step.classifier.label, step.classifier.shape
        fewest = ", fewer than any before it" if step.event else ""
        end = self._fewest() if now == len(self.steps) - 1 > 0 else ""
        lines = [
            f"{shape}: {name} gets {_share(step.test)} held-out points wrong{fewest}.{end}"
            if step.test[1]
            else f"{shape}: {name} gets {_share(step.train)} points wrong; none is held out.",
            f"{step.classifier.why} It gets {_share(step.train)} training points wrong and "
            f"stores {counted(step.parameters, 'number')}{_kept(step.classifier.keeps)}."
            f"{_ENDED.get(step.model.event or '', '')}",
        ]
        if pair:
            lines.append(
                f"Hatched: {pair.first.classifier.label} and {pair.second.classifier.label} "
                f"disagree on {100 * pair.differ.mean():.3g} % of the plane and {pair.points} of "
                f"{len(step.held_out)} points."
            )
        return "\n".join([*lines, answers(self.query, now)])

    def _fewest(self) -> str:
        """Write which classifiers get the fewest held-out points wrong."""
        errors = [step.test[0] for step in self.steps]
        least = min(errors)
        best = [
            step.classifier.label
            for step, error in zip(self.steps, errors, strict=True)
            if error == least
        ]
        which = listed(best) if len(best) <= _NAMED else f"{len(best)} classifiers"
        return f" Fewest wrong: {which}, with {least}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point the next classifier gets wrong, and whether it does better."""
        before, after = self.steps[now], self.steps[now + 1]
        if rng.random() < 0.5:
            return _better(before, after) or _wrong(rng, self.data, after)
        return _wrong(rng, self.data, after) or _better(before, after)

    def found(self, now: int) -> Regions:
        """Return the regions of the classifier."""
        return Regions(self.surfaces.of[now]().winner)


def find_surface(steps: Sequence[WallStep], index: int, box: Bounds) -> Surface:
    """Return a classifier's class in every cell, with its regions and its border drawn."""
    x_cells, y_cells, cells = plane.grid(box, CELLS)
    step = steps[index]
    # One row a class: NumPy is slow at reducing over a short last axis.
    scores = np.ascontiguousarray(step.scores(cells).T).reshape(-1, CELLS, CELLS)
    winner = step.classes[scores.argmax(axis=0)].astype(np.uint8)
    border = plane.borders(x_cells, y_cells, scores, line={"width": 3})
    return Surface(winner, plane.regions(winner, None, box), border)


def find_tile(steps: Sequence[WallStep], index: int, data: Plane) -> ndarray:
    """Return a classifier's class in every dot of a tile, close around the points."""
    cells = plane.grid(tiles.close(data.X, data.bounds), tiles.CELLS)[2]
    return steps[index].predict(cells).reshape(tiles.CELLS, tiles.CELLS).astype(np.uint8)


def _both(pair: Pair, surfaces: Surfaces, box: Bounds) -> list[dict]:
    """Draw the borders of both compared classifiers, and name them in a corner."""
    traces, names = [], []
    for step, (dash, dashed) in zip((pair.first, pair.second), _PAIR, strict=True):
        names.append(f"{dashed}: {step.classifier.label}")
        look = {"line": {"width": 3, "dash": dash}, "name": names[-1]}
        traces.append(surfaces.of[step.index]().border | look)
    return [*traces, naming.in_corner("<br>".join(names), box, "top left")]


def find_pair(
    steps: Sequence[WallStep], X: ndarray, surfaces: Surfaces, names: tuple[str, str]
) -> Pair | None:
    """Return two classifiers by their names, if both are there and not the same."""
    found = [step.index for name in names for step in steps if step.classifier.name == name]
    if len(found) != 2 or found[0] == found[1]:
        return None
    first, second = (steps[i] for i in found)
    differ = surfaces.of[first.index]().winner != surfaces.of[second.index]().winner
    return Pair(first, second, differ, int((first.predict(X) != second.predict(X)).sum()))


def asked(steps: Sequence[WallStep], data: Plane, place: ndarray) -> Query:
    """Return the class that each classifier gives one place."""
    said = (int(step.predict(place[None])[0]) for step in steps)
    return Query(place, tuple(data.classes[label] for label in said))


def tiled(surfaces: Sequence[Callable[[], ndarray]], data: Plane, now: int) -> dict:
    """Draw all tiles in one image, with the points on each; those after a step are empty."""
    look = _POINT + data.labels % len(RGB)
    box = tiles.close(data.X, data.bounds)
    points = tiles.dotted(data.X, look, box, _CLEAR, wide=_SMALL)
    drawn = [
        np.where(points == _CLEAR, _tile(surface()), points) for surface in surfaces[: now + 1]
    ]
    empty = np.full(points.shape, _TO_COME, np.uint8)
    drawn += [empty] * (len(surfaces) - len(drawn))
    colors = np.array([*RGB, rgb(GREY), rgb(GREY), *RGB, rgb(GREY)], np.uint8)
    opacity = np.array([*[105] * len(RGB), 255, 0, *[255] * len(RGB), _PALE], np.uint8)
    return tiles.image(tiles.sheet(drawn, _CLEAR), colors, opacity)


def ahead(surfaces: Sequence[Callable[[], ndarray]]) -> dict:
    """Draw all tiles pale in one image, without the points: those to come are seen through it."""
    drawn = [surface() % len(RGB) for surface in surfaces]
    colors = np.array([*RGB, rgb(GREY), rgb(GREY)], np.uint8)
    opacity = np.array([*[_AHEAD] * len(RGB), 0, 0], np.uint8)
    return tiles.image(tiles.sheet(drawn, _CLEAR), colors, opacity, every=2)


def _tile(winner: ndarray) -> ndarray:
    """Return the classes of a tile, with a thin line where they change."""
    change = np.zeros(winner.shape, bool)
    change[:, 1:] |= winner[:, 1:] != winner[:, :-1]
    change[1:] |= winner[1:] != winner[:-1]
    change[:, :-1] |= change[:, 1:]  # two dots wide: a tile is smaller than its dots
    return np.where(change, _EDGE, winner % len(RGB))


def _parts(step: WallStep) -> tuple[tuple[int, int], tuple[int, int]]:
    return step.train, step.test


def _percent(wrong: int, count: int) -> float:
    return 100 * wrong / count


def _dots(x: ndarray, y: ndarray, what: str, **marker) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": plane.packed(x),
        "y": plane.packed(y),
        "marker": {"line": {"width": 2}, **marker},
        "hovertemplate": f"%{{y}}: %{{x:.1f}} % of {what}<extra></extra>",
    }


def answers(query: Query, now: int) -> str:
    """Write the class that this classifier and the others give the picked place."""
    (most, count), *others = Counter(query.said).most_common()
    rest = "".join(f", {fewer} {_say(fewer)} {name}" for name, fewer in others)
    whole = f"Picked point: {count} of {len(query.said)} {_say(count)} class {most}{rest}"
    return f"{whole}; this classifier says {query.said[now]}."


def _say(count: int) -> str:
    return "says" if count == 1 else "say"


def _easier(steps: Sequence[WallStep]) -> str:
    """Write that the held-out points are easier than the training points, if they are for most."""
    errors = np.array([[_percent(*part) for part in _parts(s)] for s in steps if s.test[1]])
    larger = int((errors[:, 0] > errors[:, 1]).sum()) if len(errors) else 0
    if 2 * larger <= len(steps):
        return ""
    return (
        f"The held-out points happen to be easy: {larger} of {len(steps)} classifiers have a "
        "larger error on their training points than on these."
    )


def _kept(numbers: str) -> str:
    return f" ({numbers})" if numbers else ""


def _share(part: tuple[int, int]) -> str:
    wrong, count = part
    return f"{wrong} of {count}"


_ENDED = {
    "stopped at max_iter": " Stopped before it converged.",
    "a machine stopped at max_iter": " Stopped before it converged.",
    "singular scatter within the classes": " Here a direction without spread decides.",
    "no surface": " If a class has no spread, the spread of all points is used.",
}


def note(steps: Sequence[WallStep], seed: int) -> str:
    """Write which points are held out, what the marks mean, and which classifiers refused."""
    (_, n_train), (_, n_test) = _parts(steps[0])
    rest = int((~steps[0].held_out).sum())
    quick = f", drawn at random from {rest:,} to keep it quick" if n_train < rest else ""
    others = "another" if quick else "the other"
    split = (
        f"All are fitted to the same {n_train} points{quick}; {others} {n_test}, drawn with seed "
        f"{seed}, are held out. Every class keeps at least one training point."
    )
    which = f"the same {n_train} points{quick}" if quick else f"all {n_train} points"
    told = [
        split if n_test else f"All are fitted to {which}: none is held out.",
        "A thick outline marks a point that is taken for another class.",
        *(
            [f"The lowest of {len(steps)} held-out errors is optimistic: these points chose it."]
            if n_test
            else []
        ),
        *tiles.left_out(steps[0].left_out),
    ]
    return " ".join(told)


def _wrong(rng: Generator, data: Plane, after: WallStep) -> Question | None:
    """Ask for a point that the next classifier gets wrong."""
    names, predicted = data.classes, after.predict(data.X)

    def reason(i: int) -> str:
        said, is_ = names[predicted[i]], names[data.labels[i]]
        return f"It says {said} there, but the point is of class {is_}."

    text = f"Next is {after.classifier.label}. Which of these points does it get wrong?"
    return which_point(rng, data, text, after.wrong, ~after.wrong, reason)


def _better(before: WallStep, after: WallStep) -> Question | None:
    """Ask whether the next classifier does better on the held-out points."""
    if not after.held_out.any():
        return None
    old, new = (int((step.wrong & step.held_out).sum()) for step in (before, after))
    ways = [Option("better"), Option("worse"), Option("equally well")]
    right = 0 if new < old else 1 if new > old else 2
    reason = (
        f"It gets {new or 'none'} of the {counted(int(after.held_out.sum()), 'held-out point')} "
        f"wrong, {before.classifier.label} {old or 'none'}."
    )
    text = (
        f"Next is {after.classifier.label}. How does it do on the held-out points, compared with "
        f"{before.classifier.label}?"
    )
    return question(text, ways[right], ways, reason)
