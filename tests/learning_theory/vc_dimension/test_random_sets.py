"""Random sets of points: each is counted as `shatters` counts it."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.learning_theory.vc_dimension.hypotheses import BOXES, HYPOTHESES
from algorithms.learning_theory.vc_dimension.random_sets import PLACES, random_sets
from algorithms.learning_theory.vc_dimension.shattering import shatters

ARGUMENTS = {"hypotheses": BOXES, "n": 3}


@pytest.mark.parametrize("places", PLACES)
def test_random_sets_count_what_shatters_finds(places: str) -> None:
    for hypotheses in HYPOTHESES:
        steps = list(
            random_sets(hypotheses, 4, rng=np.random.default_rng(3), sets=10, places=places)
        )
        for i, step in enumerate(steps):
            end = last(shatters(step.X, hypotheses))
            np.testing.assert_array_equal(step.realized, end.realized)
            assert step.counts[i] == end.realized.sum()
        assert steps[-1].shattered == sum(step.realized.all() for step in steps)
