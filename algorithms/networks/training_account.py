"""What the steps of a network's training come to, on its own points and on held-out ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.core.scaling import Scaling
from algorithms.networks.multilayer_perceptron import (
    EpochStep,
    MultilayerPerceptronStep,
    MultilayerRegressionStep,
)
from algorithms.networks.network import forward, half_squares, losses

MOST_ROWS = 20_000  # of scores that are looked at together


@dataclass(frozen=True, eq=False)
class Account(Record):
    """A run in numbers, a row per step. `gradients` holds ||dL/dW_l|| of every layer.

    `held_out_loss` (without the penalty) and `held_out_error` (a share) are None without points;
    where a number is predicted there is no error.
    """

    loss: Float[ndarray, " t"]
    gradients: Float[ndarray, "t layers"]
    held_out_loss: Float[ndarray, " t"] | None = None
    held_out_error: Float[ndarray, " t"] | None = None

    def best_so_far(self, step: int) -> int | None:
        """Return the first step up to this one at which the held-out loss is lowest."""
        if self.held_out_loss is None:
            return None
        return int(self.held_out_loss[: step + 1].argmin())


def account(
    steps: Sequence[MultilayerPerceptronStep],
    features: Callable[[ndarray], ndarray],
    X: Float[ndarray, "m d"],
    y: Int[ndarray, " m"],
) -> Account:
    """Return what every step comes to, on the training points and on the held-out (X, y).

    features : what is made of the rows of `X` before the network sees them.
    """
    if len(X) == 0:
        return Account(*_own(steps))
    scores = _scores(steps, features(X))
    again = np.tile(y, len(steps))
    each, _ = losses(scores, (again[:, None] == steps[0].classes).astype(float))
    wrong = steps[0].said(scores) != again
    return Account(*_own(steps), *(_mean(part, len(X)) for part in (each, wrong)))


def account_on_plane(
    steps: Sequence[MultilayerRegressionStep], units: Scaling, plane: Float[ndarray, "m 2"]
) -> Account:
    """Return what every step comes to, on the training points and on held-out ones.

    units : the standard units that the network is trained in, of both columns.
    """
    if len(plane) == 0:
        return Account(*_own(steps))
    U = units.transform(plane)
    each, _ = half_squares(_scores(steps, U[:, :1]), np.tile(U[:, 1:], (len(steps), 1)))
    return Account(*_own(steps), _mean(each, len(plane)))


def _own(steps: Sequence[EpochStep]) -> tuple[Float[ndarray, " t"], Float[ndarray, "t layers"]]:
    """Return the loss of every step and the sizes of its gradients."""
    loss = np.array([step.loss for step in steps])
    layers = zip(*(step.gradients for step in steps), strict=True)
    sizes = [np.linalg.norm(np.stack(layer), axis=(1, 2)) for layer in layers]
    return loss, np.stack(sizes, axis=1)


def _scores(steps: Sequence[EpochStep], F: Float[ndarray, "m d"]) -> Float[ndarray, "tm _"]:
    """Return what the last layer says of all rows at the first step, then at the second, ..."""
    at_once = max(1, MOST_ROWS // len(F))
    found = []
    for first in range(0, len(steps), at_once):
        part = steps[first : first + at_once]
        weights = [np.stack(layer) for layer in zip(*(s.weights for s in part), strict=True)]
        biases = [np.stack(layer)[:, None] for layer in zip(*(s.biases for s in part), strict=True)]
        found.append(forward(F, weights, biases, part[0].activation)[-1])
    return np.concatenate(found).reshape(len(steps) * len(F), -1)


def _mean(values: ndarray, rows: int) -> Float[ndarray, " t"]:
    """Return the mean of each step's so many values."""
    return values.reshape(-1, rows).mean(axis=1)
