import numpy as np
import pytest
from scipy.special import expit
from scipy.special import softmax as theirs

from algorithms.core.scores import highest, one_for_two, probabilities, softmax

CLASSES = np.array([3, 5, 8])


def test_the_highest_score_decides_the_smaller_class_in_a_tie() -> None:
    scores = np.array([[1.0, 2.0, 0.0], [1.0, 1.0, 1.0], [0.0, 4.0, 4.0]])
    assert highest(scores, CLASSES).tolist() == [5, 3, 5]
    assert highest(np.array([-1.0, 0.0, 1e-300]), CLASSES[:2]).tolist() == [3, 3, 5]


def test_two_classes_have_one_score() -> None:
    scores = np.random.default_rng(0).normal(size=(20, 2))
    one = one_for_two(scores)
    np.testing.assert_array_equal(one, scores[:, 1] - scores[:, 0])
    np.testing.assert_array_equal(highest(one, CLASSES[:2]), highest(scores, CLASSES[:2]))
    three = np.ones((4, 3))
    assert one_for_two(three) is three


@pytest.mark.parametrize("size", [1.0, 30.0, 1e5])
def test_probabilities_are_scipys(size: float) -> None:
    scores = size * np.random.default_rng(1).normal(size=(20, 3))
    np.testing.assert_allclose(probabilities(scores), theirs(scores, axis=1), rtol=1e-10)
    both = probabilities(scores[:, 0])
    np.testing.assert_allclose(both[:, 1], expit(scores[:, 0]))
    np.testing.assert_allclose(both.sum(axis=1), 1)


def test_softmax_gives_the_logarithm_of_the_sum_too() -> None:
    scores = np.random.default_rng(2).normal(size=(3, 7))
    _, top, total = softmax(scores)
    np.testing.assert_allclose(top + np.log(total), np.log(np.exp(scores).sum(axis=0)))
