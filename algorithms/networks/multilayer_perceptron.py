r"""Multi-layer perceptron: layers of units, which learn by gradient descent on mini-batches.

Model: a network of fully connected layers (network.py). Objective, over the n training points:

    L = 1/n sum_i -ln P(y_i | x_i)  +  penalty/2 sum_l ||W_l||^2          (biases are not penalised)

Update rule, for one batch of points after the other, which are shuffled in every epoch:

    W_l <- W_l - learning_rate dL/dW_l,    b_l <- b_l - learning_rate dL/db_l

with L and its gradient taken over the batch. Backpropagation gives the gradient of all layers for
the price of about two further passes (network.py). With momentum, for W_l and b_l alike, starting
from V = 0 (algorithms/regression/least_squares/optimizers.py):

    V <- momentum V + learning_rate dL/dW,     W <- W - V

With dropout every update leaves each hidden unit out with that probability, and multiplies what the
others say by 1 / (1 - dropout), so that on average the next layer gets what it would get from all:

    a_l <- a_l k_l,    k_l = 0 or 1 / (1 - dropout), drawn for every unit of the layer

for all points of the batch alike: the update is that of a thinned network. L, its gradient and all
predictions of a step are those of the whole network.

Start: weights drawn evenly from -r to r, r = spread sqrt(6 / (in + out)) (Glorot), biases 0. With
spread 0 all units of a layer are the same, and so are their gradients: they stay the same for ever.

Cost per epoch: O(n) times the number of weights.

scikit-learn's `alpha` is the penalty times the size of the batch. For two classes its networks,
too, have a single output unit.

Source: CS337 (003:1213), 20APC3316 (002:590, 002:2342); Glorot and Bengio 2010 for the start.
Dropout: CS337 (003:1350), Srivastava et al. 2014, who leave out other units for every point.
Slips not copied: CS337 multiplies by the probability that a unit was dropped, not kept (here that
is done in the training, by its inverse); 20APC3316's AND unit, w_0 = -3 with w_1 = w_2 = .5, never
fires (-.8 does); CS337's backward pass carries gradients up from the leaves, each as long as all
weights together, where backpropagation carries one number per unit down from the loss; it takes
lambda ||w||^2.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.networks.network import (
    Activation,
    Layers,
    Network,
    backward,
    forward,
    losses,
    stuck,
)
from algorithms.regression.least_squares.optimizers import Memory, Momentum, Rule

MOST_LAYERS = 5  # hidden ones
LARGEST = 1e15  # a weight beyond it ends the run: so no gradient can overflow

Kept = list[Float[ndarray, " _"]]
Start = Sequence[tuple[Float[ndarray, "_ _"], Float[ndarray, " _"]]]
Event = Literal["training error 0", "dead unit", "saturated unit", "units alike", "diverged"]


@dataclass(frozen=True, eq=False)
class MultilayerPerceptronStep(Network):
    """The network after `epoch` epochs; also a model, since `predict` works at every step.

    `loss`, `gradients` (of the weights) and `bias_gradients` are of the objective over all training
    points, at the weights of this step; `training_error` is the share of them that is wrong.
    `stuck` tells for every hidden layer which units have next to no slope at any training point,
    `dropped` which were left out in the last update.

    Events: "units alike" (at the start all units of a hidden layer are the same), "training error
    0" (for the first time), "dead unit" (a ReLU is 0 at all training points) or "saturated unit" (a
    tanh or sigmoid is nearly flat at all of them), each unit once; "diverged" (a weight would have
    gone beyond 1e15: the weights stay as they were), which ends the run.
    """

    epoch: int
    gradients: tuple[Float[ndarray, "_ _"], ...]
    bias_gradients: tuple[Float[ndarray, " _"], ...]
    loss: float
    training_error: float
    stuck: tuple[Bool[ndarray, " _"], ...]
    dropped: tuple[Bool[ndarray, " _"], ...]
    event: Event | None = None


def multilayer_perceptron(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    learning_rate: float = 0.5,
    epochs: int = 200,
    batch_size: int | None = None,
    penalty: float = 0.0,
    momentum: float = 0.0,
    dropout: float = 0.0,
    rng: Generator,
    start: Start | None = None,
    spread: float = 1.0,
    later: tuple[int, float] | None = None,
) -> Iterator[MultilayerPerceptronStep]:
    """Train a network with so many units in each `hidden` layer; there may be no such layer.

    A `batch_size` of None takes all points at once, without shuffling them. `start` gives the first
    weights (in, out) and biases (out,) of every layer; without it they are drawn, with `spread`
    times the usual width. The last layer has a unit per class, or only one for the second of two.
    `later` is the number of an epoch and the learning rate from there on.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two classes or more,
    hidden holds at most 5 numbers of 1 or more, the numbers are in their ranges and the start fits.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("activation", activation, get_args(Activation))
    rate = validate.number("learning_rate", learning_rate, positive=True)
    epochs = validate.integer("epochs", epochs, 0)
    size = len(X) if batch_size is None else validate.integer("batch_size", batch_size, 1)
    penalty = validate.number("penalty", penalty)
    momentum, dropout = _share("momentum", momentum), _share("dropout", dropout)
    if start is None:
        layers = drawn_start(X.shape[1], hidden, len(classes), rng=rng, spread=spread)
    else:
        layers = _fitting(start, X.shape[1], hidden, len(classes))
    network = _Trainer(layers, activation, penalty)
    points = _Points(X, np.eye(len(classes))[codes])
    size = min(size, len(X))
    at, other = later or (1, rate)
    validate.integer("later[0]", at, 1)
    validate.number("later[1]", other, positive=True)

    def rule_of(epoch: int) -> Rule:
        now = rate if epoch < at else other
        return Momentum(now, momentum) if momentum else Rule(now)

    return _train(network, points, classes, _Schedule(rule_of, epochs, size, dropout, rng))


