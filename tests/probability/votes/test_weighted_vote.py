"""The worked vote of the notes."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.probability.weighted_vote import weighted_vote

ARGUMENTS = {
    "posterior": np.array([0.4, 0.3, 0.3]),
    "answers": np.array([True, False, False]),
}


def test_the_vote_of_the_notes() -> None:
    steps = list(weighted_vote(**ARGUMENTS))
    assert [step.minus for step in steps] == pytest.approx([0, 0, 0.3, 0.6], abs=1e-15)
    assert [step.plus for step in steps] == pytest.approx([0, 0.4, 0.4, 0.4], abs=1e-15)


def test_weights_are_divided_by_their_sum() -> None:
    end = last(weighted_vote(5 * ARGUMENTS["posterior"], ARGUMENTS["answers"]))
    assert (end.plus, end.minus) == pytest.approx((0.4, 0.6), abs=1e-15)


@pytest.mark.parametrize("posterior", [np.zeros(3), np.array([-1.0, 1, 1])])
def test_bad_input_is_named_at_the_call(posterior: np.ndarray) -> None:
    with pytest.raises(ValueError, match="posterior"):
        weighted_vote(posterior, ARGUMENTS["answers"])
