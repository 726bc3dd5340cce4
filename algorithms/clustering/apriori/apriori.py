"""A-priori: all sets of items that are often bought together, without counting most sets.

n baskets hold items. The support of a set is the share of the baskets that hold all of it, and a
set with at least the minimum support is frequent. A larger set is in fewer baskets, or in as many:

    S within T:   support(T) <= support(S)

so no set is frequent if a part of it is not. Level by level, L_k are the frequent sets of k items:

    join     two sets of L_(k-1) that differ only in their last item are joined: a candidate
    prune    a candidate with a part of k - 1 items that is not in L_(k-1) is not counted
    count    of the others, those with support >= min_support are L_k

The baskets are counted by an inverted index, one column a item: a basket holds the set if all its
columns say so.

Cost: O(n k) to count a set of k items. With m items there are 2^m - 1 sets.

Source: CS725 14.1; Agrawal and Srikant 1994. The notes ask for count > S; here a set with exactly
the minimum is frequent, as in the paper. Their joined sets of n - 1 items share n - 2 items (the
notes write n - 1: two such sets would be equal).
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil
from typing import Literal

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MOST_ITEMS = 15  # 32,767 sets

Itemset = tuple[int, ...]  # of indices of items, in increasing order
Rule = tuple[frozenset, frozenset, float, float]
Event = Literal["level complete", "finished"]


@dataclass(frozen=True, eq=False)
class AprioriStep(Record):
    """What is known after some candidates; the newest was counted, or pruned.

    items : their names. baskets : how many there are. least : how many hold a frequent set.
    candidate : the newest one. counts : of the sets that were counted. pruned : candidates that
    were not, with an infrequent part of each. queue : candidates of this level that are left.

    Events: "level complete", and "finished" when the next level has no candidates.
    """

    is_model = False
    final_events = ("finished",)

    items: tuple[Hashable, ...]
    baskets: int
    least: int
    min_confidence: float
    queue: tuple[Itemset, ...]
    candidate: Itemset = ()
    counts: tuple[tuple[Itemset, int], ...] = ()
    pruned: tuple[tuple[Itemset, Itemset], ...] = ()
    event: Event | None = None

    @property
    def frequent(self) -> dict[Itemset, int]:
        """Return the frequent sets so far, with their counts."""
        return {itemset: count for itemset, count in self.counts if count >= self.least}

    @property
    def itemsets(self) -> dict[frozenset, float]:
        """Return the frequent sets so far, with their supports."""
        return {self.named(S): count / self.baskets for S, count in self.frequent.items()}

    @property
    def rules(self) -> list[Rule]:
        """Return the rules so far: antecedent, consequent, support and confidence.

        Their confidence is at least the minimum.
        """
        counts = self.frequent
        return [
            (self.named(A), self.named(B), count / self.baskets, count / counts[A])
            for S, count in counts.items()
            for A, B in splits(S)
            if confident(count, counts[A], self.min_confidence)
        ]

    def named(self, itemset: Itemset) -> frozenset:
        """Return a set by the names of its items."""
        return frozenset(self.items[j] for j in itemset)


def apriori(
    baskets: Sequence[Sequence[Hashable]],
    *,
    min_support: float,
    min_confidence: float = 0.0,
    items: Sequence[Hashable] | None = None,
) -> Iterator[AprioriStep]:
    """Find all frequent sets; a step is one candidate. The rules are those of the last step.

    items : in the order of the levels; by default all that are in a basket, sorted.

    Raises ValueError, at the call, unless there is a basket with an item, there are at most 15
    items, and both minima are shares from 0 to 1.
    """
    columns, names = inverted_index(baskets, items)
    for name, share in (("min_support", min_support), ("min_confidence", min_confidence)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} must be a share from 0 to 1, got {share}")
    n = len(columns)
    least = max(ceil(min_support * n - 1e-9), 1)  # a set that is in no basket is never frequent
    single = tuple((j,) for j in range(len(names)))
    first = AprioriStep(names, n, least, min_confidence, single)
    return iterate(first, partial(advance, columns), most=2 ** len(names), stopped=None)


def advance(columns: Bool[ndarray, "n m"], step: AprioriStep) -> AprioriStep:
    """Count or prune the next candidate; after the last one of a level, join the next level."""
    candidate, *rest = step.queue
    step = replace(step, candidate=candidate, queue=tuple(rest), event=None)
    part = infrequent_part(candidate, step)
    if part is None:
        step = replace(step, counts=(*step.counts, (candidate, count(columns, candidate))))
    else:
        step = replace(step, pruned=(*step.pruned, (candidate, part)))
    if rest:
        return step
    queue = join([S for S in step.frequent if len(S) == len(candidate)])
    return replace(step, queue=queue, event="level complete" if queue else "finished")


def join(level: list[Itemset]) -> tuple[Itemset, ...]:
    """Join every two sets of a level that differ only in their last item."""
    pairs = combinations(sorted(level), 2)
    return tuple((*A, B[-1]) for A, B in pairs if A[:-1] == B[:-1])


def infrequent_part(candidate: Itemset, step: AprioriStep) -> Itemset | None:
    """Return the smallest set within a candidate that was counted and is infrequent, if any."""
    frequent, k = step.frequent, len(candidate)
    if k == 1 or all(part in frequent for part in combinations(candidate, k - 1)):
        return None
    return next(S for S, _ in step.counts if S not in frequent and set(S) < set(candidate))


def count(columns: Bool[ndarray, "n m"], itemset: Itemset) -> int:
    """Return how many baskets hold all items of a set."""
    return int(columns[:, list(itemset)].all(axis=1).sum())


def splits(itemset: Itemset) -> list[tuple[Itemset, Itemset]]:
    """Return every split of a set into an antecedent and a consequent, small consequents first."""
    return [
        (A, tuple(j for j in itemset if j not in A))
        for k in range(len(itemset) - 1, 0, -1)
        for A in combinations(itemset, k)
    ]


def confident(both: int, antecedent: int, least: float) -> bool:
    """Return whether support(A and B) / support(A) is at least a minimum, up to rounding."""
    return both >= least * antecedent - 1e-9


def inverted_index(
    baskets: Sequence[Sequence[Hashable]], items: Sequence[Hashable] | None
) -> tuple[Bool[ndarray, "n m"], tuple[Hashable, ...]]:
    """Return which basket holds which item, and the items; raise ValueError without any."""
    held = [frozenset(basket) for basket in baskets]
    found = frozenset().union(*held)
    names = tuple(sorted(found, key=str) if items is None else items)
    if not found <= set(names) or len(set(names)) < len(names):
        raise ValueError(f"items must be different, and hold every item of a basket, got {names}")
    if not held or not 1 <= len(names) <= MOST_ITEMS:
        raise ValueError(f"baskets must hold 1 to {MOST_ITEMS} items, got {len(names)}")
    return np.array([[item in basket for item in names] for basket in held]), names
