"""Pictures for the perceptron and the delta rule."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron_bound import Overlap, Proof
from viz.classification.linear.perceptron_words import (
    Scene,
    caption,
    count,
    errors_and_loss,
    trained,
)
from viz.core import curves, plane
from viz.core.theme import PALETTE
from viz.core.words import decimal

__all__ = ["Scene", "caption"]

_MOST = 150  # points of a curve


_LATEST = 8  # updates


_FAINT = "#7A7F87"


_NOWHERE = np.full((1, 2), np.nan)


_LOG = {"type": "log", "dtick": 1, "exponentformat": "power"}


class History(NamedTuple):
    """Training errors and loss after some of the visits."""

    at: ndarray
    errors: ndarray
    losses: ndarray


class Path(NamedTuple):
    """The weights after every update, and its step."""

    at: ndarray
    weights: ndarray


def picture(
    scene: Scene, now: int, *, bounds: plane.Bounds, names: tuple[str, str] = ("x", "y")
) -> dict:
    """Draw the line of the model, a dashed one, and a ring around the visited sample.

    The dashed line is the one before this visit's update; where the average or the pocket predicts,
    it is that of the weights being trained. At the first and last step of a run without a
    separator, dotted lines show how points of either class mix into the same place, a cross.
    """
    X, features, step = scene.X, scene.features, scene.steps[now]
    across, up, _ = plane.grid(bounds)
    scores = step.decision_function(plane.on_grid(features, bounds)).reshape(len(up), len(across))
    corners = plane.on_corners(features, bounds)
    other = scene.steps[now - 1] if trained(step) and step.amount else step
    dashed = corners @ other.weights + other.bias
    if trained(step) and not step.amount:
        dashed = np.ones(len(corners))  # nowhere 0
    spokes = cross = _NOWHERE
    if isinstance(scene.known, Overlap) and now in (0, len(scene.steps) - 1):
        spokes, cross = _mixture(X, scene.y, scene.known.mixture)
    traces = [
        plane.regions(step.classes[(scores > 0).astype(int)], None, bounds),
        plane.points(X, scene.y, wrong=step.predict(scene.F) != scene.y),
        plane.line(spokes, line={"width": 2, "dash": "dot"}),
        plane.line(cross, mode="markers", marker={"symbol": "x", "size": 14}),
        plane.straight_border(dashed, bounds, line={"width": 2, "dash": "dash"}),
        plane.straight_border(step.decision_function(corners), bounds, line={"width": 3}),
        plane.line(
            X[[step.index]] if step.index >= 0 else _NOWHERE,
            mode="markers",
            marker={"symbol": "circle-open", "size": 24, "line": {"width": 3}},
        ),
    ]
    return plane.figure(traces, bounds, names)


def path(steps: Sequence[PerceptronStep]) -> Path:
    """Collect where the weights were, from the start on, after every update."""
    at = [i for i, step in enumerate(steps) if step.amount or i == 0]
    return Path(np.array(at), np.array([steps[i].weights for i in at]))


def weight_space(scene: Scene, path: Path, now: int) -> dict:
    """Draw this visit's update as vectors, tip to tail, in the plane of the two weights.

    Pale: the way of the latest updates. A diamond marks the weights that predict, where they are
    not those being trained; a dotted ray points to the best separator.
    """
    steps, step, origin = scene.steps, scene.steps[now], np.zeros(2)
    before = steps[now - 1] if step.amount else step
    low, high = np.minimum(path.weights.min(axis=0), 0), np.maximum(path.weights.max(axis=0), 0)
    span = high - low
    room = 0.12 * np.where(span > 0, span, span.max() or 1.0)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    # Right angles, unless one axis would be squeezed to nothing.
    true = span.max() < 50 * span.min() or span.min() == 0
    best = origin if isinstance(scene.known, Overlap) else scene.known.weights
    made = int(np.searchsorted(path.at, now, side="right"))
    way = path.weights[max(made - _LATEST, 0) : made]
    room_for_labels = float(np.abs(step.weights - before.weights).max()) > 0.15 * span.max()
    added = "η(y − o)x" if scene.delta else "ηyx"
    labels = ("w", added, "new w") if room_for_labels else ("", "", "w")
    color = PALETTE[scene.y[step.index]] if step.amount else _FAINT
    bias = f"b = {decimal(before.bias)}" + (f" → {decimal(step.bias)}" if step.amount else "")
    traces = [
        plane.line(
            np.stack([origin, 2 * best * span.max() / (np.abs(best).max() or 1.0)]),
            line={"width": 2, "dash": "dot", "color": _FAINT},
        ),
        plane.line(way, mode="lines+markers", opacity=0.4, line={"width": 1}, marker={"size": 4}),
        _arrow(origin, before.weights if step.amount else None, ["", labels[0]], _FAINT),
        _arrow(origin, step.weights, ["", labels[2]]),
        _arrow(before.weights, step.weights if step.amount else None, [labels[1], ""], color),
        plane.line(
            _NOWHERE if trained(step) else step.model_weights[None],
            mode="markers",
            marker={"symbol": "diamond", "size": 13},
        ),
    ]
    corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right"}
    layout = curves.panel_layout(
        xaxis={"range": [left, right], "nticks": 7},
        yaxis={"range": [bottom, top], "nticks": 5, "scaleanchor": "x" if true else False},
        annotations=[{"text": bias, "showarrow": False, "font": {"size": 15}} | corner],
    )
    return {"data": traces, "layout": layout}


def bound_curves(proof: Proof) -> dict:
    """Draw the length of (w, b) and its part along u between their bounds, against the mistakes."""
    k = np.geomspace(1, 1.5 * max(float(proof.mistakes[-1]), proof.bound, 2.0), 60)
    (first, rise), (start, growth) = proof.floor, proof.ceiling
    shown = np.unique(np.geomspace(1, len(proof.mistakes), _MOST).astype(int))
    shown = shown[shown < len(proof.mistakes)]
    lines = {
        "ceiling": (k, np.sqrt(start + growth * k), PALETTE[1], "dash"),
        "‖(w, b)‖": (proof.mistakes[shown], proof.length[shown], PALETTE[1], "solid"),
        "(w, b)·u": (proof.mistakes[shown], proof.progress[shown], PALETTE[0], "solid"),
        "floor": (k, first + rise * k, PALETTE[0], "dash"),
    }
    traces = [
        plane.line(
            np.column_stack([x, np.where(values > 0, values, np.nan)]),
            **{"name": name, "showlegend": True, "mode": "lines+markers", "marker": {"size": 4}}
            if dash == "solid"
            else {"name": name, "showlegend": True},
            line={"width": 2, "color": color, "dash": dash},
        )
        for name, (x, values, color, dash) in lines.items()
    ]
    drawn = np.concatenate([values for _, values, _, _ in lines.values()])
    low, high = np.log10(drawn[drawn > 0].min()), np.log10(drawn.max())
    room = 0.08 * (high - low)
    limit = {"x0": proof.bound, "x1": proof.bound, "y0": 0, "y1": 1, "yref": "paper"}
    layout = curves.panel_layout(
        xaxis=_LOG | {"range": [-0.05, np.log10(k[-1])]},
        yaxis=_LOG | {"range": [low - room, high + room], "title": {"text": "length"}},
        shapes=[{"type": "line", "line": {"width": 2, "dash": "dot", "color": _FAINT}} | limit],
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
    )
    layout |= {"showlegend": True}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces, "layout": layout}


def bound(curve: dict, proof: Proof, steps: Sequence[PerceptronStep], now: int) -> dict:
    """Mark on the `bound_curves` how many mistakes there are so far."""
    made = steps[now].mistakes
    marks = []
    for values in (proof.length, proof.progress):
        seen = made > 0 and values[made] > 0
        place = [float(made), float(values[made])] if seen else [None, None]
        marks.append(curves.marked(0, 0, showlegend=False) | {"x": place[:1], "y": place[1:]})
    return curve | {"data": curve["data"] + marks}


def bound_title(proof: Proof, init: str) -> str:
    """Say in the title of `bound` what the bound is."""
    formula = "(R/γ)² = " if init == "zeros" else ""
    return f"Length of (w, b) after k mistakes; k cannot pass {formula}{count(proof.bound)}"


def sampled(scene: Scene) -> History:
    """Choose visits for the curves, and evaluate errors and loss there."""
    last = len(scene.steps) - 1
    at = np.unique(np.linspace(0, last, min(last + 1, _MOST)).round().astype(int))
    values = [errors_and_loss(scene, i) for i in at]
    return History(at, *(np.array(column) for column in zip(*values, strict=True)))


def progress_title(scene: Scene) -> str:
    """Say in the title of `progress` if the reason for it is that there is no bound."""
    if isinstance(scene.known, Overlap):
        return "No separator, so no bound: training errors and loss"
    return "Training errors and loss"


def progress(scene: Scene, history: History, now: int) -> dict:
    """Draw training errors and loss against the epochs."""
    steps, loss = scene.steps, "½(y − o)²" if scene.delta else "loss"
    position = int(np.searchsorted(history.at, now, side="right")) - 1
    log = [loss] if steps[-1].event == "diverged" else []
    series = {"errors": history.errors.tolist(), loss: history.losses.tolist()}
    figure = curves.history(series, position, log=log)
    n = len(scene.X)
    for value, curve, mark in zip(
        errors_and_loss(scene, now), figure["data"][::2], figure["data"][1::2], strict=True
    ):
        curve |= {"x": plane.packed((history.at / n).astype(np.float32)), "hoverinfo": "skip"}
        mark |= {"x": [now / n], "y": [value]}
    epochs = (len(steps) - 1) / n
    figure["layout"]["xaxis"] |= {
        "range": [-0.04 * epochs, 1.04 * epochs],
        "title": {"text": "epochs", "standoff": 2},
    }
    figure["layout"]["margin"] |= {"b": 40}
    return figure


def _mixture(X: ndarray, y: ndarray, mixture: ndarray) -> tuple[ndarray, ndarray]:
    """Give lines from the points of a mixture to the place they mix into, and that place."""
    used = np.flatnonzero(mixture > 0)
    own = used[y[used] == y[used[0]]]
    place = mixture[own] @ X[own] / mixture[own].sum()
    lines = [np.array([X[i], place, [np.nan, np.nan]]) for i in used]
    return np.concatenate(lines), place[None]


def _arrow(
    start: ndarray, end: ndarray | None, labels: list[str], color: str | None = None
) -> dict:
    """Draw an arrow, labelled in the middle and at the tip; in ink without a colour.

    Without an end nothing is drawn, and where it has no length a dot.
    """
    place = np.full(2, np.nan) if end is None else end
    long = end is not None and bool((start != end).any())
    side = "left" if long and (start + place)[0] < 0 else "right"
    style = {} if color is None else {"color": color}
    return plane.line(
        np.stack([start, (start + place) / 2, place]),
        mode="lines+markers+text",
        text=[f"\u2002{label}\u2002" for label in ("", *labels)],
        textposition=f"middle {side}",
        textfont={"size": 15},
        line={"width": 3, **style},
        marker={
            "symbol": "arrow" if long else "circle",
            "size": [0, 0, 15 if long else 8],
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
            **style,
        },
        cliponaxis=False,
    )
