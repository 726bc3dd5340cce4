"""Edges that cross from one turn of a sheet to the next, and how well maps keep its distances.

The yardstick is the graph with the smallest number of neighbours k0 that is in one piece. Its edges
are the shortest that hold the points together, so its ways follow the sheet best. In a graph with
more neighbours, an edge ij is called a short-cut if

    g0_ij > 3 max(delta_ij, longest edge of the graph with k0)

One such edge makes all the ways through it too short, and the map is torn.

A map keeps distances well if its distances d_ij grow in proportion to the ways g0_ij: r^2 is the
squared correlation of both over all pairs, and 1 - r^2 is called the residual variance.

Cost: O(n^3 log n).

Source: Balasubramanian and Schwartz 2002 (short-cuts); Tenenbaum, de Silva and Langford 2000 (r^2).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist, pdist, squareform

from algorithms.core.record import Record, last
from algorithms.core.work import spend
from algorithms.reduction.multidimensional_scaling.smacof import eigenvector_map, smacof
from algorithms.reduction.unrolling.isomap import neighbor_graph, shorter

FACTOR = 3.0


@dataclass(frozen=True, eq=False)
class Yardstick(Record):
    """The ways along the graph with the fewest neighbours in one piece, and two other maps.

    pca, mds : r^2 of the maps with two axes by principal components and by springs.
    """

    neighbors: int
    ways: Float[ndarray, "n n"]
    longest: float
    flat: Float[ndarray, "n 2"]
    pca: float
    mds: float

    def short_cuts(self, delta: Float[ndarray, "n n"]) -> ndarray:
        """Return which pairs of points would be joined by a short-cut."""
        return self.ways > FACTOR * np.maximum(delta, self.longest)

    def crossing(self, delta: Float[ndarray, "n n"], W: Float[ndarray, "n n"]) -> float:
        """Return the share of the weight of all edges that short-cuts have; 0 without edges."""
        return float(W[self.short_cuts(delta)].sum() / (W.sum() or 1.0))

    def kept(self, Z: Float[ndarray, "n c"]) -> float:
        """Return r^2 of the distances on a map and the ways."""
        return kept(self.ways, Z)


def yardstick(X: Float[ndarray, "n d"]) -> Yardstick:
    """Return the ways along the sheet, and how well PCA and springs keep them."""
    delta, n = cdist(X, X), len(X)
    k = 1
    spend(10.0 * n**3 * (3 + np.log2(n)))
    while k < n - 1 and len(neighbor_graph(delta, k)[1]):
        k += 1
    graph, _ = neighbor_graph(delta, k)
    ways = shortest_ways(graph)
    flat = eigenvector_map(delta, 2)
    springs = last(smacof(delta, start=flat)).embedding
    longest = float(graph[np.isfinite(graph)].max())
    return Yardstick(k, ways, longest, flat, kept(ways, flat), kept(ways, springs))


def shortest_ways(graph: Float[ndarray, "n n"]) -> Float[ndarray, "n n"]:
    """Return the lengths of the shortest ways: log2 n rounds of `shorter`, rounded up."""
    for _ in range(int(np.ceil(np.log2(len(graph))))):
        graph = shorter(graph)
    return graph


def kept(ways: Float[ndarray, "n n"], Z: Float[ndarray, "n c"]) -> float:
    """Return the squared correlation of the distances of all pairs with their ways; 0 if none."""
    d, g = pdist(Z), squareform(ways, checks=False)
    d, g = d - d.mean(), g - g.mean()
    size = np.linalg.norm(d) * np.linalg.norm(g)
    return float((d @ g / size) ** 2) if size > 0 else 0.0


def short_cuts_by_neighbors(
    X: Float[ndarray, "n d"], yardstick: Yardstick, most: int
) -> Int[ndarray, " k"]:
    """Return the number of short-cuts in the graphs with 1, 2, ..., `most` neighbours."""
    delta = cdist(X, X)
    crossing = yardstick.short_cuts(delta)
    graphs = (neighbor_graph(delta, k)[0] for k in range(1, min(most, len(X) - 1) + 1))
    return np.array([np.triu(crossing & np.isfinite(graph), 1).sum() for graph in graphs])
