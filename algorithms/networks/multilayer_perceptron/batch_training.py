"""How a network is trained update by update: the settings, and the mini-batches drawn ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.networks.multilayer_perceptron.network import Activation
from algorithms.networks.multilayer_perceptron.start import LARGEST, Start, drawn_start


@dataclass(frozen=True)
class BatchTraining:
    """The settings of a training by updates.

    normalise : False for the same network without batch normalisation. first_bias : the bias that
    every hidden unit starts with. memory : the share of the running means that an update keeps.
    """

    learning_rate: float = 0.3
    batch_size: int = 10
    updates: int = 100
    normalise: bool = True
    first_bias: float = 0.0
    memory: float = 0.9

    def __post_init__(self) -> None:
        """Raise ValueError where a number is not in its range."""
        validate.number("learning_rate", self.learning_rate, positive=True)
        validate.integer("batch_size", self.batch_size, 1)
        validate.integer("updates", self.updates, 0)
        validate.within(np.array(self.first_bias, float), name="first_bias", limit=LARGEST)
        if validate.number("memory", self.memory) >= 1:
            raise ValueError(f"memory must be below 1, got memory={self.memory:g}")


@dataclass(frozen=True, eq=False)
class BatchTask:
    """What no update changes.

    Y : a 1 in the column of the class. batches : the rows of `X` in the mini-batch of each update.
    """

    X: Float[ndarray, "n d"]
    Y: Float[ndarray, "n k"]
    classes: Int[ndarray, " k"]
    activation: Activation
    training: BatchTraining
    start: Start
    batches: Int[ndarray, "updates b"]


def batch_task(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation,
    rng: Generator,
    **training: Any,
) -> BatchTask:
    """Return the task of `batch_normalisation`, with the start and all mini-batches drawn ahead."""
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    settings = BatchTraining(**training)
    validate.choice("activation", activation, get_args(Activation))
    *inner, last = drawn_start(X.shape[1], hidden, len(classes), rng=rng)
    start = [*((W, np.full(len(b), float(settings.first_bias))) for W, b in inner), last]
    batches = drawn_batches(len(X), settings.batch_size, settings.updates, rng)
    return BatchTask(X, np.eye(len(classes))[codes], classes, activation, settings, start, batches)


def drawn_batches(n: int, size: int, updates: int, rng: Generator) -> Int[ndarray, "updates b"]:
    """Draw the mini-batches: the points are shuffled and dealt, again and again.

    Points that are left over when the points are dealt wait for the next shuffle, so that all
    batches have the same size: `size`, or n if that is smaller.
    """
    size = min(size, n)
    dealt = n // size
    rounds = -(-updates // dealt)
    orders = [rng.permutation(n)[: dealt * size].reshape(dealt, size) for _ in range(rounds)]
    return np.concatenate([np.empty((0, size), int), *orders])[:updates]
