import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.one_versus_rest import one_versus_rest
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.house.check_steps import check_model, check_steps


def machine(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    found = last(logistic_regression(X, y, penalty=0.01))
    return found.weights[0], float(found.intercepts[0])


ARGUMENTS = {"machine": machine}


@pytest.mark.parametrize("name", ["blobs", "moons", "outlier", "row", "iris", "penguins"])
def test_agrees_with_scikit_learn(name: str) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    X, y = (data.X - data.X.mean(0)) / data.X.std(0), data.labels
    steps = check_steps(one_versus_rest(X, y, machine=machine))
    K = len(np.unique(y))
    assert len(steps) == len(steps[-1].weights) == (1 if K == 2 else K)
    theirs = OneVsRestClassifier(LogisticRegression(C=1 / (0.01 * len(X)), tol=1e-10)).fit(X, y)
    np.testing.assert_allclose(
        steps[-1].decision_function(X), theirs.decision_function(X), atol=1e-3
    )
    clear = np.ptp(np.sort(theirs.predict_proba(X), axis=1)[:, -2:], axis=1) > 1e-3
    np.testing.assert_array_equal(steps[-1].predict(X)[clear], theirs.predict(X)[clear])
    for index, step in enumerate(steps):
        assert step.index == index
        assert not step.weights[index + 1 :].any()
        check_model(step, X)


def test_what_the_machine_refuses_is_passed_on() -> None:
    def refuses(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
        raise ValueError("not these points")

    with pytest.raises(ValueError, match="not these points"):
        list(one_versus_rest(np.eye(3), np.array([0, 1, 2]), machine=refuses))
