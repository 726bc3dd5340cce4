"""Penalties on the weights, and dropout: what holds a network back."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.networks.multilayer_perceptron.network import Layers
from algorithms.networks.multilayer_perceptron.training import Kept, Task


def penalised(task: Task, theta: Float[ndarray, " p"], by_theta: Float[ndarray, " p"]) -> float:
    """Return the penalties of the weights, and add their derivatives to those of E."""
    weights = slice(task.shapes.weights)
    w, paid = theta[weights], 0.0
    if penalty := task.training.penalty:
        paid += penalty / 2 * float(w @ w)
        by_theta[weights] += penalty * w
    if l1_penalty := task.training.l1_penalty:
        paid += l1_penalty * float(np.abs(w).sum())
        by_theta[weights] += l1_penalty * np.sign(w)
    return paid


def thinned(parts: Layers, kept: Kept) -> list[Float[ndarray, "_ _"]]:
    """Return the weights with the rows that start at hidden units multiplied by k_l."""
    return [parts[0], *(k[:, None] * part for k, part in zip(kept, parts[1:], strict=True))]
