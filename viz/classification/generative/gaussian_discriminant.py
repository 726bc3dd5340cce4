"""Pictures for the Gaussian classifiers: discriminant analysis and naive Bayes."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.gaussian_discriminant import (
    COVARIANCES,
    GaussianDiscriminantStep,
    n_parameters,
)
from algorithms.classification.generative.naive_bayes import GaussianNaiveBayesStep
from viz.core import curves, plane
from viz.core.soft_groups import outlines
from viz.core.theme import PALETTE

Step = GaussianDiscriminantStep | GaussianNaiveBayesStep

ELLIPSES = (1.0, 2.0)  # standard deviations; of many classes only the first: they overlap
MANY = 5  # classes
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "2px,6px", "9px,2px")
MOST_FEATURES = 20  # on the axis of the number of parameters

_GAP = np.full((1, 2), np.nan)
_QUIET = "#7A7F87"


def picture(
    X: ndarray,
    y: ndarray,
    steps: Sequence[Step],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw regions and borders, each class's mean and ellipses, and the surface of a pair."""
    step = steps[now]
    # The steps that write out the surfaces predict alike: their regions are computed once.
    model = next(s for s in steps if s.means is step.means and s.roots is step.roots)
    regions, borders = _regions(model, bounds)
    traces = [
        regions,
        plane.points(X, y, wrong=step.predict(X) != y),
        borders,
        _pair(step, bounds),
        *_outlines(step),
        _means(step),
    ]
    return plane.figure(traces, bounds, names)


@lru_cache(maxsize=32)
def _regions(model: Step, bounds: plane.Bounds) -> tuple[dict, dict]:
    x, y, cells = plane.grid(bounds)
    proba = np.ascontiguousarray(model.predict_proba(cells).T).reshape(-1, len(y), len(x))
    chance = 1 / len(proba)
    confidence = (np.maximum.reduce(proba) - chance) / (1 - chance)
    winner = model.classes[proba.argmax(axis=0)]
    # Scores, for probabilities far from the data are 0 or 1 and say little about where they cross.
    scores = np.ascontiguousarray(model.scores(cells).T).reshape(proba.shape)
    borders = plane.borders(x, y, scores, line={"width": 3})
    return plane.regions(winner, confidence, bounds), borders


def _pair(step: Step, bounds: plane.Bounds) -> dict:
    """Draw the whole surface of the pair that the step writes out, or nothing."""
    style = {"line": {"width": 2.5, "dash": "dash"}}
    if step.pair is None:
        return plane.line(_GAP, **style)
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
    return _QUIET if step.phase == "priors" else PALETTE[label]


def the_cut(steps: Sequence[Step], now: int) -> tuple[int, int]:
    """Give the pair of classes whose means the cut of step `now` goes through."""
    pairs = [step.pair for step in steps if step.pair]
    return steps[now].pair or (pairs[0] if pairs else (0, 1))


def cut(steps: Sequence[Step], now: int, *, bounds: plane.Bounds, classes: Sequence[str]) -> dict:
    """Draw prior times density of every class along the line through two means."""
    step, final = steps[now], steps[-1]
    j, other = the_cut(steps, now)
    start, along = final.means[j], final.means[other] - final.means[j]
    length = float(np.hypot(*along))
    left, right, bottom, top = bounds
    size = max(right - left, top - bottom)
    along = along / length if length > 1e-6 * size else np.array([1.0, 0.0])
    reach = 1.2 * max(length, 0.3 * size)
    at = np.linspace(length / 2 - reach, length / 2 + reach, 41)
    path = start + at[:, None] * along
    heights = [np.exp(s.log_densities(path)) * s.priors for s in (step, final)]
    top_height = 1.08 * float(heights[1].max()) or 1.0
    traces = _class_curves(at, heights[0], step.classes, classes)
    spots = np.array([[0.0, 0.0], [0.0, top_height], _GAP[0], [length, 0.0], [length, top_height]])
    traces.append(plane.line(spots, line={"width": 1.5, "dash": "dot", "color": _QUIET}))
    here, there = (classes[int(step.classes[k])] for k in (j, other))
    layout = curves.panel_layout(
        xaxis={
            "range": [at[0], at[-1]],
            "nticks": 8,
            "title": {
                "text": f"from the mean of {here} to that of {there} (dotted)",
                "standoff": 2,
            },
        },
        yaxis={"range": [0.0, top_height], "nticks": 5, "title": {"text": "π · density"}},
    )
    layout |= _legend()
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def features(
    steps: Sequence[GaussianNaiveBayesStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str],
    classes: Sequence[str],
) -> dict:
    """Draw the density of each feature in every class: the factors of naive Bayes."""
    step, final = steps[now], steps[-1]
    panels, tops = [], []
    for feature, ends in enumerate((bounds[:2], bounds[2:])):
        at = np.linspace(*ends, 49)
        panels.append(_class_curves(at, step.densities(feature, at), step.classes, classes))
        tops.append(max(float(s.densities(feature, at).max()) for s in (steps[0], final)))
    return side_by_side(panels, bounds, names, (1.08 * tops[0], 1.08 * tops[1]))


