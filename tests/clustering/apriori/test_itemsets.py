"""What the captions of the lattice say of the minimum support."""

import pytest

from algorithms.clustering.apriori.apriori import apriori
from algorithms.clustering.apriori.examples import GROCERIES
from viz.clustering.apriori.itemsets import Itemsets
from viz.core.scene import Run


@pytest.mark.parametrize(
    ("least", "told"),
    [(0.3, "0.3."), (0.25, "0.25 (3 of 10 baskets)."), (0.05, "0.05 (1 of 10 baskets).")],
)
def test_the_caption_has_the_minimum_that_is_set(least: float, told: str) -> None:
    steps = list(apriori(GROCERIES.held, min_support=least, items=GROCERIES.items))
    shown = Itemsets(Run("", steps), GROCERIES, least, 0)
    captions = [shown.caption(now) for now in range(1, len(steps))]
    said = [caption for caption in captions if "the minimum of" in caption]
    assert len(said) >= len(steps) - 2 and all(f"the minimum of {told}" in each for each in said)
