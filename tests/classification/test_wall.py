"""The wall: which classifiers are fitted to which points, their pictures and their words."""

from dataclasses import replace
from functools import partial
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

from algorithms.classification import classifiers
from algorithms.classification.classifiers import (
    CLASSIFIERS,
    Classifier,
    all_tuned,
    tuned,
    untuned,
)
from algorithms.classification.wall import BEST, in_order, wall
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.core.samples import labelled
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from tests.house.checked import Checked
from viz.classification import wall as draw
from viz.core import plane
from viz.core.scene import ANSWER, Plane, Run, Scene
from viz.core.tiles import CELLS, close, dotted

PRESETS = ["blobs", "moons", "circles", "outlier", "row", "iris"]


def fitted(X: np.ndarray, y: np.ndarray, **how) -> tuple:
    with AsInTheApp():
        return tuple(wall(X, y, rng=np.random.default_rng([0, 1]), **how))


class Seen(NamedTuple):
    """The scene that the page shows for some points."""

    data: Plane
    steps: tuple
    scene: Scene


def shown(X: np.ndarray, y: np.ndarray, *, pair=("LDA", "1-NN"), **how) -> Seen:
    names = tuple(str(k + 1) for k in range(8))
    data = Plane(X, y, names, ("x", "y"), plane.bounds(X))
    steps = fitted(X, y, **how)
    place = X.mean(axis=0)
    scene = draw.Wall(Run("", steps), data, surfaces(steps, data), pair, place, 0).scene()
    return Seen(data, steps, scene)


def surfaces(steps: tuple, data: Plane) -> draw.Surfaces:
    """Return all surfaces, each computed when it is needed."""
    of = [partial(draw.find_surface, steps, i, data.bounds) for i in range(len(steps))]
    tiles = [partial(draw.find_tile, steps, i, data) for i in range(len(steps))]
    walls = [partial(draw.tiled, tiles, data, now) for now in range(len(steps))]
    return draw.Surfaces(of, walls, partial(draw.ahead, tiles))


# What is fitted


