"""All sets of items and all rules, counted one by one; and random baskets."""

from collections.abc import Iterable
from itertools import chain, combinations

import numpy as np

Baskets = list[tuple[str, ...]]


def every_set(items: Iterable[str]) -> list[frozenset]:
    items = sorted(items)
    sizes = range(1, len(items) + 1)
    return [frozenset(S) for S in chain(*(combinations(items, k) for k in sizes))]


def support(baskets: Baskets, S: frozenset) -> float:
    return sum(S.issubset(basket) for basket in baskets) / len(baskets)


def random_baskets(case: int) -> tuple[Baskets, str, float, float]:
    """Return baskets, their items, and both minima; some of them are met exactly."""
    rng = np.random.default_rng(case)
    n, m = int(rng.integers(1, 15)), int(rng.integers(1, 7))
    items = "abcdefgh"[:m]
    held = rng.random((n, m)) < rng.uniform(0.2, 0.8)
    held[0, 0] = True
    baskets = [tuple(np.array(list(items))[row].tolist()) for row in held]
    return baskets, items, int(rng.integers(0, n + 1)) / n, float(rng.choice([0, 0.5, 0.6, 1]))
