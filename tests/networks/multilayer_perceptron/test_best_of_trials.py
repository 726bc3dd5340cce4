"""The best of m trials, against all sets of m trials and all orders of them, one by one."""

from itertools import combinations, permutations

import numpy as np
import pytest

from algorithms.networks.multilayer_perceptron.best_of_trials import best_of_trials, means_of_best
from algorithms.networks.multilayer_perceptron.settings_search import settings_search
from tests.core.samples import labelled, rng
from tests.house.checked import Checked

ALL_SETS = Checked(
    "multilayer_perceptron",
    "All sets of $m$ of $M$ trials one by one, for $E^*(m)$ and $T^*(m)$",
    360,
    "cases, with equal errors and without",
    1e-12,
)


def one_by_one(E: np.ndarray, T: np.ndarray, m: int) -> tuple[float, float]:
    """Return the means over all sets of m trials; of equally good ones, the mean of their T."""
    best = []
    for chosen in map(list, combinations(range(len(E)), m)):
        lowest = E[chosen].min()
        best.append((lowest, T[chosen][E[chosen] == lowest].mean()))
    validation, test = np.mean(best, axis=0)
    return validation, test


def test_the_means_are_those_over_all_sets() -> None:
    sizes = range(1, 9)
    for sample in range(ALL_SETS.cases // sum(sizes)):
        for M in sizes:
            draw = rng(1000 * sample + M)
            E = draw.integers(4, size=M) / 4 if sample % 2 else draw.random(M)
            T = draw.random(M)
            ours = np.column_stack([means_of_best(E, E), means_of_best(E, T)])
            theirs = [one_by_one(E, T, m) for m in range(1, M + 1)]
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=ALL_SETS.within or 0)


def test_equally_good_trials_are_taken_as_the_orders_bring_them() -> None:
    """The search takes the first of the lowest: over all orders, that is their mean."""
    E, T = np.array([0.2, 0.1, 0.1, 0.3, 0.1]), np.array([0.5, 0.1, 0.9, 0.2, 0.4])
    found = np.zeros((120, 5))
    for row, order in enumerate(map(list, permutations(range(5)))):
        for m in range(1, 6):
            first = order[:m][int(E[order[:m]].argmin())]
            found[row, m - 1] = T[first]
    np.testing.assert_allclose(means_of_best(E, T), found.mean(axis=0), rtol=0, atol=1e-12)


def test_of_a_search_it_counts_the_test_points_and_never_rises_on_the_others() -> None:
    X, y = labelled("moons", 150, sample=4, noise=0.4)
    part = rng(5).integers(3, size=150)  # 0 learns, 1 judges, 2 is the test
    given = part < 2
    steps = list(
        settings_search(X[given], y[given], held_out=part[given] == 1, plan="random", rng=rng())
    )
    found, end = best_of_trials(steps, X[~given], y[~given]), steps[-1]
    assert found.test is not None and found.wrong is not None
    assert found.validation[0] == pytest.approx(end.wrong.mean() / end.judges)
    assert found.validation[-1] == pytest.approx(end.error)
    assert (np.diff(found.validation) <= 1e-15).all()
    for m, step in enumerate(steps):
        newest = end.networks[m].predict(end.features(X[~given])) != y[~given]
        assert found.wrong[m] == np.count_nonzero(newest)
        assert found.wrong[step.best] == np.count_nonzero(step.predict(X[~given]) != y[~given])
    assert found.test[0] == pytest.approx(found.wrong.mean() / found.n)
    assert found.n == np.count_nonzero(~given)


def test_without_test_points_there_is_no_test_error() -> None:
    X, y = labelled("moons", 40)
    steps = list(settings_search(X, y, held_out=np.arange(40) % 3 == 0, per_axis=2, rng=rng()))
    found = best_of_trials(steps, X[:0], y[:0])
    assert (found.test, found.wrong, found.n) == (None, None, 0)
