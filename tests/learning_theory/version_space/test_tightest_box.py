"""The error of the tightest box, its bound, and the number of samples."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.learning_theory.version_space.candidate_elimination import holds
from algorithms.learning_theory.version_space.tightest_box import (
    DISTRIBUTIONS,
    bound,
    probability,
    samples_needed,
    share_above,
    strips,
    tightest_boxes,
)
from tests.house.checked import Checked

FRESH = Checked(
    "version_space",
    "The share of 200,000 fresh points between both boxes, for the error",
    12,
    "boxes",
    within=1e-2,
)
TRUTH = np.array([[-1.5, 1.0], [-1.0, 1.5]])
ARGUMENTS = {"truth": TRUTH, "m": 20}


@pytest.mark.thorough
def test_the_error_is_the_share_of_fresh_points_between_both_boxes() -> None:
    names = list(DISTRIBUTIONS)
    for case in range(FRESH.cases):
        name = names[case % 3]
        rng = np.random.default_rng([case, 4])
        step = last(tightest_boxes(TRUTH, 5 + 5 * case, rng=rng, distribution=name, repetitions=1))
        X = DISTRIBUTIONS[name].inverse(rng.random((200_000, 2)))
        wrong = holds(TRUTH, X) & ~(False if step.box is None else holds(step.box, X))
        assert step.error == pytest.approx(wrong.mean(), abs=FRESH.within)
        assert step.error <= step.strips.sum() + 1e-12


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_distribution_and_its_inverse_belong_together(name: str) -> None:
    p = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(DISTRIBUTIONS[name].below(DISTRIBUTIONS[name].inverse(p)), p)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_bound_holds_and_the_curve_is_that_of_the_steps(name: str) -> None:
    sizes = np.array([1.0, 20.0, 60.0, 120.0])
    found = share_above(TRUTH, sizes, rng=np.random.default_rng(0), eps=0.1, distribution=name)
    spread = 3 / np.sqrt(400)  # six standard deviations of a share at most
    for m, share in zip(sizes, found.shares, strict=True):
        assert share <= min(bound(0.1, int(m)), 1) + spread
    assert (np.diff(found.shares) <= 0).all()
    steps = last(
        tightest_boxes(TRUTH, 60, rng=np.random.default_rng(9), distribution=name, repetitions=400)
    )
    assert (steps.errors > 0.1).mean() == pytest.approx(found.shares[2], abs=2 * spread)


def test_samples_needed() -> None:
    for eps, delta in ((0.1, 0.05), (0.02, 0.01), (0.5, 0.5)):
        m = samples_needed(eps, delta)
        assert 4 * np.exp(-eps * m / 4) <= delta < 4 * np.exp(-eps * (m - 1) / 4)
        assert bound(eps, m) <= delta


def test_without_a_positive_sample_all_of_the_truth_is_missed() -> None:
    tiny = np.array([[2.9, 2.95], [2.9, 2.95]])
    step = last(tightest_boxes(tiny, 1, rng=np.random.default_rng(0), repetitions=1))
    drawn_by = DISTRIBUTIONS["uniform"]
    assert step.box is None and step.error == probability(tiny, drawn_by)
    np.testing.assert_allclose(strips(tiny, None, drawn_by), step.error)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: tightest_boxes(TRUTH[:, ::-1], 5, rng=np.random.default_rng(0)), "low < high"),
        (lambda: tightest_boxes(TRUTH, 0, rng=np.random.default_rng(0)), "m must"),
        (lambda: tightest_boxes(TRUTH, 5, rng=np.random.default_rng(0), eps=0), "eps"),
    ],
)
def test_bad_input_is_named_at_the_call(as_in_the_app, call, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
