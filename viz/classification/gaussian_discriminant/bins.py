"""What the mode of binned features draws: bins, stairs, tables, and curves by number of bins."""

import numpy as np
from numpy import ndarray

from algorithms.classification.gaussian_discriminant.categorical_naive_bayes import (
    CategoricalNaiveBayesStep,
    n_parameters,
)
from viz.classification.gaussian_discriminant.class_curves import growth
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure

CELLS = 240  # along each side: the steps have sharp edges
FEWEST_BINS = 2
MOST_FEATURES = 8  # on the axis of the number of parameters, unless there are more


def bins_of(edges: ndarray, cells: ndarray) -> tuple[ndarray, ndarray]:
    """Return a place in every bin that the cells reach, and the index of each cell's bin."""
    _, first, number = np.unique(edges.searchsorted(cells), return_index=True, return_inverse=True)
    return cells[first], number


def stairs(
    winner: ndarray, across: ndarray, up: ndarray, edges: ndarray, bounds: Bounds
) -> ndarray:
    """Return the pieces of edges between pairs of bins with different winners.

    winner : (len(up), len(across)), the class of every pair of bins, each given by a place in it.
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
    """Return the edge between any two neighbouring places."""
    return edges[edges.searchsorted(places[:-1])].tolist()


def grid_lines(edges: ndarray, bounds: Bounds) -> ndarray:
    """Return the edges of the bins, across the picture."""
    left, right, bottom, top = bounds
    upright = [np.array([[edge, bottom], [edge, top]]) for edge in edges[0]]
    level = [np.array([[left, edge], [right, edge]]) for edge in edges[1]]
    return plane.joined(upright + level)


def staircase(step: CategoricalNaiveBayesStep, column: int, k: int, bounds: Bounds) -> dict:
    """Draw P(value | class k) of a column."""
    edges, (low, high) = step.edges[column], bounds[2 * column : 2 * column + 2]
    if step.model == "bernoulli":
        first = column * len(edges)
        heights = step.tables[k, first : first + len(edges), 1]
        return plane.line(np.column_stack([edges, heights]), mode="lines+markers")
    heights = step.tables[k, column]
    corners = np.concatenate([[min(low, edges[0])], edges, [max(high, edges[-1])]])
    return plane.line(np.column_stack([np.repeat(corners, 2)[1:-1], np.repeat(heights, 2)]))


def errors(counts: ndarray, sizes: tuple[int, int], bins: int) -> Figure:
    """Draw the shares of points on the wrong side against the number of bins, and mark `bins`.

    counts : (numbers of bins from 2 on, 2) mistakes on training points and on held-out points.
    sizes : the numbers of these points.
    """
    x = np.arange(len(counts)) + FEWEST_BINS
    looks = ("solid", curves.DOT), ("dash", curves.HOLLOW)
    named = zip(("training", "held out"), counts.T, sizes, looks, strict=True)
    shares = [(name, 100 * wrong / n, look) for name, wrong, n, look in named if n]
    traces = []
    for name, share, (stroke, dot) in shares:
        style = {"line": {"width": 2.5, "dash": stroke}, "marker": {"size": 5}}
        traces.append(curves.against(name, x, share, setting="bins", showlegend=True, **style))
        here = float(share[bins - FEWEST_BINS])
        traces.append(curves.marked(bins, here, marker=dot, showlegend=False))
    worst = max(float(share.max()) for _, share, _ in shares)
    across = panels.axis("bins of each axis", float(x[0]), float(x[-1])) | {"dtick": 2, "tick0": 2}
    panel = Panel(traces, across, panels.axis("% wrong", 0, max(worst, 10.0)))
    return curves.with_legend(panels.alone(panel))


def parameters(k: int, n_features: int, values: int) -> Figure:
    """Draw the numbers of parameters of naive Bayes and of a table of all combinations."""
    most = max(MOST_FEATURES, n_features)
    pairs = [n_parameters(d, k, values) for d in range(1, most + 1)]
    naive, full = zip(*pairs, strict=True)
    return growth({"naive": naive, "full table": full}, chosen="naive", here=n_features, log=True)
