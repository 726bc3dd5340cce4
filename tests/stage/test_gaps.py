import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.stage.drawn import gaps
from tests.core.figures import unpacked


@pytest.mark.parametrize("steps", [[], [0], [254], [255], [0, 1, 256, 511, 1200, 40_000]])
def test_ascending_numbers_come_back_from_their_gaps(steps: list[int]) -> None:
    np.testing.assert_array_equal(unpacked(gaps(np.array(steps, int))), steps)


@given(st.sets(st.integers(0, 3000), max_size=60))
def test_any_ascending_numbers_come_back(steps: set[int]) -> None:
    np.testing.assert_array_equal(unpacked(gaps(np.array(sorted(steps), int))), sorted(steps))


def test_near_steps_take_a_byte_each() -> None:
    assert len(gaps(np.arange(0, 50_000, 2))["bdata"]) < 1.4 * 25_000
