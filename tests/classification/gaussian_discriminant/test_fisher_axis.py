import numpy as np
import pytest
from numpy import ndarray
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NearestCentroid

from algorithms.classification.gaussian_discriminant.fisher_axis import FisherAxisStep, fisher_axis
from algorithms.core.half_turn import ANGLES
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

NOISE = {"moons": 0.6, "parallel": 0.3, "outlier": 0.5, "separable": 0.5, "circles": 0.3}


AXIS = Checked(
    "gaussian_discriminant",
    "scikit-learn's discriminant axis and the formula for w, by the cosine of the angle to "
    "Fisher's axis",
    20,
    "data sets",
    within=1e-9,
)


def made(name: str, sample: int = 0) -> tuple[ndarray, ndarray, dict[str | None, FisherAxisStep]]:
    """Points of two classes, and the steps by their events."""
    data = dataset(name, 80, sample=sample, noise=NOISE[name])
    steps = check_steps(fisher_axis(data.X, data.labels, units=(3.0, 2.0)))
    *turn, end = steps
    assert len(turn) == ANGLES + 4
    assert (np.diff([step.angle for step in turn]) >= 0).all()
    assert end is next(step for step in turn if step.event == "most separation")
    return data.X, data.labels, {step.event or str(i): step for i, step in enumerate(turn)}


@pytest.mark.parametrize("case", range(AXIS.cases))
def test_the_best_axis_is_scikit_learn_s_and_the_formula_s(case: int) -> None:
    X, y, steps = made([*NOISE][case % 5], sample=case // 5)
    best = steps["most separation"]
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, 0]
    exact = pytest.approx(1, rel=0, abs=AXIS.within)
    assert abs(best.direction @ theirs) / np.linalg.norm(theirs) == exact
    a, b = X[y == 0], X[y == 1]
    within = np.cov(a.T) * (len(a) - 1) + np.cov(b.T) * (len(b) - 1)
    w = np.linalg.solve(within, b.mean(axis=0) - a.mean(axis=0))
    assert abs(best.direction @ w) / np.linalg.norm(w) == exact
    assert all(step.ratio <= best.ratio * (1 + 1e-12) for step in steps.values())
    component = PCA(1).fit(X).components_[0]
    assert abs(steps["most variance"].direction @ component) == pytest.approx(1)
    assert steps["means fall together"].ratio == pytest.approx(0, abs=1e-12 * best.ratio)


@pytest.mark.parametrize("name", NOISE)
def test_a_step_is_computed_from_the_projected_points(name: str) -> None:
    X, y, steps = made(name)
    for step in steps.values():
        assert np.linalg.norm(step.direction) == pytest.approx(1)
        z = (X - X.mean(axis=0)) @ step.direction
        np.testing.assert_allclose(step.transform(X)[:, 0], z, atol=1e-12)
        m = np.array([z[y == k].mean() for k in (0, 1)])
        s = np.array([np.square(z[y == k] - m[k]).sum() for k in (0, 1)])
        np.testing.assert_allclose(step.means, m, atol=1e-12)
        np.testing.assert_allclose(step.scatters, s)
        assert step.ratio == pytest.approx((m[0] - m[1]) ** 2 / s.sum(), abs=1e-12)
    best = steps["most separation"]
    theirs = NearestCentroid().fit(best.transform(X), y)
    np.testing.assert_array_equal(best.predict(X), theirs.predict(best.transform(X)))


def test_units_of_the_columns_do_not_matter() -> None:
    data = dataset("moons", 60, noise=0.3)
    scale = np.array([1e-6, 1e6])
    one = list(fisher_axis(data.X, data.labels))
    other = list(fisher_axis(data.X * scale, data.labels, units=tuple(scale)))
    best = [next(s for s in steps if s.event == "most separation") for steps in (one, other)]
    assert best[0].ratio == pytest.approx(best[1].ratio)
    assert (best[0].predict(data.X) == best[1].predict(data.X * scale)).all()


def test_classes_on_parallel_lines_have_a_ratio_that_is_finite() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    steps = check_steps(fisher_axis(X, np.array([0, 0, 1, 1])))
    best = next(step for step in steps if step.event == "most separation")
    assert all(step.singular for step in steps)
    assert abs(best.direction[1]) == pytest.approx(1) and best.ratio > 1e6
    same = check_steps(fisher_axis(X, np.array([0, 1, 1, 0])))  # both means in one place
    assert {step.event for step in same} == {None, "most separation", "most variance"}
    assert max(step.ratio for step in same) == 0


@pytest.mark.parametrize(
    ("X", "y", "units", "sentence"),
    [
        (np.eye(3), [0, 1, 1], (1.0, 1.0), "X must have two columns, got d=3"),
        (np.ones((3, 2)), [0, 1, 2], (1.0, 1.0), "y must name exactly two classes"),
        (np.eye(2), [0, 1], (1.0, 0.0), "units must be positive"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(X, y, units, sentence) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        fisher_axis(X, np.array(y), units=units)