def drawn_start(
    d: int, hidden: Sequence[int], classes: int, *, rng: Generator, spread: float = 1.0
) -> Start:
    """Draw the first weights of every layer; two classes get one output unit."""
    spread = min(validate.number("spread", spread), LARGEST / 10)
    widths = [d, *_hidden(hidden), classes if classes > 2 else 1]
    layers = []
    for before, width in pairwise(widths):
        reach = spread * sqrt(6 / (before + width))
        layers.append((rng.uniform(-reach, reach, size=(before, width)), np.zeros(width)))
    return layers


def _fitting(start: Start, d: int, hidden: Sequence[int], classes: int) -> Start:
    """Return a copy of the start, or raise ValueError where its shapes do not fit."""
    layers = [(np.array(W, dtype=float), np.array(b, dtype=float)) for W, b in start]
    last = layers[-1][1].size if layers else 0
    widths = [d, *_hidden(hidden), 1 if classes == 2 and last == 1 else classes]
    wanted = [((a, b), (b,)) for a, b in pairwise(widths)]
    found = [(W.shape, b.shape) for W, b in layers]
    if found != wanted:
        raise ValueError(f"start must have the shapes {wanted}, got {found}")
    for part in (part for layer in layers for part in layer):
        validate.within(part, name="start", limit=LARGEST)
    return layers


def _share(name: str, value: float) -> float:
    """Return a number from 0, below 1."""
    if (value := validate.number(name, value)) >= 1:
        raise ValueError(f"{name} must be below 1, got {name}={value:g}")
    return value


def _hidden(hidden: Sequence[int]) -> list[int]:
    if len(hidden) > MOST_LAYERS:
        raise ValueError(f"hidden must name at most {MOST_LAYERS} layers, got {len(hidden)}")
    return [validate.integer("hidden", units, 1) for units in hidden]


