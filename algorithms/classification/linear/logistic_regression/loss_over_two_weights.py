"""The loss surface of logistic regression over two weights, each pair with its best intercept.

For two classes, two features and a pair of weights w:

    f(w) = min over b of  1/n sum_i log(1 + exp(-s_i (w.x_i + b)))  +  penalty/2 ||w||^2

with s_i = +1 in the second class and -1 in the first. Update rule for b: at its best value the mean
probability is the share of the second class. Newton's method finds this b between bounds that the
scores w.x_i give, and bisects where a step would leave them.

Cost: O(n) per pair of weights and iteration; a handful of iterations.

Source: CS725 16.1 (000:2717); eliminating a parameter like this is the profile likelihood.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate

BLOCK = 65_536  # numbers in a temporary: half a megabyte


def loss_surface(
    X: Float[ndarray, "n 2"],
    y: Int[ndarray, " n"],
    first: Float[ndarray, " columns"],
    second: Float[ndarray, " rows"],
    *,
    penalty: float,
) -> Float[ndarray, "rows columns"]:
    """Return the two-class objective at every pair of weights, each with its best intercept.

    Row i and column j hold the value for the weights (first[j], second[i]), both on the scale of
    `X`. Raises ValueError unless there are two features and two classes and all is finite.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    penalty = validate.number("penalty", penalty)
    if X.shape[1] != 2 or len(classes) != 2:
        raise ValueError(
            f"loss_surface needs 2 features and 2 classes, got {X.shape[1]} and {len(classes)}"
        )
    weights = np.stack([np.tile(first, len(second)), np.repeat(second, len(first))], axis=1)
    validate.within(weights, name="first and second")
    size = max(1, BLOCK // len(X))
    blocks = [weights[i : i + size] for i in range(0, len(weights), size)]
    losses = np.concatenate([_profile_loss(block @ X.T, codes) for block in blocks])
    losses += penalty / 2 * (weights * weights).sum(axis=1)
    return losses.reshape(len(second), len(first))


def _profile_loss(
    scores: Float[ndarray, "cells n"], codes: Int[ndarray, " n"]
) -> Float[ndarray, " cells"]:
    n, share = len(codes), codes.mean()
    middle = np.log(share / (1 - share))
    # With b = middle - score the point with that score gets the probability `share`.
    low, high = middle - scores.max(axis=1), middle - scores.min(axis=1)
    b, t = (low + high) / 2, np.empty_like(scores)
    for _ in range(100):
        np.add(scores, b[:, None], out=t)
        t *= 0.5
        np.tanh(t, out=t)  # the probability is (1 + t) / 2
        excess = (1 + t.sum(axis=1) / n) / 2 - share
        if np.abs(excess).max() < 1e-7:
            break
        low, high = np.where(excess < 0, b, low), np.where(excess > 0, b, high)
        slope = np.maximum((1 - np.einsum("cn,cn->c", t, t) / n) / 4, 1e-12)
        newton = b - excess / slope
        b = np.where((low < newton) & (newton < high), newton, (low + high) / 2)
    # log(1 + exp(m)) is max(m, 0) - log((1 + |t|) / 2): one logarithm for up to 1000 points.
    positive = np.maximum((scores + b[:, None]) * (1 - 2 * codes), 0).sum(axis=1)
    factors = np.multiply.reduceat((1 + np.abs(t)) / 2, range(0, n, 1000), axis=1)
    return (positive - np.log(factors).sum(axis=1)) / n
