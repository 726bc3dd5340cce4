from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.record import Record, frozen, last


@dataclass(frozen=True, eq=False)
class Step(Record):
    values: ndarray
    name: str = "step"


def test_arrays_are_private_copies() -> None:
    values = np.arange(6.0).reshape(2, 3)
    step = Step(values[:, 1:])
    values[:] = 9
    np.testing.assert_array_equal(step.values, [[1, 2], [4, 5]])


def test_arrays_are_read_only_and_fields_frozen() -> None:
    step = Step(np.zeros(2))
    with pytest.raises(ValueError, match="read-only"):
        step.values[0] = 1
    with pytest.raises(FrozenInstanceError):
        step.name = "other"  # type: ignore[misc]


def test_the_given_array_stays_writable() -> None:
    values = np.zeros(2)
    Step(values)
    values[0] = 1


def test_an_array_of_another_step_is_shared_but_a_view_is_not() -> None:
    first = Step(np.arange(3.0))
    assert Step(first.values).values is first.values
    values = np.arange(3.0)
    view = values[:]
    view.flags.writeable = False
    step = Step(view)
    values[:] = 9
    assert step.values.tolist() == [0, 1, 2]


def test_other_fields_stay_as_they_are() -> None:
    assert Step(np.zeros(1), "a").name == "a"


def test_frozen_is_a_copy_that_steps_share() -> None:
    values = np.arange(6.0).reshape(2, 3).T
    array = frozen(values)
    values[:] = 9
    assert array.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert array.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    assert Step(array).values is array
    assert frozen([1, 2]).tolist() == [1, 2]


def test_last_is_the_final_step() -> None:
    assert last(iter([1, 2, 3])) == 3
    with pytest.raises(IndexError):
        last([])
