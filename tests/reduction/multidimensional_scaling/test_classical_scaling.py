import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from algorithms.core.record import last
from algorithms.data.places import EUROPE, WORDS
from algorithms.reduction.multidimensional_scaling.classical_scaling import classical_scaling
from algorithms.reduction.multidimensional_scaling.distances import edit_distances, on_the_globe
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

X = np.random.default_rng(0).normal(size=(30, 3)) * [5, 2, 1] + 10
ARGUMENTS = {"distances": cdist(X, X), "n_components": 2}


@pytest.mark.parametrize(
    "X", [X, load_iris().data, X[:1], X[:2], np.zeros((4, 2)), X * 1e-6 + 1], ids=len
)
def test_distances_of_points_give_the_points_back(X: np.ndarray) -> None:
    D = cdist(X, X)
    c = min(X.shape[1], len(X))
    end = check_steps(classical_scaling(D, n_components=c))[-1]
    scale = D.max() or 1.0
    np.testing.assert_allclose(cdist(end.embedding, end.embedding), D, atol=1e-6 * scale)
    products = (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    theirs = np.linalg.eigvalsh(products)[::-1]
    np.testing.assert_allclose(end.eigenvalues, theirs, atol=1e-9 * scale**2)


PCA_SCORES = Checked(
    "multidimensional_scaling",
    "scikit-learn's `PCA` of points whose distances are given, the scores",
    10,
    "data sets",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(PCA_SCORES.cases))
def test_it_is_principal_component_analysis(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(30, 3)) * [5, 2, 1] + 10
    end = last(classical_scaling(cdist(X, X)))
    pca = PCA(2).fit(X)
    np.testing.assert_allclose(
        np.abs(end.embedding), np.abs(pca.transform(X)), rtol=0, atol=PCA_SCORES.within
    )
    np.testing.assert_allclose(end.eigenvalues[:2], 29 * pca.explained_variance_)


def test_a_step_adds_an_axis() -> None:
    steps = list(classical_scaling(cdist(X, X), n_components=3))
    assert [step.axes for step in steps] == [0, 1, 2, 3]
    for step in steps:
        np.testing.assert_array_equal(
            step.embedding[:, : step.axes], steps[-1].embedding[:, : step.axes]
        )
        assert not step.embedding[:, step.axes :].any()
    kept = [step.kept for step in steps]
    assert kept[0] == 0 and kept[-1] == pytest.approx(1) and np.all(np.diff(kept) > 0)
    assert steps[-1].event == "finished"


def test_an_axis_that_no_map_can_show_stays_0() -> None:
    """Four places in a ring whose opposite ones are too far apart for any map."""
    D = np.array([[0, 1, 9, 1], [1, 0, 1, 9], [9, 1, 0, 1], [1, 9, 1, 0.0]])
    end = last(classical_scaling(D, n_components=4))
    assert end.eigenvalues[-1] < 0
    assert not end.embedding[:, end.eigenvalues < 0].any()


def test_towns_and_words() -> None:
    D = on_the_globe(EUROPE.degrees)
    names = list(EUROPE.names)
    far = {("Paris", "London"): 344, ("Athens", "Oslo"): 2612, ("Lisbon", "Helsinki"): 3365}
    for (a, b), km in far.items():  # from tables, within a percent: the degrees are rounded
        assert D[names.index(a), names.index(b)] == pytest.approx(km, rel=0.02)
    words = edit_distances((*WORDS, "kitten", "sitting", ""))
    assert words[-3, -2] == 3 and words[-1, 0] == 3 and (words == words.T).all()


def test_what_are_no_distances_is_refused_at_the_call() -> None:
    for D, sentence in [
        (np.ones((2, 3)), "a square table"),
        (np.array([[0, 1], [2, 0.0]]), "symmetric"),
        (np.array([[0, -1], [-1, 0.0]]), "symmetric and not negative"),
        (np.ones((2, 2)), "0 on the diagonal"),
        (np.array([[0, np.nan], [np.nan, 0]]), "finite"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            classical_scaling(D)
    with pytest.raises(ValueError, match="n_components"):
        classical_scaling(cdist(X, X), n_components=31)
