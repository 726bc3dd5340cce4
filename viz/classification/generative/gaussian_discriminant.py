"""Pictures for the Gaussian classifiers: discriminant analysis and naive Bayes."""

from collections.abc import Sequence
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
from viz.classification.generative.class_curves import class_curves, growth, over_features
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.soft_groups import outlines
from viz.core.theme import GREY, color

Step = GaussianDiscriminantStep | GaussianNaiveBayesStep

ELLIPSES = (1.0, 2.0)  # standard deviations; of many classes only the first: they overlap
MANY = 5  # classes
MOST_FEATURES = 20  # on the axis of the number of parameters


def picture(data: Plane, steps: Sequence[Step], now: int) -> Figure:
    """Draw regions and borders, each class's mean and ellipses, and the surface of a pair."""
    step = steps[now]
    # The steps that write out the surfaces predict alike: their regions are computed once.
    model = next(s for s in steps if s.means is step.means and s.roots is step.roots)
    regions, borders = _regions(model, data.bounds)
    traces = [regions, borders, _pair(step, data.bounds), *_outlines(step), _means(step)]
    points = plane.points(data.X, data.labels, wrong=step.predict(data.X) != data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


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


def cut(data: Plane, steps: Sequence[Step], now: int) -> Figure:
    """Draw prior times density of every class along the line through two means."""
    step, final = steps[now], steps[-1]
    ends = _means_to_cut(steps, now)
    start, end = final.means[list(ends)]
    x, path = _through(start, end, data.bounds)
    heights = [np.exp(s.log_densities(path)) * s.priors for s in (step, final)]
    top = 1.08 * float(heights[1].max()) or 1.0
    length = float(np.hypot(*(end - start)))
    dotted = plane.joined([np.array([[at, 0.0], [at, top]]) for at in (0.0, length)])
    traces = [
        *class_curves(x, heights[0], step.classes, data),
        plane.line(dotted, line={"width": 1.5, "dash": "dot", "color": GREY}),
    ]
    here, there = (escape(data.classes[int(step.classes[k])], quote=False) for k in ends)
    title = f"from the mean of {here} to that of {there} (dotted)"
    layout = curves.panel_layout(
        xaxis={"range": [x[0], x[-1]], "nticks": 8, "title": {"text": title, "standoff": 2}},
        yaxis={"range": [0.0, top], "nticks": 5, "title": {"text": "π · density"}},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return curves.with_legend({"data": traces, "layout": layout})


def _means_to_cut(steps: Sequence[Step], now: int) -> tuple[int, int]:
    """Give the pair of classes that the step is about, the first one until there is one."""
    pairs = [step.pair for step in steps if step.pair]
    return steps[now].pair or (pairs[0] if pairs else (0, 1))


def _through(start: ndarray, end: ndarray, bounds: Bounds) -> tuple[ndarray, ndarray]:
    """Give places on a line through two means, and how far they are from the first one."""
    left, right, bottom, top = bounds
    size = max(right - left, top - bottom)
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length if length > 1e-6 * size else np.array([1.0, 0.0])
    reach = 1.2 * max(length, 0.3 * size)
    x = np.linspace(length / 2 - reach, length / 2 + reach, 41)
    return x, start + x[:, None] * along


def features(data: Plane, steps: Sequence[GaussianNaiveBayesStep], now: int) -> Figure:
    """Draw the density of each feature in every class: the factors of naive Bayes."""
    step, ends = steps[now], (steps[0], steps[-1])
    left, right, bottom, top = data.bounds
    first, second = np.linspace(left, right, 49), np.linspace(bottom, top, 49)
    tops = [max(float(s.densities(j, x).max()) for s in ends) for j, x in ((0, first), (1, second))]
    return over_features(
        class_curves(first, step.densities(0, first), step.classes, data),
        class_curves(second, step.densities(1, second), step.classes, data),
        data,
        (tops[0], tops[1]),
    )


def parameters(k: int, covariance: str) -> Figure:
    """Draw how many numbers each kind of covariance needs as the features become more."""
    d = range(1, MOST_FEATURES + 1)
    counts = {kind: [n_parameters(kind, m, k) for m in d] for kind in COVARIANCES}
    return growth(counts, chosen=covariance, here=2)
