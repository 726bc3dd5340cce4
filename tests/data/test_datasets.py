import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.svm import SVC

from algorithms.data.presets import DATASETS, MAX_CLASSES, MAX_ROWS, Dataset, blobs, moons

PRESETS = pytest.mark.parametrize(("name", "preset"), DATASETS.items(), ids=list(DATASETS))
SEEDS = st.integers(0, 2**32 - 1)


def make(name, *, n=None, noise=None, seed=0, **knob):
    preset = DATASETS[name]
    noise = preset.noise if noise is None else noise
    return preset.make(n or preset.n, noise=noise, rng=np.random.default_rng(seed), **knob)


@PRESETS
def test_every_size_and_noise(name, preset):
    knobs = [{}] if preset.knob is None else [{preset.knob.name: preset.knob.value}]
    if preset.knob:
        knobs += [{preset.knob.name: edge} for edge in (preset.knob.low, preset.knob.high)]
    for knob in knobs:
        for n in (1, 2, 3, 7, MAX_ROWS):
            for noise in (0.0, preset.noise, 1.0):
                data = make(name, n=n, noise=noise, **knob)
                expected = n if preset.kind != "real" else min(n, preset.n)
                assert data.X.shape == (expected, 2)
                assert np.isfinite(data.table).all()
                assert data.labels.max() < len(data.classes) <= MAX_CLASSES
                assert len(set(data.columns)) == len(data.columns)


@PRESETS
def test_same_seed_same_data_and_other_seed_other_data(name, preset):
    n = preset.n // 2
    np.testing.assert_array_equal(make(name, n=n, seed=3).table, make(name, n=n, seed=3).table)
    assert not np.array_equal(make(name, n=n, seed=3).table, make(name, n=n, seed=4).table)


@PRESETS
def test_defaults_fit_the_plane_and_say_what_they_teach(name, preset):
    data = make(name)
    assert data.name == name
    assert data.about.endswith(".") and len(data.about) <= 100
    assert not data.table.flags.writeable
    if preset.kind != "real":
        assert np.abs(data.X).max() < 4
    assert (data.classes == ("all",)) == (preset.kind == "regression" or name == "diabetes")


@PRESETS
@pytest.mark.parametrize("bad", [{"n": 0}, {"n": MAX_ROWS + 1}, {"noise": -0.1}, {"noise": np.nan}])
def test_bad_arguments_are_named(name, preset, bad):
    arguments = {"n": 10, "noise": 0.1} | bad
    (word, value), *_ = bad.items()
    with pytest.raises(ValueError, match=rf"{word} must be between .* got {word}={value}"):
        preset.make(arguments.pop("n"), rng=np.random.default_rng(0), **arguments)


@PRESETS
def test_knobs_are_bounded(name, preset):
    if preset.knob is None:
        return
    for value in (preset.knob.low - 1, preset.knob.high + 1):
        with pytest.raises(ValueError, match=f"{preset.knob.name} must be between .*{value}"):
            make(name, **{preset.knob.name: value})


def test_noise_moves_the_same_points():
    still, noisy = (make("moons", noise=noise, seed=5).X for noise in (0.0, 1e-3))
    assert 0 < np.abs(still - noisy).max() < 0.01


@given(seed=SEEDS, noise=st.floats(0, 1), n=st.integers(2, 300))
def test_separable_has_its_margin(seed, noise, n):
    data = make("separable", n=n, noise=noise, seed=seed)
    distance = data.X @ [-1.0, 1.2] / np.hypot(1.0, 1.2)
    assert (np.where(data.labels == 1, 1, -1) * distance >= 0.3 - 1e-9).all()


@pytest.mark.parametrize("wrong", [1, 3, 10])
def test_almost_separable_is_separable_without_the_wrong_points(wrong):
    data, clean = make("almost separable", wrong=wrong), make("separable")
    assert (data.labels != clean.labels).sum() == wrong
    model = SVC(kernel="linear", C=1e4, max_iter=100_000).fit(clean.X, clean.labels)
    assert (model.predict(data.X) != data.labels).sum() == wrong


def test_by_chance_no_classifier_is_better_than_a_coin_on_new_points():
    data, new = make("chance", n=MAX_ROWS, seed=6), make("chance", n=MAX_ROWS, seed=7)
    model = SVC(gamma=1.0).fit(data.X[:1000], data.labels[:1000])
    wrong = (model.predict(new.X) != new.labels).mean()
    assert abs(wrong - 0.5) < 4 * 0.5 / np.sqrt(MAX_ROWS)  # four standard deviations of a coin's
    assert (model.predict(data.X[:1000]) != data.labels[:1000]).mean() < 0.45, "it has learned"


