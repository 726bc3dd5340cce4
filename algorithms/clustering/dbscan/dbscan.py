"""DBSCAN: clusters are where the points are dense; the other points are noise.

The ball of point i holds every point at most eps away from it, i itself included:

    N(i) = { j : || x_j - x_i || <= eps }

    core point      | N(i) | >= min_samples     (i counts itself, as in scikit-learn)
    border point    not a core point, but in the ball of one
    noise           every other point

Two core points are in one cluster if a chain of core points joins them, each in the ball of the one
before. A border point belongs to the cluster of a core point whose ball holds it.

Update rule (the walk): take the points one after the other and visit each one that has not been
visited. If |N(i)| < min_samples, nothing joins: i is noise, unless a core point takes it. Otherwise

    cluster:  c_i <- a new cluster, if i has none
    join:     c_j <- c_i for every j in N(i) without a cluster, and j gets into the queue

and the points of the queue are visited first. When the queue is empty, the cluster is complete.

The order of the visits changes neither the core points nor which of them belong together. Only a
border point in the balls of two clusters belongs to the one that comes first.

Cost: O(n d) for a ball, which compares its point with all others, so O(n^2 d) for the run. (With an
index of the plane, a ball is found in about log n.) Memory: O(n), since all steps share one record
of the walk.

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

    `eps` is in the unit of X. `order` is the order in which points are taken when the queue is
    empty: by default 0, 1, 2, ...

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


def walk(
    X: Float[ndarray, "n d"], eps: float, min_samples: int, order: Int[ndarray, " n"]
) -> "Walk":
    """Visit every point, and return what was found out on the way."""
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
            if cluster == NOISE:  # no core point has reached i: a new cluster begins
                cluster, clusters = clusters, clusters + 1
            joined = near[labels[near] == NOISE]
            labels[joined], finder[joined], taken[joined] = cluster, i, now
            queue.extend(joined[visited[joined] == n].tolist())
    return Walk(X, eps, min_samples, np.array(visits), visited, sizes, labels, taken, finder)


def ball(X: Float[ndarray, "n d"], i: int, eps: float) -> Int[ndarray, " m"]:
    """N(i) = { j : || x_j - x_i || <= eps }. Return its points, i among them."""
    return np.flatnonzero(cdist(X[i : i + 1], X)[0] <= eps)


@dataclass(frozen=True, eq=False)
class Walk(Record):
    """All that a run found out.

    visits : (n,) the points in the order of their visits. For every point, visited : (n,) the step
    of its visit; sizes : (n,) the number of points in its ball; labels : (n,) its cluster in the
    end; taken : (n,) the step at which it joined its cluster, n if it never did; finder : (n,) the
    core point whose ball held it then, itself for the first point of a cluster, -1 for noise.
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

    All steps of a run share the `walk`, in which a step looks up what it knows.

    Events: "first noise" (the first point that is called noise, if only for now), "cluster
    complete" (the queue is empty), "noise becomes border" (a core point takes what was called noise
    before), "new cluster" and "all visited". If two happen at one step, the later one in this list
    is named.
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
        """Return the points in the ball of the visited point, itself among them."""
        return ball(self.walk.X, self.point, self.walk.eps)

    @property
    def joined(self) -> Int[ndarray, " j"]:
        """Return the points that join its cluster now, itself among them if the cluster is new."""
        return np.flatnonzero(self.walk.taken == self.visit)

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the cluster of every point, -1 where there is none (yet)."""
        return np.where(self.walk.taken <= self.visit, self.walk.labels, NOISE)

    @property
    def visited(self) -> Bool[ndarray, " n"]:
        """Return which points have been visited."""
        return self.walk.visited <= self.visit

    @property
    def core(self) -> Bool[ndarray, " n"]:
        """Return which points are known to be core points: visited, with enough in the ball."""
        return self.visited & (self.walk.sizes >= self.walk.min_samples)

    @property
    def waiting(self) -> Bool[ndarray, " n"]:
        """Return which points are in the queue: they have a cluster and have not been visited."""
        return ~self.visited & (self.walk.taken <= self.visit)


def _steps(
    X: Float[ndarray, "n d"], eps: float, min_samples: int, order: Int[ndarray, " n"]
) -> Iterator[DBSCANStep]:
    every = walk(X, eps, min_samples, order)
    events = _events(every)
    for visit in range(len(X)):
        yield DBSCANStep(every, visit, events.get(visit))


def _events(walk: Walk) -> dict[int, Event]:
    """Return the events, by the number of the visit."""
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
