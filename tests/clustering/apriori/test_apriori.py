"""A-priori: all sets one by one, the textbook's levels, and what is pruned."""

from itertools import combinations
from typing import Any

import pytest

from algorithms.clustering.apriori.apriori import apriori, count, inverted_index
from algorithms.clustering.apriori.examples import GROCERIES, TEXTBOOK
from tests.clustering.apriori.every_set import every_set, random_baskets, support
from tests.house.checked import Checked

SETS = Checked("apriori", "All sets, one by one, for those that are frequent", 60, "random tables")
ARGUMENTS: dict[str, Any] = {"baskets": GROCERIES.held, "min_support": 0.3}


def test_the_frequent_sets_are_those_that_are_found_one_by_one() -> None:
    for case in range(SETS.cases):
        baskets, items, least, _ = random_baskets(case)
        end = list(apriori(baskets, min_support=least, items=items))[-1]
        supports = {S: support(baskets, S) for S in every_set(items)}
        wanted = {S: s for S, s in supports.items() if s >= least - 1e-9 and s > 0}
        assert end.itemsets == wanted
        assert end.event == "finished"


def test_a_candidate_is_pruned_exactly_if_a_part_is_infrequent() -> None:
    for case in range(60):
        baskets, items, least, _ = random_baskets(case)
        columns, _ = inverted_index(baskets, items)
        steps = list(apriori(baskets, min_support=least, items=items))
        frequent, pruned = steps[-1].frequent, dict(steps[-1].pruned)
        for step in steps[1:]:
            S = step.candidate
            parts = [part for part in combinations(S, len(S) - 1) if part]
            assert (S in pruned) == any(part not in frequent for part in parts)
            if S in pruned:
                part = pruned[S]
                assert set(part) < set(S) and count(columns, part) < step.least
                assert part in dict(step.counts)
        assert len({step.candidate for step in steps}) == len(steps)


def test_the_textbook_counts_two_of_six_candidates_of_three_items() -> None:
    steps = list(apriori(TEXTBOOK.held, min_support=2 / 9, items=TEXTBOOK.items))
    counts = dict(steps[-1].counts)
    assert [counts[j,] for j in range(5)] == [6, 7, 6, 2, 2]
    pairs = {pair: counts[pair] for pair in combinations(range(5), 2)}
    assert list(pairs.values()) == [4, 4, 1, 2, 4, 2, 2, 0, 1, 0]
    assert {S: n for S, n in counts.items() if len(S) > 2} == {(0, 1, 2): 2, (0, 1, 4): 2}
    pruned = dict(steps[-1].pruned)
    assert set(pruned) == {(0, 2, 4), (1, 2, 3), (1, 2, 4), (1, 3, 4), (0, 1, 2, 4)}
    assert [step.event for step in steps].count("level complete") == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"min_support": 1.5}, "min_support must be a share"),
        ({"min_support": float("nan")}, "min_support must be a share"),
        ({"min_confidence": -0.1}, "min_confidence must be a share"),
        ({"baskets": []}, "must hold 1 to 15 items"),
        ({"baskets": [(), ()]}, "must hold 1 to 15 items"),
        ({"baskets": [range(16)]}, "must hold 1 to 15 items"),
        ({"items": ["bread"]}, "hold every item"),
        ({"items": [*GROCERIES.items, "tea"]}, "must be different"),
    ],
)
def test_a_bad_argument_is_refused_at_the_call(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        apriori(**ARGUMENTS | change)
