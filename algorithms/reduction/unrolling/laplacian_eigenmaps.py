"""Laplacian eigenmaps: a map on which points with heavy edges between them stay near.

The graph is that of spectral clustering, and so are its eigenvectors (similarity_graph.py):

    w_ij = exp(-gamma || x_i - x_j ||^2)    d_i = sum_j w_ij    L = I - D^(-1/2) W D^(-1/2)

    1. the graph  W and D                                                `similarity_graph`
    2. the map    minimises sum_(i<j) w_ij (z_i - z_j)^2 with sum_i d_i z_i^2 = 1, one axis a step:
                  L u = lambda u,  z_i = u_i / sqrt d_i                  `mapped`

The sum is the axis's eigenvalue lambda. The first eigenvector has lambda = 0 and puts all points on
one spot, so the axes begin with the second one. Spectral clustering takes the same eigenvectors,
but brings their rows to length 1 and looks for groups among them.

Points on a line that are equally dense get z = cos(pi s) on the first axis and cos(2 pi s) on the
second, where s goes from 0 to 1 along the line: waves, which crowd the points near both ends.

Cost: O(n^2 d) for the graph, O(n^3) for the eigenvectors.

Source: Belkin and Niyogi 2003. CIS787 (004:496) names the clustering only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.similarity_graph import MOST, SimilarityGraph, similarity_graph

Event = Literal["in pieces", "finished"]


def laplacian_eigenmaps(
    X: Float[ndarray, "n d"], *, gamma: float, n_components: int = 2
) -> Iterator["EigenmapStep"]:
    """Build the graph, then add the axes. `gamma` is in the unit of X, to the power -2.

    Raises ValueError, at the call, unless X is finite with 2 to 1000 rows, gamma > 0 and
    1 <= n_components < n.
    """
    X = validate.points(X)
    n = len(X)
    if n < 2:
        raise ValueError("X must hold at least two points")
    if n > MOST:
        raise ValueError(f"X must have at most {MOST:,} rows, got {n:,}")
    c = validate.integer("n_components", n_components, 1, n - 1, high_name="n - 1")
    graph = similarity_graph(X, c, validate.number("gamma", gamma, positive=True))
    event = "in pieces" if graph.pieces > 1 else None
    first = EigenmapStep("graph", graph, 0, np.zeros((n, c)), event)
    return iterate(first, advance, most=c, stopped=None)


def advance(step: "EigenmapStep") -> "EigenmapStep":
    """Add the next axis."""
    axes, c = step.axes + 1, step.embedding.shape[1]
    Z = np.zeros_like(step.embedding)
    Z[:, :axes] = mapped(step.graph, axes)
    event: Event | None = "finished" if axes == c else None
    return replace(step, phase="map", axes=axes, embedding=Z, event=event)


def mapped(graph: SimilarityGraph, c: int) -> Float[ndarray, "n c"]:
    """z_i = u_i / sqrt d_i, for the eigenvectors after the first; 0 without any edge."""
    root = np.sqrt(graph.degrees)[:, None]
    U = graph.coordinates[:, 1 : c + 1]
    return np.divide(U, root, out=np.zeros_like(U), where=root > 0)


@dataclass(frozen=True, eq=False)
class EigenmapStep(Record):
    """The graph, which all steps share, and the map with its first `axes` axes."""

    is_model = False

    phase: Literal["graph", "map"]
    graph: SimilarityGraph
    axes: int
    embedding: Float[ndarray, "n c"]
    event: Event | None = None

    @property
    def eigenvalues(self) -> Float[ndarray, " r"]:
        """Return the smallest eigenvalues of the Laplacian, ascending."""
        return self.graph.eigenvalues

    @property
    def errors(self) -> Float[ndarray, " c"]:
        """Return the eigenvalues of all axes: sums of w_ij (z_i - z_j)^2 over all pairs."""
        return self.eigenvalues[1 : self.embedding.shape[1] + 1]

    def certain(self) -> dict[str, Any]:
        """Return the eigenvalues; rounding errors turn eigenvectors whose eigenvalues are equal."""
        return {"phase": self.phase, "axes": self.axes, "eigenvalues": self.eigenvalues}
