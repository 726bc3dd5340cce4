"""Which of the 2^n labellings of n points can a class of hypotheses realise?

A hypothesis realises a labelling if its region holds all positive points and no negative one. A
class of hypotheses shatters the points if it realises all 2^n labellings. Its VC dimension is the
largest n for which SOME n points are shattered. Each class has a rule that decides:

    half-planes        no  iff  a Radon partition has its positives on one side, negatives on the
                       other: then sum_i l_i x_i = sum_j m_j x_j =: z, with l, m >= 0 that sum to 1,
                       over positives i and negatives j, and w·z + b cannot be both > 0 and <= 0
    discs              the same for the points lifted to (x, |x|²), since |x - c|² < r² is linear in
                       these: the positives' mean of |x|² is at least that of the negatives
    convex polygons    no  iff  a negative point is in the hull of the positives, that is, a Radon
                       partition with one point on the negative side
    boxes              no  iff  the smallest box that holds the positives holds a negative point

A Radon partition is a minimal dependency sum_i c_i (1, x_i) = 0: the points with c_i > 0 are one
side, those with c_i < 0 the other, and their hulls meet in z. By Caratheodory's theorem the minimal
ones are enough. They depend on the points alone, so they are found once for all labellings.

Labellings follow each other in Gray's order: one label changes from step to step. The number of
labellings realised is at most Sauer's bound, sum_(i <= v) (n choose i), if the VC dimension is v.

Cost: O(n^(d+2)) for all Radon partitions, then one product of matrices for all labellings.

Source: 20APC3316 2.1 (VC dimension, four points in a box); Radon 1921; Sauer 1972; Shelah 1972.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.optimize import linprog

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.learning_theory.vc_dimension.hypotheses import (
    BOXES,
    DISCS,
    HALF_PLANES,
    HYPOTHESES,
    POLYGONS,
    Box,
    Disc,
    HalfPlane,
    Hypothesis,
    convex_hull,
)

MOST = 10  # points
TINY = 1e-6  # of the points' spread: nearer to a line or a circle than this is on it

Event = Literal["cannot be realised", "shattered", "not shattered"]


@dataclass(frozen=True, eq=False)
class Obstacle(Record):
    """Why a labelling cannot be realised: a place that belongs to both sides.

    shares : (n,) each point's share l_i or m_j in the place, 0 for points without one; those of the
    positives sum to 1, and those of the negatives. For boxes the place is the negative point inside
    the box of the positives, which have no shares.
    """

    is_model = False

    place: Float[ndarray, " d"]
    shares: Float[ndarray, " n"]


@dataclass(frozen=True, eq=False)
class ShatteringStep(Record):
    """One labelling, 1 for positive and 0 for negative, and whether it can be realised.

    `hypothesis` realises it; None if none does, or if no point is positive. `obstacle` is the
    reason if none does. `realized` has an entry for every labelling so far.

    Events: "cannot be realised"; at the last labelling "shattered" or "not shattered".
    """

    final_events = ("shattered", "not shattered")

    labels: Int[ndarray, " n"]
    realizable: bool
    hypothesis: Hypothesis | None
    obstacle: Obstacle | None
    realized: Bool[ndarray, " steps"]
    event: Event | None = None

    @property
    def shattered(self) -> bool:
        """Return whether all labellings so far are realised; at the last step, all there are."""
        return bool(self.realized.all())


def shatters(X: Float[ndarray, "n d"], hypotheses: str) -> Iterator[ShatteringStep]:
    """Try all labellings of the points, one in each step.

    hypotheses : "half-planes", "boxes", "discs" or "convex polygons".

    Raises ValueError, at the call, unless X is finite with 1 to 10 rows and two columns (boxes also
    take one: then they are intervals), and for an unknown class of hypotheses.
    """
    X, hypotheses = checked(X, hypotheses)
    return _shatters(X, hypotheses)


def _shatters(X: Float[ndarray, "n d"], hypotheses: str) -> Iterator[ShatteringStep]:
    labellings = all_labellings(len(X))
    partitions = radon_partitions(X, hypotheses)
    realized = realizable(X, labellings, hypotheses, partitions)
    for i, y in enumerate(labellings):
        fits = bool(realized[i])
        event: Event | None = None if fits else "cannot be realised"
        if i == len(labellings) - 1:
            event = "shattered" if realized.all() else "not shattered"
        yield ShatteringStep(
            labels=y.astype(int),
            realizable=fits,
            hypothesis=realising(X, y, hypotheses) if fits else None,
            obstacle=None if fits else obstacle(X, y, hypotheses, partitions),
            realized=realized[: i + 1],
            event=event,
        )


def checked(X: Float[ndarray, "n d"], hypotheses: str) -> tuple[Float[ndarray, "n d"], str]:
    """Check the arguments of `shatters`."""
    X = validate.points(X)
    hypotheses = validate.choice("hypotheses", hypotheses, HYPOTHESES)
    n, d = X.shape
    if not 1 <= n <= MOST:
        raise ValueError(f"X must have between 1 and {MOST} rows, got n={n}")
    if d != 2 and not (d == 1 and hypotheses == BOXES):
        raise ValueError(f"X must have two columns for {hypotheses}, got {d}")
    return X, hypotheses


def all_labellings(n: int) -> Bool[ndarray, "all n"]:
    """Return all 2^n labellings in Gray's order; in the first, half of the points are positive."""
    numbers, first = np.arange(2**n), 2 ** ((n + 1) // 2) - 1
    gray = numbers ^ (numbers >> 1) ^ first
    return (gray[:, None] >> np.arange(n) & 1).astype(bool)


def radon_partitions(X: Float[ndarray, "n d"], hypotheses: str) -> Float[ndarray, "c m"]:
    """Return c of all minimal linear dependencies sum_i c_i (1, x_i) = 0, a row each.

    c_i is 0 for points that a dependency leaves out.

    For discs the points are (1, x, |x|²), and a last column is for the direction (0, 0, 1), on the
    negative side: the weight of |x|² in r² - |x - c|² is negative. Boxes need none.
    """
    if hypotheses == BOXES:
        return np.empty((0, len(X)))
    V = lifted(X, hypotheses)
    n, m = V.shape
    found = [np.empty((0, n))]
    for size in range(2, min(n, m + 1) + 1):
        some = np.array(list(combinations(range(n), size))).reshape(-1, size)
        _, values, directions = np.linalg.svd(V[some].transpose(0, 2, 1))
        # One direction alone is sent to 0 (minimal), and no point of it is idle.
        rank = (values > TINY).sum(axis=1)
        c = directions[:, -1]
        minimal = (rank == size - 1) & (np.abs(c) > TINY).all(axis=1)
        rows = np.zeros((minimal.sum(), n))
        np.put_along_axis(rows, some[minimal], c[minimal], axis=1)
        found.append(rows)
    return np.concatenate(found)


def lifted(X: Float[ndarray, "n d"], hypotheses: str) -> Float[ndarray, "k m"]:
    """Return (1, x) of all points; for discs (1, x, |x|²), and the direction (0, 0, 1) below.

    The points are moved to their middle and scaled to a spread of 1, which changes no partition.
    """
    U = scaled(X)[0]
    V = np.column_stack([np.ones(len(U)), U])
    if hypotheses != DISCS:
        return V
    up = np.zeros((1, V.shape[1] + 1))
    up[0, -1] = 1.0
    return np.vstack([np.column_stack([V, np.square(U).sum(axis=1)]), up])


def scaled(X: Float[ndarray, "n d"]) -> tuple[Float[ndarray, "n d"], Float[ndarray, " d"], float]:
    """Return the points around their middle with a spread of 1, the middle, and the spread."""
    low, high = X.min(axis=0), X.max(axis=0)
    spread = float((high - low).max()) or 1.0
    middle = low + (high - low) / 2
    return (X - middle) / spread, middle, spread


def realizable(
    X: Float[ndarray, "n d"],
    labellings: Bool[ndarray, "all n"],
    hypotheses: str,
    partitions: Float[ndarray, "c m"],
) -> Bool[ndarray, " all"]:
    """Return which labellings the class realises, by the rule of the class."""
    if hypotheses == BOXES:
        return np.array([not inside_box(X, y).any() for y in labellings])
    return ~np.any(splits(labellings, hypotheses, partitions), axis=1)


def splits(
    labellings: Bool[ndarray, "all n"], hypotheses: str, partitions: Float[ndarray, "c m"]
) -> Bool[ndarray, "all c"]:
    """Return which partitions have the positives on one side and the negatives on the other."""
    sides = np.sign(partitions)
    idle = partitions.shape[1] - labellings.shape[1]  # the direction of discs is negative
    s = np.pad(np.where(labellings, 1.0, -1.0), ((0, 0), (0, idle)), constant_values=-1.0)
    apart = np.abs(s @ sides.T) == np.abs(sides).sum(axis=1)
    if hypotheses == POLYGONS:  # one negative point, in the hull of the others
        apart &= (s < 0).astype(float) @ np.abs(sides).T == 1
    return apart


def inside_box(X: Float[ndarray, "n d"], y: Bool[ndarray, " n"]) -> Bool[ndarray, " n"]:
    """Return which negative points are in the smallest box that holds the positives."""
    if not y.any():
        return np.zeros(len(X), bool)
    low, high = X[y].min(axis=0), X[y].max(axis=0)
    return ~y & Box(low, high).holds(X)


def obstacle(
    X: Float[ndarray, "n d"],
    y: Bool[ndarray, " n"],
    hypotheses: str,
    partitions: Float[ndarray, "c m"],
) -> Obstacle:
    """Return the reason why a labelling cannot be realised: the partition with fewest points."""
    n = len(X)
    if hypotheses == BOXES:
        j = int(np.flatnonzero(inside_box(X, y))[0])
        return Obstacle(X[j], np.where(np.arange(n) == j, 1.0, 0.0))
    (apart,) = splits(y[None], hypotheses, partitions)
    c = np.abs(partitions[apart, :n])
    c = c[(c > 0).sum(axis=1).argmin()]
    shares = np.where(y, c / c[y].sum(), c / c[~y].sum())
    return Obstacle(shares[y] @ X[y], shares)


def realising(
    X: Float[ndarray, "n d"], y: Bool[ndarray, " n"], hypotheses: str
) -> Hypothesis | None:
    """Return a hypothesis that realises a labelling; None if no point is positive."""
    if not y.any():
        return None
    if hypotheses == BOXES:
        return Box(X[y].min(axis=0), X[y].max(axis=0))
    if hypotheses == POLYGONS:
        return convex_hull(X[y])
    U, middle, spread = scaled(X)
    b, w, a = widest(U, y, curved=hypotheses == DISCS)
    if hypotheses == HALF_PLANES:
        return HalfPlane(w / spread, b - float(w @ middle) / spread)
    centre = w / (2 * a)
    radius = np.sqrt(b / a + centre @ centre)
    return Disc(middle + spread * centre, float(spread * radius))


def widest(
    U: Float[ndarray, "n 2"], y: Bool[ndarray, " n"], *, curved: bool
) -> tuple[float, Float[ndarray, " 2"], float]:
    """Return b, w and a of the score b + w·u - a |u|² with the largest margin t, a linear program.

    It maximises t with s_i (b + w·u_i - a |u_i|²) >= t, s_i = 1 for positives and -1 for negatives,
    |w_j| <= 1, |b| <= 3 and 0 <= a <= 3; without `curved`, a = 0. With it a >= t / 4 keeps a disc
    from being a half-plane.
    """
    s = np.where(y, 1.0, -1.0)[:, None]
    q = np.square(U).sum(axis=1, keepdims=True)
    # The unknowns are b, w_1, w_2, a, t.
    rows = np.hstack([-s, -s * U, s * q, np.ones_like(s)])
    if curved:
        rows = np.vstack([rows, [0, 0, 0, -1, 0.25]])
    limits = [(-3, 3), (-1, 1), (-1, 1), (0, 3 if curved else 0), (None, 3)]
    found = linprog([0, 0, 0, 0, -1], A_ub=rows, b_ub=np.zeros(len(rows)), bounds=limits)
    b, w1, w2, a, _ = found.x
    return float(b), np.array([w1, w2]), float(a)


def vc_dimension(hypotheses: str, d: int = 2) -> float:
    """Return the VC dimension of a class on d columns; infinite for convex polygons."""
    if hypotheses == POLYGONS:
        return inf
    return float(2 * d if hypotheses == BOXES else d + 1)


def sauer_bound(n: int, dimension: float) -> int:
    """Return how many labellings of n points a class of this VC dimension can realise at most."""
    return sum(comb(n, i) for i in range(int(min(n, dimension)) + 1))


def most_by_half_planes(n: int) -> int:
    """Return how many labellings of n points half-planes realise at most: n² − n + 2."""
    return n**2 - n + 2
