"""Pictures and words for logistic regression."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.logistic_regression import (
    LogisticRegressionStep,
    largest_stable_rate,
)
from algorithms.classification.linear.loss_surface import loss_surface
from algorithms.core.features import PolynomialFeatures
from viz.core import curves, plane, surface
from viz.core.preparation import preprocessing
from viz.core.scene import Bounds, Figure, Plane, Run, Scene, View
from viz.core.words import decimal, vector

_CELLS = 48  # of the loss surface, along each side


def descent(
    run: Run, data: Plane, features: PolynomialFeatures, penalty: float, method: str
) -> Scene:
    """Show the surface at every step, the loss, and where it is a picture the way down on it.

    features : of the points, which the run was made with.
    """
    steps, F = run.steps, features(data.X)
    series = {
        "loss": [step.loss for step in steps],
        "‖g‖": [step.gradient_norm for step in steps],
    }
    views = [
        View(
            "Probabilities, the 0.5 line and the points",
            lambda now: picture(data, features, steps[now]),
        ),
        View("Loss and gradient at every step", curves.timeline(series, log=["‖g‖"])),
    ]
    if steps[0].weights.shape == (1, 2):
        path = np.stack([step.weights[0] for step in steps])
        first, second = weight_window(path)
        losses = loss_surface(F, data.labels, first, second, penalty=penalty)
        views.append(
            View(
                "Path of the weights on the loss (best b for each pair)",
                weight_space(path, *surface.bands(first, second, _valley(losses))),
            )
        )
    safe = largest_stable_rate(F, penalty, len(steps[0].classes))
    prepared = preprocessing(features, data.names)
    note = f"{prepared} Learning rates below {safe:.3g} never raise the loss."
    return Scene(views, lambda now: caption(steps, now, method=method), note)


def picture(data: Plane, features: PolynomialFeatures, step: LogisticRegressionStep) -> Figure:
    """Draw the most probable class everywhere, paler where it is less sure, and the 0.5 line."""
    region, border = _surface(step, features, data.bounds)
    wrong = step.predict(features(data.X)) != data.labels
    points = plane.points(data.X, data.labels, wrong)
    return plane.figure([region, border], data.bounds, data.names, points=points)


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
        chance = 1 / len(proba)
        winner = step.classes[proba.argmax(axis=0)]
        confidence = (proba.max(axis=0) - chance) / (1 - chance)
        border = plane.borders(x, y, proba, line={"width": 3})
    return plane.regions(winner, confidence, bounds), border


def weight_window(path: ndarray) -> tuple[ndarray, ndarray]:
    """Choose the values of the two weights to show the loss for: around the whole (m, 2) path."""
    low, high = path.min(axis=0), path.max(axis=0)
    middle, half = (low + high) / 2, 0.7 * max(float((high - low).max()), 0.5)
    first, second = (np.linspace(m - half, m + half, _CELLS) for m in middle)
    return first, second


def _valley(losses: ndarray) -> ndarray:
    """Stretch the lowest of the losses, for the bands to show the valley."""
    return np.log(losses - losses.min() + 0.02 * np.ptp(losses) + 1e-12)


def weight_space(path: ndarray, bands: dict, box: Bounds) -> Callable[[int], Figure]:
    """Draw the path so far and the step now over the bands of the loss, for a step given."""
    layout = curves.panel_layout(
        xaxis={"title": {"text": "w₁", "standoff": 2}, "range": list(box[:2]), "nticks": 6},
        yaxis={"title": {"text": "w₂"}, "range": list(box[2:]), "nticks": 6},
    )
    layout["margin"] = {**layout["margin"], "b": 40}

    def at(now: int) -> Figure:
        way = path[: now + 1]
        traces = [
            bands,
            plane.line(way, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
            curves.marked(*way[-1].tolist()),
        ]
        return {"data": traces, "layout": layout}

    return at


def caption(steps: Sequence[LogisticRegressionStep], now: int, *, method: str) -> str:
    """Say what step `now` did, with its numbers in the update rule."""
    step = steps[now]
    direction = "H⁻¹g" if method == "newton" else "g"
    if now == 0:
        return (
            f"Start: all weights are 0, so every class is equally probable and the loss is ln "
            f"{len(step.classes)} = {step.loss:.4f}.\n"
            f"Next: w ← w − step · {direction}, g the gradient of the loss with ‖g‖ = "
            f"{step.gradient_norm:.4g}."
        )
    change = f"falls by {step.fall:.3g}" if step.fall >= 0 else f"rises by {-step.fall:.3g}"
    return (
        f"Loss {steps[now - 1].loss:.5g} → {step.loss:.5g} ({change}); "
        f"{100 * step.accuracy:.4g} % of the points are on the right side.{_event(step)}\n"
        f"{_rule(steps[now - 1], step, direction)}"
    )


def _event(step: LogisticRegressionStep) -> str:
    """Say what happened, and how much can be separated where the weights grow for ever."""
    said = _EVENTS[step.event]
    return said if step.accuracy == 1 else said.replace("the classes", "some points, not all,")


def _rule(before: LogisticRegressionStep, step: LogisticRegressionStep, direction: str) -> str:
    """Give the update rule with this step's numbers, or with its sizes where there are many."""
    rate = step.step_size
    gradient = f"‖g‖ = {step.gradient_norm:.3g}"
    if step.weights.size > 2 or not rate:
        weights = step.weights.size + step.intercepts.size
        size = np.linalg.norm(step.weights)
        rule = f"w ← w − {rate:g} · {direction} on {weights} weights at once: ‖w‖ = {size:.4g}"
        return f"{rule}, {gradient}."
    old, new = before.weights[0], step.weights[0]
    taken = (old - new) / rate
    terms = [vector(v) for v in (old, taken, new)]
    b_old, b_new = before.intercepts[0], step.intercepts[0]
    b = f"b ← {decimal(b_old)} − {rate:g} · {decimal((b_old - b_new) / rate)} = {decimal(b_new)}"
    return (
        f"w ← w − {rate:g} · {direction} = {terms[0]} − {rate:g} · {terms[1]} = {terms[2]}; "
        f"{b}; {gradient}."
    )


_EVENTS = {
    None: "",
    "separated": (
        " Every point is on its right side: from here, larger weights always lower the loss."
    ),
    "overshoot": " The loss rose: the step was too long.",
    "converged": " Converged: the gradient is as good as zero.",
    "diverged": " Diverged: the learning rate is too high, the steps jump over the minimum.",
    "oscillates": (
        " Oscillates: the learning rate is too high, the steps jump to and fro over the minimum."
    ),
    "weights grow without bound": (
        " The weights grow without bound: the classes can be separated and nothing holds the "
        "weights back. A penalty would."
    ),
    "stopped at max_iter": " Stopped: the steps allowed are used up before it converged.",
}
