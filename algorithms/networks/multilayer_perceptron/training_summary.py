"""Losses and errors of all steps of a training, on its own points and on held-out ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.core.scaling import Scaling
from algorithms.core.work import spend
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    EpochStep,
    MultilayerPerceptronStep,
    MultilayerRegressionStep,
)
from algorithms.networks.multilayer_perceptron.network import forward, losses

MOST_ROWS = 20_000  # of scores at a time


@dataclass(frozen=True, eq=False)
class Summary(Record):
    """A run in numbers, a row per step. `gradients` holds ||dL/dW_l|| of every layer.

    `held_out_loss` (without the penalty) and `held_out_error` (a share) are None without held-out
    points; a network for numbers has no `held_out_error`.
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


def class_summary(
    steps: Sequence[MultilayerPerceptronStep],
    features: Callable[[ndarray], ndarray],
    X: Float[ndarray, "m d"],
    y: Int[ndarray, " m"],
) -> Summary:
    """Return the losses of every step, on the training points and on the held-out (X, y).

    features : turns the rows of `X` into what the network sees.
    """
    if len(X) == 0:
        return Summary(*_own(steps))
    one_hot = (y[:, None] == steps[0].classes).astype(float)

    def judge(scores: Float[ndarray, "t m _"]) -> list[Float[ndarray, " t"]]:
        t = len(scores)
        rows = scores.reshape(t * len(y), -1)
        each, _ = losses(rows, np.tile(one_hot, (t, 1)))
        wrong = steps[0].said(rows) != np.tile(y, t)
        return [part.reshape(t, -1).mean(axis=1) for part in (each, wrong)]

    return Summary(*_own(steps), *_judged(steps, features(X), judge))


def number_summary(
    steps: Sequence[MultilayerRegressionStep], units: Scaling, plane: Float[ndarray, "m 2"]
) -> Summary:
    """Return the losses of every step, on the training points and on held-out ones.

    units : the standard units that the network is trained in, of both columns.
    """
    if len(plane) == 0:
        return Summary(*_own(steps))
    U = units.transform(plane)

    def judge(scores: Float[ndarray, "t m _"]) -> list[Float[ndarray, " t"]]:
        return [np.square(scores[..., 0] - U[:, 1]).mean(axis=1) / 2]

    return Summary(*_own(steps), *_judged(steps, U[:, :1], judge))


def _own(steps: Sequence[EpochStep]) -> tuple[Float[ndarray, " t"], Float[ndarray, "t layers"]]:
    """Return the loss of every step and the sizes of its gradients."""
    loss = np.array([step.loss for step in steps])
    layers = zip(*(step.gradients for step in steps), strict=True)
    sizes = [np.linalg.norm(np.stack(layer), axis=(1, 2)) for layer in layers]
    return loss, np.stack(sizes, axis=1)


def _judged(
    steps: Sequence[EpochStep],
    F: Float[ndarray, "m d"],
    judge: Callable[[Float[ndarray, "t m _"]], list[Float[ndarray, " t"]]],
) -> list[Float[ndarray, " t"]]:
    """Return the results of `judge` on the scores of every step, for some steps at a time.

    The scores of all steps together would take hundreds of megabytes.
    """
    at_once = max(1, MOST_ROWS // len(F))
    found = []
    for first in range(0, len(steps), at_once):
        part = steps[first : first + at_once]
        weights = [np.stack(layer) for layer in zip(*(s.weights for s in part), strict=True)]
        biases = [np.stack(layer)[:, None] for layer in zip(*(s.biases for s in part), strict=True)]
        spend(2.0 * len(F) * sum(W.size for W in weights))
        found.append(judge(forward(F, weights, biases, part[0].activation)[-1]))
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]
