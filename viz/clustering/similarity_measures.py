"""Pictures of similarity measures: a ball that grows, and who is near by which measure."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.similarity_measures import (
    CHEBYSHEV,
    COSINE,
    EUCLIDEAN,
    MAHALANOBIS,
    MANHATTAN,
    Fitted,
    Measure,
    NeighborStep,
)
from viz.core import curves, panels, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, NOW, color, symbol
from viz.core.words import number

MOST_DRAWN = 400  # nearest points, by either measure, whose distances are drawn

OTHERS = {  # by their names, what a measure is compared with
    "Euclidean": EUCLIDEAN,
    "Manhattan": MANHATTAN,
    "Chebyshev": CHEBYSHEV,
    "cosine": COSINE,
    "Mahalanobis": MAHALANOBIS,
}

_FAR, _MET = 0, 1  # groups of points
_TURN = np.linspace(0, 2 * np.pi, 241)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_SQUARE = np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])

Ranks = Sequence[tuple[Measure, ndarray]]


def name_of(measure: Measure) -> str:
    """Name a measure as texts do."""
    known = {each: name for name, each in OTHERS.items()}
    return known.get(measure, f"Minkowski, p = {number(measure.p)}")


def picture(data: Plane, step: NeighborStep) -> Figure:
    """Draw the ball, lines to the neighbours it has met, and the way round if that is shorter.

    Those it has met are squares, the newest large; a ring is around the k nearest by the other
    measure. A cross is where the cosine sees angles from.
    """
    met = step.order[: step.met]
    group = np.full(len(data.X), _FAR)
    group[met] = _MET
    size = np.where(group == _MET, 1.0, 0.7)
    size[step.newest] = 1.4
    width = np.where(met == step.newest, 3.0, 1.0)
    around = data.X[[step.via, step.newest]] if step.shorter else plane.GAP
    seen_from = step.fitted.center[None] if step.fitted.measure == COSINE else plane.GAP
    cross = {"symbol": 134, "size": 12, "line": {"width": 3}}
    traces = [
        plane.line(ball(step.fitted, step.query, step.radius, data.bounds), line={"width": 2.5}),
        plane.line(
            np.vstack([step.query, around]), line={"width": 3, "dash": "dash", "color": NOW}
        ),
        plane.line(seen_from, mode="markers", marker=cross),
    ]
    return plane.figure(
        traces,
        data.bounds,
        data.names,
        points=plane.points(data.X, group, size=size),
        marks=plane.marks(step.other_ranks < step.k, (100, 100), (0, 17), 2),
        edges=plane.edges(np.broadcast_to(step.query, (len(met), 2)), data.X[met], width=width),
    )


def ball(fitted: Fitted, query: ndarray, radius: float, box: Bounds) -> ndarray:
    """Give the outline of all places that are at a distance from the query."""
    if fitted.measure.name == "cosine":
        return _cone(fitted, query, radius, box)
    shape = {"chebyshev": _SQUARE, "mahalanobis": _CIRCLE}.get(fitted.measure.name)
    if shape is None:
        shape = np.sign(_CIRCLE) * np.abs(_CIRCLE.round(15)) ** (2 / fitted.measure.p)
    return query + radius * shape @ np.linalg.inv(fitted.matrix)


def _cone(fitted: Fitted, query: ndarray, radius: float, box: Bounds) -> ndarray:
    """Give the two rays at an angle of arccos(1 - radius) to the query, out of the picture."""
    toward = (query - fitted.center) @ fitted.matrix
    if not toward.any():
        return plane.GAP
    turn = np.arccos(np.clip(1 - radius, -1, 1)) * np.array([-1, 1]) + np.arctan2(*toward[::-1])
    rays = np.column_stack([np.cos(turn), np.sin(turn)]) @ np.linalg.inv(fitted.matrix)
    corners = np.array([[x, y] for x in box[:2] for y in box[2:]]) - fitted.center
    rays *= 2 * np.hypot(*corners.T).max() / np.hypot(*rays.T)[:, None]
    return fitted.center + np.array([rays[0], [0.0, 0.0], rays[1]])


def who_is_near(ranks: Ranks, steps: Sequence[NeighborStep]) -> Callable[[int], Figure]:
    """Draw a row for every measure and a column for every point that is near by one of them.

    ranks : every point's place in the order of each measure; the first is the one of the ball.
    Filled: among as many of a row's nearest as the ball has met.
    """
    k = steps[0].k
    places = np.array([row for _, row in ranks])
    columns = np.flatnonzero((places < k).any(axis=0))
    columns = columns[places[0, columns].argsort()]
    places = places[:, columns]
    rows, across = np.nonzero(places < k)
    x, y = across + 1.0, -rows.astype(float)
    wide = len(columns)
    names = [_short(measure) for measure, _ in ranks]
    size = float(np.clip(220 / wide, 3, 12))
    hollow = {"size": size, "symbol": 101, "color": GREY}

    def draw(now: int) -> Figure:
        met = places < steps[now].met
        filled = met[rows, across]
        shared = (met & met[0]).sum(axis=1)
        traces = [
            plane.line(np.column_stack([x, y]), mode="markers", marker=hollow),
            plane.line(
                np.column_stack([x, y])[filled],
                mode="markers",
                marker={"size": size, "symbol": symbol(_MET), "color": color(_MET)},
            ),
        ]
        panel = panels.Panel(
            traces,
            x=panels.axis("points, the nearest by the first row first", 1, wide, dtick=5),
            y={
                "range": [-len(names) + 0.4, 0.6],
                "tickvals": [-row for row in range(len(names))],
                "ticktext": [
                    f"{name} {count}/{steps[now].met}"
                    for name, count in zip(names, shared, strict=True)
                ],
                "showgrid": False,
            },
        )
        figure = panels.alone(panel)
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "l": 118}
        return figure

    return draw


def _short(measure: Measure) -> str:
    name = name_of(measure)
    return f"p = {number(measure.p)}" if name.startswith("Minkowski") else name


def both_distances(steps: Sequence[NeighborStep]) -> Callable[[int], Figure]:
    """Draw every point's distance by this measure against the one by the other.

    Dotted: the k-th distance of either. The axes reach as far as the k nearest of both.
    """
    first = steps[0]
    near = np.minimum(first.ranks, first.other_ranks)
    drawn = np.flatnonzero(near < MOST_DRAWN)
    path = np.column_stack([first.others, first.distances])
    inside = near < first.k
    right, top = (float(value) or 1.0 for value in 1.1 * path[inside].max(axis=0))
    edge_x = float(first.others[first.other_ranks == first.k - 1][0])
    edge_y = float(first.distances[first.ranks == first.k - 1][0])
    edges = np.array([[edge_x, 0], [edge_x, 2 * top], [np.nan, np.nan], [0, edge_y]])
    edges = np.vstack([edges, [[2 * right, edge_y]]])
    names = (name_of(first.other.measure), name_of(first.fitted.measure))
    fixed = [
        plane.line(edges, line={"width": 1.5, "dash": "dot", "color": GREY}),
        plane.line(path[drawn], mode="markers", marker={"size": 6, "color": color(_FAR)}),
    ]
    look = {"size": 8, "symbol": symbol(_MET), "color": color(_MET)}

    def draw(now: int) -> Figure:
        step = steps[now]
        x, y = path[step.newest].tolist()
        panel = panels.Panel(
            [
                *fixed,
                plane.line(path[step.order[: step.met]], mode="markers", marker=look),
                curves.marked(x, y, showlegend=False),
            ],
            x={"title": {"text": names[0], "standoff": 4}, "range": [-0.02 * right, right]},
            y={"title": {"text": names[1]}, "range": [-0.02 * top, top], "nticks": 5},
        )
        return panels.alone(panel)

    return draw
