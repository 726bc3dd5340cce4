"""What the training of a network is made of: its start, its gradient, and the order of updates.

All weights and biases stand one after the other in one vector, theta, for the rules of
optimizers.py, which know of no layers; the matrices are views of it.

Gradient of the objective over a batch of b points, with E the derivatives of the b losses by the
scores (network.py):

    dL/dW_l = 1/b a_{l-1}^T delta_l + penalty W_l + l1_penalty sign(W_l)

|w| has no slope at 0: there any number from -1 to 1 will do, a subgradient, and sign(0) = 0 is
taken. A step against it is a fixed one, of learning_rate l1_penalty, however small the weight is:
so a weight that the points do not hold comes as near to 0, swings about it, and is hardly ever 0
exactly.

Cost: O(b) times the number of weights for a gradient, three passes through the network.

Source: CS337 (003:1213, 003:1350); 20APC3316 (002:590).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.networks.network import Activation, Layers, backward, forward, slopes
from algorithms.regression.least_squares.optimizers import RULES, Momentum, Rule

MOST_LAYERS = 5  # hidden ones
LARGEST = 1e15  # a weight beyond it ends the run: so no gradient can overflow

Kept = list[Float[ndarray, " _"]]
Start = Sequence[tuple[Float[ndarray, "_ _"], Float[ndarray, " _"]]]
Optimizer = Literal["gradient", "AdaGrad", "RMSProp", "Adam"]
Loss = Callable[
    [Float[ndarray, "b _"], Float[ndarray, "b k"]],
    tuple[Float[ndarray, " b"], Float[ndarray, "b _"]],
]
"""Gives the loss of every row, and its derivative by the scores, from these and what is true."""


def drawn_layers(
    inputs: int, hidden: Sequence[int], outputs: int, *, rng: Generator, spread: float = 1.0
) -> Start:
    """Draw the first weights of every layer evenly from -r to r; see multilayer_perceptron.py."""
    spread = min(validate.number("spread", spread), LARGEST / 10)
    layers = []
    for before, width in pairwise([inputs, *_hidden(hidden), outputs]):
        reach = spread * sqrt(6 / (before + width))
        layers.append((rng.uniform(-reach, reach, size=(before, width)), np.zeros(width)))
    return layers


def fitting(start: Start, inputs: int, hidden: Sequence[int], outputs: int) -> Start:
    """Return a copy of the start, or raise ValueError where its shapes do not fit."""
    layers = [(np.array(W, dtype=float), np.array(b, dtype=float)) for W, b in start]
    wanted = [((a, b), (b,)) for a, b in pairwise([inputs, *_hidden(hidden), outputs])]
    found = [(W.shape, b.shape) for W, b in layers]
    if found != wanted:
        raise ValueError(f"start must have the shapes {wanted}, got {found}")
    for part in (part for layer in layers for part in layer):
        validate.within(part, name="start", limit=LARGEST)
    return layers


def _hidden(hidden: Sequence[int]) -> list[int]:
    if len(hidden) > MOST_LAYERS:
        raise ValueError(f"hidden must name at most {MOST_LAYERS} layers, got {len(hidden)}")
    return [validate.integer("hidden", units, 1) for units in hidden]


def update_rule(optimizer: Optimizer, learning_rate: float, momentum: float = 0.0) -> Rule:
    """Return the rule of that name; the plain one has momentum if there is any."""
    if momentum:
        return Momentum(learning_rate, momentum)
    return RULES[optimizer](learning_rate)


@dataclass(frozen=True, eq=False)
class Schedule:
    """How the updates follow each other, and what they leave out.

    later : the number of an epoch and the rule that is followed from there on.
    """

    rule: Rule
    epochs: int
    size: int
    dropout: float
    rng: Generator
    later: tuple[int, Rule]

    def rule_of(self, epoch: int) -> Rule:
        """Return the rule that is followed in an epoch."""
        at, other = self.later
        return self.rule if epoch < at else other

    def batches(self, n: int) -> Iterator[Int[ndarray, " _"]]:
        """Shuffle the points and deal them out; all of them together are not shuffled."""
        order = np.arange(n) if self.size == n else self.rng.permutation(n)
        return (order[first : first + self.size] for first in range(0, n, self.size))

    def kept(self, widths: Sequence[int]) -> Kept | None:
        """Draw what every hidden unit's answer is multiplied by; None if none is left out."""
        if self.dropout == 0:
            return None
        return [(self.rng.random(n) >= self.dropout) / (1 - self.dropout) for n in widths]


def schedule(
    n: int,
    *,
    rng: Generator,
    learning_rate: float = 0.5,
    epochs: int = 200,
    batch_size: int | None = None,
    optimizer: Optimizer = "gradient",
    momentum: float = 0.0,
    dropout: float = 0.0,
    later: tuple[int, float] | None = None,
) -> Schedule:
    """Return the order of the updates for n points, or raise ValueError; see `Schedule`."""
    rate = validate.number("learning_rate", learning_rate, positive=True)
    epochs = validate.integer("epochs", epochs, 0)
    size = n if batch_size is None else validate.integer("batch_size", batch_size, 1)
    validate.choice("optimizer", optimizer, get_args(Optimizer))
    momentum, dropout = _share("momentum", momentum), _share("dropout", dropout)
    if momentum and optimizer != "gradient":
        raise ValueError(f"momentum must be 0 with {optimizer}, got momentum={momentum:g}")
    at, other = later or (1, rate)
    validate.integer("later[0]", at, 1)
    validate.number("later[1]", other, positive=True)
    rules = [update_rule(optimizer, each, momentum) for each in (rate, other)]
    return Schedule(rules[0], epochs, min(size, n), dropout, rng, (at, rules[1]))


