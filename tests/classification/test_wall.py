"""The wall: which classifiers are fitted to what, their pictures and their words."""

import re
from base64 import b64decode
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from algorithms.classification.classifiers import CLASSIFIERS, Classifier
from algorithms.classification.wall import BEST, split, wall
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from pages._shared.stage.stage import payload
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from viz.classification import wall as draw
from viz.core import plane

PRESETS = ["blobs", "moons", "circles", "outlier", "row", "iris"]


def preset(name: str, n: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    made = DATASETS[name]
    data = made.make(n or made.n, noise=made.noise, rng=np.random.default_rng(0))
    return data.X, data.labels


def fitted(X: np.ndarray, y: np.ndarray, **how) -> tuple:
    with AsInTheApp():
        return tuple(wall(X, y, rng=np.random.default_rng([0, 1]), **how))


def shown(X: np.ndarray, y: np.ndarray, *, pair=("LDA", "1-NN"), **how):
    run, bounds = fitted(X, y, **how), plane.bounds(X)
    scene = draw.Scene(X, y, run, draw.surfaces(run, bounds), draw.find_pair(run, pair), bounds)
    views = {f.__name__: partial(f, scene) for f in (draw.picture, draw.wall, draw.errors)}
    return scene, views, partial(draw.caption, scene)


def unpacked(array: dict) -> np.ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"])


# What is fitted


@pytest.mark.parametrize("name", PRESETS)
def test_every_classifier_is_fitted_to_the_standardised_training_points(name: str) -> None:
    X, y = preset(name)
    steps = check_steps(iter(fitted(X, y)))
    assert [step.classifier for step in steps] == list(CLASSIFIERS)
    held = steps[0].held
    center, spread = X[~held].mean(axis=0), X[~held].std(axis=0)
    Z = (X - center) / spread
    theirs = {
        "LDA": LinearDiscriminantAnalysis(),
        "QDA": QuadraticDiscriminantAnalysis(),
        "Naive Bayes": GaussianNB(),
        "1-NN": KNeighborsClassifier(1),
        "15-NN": KNeighborsClassifier(min(15, int((~held).sum()))),
        "RBF SVM": SVC(gamma=1.0),
    }
    for step in steps:
        assert (step.held == held).all()
        np.testing.assert_array_equal(step.predict(X) != y, step.wrong)
        scores = step.scores(X)
        np.testing.assert_array_equal(step.classes[scores.argmax(axis=1)], step.predict(X))
        other = theirs.get(step.classifier.name)
        if other is None or (len(step.classes) > 2 and "SVM" in step.classifier.name):
            continue
        predicted = other.fit(Z[~held], y[~held]).predict(Z)
        # Distances that tie, and points on the border up to the solver's tolerance.
        assert (predicted == step.predict(X)).mean() >= (0.98 if name == "iris" else 0.995)


def test_numbers_kept() -> None:
    X, y = preset("moons", 100)
    steps = {step.classifier.name: step for step in fitted(X, y)}
    n = int((~steps["LDA"].held).sum())
    expected = {
        "Nearest mean": 4, "Least squares": 6, "LDA": 4 + 3 + 1, "QDA": 4 + 6 + 1,
        "Naive Bayes": 4 + 4 + 1, "Perceptron": 3, "Logistic": 3, "Linear SVM": 3,
        "Cubic logistic": 10, "1-NN": 3 * n, "15-NN": 3 * n,
    }  # fmt: skip
    for name, count in expected.items():
        assert steps[name].parameters == count, name
    svm = steps["RBF SVM"].model.model
    assert steps["RBF SVM"].parameters == 3 * len(svm.support) + 1
    assert all(step.parameters > 0 and step.fit_time.seconds > 0 for step in steps.values())


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_every_class_keeps_a_point_to_learn_from(share: float) -> None:
    for seed in range(30):
        codes = np.array([0, 1, 1, 2, 2, 2, 2, 2, 2, 2])
        held = split(codes, share, rng=np.random.default_rng(seed))
        assert set(codes[~held]) == {0, 1, 2}
        more = split(np.append(codes, [1, 2]), share, rng=np.random.default_rng(seed))
        assert (more[:10] >= held).all(), "further points take no other one's lot"
    assert not split(codes, 0.0, rng=np.random.default_rng(0)).any()


def test_the_best_so_far_is_an_event() -> None:
    steps = fitted(*preset("circles"))
    errors = [step.test[0] for step in steps]
    for i, step in enumerate(steps):
        assert (step.event == BEST) == (i > 0 and errors[i] < min(errors[:i]))
    assert any(step.event for step in steps)
    assert not any(step.event for step in fitted(*preset("circles"), test_share=0.0))


def test_one_that_refuses_the_data_is_left_out_with_its_reason() -> None:
    def refuse(X, y, rng):
        raise ValueError("it wants more")

    shy = replace(CLASSIFIERS[0], name="Shy", fit=refuse)
    X, y = preset("moons", 40)
    run = fitted(X, y, classifiers=(CLASSIFIERS[0], shy, CLASSIFIERS[2], shy))
    assert [step.classifier.name for step in run] == ["Nearest mean", "Least squares"]
    assert run[0].left_out == (("Shy", "it wants more"),) * 2
    assert "Shy is left out: it wants more." in draw.note(run, 0)


def test_a_new_classifier_is_one_entry() -> None:
    class Always:
        classes, event = np.array([0, 1]), None

        def predict(self, X):
            return np.zeros(len(X), int)

    new = Classifier("Always 0", lambda X, y, rng: Always(), lambda m: 1, None, "None: no border.")
    X, y = preset("moons", 40)
    scene, views, caption = shown(X, y, classifiers=(*CLASSIFIERS, new))
    payload([step.event for step in scene.run], views, caption)
    assert "16 of 16, Always 0: wrong on" in caption(15)


def test_fit_times_are_the_only_thing_that_differs() -> None:
    first, second = fitted(*preset("blobs", 60)), fitted(*preset("blobs", 60))
    assert all(map(same, first, second))
    times = [[step.fit_time.seconds for step in run] for run in (first, second)]
    assert times[0] != times[1]


def test_entries_name_labs_that_exist_and_differ() -> None:
    names = [classifier.name for classifier in CLASSIFIERS]
    assert len(set(names)) == len(names)
    labs = {lab.name for lab in LABS}
    assert {classifier.lab for classifier in CLASSIFIERS} - {None} <= labs
    assert all(c.surface.endswith(".") and len(c.surface) <= 110 for c in CLASSIFIERS)


# What is shown


@pytest.mark.parametrize("name", PRESETS)
def test_figures_are_valid_and_small(name: str) -> None:
    scene, views, caption = shown(*preset(name, 150 if name == "iris" else 200))
    for view in views.values():
        for now in (0, 7, len(scene.run) - 1):
            go.Figure(view(now))
    for now in range(len(scene.run)):
        lines = caption(now).split("\n")
        assert len(lines) == 3
        assert all(10 < len(line) <= 160 for line in lines)
    assert len(payload([step.event for step in scene.run], views, caption)) < 400_000


def test_caption_recomputed_from_the_data() -> None:
    X, y = preset("moons", 150)
    scene, _, caption = shown(X, y, pair=("Nearest mean", "1-NN"))
    held = scene.run[0].held
    Z = (X - X[~held].mean(axis=0)) / X[~held].std(axis=0)
    means = np.array([Z[~held & (y == k)].mean(axis=0) for k in (0, 1)])

    def nearest(P: np.ndarray, places: np.ndarray) -> np.ndarray:
        return ((P[:, None] - places) ** 2).sum(axis=-1).argmin(axis=1)

    wrong = nearest(Z, means) != y
    train, test = (int((wrong & part).sum()) for part in (~held, held))
    first, second, third = caption(0).split("\n")
    assert first.startswith(
        f"1 of 15, Nearest mean: wrong on {train} of {(~held).sum()} "
        f"({100 * train / (~held).sum():.3g} %) training points and {test} of {held.sum()} "
        f"({100 * test / held.sum():.3g} %) held out; 4 parameters; fitted in "
    )
    assert re.search(r"fitted in \d+(\.\d\d)? ms\.$", first)
    assert second == CLASSIFIERS[0].surface
    cells = plane.grid(scene.bounds, draw.CELLS)[2]
    both = np.concatenate([cells, X])
    U = (both - X[~held].mean(axis=0)) / X[~held].std(axis=0)
    other = y[~held][nearest(U, Z[~held])]
    differ = nearest(U, means) != other
    assert third == (
        f"Hatched: Nearest mean and 1-NN disagree on {100 * differ[:10_000].mean():.3g} % "
        f"of the plane and {differ[10_000:].sum()} of 150 points."
    )


def test_the_picture_marks_what_is_wrong_held_out_and_disputed() -> None:
    X, y = preset("moons")
    scene, views, _ = shown(X, y)
    for now in (0, 13):
        step, traces = scene.run[now], views["picture"](now)["data"]
        (points,) = [trace for trace in traces if trace.get("meta") == "points"]
        np.testing.assert_allclose(unpacked(points["x"]), X[:, 0])
        np.testing.assert_array_equal(unpacked(points["marker"]["line"]["width"]) > 0, step.wrong)
        rings = traces[4]
        size = np.array(rings["marker"]["size"])[unpacked(rings["customdata"]).astype(int)]
        np.testing.assert_array_equal(size > 0, step.held)
        np.testing.assert_allclose(unpacked(rings["x"])[step.held], X[step.held, 0])
    first, second = views["picture"](0)["data"], views["picture"](1)["data"]
    assert first[1] == second[1], "the hatching stays"
    alone, views, caption = shown(X, y, pair=("LDA", "(none)"))
    assert not alone.disagree.any()
    assert len(views["picture"](0)["data"][1]["source"]) < len(first[1]["source"])
    assert len(caption(0).split("\n")) == 2


def test_only_the_frame_moves_on_the_wall() -> None:
    scene, views, _ = shown(*preset("blobs"))
    first, later = views["wall"](0), views["wall"](8)
    assert first["layout"] == later["layout"]
    assert first["data"][:-1] == later["data"][:-1]
    frames = [unpacked(figure["data"][-1]["x"]) for figure in (first, later)]
    np.testing.assert_allclose(frames[1] - frames[0], 3.0)  # the ninth is the fourth of its row
    words = first["data"][1]["text"]
    for step, text in zip(scene.run, words, strict=True):
        (a, n), (b, m) = step.train, step.test
        assert text == f"{step.classifier.name}<br>{100 * a / n:.0f} % | {100 * b / m:.0f} %"
    dots = views["errors"](3)["data"]
    np.testing.assert_allclose(unpacked(dots[3]["y"]), [100 * s.test[0] / m for s in scene.run])
    assert set(unpacked(dots[0]["x"])) == {4.0}


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 2])),
        (np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]]), np.array([0, 2, 5])),
        (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
        (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) % 2),
        (np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 8),
        (np.random.default_rng(0).normal(size=(40, 2)) * [1e-9, 1e12], np.arange(40) % 3),
    ],
    ids=["two points", "one point each", "one place", "on a line", "eight classes", "scales"],
)
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_hostile_data(X: np.ndarray, y: np.ndarray, share: float) -> None:
    scene, views, caption = shown(X, y, test_share=share)
    assert len(scene.run) == len(CLASSIFIERS)
    for step in check_steps(iter(scene.run)):
        check_model(step, np.concatenate([X, [[1e100, -1e100]]]))
    payload([step.event for step in scene.run], views, caption)
    assert draw.note(scene.run, 3)
    if share == 0:
        assert "none of 0 held out" in caption(0)


def test_bad_shares_are_refused() -> None:
    X, y = preset("moons", 20)
    for share in (-0.1, 1, 1.5, None):
        with AsInTheApp(), pytest.raises(ValueError, match="test_share must"):
            wall(X, y, rng=np.random.default_rng(0), test_share=share)