@dataclass(frozen=True, eq=False)
class _Points:
    """Training points, and a 1 in the column of each one's class."""

    X: Float[ndarray, "n d"]
    Y: Float[ndarray, "n k"]


@dataclass(frozen=True, eq=False)
class _Schedule:
    """How the updates follow each other, and what they leave out."""

    rule_of: Callable[[int], Rule]
    epochs: int
    size: int
    dropout: float
    rng: Generator

    def batches(self, n: int) -> Iterator[Int[ndarray, " _"]]:
        """Shuffle the points and deal them out; all of them together are not shuffled."""
        order = np.arange(n) if self.size == n else self.rng.permutation(n)
        return (order[first : first + self.size] for first in range(0, n, self.size))

    def kept(self, widths: Sequence[int]) -> Kept | None:
        """Draw what every hidden unit's answer is multiplied by; None if none is left out."""
        if self.dropout == 0:
            return None
        return [(self.rng.random(n) >= self.dropout) / (1 - self.dropout) for n in widths]


@dataclass(frozen=True, eq=False)
class _Gradient:
    """The objective over some points, its derivatives, and what the layers said of the points."""

    loss: float
    weights: list[Float[ndarray, "_ _"]]
    biases: list[Float[ndarray, " _"]]
    activations: list[Float[ndarray, "n _"]]


class _Trainer:
    """The weights while they are being trained."""

    def __init__(self, layers: Start, activation: Activation, penalty: float) -> None:
        parts = [*(W for W, _ in layers), *(b for _, b in layers)]
        self.shapes = [part.shape for part in parts]
        self.ends = np.cumsum([part.size for part in parts]).tolist()
        self.activation: Activation = activation
        self.penalty = penalty
        self.memory = Memory(0, np.zeros(self.ends[-1]), np.zeros(0))
        self._set(_flat(parts))

    def _set(self, theta: Float[ndarray, " p"]) -> None:
        """Give all weights and biases their values, which stand one after the other in theta."""
        self.theta = theta
        pieces = zip([0, *self.ends[:-1]], self.ends, self.shapes, strict=True)
        parts = [theta[first:end].reshape(shape) for first, end, shape in pieces]
        layers = len(parts) // 2
        self.weights, self.biases = parts[:layers], parts[layers:]

    @property
    def widths(self) -> list[int]:
        """The numbers of units of the hidden layers."""
        return [len(b) for b in self.biases[:-1]]

    @property
    def alike(self) -> bool:
        """Whether all units of some hidden layer are the same, coming in and going out."""
        layers = zip(self.weights[:-1], self.biases[:-1], self.weights[1:], strict=True)
        return any(
            len(b) > 1 and np.ptp(W, axis=1).max() == np.ptp(b) == np.ptp(V, axis=0).max() == 0
            for W, b, V in layers
        )

    def gradient(
        self, X: Float[ndarray, "b d"], Y: Float[ndarray, "b k"], kept: Kept | None = None
    ) -> _Gradient:
        """Return the objective over the rows of `X` and its gradient: forward, then backward.

        To multiply what a unit says is to multiply the weights that it goes on by.
        """
        weights = self.weights if kept is None else _thinned(self.weights, kept)
        activations = forward(X, weights, self.biases, self.activation)
        each, error = losses(activations[-1], Y)
        deltas = backward(activations, weights, error / len(X), self.activation)
        gradients = [A.T @ delta for A, delta in zip(activations[:-1], deltas, strict=True)]
        if kept is not None:
            gradients = _thinned(gradients, kept)
        loss = float(each.mean())
        if self.penalty:
            loss += self.penalty / 2 * float(sum((W * W).sum() for W in self.weights))
            pairs = zip(gradients, self.weights, strict=True)
            gradients = [G + self.penalty * W for G, W in pairs]
        return _Gradient(loss, gradients, [delta.sum(axis=0) for delta in deltas], activations)

    def update(self, gradient: _Gradient, rule: Rule) -> bool:
        """Go down the gradient; return whether the weights stay within bounds."""
        with np.errstate(over="ignore"):
            change, self.memory = rule(_flat(gradient.weights + gradient.biases), self.memory)
            self._set(self.theta + change)
        return bool(np.abs(self.theta).max() <= LARGEST)


