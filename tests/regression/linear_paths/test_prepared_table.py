from dataclasses import replace

import numpy as np
import pytest
from numpy import ndarray

from algorithms.regression.linear_paths.prepared_table import (
    FeatureChoice,
    PreparedTable,
    prepared_table,
)
from tests.core.samples import dataset


def make(name: str, *, x: int | None = None, **changes) -> tuple[ndarray, PreparedTable]:
    data = dataset(name, 60, noise=0.2)
    data = replace(data, x=data.x if x is None else x)
    others = tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))
    choice = replace(FeatureChoice(others, count=3), **changes)
    rng = np.random.default_rng(5)
    return data.table, prepared_table(data, choice, share=0.3, rng=rng, window=(-4.0, 4.0))


def test_the_features_of_a_table_are_its_columns() -> None:
    table, found = make("correlated")
    assert found.names == ("x1", "x2", "x3", "x4", "x5", "x6")
    assert not found.curve
    np.testing.assert_array_equal(found.y, table[:, 6])
    X, y = found.training
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)
    assert len(y) + len(found.validation[1]) == 60
    training = table[~found.held_out, :6]
    expected = (table[:, :6] - training.mean(axis=0)) / training.std(axis=0)
    np.testing.assert_allclose(found.X, expected)
    np.testing.assert_allclose(found.line[:, 1:], 0, atol=1e-12)  # all else at its mean
    first = (found.line_x - training[:, 0].mean()) / training[:, 0].std()
    np.testing.assert_allclose(found.line[:, 0], first)


def test_two_columns_of_a_table_in_its_order() -> None:
    table, found = make("correlated", x=4, others=(1,), standardize=False)
    assert found.names == ("x2", "x5")
    np.testing.assert_allclose(found.X, table[:, [1, 4]])
    np.testing.assert_allclose(found.line[:, 1], found.line_x)


@pytest.mark.parametrize("basis", ["polynomial", "Gaussian", "Fourier"])
def test_the_features_of_one_column_are_a_basis(basis: str) -> None:
    table, found = make("sine", basis=basis, count=4)
    assert found.curve and len(found.names) == 4
    assert found.X.shape == (60, 4) and found.line.shape == (len(found.line_x), 4)
    np.testing.assert_allclose(found.training[0].mean(axis=0), 0, atol=1e-12)
    nearest = np.abs(found.line_x - table[0, 0]).argmin()
    np.testing.assert_allclose(found.line[nearest], found.X[0], atol=0.3)


def test_an_unknown_basis() -> None:
    with pytest.raises(ValueError, match="must be one of 'polynomial', 'Gaussian', 'Fourier'"):
        make("sine", basis="wavelets")


def test_the_first_two_points_stay_and_more_points_change_no_lot() -> None:
    def lots(n: int, share: float) -> ndarray:
        data = dataset("sine", n, noise=0.2)
        choice, rng = FeatureChoice(basis="Fourier"), np.random.default_rng(1)
        return prepared_table(data, choice, share=share, rng=rng, window=(-4.0, 4.0)).held_out

    held = lots(1000, 0.3)
    assert 0.26 < held.mean() < 0.34 and not held[:2].any()
    np.testing.assert_array_equal(lots(900, 0.3), held[:900])
    assert not lots(50, 0.0).any()
    assert lots(1, 0.6).tolist() == [False]
