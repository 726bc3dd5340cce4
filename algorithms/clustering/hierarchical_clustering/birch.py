"""BIRCH: clusters of points that arrive one by one, from a tree of summaries.

An entry summarises the points that it has taken by three numbers, or vectors of numbers:

    n,  LS = sum_i x_i,  SS = sum_i ||x_i||^2

which add up when entries are put together, and which give its centre and its radius (the root mean
squared distance of its points from the centre):

    c = LS / n,    R = sqrt(SS / n - ||LS / n||^2)

The entries stand in a tree. A node holds at most B entries; above the leaves, an entry summarises
the node below it. Update rule, for each point x that arrives:

    go down:  in each node to the entry with the nearest centre                        `descend`
    absorb:   the entry in the leaf takes x, if its radius with x stays at most T       `insert`
    begin:    else x becomes a new entry in this leaf
    split:    a node of more than B entries becomes two: the two entries whose centres are farthest
              apart part them, and each other entry goes with the nearer one            `split`

Afterwards only the m entries in the leaves are clustered: their centres are merged down to k
clusters by Ward's linkage, each centre counted once. A point belongs to the cluster of the nearest
centre. No point is looked at twice, and none has to be kept.

All sums are taken about the first point: far from the origin, SS / n - ||LS / n||^2 would lose its
digits. In ties the entry that comes first is the nearest.

Cost: O(B d log m) for each point, O(m^2) for the clusters. Zhang, Ramakrishnan and Livny also
rebuild the tree with a larger T where memory runs out; this is left out here, as in scikit-learn.

Source: CS725 13.6 (000:2450); Zhang, Ramakrishnan and Livny 1996.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen, last

Event = Literal["new entry", "split", "new level", "finished"]


def birch(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    threshold: float,
    branching_factor: int = 50,
    order: Int[ndarray, " n"] | None = None,
) -> Iterator["BirchStep"]:
    """Let the points arrive, one at each step; the last step clusters the entries.

    threshold : T, the largest radius of an entry in a leaf. branching_factor : B, the most entries
    of a node. order : the rows of X as they arrive, by default as they are. k : clusters in the
    end, if there are that many entries.

    Raises ValueError, at the call, unless 1 <= k <= n, T is positive, B is at least 2, `order` has
    every row once, and everything is finite.
    """
    X = validate.points(X)
    n = len(X)
    k = validate.integer("k", k, 1, n, high_name="n")
    threshold = validate.number("threshold", threshold, positive=True)
    branching_factor = validate.integer("branching_factor", branching_factor, 2)
    rows = validate.integers(np.arange(n) if order is None else order, n)
    if (np.sort(rows) != np.arange(n)).any():
        raise ValueError(f"order must have every row from 0 to {n - 1} once, got {rows}")
    entry = single(np.zeros(X.shape[1]), 0)
    first = BirchStep(frozen(X[rows[0]]), (entry,), 1, 1, int(rows[0]), (0,), 0, 0.0, "new entry")
    further = partial(advance, X, k, threshold, branching_factor, rows)
    return iterate(first, further, most=n, stopped=None)


def advance(
    X: Float[ndarray, "n d"], k: int, T: float, B: int, order: Int[ndarray, " n"], step: "BirchStep"
) -> "BirchStep":
    """Return the tree after one more point; after the last one, the clusters of the entries."""
    if step.arrived == len(X):
        return replace(step, path=(), groups=clusters(step.centers, k), event="finished")
    i = int(order[step.arrived])
    point = single(X[i] - step.origin, step.entries)
    path = descend(step.root, point)
    leaf = leaf_of(step.root, path)
    near = leaf[path[-1]]
    radius = together(near, point).radius
    root, *second = insert(step.root, path, point, T, B)
    if second:
        root = tuple(map(above, (root, *second)))
    event, entries, took = None, step.entries, near.number
    if radius > T:
        event = "new level" if second else "split" if len(leaf) == B else "new entry"
        entries, took = entries + 1, point.number
    return BirchStep(step.origin, root, step.arrived + 1, entries, i, path, took, radius, event)


def descend(root: "Node", point: "Entry") -> tuple[int, ...]:
    """Return the index of the nearest entry in each node, from the root down to a leaf."""
    path, node = [], root
    while node:
        centers = np.stack([entry.center for entry in node])
        path.append(int(np.square(centers - point.center).sum(axis=1).argmin()))
        node = node[path[-1]].child
    return tuple(path)


def insert(node: "Node", path: Sequence[int], point: "Entry", T: float, B: int) -> list["Node"]:
    """Return the node with the point in it: one node, or two if it had to be split."""
    j, *rest = path
    entry = node[j]
    if entry.child:
        parts = [above(half) for half in insert(entry.child, rest, point, T, B)]
    else:
        both = together(entry, point)
        parts = [both] if both.radius <= T else [entry, point]
    node = (*node[:j], parts[0], *node[j + 1 :], *parts[1:])
    return [node] if len(node) <= B else split(node)


def split(node: "Node") -> list["Node"]:
    """Split a node by its two farthest entries; each other entry goes with the nearer one."""
    centers = np.stack([entry.center for entry in node])
    D = np.square(centers[:, None] - centers).sum(axis=2)
    a, b = np.unravel_index(D.argmax(), D.shape)
    with_a = D[a] < D[b]
    with_a[a] = True  # also where all are in one place
    halves = zip(node, with_a.tolist(), strict=True)
    first, second = [], []
    for entry, is_first in halves:
        (first if is_first else second).append(entry)
    return [tuple(first), tuple(second)]


def single(x: Float[ndarray, " d"], number: int) -> "Entry":
    """Return the summary of one point: n = 1, LS = x, SS = ||x||^2."""
    return Entry(1, x, float(x @ x), (), number)


def together(a: "Entry", b: "Entry") -> "Entry":
    """Return the summary of both: n, LS and SS add up."""
    return Entry(a.n + b.n, a.linear + b.linear, a.square + b.square, (), a.number)


def above(node: "Node") -> "Entry":
    """Return the entry that summarises a node, and leads down to it."""
    n, linear = sum(entry.n for entry in node), sum(entry.linear for entry in node)
    return Entry(n, np.asarray(linear), sum(entry.square for entry in node), node)


def clusters(centers: Float[ndarray, "m d"], k: int) -> Int[ndarray, " m"]:
    """Return the cluster of each entry: Ward's merges of the centres, until k are left."""
    merged = last(hierarchical_clustering(centers, linkage="ward"))
    return merged.cut(min(k, len(centers)))


