"""Association rules: which items come with which, and how much that says.

Every frequent set S (see apriori.py) is split into an antecedent A and a consequent B:

    support     P(A and B)            = count(A and B) / n
    confidence  P(B | A)              = count(A and B) / count(A)
    lift        P(B | A) / P(B)       = confidence / (count(B) / n)

A rule is kept if its support and its confidence reach their minima. Confidence alone misleads: it
may be high because B is frequent anyway. A lift of 1 means that A says nothing about B; below 1, A
makes B rarer.

Cost: O(2^k) rules for a frequent set of k items; their counts are known.

Source: CS725 14.2; Agrawal and Srikant 1994; lift: Brin, Motwani, Ullman and Tsur 1997.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from algorithms.clustering.apriori.apriori import Itemset, apriori, confident, splits
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, last

Split = tuple[Itemset, Itemset]
Event = Literal["confidence too low", "finished"]


@dataclass(frozen=True, eq=False)
class RuleStep(Record):
    """One rule more: A -> B, with the counts of A, of B, and of both; none at step 0.

    items : their names. baskets : how many there are. queue : rules to come. kept : those so far
    whose confidence reaches the minimum.

    Events: "confidence too low"; "finished" at the last rule.
    """

    is_model = False
    final_events = ("finished",)

    items: tuple[Hashable, ...]
    baskets: int
    queue: tuple[Split, ...]
    rule: Split = ((), ())
    with_antecedent: int = 0
    with_consequent: int = 0
    with_both: int = 0
    kept: tuple[Split, ...] = ()
    event: Event | None = None

    @property
    def support(self) -> float:
        """Return the share of baskets with A and B."""
        return self.with_both / self.baskets

    @property
    def confidence(self) -> float:
        """Return the share of B among the baskets with A; NaN without a rule."""
        return self.with_both / self.with_antecedent if self.with_antecedent else float("nan")

    @property
    def base_rate(self) -> float:
        """Return the share of B among all baskets."""
        return self.with_consequent / self.baskets

    @property
    def lift(self) -> float:
        """Return how many times as frequent B is where A is; NaN without a rule."""
        return self.confidence / self.base_rate if self.with_consequent else float("nan")


def association_rules(
    baskets: Sequence[Sequence[Hashable]],
    *,
    min_support: float,
    min_confidence: float,
    items: Sequence[Hashable] | None = None,
) -> Iterator[RuleStep]:
    """Go through all rules of the frequent sets, the largest supports first.

    Raises ValueError, at the call, unless apriori accepts the arguments, and if no frequent set has
    two items.
    """
    found = last(
        apriori(baskets, min_support=min_support, min_confidence=min_confidence, items=items)
    )
    counts = found.frequent
    queue = tuple(split for S in sorted(counts, key=lambda S: -counts[S]) for split in splits(S))
    if not queue:
        raise ValueError("No two items are frequent together: choose a lower minimum support")
    first = RuleStep(found.items, found.baskets, queue)
    return iterate(first, partial(advance, counts, min_confidence), most=len(queue), stopped=None)


def advance(counts: dict[Itemset, int], min_confidence: float, step: RuleStep) -> RuleStep:
    """Judge the next rule."""
    (A, B), *rest = step.queue
    both = counts[tuple(sorted(A + B))]
    good = confident(both, counts[A], min_confidence)
    event: Event | None = None if good else "confidence too low"
    return replace(
        step, rule=(A, B), queue=tuple(rest), with_antecedent=counts[A], with_consequent=counts[B],
        with_both=both, kept=(*step.kept, (A, B)) if good else step.kept,
        event=event if rest else "finished",
    )  # fmt: skip
