"""The summary of a run: its safe learning rates, its held-out points, and the valley.

Cost: O(n d K) a step for the held-out points; that of `loss_surface` for 48 x 48 pairs of weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.linear.logistic_regression.calibration import (
    Calibration,
    calibration,
)
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
    largest_stable_rate,
)
from algorithms.classification.linear.logistic_regression.loss_over_two_weights import loss_surface
from algorithms.core.features import PolynomialFeatures

CELLS = 48  # of the loss surface, along each side

Moved = tuple[int, Float[ndarray, "n d"]]
"""The step from which moved points are at their new places, and all places before it."""


@dataclass(frozen=True, eq=False)
class Valley:
    """The loss at pairs of the two weights, (rows, columns) for (first, second)."""

    first: Float[ndarray, " columns"]
    second: Float[ndarray, " rows"]
    losses: Float[ndarray, "rows columns"]


@dataclass(frozen=True, eq=False)
class Summary:
    """The summary of a run.

    safe : learning rates below this never raise the loss. held_loss, calibration : at every step
    the mean loss of the held-out points, and what the model promised for them and got right; None
    if there are none. valley : the loss over the weights, if there are two of them.
    """

    safe: float
    held_loss: Float[ndarray, " steps"] | None
    calibration: tuple[Calibration, ...] | None
    valley: Valley | None


def summary(
    steps: Sequence[LogisticRegressionStep],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    features: PolynomialFeatures,
    held: Bool[ndarray, " n"],
    penalty: float,
    moved: Moved | None = None,
) -> Summary:
    """Return the summary of a run on the features of the points that are not held out."""
    F = features(X)
    safe = largest_stable_rate(F[~held], penalty, len(steps[0].classes))
    loss = calibrated = valley = None
    if held.any():
        since, before = (moved[0], features(moved[1])) if moved else (0, F)
        there = [(F if i >= since else before)[held] for i in range(len(steps))]
        own = y[held]
        codes = np.searchsorted(steps[0].classes, own)
        pairs = list(zip(steps, there, strict=True))
        loss = np.array([step.losses(Z, own).mean() for step, Z in pairs])
        calibrated = tuple(calibration(step.predict_proba(Z), codes) for step, Z in pairs)
    if steps[0].weights.shape == (1, 2):
        first, second = weight_window(np.stack([step.weights[0] for step in steps]))
        losses = loss_surface(F[~held], y[~held], first, second, penalty=penalty)
        valley = Valley(first, second, losses)
    return Summary(safe, loss, calibrated, valley)


def weight_window(
    path: Float[ndarray, "steps 2"],
) -> tuple[Float[ndarray, " columns"], Float[ndarray, " rows"]]:
    """Return the values of the two weights for which the loss is shown: around the whole path."""
    low, high = path.min(axis=0), path.max(axis=0)
    middle, half = (low + high) / 2, 0.7 * max(float((high - low).max()), 0.5)
    first, second = (np.linspace(m - half, m + half, CELLS) for m in middle)
    return first, second
