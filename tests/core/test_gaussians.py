import numpy as np

from algorithms.core.gaussians import inverse_roots
from algorithms.core.groups import group_sums


def test_roots_are_those_of_the_inverse() -> None:
    rng = np.random.default_rng(0)
    spreads = rng.normal(size=(5, 3, 3)) * [1.0, 1e-3, 1e4]
    covariances = spreads.swapaxes(1, 2) @ spreads
    roots, singular = inverse_roots(covariances, np.full(3, 1e-12))
    assert not singular.any()
    for root, covariance in zip(roots, covariances, strict=True):
        spread = np.sqrt(np.diag(covariance))
        condition = np.linalg.cond(covariance / np.outer(spread, spread))
        rounding = 9 * np.finfo(float).eps * condition  # d^2 products, magnified by the inverse
        np.testing.assert_allclose(root @ covariance @ root.T, np.eye(3), rtol=0, atol=rounding)
        np.testing.assert_array_equal(np.triu(root, 1), 0)


def test_singular_ones_are_named() -> None:
    line, flat, fine = np.ones((2, 2)), np.diag([1.0, 0.0]), np.diag([1.0, 4.0])
    _, singular = inverse_roots(np.array([line, flat, fine]), np.full(2, 1e-12))
    assert singular.tolist() == [True, True, False]


def test_group_sums_add_up_the_rows_of_every_group() -> None:
    values, codes = np.arange(10.0).reshape(5, 2), np.array([0, 2, 0, 2, 2])
    assert group_sums(values, codes, 4).tolist() == [[4, 6], [0, 0], [16, 19], [0, 0]]
