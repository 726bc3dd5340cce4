"""Sine waves: one frequency for every labelling."""

import numpy as np
import pytest

from algorithms.learning_theory.vc_dimension.sine_waves import sine_waves

ARGUMENTS = {"n": 4}


@pytest.mark.parametrize("n", range(1, 7))
def test_a_sine_realises_every_labelling(n: int) -> None:
    steps = list(sine_waves(n))
    assert len({tuple(step.labels) for step in steps}) == 2**n
    for step in steps:
        np.testing.assert_array_equal(step.predict(step.x[:, None]), step.labels)
    multiples = sorted(step.frequency / np.pi for step in steps)
    np.testing.assert_allclose(multiples, 2 * np.arange(2**n) + 1)
