import numpy as np
import pytest

from algorithms.classification.active_learning.active_learning import active_learning
from algorithms.classification.active_learning.starts_compared import (
    Contest,
    asking_rng,
    by_chance,
    errors_from,
    first_labels,
    means,
    starts_compared,
)
from tests.classification.active_learning.test_active_learning import N, sample
from tests.house.check_steps import LABELS, AsInTheApp, check_steps

ARGUMENTS = {
    "held_out": np.arange(len(LABELS)) % 2 == 1, "rule": "margin", "degree": 1, "per_class": 1,
    "max_iter": 3, "starts": 3,
}  # fmt: skip


def test_many_starts_are_single_runs_side_by_side() -> None:
    X, y, held = sample(5)
    given = {"degree": 1, "per_class": 1, "max_iter": 6}
    steps = check_steps(starts_compared(X, y, held, rule="entropy", starts=3, **given))
    assert [len(step.by_rule) for step in steps] == [1, 2, 3]
    for seed in range(3):
        for rule, found in (("entropy", steps[-1].by_rule), ("chance", steps[-1].by_chance)):
            first = first_labels(y, held, 1, seed)
            run = active_learning(
                X, y, first, rng=asking_rng(seed), rule=rule, held_out=held, max_iter=6
            )
            wrong = [int((step.predict(X) != y)[held].sum()) for step in run]
            assert found[seed].tolist() == wrong
    mean = by_chance(Contest(X, y, held, 1, 1, 6), starts=3)
    np.testing.assert_allclose(mean, steps[-1].by_chance.mean(axis=0))
    contest = Contest(X, y, held, 1, 1, 6)
    end = list(starts_compared(X, y, held, rule="entropy", **given))[-1]
    by_both = [end.by_rule.mean(axis=0), end.by_chance.mean(axis=0)]
    np.testing.assert_allclose(means(contest, "entropy"), by_both)
    np.testing.assert_allclose(means(contest, "chance"), 2 * by_both[1:])
    nobody, first = np.zeros(N, bool), first_labels(y, np.zeros(N, bool), 1, 0)
    run = list(active_learning(X, y, first, rng=asking_rng(0), max_iter=2))
    everywhere = [int((step.predict(X) != y).sum()) for step in run]
    assert errors_from(Contest(X, y, nobody, 1, 1, 2), "margin", 0).tolist() == everywhere


def test_the_first_labels_are_of_every_class_and_never_held_out() -> None:
    _, y, held = sample(6)
    for seed in range(10):
        first = first_labels(y, held, 2, seed)
        assert not held[first].any() and np.bincount(y[first]).tolist() == [2, 2, 2]
    everyone = first_labels(y, held, len(y), 0)
    np.testing.assert_array_equal(everyone, ~held)
    assert len(first_labels(y[:0], held[:0], 1, 0)) == 0


def test_bad_arguments_are_refused_at_the_call() -> None:
    X, y, held = sample(0)
    with AsInTheApp(), pytest.raises(ValueError, match="starts must"):
        starts_compared(X, y, held, rule="margin", degree=1, per_class=1, max_iter=1, starts=0)
