"""The adjusted Rand index against scikit-learn's, and pair by pair."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import pair_confusion_matrix

from algorithms.clustering.adjusted_rand import adjusted_rand_index, pair_counts
from tests.house.checked import Checked

LABELS = st.integers(1, 16).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-1, 4), min_size=n, max_size=n)] * 2)
)


SCIKIT_LEARN = Checked(
    "clusterings",
    "scikit-learn's `adjusted_rand_score`, and all pairs counted one by one",
    50,
    "random pairs of divisions",
    within=1e-9,
)


@settings(max_examples=SCIKIT_LEARN.cases, deadline=None)
@given(LABELS)
def test_agrees_with_scikit_learn_and_with_counting(both: tuple[list[int], list[int]]) -> None:
    first, second = map(np.array, both)
    index = adjusted_rand_index(first, second)
    assert index == pytest.approx(adjusted_rand_score(first, second), abs=SCIKIT_LEARN.within)
    counts = pair_counts(first, second)
    pairs = list(combinations(range(len(first)), 2))
    same = [(first[i] == first[j], second[i] == second[j]) for i, j in pairs]
    assert counts.pairs == len(pairs)
    assert counts.first == sum(a for a, _ in same)
    assert counts.second == sum(b for _, b in same)
    assert counts.together == sum(a and b for a, b in same)
    assert 2 * counts.together == pair_confusion_matrix(first, second)[1, 1]
    assert index == pytest.approx(adjusted_rand_index(second, 7 - 2 * first)), "names play a part"


def test_chance_gives_zero_on_average() -> None:
    rng = np.random.default_rng(0)
    first, second = np.repeat([0, 1, 2], [30, 20, 10]), np.repeat([0, 1, 2, 3], 15)
    found = [adjusted_rand_index(first, rng.permutation(second)) for _ in range(400)]
    assert abs(np.mean(found)) < 4 * np.std(found) / 20
    together = [pair_counts(first, rng.permutation(second)).together for _ in range(400)]
    expected = pair_counts(first, second).expected
    assert abs(np.mean(together) - expected) < 4 * np.std(together) / 20


def test_the_plain_index_is_high_for_any_two_divisions_into_many_groups() -> None:
    first, second = np.random.default_rng(0).integers(20, size=(2, 200))
    counts = pair_counts(first, second)
    apart = counts.pairs - counts.first - counts.second + counts.together
    assert (counts.together + apart) / counts.pairs > 0.9
    assert abs(counts.adjusted_rand_index) < 0.02


def test_worked_by_hand() -> None:
    """Of 6 pairs 2 share a class, 3 a cluster, 1 both; by chance it would be 1."""
    counts = pair_counts(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 9]))
    assert (counts.pairs, counts.first, counts.second, counts.together) == (6, 2, 3, 1)
    assert (counts.expected, counts.adjusted_rand_index) == (1.0, 0.0)


@pytest.mark.parametrize("labels", [[0], [3, 3, 3], [0, 1, 2]])
def test_a_division_agrees_with_itself(labels: list[int]) -> None:
    assert adjusted_rand_index(np.array(labels), np.array(labels)) == 1
