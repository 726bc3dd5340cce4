"""The end of an epoch, which may end the run."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.classification.linear.perceptron.samples import Weights

BACK = 1e-7  # of the largest move: weights nearer to each other than this count as the same
SINGLE = 20  # the first mistakes are events; later only the ends of epochs are
STOPPED = "stopped at max_epochs"

Ending = Literal["end of epoch", "converged", "cycle"]
Event = Literal["mistake", "skipped", "forced", "stopped at max_epochs"] | Ending


def ending(
    clean: bool, seen: tuple[Weights, ...], theta: Weights, near: Float[ndarray, " p"]
) -> tuple[Ending, int]:
    """Return the event that ends an epoch of the perceptron, and the period of a cycle.

    clean : the epoch had no mistake. seen : the weights at the ends of earlier epochs, where all
    epochs are alike. near : weights that differ by no more are the same.
    """
    if clean:
        return "converged", 0
    period = epochs_back(seen, theta, near)
    return ("cycle", period) if period else ("end of epoch", 0)


def epochs_back(seen: tuple[Weights, ...], theta: Weights, near: Float[ndarray, " p"]) -> int:
    """Return how many epochs ago the weights were the same, 0 if they never were."""
    if not seen:
        return 0
    same = np.flatnonzero((np.abs(np.array(seen) - theta) <= near).all(axis=1))
    return len(seen) - int(same[-1]) if len(same) else 0
