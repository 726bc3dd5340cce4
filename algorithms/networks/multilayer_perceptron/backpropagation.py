"""Backpropagation, one layer at a time: one update of a network, from a single point.

    forward      z_l = a_{l-1} W_l + b_l,  a_l = g(z_l)     layer by layer; z_m are the scores
    loss         L = -ln P(y | x)
    backward     delta_m = P - [y = k],    delta_l = f'(z_l) * (delta_{l+1} @ W_{l+1}^T)
                 dL/dW_l = a_{l-1}^T delta_l,   dL/db_l = delta_l
    update       W_l <- W_l - learning_rate dL/dW_l,   b_l <- b_l - learning_rate dL/db_l
    again        the loss with the new weights

with f' = g', the slope of the units. All deltas are taken with the old weights, before any of them
is changed. This is stochastic gradient descent with batches of one point; all points at once, and
the penalties, are in multilayer_perceptron.py.

Cost: about three times that of a forward pass, O(weights).

Source: CS337 (003:1290, forward and backward pass), 20APC3316 (002:760, table 4.2; 002:2430).
Slips not copied: 20APC3316's delta_k = o_k (1 - o_k)(t_k - o_k) is that of the squared error, and
its sign is turned round; with cross-entropy the output's slope cancels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import frozen
from algorithms.networks.multilayer_perceptron.network import (
    Activation,
    Network,
    activate,
    losses,
    slope,
)
from algorithms.networks.multilayer_perceptron.start import drawn_start

Phase = Literal["input", "forward", "loss", "backward", "update", "again"]
Event = Literal["loss rises"]


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
) -> Iterator["BackpropagationStep"]:
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
    first = BackpropagationStep(
        activation,
        tuple(frozen(W) for W, _ in layers),
        tuple(frozen(b) for _, b in layers),
        classes,
        phase="input",
        layer=0,
        label=int(classes[codes[row]]),
        activations_known=(frozen(X[row]),),
    )
    return iterate(first, partial(advance, rate), most=3 * len(layers) + 2, stopped=None)


def advance(rate: float, step: "BackpropagationStep") -> "BackpropagationStep":
    """Return what follows: a layer forward, the loss, a layer backward, an update, or the end."""
    m, layer = len(step.weights), step.layer
    if step.phase in ("input", "forward") and layer < m:
        return forward(step, layer + 1)
    if step.phase == "forward":
        return lost(step)
    if step.phase == "loss":
        return backward(step, m)
    if step.phase == "backward":
        return backward(step, layer - 1) if layer > 1 else update(rate, step, m)
    return update(rate, step, layer - 1) if layer > 1 else lost_again(step)


def forward(step: "BackpropagationStep", layer: int) -> "BackpropagationStep":
    """z_l = a_{l-1} W_l + b_l,  a_l = g(z_l); the last layer has no g."""
    a = step.activations_known[layer - 1]
    z = a @ step.weights[layer - 1] + step.biases[layer - 1]
    a = z if layer == len(step.weights) else activate(step.activation, z)
    return replace(
        step, phase="forward", layer=layer, activations_known=(*step.activations_known, frozen(a))
    )


def lost(step: "BackpropagationStep") -> "BackpropagationStep":
    """L = -ln P(y | x)."""
    loss, _ = losses(step.activations_known[-1][None], step.one_hot)
    P = step.predict_proba(step.activations_known[0][None])[0]
    return replace(step, phase="loss", layer=0, probabilities=P, loss=float(loss[0]))


def backward(step: "BackpropagationStep", layer: int) -> "BackpropagationStep":
    """delta_m = P - [y = k],  delta_l = f'(z_l) * (delta_{l+1} @ W_{l+1}^T)."""
    a, W = step.activations_known, step.weights
    if layer == len(W):
        delta = losses(a[-1][None], step.one_hot)[1][0]
    else:
        delta = slope(step.activation, a[layer]) * (step.deltas[0] @ W[layer].T)
    dW = np.outer(a[layer - 1], delta)
    return replace(
        step,
        phase="backward",
        layer=layer,
        deltas=(frozen(delta), *step.deltas),
        gradients=(frozen(dW), *step.gradients),
    )


def update(rate: float, step: "BackpropagationStep", layer: int) -> "BackpropagationStep":
    """W_l <- W_l - learning_rate dL/dW_l,  b_l <- b_l - learning_rate dL/db_l."""
    i, W, b = layer - 1, list(step.weights), list(step.biases)
    W[i] = frozen(W[i] - rate * step.gradients[i])
    b[i] = frozen(b[i] - rate * step.deltas[i])
    return replace(step, phase="update", layer=layer, weights=tuple(W), biases=tuple(b))


def lost_again(step: "BackpropagationStep") -> "BackpropagationStep":
    """L with the new weights."""
    scores = step.activations(step.activations_known[0][None])[-1]
    after = float(losses(scores, step.one_hot)[0][0])
    event = "loss rises" if step.loss is not None and after > step.loss else None
    return replace(step, phase="again", layer=0, loss_after=after, event=event)


@dataclass(frozen=True, eq=False)
class BackpropagationStep(Network):
    """The network with the weights of this moment, and all that is known so far.

    `phase` says what was done, `layer` to which layer (0 for the input and for the loss).
    `activations_known` are of the input and the layers so far; those of the last layer are its
    scores. `probabilities` and `loss` are None before the loss is known. `deltas` (by z) and
    `gradients` (by W) are those of the last layers, in order from layer m + 1 - len(deltas) on.
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

    @property
    def one_hot(self) -> Float[ndarray, "1 k"]:
        """1 for the class of the point, 0 for the others."""
        return (self.classes == self.label).astype(float)[None]


def nearest_row(X: Float[ndarray, "n 2"], place: Float[ndarray, " 2"]) -> int:
    """Return the row of `X` nearest to a place, each axis measured by the points' spread on it."""
    extent = np.ptp(X, axis=0)
    return int(np.square((X - place) / np.where(extent > 0, extent, 1.0)).sum(axis=1).argmin())
