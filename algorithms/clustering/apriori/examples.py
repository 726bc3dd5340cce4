"""Baskets to look at: groceries, a textbook's, a confidence that misleads, and chance."""

from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.random import Generator

Basket = tuple[str, ...]


@dataclass(frozen=True)
class Baskets:
    """Baskets with their items, whose names have different initials."""

    items: tuple[str, ...]
    held: tuple[Basket, ...]


def _spelled(items: str, *held: str) -> Baskets:
    """Return baskets that are spelled by the initials of their items."""
    names = tuple(items.split())
    initials = {name[0].upper(): name for name in names}
    return Baskets(names, tuple(tuple(initials[each] for each in basket) for basket in held))


GROCERIES = _spelled(
    "bread eggs milk tea wine",
    "BEM", "BMT", "BE", "BMTW", "EM", "BEM", "TW", "BMT", "BEMT", "T",
)  # fmt: skip

# Han and Kamber 2006, table 5.1: their items I1 to I5 in this order.
TEXTBOOK = _spelled(
    "apples bread cheese dates eggs",
    "ABE", "BD", "BC", "ABD", "AC", "BC", "AC", "ABCE", "ABC",
)  # fmt: skip

TEA = _spelled(
    "coffee honey milk tea",
    "CHT", "CHT", "HT", "CT", *repeat("CM", 10), "C", "C", "C", "M", "M", "M",
)  # fmt: skip


def by_chance(n: int = 20, share: float = 0.4, *, rng: Generator) -> Baskets:
    """Return baskets that hold each of five items by chance, whatever else they hold."""
    items = TEXTBOOK.items
    held = rng.random((n, len(items))) < share
    return Baskets(items, tuple(tuple(np.array(items)[basket].tolist()) for basket in held))
