import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA as TheirPCA

from algorithms.core.record import last
from algorithms.reduction.singular_values.turn_stretch_turn import (
    PARTS,
    onto_the_points,
    round_cloud,
    turn_stretch_turn,
)
from tests.core.samples import board, points_of
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.core.scene import Run
from viz.reduction.singular_values.turn_stretch_turn import Cloud, TurnStretchTurn

ARGUMENTS = {"A": np.array([[1.2, 1.0], [-0.4, 1.4]])}
SPECIAL = {
    "identity": np.eye(2),
    "half a turn": -np.eye(2),
    "quarter of a turn": np.array([[0.0, -1.0], [1.0, 0.0]]),
    "mirror": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "singular": np.array([[1.0, 2.0], [2.0, 4.0]]),
    "nothing": np.zeros((2, 2)),
    "huge": np.array([[1e80, 2e80], [0.0, 1e80]]),
    "tiny": np.array([[1e-80, 2e-80], [0.0, -1e-80]]),
}

NUMPY = Checked(
    "singular_values",
    "NumPy's `linalg.svd`, the ellipse and its half axes",
    200,
    "random matrices",
    within=1e-9,
)


def test_the_way_is_that_of_numpy() -> None:
    rng = np.random.default_rng(0)
    near = {"rtol": 0, "atol": NUMPY.within}
    for _ in range(NUMPY.cases):
        A = rng.normal(size=(2, 2))
        steps = {step.count: step for step in check_steps(turn_stretch_turn(A))}
        U, sigma, V_T = np.linalg.svd(A)
        end = steps[3 * PARTS]
        assert_allclose(end.M, A, **near)
        assert_allclose(end.singular_values, sigma, **near)
        assert_allclose(np.abs(end.U), np.abs(U), **near)
        assert_allclose(np.abs(end.V), np.abs(V_T.T), **near)
        assert_allclose(A @ end.V, end.U * sigma, **near)
        assert_allclose(steps[PARTS].M, end.V.T, **near)
        assert_allclose(steps[2 * PARTS].M, sigma[:, None] * end.V.T, **near)
        for count in range(PARTS + 1):  # a turn changes no length
            assert_allclose(steps[count].M.T @ steps[count].M, np.eye(2), **near)


@pytest.mark.parametrize("name", SPECIAL)
def test_special_matrices_get_there_too(name: str) -> None:
    A = SPECIAL[name]
    steps = check_steps(turn_stretch_turn(A))
    end = steps[-1]
    assert end.event == "finished" and end.count == 3 * PARTS
    size = np.abs(A).max() or 1.0
    assert_allclose(end.M / size, A / size, atol=1e-12)
    assert np.isclose(np.linalg.det(end.V), 1) and end.V[0, 0] >= 0
    if name == "identity":  # no first turn
        assert steps[0].count == PARTS


PCA = Checked(
    "singular_values",
    "scikit-learn's `PCA`, axes and variances of the cloud's stretch and turn",
    20,
    "clouds",
    within=1e-9,
)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("seed", range(PCA.cases))
def test_the_round_cloud_stretched_and_turned_is_pca(seed: int, standardize: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(10 + seed, 2)) @ rng.normal(size=(2, 2)) + 5
    end = last(onto_the_points(X, standardize=standardize))
    cloud = round_cloud(X, standardize=standardize)
    Z = (X - X.mean(axis=0)) / (X.std(axis=0, ddof=1) if standardize else 1)
    theirs = TheirPCA(2).fit(Z)
    near = {"rtol": 0, "atol": PCA.within}
    assert_allclose(np.cov(cloud.T), np.eye(2), **near)
    assert_allclose(cloud @ end.M.T, Z, **near)
    assert_allclose(end.singular_values**2, theirs.explained_variance_, **near)
    assert_allclose(np.abs(end.U.T), np.abs(theirs.components_), **near)


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    for make, sentence in [
        (lambda: turn_stretch_turn(np.zeros((2, 3))), "A must have two rows and two columns"),
        (lambda: turn_stretch_turn(np.full((2, 2), np.nan)), "A must be finite"),
        (lambda: onto_the_points(np.ones((1, 2))), "X must hold at least two points"),
        (lambda: onto_the_points(np.ones((3, 2))), "X must hold two different points"),
        (lambda: onto_the_points(np.eye(3)), "X must have two columns for"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            make()


@pytest.mark.parametrize("name", ["s_curve", "blobs", "on a line"])
def test_the_captions_of_pca_say_what_the_start_is(name: str) -> None:
    X = np.outer(np.arange(5.0), [2.0, 1.0]) if name == "on a line" else points_of(name)
    start = round_cloud(X)
    show = TurnStretchTurn(Run("", list(onto_the_points(X))), Cloud(start, board(X), False))
    assert np.var(start @ show.steps[-1].V[:, 0], ddof=1) == pytest.approx(1)
    ways = "along v₁"
    if name != "on a line":
        assert_allclose(np.cov(start.T), np.eye(2), atol=1e-9)
        ways = "in every direction"
    first, *_ = show.caption(0).split("\n")
    assert first == f"Start: the points, turned and stretched to variance 1 {ways}."
    end = len(show.steps) - 1
    assert_allclose(start @ show.steps[end].M.T, X - X.mean(axis=0), atol=1e-9)
    assert "have put the points of the start onto the data." in show.caption(end)
