"""Pictures for naive Bayes on binned features."""

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.categorical_naive_bayes import (
    CategoricalNaiveBayesStep,
    n_parameters,
)
from viz.classification.generative.class_curves import growth, look, over_features, picked
from viz.classification.generative.fit import Fit
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure
from viz.core.theme import GREY

CELLS = 240  # along each side: the steps have sharp edges
FEWEST_BINS = 2
MOST_FEATURES = 8  # on the axis of the number of parameters, unless there are more

Step = CategoricalNaiveBayesStep


def picture(fit: Fit[Step], now: int) -> Figure:
    """Draw the regions, which follow the bins, the edges of the bins, and the points."""
    data, step, bounds = fit.data, fit.steps[now], fit.data.bounds
    # Every point of a bin is the same to the model: ask it once for each pair of bins.
    (across, column), (up, row) = (
        _bins(edges, cells)
        for edges, cells in zip(step.edges, plane.grid(bounds, CELLS), strict=False)
    )
    corners = np.column_stack([np.tile(across, len(up)), np.repeat(up, len(across))])
    proba = step.predict_proba(corners).T.reshape(-1, len(up), len(across))
    winner = step.classes[proba.argmax(axis=0)]
    certain = plane.certainty(proba.max(axis=0), len(proba))
    spread = np.ix_(row, column)
    dotted = {"width": 1, "dash": "dot", "color": GREY}
    traces = [
        plane.regions(winner[spread], certain[spread], bounds),
        plane.line(_grid_lines(step.edges, bounds), line=dotted),
        plane.line(_stairs(winner, across, up, step.edges, bounds), line={"width": 3}),
    ]
    return plane.figure(traces, bounds, data.names, points=fit.points(step))


def _bins(edges: ndarray, cells: ndarray) -> tuple[ndarray, ndarray]:
    """Give a place in every bin that the cells reach, and the number of each cell's bin."""
    _, first, number = np.unique(edges.searchsorted(cells), return_index=True, return_inverse=True)
    return cells[first], number


def _stairs(
    winner: ndarray, across: ndarray, up: ndarray, edges: ndarray, bounds: Bounds
) -> ndarray:
    """Give the pieces of edges that have different winners on their sides.

    winner : (len(up), len(across)), the class of every pair of bins, each named by a place in it.
    """
    left, right, bottom, top = bounds
    xs = [left, *_between(edges[0], across), right]
    ys = [bottom, *_between(edges[1], up), top]
    upright = [
        np.array([[xs[j + 1], ys[i]], [xs[j + 1], ys[i + 1]]])
        for i, j in np.argwhere(winner[:, 1:] != winner[:, :-1])
    ]
    level = [
        np.array([[xs[j], ys[i + 1]], [xs[j + 1], ys[i + 1]]])
        for i, j in np.argwhere(winner[1:] != winner[:-1])
    ]
    return plane.joined(upright + level)


def _between(edges: ndarray, places: ndarray) -> list[float]:
    """Give the edge between each two neighbouring places."""
    return edges[edges.searchsorted(places[:-1])].tolist()


def _grid_lines(edges: ndarray, bounds: Bounds) -> ndarray:
    left, right, bottom, top = bounds
    upright = [np.array([[edge, bottom], [edge, top]]) for edge in edges[0]]
    level = [np.array([[left, edge], [right, edge]]) for edge in edges[1]]
    return plane.joined(upright + level)


def tables(fit: Fit[Step], now: int) -> Figure:
    """Draw P(value | class) of both columns: by bin, or at every edge that is asked about.

    Marks on the bins say what the picked point has of each; of the edges, it says yes to those on
    its left.
    """
    data, step, final = fit.data, fit.steps[now], fit.steps[-1].tables
    top = float(final[..., -1].max() if asks(step) else final.max())
    heights = np.zeros((0, 2)) if asks(step) else np.exp(fit.log_factors(step))
    first, second = (
        [
            *(
                _staircase(step, column, k, data.bounds) | look(int(label), data)
                for k, label in enumerate(step.classes)
            ),
            *picked(float(fit.query[column]), heights[:, column], step.classes, top),
        ]
        for column in (0, 1)
    )
    return over_features(first, second, data, (top, top))


def asks(step: Step) -> bool:
    """Whether a feature is a question with yes or no."""
    return step.model == "bernoulli"


def _staircase(step: Step, column: int, k: int, bounds: Bounds) -> dict:
    edges, (low, high) = step.edges[column], bounds[2 * column : 2 * column + 2]
    if asks(step):
        first = column * len(edges)
        heights = step.tables[k, first : first + len(edges), 1]
        return plane.line(np.column_stack([edges, heights]), mode="lines+markers")
    heights = step.tables[k, column]
    corners = np.concatenate([[min(low, edges[0])], edges, [max(high, edges[-1])]])
    return plane.line(np.column_stack([np.repeat(corners, 2)[1:-1], np.repeat(heights, 2)]))


def errors(counts: ndarray, sizes: tuple[int, int], bins: int) -> Figure:
    """Draw the shares of points on the wrong side against the number of bins, and mark `bins`.

    counts : (numbers of bins from 2 on, 2) mistakes on points learned from and on those held out.
    sizes : how many points these are.
    """
    x = np.arange(len(counts)) + FEWEST_BINS
    named = zip(("learned from", "held out"), counts.T, sizes, ("solid", "dash"), strict=True)
    shares = [(name, 100 * wrong / n, stroke) for name, wrong, n, stroke in named if n]
    traces = []
    for name, share, stroke in shares:
        style = {"line": {"width": 2.5, "dash": stroke}, "marker": {"size": 5}}
        traces.append(curves.against(name, x, share, setting="bins", showlegend=True, **style))
        traces.append(curves.marked(bins, float(share[bins - FEWEST_BINS]), showlegend=False))
    worst = max(float(share.max()) for _, share, _ in shares)
    across = panels.axis("bins of each axis", float(x[0]), float(x[-1])) | {"dtick": 2, "tick0": 2}
    panel = Panel(traces, across, panels.axis("% wrong", 0, max(worst, 10.0)))
    return curves.with_legend(panels.alone(panel))


def parameters(k: int, n_features: int, values: int) -> Figure:
    """Draw how many numbers naive Bayes and a table of all combinations need."""
    most = max(MOST_FEATURES, n_features)
    pairs = [n_parameters(d, k, values) for d in range(1, most + 1)]
    naive, full = zip(*pairs, strict=True)
    return growth({"naive": naive, "full table": full}, chosen="naive", here=n_features, log=True)