def side_by_side(
    panels: Sequence[Sequence[dict]],
    bounds: plane.Bounds,
    names: tuple[str, str],
    tops: tuple[float, float],
) -> dict:
    """Put curves over the first and over the second feature beside each other."""
    traces, axes = [], {}
    for feature, shown in enumerate(panels):
        number = "2" if feature else ""
        on = {"xaxis": f"x{number}", "yaxis": f"y{number}", "showlegend": not feature}
        traces += [trace | on for trace in shown]
        axes[f"xaxis{number}"] = {
            "range": list(bounds[2:] if feature else bounds[:2]),
            "domain": [0.54 * feature, 0.46 + 0.54 * feature],
            "anchor": f"y{number}",
            "title": {"text": names[feature], "standoff": 2},
            "nticks": 6,
        }
        axes[f"yaxis{number}"] = {
            "range": [0.0, tops[feature]],
            "anchor": f"x{number}",
            "nticks": 4,
        }
    layout = curves.panel_layout(**axes) | _legend()
    layout["margin"] = {**layout["margin"], "l": 40, "b": 40}
    return {"data": traces, "layout": layout}


def _class_curves(
    at: ndarray, heights: ndarray, labels: ndarray, classes: Sequence[str]
) -> list[dict]:
    """Give a curve in each class's colour; heights : (len(at), classes)."""
    return [
        plane.line(
            np.column_stack([at, height]),
            name=classes[label],
            showlegend=True,
            line={"width": 2.5, "color": PALETTE[label], "dash": DASHES[label], "shape": "spline"},
        )
        for height, label in zip(heights.T, labels, strict=True)
    ]


def _legend() -> dict:
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    margin = {"l": 64, "r": 14, "t": 26, "b": 26}
    return {"showlegend": True, "legend": legend, "margin": margin}


def parameters(k: int, covariance: str, _now: int) -> dict:
    """Draw how many numbers each kind of covariance needs as the features become more."""
    d = np.arange(1, MOST_FEATURES + 1)
    counts = {kind: [n_parameters(kind, int(m), k) for m in d] for kind in COVARIANCES}
    return growth(counts, chosen=covariance, here=2)


def growth(counts: dict[str, list[int]], *, chosen: str, here: int, log: bool = False) -> dict:
    """Draw numbers of parameters against the number of features 1, 2, ...; mark `here` of them."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": list(range(1, len(values) + 1)),
            "y": values,
            "line": {"width": 4 if name == chosen else 2, "dash": dash},
            "hovertemplate": f"d = %{{x}}: {name} %{{y}}<extra></extra>",
        }
        for (name, values), dash in zip(counts.items(), DASHES, strict=False)
    ]
    traces.append(curves.marked(here, counts[chosen][here - 1], showlegend=False))
    most = len(counts[chosen])
    top = max(max(values) for values in counts.values())
    scale = {"range": [0, 1.05 * top], "nticks": 5}
    if log:
        digits = len(str(top))
        ticks = [10**power for power in range(0, digits, max(1, digits // 4))]
        scale = {"type": "log", "tickvals": ticks}
    layout = curves.panel_layout(
        xaxis={"range": [0.5, most + 0.5], "title": {"text": "features d", "standoff": 2}},
        yaxis={"title": {"text": "numbers"}} | scale,
    )
    layout |= _legend()
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}
