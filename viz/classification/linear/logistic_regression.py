"""Pictures for logistic regression: the probabilities, the loss, and the weights on its surface."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.logistic_regression import (
    LogisticRegressionStep,
    largest_stable_rate,
)
from algorithms.classification.linear.loss_surface import loss_surface
from algorithms.core.features import PolynomialFeatures
from viz.core import curves, panels, plane, surface
from viz.core.scene import Bounds, Figure, Plane
from viz.core.what_if import FAINT, LOOK

_CELLS = 48  # of the loss surface, along each side


@dataclass(frozen=True, eq=False)
class Account:
    """What is known of a run as a whole, wherever the picked point is.

    safe : the learning rates below this never raise the loss. fresh_loss, fresh_right : at every
    step the mean loss of the points held out, and the share that is right; None if there are none.
    valley : the loss over the two weights as bands, and the stretch they cover, if it is a picture.
    """

    safe: float
    fresh_loss: ndarray | None
    fresh_right: ndarray | None
    valley: tuple[dict, Bounds] | None


@dataclass(frozen=True, eq=False)
class Fit:
    """What every view of a run draws from.

    features : of the points, which the run was made with. held : (n,) which points were held out
    of the learning. picked : (2,) the place the user asks about.
    """

    data: Plane
    features: PolynomialFeatures
    steps: Sequence[LogisticRegressionStep]
    account: Account
    held: ndarray
    picked: ndarray

    @cached_property
    def F(self) -> ndarray:
        """The features of all points, as the algorithm sees them."""
        return self.features(self.data.X)

    def mean_loss(self, now: int) -> float:
        """The mean loss of the points learned from; with a penalty the objective is more."""
        used = ~self.held
        return float(self.steps[now].losses(self.F[used], self.data.labels[used]).mean())

    @cached_property
    def picked_features(self) -> ndarray:
        """The features of the picked point, as (1, d)."""
        return self.features(self.picked[None])


def account(
    steps: Sequence[LogisticRegressionStep],
    data: Plane,
    features: PolynomialFeatures,
    held: ndarray,
    penalty: float,
) -> Account:
    """Find what holds for the whole run."""
    F = features(data.X)
    safe = largest_stable_rate(F[~held], penalty, len(steps[0].classes))
    loss = right = valley = None
    if held.any():
        fresh, y = data.by_step(lambda X: features(X)[held]), data.labels[held]
        loss = np.array([step.losses(fresh(i), y).mean() for i, step in enumerate(steps)])
        right = np.array([(step.predict(fresh(i)) == y).mean() for i, step in enumerate(steps)])
    if steps[0].weights.shape == (1, 2):
        first, second = weight_window(_path(steps))
        heights = loss_surface(F[~held], data.labels[~held], first, second, penalty=penalty)
        valley = surface.bands(first, second, _valley(heights))
    return Account(safe, loss, right, valley)


def picture(fit: Fit, now: int) -> Figure:
    """Draw the most probable class everywhere, paler where it is less sure, and the 0.5 line."""
    data, step = fit.data, fit.steps[now]
    region, border = _surface(step, fit.features, data.bounds)
    drawn = points(fit, step, data.X, np.arange(len(data.X)))
    return plane.figure([region, border], data.bounds, data.names, **drawn)


def ghost(fit: Fit, now: int) -> list[dict]:
    """Draw where the classes change."""
    _, border = _surface(fit.steps[now], fit.features, fit.data.bounds)
    return [border | {"line": LOOK, "opacity": FAINT}]


def points(
    fit: Fit, step: LogisticRegressionStep, places: ndarray, which: ndarray, *, ring: int = 16
) -> dict:
    """Draw some of the points at (m, 2) places: the wrong ones outlined, those held out ringed.

    which : (m,) their numbers. ring : its diameter in pixels.
    """
    y = fit.data.labels[which]
    drawn = {"points": plane.points(places, y, step.predict(fit.F[which]) != y)}
    if fit.held.any():
        drawn["marks"] = plane.marks(fit.held[which], (100, 100), (0, ring), 1.5)
    return drawn


def _surface(
    step: LogisticRegressionStep, features: PolynomialFeatures, bounds: Bounds
) -> tuple[dict, dict]:
    """Fill the plane with the most probable classes, and draw where they change."""
    x, y, _ = plane.grid(bounds)
    F = plane.on_grid(features, bounds)
    if len(step.classes) == 2:
        scores = step.decision_function(F).reshape(len(y), len(x))
        winner = step.classes[(scores > 0).astype(int)]
        confidence = np.tanh(np.abs(scores) / 2)  # = 2 P(winner) - 1
        if len(features.names) == 2:  # no products: the border is straight
            corners = step.decision_function(plane.on_corners(features, bounds))
            border = plane.straight_border(corners, bounds, line={"width": 3})
        else:
            border = plane.borders(x, y, np.stack([scores, -scores]), line={"width": 3})
    else:
        # One row a class: NumPy is slow at reducing over a short last axis.
        proba = np.ascontiguousarray(step.predict_proba(F).T).reshape(-1, len(y), len(x))
        winner = step.classes[proba.argmax(axis=0)]
        confidence = plane.certainty(proba.max(axis=0), len(proba))
        border = plane.borders(x, y, proba, line={"width": 3})
    return plane.regions(winner, confidence, bounds), border


def losses(fit: Fit) -> Callable[[int], Figure]:
    """Draw the loss at every step, and that of the points held out, dashed, if there are any."""
    series = {"training": np.array([step.loss for step in fit.steps])}
    if fit.account.fresh_loss is not None:
        series["held out"] = fit.account.fresh_loss
    last = len(fit.steps) - 1
    number = plane.packed(np.arange(last + 1))
    lines = [
        panels.curve(
            number,
            plane.packed(values),
            mode="lines+markers" if last <= 60 else "lines",
            marker={"size": 4},
            line={"width": 2.5, "dash": dash},
            name=name,
            showlegend=True,
            hoverinfo="all",
            hovertemplate=f"step %{{x}}: {name} %{{y:.5g}}<extra></extra>",
        )
        for (name, values), dash in zip(series.items(), ("solid", "dash"), strict=False)
    ]
    highest = max(float(values.max()) for values in series.values())
    layout = curves.panel_layout(
        xaxis=panels.axis("step", 0.0, float(last)),
        yaxis=panels.axis("loss", 0.0, highest),
    )
    layout["margin"] = {**layout["margin"], "b": 40}

    def at(now: int) -> Figure:
        marks = [curves.marked(now, float(v[now]), showlegend=False) for v in series.values()]
        drawn = {"data": [*lines, *marks], "layout": layout}
        return curves.with_legend(drawn) if len(series) > 1 else drawn

    return at


def _path(steps: Sequence[LogisticRegressionStep]) -> ndarray:
    """Give the two weights at every step."""
    return np.stack([step.weights[0] for step in steps])


def _apart(path: ndarray, least: float) -> ndarray:
    """Choose the steps of an (m, 2) path that can be told from those before them."""
    chosen, last = [0], path[0]
    for i, place in enumerate(path):
        if np.abs(place - last).max() >= least:
            chosen.append(i)
            last = place
    return np.array(chosen)


def weight_window(path: ndarray) -> tuple[ndarray, ndarray]:
    """Choose the values of the two weights to show the loss for: around the whole (m, 2) path."""
    low, high = path.min(axis=0), path.max(axis=0)
    middle, half = (low + high) / 2, 0.7 * max(float((high - low).max()), 0.5)
    first, second = (np.linspace(m - half, m + half, _CELLS) for m in middle)
    return first, second


def _valley(losses: ndarray) -> ndarray:
    """Stretch the lowest of the losses, for the bands to show the valley."""
    return np.log(losses - losses.min() + 0.02 * np.ptp(losses) + 1e-12)


def weight_space(
    steps: Sequence[LogisticRegressionStep], bands: dict, box: Bounds
) -> Callable[[int], Figure]:
    """Draw the path so far and the step now over the bands of the loss, for a step given."""
    path = _path(steps)
    apart = _apart(path, 0.002 * (box[1] - box[0]))
    layout = curves.panel_layout(
        xaxis={"title": {"text": "w₁", "standoff": 2}, "range": list(box[:2]), "nticks": 6},
        yaxis={"title": {"text": "w₂"}, "range": list(box[2:]), "nticks": 6},
    )
    layout["margin"] = {**layout["margin"], "b": 40}

    def at(now: int) -> Figure:
        way = path[[*apart[apart < now], now]]
        traces = [
            bands,
            plane.line(way, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
            curves.marked(*way[-1].tolist()),
        ]
        return {"data": traces, "layout": layout}

    return at
