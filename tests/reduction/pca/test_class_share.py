import numpy as np
import pytest
from sklearn.feature_selection import f_classif

from algorithms.data.presets import DATASETS
from algorithms.reduction.pca.class_share import class_share


@pytest.mark.parametrize("name", ["iris", "penguins", "parallel", "blobs"])
def test_the_share_is_that_of_the_analysis_of_variance(name: str) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    n, k = len(data.table), len(data.classes)
    f, _ = f_classif(data.table, data.labels)
    ratio = f * (k - 1) / (n - k)  # between over within
    np.testing.assert_allclose(class_share(data.table, data.labels), ratio / (1 + ratio))


def test_special_cases() -> None:
    Z, labels = np.array([[1.0, 0.0, 5], [1, 1, 5], [2, 0, 5], [2, 1, 5]]), np.array([0, 0, 3, 3])
    np.testing.assert_allclose(class_share(Z, labels), [1, 0, 0])
    np.testing.assert_allclose(class_share(Z, np.zeros(4, int)), 0)
