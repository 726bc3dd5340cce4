"""The modes of the lab; its lesson is apriori.md."""

import numpy as np

from algorithms.clustering.apriori import apriori, association_rules, examples
from algorithms.clustering.apriori.examples import Baskets
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.values import Chosen, some_of
from viz.clustering.apriori.itemsets import Itemsets
from viz.clustering.apriori.rules import Rules

CHANCE = "by chance"
TABLES = {
    "groceries": examples.GROCERIES,
    "textbook": examples.TEXTBOOK,
    "tea and coffee": examples.TEA,
}


def itemsets(lab: Lab) -> Shown:
    """Find the frequent sets of items, level by level."""
    table, edited = ask_baskets(lab)
    support = ask_support(lab)
    run = lab.run_apart(apriori.apriori, table.held, min_support=support, items=table.items)
    return lab.scene(Itemsets, run, table, support, edited, code=apriori)


def rules(lab: Lab) -> Shown:
    """Judge the rules among the frequent sets."""
    table, edited = ask_baskets(lab)
    support = ask_support(lab)
    confidence = lab.slider("confidence", "Minimum confidence (%)", 0, 100, 60, 5) / 100
    run = lab.run_apart(
        association_rules.association_rules, table.held,
        min_support=support, min_confidence=confidence, items=table.items,
    )  # fmt: skip
    return lab.scene(Rules, run, table, confidence, edited, code=association_rules)


def ask_baskets(lab: Lab) -> tuple[Baskets, int]:
    """Ask for a table, and for the items of one basket; return the basket's index, too."""
    name = lab.choice("table", "Baskets", [*TABLES, CHANCE], "groceries")
    if name == CHANCE:
        seed = lab.number("seed", "Seed", 0, 9999, 0)
        table = examples.by_chance(rng=np.random.default_rng(seed))
    else:
        table = TABLES[name]
    edited = lab.slider("basket", "Basket to change", 1, len(table.held), 1)
    held = []
    for i, default in enumerate(table.held, 1):
        label, own = f"Basket {i} holds", f"{name.split()[-1]}{i}"
        if i == edited:
            held.append(tuple(lab.several(own, label, table.items, default)))
        else:
            parse = some_of(table.items)
            held.append(tuple(lab.declare(own, label, Chosen(default), parse)))
    return Baskets(table.items, tuple(held)), edited - 1


def ask_support(lab: Lab) -> float:
    """Ask for the minimum support, as a share."""
    return lab.slider("support", "Minimum support (% of baskets)", 5, 80, 30, 5) / 100


MODES = {"itemsets": itemsets, "rules": rules}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
