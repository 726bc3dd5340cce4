import numpy as np
import pytest
from sklearn.decomposition import PCA

from algorithms.reduction.pca.denoising import denoising
from algorithms.reduction.pca.pca import pca
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_steps, same

ARGUMENTS = {"amount": 0.3}


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("name", ["iris", "correlated", "diabetes", "moons", "penguins"])
def test_errors_are_those_of_the_reconstructions(name: str, standardize: bool) -> None:
    clean = dataset(name, 80, noise=0.0).table
    steps = check_steps(denoising(clean, 0.3, rng=rng(1), standardize=standardize))
    noisy = steps[0].noisy
    scale = noisy.std(axis=0, ddof=1) if standardize else np.ones(noisy.shape[1])
    slack = 1e-9 * steps[0].total
    for k in range(1, len(steps)):
        few = PCA(k, svd_solver="full").fit(noisy / scale)
        back = few.inverse_transform(few.transform(noisy / scale))
        np.testing.assert_allclose(steps[k].reconstruct(noisy) / scale, back, atol=1e-6)
        for found, truth in ((steps[k].error, noisy), (steps[k].clean_error, clean)):
            expected = ((truth / scale - back) ** 2).sum() / 79
            assert found == pytest.approx(expected, abs=slack)


def test_without_noise_it_is_pca() -> None:
    X = dataset("iris", 150, noise=0.0).table
    steps = list(denoising(X, 0.0, rng=rng(), standardize=True, target=0.8))
    plain = list(pca(X, standardize=True, target=0.8))
    assert all(map(same, plain, steps)) and len(plain) == len(steps)
    np.testing.assert_array_equal(steps[0].noisy, X)
    for step in steps:
        assert step.clean_error == pytest.approx(step.error, abs=1e-12)


def test_a_few_components_are_nearer_to_the_clean_points_than_the_noisy_ones_are() -> None:
    clean = dataset("correlated", 300, noise=0.0).table
    errors = [s.clean_error for s in denoising(clean, 0.5, rng=rng(1), standardize=True)]
    best = int(np.argmin(errors))
    assert 0 < best < 7
    assert errors[best] < 0.7 * errors[-1]


def test_noise_is_in_standard_deviations_of_each_column() -> None:
    X = rng().normal(size=(20_000, 2)) * [1, 100]
    added = next(iter(denoising(X, 0.5, rng=rng(1)))).noisy - X
    np.testing.assert_allclose(added.std(axis=0), [0.5, 50], rtol=0.03)
    with AsInTheApp(), pytest.raises(ValueError, match="amount"):
        denoising(X, -1.0, rng=rng())
