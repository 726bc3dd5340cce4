import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from algorithms.classification.neighbors.nearest_neighbors import nearest_neighbors
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.house.check_steps import AsInTheApp, check_model, check_steps

PRESETS = ["blobs", "moons", "outlier", "row", "spirals", "xor"]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("k", [1, 2, 5, 15])
def test_agrees_with_scikit_learn(name: str, k: int) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    ours = last(nearest_neighbors(data.X, data.labels, k=k))
    theirs = KNeighborsClassifier(k).fit(data.X, data.labels)
    cells = np.random.default_rng(1).uniform(data.X.min(0), data.X.max(0), size=(500, 2))
    np.testing.assert_array_equal(ours.neighbors(cells), theirs.kneighbors(cells)[1])
    np.testing.assert_allclose(ours.predict_proba(cells), theirs.predict_proba(cells))
    np.testing.assert_array_equal(ours.predict(cells), theirs.predict(cells))


def test_one_neighbour_is_right_about_itself_and_all_are_the_majority() -> None:
    data = DATASETS["spirals"].make(150, noise=0.5, rng=np.random.default_rng(0))
    y = np.where(np.arange(150) < 70, 4, 1)
    np.testing.assert_array_equal(last(nearest_neighbors(data.X, y, k=1)).predict(data.X), y)
    assert (last(nearest_neighbors(data.X, y, k=150)).predict(data.X) == 1).all()


def test_a_tie_goes_to_the_smaller_class() -> None:
    X, y = np.array([[0.0], [1.0], [5.0]]), np.array([9, 3, 9])
    model = last(nearest_neighbors(X, y, k=2))
    assert model.predict(np.array([[0.1]])) == 3
    np.testing.assert_array_equal(model.predict_proba(np.array([[0.1]])), [[0.5, 0.5]])


def test_hostile_data() -> None:
    with AsInTheApp():
        for X in (np.ones((5000, 2)), np.outer(np.arange(4.0), [1e90, 0.0]), np.eye(2)):
            y = np.arange(len(X)) % 2 * 2
            (step,) = check_steps(nearest_neighbors(X, y, k=2))
            check_model(step, np.concatenate([X, [[1e100, -1e100]]]))
        with pytest.raises(ValueError, match="k must be between 1 and n=2, got k=3"):
            nearest_neighbors(np.eye(2), np.array([0, 1]), k=3)
