"""The search against the lab's own networks, scikit-learn's, and the definition of its settings."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from algorithms.core.features import polynomial_features
from algorithms.core.record import last
from algorithms.networks.multilayer_perceptron import settings_search as algorithm
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_perceptron
from algorithms.networks.multilayer_perceptron.settings_search import SearchStep, settings_search
from algorithms.networks.multilayer_perceptron.start import Start, drawn_start
from tests.core.samples import labelled, rng
from tests.house.check_steps import POINTS, AsInTheApp, same
from tests.house.checked import Checked

ARGUMENTS = {"held_out": np.arange(len(POINTS)) % 4 == 1, "per_axis": 2, "epochs": 3}

THEIRS = Checked(
    "multilayer_perceptron",
    "scikit-learn's `MLPClassifier` from the starts of a search, wrong validation points",
    36,
    "trials",
)


def data(name: str = "moons", n: int = 90, sample: int = 0) -> tuple[ndarray, ...]:
    """Return points, classes, and which points are held out."""
    X, y = labelled(name, n, sample=sample, noise=0.3)
    return X, y, rng(99).random(n) < 0.3


def searched(name: str = "moons", sample: int = 0, seed: int = 0, **how: Any) -> list[SearchStep]:
    """Return the steps of a search."""
    X, y, out = data(name, sample=sample)
    return list(settings_search(X, y, held_out=out, rng=rng(seed), **how))


def starts(step: SearchStep, plan: str, outputs: int, seed: int) -> list:
    """Draw the starts of all trials again: they follow on the settings in the same stream."""
    stream = rng(seed)
    if plan == "random":
        stream.random((2, len(step.units)))
    return [drawn_start(2, (h,), outputs, rng=stream) for h in step.units.tolist()]


def test_every_network_is_that_of_the_labs_own_training_bit_for_bit() -> None:
    samples = [("moons", "grid"), ("blobs", "random"), ("xor", "random")] * 2
    for sample, (name, plan) in enumerate(samples):
        X, y, out = data(name, sample=sample)
        end = searched(name, sample, seed=sample, plan=plan, per_axis=3, epochs=12)[-1]
        F = polynomial_features(X[~out], 1)(X[~out])
        for m, start in enumerate(starts(end, plan, len(np.unique(y)), sample)):
            how: dict[str, Any] = {"hidden": (int(end.units[m]),), "epochs": 12}
            how |= {"learning_rate": float(end.rates[m]), "start": start, "rng": rng()}
            model = last(multilayer_perceptron(F, y[~out], **how))
            assert same(model, end.networks[m])
        assert len(end.networks) == 9


def in_scikit_learn(F: ndarray, y: ndarray, start: Start, rate: float, epochs: int) -> Any:
    """Return scikit-learn's network after a training from our start."""
    how: Any = {"batch_size": len(F), "solver": "sgd"}
    theirs: Any = MLPClassifier(
        [len(b) for _, b in start[:-1]], activation="tanh", alpha=0.0, momentum=0.0,
        learning_rate_init=rate, shuffle=False, **how,
    )  # fmt: skip
    theirs.partial_fit(F, y, classes=np.unique(y))  # makes what is replaced now
    for i, (W, b) in enumerate(start):
        theirs.coefs_[i][:], theirs.intercepts_[i][:] = W, b
    del theirs._optimizer  # which remembers that first update
    for _ in range(epochs):
        theirs.partial_fit(F, y)
    return theirs


def test_the_counts_are_those_of_scikit_learn() -> None:
    """Rates of at most 1: larger ones magnify rounding errors until predictions differ."""
    compared = 0
    for sample in range(THEIRS.cases // 4):
        X, y, out = data("circles", sample=sample)
        end = searched("circles", sample, plan="random", per_axis=4, epochs=20)[-1]
        scaler: Any = StandardScaler().fit(X[~out])
        F, held = scaler.transform(X[~out]), scaler.transform(X[out])
        every = starts(end, "random", 2, 0)
        for m in np.flatnonzero(end.rates <= 1)[:4].tolist():
            model = in_scikit_learn(F, y[~out], every[m], float(end.rates[m]), 20)
            assert np.count_nonzero(model.predict(held) != y[out]) == end.wrong[m]
            compared += 1
    assert compared == THEIRS.cases


def test_the_grid_has_every_pair_and_random_settings_are_all_different_and_even() -> None:
    end = searched(per_axis=5, epochs=1)[-1]
    rates, units = np.unique(end.rates), np.unique(end.units)
    np.testing.assert_allclose(rates, 0.01 * 1000 ** np.linspace(0, 1, 5), rtol=1e-12)
    assert units.tolist() == [1, 2, 4, 8, 16]
    assert {*zip(end.rates, end.units, strict=True)} == {(a, b) for a in rates for b in units}
    settings = [algorithm.settings("random", 10, rng(seed)) for seed in range(30)]
    rates, units = (np.concatenate(each) for each in zip(*settings, strict=True))
    assert len(np.unique(rates)) == 3000 and set(units) == set(range(1, 17))
    u, v = np.log(rates / 0.01) / np.log(1000), np.log(units) / np.log(16)
    for values in (u, v):  # a mean of 3,000 numbers from 0 to 1 has the deviation 0.0053
        assert abs(values.mean() - 0.5) < 4 * 0.0053 and values.min() >= 0 and values.max() <= 1


def test_steps_grow_by_a_trial_and_the_best_is_the_first_of_the_lowest() -> None:
    X, y, out = data()
    for plan in ("grid", "random"):
        steps = searched(plan=plan, per_axis=4, epochs=15, seed=3)
        assert [len(step.wrong) for step in steps] == list(range(1, 17))
        for before, after in pairwise(steps):
            assert before.networks == after.networks[:-1]
            assert (before.wrong == after.wrong[:-1]).all()
            assert (after.event == "best so far") == (after.wrong[-1] < before.wrong.min())
        for step in steps:
            assert step.best == step.wrong.tolist().index(min(step.wrong))
            wrong = np.count_nonzero(step.predict(X[out]) != y[out])
            assert wrong == step.wrong[step.best] == round(step.error * step.judges)
            assert step.judges == np.count_nonzero(out)


def test_the_points_that_judge_change_no_network() -> None:
    X, y, out = data()
    plain = searched(plan="random", per_axis=2)[-1]
    moved = np.where(out[:, None], X[::-1], X)
    other = list(settings_search(moved, y, held_out=out, plan="random", per_axis=2, rng=rng()))[-1]
    for ours, theirs in zip(plain.networks, other.networks, strict=True):
        np.testing.assert_array_equal(ours.weights[0], theirs.weights[0])
    assert (plain.wrong != other.wrong).any()


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"held_out": np.zeros(90, bool)}, "0 of 90 points are held out: both parts"),
        ({"held_out": np.ones(90, bool)}, "90 of 90 points are held out: both parts"),
        ({"held_out": np.zeros(90, int)}, "held_out must be n=90 booleans"),
        ({"held_out": np.zeros(3, bool)}, "held_out must be n=90 booleans"),
        ({"held_out": data()[1] == 1}, "y must name at least two classes among"),
        ({"plan": "all"}, "plan must be one of"),
        ({"per_axis": 1}, "per_axis must be between 2 and 10"),
        ({"epochs": 0}, "epochs must be at least 1"),
    ],
)
def test_bad_input_is_named(how: dict[str, Any], what: str) -> None:
    X, y, out = data()
    with AsInTheApp(), pytest.raises(ValueError, match=what):
        settings_search(X, y, **{"held_out": out, "rng": rng()} | how)