def _share(name: str, value: float) -> float:
    """Return a number from 0, below 1."""
    if (value := validate.number(name, value)) >= 1:
        raise ValueError(f"{name} must be below 1, got {name}={value:g}")
    return value


@dataclass(frozen=True, eq=False)
class Gradient:
    """The objective over some points and its derivatives `by_theta`.

    weights, biases : the derivatives as matrices and vectors. scores, slopes : of all points, what
    the last layer says, and the slopes of the hidden layers' units.
    """

    loss: float
    by_theta: Float[ndarray, " p"]
    weights: tuple[Float[ndarray, "_ _"], ...]
    biases: tuple[Float[ndarray, " _"], ...]
    scores: Float[ndarray, "b _"]
    slopes: list[Float[ndarray, "b _"]]


class Trainer:
    """The weights while they are being trained."""

    def __init__(
        self, layers: Start, activation: Activation, loss: Loss, penalty: float, l1_penalty: float
    ) -> None:
        """Begin with the weights and biases of `layers`."""
        validate.choice("activation", activation, get_args(Activation))
        self.activation: Activation = activation
        self.loss = loss
        self.penalty = validate.number("penalty", penalty)
        self.l1_penalty = validate.number("l1_penalty", l1_penalty)
        parts = [*(W for W, _ in layers), *(b for _, b in layers)]
        ends = np.cumsum([part.size for part in parts]).tolist()
        self.pieces = list(zip([0, *ends[:-1]], ends, [part.shape for part in parts], strict=True))
        self.widths = [len(b) for _, b in layers[:-1]]
        self.memory = Rule(1.0).start(ends[-1])
        self._set(_flat(parts))

    def _set(self, theta: Float[ndarray, " p"]) -> None:
        """Give all weights and biases their values."""
        self.theta = theta
        self.weights, self.biases = self._parts(theta)

    def _parts(self, theta: Float[ndarray, " p"]) -> tuple[tuple, tuple]:
        """Take a vector like theta apart; it cannot be written to any more, nor can the parts."""
        theta.flags.writeable = False
        parts = [theta[first:end].reshape(shape) for first, end, shape in self.pieces]
        layers = len(parts) // 2
        return tuple(parts[:layers]), tuple(parts[layers:])

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
    ) -> Gradient:
        """Return the objective over the rows of `X` and its gradient: forward, then backward.

        To multiply what a unit says is to multiply the weights that it goes on by.
        """
        weights = self.weights if kept is None else _thinned(self.weights, kept)
        activations = forward(X, weights, self.biases, self.activation)
        each, error = self.loss(activations[-1], Y)
        steep = slopes(activations, self.activation)
        deltas = backward(weights, steep, error / len(X))
        by_weights = [A.T @ delta for A, delta in zip(activations[:-1], deltas, strict=True)]
        if kept is not None:
            by_weights = _thinned(by_weights, kept)
        by_theta = _flat([*by_weights, *(delta.sum(axis=0) for delta in deltas)])
        loss = float(each.mean()) + self._penalise(by_theta)
        return Gradient(loss, by_theta, *self._parts(by_theta), activations[-1], steep)

    def _penalise(self, by_theta: Float[ndarray, " p"]) -> float:
        """Return the penalty of the weights, and add its derivatives to those of the loss."""
        count = self.pieces[len(self.weights) - 1][1]  # the biases, after it, go free
        w, paid = self.theta[:count], 0.0
        if self.penalty:  # L2
            paid += self.penalty / 2 * float(w @ w)
            by_theta[:count] += self.penalty * w
        if self.l1_penalty:
            paid += self.l1_penalty * float(np.abs(w).sum())
            by_theta[:count] += self.l1_penalty * np.sign(w)
        return paid

    def update(self, gradient: Gradient, rule: Rule) -> bool:
        """Go down the gradient; return whether the weights stay within bounds."""
        with np.errstate(over="ignore", invalid="ignore"):
            change, self.memory = rule(gradient.by_theta, self.memory)
            self._set(self.theta + change)
        finite = np.isfinite(self.memory.squares.max())
        return bool(finite and np.abs(self.theta).max() <= LARGEST)


def _flat(parts: Layers) -> Float[ndarray, " p"]:
    """Put all numbers one after the other."""
    return np.concatenate([part.ravel() for part in parts])


def _thinned(parts: Layers, kept: Kept) -> list[Float[ndarray, "_ _"]]:
    """Multiply the rows that come from hidden units; the first layer's come from the input."""
    return [parts[0], *(k[:, None] * part for k, part in zip(kept, parts[1:], strict=True))]
