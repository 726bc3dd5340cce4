"""Isomap: a map that keeps the distances along a bent sheet.

Near points are near on the sheet too, so only the lengths of short edges are trusted. The way
between far points goes along such edges:

    1. the graph      g_ij = || x_i - x_j || if one is among the k nearest of the other,
                      otherwise g_ij = infinity                              `neighbor_graph`
    2. the geodesics  g_ij <- min_m (g_im + g_mj)  until nothing is shorter  `shorter`
    3. the map        classical scaling of (1 - s) || x_i - x_j || + s g_ij  `mapped`

After t rounds of 2, g_ij is the shortest way of at most 2^t edges. If the graph is in several
pieces, the shortest edge between every two of them is added first.

The map of Isomap is that with s = 1. With s = 0 the same map is that of principal components, so
with s from 0 to 1, a tenth a step, the sheet is seen to unroll.

Cost: O(n^3) a round, at most log2 n + 1 rounds, and O(n^3) a map. Dijkstra's algorithm would
take O(n^2 (k + log n)) for all rounds.

Source: 20APC3316 (002:1989), Tenenbaum, de Silva and Langford 2000.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.reduction.multidimensional_scaling.classical_scaling import (
    scalar_products,
    spectrum,
)

STAGES = 10  # maps from straight distances to ways
TIED = 1e-9  # a way that is shorter by a smaller share than this is not shorter


def isomap(
    X: Float[ndarray, "n d"], *, n_neighbors: int, n_components: int = 2
) -> Iterator["IsomapStep"]:
    """Join neighbours by edges, find the shortest ways between all points, then unroll the map.

    Raises ValueError, at the call, unless 1 <= n_neighbors < n and 1 <= n_components <= n.
    """
    X = validate.points(X)
    n = len(X)
    k = validate.integer("n_neighbors", n_neighbors, 1, n - 1, high_name="n - 1")
    c = validate.integer("n_components", n_components, 1, n, high_name="n")
    delta = cdist(X, X)
    graph, bridges = neighbor_graph(delta, k)
    event = "pieces joined" if len(bridges) else None
    joined = np.isfinite(graph)
    edges = np.argwhere(np.triu(joined, 1))
    lengths = np.where(joined, graph, 0.0)
    no_map = np.zeros((n, c)), np.zeros(n)
    first = IsomapStep("graph", edges, bridges, joined, lengths, 0, *no_map, event)
    most = int(np.log2(n)) + 2 + STAGES
    return iterate(first, partial(advance, delta), most=most, stopped=None)


def advance(delta: Float[ndarray, "n n"], step: "IsomapStep") -> "IsomapStep":
    """Make the ways shorter; if none can be, let the map's distances grow towards the ways."""
    spend(10.0 * len(step.geodesics) ** 3)
    if step.stage == 0:
        ways = step.ways
        G = shorter(ways)
        if ((1 - TIED) * ways > G).any():
            found = np.isfinite(G)
            lengths = np.where(found, G, 0.0)
            return replace(step, phase="ways", reached=found, geodesics=lengths, event=None)
    after = replace(step, phase="map", stage=step.stage + 1, event=None)
    s = after.share
    Z, eigenvalues = mapped((1 - s) * delta + s * step.geodesics, step.embedding.shape[1])
    event = "finished" if s == 1 else None
    return replace(after, embedding=Z, eigenvalues=eigenvalues, event=event)


def neighbor_graph(
    delta: Float[ndarray, "n n"], k: int
) -> tuple[Float[ndarray, "n n"], Int[ndarray, "b 2"]]:
    """Return the lengths of the edges, infinity for no edge, and the edges that join pieces."""
    joined = joined_by(nearest(delta, k))
    bridges = shortest_bridges(delta, pieces(joined))
    joined[tuple(bridges.T)] = joined[tuple(bridges.T[::-1])] = True
    np.fill_diagonal(joined, True)
    return np.where(joined, delta, np.inf), bridges


def nearest(delta: Float[ndarray, "n n"], k: int) -> Int[ndarray, "n k"]:
    """Return the k nearest others of every point, the nearest first."""
    others = delta + np.diag(np.full(len(delta), np.inf))
    return others.argsort(axis=1, kind="stable")[:, :k]


def joined_by(neighbors: Int[ndarray, "n k"]) -> Bool[ndarray, "n n"]:
    """Return which points are joined: one is a neighbour of the other."""
    n, k = neighbors.shape
    joined = np.zeros((n, n), bool)
    joined[np.repeat(np.arange(n), k), neighbors.ravel()] = True
    return joined | joined.T


def pieces(joined: ndarray) -> Int[ndarray, " n"]:
    """Return for every point the number of its piece of the graph."""
    return connected_components(joined, directed=False)[1].astype(int)


def shortest_bridges(
    delta: Float[ndarray, "n n"], piece: Int[ndarray, " n"]
) -> Int[ndarray, "b 2"]:
    """Return the shortest edge between every two pieces."""
    found = []
    for a in range(piece.max() + 1):
        for b in range(a):
            rows, columns = np.flatnonzero(piece == a), np.flatnonzero(piece == b)
            between = delta[np.ix_(rows, columns)]
            i, j = np.unravel_index(between.argmin(), between.shape)
            found.append((rows[i], columns[j]))
    return np.array(found, int).reshape(-1, 2)


def shorter(G: Float[ndarray, "n n"]) -> Float[ndarray, "n n"]:
    """g_ij <- min_m (g_im + g_mj)."""
    found = G.copy()
    for m in range(len(G)):
        np.minimum(found, G[:, m, None] + G[m], out=found)
    return found


def mapped(G: Float[ndarray, "n n"], c: int) -> tuple[Float[ndarray, "n c"], Float[ndarray, " n"]]:
    """Return the first c axes of classical scaling, v_j sqrt(lambda_j), and all lambda_j."""
    eigenvalues, V = spectrum(scalar_products(G))
    return V[:, :c] * np.sqrt(eigenvalues[:c].clip(0)), eigenvalues


@dataclass(frozen=True, eq=False)
class IsomapStep(Record):
    """The shortest ways found so far, and the map after some of its ten stages.

    `edges` has both ends of every edge, and `bridges` those edges that join pieces of the graph.
    `reached` is whether there is a way between two points yet; `geodesics` is 0 where it is not.
    `eigenvalues` are those of the map, descending; 0 before its first stage.
    """

    is_model = False

    phase: Literal["graph", "ways", "map"]
    edges: Int[ndarray, "e 2"]
    bridges: Int[ndarray, "b 2"]
    reached: Bool[ndarray, "n n"]
    geodesics: Float[ndarray, "n n"]
    stage: int
    embedding: Float[ndarray, "n c"]
    eigenvalues: Float[ndarray, " n"]
    event: str | None = None

    @property
    def share(self) -> float:
        """Return s, how far the distances on the map have grown towards the ways."""
        return self.stage / STAGES

    @property
    def axes(self) -> int:
        """Return the number of axes of the map; 0 before its first stage."""
        return self.embedding.shape[1] if self.stage else 0

    @property
    def pressed(self) -> float:
        """Return the share of the spread on the next axis, which the map leaves out."""
        spread, c = self.eigenvalues.clip(0), self.embedding.shape[1]
        return float(spread[c : c + 1].sum() / (spread.sum() or 1.0))

    @property
    def ways(self) -> Float[ndarray, "n n"]:
        """Return the shortest ways found so far: g_ij, infinity where there is none yet."""
        return np.where(self.reached, self.geodesics, np.inf)
