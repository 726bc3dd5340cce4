import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from algorithms.classification.neighbors.nearest_neighbors import (
    METRICS,
    SCIPY,
    WEIGHTS,
    nearest_neighbors,
)
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

PRESETS = ["blobs", "moons", "outlier", "row", "spirals", "xor"]
SCIKIT_LEARN = Checked(
    "k_nearest_neighbors",
    "scikit-learn's neighbours and shares of the votes, with three metrics and both kinds of votes",
    60,
    "data sets",
    within=1e-9,
)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("k", [1, 2, 5, 15])
def test_agrees_with_scikit_learn(name: str, k: int) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    ours = last(nearest_neighbors(data.X, data.labels, k=k))
    theirs = KNeighborsClassifier(k).fit(data.X, data.labels)
    cells = np.random.default_rng(1).uniform(data.X.min(0), data.X.max(0), size=(500, 2))
    np.testing.assert_array_equal(ours.neighbors(cells), theirs.kneighbors(cells)[1])
    np.testing.assert_allclose(ours.predict_proba(cells), theirs.predict_proba(cells))
    np.testing.assert_array_equal(ours.predict(cells), theirs.predict(cells))


def test_one_neighbour_is_right_about_itself_and_all_are_the_majority() -> None:
    data = dataset("spirals", 150, noise=0.5)
    y = np.where(np.arange(150) < 70, 4, 1)
    np.testing.assert_array_equal(last(nearest_neighbors(data.X, y, k=1)).predict(data.X), y)
    assert (last(nearest_neighbors(data.X, y, k=150)).predict(data.X) == 1).all()


def test_a_tie_goes_to_the_smaller_class() -> None:
    X, y = np.array([[0.0], [1.0], [5.0]]), np.array([9, 3, 9])
    model = last(nearest_neighbors(X, y, k=2))
    assert model.predict(np.array([[0.1]])) == 3
    np.testing.assert_array_equal(model.predict_proba(np.array([[0.1]])), [[0.5, 0.5]])


def test_hostile_data() -> None:
    with AsInTheApp():
        for X in (np.ones((5000, 2)), np.outer(np.arange(4.0), [1e90, 0.0]), np.eye(2)):
            y = np.arange(len(X)) % 2 * 2
            (step,) = check_steps(nearest_neighbors(X, y, k=2))
            check_model(step, np.concatenate([X, [[1e100, -1e100]]]))
        with pytest.raises(ValueError, match="k must be between 1 and n=2, got k=3"):
            nearest_neighbors(np.eye(2), np.array([0, 1]), k=3)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_metrics_and_weights_agree_with_scikit_learn(case: int) -> None:
    preset, metric, weights = DATASETS[PRESETS[case % 6]], METRICS[case % 3], WEIGHTS[case // 3 % 2]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(case))
    spread = data.X.std(axis=0)
    ours = last(
        nearest_neighbors(
            data.X, data.labels, k=7, metric=metric, weights=weights, standardize=True
        )
    )
    how = {"equal": "uniform", "by distance": "distance"}[weights]
    theirs = KNeighborsClassifier(7, metric=metric, weights=how).fit(data.X / spread, data.labels)
    cells = np.random.default_rng(1).uniform(data.X.min(0), data.X.max(0), size=(300, 2))
    cells = np.concatenate([cells, data.X[:40]])  # at distance 0 a neighbour decides alone
    np.testing.assert_array_equal(ours.neighbors(cells), theirs.kneighbors(cells / spread)[1])
    shares = theirs.predict_proba(cells / spread)
    np.testing.assert_allclose(ours.predict_proba(cells), shares, rtol=0, atol=SCIKIT_LEARN.within)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", [1, 4, 9, 35, 36])
def test_of_points_equally_far_the_first_ones_count(metric: str, k: int) -> None:
    X = np.indices((6, 6)).reshape(2, -1).T.astype(float)
    X = X[np.random.default_rng(0).permutation(36)]
    queries = np.concatenate([X, X + 0.5])
    model = last(nearest_neighbors(X, np.arange(36) % 2, k=k, metric=metric))
    far = cdist(queries, X, SCIPY[metric])
    distances, numbers = model.nearest(queries)
    for row, query in enumerate(far):
        first = set(np.argsort(query, kind="stable")[:k].tolist())
        assert set(numbers[row].tolist()) == first
        np.testing.assert_allclose(distances[row], np.sort(query)[:k])


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_standardising_undoes_the_unit_of_a_column(factor: float) -> None:
    data = dataset("moons", 100, noise=0.3)
    cells = np.random.default_rng(1).uniform(-3, 3, size=(200, 2))
    units = np.array([1.0, 1 / factor])
    changed = last(nearest_neighbors(data.X, data.labels, units=units))
    scaled = last(nearest_neighbors(data.X * [1, factor], data.labels))
    np.testing.assert_array_equal(changed.neighbors(cells), scaled.neighbors(cells * [1, factor]))
    both = [
        last(nearest_neighbors(data.X, data.labels, units=unit, standardize=True))
        for unit in (None, units)
    ]
    np.testing.assert_array_equal(both[0].neighbors(cells), both[1].neighbors(cells))
    assert not np.array_equal(changed.neighbors(cells), both[0].neighbors(cells))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"metric": "cosine"}, "metric must be one of 'euclidean', 'manhattan', 'chebyshev'"),
        ({"weights": "none"}, "weights must be one of 'equal', 'by distance', got weights='none'"),
        (
            {"units": np.array([1.0, 0.0])},
            r"units must hold d=2 positive numbers, got \[1.0, 0.0\]",
        ),
        ({"units": np.ones(3)}, "units must hold d=2 positive numbers"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        nearest_neighbors(np.eye(2), np.array([0, 1]), k=1, **changes)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1.0, 1e90])
def test_hostile_scales(weights: str, metric: str, scale: float) -> None:
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(30, 2)), np.ones((30, 2)), np.arange(60.0).reshape(30, 2) // 20):
        with AsInTheApp():
            for standardize in (False, True):
                (step,) = check_steps(
                    nearest_neighbors(
                        X * scale,
                        np.arange(30) % 3,
                        metric=metric,
                        weights=weights,
                        standardize=standardize,
                    )
                )
                check_model(step, np.concatenate([X * scale, np.zeros((1, 2))]))
