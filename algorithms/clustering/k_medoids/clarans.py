"""CLARANS: k-medoids by swaps that are drawn at random, and tried one by one.

PAM prices all k (n - k) swaps before it takes one. CLARANS takes the first that helps:

    start from k points, drawn at random
    draw a medoid and another point; swap them if that lowers the cost
    after `most_failures` swaps in a row that do not lower it, this search ends

and searches several times; the end with the lowest cost counts. A swap that helps may never have
been drawn, so a search may end although some swap would still help.

Cost of a try: O(n (d + k)), where a step of PAM costs O(n^2 (d + k)).

Source: CS725 13.4 (000:2400), where the candidates are "different in each iteration"; Ng and Han
1994.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_medoids._medoid_costs import METRICS, Metric, distances, nearest_of
from algorithms.clustering.k_medoids.k_medoids import ROUNDING
from algorithms.core import validate
from algorithms.core.record import Record

Event = Literal["swap", "search ends", "all searches end"]


def clarans(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    metric: str = "euclidean",
    most_failures: int = 50,
    searches: int = 2,
) -> Iterator["ClaransStep"]:
    """Try swaps at random: a step for every start and every try; the last goes to the best end.

    `metric` is "euclidean", "manhattan" or "squared euclidean".

    Raises ValueError, at the call, unless 1 <= k <= n, everything is finite and the two numbers
    are at least 1.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("metric", metric, METRICS)
    most_failures = validate.integer("most_failures", most_failures, 1)
    searches = validate.integer("searches", searches, 1)
    return _clarans(X, k, rng, metric, most_failures, searches)  # type: ignore


def _clarans(
    X: Float[ndarray, "n d"],
    k: int,
    rng: Generator,
    metric: Metric,
    most_failures: int,
    searches: int,
) -> Iterator["ClaransStep"]:
    ends: list[ClaransStep] = []
    for search in range(searches):
        medoids = rng.choice(len(X), size=k, replace=False)
        to_medoids = distances(X[medoids], X, metric)
        yield (step := _start(X, medoids, to_medoids, metric, search))
        while step.failures < most_failures and k < len(X):
            j, c = int(rng.integers(k)), _another(rng, len(X), step.medoids)
            to_point = distances(X[[c]], X, metric)[0]
            kept = np.minimum(to_point, _nearest_other(to_medoids, j))
            cost = float(kept.sum())  # of the swap
            if cost < (1 - ROUNDING) * step.cost:
                to_medoids[j] = to_point
                step = _swapped(X, step, to_medoids, j, c)
            else:
                step = _refused(step, j, c, cost, step.failures + 1 == most_failures)
            yield step
        ends.append(step)
    best = min(ends, key=lambda end: end.cost)
    yield replace(best, phase="end", tried=-1, place=-1, event="all searches end")


@dataclass(frozen=True, eq=False)
class ClaransStep(Record):
    """One start or one try; also a model, since `predict` works at every step.

    The point `tried` was to take the place of the medoid `gone`, at `place` in the list (-1 where
    nothing is tried), which makes a cost of `tried_cost`; `taken` says whether it did. `failures`
    counts the tries in a row that were refused.
    """

    phase: Literal["start", "try", "end"]
    search: int
    medoids: Int[ndarray, " k"]
    places: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    cost: float
    metric: Metric
    tried: int = -1
    place: int = -1
    gone: int = -1
    tried_cost: float = 0.0
    taken: bool = False
    failures: int = 0
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest medoid of every row of `X`."""
        return nearest_of(distances(self.places, X, self.metric))[0]


def _start(
    X: Float[ndarray, "n d"],
    medoids: Int[ndarray, " k"],
    to_medoids: Float[ndarray, "k n"],
    metric: Metric,
    search: int,
) -> ClaransStep:
    labels, nearest = nearest_of(to_medoids)
    cost = float(nearest.sum())
    return ClaransStep("start", search, medoids, X[medoids], labels, cost, metric, tried_cost=cost)


def _swapped(
    X: Float[ndarray, "n d"], before: ClaransStep, to_medoids: Float[ndarray, "k n"], j: int, c: int
) -> ClaransStep:
    medoids = before.medoids.copy()
    medoids[j] = c
    step = _start(X, medoids, to_medoids, before.metric, before.search)
    gone = int(before.medoids[j])
    return replace(step, phase="try", tried=c, place=j, gone=gone, taken=True, event="swap")


def _refused(before: ClaransStep, j: int, c: int, cost: float, ends: bool) -> ClaransStep:
    return replace(
        before,
        phase="try",
        tried=c,
        place=j,
        gone=int(before.medoids[j]),
        tried_cost=cost,
        taken=False,
        failures=before.failures + 1,
        event="search ends" if ends else None,
    )


def _another(rng: Generator, n: int, medoids: Int[ndarray, " k"]) -> int:
    """Draw a point that is no medoid."""
    while (c := int(rng.integers(n))) in medoids:
        pass
    return c


def _nearest_other(to_medoids: Float[ndarray, "k n"], j: int) -> Float[ndarray, " n"]:
    """Return every point's distance to the nearest medoid other than the one at `j`."""
    others = np.delete(to_medoids, j, axis=0)
    return others.min(axis=0, initial=np.inf)
