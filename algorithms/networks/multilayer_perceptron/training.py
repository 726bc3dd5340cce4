"""How a network is trained: the settings, what is drawn ahead, and what no epoch changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.optimizers import RULES, Momentum, Rule
from algorithms.core.record import Record
from algorithms.networks.multilayer_perceptron.network import (
    Activation,
    Loss,
    half_squares,
    losses,
)
from algorithms.networks.multilayer_perceptron.start import (
    Shapes,
    Start,
    drawn_layers,
    drawn_start,
    fitting,
    fitting_classes,
)

Optimizer = Literal["gradient", "AdaGrad", "RMSProp", "Adam"]
Kept = list[Float[ndarray, " _"]]


@dataclass(frozen=True)
class Training:
    """The settings of a training.

    batch_size : None for all points at once, which are then not shuffled. penalty, l1_penalty : of
    sum w^2 / 2 and of sum |w|. momentum : only the optimizer "gradient" may have it. dropout : the
    probability with which an update leaves a hidden unit out.
    """

    learning_rate: float = 0.5
    batch_size: int | None = None
    penalty: float = 0.0
    l1_penalty: float = 0.0
    optimizer: Optimizer = "gradient"
    momentum: float = 0.0
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError where a number is not in its range."""
        validate.number("learning_rate", self.learning_rate, positive=True)
        if self.batch_size is not None:
            validate.integer("batch_size", self.batch_size, 1)
        validate.number("penalty", self.penalty)
        validate.number("l1_penalty", self.l1_penalty)
        validate.choice("optimizer", self.optimizer, get_args(Optimizer))
        for name in ("momentum", "dropout"):
            if (share := validate.number(name, getattr(self, name))) >= 1:
                raise ValueError(f"{name} must be below 1, got {name}={share:g}")
        if self.momentum and self.optimizer != "gradient":
            momentum = f"momentum={self.momentum:g}"
            raise ValueError(f"momentum must be 0 with {self.optimizer}, got {momentum}")

    @property
    def rule(self) -> Rule:
        """Return the rule that turns gradients into updates."""
        if self.momentum:
            return Momentum(self.learning_rate, self.momentum)
        return RULES[self.optimizer](self.learning_rate)


@dataclass(frozen=True, eq=False)
class Draws(Record):
    """What the updates of every epoch look at, and which units they leave out, drawn ahead.

    orders : of the n points; no epochs where every update looks at all points. stays : whether a
    hidden unit stays, for every update of every epoch; no epochs without dropout.
    """

    n: int
    size: int
    widths: tuple[int, ...]
    dropout: float
    orders: Int[ndarray, "_ n"]
    stays: Bool[ndarray, "_ updates units"]

    @property
    def updates(self) -> int:
        """Return the number of updates in an epoch."""
        return -(-self.n // self.size)

    def batches(self, epoch: int) -> Iterator[tuple[Int[ndarray, " b"] | None, Kept | None]]:
        """Yield the points of every update of an epoch, and the factors of the hidden units.

        None stands for all points, and for no factors.
        """
        ends = [sum(self.widths[:layer]) for layer in range(len(self.widths) + 1)]
        for i in range(self.updates):
            rows = kept = None
            if len(self.orders):
                rows = self.orders[epoch - 1, i * self.size : (i + 1) * self.size]
            if len(self.stays):
                factors = self.stays[epoch - 1, i] / (1 - self.dropout)
                kept = [factors[first:end] for first, end in pairwise(ends)]
            yield rows, kept


def drawn(n: int, widths: Sequence[int], training: Training, epochs: int, rng: Generator) -> Draws:
    """Draw what the training of a network with hidden layers of these widths needs."""
    size = min(training.batch_size or n, n)
    shuffled, thinned = size < n, bool(training.dropout and widths)
    each = (-(-n // size), sum(widths))
    orders = np.empty((epochs * shuffled, n), int)
    stays = np.empty((epochs * thinned, *each), bool)
    for epoch in range(epochs * (shuffled or thinned)):
        if shuffled:
            orders[epoch] = rng.permutation(n)
        if thinned:
            stays[epoch] = rng.random(each) >= training.dropout
    return Draws(n, size, tuple(widths), training.dropout, orders, stays)


@dataclass(frozen=True, eq=False)
class Task:
    """What no epoch changes.

    Y : a 1 in the column of the class, or the number. classes : None where a number is predicted.
    start : the first weights and biases; shapes : where they are in theta.
    """

    X: Float[ndarray, "n d"]
    Y: Float[ndarray, "n k"]
    classes: Int[ndarray, " k"] | None
    activation: Activation
    training: Training
    epochs: int
    start: Start
    shapes: Shapes
    draws: Draws

    @cached_property
    def codes(self) -> Int[ndarray, " n"]:
        """Return the index of the class of every point."""
        return self.Y.argmax(axis=1)

    @property
    def loss(self) -> Loss:
        """Return the loss E of every row, and delta_m."""
        return half_squares if self.classes is None else losses


def class_task(X: Float[ndarray, "n d"], y: Int[ndarray, " n"], **how: Any) -> Task:
    """Return the task of `multilayer_perceptron`, with all that is random drawn ahead.

    how : its other parameters.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    return _task(X, np.eye(len(classes))[codes], classes, **how)


def number_task(X: Float[ndarray, "n d"], y: Float[ndarray, " n"], **how: Any) -> Task:
    """Return the task of `multilayer_regression`, with all that is random drawn ahead.

    how : its other parameters.
    """
    X = validate.points(X)
    return _task(X, validate.targets(y, len(X))[:, None], None, **how)


def _task(
    X: Float[ndarray, "n d"],
    Y: Float[ndarray, "n k"],
    classes: Int[ndarray, " k"] | None,
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    epochs: int = 200,
    rng: Generator,
    start: Start | None = None,
    spread: float = 1.0,
    **training: Any,
) -> Task:
    """Return the task with a start that fits, drawn if there is none. classes : None of numbers."""
    settings, (d, k) = Training(**training), (X.shape[1], Y.shape[1])
    if start is None:
        draw = drawn_layers if classes is None else drawn_start
        layers = draw(d, hidden, k, rng=rng, spread=spread)
    else:
        fit = fitting if classes is None else fitting_classes
        layers = fit(start, d, hidden, k)
    validate.choice("activation", activation, get_args(Activation))
    epochs = validate.integer("epochs", epochs, 0)
    draws = drawn(len(X), [len(b) for _, b in layers[:-1]], settings, epochs, rng)
    return Task(X, Y, classes, activation, settings, epochs, layers, Shapes.of(layers), draws)
