"""Similarity measures: a growing ball, and the nearest points by each measure."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.similarity_measures.similarity_measures import (
    COSINE,
    EUCLIDEAN,
    MANHATTAN,
    Fitted,
    Measure,
    NeighborStep,
)
from viz.clustering.similarity_measures import beside
from viz.clustering.similarity_measures.rule import name_of, rule, streets
from viz.core import naming, panels, plane
from viz.core.found import Groups
from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color, rgb, symbol
from viz.core.words import number, vector

_FAR, _MET, _MISSED = 0, 1, 2  # groups of points; missed: only the other ball holds them
_OTHER_COLOR = color(0)
_PALE = f"rgba{(*rgb(color(_MET)), 0.1)}"  # the inside of the ball
_FILLS = [GREY, color(_MET), _OTHER_COLOR]
_CLEAR = 1.02  # times as far
_SEEN = 0.04  # of the picture's width: places farther apart can be distinguished
_DISC = 1.0, 0.5, 0.0  # of a radius: rings of places that names keep clear of
_PLACES = range(0, 36, 6)  # of an outline, tried for its name on each side
_MOST_ROOM = 1.5  # times the board's size: balls that need more are cut off
_EDGE = 0.01  # of the board's size, beyond a ball
_KEY = 0.5, 0.2  # of the picture: room for the words in a corner
_OFF = 0.01  # of it, from an outline to its name
_ROOMY = 0.15  # of it: the size of a ball that has room for its name
_COUNTS, _NAMES = 50, 118  # pixels, for the counts at the right of the rows, for their names
_ALONG_A_LEG = 0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2  # where on it its length is tried
_AWAY = 0.012, 0.02, 0.03  # of the picture's size, from a leg to its length
_HANDLE = 0.045  # of it: the radius of the query's ring
_LETTER = 0.03  # of it: from the middle of a letter to other words
_TICKS = 15  # letters on the axis of the rows; of more points, every second or third has one
_DOT = 0.016  # of it: what names keep clear of around a point
_RING = 0.04  # of it: what names keep clear of around the newest neighbour
_TRIED = 60  # of the points that look nearest
_TURN = np.linspace(0, 2 * np.pi, 241)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_RIM, _RINGED = _CIRCLE[:-1:40], _CIRCLE[:-1:10]
_SQUARE = np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])

_NO_NAME = naming.Name("", (), {"size": 15})
Ranks = Sequence[tuple[Measure, ndarray]]
_WAY = "way to the neighbour met last"
_MINE, _COMPARED = (
    "ball that holds the neighbours met",
    "ball of the other measure with as many points",
)
_SIDES = {
    "bottom center": np.array([0.0, -1.0]),
    "bottom left": np.array([-1.0, -1.0]),
    "bottom right": np.array([1.0, -1.0]),
    "top right": np.array([1.0, 1.0]),
    "top left": np.array([-1.0, 1.0]),
    "middle right": np.array([1.0, 0.0]),
    "middle left": np.array([-1.0, 0.0]),
    "top center": np.array([0.0, 1.0]),
}
_SIGNS = {
    "points": "point; square: a neighbour met; diamond: in the other ball alone",
    "size": "large: the neighbour met last",
    "edges": _WAY,
    "marks": ["", "neighbour met last"],
}


class Neighbours(Show[NeighborStep]):
    """The ball of a measure as it grows."""

    unit = "neighbour"
    counts_from = 1
    opens = 0  # with the page's query, nearest by one measure alone

    def __init__(self, run: Run, data: Plane, ranks: Ranks) -> None:
        """Prepare the rows of the measures.

        ranks : every point's place in the order of each measure, that of the ball among them.
        """
        super().__init__(run, data)
        self.k = self.steps[0].k
        places = np.array([row for _, row in ranks])
        near = np.flatnonzero((places < self.k).any(axis=0))
        self.rows = [_short(measure) for measure, _ in ranks]
        self.mine, self.compared = (
            _short(each.measure) for each in (self.steps[0].fitted, self.steps[0].other)
        )
        self.own_row = self.rows.index(self.mine)
        by_a_ruler = next((row for measure, row in ranks if measure == EUCLIDEAN), places[0])
        # Letters are dealt by a ruler, so that a point keeps its own under another measure.
        self.columns = near[by_a_ruler[near].argsort()]
        self.letters = [letters(column) for column in range(len(near))]
        self.places = places[:, self.columns]
        self.box = self._with_both_balls()
        self.lettered = self._shares(data.X[self.columns])
        query = self._shares(self.steps[0].query)
        self.places_of_letters = beside.places(
            self.lettered, self.letters, self._shares(data.X), query, _HANDLE
        )
        self.led = beside.far_from(self.lettered, self.letters, self.places_of_letters)
        self.corner = naming.free_corner(self.box, self._seen_at_the_end(), *_KEY)
        self.note = (
            "Squares: neighbours met, the newest large and ringed. The thick line around them is "
            "the ball; the thin blue one is the ball of the other measure with as many points, and "
            "blue diamonds are the points that it alone holds. Dashed, where there is one: a "
            "shorter detour. In the view of the rows, a point has the letter and the look that it "
            "has in the picture (A is the nearest by Euclidean distance); the column at the right "
            "counts the squares. Of points equally far, the first in the data counts."
        )

    def views(self) -> list[View]:
        """Return the picture, and the rows of all measures."""
        return [
            View("The ball and its neighbours", self.picture),
            View("Each row: the nearest points by one measure", self.who_is_near),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both balls, the way to the newest neighbour, and the detour if it is shorter.

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
            plane.line(outline, line={"width": 4, "color": color(_MET)}, name=_MINE)
            | self._filled(),
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
            *self._lettered(step),
            *self._names(step, outline, other),
            naming.in_corner(self._key(step), self.box, self.corner),
        ]
        return plane.figure(
            traces,
            self.box,
            data.names,
            points=plane.points(data.X, group, size=size) | {"fills": _FILLS},
            marks=plane.marks(step.ranks == step.met - 1, (100, 100), (0, 22), 2),
            edges=self._way(step),
            signs=_SIGNS,
        )

    def _filled(self) -> dict:
        """Return the pale inside of the ball; a cosine's has no end, so it has none."""
        endless = self.steps[0].fitted.measure == COSINE
        return {} if endless else {"fill": "toself", "fillcolor": _PALE}

    def _way(self, step: NeighborStep) -> dict:
        """Draw the way to the neighbour met last: straight, or along streets."""
        _, *ends = self._on_the_way(step)
        starts = np.vstack([plane.from_the_rim(step.query, ends[0][None], self.box), *ends[:-1]])
        return plane.edges(starts, np.array(ends), width=3)

    def _on_the_way(self, step: NeighborStep) -> ndarray:
        """Return the query, the corner of the way along streets, and the neighbour met last."""
        start, end = step.query, self.data.X[step.newest]
        corner = [[end[0], start[1]]] if step.fitted.measure == MANHATTAN else []
        return np.array([start, *corner, end])

    def _shares(self, places: ndarray) -> ndarray:
        """Return places as shares of the picture."""
        left, _, bottom, _ = self.box
        return (places - [left, bottom]) / self._size()

    def _dots(self) -> ndarray:
        """Return places on every point, so that words keep clear of the whole of it."""
        around = _DOT * self._size() * _RIM
        return (self.data.X[:, None] + around).reshape(-1, 2)

    def _size(self) -> ndarray:
        """Return the width and the height of the picture."""
        left, right, bottom, top = self.box
        return np.array([right - left, top - bottom])

    def _seen(self, step: NeighborStep) -> ndarray:
        """Return which columns of the rows hold one of the nearest points now."""
        return self.places.min(axis=0) < step.met

    def _places(self, step: NeighborStep) -> ndarray:
        """Return the middles of the letters; that of the ringed point is clear of its ring."""
        left, _, bottom, _ = self.box
        places = self.places_of_letters.copy()
        ringed = int(np.flatnonzero(self.columns == step.newest)[0])
        seen = self._seen(step)
        seen[ringed] = False
        covered = np.concatenate([self.data.X, naming.along(self._on_the_way(step))])
        places[ringed] = beside.off_the_ring(
            self.lettered[ringed],
            self.letters[ringed],
            self._shares(covered),
            places[seen],
            self._shares(step.query),
            _HANDLE,
        )
        return places * self._size() + [left, bottom]

    def _lettered(self, step: NeighborStep) -> list[dict]:
        """Write the letters of the points that are among the nearest by any measure now.

        A line leads from a point to a letter that has no room right beside it.
        """
        seen, middles = self._seen(step), self._places(step)
        lines = beside.leaders(self.lettered, self.letters, self._shares(middles), seen & self.led)
        left, _, bottom, _ = self.box
        return [
            plane.line(
                lines * self._size() + [left, bottom],
                line={"width": 1},
                name="from a point to its letter",
            ),
            plane.line(
                middles,
                mode="text",
                text=[own if shown else "" for own, shown in zip(self.letters, seen, strict=True)],
                textposition="middle center",
                textfont={"size": 14, "shadow": "auto"},
                name="letter of the point in the rows",
            ),
        ]

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
        """Return the board's part of the plane, with room for balls that need little.

        These are the last balls, or else the largest before them. A cosine's ball has no end.
        """
        boxes = (self._with_balls_of(step) for step in reversed(self.steps))
        return next((box for box in boxes if box), self.data.bounds)

    def _with_balls_of(self, step: NeighborStep) -> Bounds | None:
        """Return the plane with room for the balls of a step; None if they need too much."""
        left, right, bottom, top = self.data.bounds
        low, high = np.array([left, bottom]), np.array([right, top])
        size, ends = high - low, np.array([low, high])
        if step.fitted.measure != COSINE:
            ends = np.vstack([ends, ball(step.fitted, step.query, step.radius, self.data.bounds)])
        if step.other.measure != COSINE:
            ends = np.vstack([ends, self._compared(step)])
        low, high = np.nanmin(ends, axis=0), np.nanmax(ends, axis=0)
        share = float(((high - low) / size).max())
        if share > _MOST_ROOM:
            return None
        if share <= 1:
            return self.data.bounds
        middle, half = (low + high) / 2, (share / 2 + _EDGE) * size
        low, high = middle - half, middle + half
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def _seen_at_the_end(self) -> ndarray:
        """Return the places of points, letters and the last balls, which words keep clear of."""
        step = self.steps[-1]
        outlines = ball(step.fitted, step.query, step.radius, self.box), self._compared(step)
        return np.vstack([self._dots(), self._places(step), *map(naming.along, outlines)])

    def _names(self, step: NeighborStep, mine: ndarray, other: ndarray) -> list[dict]:
        """Name both balls outside their outlines or inside, and the legs of the way along streets.

        Small balls have no names, and no lengths in them.
        """
        size = self._size()
        names = self._legs(step) if self._has_room(mine) else 2 * [_NO_NAME]
        for of, outline, ink in (
            (step.fitted, mine, color(_MET)),
            (step.other, other, _OTHER_COLOR),
        ):
            places = naming.along(outline)
            where = [
                (places[i] + _OFF * size * way, side)
                for farthest in _PLACES
                for end in (1, -1)
                for side, way in _SIDES.items()
                for i in (-end * (places / size @ way)).argsort()[farthest : farthest + 1]
            ]
            name = _short(of.measure) if self._has_room(outline) else ""
            names.append(naming.Name(name, where, {"color": ink, "size": 15}))
        words = self._places(step)[self._seen(step)]
        words = (words[:, None] + _LETTER * size * np.vstack([_RIM, 0 * _RIM])).reshape(-1, 2)
        rim = [step.query + share * _HANDLE * size * _RINGED for share in _DISC]
        ring = [self.data.X[step.newest] + share * _RING * size * _RINGED for share in _DISC]
        way = naming.along(self._on_the_way(step))
        lines = [self._dots(), *map(naming.along, (mine, other)), way, words, *rim, *ring]
        return naming.clear_names(names, self.box, np.concatenate(lines))

    def _has_room(self, outline: ndarray) -> bool:
        """Return whether a ball is so large that its name is not too large for it."""
        places = naming.along(outline) / self._size()
        return len(places) > 0 and float(np.ptp(places, axis=0).max()) >= _ROOMY

    def _legs(self, step: NeighborStep) -> list[naming.Name]:
        """Return the lengths of the two legs of the way along streets, each beside its leg."""
        size, start, end = self._size(), step.query, self.data.X[step.newest]
        corner = np.array([end[0], start[1]])  # by the other measures, nothing is written
        lengths = streets(self.data, step) if step.fitted.measure == MANHATTAN else ("", "")
        seen = np.abs(end - start) > _HANDLE * size  # others are hidden by the query's ring
        onwards, back = ("right", "left") if corner[0] >= start[0] else ("left", "right")
        outer, inner = ("bottom", "top") if end[1] >= start[1] else ("top", "bottom")
        flat = [f"{side} {part}" for side in (outer, inner) for part in ("center", onwards)]
        legs = (start, corner, flat), (corner, end, [f"middle {onwards}", f"middle {back}"])
        return [
            naming.Name(
                length if shown else "",
                [
                    (a + share * (b - a) + away * size * _SIDES[side], side)
                    for away in _AWAY
                    for side in sides
                    for share in _ALONG_A_LEG
                ],
                {"size": 15},
            )
            for length, shown, (a, b, sides) in zip(lengths, seen, legs, strict=True)
        ]

    def who_is_near(self, now: int) -> Figure:
        """Draw a row for every measure, with as many of its nearest points as the ball has met.

        A column is a point, with its letter and its look in the picture; a small dot is where it is
        not among the nearest. The names of the two measures of the picture have their colours.
        """
        places, names, m = self.places, self.rows, self.steps[now].met
        met = places < m
        every = np.indices(places.shape).reshape(2, -1)[::-1].T * [1.0, -1.0] + [1.0, 0.0]
        wide = places.shape[1]
        ticks = list(range(1, wide + 1, 1 + (wide - 1) // _TICKS))
        looks = np.where(met, self._looks(now)[self.columns], _FAR).ravel().tolist()
        marker = {
            "size": np.where(met.ravel(), float(np.clip(200 / wide, 3, 16)), 3).tolist(),
            "symbol": [symbol(look) for look in looks],
            "color": [_FILLS[look] for look in looks],
            "opacity": 1,
        }
        shared = (met & met[self.own_row]).sum(axis=1)
        aside = {"x": 1.02, "xanchor": "left", "yref": "y", "showarrow": False}
        above = {"yref": "y domain", "y": 1, "yanchor": "bottom", "showarrow": False}
        nearest = f"its {m} nearest" if m > 1 else "its nearest"
        mark = {"x": 0, "xanchor": "left", "xshift": -_NAMES, "text": f"large: {nearest}"}
        heading = {"x": 1, "xanchor": "right", "xshift": _COUNTS}
        heading["text"] = f"shared with {self.mine}"
        counts = [
            aside | {"y": -row, "text": f"{count}/{m}"} for row, count in enumerate(shared.tolist())
        ]
        inks = {self.compared: _OTHER_COLOR, self.mine: color(_MET)}
        panel = panels.Panel(
            [
                plane.line(every, mode="markers", marker=marker,
                           name="large: among the nearest by this measure"),
            ],
            x=panels.axis("letter of the point in the picture", 1, wide, tickvals=ticks)
            | {"ticktext": [self.letters[tick - 1] for tick in ticks]},
            y={
                "range": [-len(names) + 0.4, 0.6],
                "tickvals": [-row for row in range(len(names))],
                "ticktext": [
                    f'<b style="color: {inks[name]}">{name}</b>' if name in inks else name
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
        blue = mine != other and not (detour and step.fitted.measure == COSINE)  # it has long lines
        counted = f"{rule(self.data, step)}{around * blue}{self._who(step)}"
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
            elsewhere = f"; by {other} distance it is the {_nth(rank)}nearest{outside}"
            return f"Neighbour {step.met} of {step.k} is {far}{elsewhere * (mine != other)}."
        if mine == other:
            if step.k == 1:
                return f"The one neighbour is {far}."
            return f"All {step.k} neighbours are met; the last is {far}."
        if step.k == 1:
            also = "also" if step.shared else "not"
            return f"The one neighbour is {far}; it is {also} the nearest by {other} distance."
        are = "is" if step.shared == 1 else "are"
        all_of = "all " * (step.shared == step.k)
        shared = f"{all_of}{step.shared} {are} also among the {step.k} nearest by {other} distance"
        return f"All {step.k} neighbours are met; {shared}. The last is {far}."

    def _who(self, step: NeighborStep) -> str:
        """Write how many different points are nearest by one of the measures in the rows."""
        names = int((self.places == 0).any(axis=0).sum())
        if step.met > 1 or names == 1:
            return ""
        return f" The {len(self.rows)} measures name {names} different nearest points."

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


def letters(column: int) -> str:
    """Return the letter of a column: A to Z, then AA, AB and so on."""
    more, last = divmod(column, 26)
    return (letters(more - 1) if more else "") + chr(ord("A") + last)


def _nth(rank: int) -> str:
    """Write what stands before "nearest": "2nd ", or nothing for the first."""
    if rank == 1:
        return ""
    ending = (
        "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    )
    return f"{rank}{ending} "
