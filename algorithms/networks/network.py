"""A network of layers: what goes forward through it, and what its error says backward.

Forward, from the input a_0 = x through the hidden layers l = 1..m-1 to the scores of layer m:

    z_l = a_{l-1} W_l + b_l,    a_l = g(z_l),    P(k | x) = exp z_mk / sum_j exp z_mj

Of two classes the first may have no unit: its score is then 0, and P(2 | x) = sigmoid(z_m).
The hidden units' g, and its slope written with a = g(z):

    tanh       from -1 to 1          1 - a^2
    sigmoid    1 / (1 + e^-z)        a (1 - a)
    relu       max(0, z)             1 where a > 0, else 0

Where a number is predicted, not a class, the last layer has one unit, and f(x) = z_m.

Backward, the derivatives of the loss by the z of every layer, from the last one down; the loss is
-ln P(y | x) for a class, (y - f(x))^2 / 2 for a number:

    delta_m = P - [y = k]    or    delta_m = f - y
    delta_{l-1} = (delta_l W_l^T) g'(z_{l-1})      (unit by unit)
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
class Layered(Record):
    """A network: `weights` (in, out) and `biases` (out,) of every layer."""

    activation: Activation
    weights: tuple[Float[ndarray, "_ _"], ...]
    biases: tuple[Float[ndarray, " _"], ...]

    def activations(self, X: Float[ndarray, "m d"]) -> list[Float[ndarray, "m _"]]:
        """Return what every layer says of the rows of `X`: X, the hidden layers', the scores."""
        return forward(X, self.weights, self.biases, self.activation)


@dataclass(frozen=True, eq=False)
class NumberNetwork(Layered):
    """A model that predicts a number: what its last layer, of one unit, says."""

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the number for every row of `X`."""
        return self.activations(X)[-1][:, 0]


@dataclass(frozen=True, eq=False)
class Network(Layered):
    """A model that predicts a class; the last layer is for the scores."""

    classes: Int[ndarray, " k"]

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
) -> list[Float[ndarray, "... m _"]]:
    """Return the activations of all layers: `X` first, the scores of the last layer last.

    Weights (t, in, out) with biases (t, 1, out) are those of t networks, all of which are asked.
    """
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
    if scores.shape[1] < Y.shape[1]:  # one score for two classes: 0 is that of the first
        s, second = scores[:, 0], Y[:, 1]
        top = np.maximum(s, 0.0)
        own = np.exp(s - top)
        total = np.exp(-top) + own
        loss, error = np.log(total) + top - s * second, (own / total - second)[:, None]
    else:
        P, top, total = softmax(scores.T)
        loss, error = np.log(total) + top - (scores * Y).sum(axis=1), P.T - Y
    return np.maximum(loss, 0.0), error


def half_squares(
    scores: Float[ndarray, "m 1"], Y: Float[ndarray, "m 1"]
) -> tuple[Float[ndarray, " m"], Float[ndarray, "m 1"]]:
    """Return (y - f)^2 / 2 of every row, and its derivative by f, f - y. scores : f."""
    error = scores - Y
    return (error * error)[:, 0] / 2, error


def slopes(activations: Layers, activation: Activation) -> list[Float[ndarray, "m _"]]:
    """Return the slopes of all units of the hidden layers."""
    return [slope(activation, A) for A in activations[1:-1]]


def backward(
    weights: Layers, slopes: Layers, error: Float[ndarray, "m _"]
) -> list[Float[ndarray, "m _"]]:
    """Return the deltas of all layers, from the `error` at the scores, delta_m."""
    deltas = [error]
    for W, steep in zip(weights[:0:-1], slopes[::-1], strict=True):
        deltas.append((deltas[-1] @ W.T) * steep)
    return deltas[::-1]


def stuck(slopes: Layers, activation: Activation) -> tuple[Bool[ndarray, " _"], ...]:
    """Tell for every hidden layer which units have next to no slope at any row.

    ReLUs that are 0 everywhere are dead; a tanh or a sigmoid is saturated.
    """
    least = STUCK * STEEPEST[activation]
    return tuple(steep.max(axis=0) < least for steep in slopes)


def _with_first(scores: Float[ndarray, "m _"], classes: int) -> Float[ndarray, "m k"]:
    """Return a score for every class: 0 for the first of two, if it has no unit."""
    if scores.shape[1] == classes:
        return scores
    return np.concatenate([np.zeros((len(scores), 1)), scores], axis=1)
