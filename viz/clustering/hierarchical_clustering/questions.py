"""Which two clusters are merged next?"""

from itertools import combinations

import numpy as np
from numpy.random import Generator

from algorithms.clustering.hierarchical_clustering.dendrogram import Dendrogram
from viz.core.question import Option, Question, question
from viz.core.words import decimal, vector

_FEW = 7  # clusters: all their pairs are compared,
_POINTS = 600  # if there are no more points than this
_CLEAR = 1.01  # times as far apart: then two pairs can be distinguished


def next_merge(tree: Dendrogram, now: int, rng: Generator) -> Question | None:
    """Ask which two clusters are the nearest, or whether they are points or clusters."""
    return _what(tree, now) if rng.random() < 0.25 else _which(tree, now)


def _which(tree: Dendrogram, now: int) -> Question | None:
    """Ask for the nearest pair, among the next nearest ones."""
    a, b = tree.merged[now].tolist()
    height = float(tree.heights[now])
    rivals = [pair for pair in _rivals(tree, now) if pair[0] > _CLEAR * height]
    if not rivals:
        return None
    reason = (
        f"These two are {decimal(height)} apart ({tree.linkage} linkage); the nearest of the "
        f"others are {decimal(rivals[0][0])} apart."
    )
    wrong = [_pair(tree, *names) for _, *names in rivals]
    return question("Which two clusters are merged next?", _pair(tree, a, b), wrong, reason)


def _rivals(tree: Dendrogram, now: int) -> list[tuple[float, int, int]]:
    """Return other pairs of clusters with their distance, the nearest first.

    Of a few clusters these are all pairs, else pairs that will be merged later.
    """
    n = len(tree.points)
    if n - now <= _FEW and n <= _POINTS:
        pairs = combinations(tree.alive(now).tolist(), 2)
        taken = set(tree.merged[now].tolist())
        return sorted((tree.apart(*pair), *pair) for pair in pairs if set(pair) != taken)
    later = now + 1 + np.flatnonzero((tree.merged[now + 1 :] < n + now).all(axis=1))[:4]
    heights, pairs = tree.heights[later].tolist(), tree.merged[later].tolist()
    return [(height, *pair) for height, pair in zip(heights, pairs, strict=True)]


def _pair(tree: Dendrogram, a: int, b: int) -> Option:
    """Return two clusters as an option, with their sizes and the mean of all their points."""
    parts = [tree.points[tree.members(name)] for name in (a, b)]
    small, large = sorted(map(len, parts))
    around = vector(np.concatenate(parts).mean(axis=0))
    x, y = np.mean([part.mean(axis=0) for part in parts], axis=0).tolist()
    return Option(f"{small} + {large} points around {around}", (0, x, y))


def _what(tree: Dendrogram, now: int) -> Question | None:
    """Ask whether points or clusters are merged."""
    small, large = sorted(tree.sizes[tree.merged[now]].tolist())
    right = (small > 1) + (large > 1)
    ways = ["two single points", "a point and a cluster", "two clusters of several points"]
    options = [Option(way) for way in ways]
    height, following = float(tree.heights[now]), tree.heights[now + 1 : now + 2]
    if height in following:
        return None  # the order of the points decides which of two equally near pairs is merged
    possible = _possible(tree.sizes[tree.alive(now)].tolist())
    wrong = [options[i] for i in range(3) if i != right and i in possible]
    sizes = f"{small} and {large} points" if large > 1 else "1 point each"
    reason = f"The nearest two clusters, {decimal(height)} apart, have {sizes}."
    return question("What is merged next?", options[right], wrong, reason)


def _possible(sizes: list[int]) -> set[int]:
    """Return the possible merges: 0, two points; 1, a point and a cluster; 2, two clusters."""
    single, several = sizes.count(1), len(sizes) - sizes.count(1)
    there = {0: single >= 2, 1: single >= 1 and several >= 1, 2: several >= 2}
    return {way for way, possible in there.items() if possible}
