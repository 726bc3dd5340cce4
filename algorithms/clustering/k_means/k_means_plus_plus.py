"""k-means++ one draw at a time, and then k-means from where it has put the centres.

The centres are drawn from the points, one after the other,

    the first:   every point with probability 1 / n
    the next:    point i with probability D_i^2 / sum_l D_l^2,   D_i = min_j || x_i - mu_j ||

with D_i the distance of x_i to the nearest centre drawn so far (if all D are 0, as the first). The
sum of D^2 is the inertia of these centres, so points that make it large are likely to become
centres themselves. From k centres the half-steps of k-means follow.

It is a draw, not a choice of the farthest point: an outlier is likely to be drawn, but need not be,
and two centres can fall into one cluster. On average over the draws the inertia is at most
8 (ln k + 2) times the least that k centres can have (Arthur and Vassilvitskii 2007).

Cost of a draw: O(n d). The same draws for many runs at once: see _seeding.py.

Source: Arthur and Vassilvitskii 2007.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means import MAX_ITER, Event, KMeansStep, k_means
from algorithms.core import validate
from algorithms.core.record import Record


def k_means_plus_plus(
    X: Float[ndarray, "n d"], k: int, *, rng: Generator, max_iter: int = MAX_ITER
) -> Iterator["PlusPlusStep"]:
    """Draw k centres, then alternate `move` and `assign` as `k_means` with the same `rng` does.

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _draw_and_alternate(X, k, rng, max_iter)


def _draw_and_alternate(
    X: Float[ndarray, "n d"], k: int, rng: Generator, max_iter: int
) -> Iterator["PlusPlusStep"]:
    n = len(X)
    drawn = [int(rng.integers(n))]
    lots = rng.random(k - 1)
    yield (step := _drawn(X, drawn, 1 / n, rng))
    for lot in lots:
        D2 = step.squared if step.squared.any() else np.ones(n)
        below = D2.cumsum()
        drawn.append(int((below / below[-1] <= lot).sum()))  # point i with D2[i] / sum of D2
        yield (step := _drawn(X, drawn, float(D2[drawn[-1]] / below[-1]), rng))
    halves = k_means(X, k, rng=rng, init=X[drawn], max_iter=max_iter)
    for half in islice(halves, 1, None):  # the first one is the state of the last draw
        yield _half_step(X, half)


@dataclass(frozen=True, eq=False)
class PlusPlusStep(Record):
    """One centre drawn, or a half-step of k-means; also a model, since `predict` works.

    `state` is k-means with the centres there are: the first ones, at a draw, and every point
    assigned to its nearest. `squared` are the D^2 to these centres. `drawn` is the point that was
    drawn, which had the probability `chance`; None and 0 in a half-step.
    """

    phase: Literal["draw", "assign", "move"]
    state: KMeansStep
    squared: Float[ndarray, " n"]
    drawn: int | None
    chance: float
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return self.state.predict(X)


def _drawn(
    X: Float[ndarray, "n d"], drawn: list[int], chance: float, rng: Generator
) -> PlusPlusStep:
    state = next(k_means(X, len(drawn), rng=rng, init=X[drawn]))  # draws nothing
    return PlusPlusStep("draw", state, _squared(X, state), drawn[-1], chance)


def _half_step(X: Float[ndarray, "n d"], state: KMeansStep) -> PlusPlusStep:
    return PlusPlusStep(state.phase, state, _squared(X, state), None, 0.0, state.event)


def _squared(X: Float[ndarray, "n d"], state: KMeansStep) -> Float[ndarray, " n"]:
    """Return the squared distance of every point to its centre."""
    return np.square(X - state.centers[state.labels]).sum(axis=1)
