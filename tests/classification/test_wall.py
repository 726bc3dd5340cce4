"""The wall: which classifiers are fitted to what, their pictures and their words."""

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from algorithms.classification.classifiers import CLASSIFIERS, Classifier
from algorithms.classification.wall import BEST, wall
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from viz.classification import wall as draw
from viz.core import plane
from viz.core.scene import Plane, Run, Scene

PRESETS = ["blobs", "moons", "circles", "outlier", "row", "iris"]


def preset(name: str, n: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    made = DATASETS[name]
    data = made.make(n or made.n, noise=made.noise, rng=np.random.default_rng(0))
    return data.X, data.labels


def fitted(X: np.ndarray, y: np.ndarray, **how) -> tuple:
    with AsInTheApp():
        return tuple(wall(X, y, rng=np.random.default_rng([0, 1]), **how))


class Seen(NamedTuple):
    """What the page shows of some points."""

    data: Plane
    steps: tuple
    scene: Scene


def shown(X: np.ndarray, y: np.ndarray, *, pair=("LDA", "1-NN"), **how) -> Seen:
    names = tuple(str(k + 1) for k in range(8))
    data = Plane(X, y, names, ("x", "y"), plane.bounds(X))
    steps = fitted(X, y, **how)
    surfaces = draw.find_surfaces(steps, data.bounds)
    return Seen(data, steps, draw.side_by_side(Run("", steps), data, surfaces, pair, 0))


# What is fitted


@pytest.mark.parametrize("name", PRESETS)
def test_every_classifier_is_fitted_to_the_standardised_training_points(name: str) -> None:
    X, y = preset(name)
    steps = check_steps(iter(fitted(X, y)))
    assert [step.classifier for step in steps] == list(CLASSIFIERS)
    held = steps[0].held_out
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
        assert (step.held_out == held).all()
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
    n = int((~steps["LDA"].held_out).sum())
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
    _, steps, scene = shown(X, y, classifiers=(*CLASSIFIERS, new))
    answer(scene, steps)
    count = len(CLASSIFIERS) + 1
    assert f"{count} of {count}, Always 0: wrong on" in scene.caption(count - 1)


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
def test_figures_are_alike_and_small(name: str) -> None:
    _, steps, scene = shown(*preset(name, 150 if name == "iris" else 200))
    for now in range(len(steps)):
        drawn(scene, now)
        lines = scene.caption(now).split("\n")
        assert len(lines) == 3
        assert all(10 < len(line) <= 160 for line in lines)
    assert len(answer(scene, steps)) < 75_000


def test_caption_recomputed_from_the_data() -> None:
    X, y = preset("moons", 150)
    data, steps, scene = shown(X, y, pair=("Nearest mean", "1-NN"))
    held = steps[0].held_out
    Z = (X - X[~held].mean(axis=0)) / X[~held].std(axis=0)
    means = np.array([Z[~held & (y == k)].mean(axis=0) for k in (0, 1)])

    def nearest(P: np.ndarray, places: np.ndarray) -> np.ndarray:
        return ((P[:, None] - places) ** 2).sum(axis=-1).argmin(axis=1)

    wrong = nearest(Z, means) != y
    train, test = (int((wrong & part).sum()) for part in (~held, held))
    first, second, third = scene.caption(0).split("\n")
    assert first.startswith(
        f"1 of {len(CLASSIFIERS)}, Nearest mean: wrong on {train} of {(~held).sum()} "
        f"({100 * train / (~held).sum():.3g} %) training points and {test} of {held.sum()} "
        f"({100 * test / held.sum():.3g} %) held out; 4 parameters; fitted in "
    )
    assert re.search(r"fitted in \d+(\.\d\d)? ms\.$", first)
    assert second == CLASSIFIERS[0].surface
    cells = plane.grid(data.bounds, draw.CELLS)[2]
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
    _, steps, scene = shown(X, y)
    picture = scene.views[0]
    for now in (0, 13):
        step, figure = steps[now], picture.draw(now)
        np.testing.assert_allclose(places(figure), X)
        np.testing.assert_array_equal(unpacked(figure["points"]["wrong"]) > 0, step.wrong)
        rings = figure["marks"]
        size = np.array(rings["sizes"])[unpacked(rings["kind"]).astype(int)]
        np.testing.assert_array_equal(size > 0, step.held_out)
        np.testing.assert_allclose(places(figure, "marks")[step.held_out], X[step.held_out])
    first, second = picture.draw(0)["data"], picture.draw(1)["data"]
    assert first[1] == second[1], "the hatching stays"
    for pair in (("LDA", "(none)"), ("LDA", "LDA"), ("LDA", "unheard of")):
        alone = shown(X, y, pair=pair).scene
        assert len(alone.views[0].draw(0)["data"][1]["source"]) < len(first[1]["source"])
        assert len(alone.caption(0).split("\n")) == 2


def test_only_the_frame_moves_on_the_wall() -> None:
    _, steps, scene = shown(*preset("blobs"))
    wall, errors = scene.views[1:]
    first, later = wall.draw(0), wall.draw(8)
    assert wall.height == 2
    assert first["layout"] == later["layout"]
    assert first["data"][:-1] == later["data"][:-1]
    frames = [line(figure["data"][-1])[:, 0] for figure in (first, later)]
    np.testing.assert_allclose(frames[1] - frames[0], 3.0)  # the ninth is the fourth of its row
    words = first["data"][1]["text"]
    for step, text in zip(steps, words, strict=True):
        (a, n), (b, m) = step.train, step.test
        assert text == f"{step.classifier.name}<br>{100 * a / n:.0f} % | {100 * b / m:.0f} %"
    dots = errors.draw(3)["data"]
    np.testing.assert_allclose(unpacked(dots[3]["y"]), [100 * s.test[0] / m for s in steps])
    assert set(unpacked(dots[0]["x"])) == {4.0}


def test_straight_borders_fail_on_rings_and_no_other_does() -> None:
    """What the lesson says of its experiment "Straight lines cannot"."""
    for step in fitted(*preset("circles")):
        straight = step.classifier.surface.startswith("Straight")
        wrong, count = step.test
        assert (wrong > 0.25 * count) == straight, step.classifier.name
        assert (wrong < 0.1 * count) != straight, step.classifier.name


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
    _, steps, scene = shown(X, y, test_share=share)
    assert len(steps) == len(CLASSIFIERS)
    for step in check_steps(iter(steps)):
        check_model(step, np.concatenate([X, [[1e100, -1e100]]]))
    answer(scene, steps)
    assert scene.note
    if share == 0:
        assert "none of 0 held out" in scene.caption(0)


def test_bad_shares_are_refused() -> None:
    X, y = preset("moons", 20)
    for share in (-0.1, 1, 1.5, None):
        with AsInTheApp(), pytest.raises(ValueError, match="test_share must"):
            wall(X, y, rng=np.random.default_rng(0), test_share=share)


# The page


WALL = next(lab for lab in LABS if lab.name == "wall")


def test_every_classifier_with_a_lab_is_linked_and_the_others_sources_are_there() -> None:
    session = Session().open(WALL)
    links = {link.proto.page: link.proto.label for link in session.app.get("page_link")}
    named = ", ".join(links.values()).split(", ")
    assert sorted(named) == sorted(c.name for c in CLASSIFIERS if c.lab)
    for classifier in CLASSIFIERS:
        if classifier.lab:
            assert any(page.endswith(classifier.lab) for page in links)
    code = "\n".join(block.value for block in session.app.code)
    for function in ("nearest_mean", "fisher", "least_squares_classifier", "parzen"):
        assert f"def {function}(" in code


def test_comparing_two_does_not_fit_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session().open(WALL, data="circles", n="41")
    assert "Hatched" not in session.captions[0]

    def refuse(*args: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(draw.plane, "borders", refuse)
    session.set("selectbox", "compare", "LDA")
    session.set("selectbox", "against", "QDA")
    assert "Hatched: LDA and QDA disagree on" in session.captions[0]
    assert session.app.query_params["against"] == "QDA"