@dataclass(frozen=True, eq=False)
class Entry(Record):
    """A summary of n points. child : the node below, empty in a leaf; then `number` counts them."""

    n: int
    linear: Float[ndarray, " d"]
    square: float
    child: "Node"
    number: int = -1

    @cached_property
    def center(self) -> Float[ndarray, " d"]:
        """Return c = LS / n."""
        return self.linear / self.n

    @property
    def radius(self) -> float:
        """Return R = sqrt(SS / n - ||LS / n||^2), 0 where rounding makes it negative."""
        c = self.center
        return float(np.sqrt(max(self.square / self.n - c @ c, 0.0)))


Node = tuple[Entry, ...]


@dataclass(frozen=True, eq=False)
class BirchStep(Record):
    """The tree after `arrived` points; also a model, since `predict` works at every step.

    All sums are about `origin`, the first point. The leaves have `entries` entries. `row` arrived
    last: it went down by `path`, an index in each node of the tree before, and entry number `entry`
    has it now. With it, the entry at the end of the path would have, or has, the radius `tried`.
    groups : (m,) the cluster of each entry in a leaf, by number, after the last point; None before.

    Events: "new level" (the root was split), "split" (another node was), "new entry" and
    "finished".
    """

    origin: Float[ndarray, " d"]
    root: Node
    arrived: int
    entries: int
    row: int
    path: tuple[int, ...]
    entry: int
    tried: float
    event: Event | None = None
    groups: Int[ndarray, " m"] | None = None

    @property
    def leaf_entries(self) -> list[Entry]:
        """Return the entries in the leaves, by number."""
        found = (entry for node in nodes(self.root) for entry in node if not entry.child)
        return sorted(found, key=lambda entry: entry.number)

    @property
    def centers(self) -> Float[ndarray, "m d"]:
        """Return the centres of the entries in the leaves, by number."""
        return self.origin + np.stack([entry.center for entry in self.leaf_entries])

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the cluster, or before the end the number, of the nearest entry in a leaf."""
        centers = self.centers
        nearest = np.array([int(np.square(centers - x).sum(axis=1).argmin()) for x in X])
        return nearest if self.groups is None else self.groups[nearest]


def leaf_of(root: Node, path: Sequence[int]) -> Node:
    """Return the leaf to which a path leads."""
    for j in path[:-1]:
        root = root[j].child
    return root


def nodes(root: Node) -> list[Node]:
    """Return all nodes, level by level from the root."""
    found = [root]
    for node in found:
        found.extend(entry.child for entry in node if entry.child)
    return found
