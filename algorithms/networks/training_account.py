"""What the steps of a network's training come to, on its own points and on held-out ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.networks.multilayer_perceptron import MultilayerPerceptronStep
from algorithms.networks.network import losses

MOST_ROWS = 20_000  # of scores that are looked at together


@dataclass(frozen=True, eq=False)
class Account(Record):
    """A run in numbers, a row per step. `gradients` holds ||dL/dW_l|| of every layer.

    `held_out_loss` (without the penalty) and `held_out_error` (a share) are None without points.
    """

    loss: Float[ndarray, " t"]
    gradients: Float[ndarray, "t layers"]
    held_out_loss: Float[ndarray, " t"] | None = None
    held_out_error: Float[ndarray, " t"] | None = None


def account(
    steps: Sequence[MultilayerPerceptronStep],
    features: Callable[[ndarray], ndarray],
    X: Float[ndarray, "m d"],
    y: Int[ndarray, " m"],
) -> Account:
    """Return what every step comes to, on the training points and on the held-out (X, y).

    features : what is made of the rows of `X` before the network sees them.
    """
    loss = np.array([step.loss for step in steps])
    layers = zip(*(step.gradients for step in steps), strict=True)
    sizes = np.stack([np.linalg.norm(np.stack(layer), axis=(1, 2)) for layer in layers], axis=1)
    if len(X) == 0:
        return Account(loss, sizes)
    F, at_once = features(X), max(1, MOST_ROWS // len(X))
    parts = [steps[first : first + at_once] for first in range(0, len(steps), at_once)]
    held, wrong = zip(*(_held_out(part, F, y) for part in parts), strict=True)
    return Account(loss, sizes, np.concatenate(held), np.concatenate(wrong))


def _held_out(
    steps: Sequence[MultilayerPerceptronStep], F: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> tuple[Float[ndarray, " t"], Float[ndarray, " t"]]:
    """Return the mean loss and the error of every step, from the scores of all of them at once."""
    scores = np.concatenate([step.activations(F)[-1] for step in steps])
    again = np.tile(y, len(steps))
    each, _ = losses(scores, (again[:, None] == steps[0].classes).astype(float))
    wrong = steps[0].said(scores) != again
    held, errors = (part.reshape(len(steps), -1).mean(axis=1) for part in (each, wrong))
    return held, errors