def _flat(parts: Layers) -> Float[ndarray, " p"]:
    """Put all numbers one after the other."""
    return np.concatenate([part.ravel() for part in parts])


def _thinned(parts: list[Float[ndarray, "_ _"]], kept: Kept) -> list[Float[ndarray, "_ _"]]:
    """Multiply the rows that come from hidden units; the first layer's come from the input."""
    return [parts[0], *(k[:, None] * part for k, part in zip(kept, parts[1:], strict=True))]


def _train(
    network: _Trainer, points: _Points, classes: Int[ndarray, " k"], schedule: _Schedule
) -> Iterator[MultilayerPerceptronStep]:
    X, Y, kept = points.X, points.Y, None
    gradient = network.gradient(X, Y)
    recorder = _Recorder(classes, Y)
    yield (step := recorder.step(0, network, gradient))
    for epoch in range(1, schedule.epochs + 1):
        rule = schedule.rule_of(epoch)
        for rows in schedule.batches(len(X)):
            kept = schedule.kept(network.widths)
            known = kept is None and len(rows) == len(X)
            batch = gradient if known else network.gradient(X[rows], Y[rows], kept)
            if not network.update(batch, rule):
                yield replace(step, epoch=epoch, event="diverged")
                return
        gradient = network.gradient(X, Y)
        yield (step := recorder.step(epoch, network, gradient, kept))


class _Recorder:
    """Makes the steps, and remembers what has happened before."""

    def __init__(self, classes: Int[ndarray, " k"], Y: Float[ndarray, "n k"]) -> None:
        self.classes = classes
        self.one_hot, self.codes = Y, Y.argmax(axis=1)
        self.known: tuple[Bool[ndarray, " _"], ...] = ()  # which units were stuck at some step
        self.clean = False  # whether the training error was 0 at some step

    def step(
        self, epoch: int, network: _Trainer, gradient: _Gradient, kept: Kept | None = None
    ) -> MultilayerPerceptronStep:
        """Record the network with the gradient at its weights. kept : in the last update."""
        scores = gradient.activations[-1]
        two = scores.shape[1] == 1
        said = (scores[:, 0] > 0).astype(int) if two else scores.argmax(axis=1)
        error = float(np.count_nonzero(said != self.codes) / len(said))
        idle = stuck(gradient.activations, network.activation)
        return MultilayerPerceptronStep(
            classes=self.classes,
            activation=network.activation,
            weights=tuple(map(frozen, network.weights)),
            biases=tuple(map(frozen, network.biases)),
            epoch=epoch,
            gradients=tuple(map(frozen, gradient.weights)),
            bias_gradients=tuple(map(frozen, gradient.biases)),
            loss=gradient.loss,
            training_error=error,
            stuck=tuple(map(frozen, idle)),
            dropped=tuple(frozen(k == 0) for k in kept or map(np.ones, network.widths)),
            event=self._event(network, idle, error),
        )

    def _event(
        self, network: _Trainer, idle: tuple[Bool[ndarray, " _"], ...], error: float
    ) -> Event | None:
        """Name what happens for the first time at this step."""
        at_start, known = not self.known, self.known or tuple(units & False for units in idle)
        newly = any((now & ~before).any() for now, before in zip(idle, known, strict=True))
        clean = error == 0 and not self.clean
        self.known = tuple(now | before for now, before in zip(idle, known, strict=True))
        self.clean |= clean
        if at_start and network.alike:
            return "units alike"
        if clean:
            return "training error 0"
        if newly:
            return "dead unit" if network.activation == "relu" else "saturated unit"
        return None
