from itertools import pairwise

import numpy as np
import pytest

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    gaussian_discriminant,
)
from algorithms.classification.gaussian_discriminant.learning_curves import SIZES, learning_curves
from algorithms.core.record import last
from tests.classification.gaussian_discriminant.test_gaussian_discriminant import mixture, preset
from tests.house.check_steps import AsInTheApp, check_steps


def curves(X: np.ndarray, y: np.ndarray, seed: int = 0, **how) -> list:
    return check_steps(learning_curves(X, y, rng=np.random.default_rng(seed), **how))


@pytest.mark.parametrize("name", ["iris", "moons", "unequal"])
def test_errors_are_those_on_the_points_not_learned_from(name: str) -> None:
    X, y = preset(name)
    steps = curves(X, y, draws=4, ridge=0.1)
    assert len(steps) <= SIZES
    sizes = [step.size for step in steps]
    assert sizes == sorted(set(sizes))
    assert (sizes[0], sizes[-1]) == (2 * len(np.unique(y)), len(X) // 2)
    for step in steps:
        assert step.errors.shape == (4, 3)
        assert len(step.learned) == len(np.unique(step.learned)) == step.size
        assert np.unique(y[step.learned], return_counts=True)[1].min() >= 2
        others = np.setdiff1d(np.arange(len(X)), step.learned)
        for place, (kind, model) in enumerate(zip(COVARIANCES, step.models, strict=True)):
            own = step.learned
            again = last(gaussian_discriminant(X[own], y[own], covariance=kind, ridge=0.1))
            np.testing.assert_allclose(model.means, again.means)
            np.testing.assert_allclose(model.covariances, again.covariances, atol=1e-12)
            share = model.mistakes(X[others], y[others]) / len(others)
            assert step.errors[0, place] == pytest.approx(share)


def test_the_points_of_one_size_are_among_those_of_the_next() -> None:
    X, y = preset("iris")
    steps = curves(X, y, draws=2)
    for before, after in pairwise(steps):
        assert np.isin(before.learned, after.learned).all()


def test_an_event_where_another_kind_is_best() -> None:
    X, y = preset("iris")
    steps = curves(X[:, -2:], y, seed=1)
    best = [int(step.errors.mean(axis=0).argmin()) for step in steps]
    assert best == [step.best for step in steps]
    changed = [None] + [
        "another is best" if now != before else None for before, now in pairwise(best)
    ]
    assert [step.event for step in steps] == changed
    assert any(changed)


def test_draws_are_won_by_the_kind_with_fewer_errors() -> None:
    for step in curves(*preset("iris"), draws=6):
        np.testing.assert_allclose(step.mean_errors, step.errors.mean(axis=0))
        assert step.best == np.argmin(step.mean_errors)
        _, separate, diagonal = step.errors.T
        won = (diagonal < separate).sum(), (diagonal > separate).sum()
        assert step.draws_won("diagonal", "separate") == won


def test_kinds_are_alike_within_two_standard_errors_of_their_difference() -> None:
    for step in curves(*preset("iris"), draws=6):
        for kind, errors in enumerate(step.errors.T):
            d = errors - step.errors[:, step.best]
            near = d.mean() <= 2 * np.std(d, ddof=1) / np.sqrt(6) + 1e-15
            assert (kind in step.alike) == near


@pytest.mark.thorough
def test_the_draws_agree_with_many_more_of_them() -> None:
    X, y = preset("unequal")
    few = [step.errors.mean(axis=0) for step in curves(X, y, seed=1)]
    many = curves(X, y, seed=2, draws=300)
    for mean, step in zip(few, many, strict=True):
        off = 4 * step.errors.std(axis=0) * np.sqrt(1 / 30 + 1 / 300)
        assert (np.abs(mean - step.errors.mean(axis=0)) <= off + 1e-3).all()


@pytest.mark.parametrize("n", [5, 6, 9])
def test_as_few_points_as_can_be(n: int) -> None:
    X, y = mixture(n, 2, 2, 0)
    steps = curves(X, y, draws=3)
    assert [step.size for step in steps] == [4]


def test_a_class_of_one_point_is_always_learned_from() -> None:
    X, y = mixture(30, 2, 2, 0)
    y = np.where(np.arange(30) == 7, 5, 0)
    assert all(7 in step.learned for step in curves(X, y, draws=2))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"draws": 0}, "draws must be at least 1, got draws=0"),
        (
            {"X": np.arange(8.0).reshape(4, 2), "y": np.arange(4) % 2},
            "X must hold more than two points for each of 2 classes, to learn from two and test "
            "on the others, got n=4",
        ),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(20.0).reshape(10, 2), "y": np.arange(10) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        learning_curves(**given, rng=np.random.default_rng(0))
    assert str(caught.value) == sentence
