"""Rules: all splits one by one, the textbook's six, and a lift that is the same both ways."""

from typing import Any

import pytest

from algorithms.clustering.apriori.apriori import apriori
from algorithms.clustering.apriori.association_rules import association_rules
from algorithms.clustering.apriori.examples import GROCERIES, TEXTBOOK
from tests.clustering.apriori.every_set import every_set, random_baskets, support
from tests.house.checked import Checked

RULES = Checked("apriori", "All splits of all frequent sets, for the rules", 60, "random tables")
ARGUMENTS: dict[str, Any] = {"baskets": GROCERIES.held, "min_support": 0.3, "min_confidence": 0.6}


def test_the_rules_are_those_that_are_found_one_by_one() -> None:
    for case in range(RULES.cases):
        baskets, items, least, confidence = random_baskets(case)
        given = {"min_support": least, "min_confidence": confidence, "items": items}
        wanted = {}
        for S in every_set(items):
            both = support(baskets, S)
            for A in every_set(S):
                sure = both / support(baskets, A) if both else 0
                if A < S and both and both >= least - 1e-9 and sure >= confidence - 1e-9:
                    wanted[A, S - A] = (both, sure)
        end = list(apriori(baskets, **given))[-1]
        found = {(A, B): pytest.approx((both, sure)) for A, B, both, sure in end.rules}
        assert wanted == found and len(end.rules) == len(wanted)
        if wanted:
            last = list(association_rules(baskets, **given))[-1]
            kept = {(end.named(A), end.named(B)) for A, B in last.kept}
            assert kept == wanted.keys() and last.event == "finished"


def test_the_numbers_of_a_step_are_those_of_its_rule() -> None:
    for case in range(30):
        baskets, _, least, _ = random_baskets(case)
        try:
            steps = list(association_rules(baskets, min_support=least, min_confidence=0.5))
        except ValueError:
            continue
        lifts = {}
        for step in steps[1:]:
            A, B = (frozenset(step.items[j] for j in S) for S in step.rule)
            assert step.support == support(baskets, A | B)
            assert step.confidence == pytest.approx(step.support / support(baskets, A))
            assert step.lift == pytest.approx(step.confidence / support(baskets, B))
            lifts[A, B] = step.lift
        assert all(lifts[B, A] == pytest.approx(lift) for (A, B), lift in lifts.items())


def test_the_rules_of_the_textbook() -> None:
    """Han and Kamber's example 5.4: the rules of {I1, I2, I5}."""
    steps = list(
        association_rules(TEXTBOOK.held, min_support=0.2, min_confidence=0.7, items=TEXTBOOK.items)
    )
    found = {
        step.rule: (step.with_both, step.with_antecedent)
        for step in steps
        if sorted(sum(step.rule, ())) == [0, 1, 4]
    }
    assert found == {
        ((0, 1), (4,)): (2, 4), ((0, 4), (1,)): (2, 2), ((1, 4), (0,)): (2, 2),
        ((0,), (1, 4)): (2, 6), ((1,), (0, 4)): (2, 7), ((4,), (0, 1)): (2, 2),
    }  # fmt: skip
    assert {rule for rule in steps[-1].kept if rule in found} == {
        ((0, 4), (1,)), ((1, 4), (0,)), ((4,), (0, 1)),
    }  # fmt: skip


def test_without_a_frequent_pair_there_are_no_rules() -> None:
    with pytest.raises(ValueError, match="choose a lower minimum support"):
        association_rules(**ARGUMENTS | {"min_support": 0.8})
