"""A network of layers as a model: the forward pass and the losses.

Forward, from the input a_0 = x through the hidden layers l = 1..m-1 to the scores of layer m:

    z_l = a_{l-1} W_l + b_l,    a_l = g(z_l),    P(k | x) = exp z_mk / sum_j exp z_mj

Of two classes the first may have no unit: its score is then 0, and P(2 | x) = sigmoid(z_m).
The hidden units' g, and its slope written with a = g(z):

    tanh       from -1 to 1          1 - a^2
    sigmoid    1 / (1 + e^-z)        a (1 - a)
    relu       max(0, z)             1 where a > 0, else 0

Where a number is predicted, not a class, the last layer has one unit, and f(x) = z_m.

Losses, and their derivative by the scores, which is the last layer's error signal delta_m:

    class     E = -ln P(y | x)          delta_m = P - [y = k]
    number    E = (y - f(x))^2 / 2      delta_m = f - y

How delta_m goes back through the layers: multilayer_perceptron.py.

Cost: one multiplication for every point and weight.

Source: CS337 (003:1213), 20APC3316 (002:590, 002:2342).
"""

from collections.abc import Callable, Sequence
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
Loss = Callable[
    [Float[ndarray, "b _"], Float[ndarray, "b k"]],
    tuple[Float[ndarray, " b"], Float[ndarray, "b _"]],
]
"""Return the loss of every row, and its derivative by the scores, from the scores and Y."""

STEEPEST = {"tanh": 1.0, "sigmoid": 0.25, "relu": 1.0}  # the largest slope
STUCK = 0.01  # of the largest slope: a unit with less at every point hardly learns


@dataclass(frozen=True, eq=False)
class Layered(Record):
    """A network: `weights` (in, out) and `biases` (out,) of every layer."""

    activation: Activation
    weights: tuple[Float[ndarray, "_ _"], ...]
    biases: tuple[Float[ndarray, " _"], ...]

    def activations(self, X: Float[ndarray, "m d"]) -> list[Float[ndarray, "m _"]]:
        """Return the activations of all layers: `X` first, the scores of the last layer last."""
        return forward(X, self.weights, self.biases, self.activation)


@dataclass(frozen=True, eq=False)
class NumberNetwork(Layered):
    """A model that predicts a number: the score of its last layer, which has one unit."""

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the number for every row of `X`."""
        return self.activations(X)[-1][:, 0]


@dataclass(frozen=True, eq=False)
class Network(Layered):
    """A model that predicts a class; the last layer has the scores."""

    classes: Int[ndarray, " k"]

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores of the rows of `X`; for two classes, the second's minus the first's."""
        return one_for_two(self._scores(X))

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for the rows of `X`."""
        return probabilities(self._scores(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the highest score for every row of `X`, the smaller in a tie."""
        return self.said(self.activations(X)[-1])

    def said(self, scores: Float[ndarray, "m _"]) -> Int[ndarray, " m"]:
        """Return the class with the highest of the `scores` of the last layer in every row."""
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

    Weights (t, in, out) with biases (t, 1, out) are those of t networks.
    """
    activations = [X]
    for W, b in zip(weights[:-1], biases[:-1], strict=True):
        activations.append(activate(activation, activations[-1] @ W + b))
    activations.append(activations[-1] @ weights[-1] + biases[-1])
    return activations


def losses(
    scores: Float[ndarray, "m _"], Y: Float[ndarray, "m k"]
) -> tuple[Float[ndarray, " m"], Float[ndarray, "m _"]]:
    """Return E = -ln P(y | x) of every row, and its derivative by the scores, P - Y.

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
    """Return E = (y - f)^2 / 2 of every row, and its derivative by f, f - y. scores : f."""
    error = scores - Y
    return (error * error)[:, 0] / 2, error


def stuck(slopes: Layers, activation: Activation) -> tuple[Bool[ndarray, " _"], ...]:
    """Return, for every hidden layer, which units have almost no slope at any row.

    ReLUs that are 0 everywhere are dead; a tanh or a sigmoid is saturated.
    """
    least = STUCK * STEEPEST[activation]
    return tuple(steep.max(axis=0) < least for steep in slopes)


def codes_of(scores: Float[ndarray, "m _"]) -> Int[ndarray, " m"]:
    """Return the index of the class with the highest score in every row of the last layer's."""
    return (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)


def _with_first(scores: Float[ndarray, "m _"], classes: int) -> Float[ndarray, "m k"]:
    """Return a score for every class: 0 for the first of two, if it has no unit."""
    if scores.shape[1] == classes:
        return scores
    return np.concatenate([np.zeros((len(scores), 1)), scores], axis=1)
