"""DBSCAN: clusters are what is dense, and the points that lie in nothing dense are noise.

The ball of point i holds all points that are at most eps from it, i itself among them:

    N(i) = { j : || x_j - x_i || <= eps }

A point is a core point if its ball holds at least `min_samples` points. (It counts itself, as in
scikit-learn.) Core points within eps of each other belong to the same cluster, and so do chains of
them. A border point is no core point, but lies in the ball of one, and belongs to its cluster.
Every other point is noise.

The walk: take the points one after the other. Visit each that has not been visited:

    no core point       it is noise, for now
    a core point        a new cluster begins with it: all points of its ball that have no cluster
                        yet join, and stand in a queue to be visited, too; the balls of those that
                        are core points make more points join, until the queue is empty

What was noise becomes a border point when a core point takes it later. Which points are core
points, and which of them belong together, does not depend on the order of the visits. A border
point in the balls of two clusters belongs to the one that comes first.

Cost: O(n d) for the ball of a point, which compares it with all others, so O(n^2 d) for the run.
(With an index of the plane a ball can be found in about log n.) Memory: O(n): all steps share one
record of the walk.

Source: CS725 13.7 (000:2480), "a point x is a center if ball(eps, x) contains at least minimum set
of points m" and "may merge with other cluster"; its first version, where each cluster is one ball,
is not used. Ester, Kriegel, Sander and Xu 1996.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record

NOISE = -1

Event = Literal[
    "first noise", "cluster complete", "noise becomes border", "new cluster", "all visited"
]


def dbscan(
    X: Float[ndarray, "n d"],
    *,
    eps: float,
    min_samples: int,
    order: Int[ndarray, " n"] | None = None,
) -> Iterator["DBSCANStep"]:
    """Visit every point once: a step per point.

    `eps` is in the unit of X. `order` says in which order the points are taken when no cluster has
    points in its queue: 0, 1, 2, ... unless said.

    Raises ValueError, at the call, unless X is finite, eps > 0, min_samples >= 1 and `order` names
    every point once.
    """
    X = validate.points(X)
    eps = validate.number("eps", eps, positive=True)
    min_samples = validate.integer("min_samples", min_samples, 1)
    every = np.arange(len(X))
    order = every if order is None else np.asarray(order)
    if order.dtype.kind != "i" or not np.array_equal(np.sort(order), every):
        raise ValueError(f"order must name each of the n={len(X)} points once, from 0 on")
    return _steps(X, eps, min_samples, order)


def _visit_all(
    X: Float[ndarray, "n d"], eps: float, min_samples: int, order: Int[ndarray, " n"]
) -> "Walk":
    n = len(X)
    labels, finder, sizes = np.full(n, NOISE), np.full(n, NOISE), np.zeros(n, int)
    visited, taken = np.full(n, n), np.full(n, n)
    visits: list[int] = []
    clusters = 0
    for first in order.tolist():
        queue = deque([first] if visited[first] == n else [])
        while queue:
            i, now = queue.popleft(), len(visits)
            visited[i] = now
            visits.append(i)
            near = ball(X, i, eps)
            sizes[i] = len(near)
            if len(near) < min_samples:
                continue
            cluster = labels[i]
            if cluster == NOISE:  # no core point has reached it: a new cluster begins
                cluster, clusters = clusters, clusters + 1
            joined = near[labels[near] == NOISE]
            labels[joined], finder[joined], taken[joined] = cluster, i, now
            queue.extend(joined[visited[joined] == n].tolist())
    return Walk(X, eps, min_samples, np.array(visits), visited, sizes, labels, taken, finder)


def ball(X: Float[ndarray, "n d"], i: int, eps: float) -> Int[ndarray, " m"]:
    """Return the points at most `eps` from point i, itself among them."""
    return np.flatnonzero(cdist(X[i : i + 1], X)[0] <= eps)


@dataclass(frozen=True, eq=False)
class Walk(Record):
    """All that a run found out.

    visits : (n,) the points in the order of their visits; visited : (n,) the step of each one's.
    sizes : (n,) how many points its ball holds. labels : (n,) in the end. taken : (n,) the step at
    which a point joined its cluster, n if it never did; finder : (n,) the core point in whose ball
    it was found then, itself for the first point of a cluster, -1 for noise.
    """

    X: Float[ndarray, "n d"]
    eps: float
    min_samples: int
    visits: Int[ndarray, " n"]
    visited: Int[ndarray, " n"]
    sizes: Int[ndarray, " n"]
    labels: Int[ndarray, " n"]
    taken: Int[ndarray, " n"]
    finder: Int[ndarray, " n"]


@dataclass(frozen=True, eq=False, slots=True)
class DBSCANStep(Record):
    """What is known after visit number `visit`, counted from 0.

    All steps of a run share the `walk`, so a step takes a few bytes; what it knows it looks up.

    Events: "first noise" (the first point that is called noise, if only for now), "cluster
    complete" (its queue is empty), "noise becomes border" (a core point takes what was called noise
    before), "new cluster" and "all visited". Of two at one step it is the later one in this list.
    """

    walk: Walk
    visit: int
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: there may be thousands of steps, and what they share is a record."""

    @property
    def point(self) -> int:
        """Return the point that is visited."""
        return int(self.walk.visits[self.visit])

    @property
    def neighbors(self) -> Int[ndarray, " m"]:
        """Return the points in its ball, itself among them."""
        return ball(self.walk.X, self.point, self.walk.eps)

    @property
    def joined(self) -> Int[ndarray, " j"]:
        """Return the points that it brings into its cluster, itself if the cluster is new."""
        return np.flatnonzero(self.walk.taken == self.visit)

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return every point's cluster, -1 where there is none (yet)."""
        return np.where(self.walk.taken <= self.visit, self.walk.labels, NOISE)

    @property
    def visited(self) -> Bool[ndarray, " n"]:
        """Tell which points have been visited."""
        return self.walk.visited <= self.visit

    @property
    def core(self) -> Bool[ndarray, " n"]:
        """Tell which points are known to be core points: those visited whose ball is full."""
        return self.visited & (self.walk.sizes >= self.walk.min_samples)

    @property
    def waiting(self) -> Bool[ndarray, " n"]:
        """Tell which points stand in the queue: they have a cluster, but were not visited."""
        return ~self.visited & (self.walk.taken <= self.visit)


def _steps(
    X: Float[ndarray, "n d"], eps: float, min_samples: int, order: Int[ndarray, " n"]
) -> Iterator[DBSCANStep]:
    walk = _visit_all(X, eps, min_samples, order)
    events = _events(walk)
    for visit in range(len(X)):
        yield DBSCANStep(walk, visit, events.get(visit))


def _events(walk: Walk) -> dict[int, Event]:
    """Return what is worth stopping at, by the number of the visit."""
    n = len(walk.X)
    begins = np.flatnonzero(walk.finder == np.arange(n))
    last = np.zeros(len(begins), int)
    found = walk.labels != NOISE
    np.maximum.at(last, walk.labels[found], walk.visited[found])
    late = found & (walk.visited < walk.taken)  # were called noise, and taken later
    called_noise = walk.visited[~found | late]
    events: dict[int, Event] = {int(called_noise.min(initial=n)): "first noise"}
    events |= dict.fromkeys(last.tolist(), "cluster complete")
    events |= dict.fromkeys(walk.taken[late].tolist(), "noise becomes border")
    events |= dict.fromkeys(walk.visited[begins].tolist(), "new cluster")
    events[n - 1] = "all visited"
    return events