SCIKIT_LEARN = Checked(
    "wall",
    "Share of points that scikit-learn's six classifiers of the same kind predict differently",
    15,
    "boards",
    within=1e-2,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_every_classifier_is_fitted_to_the_standardised_training_points(case: int) -> None:
    # Solvers stop at a tolerance, so points on the border may differ.
    check_fits(*labelled(PRESETS[case % 5], sample=case // 5), SCIKIT_LEARN.within)


def test_every_classifier_is_fitted_to_iris_but_for_distances_that_tie() -> None:
    check_fits(*labelled("iris"), 0.02)


def check_fits(X: np.ndarray, y: np.ndarray, least: float) -> None:
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
        "k-NN": KNeighborsClassifier(min(15, int((~held).sum()))),
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
        assert (predicted != step.predict(X)).mean() <= least, step.classifier.name


def test_numbers_kept() -> None:
    X, y = labelled("moons", 100)
    steps = {step.classifier.name: step for step in fitted(X, y)}
    n = int((~steps["LDA"].held_out).sum())
    expected = {
        "Nearest mean": 4, "Least squares": 6, "LDA": 4 + 3 + 1, "QDA": 4 + 6 + 1,
        "Naive Bayes": 4 + 4 + 1, "Perceptron": 3, "Logistic": 3, "Linear SVM": 3,
        "Cubic logistic": 10, "1-NN": 3 * n, "k-NN": 3 * n, "Parzen": 3 * n + 1,
    }  # fmt: skip
    for name, count in expected.items():
        assert steps[name].parameters == count, name
    svm = steps["RBF SVM"].model.model
    assert steps["RBF SVM"].parameters == 3 * len(svm.support) + 1
    assert all(step.parameters > 0 and step.fit_time.seconds > 0 for step in steps.values())


def test_the_best_so_far_is_an_event() -> None:
    steps = fitted(*labelled("circles"))
    errors = [step.test[0] for step in steps]
    for i, step in enumerate(steps):
        assert (step.event == BEST) == (i > 0 and errors[i] < min(errors[:i]))
    assert any(step.event for step in steps)
    assert not any(step.event for step in fitted(*labelled("circles"), test_share=0.0))


def test_one_that_refuses_the_data_is_left_out_with_its_reason() -> None:
    def refuse(X, y, rng):
        raise ValueError("it wants more")

    shy = replace(CLASSIFIERS[0], name="Shy", fit=refuse)
    X, y = labelled("moons", 40)
    run = fitted(X, y, classifiers=(CLASSIFIERS[0], shy, CLASSIFIERS[2], shy))
    assert [step.classifier.name for step in run] == ["Nearest mean", "Least squares"]
    assert run[0].left_out == (("Shy", "it wants more"),) * 2
    assert "Shy is left out: it wants more." in draw.note(run, 0)


def test_a_new_classifier_is_one_entry() -> None:
    class Always:
        classes, event = np.array([0, 1]), None

        def predict(self, X):
            return np.zeros(len(X), int)

    new = Classifier(
        "Always 0", lambda X, y, rng: Always(), lambda m: 1, None, "None", "No border."
    )
    X, y = labelled("moons", 40)
    _, steps, scene = shown(X, y, classifiers=(*CLASSIFIERS, new))
    answer(scene, steps)
    count = len(CLASSIFIERS) + 1
    assert "Always 0 gets " in scene.caption(count - 1)


def test_parts_of_a_wall_joined_are_the_wall() -> None:
    """The points held out and the fits are the same, so the page may fit some of them anew."""
    X, y = labelled("circles")
    parts = [
        fitted(X, y, classifiers=c) for c in (tuned("k-NN", 15), untuned(), tuned("Parzen", 0.3))
    ]
    joined, whole = in_order(*parts), fitted(X, y)
    assert len(joined) == len(whole)
    for one, other in zip(joined, whole, strict=True):
        assert (one.index, one.event) == (other.index, other.event)
        assert one.classifier.label == other.classifier.label
        np.testing.assert_array_equal(one.wrong, other.wrong)


def test_settings_are_those_asked_for() -> None:
    X, y = labelled("moons", 100)
    for k, h in ((1, 0.05), (15, 0.3), (99, 2.0)):
        steps = {step.classifier.name: step for step in fitted(X, y, classifiers=all_tuned(k, h))}
        near, window = steps["k-NN"], steps["Parzen"]
        learned = int((~near.held_out).sum())
        assert near.model.model.k == min(k, learned)
        assert window.model.model.h == h
        assert near.classifier.label == f"k-NN, k = {k}"
        assert window.classifier.label == f"Parzen, h = {h:g}"
        assert f"of width {h:g} " in window.classifier.why
        assert [step.classifier.name for step in steps.values()] == [c.name for c in CLASSIFIERS]
        if k == 1:
            np.testing.assert_array_equal(near.wrong, steps["1-NN"].wrong)


@pytest.mark.parametrize("name", ["moons", "iris", "outlier"])
def test_a_tile_is_the_surface_coarser_with_the_points_on_it(name: str) -> None:
    data, steps, _ = shown(*labelled(name))
    box = close(data.X, data.bounds)
    for i in (0, 8, 13):
        tile, fine = draw.find_tile(steps, i, data), draw.find_surface(steps, i, box).winner
        assert tile.shape == (CELLS, CELLS)
        at = (np.arange(draw.CELLS) + 0.5) * CELLS / draw.CELLS
        near = at.astype(int)
        assert (tile[np.ix_(near, near)] == fine).mean() > 0.97
    dots = dotted(data.X, draw._POINT + data.labels, data.bounds, draw._CLEAR)
    for (x, y), label in zip(data.X[-20:], data.labels[-20:], strict=True):
        column = int(100 * (x - data.bounds[0]) / (data.bounds[1] - data.bounds[0]))
        row = int(100 * (y - data.bounds[2]) / (data.bounds[3] - data.bounds[2]))
        near = dots[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4]
        assert (near == draw._POINT + label).any()
    assert 0.02 < (dots != draw._CLEAR).mean() < 0.3


def test_all_classifiers_are_asked_about_the_picked_place() -> None:
    data, steps, scene = shown(*labelled("moons"))
    place = data.X.mean(axis=0)
    said = [int(step.predict(place[None])[0]) for step in steps]
    assert 0 < sum(said) < len(said), "they differ there"
    counts = sorted(((said.count(k), data.classes[k]) for k in (0, 1)), reverse=True)
    (most, winner), (fewer, loser) = counts
    for now in (0, 13):
        assert scene.caption(now).split("\n")[-1] == (
            f"Picked point: {most} of 15 say class {winner}, {fewer} say {loser}; "
            f"this classifier says {data.classes[said[now]]}."
        )
    rings = line(scene.views[1].draw(13)["data"][4])
    assert len(rings) == len(steps)
    assert np.isfinite(rings).all(axis=1).tolist() == [True] * 14 + [False], "none on one to come"
    np.testing.assert_allclose(rings[1] - rings[0], [1, 0], atol=1e-6)


def test_one_classifier_says_and_several_say() -> None:
    said = ("1",) * 13 + ("2", "3")
    words = draw.answers(draw.Query(np.zeros(2), said), 14)
    assert words == (
        "Picked point: 13 of 15 say class 1, 1 says 2, 1 says 3; this classifier says 3."
    )


def test_where_nothing_is_held_out_the_note_says_so() -> None:
    told = draw.note(fitted(*labelled("blobs", 40), test_share=0.0), 0)
    assert told.startswith("All are fitted to all 40 points: none is held out. A thick outline")


def test_of_many_points_some_are_learned_from_and_the_note_says_so() -> None:
    X, y = labelled("blobs", 60)
    steps, all_steps = fitted(X, y, most=20), fitted(X, y)
    out = all_steps[0].held_out
    for step in steps:
        np.testing.assert_array_equal(step.held_out, out)
        assert step.used.sum() == 20 and not (step.used & out).any()
        assert set(y[step.used]) == set(y)
        assert step.train == (int((step.predict(X) != y)[step.used].sum()), 20)
    rest = int((~out).sum())
    quick = f"the same 20 points, drawn at random from {rest} to keep it quick; another"
    assert quick in draw.note(steps, 0)
    assert (all_steps[0].used == ~out).all() and "quick" not in draw.note(all_steps, 0)


def test_fit_times_are_the_only_thing_that_differs() -> None:
    first, second = fitted(*labelled("blobs", 60)), fitted(*labelled("blobs", 60))
    assert all(map(same, first, second))
    times = [[step.fit_time.seconds for step in run] for run in (first, second)]
    assert times[0] != times[1]


def test_entries_name_labs_that_exist_and_differ() -> None:
    names = [classifier.name for classifier in CLASSIFIERS]
    assert len(set(names)) == len(names)
    labs = {lab.name for lab in LABS}
    assert {classifier.lab for classifier in CLASSIFIERS} - {None} <= labs
    assert all(c.shape and c.why.endswith(".") and c.keeps for c in CLASSIFIERS)
    assert all(len(f"{c.shape}: {c.why}") <= 110 for c in CLASSIFIERS)


# What is shown


@pytest.mark.parametrize("name", PRESETS)
def test_figures_are_alike_and_small(name: str) -> None:
    _, steps, scene = shown(*labelled(name, 150 if name == "iris" else 200))
    for now in range(len(steps)):
        drawn(scene, now)
        lines = scene.caption(now).split("\n")
        assert len(lines) == 3 + ("Hatched" in lines[2])
        assert all(10 < len(line) <= 160 for line in lines)
    assert len(answer(scene, steps)) < 75_000


def test_caption_recomputed_from_the_data() -> None:
    X, y = labelled("moons", 150)
    data, steps, scene = shown(X, y, pair=("Nearest mean", "1-NN"))
    held = steps[0].held_out
    Z = (X - X[~held].mean(axis=0)) / X[~held].std(axis=0)
    means = np.array([Z[~held & (y == k)].mean(axis=0) for k in (0, 1)])

    def nearest(P: np.ndarray, places: np.ndarray) -> np.ndarray:
        return ((P[:, None] - places) ** 2).sum(axis=-1).argmin(axis=1)

    wrong = nearest(Z, means) != y
    train, test = (int((wrong & part).sum()) for part in (~held, held))
    first, second, third, _ = scene.caption(0).split("\n")
    assert first == f"Straight: Nearest mean gets {test} of {held.sum()} held-out points wrong."
    of = f"It gets {train} of {(~held).sum()} training points wrong"
    why = "Perpendicular bisectors of pairs of class means. The spread plays no part."
    assert second == f"{why} {of} and stores 4 numbers (class means)."
    larger = sum(s.train[0] / s.train[1] > s.test[0] / s.test[1] for s in steps)
    assert (f"be easy: {larger} of {len(steps)} cl" in scene.note) == (2 * larger > len(steps))
    cells = plane.grid(data.bounds, draw.CELLS)[2]
    both = np.concatenate([cells, X])
    U = (both - X[~held].mean(axis=0)) / X[~held].std(axis=0)
    other = y[~held][nearest(U, Z[~held])]
    differ = nearest(U, means) != other
    assert third == (
        f"Hatched: Nearest mean and 1-NN disagree on {100 * differ[: len(cells)].mean():.3g} % "
        f"of the plane and {differ[len(cells) :].sum()} of 150 points."
    )


def test_the_picture_marks_what_is_wrong_held_out_and_disputed() -> None:
    X, y = labelled("moons")
    _, steps, scene = shown(X, y)
    picture = scene.views[0]
    for now in (0, 13):
        step, figure = steps[now], picture.draw(now)
        np.testing.assert_allclose(places(figure), X)
        np.testing.assert_array_equal(unpacked(figure["points"]["wrong"]) > 0, step.wrong)
        np.testing.assert_array_equal(unpacked(figure["points"]["held"]) > 0, step.held_out)
    first, second = picture.draw(0)["data"], picture.draw(1)["data"]
    assert first[1:] == second[1:], "the hatching and both borders stay"
    assert [trace["line"]["dash"] for trace in first[2:4]] == ["dash", "dot"]
    for pair in (("LDA", "(none)"), ("LDA", "LDA"), ("LDA", "unheard of")):
        alone = shown(X, y, pair=pair).scene
        assert len(alone.views[0].draw(0)["data"]) == len(first) - 3
        told = alone.caption(0)
        assert "Hatched" not in told
        assert len(told.split("\n")) == 3


def test_the_wall_has_the_classifiers_so_far_and_frames_the_last() -> None:
    _, steps, scene = shown(*labelled("blobs"))
    wall, errors = scene.views[1:]
    first, later = wall.draw(0), wall.draw(8)
    assert scene.equal and not wall.large and wall.height == 2.5  # in one column
    assert scene.opens == len(steps) - 1, "the wall is full"
    assert first["layout"] == later["layout"]
    frames = [line(figure["data"][-1])[:, 0] for figure in (first, later)]
    np.testing.assert_allclose(frames[1] - frames[0], 3.0)  # the ninth is the fourth of its row
    short = {"Cubic logistic": "Cubic log.", "Decision tree": "Tree"}
    for now in (0, 8, len(steps) - 1):
        pale, _, words, numbers, *_ = wall.draw(now)["data"]
        assert pale["meta"] == ANSWER, "a question hides the tiles to come"
        assert pale == first["data"][0], "the same at every step"
        assert numbers["text"] == [str(i + 1) for i in range(now + 1)]
        least = min(step.test[0] for step in steps[: now + 1])
        for i, (step, text) in enumerate(zip(steps, words["text"], strict=True)):
            b, m = step.test
            name = step.classifier.label.partition(",")[0]
            told = f"{100 * b / m:.0f} %" if i <= now else ""
            told = f"<b>{told}</b>" if told and b == least else told
            assert text == f"{short.get(name, name)}<br>{told}"
    dots = errors.draw(3)["data"]
    rows, m = unpacked(dots[3]["x"]), steps[0].test[1]
    np.testing.assert_allclose(rows[:4], [100 * s.test[0] / m for s in steps[:4]])
    assert np.isnan(rows[4:]).all()
    assert set(unpacked(dots[0]["y"])) == {-3.0}


def test_straight_borders_fail_on_rings_and_no_other_does() -> None:
    """What the lesson says of its experiment "Straight lines cannot"."""
    for step in fitted(*labelled("circles")):
        straight = step.classifier.shape == "Straight"
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
        assert "none is held out." in scene.caption(0)


def test_bad_shares_are_refused() -> None:
    X, y = labelled("moons", 20)
    for share in (-0.1, 1, 1.5, None):
        with AsInTheApp(), pytest.raises(ValueError, match="test_share must"):
            wall(X, y, rng=np.random.default_rng(0), test_share=share)


# The page


WALL = next(lab for lab in LABS if lab.name == "wall")
OPENS = str(len(CLASSIFIERS) - 1)  # where a visitor without a link is, too


def test_every_classifier_with_a_lab_is_linked_and_the_others_sources_are_there() -> None:
    session = Session().open(WALL)
    every_link = [link.proto for link in session.app.get("page_link")]
    links = {link.page: link.label for link in every_link if link.page != WALL.name}
    named = ", ".join(links.values()).split(", ")
    assert sorted(named) == sorted(c.name for c in CLASSIFIERS if c.lab)
    for classifier in CLASSIFIERS:
        if classifier.lab:
            assert any(page.endswith(classifier.lab) for page in links)
    code = "\n".join(block.value for block in session.app.code)
    for function in ("nearest_mean", "fisher", "least_squares_classifier", "parzen"):
        assert f"def {function}(" in code


def test_comparing_two_does_not_fit_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session().open(WALL, data="circles", n="41", step=OPENS)
    assert "Hatched" not in session.captions[0]
    monkeypatch.setattr(draw.plane, "borders", refuse)
    session.set("selectbox", "compare", "Nearest mean")
    session.set("selectbox", "against", "Decision tree")
    assert "Hatched: Nearest mean and Decision tree disagree on" in session.captions[0]
    assert session.app.query_params["against"] == "Decision tree"


def test_a_new_k_or_h_leaves_the_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session().open(WALL, data="moons", n="43", step=OPENS)
    monkeypatch.setattr(classifiers, "perceptron", refuse)
    monkeypatch.setattr(draw.plane, "borders", refuse)  # of those drawn at once, all were before
    before = tiles(session)
    for kind, name, value in (("slider", "k", 3), ("select_slider", "h", 0.1)):
        session.set(kind, name, value)
        assert tiles(session) != before
        before = tiles(session)
    assert "k-NN, k = 3" in str(session.figure(0, 2)["layout"])
    assert "Parzen, h = 0.1" in str(session.figure(0, 2)["layout"])


def refuse(*args: object, **how: object) -> None:
    raise AssertionError("computed again")


def tiles(session: Session) -> str:
    return session.figure(len(CLASSIFIERS) - 1, 1)["data"][1]["source"]


def test_a_dashed_border_is_drawn_once_and_all_of_it() -> None:
    data, steps, _ = shown(*labelled("leaning"))
    x, y, cells = plane.grid(data.bounds, draw.CELLS)
    for step in steps[:10]:  # smooth borders
        surface = draw.find_surface(steps, step.index, data.bounds)
        scores = step.scores(cells).T.reshape(-1, len(y), len(x))
        rounds = [
            np.asarray(piece)
            for k in range(len(scores))
            for piece in plane.contours(
                x, y, scores[k] - np.delete(scores, k, axis=0).max(axis=0)
            ).lines(0.0)
        ]  # round every class, so that each border is there twice
        both, once = (
            np.abs(np.diff(path, axis=0)) for path in (plane.joined(rounds), line(surface.border))
        )
        twice, length = (float(np.nansum(np.hypot(*each.T))) for each in (both, once))
        assert 2 * length == pytest.approx(twice, rel=0.02)
