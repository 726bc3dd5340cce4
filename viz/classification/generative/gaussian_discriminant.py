"""Pictures for the Gaussian classifiers: discriminant analysis and naive Bayes."""

from functools import lru_cache
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.gaussian_discriminant import (
    COVARIANCES,
    GaussianDiscriminantStep,
    n_parameters,
)
from algorithms.classification.generative.naive_bayes import GaussianNaiveBayesStep
from viz.classification.generative.class_curves import class_curves, growth, over_features, picked
from viz.classification.generative.fit import Fit
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure
from viz.core.soft_groups import outlines
from viz.core.theme import GREY, color
from viz.core.words import number

Step = GaussianDiscriminantStep | GaussianNaiveBayesStep

ELLIPSES = (1.0, 2.0)  # standard deviations; of many classes only the first: they overlap
MANY = 5  # classes
MOST_FEATURES = 20  # on the axis of the number of parameters
_PLACES = 61  # along a slice
_LOWEST = 1e-6  # of the highest density there is: a slice that is lower than this is flat


def picture(fit: Fit, now: int, *, sliced: bool = False) -> Figure:
    """Draw regions and borders, each class's mean and ellipses, and the surface of a pair.

    sliced : with the level line through the picked point that `slice_through` is about.
    """
    data, steps, step = fit.data, fit.steps, fit.steps[now]
    # The steps that write out the surfaces predict alike: their regions are computed once.
    model = next(s for s in steps if s.means is step.means and s.roots is step.roots)
    regions, borders = _regions(model, data.bounds)
    traces = [regions, borders, _pair(step, data.bounds), *_outlines(step), _means(step)]
    if sliced:
        level = np.array([[data.bounds[0], fit.query[1]], [data.bounds[1], fit.query[1]]])
        traces.append(plane.line(level, line={"width": 1.5, "dash": "dot"}))
    return plane.figure(traces, data.bounds, data.names, points=fit.points(step))


@lru_cache(maxsize=32)
def _regions(model: Step, bounds: Bounds) -> tuple[dict, dict]:
    x, y, cells = plane.grid(bounds)
    proba = np.ascontiguousarray(model.predict_proba(cells).T).reshape(-1, len(y), len(x))
    certain = plane.certainty(np.maximum.reduce(proba), len(proba))
    winner = model.classes[proba.argmax(axis=0)]
    # Scores, for probabilities far from the data are 0 or 1 and say little about where they cross.
    scores = np.ascontiguousarray(model.scores(cells).T).reshape(proba.shape)
    borders = plane.borders(x, y, scores, line={"width": 3})
    return plane.regions(winner, certain, bounds), borders


def _pair(step: Step, bounds: Bounds) -> dict:
    """Draw the whole surface of the pair that the step writes out, or nothing."""
    style = {"line": {"width": 2.5, "dash": "dash"}}
    if step.pair is None:
        return plane.line(plane.GAP, **style)
    x, y, cells = plane.grid(bounds)
    odds = step.surface(*step.pair)(cells).reshape(len(y), len(x))
    return plane.borders(x, y, np.stack([odds, -odds]), **style)


def _outlines(step: Step) -> list[dict]:
    """Draw contours of each class's density; those of a singular covariance are flat."""
    shown, corners = (ELLIPSES[:1], 21) if len(step.classes) >= MANY else (ELLIPSES, 49)
    paths = outlines(step.means, step.covariances, shown, corners)
    return [
        plane.line(path, line={"width": 2.5, "color": _color(step, int(label))})
        for path, label in zip(paths, step.classes, strict=True)
    ]


def _means(step: Step) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": step.means[:, 0].tolist(),
        "y": step.means[:, 1].tolist(),
        "marker": {
            "size": 17,
            "symbol": "cross",
            "color": [_color(step, int(label)) for label in step.classes],
            "line": {"width": 2, "color": "#ffffff"},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _color(step: Step, label: int) -> str:
    """Give a class's colour; grey while nothing but its prior is known."""
    return GREY if step.phase == "priors" else color(label)


def slice_through(fit: Fit, now: int) -> Figure:
    """Draw prior times density of every class along the level line through the picked point.

    Marks on the curves say what each class has at the point itself.
    """
    data, step, (x, y) = fit.data, fit.steps[now], fit.query
    across = np.linspace(data.bounds[0], data.bounds[1], _PLACES)
    path = np.column_stack([across, np.full(_PLACES, y)])
    first, heights, last = (_joint(s, path) for s in (fit.steps[0], step, fit.steps[-1]))
    peak = float(_joint(fit.steps[-1], fit.steps[-1].means).max())
    top = 1.08 * max(float(first.max()), float(last.max()), _LOWEST * peak)
    traces = [
        *class_curves(across, heights, step.classes, data),
        *picked(float(x), _joint(step, fit.query[None])[0], step.classes, top),
    ]
    name, other = (escape(text, quote=False) for text in data.names)
    layout = curves.panel_layout(
        xaxis={
            "range": list(data.bounds[:2]),
            "nticks": 8,
            "title": {"text": f"{name}, where {other} = {number(y)}", "standoff": 2},
        },
        yaxis={"range": [0.0, top], "nticks": 5, "title": {"text": "π · density"}},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return curves.with_legend({"data": traces, "layout": layout})


def _joint(step: Step, X: ndarray) -> ndarray:
    """Give prior times density, (m, classes)."""
    return np.exp(step.log_densities(X)) * step.priors


def features(fit: Fit[GaussianNaiveBayesStep], now: int) -> Figure:
    """Draw the density of each feature in every class: the factors of naive Bayes.

    Marks on the curves say what the picked point has of each.
    """
    data, step = fit.data, fit.steps[now]
    left, right, bottom, top = data.bounds
    X = np.column_stack([np.linspace(left, right, 49), np.linspace(bottom, top, 49)])
    tops = [
        max(float(s.densities(X)[:, :, j].max()) for s in (fit.steps[0], fit.steps[-1]))
        for j in (0, 1)
    ]
    heights, marked = step.densities(X), step.densities(fit.query[None])[0]
    first, second = (
        class_curves(X[:, j], heights[:, :, j], step.classes, data)
        + picked(float(fit.query[j]), marked[:, j], step.classes, tops[j])
        for j in (0, 1)
    )
    return over_features(first, second, data, (tops[0], tops[1]))


def parameters(k: int, covariance: str) -> Figure:
    """Draw how many numbers each kind of covariance needs as the features become more."""
    d = range(1, MOST_FEATURES + 1)
    counts = {kind: [n_parameters(kind, m, k) for m in d] for kind in COVARIANCES}
    return growth(counts, chosen=covariance, here=2)
