import numpy as np
import pytest

from algorithms.core.kernels import rbf
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.data.presets import DATASETS
from algorithms.regression.support_vector_regression import support_vector_regression
from algorithms.regression.tube_on_plane import tube_on_plane

PLANE = np.ascontiguousarray(DATASETS["sine"].make(40, noise=0.4, rng=np.random.default_rng(0)).X)
ARGUMENTS = {"plane": PLANE}


@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 5e6), (3.0, -100.0)])
def test_on_a_plane_the_unit_does_not_matter(scale: float, shift: float) -> None:
    one = last(tube_on_plane(PLANE, epsilon=0.2, kernel=rbf(1.0)))
    other = last(tube_on_plane(PLANE * scale + shift, epsilon=0.2, kernel=rbf(1.0)))
    np.testing.assert_allclose(other.coefficients, one.coefficients, atol=1e-3)


def test_it_is_the_regression_in_standard_units() -> None:
    u, v = standard(PLANE).transform(PLANE).T
    other = last(support_vector_regression(u[:, None], v, epsilon=0.2, kernel=rbf(1.0)))
    one = last(tube_on_plane(PLANE, epsilon=0.2, kernel=rbf(1.0)))
    np.testing.assert_array_equal(one.coefficients, other.coefficients)
