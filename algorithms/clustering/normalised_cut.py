"""The normalised cut of a graph in two, by a threshold that slides along its second eigenvector.

The graph, its weights w, its degrees d and its second eigenvector u_2 are those of
similarity_graph.py. Every point has the number v_i = u_2i / sqrt d_i. At threshold t, side A has
the t points with the lowest numbers, and side B all others:

    cut = sum_(i in A, j in B) w_ij      vol(A) = sum_(i in A) d_i      vol(B) = sum_(i in B) d_i
    Ncut = cut / vol(A) + cut / vol(B)

Update rule: the point i with the next number goes over to A,

    cut <- cut + d_i - 2 sum_(j in A) w_ij      vol(A) <- vol(A) + d_i      vol(B) <- vol(B) - d_i

No cut in two, by a threshold or not, has an Ncut below lambda_2: with 1 / vol(A) for points of A
and -1 / vol(B) for those of B, the quotient that u_2 minimises is Ncut. The best threshold need not
be the best of all cuts. A side without any weight is cut off for nothing: its share of Ncut is 0.

Cost of a step: O(n). Of the run: O(n^3) for the eigenvector.

Source: Shi and Malik 2000; von Luxburg 2007, 5.3; CIS787 (004:496), which names the method only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.similarity_graph import KNOWN, MOST, SimilarityGraph, similarity_graph

DIGITS = 9  # of the largest number: numbers that differ by less count as equal

Event = Literal["rises from the lowest so far", "every threshold"]


def normalised_cut(X: Float[ndarray, "n d"], *, gamma: float) -> Iterator["CutStep"]:
    """Slide the threshold from the lowest number to the highest, one point a step.

    `gamma` is in the unit of X, to the power -2. Points with equal numbers go over in their order.

    Raises ValueError, at the call, unless X is finite with 2 to 1000 rows, and gamma > 0.
    """
    X = validate.points(X)
    if len(X) < 2:
        raise ValueError("X must hold at least two points")
    if len(X) > MOST:
        raise ValueError(f"X must have at most {MOST:,} rows to cut its graph, got {len(X):,}")
    graph = similarity_graph(X, 2, validate.number("gamma", gamma, positive=True))
    numbers = numbers_of(graph)
    order = np.argsort(numbers, kind="stable")
    first = CutStep(graph, numbers, order, 0, 0.0, 0.0)
    return iterate(advance(first), advance, most=len(X) - 2)


def numbers_of(graph: SimilarityGraph) -> Float[ndarray, " n"]:
    """Return u_2i / sqrt d_i, with the largest one 1 and DIGITS digits; 0 without any edge."""
    root = np.sqrt(graph.degrees)
    v = np.divide(graph.coordinates[:, 1], root, out=np.zeros_like(root), where=root > 0)
    return np.round(v / (np.abs(v).max() or 1.0), DIGITS)


def advance(step: "CutStep") -> "CutStep":
    """Let the point with the next number go over to A."""
    w, d = step.graph.weights, step.graph.degrees
    i, A = step.order[step.t], step.order[: step.t]
    cut = max(step.cut_weight + float(d[i] - 2 * w[i, A].sum()), 0.0)  # and not below 0 by rounding
    after = CutStep(
        step.graph, step.numbers, step.order, step.t + 1, cut, step.volume + float(d[i])
    )
    return after.following(step)


@dataclass(frozen=True, eq=False)
class CutStep(Record):
    """Both sides at threshold `t`: A has the first t points in the `order` of their `numbers`.

    `cut_weight` is the weight of all edges that are cut, `volume` the sum of the degrees in A.
    `lowest` is the lowest Ncut so far, and `best` its threshold.

    Events: "rises from the lowest so far" (the threshold before this one has the lowest Ncut so
    far, and this one a higher); at the end "every threshold".
    """

    final_events: ClassVar = (*Record.final_events, "every threshold")

    graph: SimilarityGraph
    numbers: Float[ndarray, " n"]
    order: Int[ndarray, " n"]
    t: int
    cut_weight: float
    volume: float
    lowest: float = np.inf
    best: int = 0
    event: Event | None = None

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return 0 for the points of A, 1 for those of B."""
        side = np.ones(len(self.order), int)
        side[self.order[: self.t]] = 0
        return side

    @property
    def rest(self) -> float:
        """Return vol(B)."""
        return max(float(self.graph.degrees.sum()) - self.volume, 0.0)

    @property
    def ncut(self) -> float:
        """Return cut / vol(A) + cut / vol(B)."""
        return sum(
            self.cut_weight / volume if volume > 0 else 0.0 for volume in (self.volume, self.rest)
        )

    def following(self, before: "CutStep") -> "CutStep":
        """Return this step with the lowest Ncut so far, and its event."""
        lowest, best = before.lowest, before.best
        event: Event | None = None
        if self.ncut < lowest:
            lowest, best = self.ncut, self.t
        elif best == before.t:
            event = "rises from the lowest so far"
        if self.t == len(self.order) - 1:
            event = "every threshold"
        return replace(self, lowest=lowest, best=best, event=event)

    def certain(self) -> dict[str, Any]:
        """Return the threshold, and the lowest Ncut at the end if no eigenvalue is like the second.

        Otherwise rounding errors turn u_2, and the points go over in another order.
        """
        gaps = np.diff(self.graph.eigenvalues[:3])
        known = self.event == "every threshold" and gaps.min(initial=1.0) > KNOWN
        return {"t": self.t} | ({"lowest": self.lowest} if known else {})
