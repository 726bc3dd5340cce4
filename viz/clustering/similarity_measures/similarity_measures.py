"""Similarity measures: a growing ball, and the nearest points by each measure."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.similarity_measures.similarity_measures import (
    COSINE,
    MANHATTAN,
    Fitted,
    Measure,
    NeighborStep,
)
from viz.clustering.similarity_measures.rule import name_of, rule, streets
from viz.core import naming, panels, plane
from viz.core.found import Groups
from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Bounds, Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color, symbol
from viz.core.words import number, vector

_FAR, _MET, _MISSED = 0, 1, 2  # groups of points; missed: only the other ball holds them
_OTHER_COLOR = color(0)
_FILLS = [GREY, color(_MET), _OTHER_COLOR]
_CLEAR = 1.02  # times as far
_SEEN = 0.04  # of the picture's width: places farther apart can be distinguished
_PLACES = 60  # of an outline, tried for its name on each side
_MOST_ROOM = 0.65  # of the picture's size, from its middle: balls that reach farther are cut off
_AROUND = 0.08  # of it: what names keep clear of around the picked point
_OFF = 0.02  # of it, from an outline to its name
_ROOMY = 0.3  # of it: the size of a ball that has room for its name
_COUNTS, _NAMES = 50, 118  # pixels, for the counts at the right of the rows, for their names
_ALONG_A_LEG = 0.5, 0.25, 0.75, 1.0  # where on it the sum is tried
_AWAY = 0.02, 0.05, 0.09  # of the picture's size, from the leg to the sum
_SHORT = 0.1  # of it: a leg that has no room for the sum
_RING = 0.04  # of it: what names keep clear of around the newest neighbour
_TRIED = 60  # of the points that look nearest
_TURN = np.linspace(0, 2 * np.pi, 241)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_SQUARE = np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])

Ranks = Sequence[tuple[Measure, ndarray]]
_WAYS = "way to a neighbour met; thick: the last"
_MINE, _COMPARED = (
    "ball that holds the neighbours met",
    "ball of the other measure with as many points",
)
_BELOW = {
    "bottom center": np.array([0.0, -1.0]),
    "bottom left": np.array([-1.0, -1.0]),
    "bottom right": np.array([1.0, -1.0]),
}
_INSIDE = {
    "bottom center": np.array([0.0, 1.0]),
    "top center": np.array([0.0, -1.0]),
    "middle left": np.array([1.0, 0.0]),
    "middle right": np.array([-1.0, 0.0]),
}
_SIGNS = {
    "points": "point; square: a neighbour met; diamond: in the other ball alone",
    "size": "large: the neighbour met last",
    "edges": _WAYS,
    "marks": ["", "neighbour met last"],
}
_LAYERS = [
    Layer("ways to the neighbours", (_WAYS,), on=True),
]


class Neighbours(Show[NeighborStep]):
    """The ball of a measure as it grows."""

    unit = "neighbour"
    counts_from = 1
    opens = 6  # with the page's query, a neighbour that is outside the other measure's ball

    def __init__(self, run: Run, data: Plane, ranks: Ranks) -> None:
        """Prepare the rows of the measures.

        ranks : every point's place in the order of each measure; the first is that of the ball.
        """
        super().__init__(run, data)
        self.k = self.steps[0].k
        places = np.array([row for _, row in ranks])
        near = np.flatnonzero((places < self.k).any(axis=0))
        self.rows = [_short(measure) for measure, _ in ranks]
        self.compared = _short(self.steps[0].other.measure)
        self.columns = near[places[0, near].argsort()]
        self.places = places[:, self.columns]
        self.box = self._with_both_balls()
        self.note = (
            "Squares: neighbours met, the newest large and ringed. The thick line around them is "
            "the ball; the thin blue one is the ball of the other measure with as many points, and "
            "blue diamonds are the points that it alone holds. Dashed, where there is one: a "
            "shorter detour. In the view of the rows, a point has the look that it has in the "
            "picture, so squares are also in the first row; the column at the right counts them. "
            "Of points equally far, the first in the data counts."
        )

    def views(self) -> list[View]:
        """Return the picture, and the rows of all measures."""
        return [
            View("The ball and its neighbours", self.picture, layers=_LAYERS),
            View("The nearest points by each measure", self.who_is_near),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both balls, lines to the neighbours met, and the detour if it is shorter.

        The neighbours met are squares, the newest large and ringed; diamonds are the points that
        only the other ball holds. A cross is where the cosine sees angles from.
        """
        data, step = self.data, self.steps[now]
        group = self._looks(now)
        size = np.where(group == _FAR, 0.9, 1.1)
        size[step.newest] = 1.6
        around = data.X[[step.via, step.newest]] if step.shorter else plane.GAP
        seen_from = step.fitted.center[None] if step.fitted.measure == COSINE else plane.GAP
        cross = {"symbol": 134, "size": 12, "line": {"width": 3}}
        dashed = {"width": 3, "dash": "dash"}
        outline = ball(step.fitted, step.query, step.radius, self.box)
        other = self._compared(step)
        traces = [
            plane.line(outline, line={"width": 3, "color": color(_MET)}, name=_MINE),
            plane.line(
                np.vstack([step.query, around]), line=dashed, name="a detour that is shorter"
            ),
            plane.line(
                seen_from,
                mode="markers",
                marker=cross,
                name="place from which the cosine sees angles",
            ),
            plane.line(other, line={"width": 2, "color": _OTHER_COLOR}, name=_COMPARED),
            *self._names(step, outline, other),
            naming.in_corner(self._key(step), self.box, "bottom right"),
        ]
        return plane.figure(
            traces,
            self.box,
            data.names,
            points=plane.points(data.X, group, size=size) | {"fills": _FILLS},
            marks=plane.marks(step.ranks == step.met - 1, (100, 100), (0, 22), 2),
            edges=self._ways(step),
            signs=_SIGNS,
        )

    def _ways(self, step: NeighborStep) -> dict:
        """Draw the ways to the neighbours met: straight, or along streets."""
        met = step.order[: step.met]
        ends, width = self.data.X[met], np.where(met == step.newest, 3.0, 0.5)
        if step.fitted.measure != MANHATTAN:
            rim = plane.from_the_rim(step.query, ends, self.box)
            return plane.edges(rim, ends, width=width)
        corners = np.column_stack([ends[:, 0], np.full(len(ends), step.query[1])])
        rim = plane.from_the_rim(step.query, corners, self.box)
        starts, stops = np.concatenate([rim, corners]), np.concatenate([corners, ends])
        return plane.edges(starts, stops, width=np.tile(width, 2))

    def _key(self, step: NeighborStep) -> str:
        """Write what squares, diamonds and the ring are."""
        alone = f"<br>diamond: nearest by {_short(step.other.measure)} only" * self._compares(step)
        mine = _short(step.fitted.measure)
        return f"ring: neighbour {step.met}<br>square: nearest by {mine}{alone}"

    def _compares(self, step: NeighborStep) -> bool:
        """Return whether the other measure is another one."""
        return step.other.measure != step.fitted.measure

    def _compared(self, step: NeighborStep) -> ndarray:
        """Return the ball of the other measure that holds as many points, if there is another."""
        if not self._compares(step):
            return plane.GAP
        last = int(np.flatnonzero(step.other_ranks == step.met - 1)[0])
        radius = float(step.other.between(step.query[None], self.data.X[[last]])[0, 0])
        return ball(step.other, step.query, radius, self.data.bounds)

    def _with_both_balls(self) -> Bounds:
        """Return the board's part of the plane, with room for the last balls if they need little.

        A cosine's ball has no end.
        """
        step, (left, right, bottom, top) = self.steps[-1], self.data.bounds
        low, size = np.array([left, bottom]), np.array([right - left, top - bottom])
        ends = [self.data.X[:0]]
        if step.fitted.measure != COSINE:
            ends.append(ball(step.fitted, step.query, step.radius, self.data.bounds))
        if step.other.measure != COSINE:
            ends.append(self._compared(step))
        places = np.abs((np.concatenate(ends) - low) / size - 0.5)
        reach = 1.02 * float(np.nan_to_num(places).max(initial=0.0))
        if reach > _MOST_ROOM:
            return self.data.bounds
        middle, half = low + size / 2, max(0.5, reach) * size
        low, high = middle - half, middle + half
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def _names(self, step: NeighborStep, mine: ndarray, other: ndarray) -> list[dict]:
        """Name the ball below its outline, the other one inside its own, and Manhattan's sum.

        Small balls have no names.
        """
        left, right, bottom, top = self.box
        size = np.array([right - left, top - bottom])
        names = []
        for of, outline, ways, ink in (
            (step.fitted, mine, _BELOW, color(_MET)),
            (step.other, other, _INSIDE, _OTHER_COLOR),
        ):
            places = naming.along(outline)
            where = [
                (places[i] + _OFF * size * way * (1 if ways is _BELOW else -1), side)
                for side, way in ways.items()
                for i in (-(places / size @ way)).argsort()[:_PLACES]
            ]
            roomy = np.ptp(places / size, axis=0).max() >= _ROOMY if len(places) else False
            name = _short(of.measure) if roomy else ""
            names.append(naming.Name(name, where, {"color": ink, "size": 15}))
        names.append(self._sum(step))
        rim = [step.query + share * _AROUND * size * _CIRCLE for share in (1.0, 0.5, 0.0)]
        ring = [self.data.X[step.newest] + share * _RING * size * _CIRCLE for share in (1.0, 0.5)]
        lines = [self.data.X, naming.along(mine), naming.along(other), *rim, *ring]
        return naming.clear_names(names, self.box, np.concatenate(lines))

    def _sum(self, step: NeighborStep) -> naming.Name:
        """Return the sum of the way along streets, beside a leg of it, the longer one first."""
        left, right, bottom, top = self.box
        size = np.array([right - left, top - bottom])
        start, end = step.query, self.data.X[step.newest]
        corner = np.array([end[0], start[1]])
        legs = [
            (start, corner, {"top center": (0, 1), "bottom center": (0, -1)}),
            (corner, end, {"middle right": (1, 0), "middle left": (-1, 0)}),
        ]
        long = [float(np.abs((b - a) / size).max()) for a, b, _ in legs]
        first = int(np.argmax(long))
        tried = [legs[first], *(legs[1 - first],) * (min(long) > _SHORT)]
        where = [
            (a + share * (b - a) + away * size * way, side)
            for away in _AWAY
            for a, b, sides in tried
            for share in _ALONG_A_LEG
            for side, way in sides.items()
        ]
        text = streets(self.data, step) if step.fitted.measure == MANHATTAN else ""
        return naming.Name(text, where, {"size": 15})

    def who_is_near(self, now: int) -> Figure:
        """Draw a row for every measure, with as many of its nearest points as the ball has met.

        A column is a point, with its look in the picture; a small dot is where it is not among the
        nearest. The columns are in the order of the first row. The two measures of the picture are
        bold.
        """
        places, names, m = self.places, self.rows, self.steps[now].met
        met = places < m
        rows, across = np.nonzero(met)
        path = np.column_stack([across + 1.0, -rows.astype(float)])
        every = np.indices(places.shape).reshape(2, -1)[::-1].T * [1.0, -1.0] + [1.0, 0.0]
        wide = places.shape[1]
        size = float(np.clip(220 / wide, 3, 12))
        looks = self._looks(now)[self.columns[across]].tolist()
        marker = {"size": size, "symbol": [symbol(look) for look in looks]}
        marker["color"] = [_FILLS[look] for look in looks]
        shared = (met & met[0]).sum(axis=1)
        beside = {"x": 1.02, "xanchor": "left", "yref": "y", "showarrow": False}
        above = {"yref": "y domain", "y": 1, "yanchor": "bottom", "showarrow": False}
        nearest = f"its {m} nearest" if m > 1 else "its nearest"
        mark = {"x": 0, "xanchor": "left", "xshift": -_NAMES}
        mark["text"] = f"{nearest}; grey: in no ball"
        heading = {"x": 1, "xanchor": "right", "xshift": _COUNTS, "text": "shared with row 1"}
        counts = [
            beside | {"y": -row, "text": f"{count}/{m}"}
            for row, count in enumerate(shared.tolist())
        ]
        panel = panels.Panel(
            [
                plane.line(every, mode="markers", marker={"size": 3, "color": GREY},
                           name="not among the nearest by this measure"),
                plane.line(path, mode="markers", marker=marker,
                           name="among the nearest by this measure"),
            ],
            x=panels.axis(f"points, the nearest by {names[0]} first", 1, wide, dtick=5),
            y={
                "range": [-len(names) + 0.4, 0.6],
                "tickvals": [-row for row in range(len(names))],
                "ticktext": [
                    f"<b>{name}</b>" if name in (names[0], self.compared) else name
                    for name in names
                ],
                "showgrid": False,
            },
            annotations=[above | mark, above | heading, *counts],
        )  # fmt: skip
        figure = panels.alone(panel)
        figure["layout"]["margin"] |= {"l": _NAMES, "r": _COUNTS, "t": 26}
        return figure

    def caption(self, now: int) -> str:
        """Write which neighbour is met; below, its distance in numbers, and a shorter detour."""
        step = self.steps[now]
        detour = [self._detour(step)] if step.shorter else []
        mine, other = (name_of(each.measure) for each in (step.fitted, step.other))
        several = f"{step.met} nearest" if step.met > 1 else "nearest point"
        around = f" The blue line is around the {several} by {other} distance."
        counted = f"{rule(self.data, step)}{around * (mine != other)}"
        places = vector(step.query), vector(self.data.X[step.newest])
        picked = f"Picked point {places[0]}; neighbour {step.met} is at {places[1]}."
        return "\n".join([self._met(step), counted, picked, *detour])

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next neighbour, among points that are near the query on the picture."""
        data, after = self.data, self.steps[now + 1]
        beyond = np.flatnonzero(after.distances > _CLEAR * after.radius)
        by_eye = np.square(data.X[beyond] - after.query).sum(axis=1).argsort(kind="stable")
        tried = (after.newest, *beyond[by_eye][:_TRIED].tolist())
        places: list[Place] = [(0, *data.X[i].tolist()) for i in tried]
        seen = _SEEN * (data.bounds[1] - data.bounds[0])
        options = [Option(f"the one at {vector(at[1:])}", at) for at in places]
        kept = [options[i] for i in apart(places, seen)]
        reason = (
            f"Its distance is {number(after.radius)} ({name_of(after.fitted.measure)}); the others "
            "are farther by this measure."
        )
        return question(
            "Which of these points does the ball meet first?", kept[0], kept[1:], reason
        )

    def found(self, now: int) -> Groups:
        """Return which points the ball has met."""
        return Groups(self._group(now))

    def _group(self, now: int) -> ndarray:
        step = self.steps[now]
        return np.where(step.ranks < step.met, _MET, _FAR)

    def _looks(self, now: int) -> ndarray:
        """Return the look of every point in the picture."""
        step, group = self.steps[now], self._group(now)
        return np.where((group == _FAR) & (step.other_ranks < step.met), _MISSED, group)

    def _met(self, step: NeighborStep) -> str:
        mine, other = (name_of(each.measure) for each in (step.fitted, step.other))
        far = f"at a distance of {number(step.radius)} ({mine})"
        if step.met < step.k:
            rank = int(step.other_ranks[step.newest]) + 1
            outside = ", outside the blue line" * (rank > step.met)
            elsewhere = f"; by {other} distance it is number {rank}{outside}" * (mine != other)
            return f"Neighbour {step.met} of {step.k} is {far}{elsewhere}."
        if mine == other:
            return f"All {step.k} neighbours are met; the last is {far}."
        shared = f"{step.shared} are also among the {step.k} nearest by {other} distance"
        return f"All {step.k} neighbours are met; {shared}. The last is {far}."

    def _detour(self, step: NeighborStep) -> str:
        first = float(step.distances[step.via])
        ways = f"{number(first)} + {number(step.detour - first)} = {number(step.detour)}"
        return (
            f"The detour by {vector(self.data.X[step.via])} is {ways} long, shorter than the "
            "direct way, so this is not a metric."
        )


def ball(fitted: Fitted, query: ndarray, radius: float, box: Bounds) -> ndarray:
    """Return the outline of all places at a distance from the query."""
    if fitted.measure.name == "cosine":
        return _cone(fitted, query, radius, box)
    shape = {"chebyshev": _SQUARE, "mahalanobis": _CIRCLE}.get(fitted.measure.name)
    if shape is None:
        shape = np.sign(_CIRCLE) * np.abs(_CIRCLE.round(15)) ** (2 / fitted.measure.p)
    return query + radius * shape @ np.linalg.inv(fitted.matrix)


def _cone(fitted: Fitted, query: ndarray, radius: float, box: Bounds) -> ndarray:
    """Return the two rays at an angle of arccos(1 - radius) to the query, out of the picture."""
    toward = (query - fitted.center) @ fitted.matrix
    if not toward.any():
        return plane.GAP
    turn = np.arccos(np.clip(1 - radius, -1, 1)) * np.array([-1, 1]) + np.arctan2(*toward[::-1])
    rays = np.column_stack([np.cos(turn), np.sin(turn)]) @ np.linalg.inv(fitted.matrix)
    corners = np.array([[x, y] for x in box[:2] for y in box[2:]]) - fitted.center
    rays *= 2 * np.hypot(*corners.T).max() / np.hypot(*rays.T)[:, None]
    return fitted.center + np.array([rays[0], [0.0, 0.0], rays[1]])


def _short(measure: Measure) -> str:
    name = name_of(measure)
    return f"p = {number(measure.p)}" if name.startswith("Minkowski") else name
