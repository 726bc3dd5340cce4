"""Backpropagation, one layer at a time: one update of a network, for a single point.

    forward      a_l = g(a_{l-1} W_l + b_l)      layer by layer; the last one gives the scores
    loss         L = -ln P(y | x)
    backward     delta_m = P - [y = k],    delta_{l-1} = (delta_l W_l^T) g'(z_{l-1})
    update       W_l <- W_l - learning_rate a_{l-1}^T delta_l,  b_l <- b_l - learning_rate delta_l
    again        the loss with the new weights

All deltas are taken with the old weights, before any of them is changed. This is stochastic
gradient descent with batches of one point; the network is that of network.py.

Cost: about three times that of a forward pass, O(weights).

Source: CS337 (003:1290, forward and backward pass), 20APC3316 (002:760, table 4.2; 002:2430).
Slips not copied: 20APC3316's delta_k = o_k (1 - o_k)(t_k - o_k) is that of the squared error, and
its sign is turned round; with cross-entropy the output's slope cancels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.networks.multilayer_perceptron import drawn_start
from algorithms.networks.network import Activation, Network, backward, forward, losses, slopes

Phase = Literal["input", "forward", "loss", "backward", "update", "again"]
Event = Literal["loss rises"]


@dataclass(frozen=True, eq=False)
class BackpropagationStep(Network):
    """The network with the weights of this moment, and all that is known by now.

    `phase` says what was done, `layer` to which layer (0 for the input and for the loss).
    `activations` are of the input and the layers so far, the last layer's being its scores;
    `probabilities` and `loss` are None before the loss is known. `deltas` (by z) and `gradients`
    (by W) are those of the last layers, in order from layer m + 1 - len(deltas) on.
    `loss_after` is None until the end.

    Event: "loss rises" (at the end: the update went too far for this point).
    """

    phase: Phase
    layer: int
    label: int
    activations_known: tuple[Float[ndarray, " _"], ...]
    probabilities: Float[ndarray, " k"] | None = None
    loss: float | None = None
    deltas: tuple[Float[ndarray, " _"], ...] = ()
    gradients: tuple[Float[ndarray, "_ _"], ...] = ()
    loss_after: float | None = None
    event: Event | None = None


def backpropagation(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "sigmoid",
    learning_rate: float = 1.0,
    row: int = 0,
    rng: Generator,
    spread: float = 1.0,
) -> Iterator[BackpropagationStep]:
    """Learn from the point in one `row` of `X`, once, and yield every layer's part in it.

    The start is that of `multilayer_perceptron`. The last step is the model after the update.

    Raises ValueError, at the call, as `multilayer_perceptron` does, and unless row is one of X.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("activation", activation, get_args(Activation))
    rate = validate.number("learning_rate", learning_rate, positive=True)
    row = validate.integer("row", row, 0, len(X) - 1, high_name="n - 1")
    layers = drawn_start(X.shape[1], hidden, len(classes), rng=rng, spread=spread)
    network = Network(
        activation,
        tuple(frozen(W) for W, _ in layers),
        tuple(frozen(b) for _, b in layers),
        classes,
    )
    return _learn_once(network, X[row], int(codes[row]), rate)


def nearest_row(X: Float[ndarray, "n 2"], place: Float[ndarray, " 2"]) -> int:
    """Return the row of `X` nearest to a place, each axis measured by the points' spread on it."""
    extent = np.ptp(X, axis=0)
    return int(np.square((X - place) / np.where(extent > 0, extent, 1.0)).sum(axis=1).argmin())


def _learn_once(
    network: Network, x: Float[ndarray, " d"], code: int, rate: float
) -> Iterator[BackpropagationStep]:
    weights, biases = list(network.weights), list(network.biases)
    last, one_hot = len(weights), np.eye(len(network.classes))[code][None]
    every = forward(x[None], weights, biases, network.activation)
    known = tuple(frozen(A[0]) for A in every)
    step = BackpropagationStep(
        network.activation, network.weights, network.biases, network.classes,
        phase="input", layer=0, label=int(network.classes[code]), activations_known=known[:1],
    )  # fmt: skip
    yield step
    for layer in range(1, last + 1):
        step = replace(step, phase="forward", layer=layer, activations_known=known[: layer + 1])
        yield step

    loss, error = losses(every[-1], one_hot)
    P = network.predict_proba(x[None])[0]
    step = replace(step, phase="loss", layer=0, probabilities=P, loss=float(loss[0]))
    yield step

    steep = slopes(every, network.activation)
    deltas = [delta[0] for delta in backward(weights, steep, error)]
    for layer in range(last, 0, -1):
        gradient = np.outer(known[layer - 1], deltas[layer - 1])
        step = replace(
            step, phase="backward", layer=layer,
            deltas=(frozen(deltas[layer - 1]), *step.deltas),
            gradients=(frozen(gradient), *step.gradients),
        )  # fmt: skip
        yield step

    for layer in range(last, 0, -1):
        weights[layer - 1] = weights[layer - 1] - rate * step.gradients[layer - 1]
        biases[layer - 1] = biases[layer - 1] - rate * deltas[layer - 1]
        step = replace(
            step, phase="update", layer=layer,
            weights=tuple(map(frozen, weights)), biases=tuple(map(frozen, biases)),
        )  # fmt: skip
        yield step

    after = float(losses(forward(x[None], weights, biases, network.activation)[-1], one_hot)[0][0])
    rises = step.loss is not None and after > step.loss
    event = "loss rises" if rises else None
    yield replace(step, phase="again", layer=0, loss_after=after, event=event)
