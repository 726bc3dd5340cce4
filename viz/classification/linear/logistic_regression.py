"""Pictures and words for logistic regression."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.logistic_regression import LogisticRegressionStep
from algorithms.core.features import PolynomialFeatures
from viz.core import curves, plane
from viz.core.words import decimal, number, vector

_BANDS = 14  # of the loss surface


def picture(
    X: ndarray,
    y: ndarray,
    features: PolynomialFeatures,
    steps: Sequence[LogisticRegressionStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the most probable class everywhere, paler where it is less sure, and the 0.5 line."""
    step = steps[now]
    region, border = _surface(step, features, bounds)
    wrong = step.predict(features(X)) != y
    return plane.figure([region, plane.points(X, y, wrong=wrong), border], bounds, names)


def _surface(
    step: LogisticRegressionStep, features: PolynomialFeatures, bounds: plane.Bounds
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


def progress(steps: Sequence[LogisticRegressionStep], now: int) -> dict:
    """Draw loss and gradient norm at every step."""
    series = {
        "loss": [step.loss for step in steps],
        "‖g‖": [step.gradient_norm for step in steps],
    }
    return curves.history(series, now, log=["‖g‖"])


def loss_bands(surface: ndarray, first: ndarray, second: ndarray) -> tuple[dict, plane.Bounds]:
    """Draw the loss over the two weights in bands, as every frame shows it; and where it lies.

    surface : (len(second), len(first)), the loss with the best intercept for each pair.
    """
    height = np.log(surface - surface.min() + 0.02 * np.ptp(surface) + 1e-12)
    low, high = height.min(), height.max()
    band = np.minimum((height - low) / (high - low or 1.0) * _BANDS, _BANDS - 1).astype(np.uint8)
    half = ((first[1] - first[0]) / 2, (second[1] - second[0]) / 2)
    box = (first[0] - half[0], first[-1] + half[0], second[0] - half[1], second[-1] + half[1])
    blue = np.tile(np.array([[0, 114, 178]], np.uint8), (_BANDS, 1))
    opacity = np.linspace(10, 190, _BANDS).astype(np.uint8)
    return plane.image(band, blue, opacity, box), box


def weight_space(
    bands: dict, box: plane.Bounds, steps: Sequence[LogisticRegressionStep], now: int
) -> dict:
    """Draw the path so far and the step now over the `loss_bands`."""
    path = np.stack([step.weights[0] for step in steps[: now + 1]])
    here = path[-1]
    traces = [
        bands,
        plane.line(path, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    layout = curves.panel_layout(
        xaxis={"title": {"text": "w₁", "standoff": 2}, "range": list(box[:2]), "nticks": 6},
        yaxis={"title": {"text": "w₂"}, "range": list(box[2:]), "nticks": 6},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def weight_window(
    steps: Sequence[LogisticRegressionStep], size: int = 48
) -> tuple[ndarray, ndarray]:
    """Choose the values of the two weights to show the loss for: around the whole path."""
    path = np.stack([step.weights[0] for step in steps])
    low, high = path.min(axis=0), path.max(axis=0)
    middle, half = (low + high) / 2, 0.7 * max(float((high - low).max()), 0.5)
    first, second = (np.linspace(m - half, m + half, size) for m in middle)
    return first, second


def caption(
    steps: Sequence[LogisticRegressionStep], now: int, *, names: tuple[str, ...], method: str
) -> str:
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
        f"{100 * step.accuracy:.4g} % of the points are on the right side.{_EVENTS[step.event]}\n"
        f"{_rule(steps[now - 1], step, names, direction)}"
    )


def preprocessing(features: PolynomialFeatures, columns: Sequence[str]) -> str:
    """Say what happens to the columns before the algorithm sees them."""
    if (features.spread == 1).all() and (features.scale == 1).all():
        return f"The features {', '.join(features.names)} are used as they are."
    shifts = [
        f"({name} − {number(center)}) / {number(spread)}"
        for name, center, spread in zip(columns, features.center, features.spread, strict=True)
    ]
    if len(features.names) == len(columns):
        return f"The features are standardised: {', '.join(shifts)}."
    return (
        f"The columns are standardised, {', '.join(shifts)}, and so is each of their "
        f"{len(features.names)} products {', '.join(features.names)}."
    )


def _rule(
    before: LogisticRegressionStep,
    step: LogisticRegressionStep,
    names: tuple[str, ...],
    direction: str,
) -> str:
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
    "weights grow without bound": (
        " The weights grow without bound: the classes can be separated and nothing holds the "
        "weights back. A penalty would."
    ),
    "stopped at max_iter": " Stopped: the steps allowed are used up before it converged.",
}
