import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from algorithms.classification.linear.nearest_mean import nearest_mean
from algorithms.core.record import last
from algorithms.data.presets import DATASETS

PRESETS = ["blobs", "moons", "outlier", "row", "unequal", "iris", "penguins"]


@pytest.mark.parametrize("name", PRESETS)
def test_agrees_with_scikit_learn(name: str) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    ours = last(nearest_mean(data.X, data.labels))
    theirs = NearestCentroid().fit(data.X, data.labels)
    np.testing.assert_allclose(ours.means, theirs.centroids_, rtol=1e-12, atol=1e-12)
    cells = np.random.default_rng(1).uniform(data.X.min(0), data.X.max(0), size=(500, 2))
    np.testing.assert_array_equal(ours.predict(cells), theirs.predict(cells))


def test_border_is_the_perpendicular_bisector() -> None:
    X = np.array([[0.0, 0.0], [0.0, 2.0], [4.0, 3.0]])
    model = last(nearest_mean(X, np.array([3, 3, 8])))
    np.testing.assert_array_equal(model.means, [[0, 1], [4, 3]])
    middle, along, across = np.array([2.0, 2.0]), np.array([4.0, 2.0]), np.array([-2.0, 4.0])
    on_it = middle + np.outer([-3.0, 0.0, 1.5], across)
    np.testing.assert_allclose(model.decision_function(on_it), 0, atol=1e-12)
    sides = middle + np.outer([-0.1, 0.1], along)
    np.testing.assert_array_equal(model.predict(sides), [3, 8])
    # m_k.x - ||m_k||^2 / 2, the difference of the two
    x = np.array([[1.0, -2.0]])
    assert model.decision_function(x)[0] == pytest.approx((4 - 6 - 12.5) - (0 - 2 - 0.5))
