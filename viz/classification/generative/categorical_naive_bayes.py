"""Pictures and words for naive Bayes on binned features."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.categorical_naive_bayes import (
    CategoricalNaiveBayesStep,
    n_parameters,
)
from viz.classification.generative.gaussian_discriminant import DASHES, growth, side_by_side
from viz.core import plane
from viz.core.theme import PALETTE
from viz.core.words import number

CELLS = 240  # along each side: the steps have sharp edges
MOST_FEATURES = 8  # on the axis of the number of parameters, unless there are more


def picture(
    X: ndarray,
    y: ndarray,
    steps: Sequence[CategoricalNaiveBayesStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the regions, which follow the bins, the edges of the bins, and the points."""
    step = steps[now]
    # Every point of a bin is the same to the model: ask it once for each pair of bins.
    (across, column), (up, row) = (
        _bins(edges, cells)
        for edges, cells in zip(step.edges, plane.grid(bounds, CELLS), strict=False)
    )
    corners = np.column_stack([np.tile(across, len(up)), np.repeat(up, len(across))])
    proba = step.predict_proba(corners).T.reshape(-1, len(up), len(across))
    chance = 1 / len(proba)
    winner = step.classes[proba.argmax(axis=0)]
    confidence = (proba.max(axis=0) - chance) / (1 - chance)
    spread = np.ix_(row, column)
    traces = [
        plane.regions(winner[spread], confidence[spread], bounds),
        plane.points(X, y, wrong=step.predict(X) != y),
        plane.line(
            _grid_lines(step.edges, bounds), line={"width": 1, "dash": "dot", "color": "#7A7F87"}
        ),
        plane.line(_stairs(winner, across, up, step.edges, bounds), line={"width": 3}),
    ]
    return plane.figure(traces, bounds, names)


def _bins(edges: ndarray, cells: ndarray) -> tuple[ndarray, ndarray]:
    """Give a place in every bin that the cells reach, and the number of each cell's bin."""
    _, first, number = np.unique(edges.searchsorted(cells), return_index=True, return_inverse=True)
    return cells[first], number


def _stairs(
    winner: ndarray, across: ndarray, up: ndarray, edges: ndarray, bounds: plane.Bounds
) -> ndarray:
    """Give the pieces of edges that have different winners on their sides.

    winner : (len(up), len(across)), the class of every pair of bins, each named by a place in it.
    """
    left, right, bottom, top = bounds
    xs = [left, *_between(edges[0], across), right]
    ys = [bottom, *_between(edges[1], up), top]
    places = [[np.nan, np.nan]]
    for i, j in np.argwhere(winner[:, 1:] != winner[:, :-1]):
        places += [[xs[j + 1], ys[i]], [xs[j + 1], ys[i + 1]], places[0]]
    for i, j in np.argwhere(winner[1:] != winner[:-1]):
        places += [[xs[j], ys[i + 1]], [xs[j + 1], ys[i + 1]], places[0]]
    return np.array(places)


def _between(edges: ndarray, places: ndarray) -> list[float]:
    """Give the edge between each two neighbouring places."""
    return edges[edges.searchsorted(places[:-1])].tolist()


def _grid_lines(edges: ndarray, bounds: plane.Bounds) -> ndarray:
    left, right, bottom, top = bounds
    gap = [np.nan, np.nan]
    upright = [place for e in edges[0] for place in ([e, bottom], [e, top], gap)]
    level = [place for e in edges[1] for place in ([left, e], [right, e], gap)]
    return np.array(upright + level)


def tables(
    steps: Sequence[CategoricalNaiveBayesStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str],
    classes: Sequence[str],
) -> dict:
    """Draw P(value | class) of both columns: by bin, or at every edge that is asked about."""
    step, final = steps[now], steps[-1]
    top = 1.08 * float(final.tables[..., -1].max() if _asks(step) else final.tables.max())
    panels = [
        [
            _staircase(step, column, k, ends) | {"name": classes[label]} | _look(label)
            for k, label in enumerate(step.classes)
        ]
        for column, ends in enumerate((bounds[:2], bounds[2:]))
    ]
    return side_by_side(panels, bounds, names, (top, top))


def _asks(step: CategoricalNaiveBayesStep) -> bool:
    return step.model == "bernoulli"


def _staircase(
    step: CategoricalNaiveBayesStep, column: int, k: int, ends: tuple[float, float]
) -> dict:
    edges = step.edges[column]
    if _asks(step):
        first = column * len(edges)
        heights = step.tables[k, first : first + len(edges), 1]
        return plane.line(np.column_stack([edges, heights]), mode="lines+markers")
    heights = step.tables[k, column]
    corners = np.concatenate([[min(ends[0], edges[0])], edges, [max(ends[1], edges[-1])]])
    path = np.column_stack([np.repeat(corners, 2)[1:-1], np.repeat(heights, 2)])
    return plane.line(path, mode="lines")


