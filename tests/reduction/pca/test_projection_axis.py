import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.decomposition import PCA

from algorithms.core.half_turn import ANGLES
from algorithms.data.presets import DATASETS
from algorithms.reduction.pca.projection_axis import projection_axis
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps

PRESETS = ["iris", "penguins", "diabetes", "stretched", "moons", "line"]
POINTS = arrays(
    float, st.tuples(st.integers(2, 20), st.just(2)), elements=st.floats(-9, 9, width=32)
).filter(lambda X: (X[0] != X).any())


@settings(max_examples=30, deadline=None)
@given(X=POINTS, standardize=st.booleans(), wide=st.sampled_from([1e-3, 0.5, 1.0, 40.0]))
def test_variance_and_error_add_up_at_every_angle(
    X: ndarray, standardize: bool, wide: float
) -> None:
    units = (wide, 1.0)
    *steps, end = check_steps(projection_axis(X, standardize=standardize, units=units))
    assert len(steps) == ANGLES + 2
    angles = np.array([step.angle for step in steps])
    assert (np.diff(angles) >= 0).all() and angles[0] >= 0 and angles[-1] <= 180
    n = len(X)
    for step in steps:
        (u,) = step.components
        assert u @ u == pytest.approx(1)
        z, rest = step.transform(X)[:, 0], (X - step.reconstruct(X)) / step.scale
        slack = 1e-9 * step.total
        assert step.variances[0] == pytest.approx((z**2).sum() / (n - 1), abs=slack)
        assert step.error == pytest.approx((rest**2).sum() / (n - 1), abs=slack)
        assert step.variances[0] + step.error == pytest.approx(step.total, abs=slack)
        assert step.variances[0] == pytest.approx(u @ step.covariance @ u, abs=slack)
        drawn = u * step.scale / units  # as long on the picture as it looks
        assert np.cross(
            [*drawn, 0], [np.cos(np.radians(step.angle)), np.sin(np.radians(step.angle)), 0]
        )[2] == pytest.approx(0, abs=1e-9 * np.linalg.norm(drawn))
    best = next(step for step in steps if step.event == "most variance")
    worst = next(step for step in steps if step.event == "least variance")
    assert end is best
    assert best.variances[0] >= max(step.variances[0] for step in steps) - slack
    assert best.error <= min(step.error for step in steps) + slack
    assert worst.variances[0] <= min(step.variances[0] for step in steps) + slack
    assert best.components[0] @ worst.components[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", PRESETS)
def test_the_best_angle_is_the_principal_component_of_scikit_learn(name: str) -> None:
    X = points_of(name, DATASETS[name].n, noise=0.3)
    for standardize in (False, True):
        steps = list(projection_axis(X, standardize=standardize, units=(3.0, 2.0)))
        best = next(step for step in steps if step.event == "most variance")
        Z = (X - X.mean(axis=0)) / (X.std(axis=0, ddof=1) if standardize else 1.0)
        theirs = PCA(1, svd_solver="full").fit(Z)
        assert abs(best.components[0] @ theirs.components_[0]) == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(best.variances, theirs.explained_variance_)
        np.testing.assert_allclose(best.explained, theirs.explained_variance_ratio_)


def test_equal_turns_on_the_picture() -> None:
    X = np.array([[0.0, 0.0], [100.0, 1.0], [50.0, 3.0]])
    steps = list(projection_axis(X, units=(100.0, 1.0)))
    even = [step.angle for step in steps if step.event is None]
    np.testing.assert_allclose(even, np.arange(ANGLES) * 180 / ANGLES, atol=1e-9)
    half = next(step for step in steps if step.angle == pytest.approx(60))
    u, v = half.components[0]
    assert v / u == pytest.approx(0.01 * np.sqrt(3))


@pytest.mark.parametrize(
    ("X", "units", "sentence"),
    [
        (np.ones((1, 2)), (1.0, 1.0), "X must hold at least two points"),
        (np.ones((3, 2)), (1.0, 1.0), "X must hold two different points"),
        (np.eye(3), (1.0, 1.0), "X must have two columns, got d=3"),
        (np.eye(2), (1.0, 0.0), "units must be positive"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(X, units, sentence) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        projection_axis(X, units=units)
