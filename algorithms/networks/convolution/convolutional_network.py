r"""A small convolutional network: kernels that are learned by gradient descent.

Forward, for a drawing x and its kernels W_1, ..., W_m of 3 x 3 weights, with their biases b:

    Z_k = x * W_k + b_k,   A_k = f(Z_k),   p_k = the largest, or the mean, of A_k      `forward`
    s = sum_k v_k p_k + c,   P = 1 / (1 + e^-s)

where * is that of convolve.py, without padding. Objective, over n drawings with y = 0 or 1:

    L = -1/n sum_i [ y ln P + (1 - y) ln(1 - P) ]

Backward                                                                            `gradient`

    delta = (P - y) / n,     dL/dv_k = sum_i delta p_k,     dL/dc = sum_i delta
    D_k = delta v_k f'(Z_k) share       share: 1 at the place of the largest A_k and 0 elsewhere,
                                               or 1 / places everywhere for the mean
    dL/dW_k = sum_i sum_rc D_k,rc (window of x at rc),     dL/db_k = sum_i sum_rc D_k,rc

All places share W_k, so its gradient is a sum over all of them. Update rule, for all weights:

    W <- W - learning_rate dL/dW                                                     `advance`

Start: weights of the kernels and v normal, with standard deviations 1/3 and 1; b = c = 0. A kernel
whose ReLU is 0 everywhere on all drawings is dead: it has the gradient 0, and stays as it is.

Cost: O(n m h w) an update.

Source: CS337 (003:1476); LeCun et al. 1989. CS337 has no gradient; it is checked against central
differences.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.iterate import STOPPED, iterate
from algorithms.core.record import Record
from algorithms.networks.convolution.convolve import Pooling

SIDE = 3  # of a kernel
Activation = Literal["relu", "tanh"]
Event = Literal["dead kernel", "stopped at max_iter"]


class Shape(NamedTuple):
    """What the network is made of, apart from its weights."""

    activation: Activation = "relu"
    pooling: Pooling = "max"


class Weights(NamedTuple):
    """Everything that is learned; a gradient has the same parts."""

    kernels: Float[ndarray, "m 3 3"]
    biases: Float[ndarray, " m"]
    v: Float[ndarray, " m"]
    c: float


class Forward(NamedTuple):
    """What the network computes for n drawings. A : the maps, place by place."""

    windows: Float[ndarray, "n places 9"]
    A: Float[ndarray, "n m places"]
    p: Float[ndarray, "n m"]
    P: Float[ndarray, " n"]
    s: Float[ndarray, " n"]


def convolutional_network(
    images: Float[ndarray, "n h w"],
    y: Int[ndarray, " n"],
    *,
    kernels: int = 2,
    shape: Shape = Shape(),  # noqa: B008  (immutable)
    learning_rate: float = 0.5,
    max_iter: int = 200,
    rng: Generator,
) -> Iterator["ConvolutionalNetworkStep"]:
    """Learn kernels that distinguish two kinds of drawings; step 0 is the start.

    y : the larger of the two classes is the one whose probability is P.

    Raises ValueError, at the call, unless there are n finite drawings of at least 3 x 3 cells, n
    integers of two classes, at least one kernel, and the numbers are in their ranges.
    """
    images = np.asarray(images, float)
    if images.ndim != 3 or min(images.shape[1:]) < SIDE or not np.isfinite(images).all():
        raise ValueError("images must be finite, (n, h, w) with h and w at least 3")
    classes, sign = validate.two_labels(y, len(images))
    m = validate.integer("kernels", kernels, 1)
    learning_rate = validate.number("learning_rate", learning_rate, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    start = Weights(rng.normal(size=(m, SIDE, SIDE)) / SIDE, np.zeros(m), rng.normal(size=m), 0.0)
    y01 = (sign + 1) / 2
    first = step_at(images, y01, shape, classes, start, 0)
    rule = partial(advance, images, y01, learning_rate)
    return iterate(first, rule, most=max_iter, stopped=STOPPED)


def advance(
    images: ndarray, y: ndarray, learning_rate: float, step: "ConvolutionalNetworkStep"
) -> "ConvolutionalNetworkStep":
    """W <- W - learning_rate dL/dW, and all other weights alike."""
    slopes = gradient(images, y, step.shape, step.weights)
    moved: Any = (w - learning_rate * g for w, g in zip(step.weights, slopes, strict=True))
    after = step_at(images, y, step.shape, step.classes, Weights(*moved), step.iteration + 1)
    return replace(after, event="dead kernel") if after.dead > step.dead else after


def forward(images: Float[ndarray, "n h w"], shape: Shape, weights: Weights) -> Forward:
    """Z_k = x * W_k + b_k, A_k = f(Z_k), p_k = pool(A_k), s = v.p + c, P = sigmoid(s)."""
    W, b, v, c = weights
    windows = sliding_window_view(images, (SIDE, SIDE), axis=(1, 2))
    windows = windows.reshape(len(images), -1, SIDE * SIDE)
    Z = (windows @ W.reshape(len(W), -1).T).transpose(0, 2, 1) + b[:, None]
    A = np.maximum(Z, 0) if shape.activation == "relu" else np.tanh(Z)
    p = A.max(axis=2) if shape.pooling == "max" else A.mean(axis=2)
    s = p @ v + c
    return Forward(windows, A, p, expit(s), s)


def gradient(
    images: Float[ndarray, "n h w"], y: Float[ndarray, " n"], shape: Shape, weights: Weights
) -> Weights:
    """Return dL/dW, dL/db, dL/dv and dL/dc."""
    windows, A, p, P, _ = forward(images, shape, weights)
    delta = (P - y) / len(y)
    slope = (A > 0).astype(float) if shape.activation == "relu" else 1 - A**2
    share = np.full(A.shape, 1 / A.shape[2])
    if shape.pooling == "max":
        share = (np.arange(A.shape[2]) == A.argmax(axis=2)[:, :, None]).astype(float)
    D = delta[:, None, None] * weights.v[:, None] * slope * share
    dW = np.einsum("ikr,irj->kj", D, windows).reshape(weights.kernels.shape)
    return Weights(dW, D.sum(axis=(0, 2)), delta @ p, float(delta.sum()))


def loss(y: Float[ndarray, " n"], s: Float[ndarray, " n"]) -> float:
    """L = -1/n sum_i [ y ln P + (1 - y) ln(1 - P) ], without overflow: ln(1 + e^s) - y s."""
    return float((np.logaddexp(0, s) - y * s).mean())


def step_at(
    images: ndarray, y: ndarray, shape: Shape, classes: ndarray, weights: Weights, iteration: int
) -> "ConvolutionalNetworkStep":
    """Return the step with these weights."""
    found = forward(images, shape, weights)
    dead = 0
    if shape.activation == "relu":
        dead = int(np.count_nonzero(found.A.max(axis=(0, 2)) == 0))
    return ConvolutionalNetworkStep(
        iteration, *weights, loss(y, found.s), found.P, dead, classes, shape
    )


@dataclass(frozen=True, eq=False)
class ConvolutionalNetworkStep(Record):
    """The network after some updates; also a model. `probabilities` are P of its own drawings.

    `dead` is the number of kernels whose ReLU is 0 everywhere on all drawings.

    Events: "dead kernel", when there is one more of them.
    """

    iteration: int
    kernels: Float[ndarray, "m 3 3"]
    biases: Float[ndarray, " m"]
    v: Float[ndarray, " m"]
    c: float
    loss: float
    probabilities: Float[ndarray, " n"]
    dead: int
    classes: Int[ndarray, " 2"]
    shape: Shape
    event: Event | None = None

    @property
    def weights(self) -> Weights:
        """Return everything that is learned."""
        return Weights(self.kernels, self.biases, self.v, self.c)

    def predict(self, images: Float[ndarray, "n h w"]) -> Int[ndarray, " n"]:
        """Return the more probable class of each drawing."""
        return self.classes[(forward(images, self.shape, self.weights).s > 0).astype(int)]
