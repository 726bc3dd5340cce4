"""The objective of logistic regression: loss, gradient and Newton direction in one place.

With a row t_k = (w_k, b_k) per class, a_i = (x_i, 1) and P(k | x_i) the softmax of t_k.a_i:

    f   = -1/n sum_i log P(class of i | x_i) + penalty/2 ||W||^2
    g_k = 1/n sum_i (P(k | x_i) - y_ik) a_i  + penalty (w_k, 0)
    H   = 1/n sum over pairs of classes k < l of
              (e_k - e_l)(e_k - e_l)^T  (x)  sum_i P(k | x_i) P(l | x_i) a_i a_i^T  +  penalty

Two classes are the same with the first class's row held at zero. Cost: O(n d K) for loss and
gradient, O(n d^2 K^2) for H and O((d K)^3) for solving with it.

Source: CS725 16.1 (000:2717), CS337 (003:688); the pairs are those of a graph Laplacian.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.scores import softmax

# Of the Hessian's diagonal. A larger one slows Newton down on nearly collinear features; a smaller
# one magnifies rounding: where H is singular, weights miss the minimum norm by about 1e-16 / RIDGE.
RIDGE = 1e-12


class Point(NamedTuple):
    """The objective and all that comes with it at one place `theta`, a row (w_k, b_k) per class."""

    theta: Float[ndarray, "rows p"]
    loss: float
    gradient: Float[ndarray, "rows p"]
    gradient_norm: float
    scores: Float[ndarray, "k n"]
    probabilities: Float[ndarray, "k n"]


class SoftmaxLoss:
    """The objective on fixed data. Two classes are softmax with the first class's row at zero."""

    def __init__(
        self, X: Float[ndarray, "n d"], codes: Int[ndarray, " n"], k: int, penalty: float
    ) -> None:
        self.A = with_ones(X)
        self.AT = np.ascontiguousarray(self.A.T)
        self.codes = codes
        self.own = codes * len(X) + np.arange(len(X))  # where scores.ravel() has the own class
        self.k, self.free = k, slice(1 if k == 2 else 0, None)
        self.penalty = penalty
        self.ridge = np.append(np.full(X.shape[1], penalty), 0.0)
        self.target = (codes == np.arange(k)[:, None]).astype(float)

    def start(self) -> Point:
        """Evaluate at zero weights."""
        rows = 1 if self.k == 2 else self.k
        return self.at(np.zeros((rows, self.A.shape[1])))

    def at(self, theta: Float[ndarray, "rows p"]) -> Point:
        """Evaluate everything at `theta`; a loss that is not finite, or out of range, is inf."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores = theta @ self.AT
            if self.k == 2:
                scores = np.concatenate([np.zeros_like(scores), scores])
            probabilities, top, total = softmax(scores)
            losses = top - scores.take(self.own) + np.log(total)
            shrinkage = self.ridge * theta
            loss = float(losses.sum() / len(losses) + np.vdot(shrinkage, theta) / 2)
            residuals = (probabilities - self.target)[self.free]
            gradient = residuals @ self.A / len(losses) + shrinkage
            norm = float(np.sqrt(np.vdot(gradient, gradient)))
            usable = np.abs(theta).max() <= validate.LIMIT and np.isfinite(norm)
        return Point(
            theta,
            loss if usable and np.isfinite(loss) else np.inf,
            gradient,
            norm,
            scores,
            probabilities,
        )

    def newton_direction(self, point: Point) -> Float[ndarray, "rows p"]:
        """Return H^-1 g, of minimum norm (in the limit) where H is singular."""
        p = self.A.shape[1]
        H = np.zeros((self.k, p, self.k, p))
        # A sum over pairs of classes of positive semidefinite blocks: nothing cancels.
        for a, b in combinations(range(self.k), 2):
            block = (self.AT * (point.probabilities[a] * point.probabilities[b])) @ self.A
            H[a, :, a] += block
            H[b, :, b] += block
            H[a, :, b] = H[b, :, a] = -block
        rows = len(point.theta)
        H = H[self.free, :, self.free].reshape(rows * p, rows * p) / len(self.A)
        diagonal = np.einsum("ii->i", H)
        diagonal += np.tile(self.ridge, rows)
        with np.errstate(over="ignore", invalid="ignore"):
            # Scaled to a unit diagonal, so that the units of the features do not matter.
            scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
            H *= np.outer(scale, scale)
            diagonal += RIDGE
            step = scale * np.linalg.solve(H, scale * point.gradient.ravel())
        step = step.reshape(point.theta.shape)
        return step if self.k == 2 else step - step.mean(axis=0)

    def accuracy(self, point: Point) -> float:
        """Return the share of points with the highest score for their own class."""
        hits = np.count_nonzero(point.scores.argmax(axis=0) == self.codes)
        return float(hits / len(self.codes))

    def separated(self, point: Point) -> bool:
        """Whether every point is strictly on its right side and no penalty holds the weights."""
        if self.penalty > 0:
            return False
        others = np.where(self.target > 0, -np.inf, point.scores).max(axis=0)
        return bool((point.scores.take(self.own) > others).all())

    def unbounded(self, point: Point) -> bool:
        """Whether, at the end, a part of the weights would still grow for ever (without a penalty).

        The sign: hardly any loss is left to gain, and yet Newton's method would move the scores on.
        """
        if self.penalty > 0:
            return False
        direction = self.newton_direction(point)
        gain = float(np.vdot(direction, point.gradient))
        return gain < 1e-7 and bool(np.abs(direction @ self.AT).max() > 0.5)