def _look(label: int) -> dict:
    return {"line": {"width": 2.5, "color": PALETTE[label], "dash": DASHES[label]}}


def parameters(k: int, n_features: int, values: int, _now: int) -> dict:
    """Draw how many numbers naive Bayes and a table of all combinations need."""
    most = max(MOST_FEATURES, n_features)
    pairs = [n_parameters(d, k, values) for d in range(1, most + 1)]
    naive, full = (list(counts) for counts in zip(*pairs, strict=True))
    return growth({"naive": naive, "full table": full}, chosen="naive", here=n_features, log=True)


def caption(
    X: ndarray,
    y: ndarray,
    steps: Sequence[CategoricalNaiveBayesStep],
    now: int,
    *,
    classes: tuple[str, ...],
    estimate: str,
    strength: float,
) -> str:
    """Say what step `now` counted, with its numbers in the estimate."""
    step = steps[now]
    called = [classes[int(label)] for label in step.classes]
    n = int(step.counts.sum())
    if step.phase == "priors":
        shares = ", ".join(
            f"π({name}) = {count}/{n} = {count / n:.3f}"
            for name, count in zip(called, step.counts, strict=True)
        )
        return (
            f"Priors, the share of each class: {shares}.\n"
            f"No feature is counted yet, so class {called[int(step.priors.argmax())]} wins "
            "everywhere. The dotted lines cut each axis into bins of equal width."
        )
    if step.phase == "surface":
        return _surface_caption(step, X, called, step.mistakes(X, y))
    return _feature_caption(step, called, estimate, strength)


def _feature_caption(
    step: CategoricalNaiveBayesStep, called: list[str], estimate: str, strength: float
) -> str:
    feature = step.index or 0
    counts, table = step.value_counts[:, feature], step.tables[:, feature]
    if _asks(step):
        question, values = _question(step, feature), slice(1, 2)
        what = f"Question {feature + 1}, {question}? The points that say yes"
    else:
        values = slice(None)
        what = f"Feature {'xy'[feature]}, points in its {len(table[0])} bins"
    held = "; ".join(
        f"{name}: {', '.join(map(str, row[values]))} of {row.sum()}"
        for name, row in zip(called, counts, strict=True)
    )
    spot = 1 if _asks(step) else int(counts[0].argmax())
    count, total, size = counts[0, spot], counts[0].sum(), counts.shape[1]
    if estimate == "laplace":
        rule = f"({count} + {strength:g}) / ({total} + {strength:g}·{size})"
    else:
        share = (counts[:, spot].sum() + 1) / (counts.sum() + size)
        rule = f"({count} + {strength:g}·{share:.3f}) / ({total} + {strength:g})"
    where = "yes" if _asks(step) else f"bin {spot + 1}"
    rule = f"P({where} | {called[0]}) = {rule} = {table[0, spot]:.3f}"
    if step.event:
        rule = f"{rule}. But a 0 elsewhere means probability 0, whatever else is known."
    return f"{what}, class {held}.\n{rule}"


def _question(step: CategoricalNaiveBayesStep, feature: int) -> str:
    column, edge = divmod(feature, step.edges.shape[1])
    return f"is {'xy'[column]} > {number(step.edges[column, edge])}"


def _surface_caption(
    step: CategoricalNaiveBayesStep, X: ndarray, called: list[str], wrong: int
) -> str:
    """Put one point's factors into Bayes' rule."""
    point = X[:1]
    factors = step.tables[:, np.arange(step.tables.shape[1]), step.values(point)[:, 0]]
    joint = step.priors * factors.prod(axis=1)
    chances = step.predict_proba(point)[0]
    shown = sorted(np.argsort(-joint, kind="stable")[:2])
    parts = []
    for k in shown:
        product = "·".join(f"{value:.2g}" for value in factors[k][:2])
        if factors.shape[1] > 2:
            product = f"({factors.shape[1]} factors)"
        parts.append(
            f"{called[k]}: {step.priors[k]:.2g}·{product} = {joint[k]:.2g}, P = {chances[k]:.3f}"
        )
    x, y = (number(value) for value in point[0])
    return (
        f"A surface of steps: a point counts only by its bins. Wrong side of the borders: {wrong} "
        f"of {len(X)} points.\n"
        f"The first point ({x}, {y}), π times one factor a feature: {'; '.join(parts)}."
    )
