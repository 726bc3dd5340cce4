import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from algorithms.classification.neighbors.leave_one_out import leave_one_out
from algorithms.classification.neighbors.nearest_neighbors import (
    METRICS,
    WEIGHTS,
    nearest_neighbors,
)
from algorithms.core.record import last
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

PRESETS = ["blobs", "moons", "outlier", "row", "spirals"]
SCIKIT_LEARN = Checked(
    "k_nearest_neighbors",
    "scikit-learn, with each point left out, for six values of k",
    30,
    "data sets",
)
ONE_BY_ONE = Checked(
    "k_nearest_neighbors",
    "One model of the others per point left out, on a lattice full of tied distances",
    12,
    "runs",
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    data = dataset(PRESETS[case % 5], 60, sample=case // 15, noise=0.5)
    metric, weights = METRICS[case % 3], WEIGHTS[case % 2]
    how = {"equal": "uniform", "by distance": "distance"}[weights]
    steps = check_steps(leave_one_out(data.X, data.labels, weights=weights, metric=metric))
    assert [step.k for step in steps] == list(range(1, 51))
    for step in [*steps[:4], steps[14], steps[-1]]:
        theirs = KNeighborsClassifier(step.k, weights=how, metric=metric, algorithm="brute")
        said = theirs.fit(data.X, data.labels).predict(None)  # no point is its own neighbour
        np.testing.assert_array_equal(step.wrong, said != data.labels)
        own = theirs.predict(data.X)
        assert step.training_wrong == np.count_nonzero(own != data.labels)
        np.testing.assert_array_equal(step.predict(data.X), own)


def lattice(seed: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.repeat(np.indices((4, 4)).reshape(2, -1).T.astype(float), 2, axis=0)
    return X, np.random.default_rng(seed).integers(2, size=len(X))


@pytest.mark.parametrize("case", range(ONE_BY_ONE.cases))
def test_is_what_the_model_of_the_others_says_even_among_equals(case: int) -> None:
    (X, y), metric = lattice(case // 3), METRICS[case % 3]
    steps = check_steps(leave_one_out(X, y, most=9, metric=metric))
    for step in steps:
        wrong, tied = [], 0
        for i in range(len(X)):
            rest = np.arange(len(X)) != i
            model = last(nearest_neighbors(X[rest], y[rest], k=step.k, metric=metric))
            wrong.append(model.predict(X[i : i + 1])[0] != y[i])
            tied += _level(model, X[i])
        np.testing.assert_array_equal(step.wrong, wrong)
        assert step.tied == tied


def _level(model, x: np.ndarray) -> bool:
    votes = model.votes(x[None])[0]
    return bool(votes[0] == votes[1])


def test_the_event_is_at_the_first_k_with_the_lowest_error() -> None:
    data = dataset("moons", 120, noise=0.4)
    steps = list(leave_one_out(data.X, data.labels))
    errors = [step.errors for step in steps]
    assert [i for i, step in enumerate(steps) if step.event] == [errors.index(min(errors))]
    assert all(step.tied == 0 for step in steps[::2]), "two classes, an odd k"
    assert any(step.tied for step in steps[1::2])


def test_training_error_cannot_choose() -> None:
    data = dataset("moons", 120, noise=0.4)
    assert next(leave_one_out(data.X, data.labels)).training_wrong == 0
    weighted = list(leave_one_out(data.X, data.labels, weights="by distance"))
    assert all(step.training_wrong == 0 for step in weighted)


@pytest.mark.parametrize("n", [2, 3, 70])
def test_many_points_at_one_place(n: int) -> None:
    y = np.arange(n) % 2
    with AsInTheApp():
        steps = check_steps(leave_one_out(np.ones((n, 2)), y))
    assert len(steps) == min(50, n - 1)
    for step in steps:
        first = [np.delete(y, i)[: step.k] for i in range(n)]  # of equals the first ones
        said = np.array([np.bincount(votes, minlength=2).argmax() for votes in first])
        np.testing.assert_array_equal(step.wrong, said != y)


def test_bad_arguments_are_refused_at_the_call() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="most must be at least 1, got most=0"):
        leave_one_out(np.eye(2), np.array([0, 1]), most=0)
