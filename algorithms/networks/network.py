"""A network of layers: what goes forward through it, and what its error says backward.

Forward, from the input a_0 = x through the hidden layers l = 1..m-1 to the scores of layer m:

    z_l = a_{l-1} W_l + b_l,    a_l = g(z_l),    P(k | x) = exp z_mk / sum_j exp z_mj

Of two classes the first may have no unit: its score is then 0, and P(2 | x) = sigmoid(z_m).
The hidden units' g, and its slope written with a = g(z):

    tanh       from -1 to 1          1 - a^2
    sigmoid    1 / (1 + e^-z)        a (1 - a)
    relu       max(0, z)             1 where a > 0, else 0

Backward, the derivatives of the loss -ln P(y | x) by the z of every layer, from the last one down:

    delta_m = P - [y = k],    delta_{l-1} = (delta_l W_l^T) g'(z_{l-1})      (unit by unit)
    dL / dW_l = a_{l-1}^T delta_l,    dL / db_l = delta_l      (their means, for several points)

Cost: as many multiplications for every point as there are weights; twice that backward.

Source: CS337 (003:1213), 20APC3316 (002:590, 002:2342).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.special import expit

from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, one_for_two, probabilities, softmax

Activation = Literal["tanh", "sigmoid", "relu"]
Layers = Sequence[Float[ndarray, "..."]]

STEEPEST = {"tanh": 1.0, "sigmoid": 0.25, "relu": 1.0}  # the largest slope
STUCK = 0.01  # of the largest slope: a unit with less at every point hardly learns


@dataclass(frozen=True, eq=False)
class Network(Record):
    """A model: `weights` (in, out) and `biases` (out,) of every layer, the last for the scores."""

    classes: Int[ndarray, " k"]
    activation: Activation
    weights: tuple[Float[ndarray, "_ _"], ...]
    biases: tuple[Float[ndarray, " _"], ...]

    def activations(self, X: Float[ndarray, "m d"]) -> list[Float[ndarray, "m _"]]:
        """Return what every layer says of the rows of `X`: X, the hidden layers', the scores."""
        return forward(X, self.weights, self.biases, self.activation)

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores of the rows of `X`; of two classes the second's less the first's."""
        return one_for_two(self._scores(X))

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for the rows of `X`."""
        return probabilities(self._scores(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the highest score for every row of `X`, the smaller in a tie."""
        return self.said(self.activations(X)[-1])

    def said(self, scores: Float[ndarray, "m _"]) -> Int[ndarray, " m"]:
        """Return the class that the `scores` of the last layer say in every row."""
        every = _with_first(scores, len(self.classes))
        return highest(one_for_two(every), self.classes)

    def _scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        return _with_first(self.activations(X)[-1], len(self.classes))


def activate(name: Activation, z: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
    """Return a = g(z)."""
    if name == "relu":
        return np.maximum(z, 0.0)
    return np.tanh(z) if name == "tanh" else expit(z)


def slope(name: Activation, a: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
    """Return g'(z), given a = g(z)."""
    if name == "relu":
        return (a > 0).astype(float)
    return 1 - a * a if name == "tanh" else a * (1 - a)


def forward(
    X: Float[ndarray, "m d"], weights: Layers, biases: Layers, activation: Activation
) -> list[Float[ndarray, "m _"]]:
    """Return the activations of all layers: `X` first, the scores of the last layer last."""
    activations = [X]
    for W, b in zip(weights[:-1], biases[:-1], strict=True):
        activations.append(activate(activation, activations[-1] @ W + b))
    activations.append(activations[-1] @ weights[-1] + biases[-1])
    return activations


def losses(
    scores: Float[ndarray, "m _"], Y: Float[ndarray, "m k"]
) -> tuple[Float[ndarray, " m"], Float[ndarray, "m _"]]:
    """Return -ln P(y | x) of every row, and its derivative by the scores, P - Y.

    scores : of the last layer. Y : 1 for the class of the row, 0 for the others.
    """
    every = _with_first(scores, Y.shape[1])
    P, top, total = softmax(every.T)
    loss = np.log(total) + top - (every * Y).sum(axis=1)
    return np.maximum(loss, 0.0), (P.T - Y)[:, Y.shape[1] - scores.shape[1] :]


def backward(
    activations: Layers, weights: Layers, error: Float[ndarray, "m _"], activation: Activation
) -> list[Float[ndarray, "m _"]]:
    """Return the deltas of all layers, from the `error` at the scores, delta_m."""
    deltas = [error]
    for A, W in zip(activations[-2:0:-1], weights[:0:-1], strict=True):
        deltas.append((deltas[-1] @ W.T) * slope(activation, A))
    return deltas[::-1]


def stuck(activations: Layers, activation: Activation) -> tuple[Bool[ndarray, " _"], ...]:
    """Tell for every hidden layer which units have next to no slope at any row.

    ReLUs that are 0 everywhere are dead; a tanh or a sigmoid is saturated.
    """
    least = STUCK * STEEPEST[activation]
    return tuple(slope(activation, A).max(axis=0) < least for A in activations[1:-1])


def _with_first(scores: Float[ndarray, "m _"], classes: int) -> Float[ndarray, "m k"]:
    """Return a score for every class: 0 for the first of two, if it has no unit."""
    if scores.shape[1] == classes:
        return scores
    return np.concatenate([np.zeros((len(scores), 1)), scores], axis=1)