def test_blobs_have_the_classes_asked_for():
    for classes in range(2, 7):
        data = make("blobs", classes=classes)
        assert data.classes == tuple("123456"[:classes])
        assert np.ptp(np.bincount(data.labels)) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_the_lessons_are_true(seed):
    def agreement(name):
        data = make(name, seed=seed)
        model = KMeans(len(data.classes), n_init=10, random_state=0).fit(data.X)
        return adjusted_rand_score(data.labels, model.labels_)

    assert agreement("blobs") > 0.9
    for name in ("stretched", "leaning", "unequal", "moons", "circles"):
        assert agreement(name) < 0.9

    row = make("row", seed=seed)
    indicators = LinearRegression().fit(row.X, np.eye(3)[row.labels])
    assert (indicators.predict(row.X).argmax(axis=1) == 1).mean() < 0.2  # a third are
    assert LogisticRegression().fit(row.X, row.labels).score(row.X, row.labels) > 0.95

    outlier = make("outlier", seed=seed)
    without = np.delete(outlier.X, 3, axis=0), np.delete(outlier.labels, 3)
    pulled, free = (LinearRegression().fit(*d) for d in ((outlier.X, outlier.labels), without))
    angles = [np.degrees(np.arctan2(*model.coef_[::-1])) for model in (pulled, free)]
    assert angles[0] - angles[1] > 15  # one point of sixty turns the line

    tilted, line = make("line with outliers", seed=seed), make("line", seed=seed)
    fits = [np.polyfit(*data.X.T, 1)[0] for data in (tilted, line)]
    assert fits[0] < 0.75 * fits[1]

    features = make("correlated", seed=seed).table[:, :6]
    correlation = np.corrcoef(features.T)
    assert correlation[0, 1] > 0.97 and correlation[3, 4] > 0.97 and abs(correlation[0, 3]) < 0.5


def test_real_data_are_the_published_tables():
    iris = make("iris")
    np.testing.assert_array_equal(iris.table, load_iris().data)
    np.testing.assert_array_equal(iris.labels, load_iris().target)
    assert iris.classes == ("setosa", "versicolor", "virginica")
    diabetes, raw = make("diabetes"), load_diabetes(scaled=False)
    np.testing.assert_array_equal(diabetes.table, np.column_stack([raw.data, raw.target]))
    assert diabetes.columns[diabetes.y] == "progression"
    penguins = make("penguins")
    assert np.bincount(penguins.labels).tolist() == [151, 68, 123]
    assert penguins.classes == ("Adelie", "Chinstrap", "Gentoo")


def test_real_rows_are_drawn_by_seed_and_keep_the_order_of_the_file():
    some, whole = make("diabetes", n=50, seed=1), make("diabetes").table
    places = [int(np.flatnonzero((whole == row).all(axis=1))[0]) for row in some.table]
    assert places == sorted(places)
    assert make("iris", n=5000).X.shape == (150, 2)


def test_every_data_file_names_source_and_licence():
    folder = Path("algorithms/data")
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.glob("*.csv"):
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        assert f"`{path.name}` | {len(rows) - 1} |" in readme
    assert "CC0" in readme and "BSD 3-Clause" in readme


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"columns": ("a",)}, "columns must name all 2 columns, got 1"),
        ({"labels": np.array([0, 2])}, "labels must be between 0 and 1, got labels=2"),
        ({"labels": np.array([-1, 0])}, "labels must be between 0 and 1, got labels=-1"),
        ({"classes": ()}, "number of classes must be between 1 and 8"),
        ({"classes": tuple("abcdefghi")}, "number of classes must be between 1 and 8"),
        ({"x": 2}, "x must be between 0 and 1, got x=2"),
        ({"y": -1}, "y must be between 0 and 1, got y=-1"),
    ],
)
def test_a_data_set_fits_together(change, words):
    good = {
        "name": "t",
        "table": np.array([[1.0, 2.0], [3.0, 4.0]]),
        "columns": ("a", "b"),
        "labels": np.array([0, 1]),
        "classes": ("p", "q"),
    }
    assert Dataset(**good).X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(ValueError, match=words):
        Dataset(**(good | change))


def test_axes_and_empty_data():
    table = np.array([[1.0, 2.0, 3.0]])
    data = Dataset("t", table, ("a", "b", "c"), np.array([0]), ("all",), x=2, y=0)
    assert data.X.tolist() == [[3.0, 1.0]]
    assert Dataset("t", np.empty((0, 2)), ("a", "b"), np.empty(0, int), ("all",)).X.shape == (0, 2)


def test_presets_do_not_touch_the_global_generator():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    blobs(5, noise=0.1, rng=np.random.default_rng(0))
    moons(5, noise=0.1, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002
