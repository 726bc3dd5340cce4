from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from algorithms.core.agreement import disagree, renumbered, renumbering

LABELS = arrays(int, 12, elements=st.integers(0, 3))


@given(first=LABELS, second=LABELS)
def test_no_other_pairing_leaves_fewer_different(first, second) -> None:
    names = range(4)
    fewest = min(int(np.sum(first != np.array(to)[second])) for to in permutations(names))
    assert disagree(first, second).sum() == fewest


@given(labels=LABELS, to=st.permutations(range(4)))
def test_other_numbers_for_the_same_groups_agree(labels, to) -> None:
    assert not disagree(labels, np.array(to)[labels]).any()


def test_a_group_without_a_partner_is_one_of_its_own_and_noise_stays_noise() -> None:
    first = np.array([0, 0, 1, 1, -1])
    second = np.array([7, 7, 5, 3, -1])
    numbers = renumbering(first, second)
    assert (numbers[7], numbers[-1]) == (0, -1)
    assert sorted([numbers[5], numbers[3]])[0] == 1 and max(numbers.values()) > 7
    assert disagree(first, second).sum() == 1
    assert disagree(np.array([0, 0]), np.array([-1, 0])).tolist() == [True, False]
    assert renumbered(np.array([9]), numbers).tolist() == [-2]
    assert not disagree(np.empty(0, int), np.empty(0, int)).any()
