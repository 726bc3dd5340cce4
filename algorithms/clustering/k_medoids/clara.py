"""CLARA: k-medoids for many points, by PAM on samples that are judged on all points.

    draw a sample of s points, with the best medoids found so far among them
    run PAM on the sample alone: k medoids
    cost over all n points of these medoids; keep them if it is the lowest so far

PAM on a sample knows only the distances within it, s^2 instead of n^2 of them. The mean distance
that it reaches there promises too much: the medoids were chosen for these very points. So what
counts is the cost over all points. The lowest one never rises. If the sample is all points, this is
PAM.

Cost of a sample: O(s^2 (d + k)) for a step of PAM, and O(n k d) to judge it.

Source: CS725 13.4 (000:2400), with one fixed sample; Kaufman and Rousseeuw 1990, who propose 5
samples of 40 + 2k points, and the best medoids in the next sample.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_medoids._medoid_costs import METRICS, Metric, distances, nearest_of
from algorithms.clustering.k_medoids.k_medoids import k_medoids
from algorithms.core import validate
from algorithms.core.record import Record, last

SAMPLES = 5

Event = Literal["the best so far", "all samples are judged"]


def clara(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    metric: str = "euclidean",
    samples: int = SAMPLES,
    size: int | None = None,
) -> Iterator["ClaraStep"]:
    """Run PAM on samples, and judge each on all points: a step a sample; the last is the best.

    `size` is 40 + 2k unless given, and at most n. `metric` is "euclidean", "manhattan" or "squared
    euclidean".

    Raises ValueError, at the call, unless 1 <= k <= n, everything is finite, samples >= 1 and
    size >= k.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("metric", metric, METRICS)
    samples = validate.integer("samples", samples, 1)
    size = validate.integer("size", published_size(k) if size is None else size, k)
    return _judge(X, k, rng, metric, samples, min(size, len(X)))  # type: ignore


def published_size(k: int) -> int:
    """Return the size of a sample that Kaufman and Rousseeuw propose."""
    return 40 + 2 * k


def _judge(
    X: Float[ndarray, "n d"], k: int, rng: Generator, metric: Metric, samples: int, size: int
) -> Iterator["ClaraStep"]:
    best: ClaraStep | None = None
    for number in range(samples):
        sample = _draw(len(X), size, np.empty(0, int) if best is None else best.medoids, rng)
        pam = last(k_medoids(X[sample], k, rng=rng, metric=metric))
        medoids = sample[pam.medoids]
        labels, nearest = nearest_of(distances(X[medoids], X, metric))
        cost = float(nearest.sum())
        lowest = cost if best is None else min(best.cost, cost)
        better = best is None or cost < best.cost
        step = ClaraStep(
            number, sample, medoids, X[medoids], labels, cost, pam.cost, lowest, metric,
            event="the best so far" if better else None,
        )  # fmt: skip
        best = step if better else best
        yield step
    assert best
    yield replace(best, judged=True, event="all samples are judged")


@dataclass(frozen=True, eq=False)
class ClaraStep(Record):
    """One sample; also a model, since `predict` works at every step.

    `sample` are the indices of its points, `medoids` those that PAM chose, `sample_cost` their cost
    within the sample, `cost` over all points and `lowest` the lowest one so far. `judged` is true
    at the end, which shows the best of all samples once more.
    """

    number: int
    sample: Int[ndarray, " s"]
    medoids: Int[ndarray, " k"]
    places: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    cost: float
    sample_cost: float
    lowest: float
    metric: Metric
    judged: bool = False
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest medoid of every row of `X`."""
        return nearest_of(distances(self.places, X, self.metric))[0]


def _draw(n: int, size: int, kept: Int[ndarray, " b"], rng: Generator) -> Int[ndarray, " s"]:
    """Draw a sample that contains the points `kept`, in the order of the data."""
    others = np.setdiff1d(np.arange(n), kept)
    drawn = rng.choice(others, size=size - len(kept), replace=False)
    return np.sort(np.concatenate([kept, drawn]))
