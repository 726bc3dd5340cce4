"""A step that is done otherwise: what the algorithms make of it, and how it is shown."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from algorithms.classification.linear.logistic_regression import logistic_regression
from algorithms.classification.linear.perceptron import perceptron
from algorithms.classification.trees.decision_tree import decision_tree, possible_cuts
from algorithms.classification.trees.split import impurity
from algorithms.clustering.k_means import k_means, nearest
from algorithms.clustering.mixtures.gaussian_mixture import gaussian_mixture
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import on_features
from algorithms.networks.multilayer_perceptron import multilayer_perceptron
from algorithms.regression.least_squares.gradient_descent import gradient_descent
from algorithms.regression.least_squares.on_plane import descend_on_plane
from algorithms.regression.least_squares.optimizers import Adam, Rule
from tests.core.figures import accepted_by_plotly, line
from tests.house.check_steps import check_steps, same
from viz.core import plane, what_if
from viz.core.question import Option, question
from viz.core.scene import Figure, Plane, Scene, View

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(40, 2)) + np.repeat([[-0.5, 0.0], [0.5, 0.3]], 20, axis=0)
Y = np.repeat([0, 1], 20)
AT = 3
PLACES = np.array([[0.0, 2.0], [0.5, -1.0]])
LATER = plane.figure([plane.line(PLACES)], (0.0, 9.0, 0.0, 1.0))

Call = Callable[..., Iterator[Any]]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


CALLS: dict[str, tuple[Call, Any, str]] = {
    "k-means": (lambda **how: k_means(X, 2, rng=rng(), **how), (AT, PLACES), "moved"),
    "EM": (lambda **how: gaussian_mixture(X, 2, rng=rng(), **how), (AT, PLACES), "moved"),
    "tree": (lambda **how: decision_tree(X, Y, **how), (AT, (1, 0.25)), "instead"),
    "perceptron": (lambda **how: perceptron(X, Y, rng=rng(), **how), AT, "flipped"),
    "logistic": (
        lambda **how: logistic_regression(X, Y, method="gradient", **how), (AT, 0.1), "later",
    ),
    "descent": (
        lambda **how: gradient_descent(X, X[:, 0] + Y, Adam(0.1), rng=rng(), batch=7, **how),
        (AT, Adam(0.01)), "later",
    ),
    "network": (
        lambda **how: multilayer_perceptron(X, Y, hidden=(3,), rng=rng(), epochs=5, **how),
        (AT, 0.01), "later",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_all_is_the_same_until_the_step_that_is_done_otherwise(name: str) -> None:
    call, otherwise, argument = CALLS[name]
    was, new = list(call()), check_steps(call(**{argument: otherwise}))
    assert all(same(a, b) for a, b in zip(was[:AT], new[:AT], strict=True))
    assert not same(was[AT], new[AT])
    with pytest.raises(ValueError, match=argument):
        wrong = -1 if argument == "flipped" else (0, *otherwise[1:])
        call(**{argument: wrong})


def test_a_run_goes_on_from_places_given_by_hand() -> None:
    was = list(k_means(X, 2, rng=rng()))
    for at in (1, 2, len(was)):
        steps = list(k_means(X, 2, rng=rng(), moved=(at, PLACES)))
        anew = list(k_means(X, 2, rng=rng(), init=PLACES))
        assert steps[at].event == "moved by hand" and (steps[at].centers == PLACES).all()
        assert (steps[at].labels == nearest(X, PLACES)).all()
        assert [step.inertia for step in steps[at:]] == [step.inertia for step in anew]
    with pytest.raises(ValueError, match=r"moved\[1\] must have shape \(k, d\) = \(2, 2\)"):
        k_means(X, 2, rng=rng(), moved=(1, PLACES[:1]))


def test_moved_means_keep_their_weights_and_covariances() -> None:
    steps = list(gaussian_mixture(X, 2, rng=rng(), moved=(AT, PLACES)))
    before, step = steps[AT - 1], steps[AT]
    assert step.event == "moved by hand" and step.phase == "expectation"
    np.testing.assert_allclose(step.means, PLACES)
    np.testing.assert_array_equal(step.weights, before.weights)
    np.testing.assert_array_equal(step.covariances, before.covariances)
    np.testing.assert_allclose(step.responsibilities, step.predict_proba(X), atol=1e-12)
    assert step.lower_bound == step.log_likelihood
    rises = np.diff([each.log_likelihood for each in steps[AT:]])
    assert (rises > -1e-9).all() and steps[-1].event == "converged"


@pytest.mark.parametrize("how", [{}, {"gain_ratio": True, "criterion": "gini"}])
def test_a_cut_by_hand_is_worth_what_its_sides_are(how: dict[str, Any]) -> None:
    was = list(decision_tree(X, Y, **how))
    for at in (1, 2):
        best = was[at].chosen
        assert best
        again = list(decision_tree(X, Y, instead=(at, (best.feature, best.threshold)), **how))
        assert [same(a.tree, b.tree) for a, b in zip(was, again, strict=True)] == [True] * len(was)
        assert again[at].chosen == best.__class__(**{**vars(best), "tried": 1})
    for cut in possible_cuts(was[1].tree, 0, X, 0, 5):
        step = list(decision_tree(X, Y, instead=(1, (0, cut)), min_samples_leaf=5, **how))[1]
        left = X[:, 0] <= cut
        criterion = how.get("criterion", "entropy")
        sides = [np.bincount(Y[side], minlength=2) for side in (left, ~left)]
        after = sum(side.sum() / 40 * impurity(side, criterion) for side in sides)
        assert step.by_hand and step.gain == pytest.approx(impurity([20, 20], criterion) - after)
        assert (step.by_hand.left, step.by_hand.right) == tuple(map(tuple, sides))
        assert min(map(np.sum, sides)) >= 5
    with pytest.raises(ValueError, match="on either side, got 40 and 0 of 40"):
        list(decision_tree(X, Y, instead=(1, (0, 99.0))))


def test_an_update_is_skipped_or_forced_and_the_rule_goes_on() -> None:
    was = list(perceptron(X, Y, rng=rng(), order="cyclic", max_epochs=4))
    for at, step in list(enumerate(was))[1:41:3]:
        steps = list(perceptron(X, Y, rng=rng(), order="cyclic", max_epochs=4, flipped=at))
        new = steps[at]
        assert new.event == ("skipped" if step.mistake else "forced")
        assert (new.amount == 0) == step.mistake and new.mistakes == step.mistakes
        for before, after in zip(steps[at:], steps[at + 1 :], strict=False):
            o = X[after.index] @ before.weights + before.bias
            sign = 2 * Y[after.index] - 1
            assert after.mistake == (sign * o <= 0) == (after.amount != 0)
        # The epoch in which all was right but for a forced update is no reason to stop.
        assert steps[-1].event != "converged" or not any(each.mistake for each in steps[-40:])


def test_what_came_before_a_flip_does_not_close_a_cycle() -> None:
    corners, xor = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    was = list(perceptron(corners, xor, rng=rng(), order="cyclic"))
    assert (was[-1].event, was[-1].epoch) == ("cycle", 1)
    steps = list(perceptron(corners, xor, rng=rng(), order="cyclic", flipped=2))
    assert steps[-1].event == "cycle" and steps[-1].epoch - steps[-1].period >= 1


def test_another_rule_is_followed_from_a_step_on() -> None:
    given = X, X[:, 0] + Y
    first = list(gradient_descent(*given, Rule(0.1), rng=rng(), max_iter=AT))
    place = np.append(first[AT - 1].weights, first[AT - 1].intercept)
    anew = list(gradient_descent(*given, Rule(0.01), rng=rng(), start=place))
    steps = list(gradient_descent(*given, Rule(0.1), rng=rng(), later=(AT, Rule(0.01))))
    for a, b in zip(steps[AT:], anew[1:], strict=False):
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-12)
    with pytest.raises(ValueError, match="later"):
        logistic_regression(X, Y, later=(1, 0.0))


# A point of the first class, well away from its like, and where it goes.
ROWS, THERE = np.array([7]), np.array([[2.5, -1.5]])
MOVED = X.copy()
MOVED[ROWS] = THERE
ANYTIME = (AT, ROWS, THERE)


@pytest.mark.parametrize(
    "name", ["k-means", "EM", "perceptron", "logistic", "descent", "batches", "scaled"]
)
def test_with_points_moved_all_is_the_same_until_then(name: str) -> None:
    more: dict[str, Call] = {
        "batches": CALLS["descent"][0],
        "descent": lambda **how: gradient_descent(X, X[:, 1], Rule(0.1), rng=rng(), **how),
        "scaled": lambda **how: descend_on_plane(X, Rule(0.1), rng=rng(), **how),
    }
    call, width = more.get(name) or CALLS[name][0], 3 if name in ("batches", "descent") else 2
    at, rows, there = AT, ROWS, np.ones((1, width)) * 2
    was, new = list(call()), check_steps(call(points_moved=(at, rows, there)))
    assert all(same(a, b) for a, b in zip(was[:at], new[:at], strict=True))
    assert not all(same(a, b) for a, b in zip(was[at:], new[at:], strict=False))
    for wrong in ((0, rows, there), (at, rows + 99, there), (at, rows, there[:, :1])):
        with pytest.raises(ValueError, match="points_moved"):
            call(points_moved=wrong)
    twice = (at, np.repeat(rows, 2), np.repeat(there, 2, axis=0))
    with pytest.raises(ValueError, match=r"points_moved\[1\] must be different rows"):
        call(points_moved=twice)


def test_k_means_goes_on_from_its_centres_with_the_point_elsewhere() -> None:
    was = list(k_means(X, 2, rng=rng()))
    for at in (1, 2, len(was)):
        steps = list(k_means(X, 2, rng=rng(), points_moved=(at, ROWS, THERE)))
        anew = list(k_means(MOVED, 2, rng=rng(), init=was[at - 1].centers))
        assert steps[at].event == "moved by hand"
        assert (steps[at].labels == nearest(MOVED, was[at - 1].centers)).all()
        for a, b in zip(steps[at:], anew, strict=True):
            np.testing.assert_array_equal(a.centers, b.centers)
            assert a.inertia == b.inertia
    both = list(k_means(X, 2, rng=rng(), moved=(1, PLACES), points_moved=(1, ROWS, THERE)))
    anew = list(k_means(MOVED, 2, rng=rng(), init=PLACES))
    assert [step.inertia for step in both[1:]] == [step.inertia for step in anew]
    with pytest.raises(ValueError, match=r"points_moved\[0\] must be the step of moved, 1, got 2"):
        k_means(X, 2, rng=rng(), moved=(1, PLACES), points_moved=(2, ROWS, THERE))


def test_em_goes_on_from_its_components_with_the_point_elsewhere() -> None:
    steps = list(gaussian_mixture(X, 2, rng=rng(), points_moved=ANYTIME))
    before, step = steps[AT - 1], steps[AT]
    for each in ("weights", "covariances"):
        np.testing.assert_array_equal(getattr(step, each), getattr(before, each))
    np.testing.assert_allclose(step.means, before.means, rtol=1e-12)
    densities = before.weights * np.exp(
        [
            [
                -0.5 * (x - m) @ np.linalg.inv(S) @ (x - m)
                - 0.5 * np.log(np.linalg.det(2 * np.pi * S))
                for m, S in zip(before.means, before.covariances, strict=True)
            ]
            for x in MOVED
        ]
    )
    shares = densities / densities.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(step.responsibilities, shares, atol=1e-9)
    means = shares.T @ MOVED / shares.sum(axis=0)[:, None]
    np.testing.assert_allclose(steps[AT + 1].means, means, rtol=1e-9)
    rises = np.diff([each.log_likelihood for each in steps[AT:]])
    assert (rises > -1e-9).all() and steps[-1].event == "converged"


@pytest.mark.parametrize("variant", ["plain", "averaged", "pocket"])
def test_the_perceptron_goes_on_from_its_weights_with_the_sample_elsewhere(variant: str) -> None:
    at = 30
    how: Any = {"order": "cyclic", "max_epochs": 4, "variant": variant}
    steps = list(perceptron(X, Y, rng=rng(), points_moved=(at, ROWS, THERE), **how))
    w, b = steps[at - 1].weights, steps[at - 1].bias
    for step in steps[at:]:
        sign, x = 2 * Y[step.index] - 1, MOVED[step.index]
        if sign * (w @ x + b) <= 0:
            w, b = w + sign * x, b + sign
        np.testing.assert_allclose([*step.weights, step.bias], [*w, b], atol=1e-12)
    if variant == "pocket":  # what is in it is the best of those since then, or was in it before
        held = [step.errors(MOVED, Y) for step in steps[at - 1 :]]
        latest = [np.count_nonzero((MOVED @ s.weights + s.bias > 0) != Y) for s in steps[at:]]
        assert held[1:] == np.minimum.accumulate(np.array([held[0], *latest]))[1:].tolist()


def test_a_descent_goes_on_from_its_weights_with_the_point_elsewhere() -> None:
    given: Any = {"method": "gradient", "learning_rate": 0.5, "max_iter": 9}
    steps = list(logistic_regression(X, Y, points_moved=ANYTIME, **given))
    A, theta = np.column_stack([MOVED, np.ones(len(X))]), np.append(*places_of(steps[AT - 1]))
    for step in steps[AT:]:
        chance = 1 / (1 + np.exp(-A @ theta))
        loss = -np.log(np.where(Y == 1, chance, 1 - chance)).mean()
        assert step.loss + step.fall == pytest.approx(loss)
        theta = theta - 0.5 * A.T @ (chance - Y) / len(Y)
        np.testing.assert_allclose(np.append(*places_of(step)), theta, rtol=1e-9)
    there = np.array([[2.0, 3.0]])
    line = list(gradient_descent(X[:, :1], X[:, 1], Rule(0.1), rng=rng(),
                                 points_moved=(AT, ROWS, there)))  # fmt: skip
    moved = X.copy()
    moved[ROWS] = there
    before = line[AT - 1]
    anew = list(gradient_descent(moved[:, :1], moved[:, 1], Rule(0.1), rng=rng(),
                                 start=np.append(before.weights, before.intercept)))  # fmt: skip
    for a, b in zip(line[AT:], anew[1:], strict=False):
        np.testing.assert_allclose([a.loss, a.excess, a.fall], [b.loss, b.excess, b.fall])
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-12)


def places_of(step: Any) -> tuple[np.ndarray, np.ndarray]:
    return step.weights[0], step.intercepts


def test_features_of_a_moved_point_are_on_the_scale_of_before() -> None:
    steps = list(on_features(k_means, X, 2, rng=rng(), degree=2, points_moved=ANYTIME))
    features = polynomial_features(X, 2)
    by_hand = ANYTIME[0], ROWS, features(THERE)
    alone = list(k_means(features(X), 2, rng=rng(), points_moved=by_hand))
    assert all(same(a, b) for a, b in zip(steps, alone, strict=True))


def scene(name: str) -> Scene:
    def draw(now: int) -> Figure:
        path = np.array([[0.0, 0.0], [now, 1.0]])
        return plane.figure([plane.line(path)], (0.0, 9.0, 0.0, 1.0))

    def ghost(since: int, now: int) -> list[list[dict]]:
        return [[what_if.path(np.array([[since, 0.0], [now, 1.0]]))], [what_if.curve([1, 2], 1)]]

    def ask(now: int) -> Any:
        return question(f"{name} {now}?", Option("yes"), [Option("no")], "so")

    views = [View(title, draw) for title in ("picture", "curve", "other")]
    return Scene(
        views, lambda now: f"{name} {now}.\nThe rule.\nMore.", "Note.", ask=ask, ghost=ghost
    )


def test_the_ghost_is_seen_from_the_step_on_and_waits_at_its_end() -> None:
    shown = what_if.what_if(scene("new"), scene("old"), 4, 3)
    for now, visible, end in (
        (0, False, 3),
        (2, False, 3),
        (3, True, 3),
        (4, True, 4),
        (7, True, 4),
    ):
        picture, curve, other = (view.draw(now) for view in shown.views)
        for figure in (picture, curve, other):
            accepted_by_plotly(figure)
        assert [len(figure["data"]) for figure in (picture, curve, other)] == [2, 2, 1]
        assert picture["data"][1]["visible"] == curve["data"][1]["visible"] == visible
        expected = what_if.path(np.array([[3.0, 0.0], [end, 1.0]]))
        assert picture["data"][1] == expected | {"visible": visible}
        assert picture["layout"]["annotations"] == [what_if.KEY]
        assert "annotations" not in curve["layout"]


def test_where_a_point_was_moved_its_old_place_is_marked_and_the_old_scene_shown_before() -> None:
    old, new = np.array([[0.5, 0.5], [2.0, 1.0]]), np.array([[8.0, 0.25], [3.0, 1.0]])
    before, after = scene("old"), scene("new")
    then = replace(after, views=[replace(view, draw=lambda _: LATER) for view in after.views])
    shown = what_if.what_if(then, before, 4, 3, (old, new))
    for now in range(6):
        picture, curve, other = (view.draw(now) for view in shown.views)
        accepted_by_plotly(picture)
        assert [len(each["data"]) for each in (picture, curve, other)] == [3, 2, 1]
        ways = picture["data"][2]
        assert ways["visible"] == (now >= 3)
        np.testing.assert_allclose(line(ways)[[0, 1, 3, 4]], np.stack([old, new], 1).reshape(4, 2))
        assert ways["marker"]["size"] == [18, 0, 0, 18, 0, 0]  # a ring at each old place
        drawn = LATER if now >= 3 else before.views[2].draw(now)
        assert other["data"] == drawn["data"]
    assert shown.caption(2).startswith("old 2.\nUp to here as it was")
    said = "the point at (0.500, 0.500) {0} (8.000, 0.250), the point at (2.000, 1.000) {0} (3"
    assert shown.caption(3).startswith(f"T{said.format('goes to')[1:]}")
    assert shown.caption(3).split("\n")[0].endswith(", by hand. new 3.")
    assert shown.caption(4).startswith("new 4.\n")
    assert f"From step 3 on {said.format('is at')}" in shown.note
    many = np.zeros((3, 2))
    assert "3 points are elsewhere" in what_if.what_if(then, before, 4, 3, (many, many)).note


def test_a_plane_knows_where_its_points_were() -> None:
    data = Plane(MOVED, Y, ("a", "b"), ("x", "y"), (0.0, 1.0, 0.0, 1.0), (AT, X))
    assert data.before is X and replace(data, moved=None).before is MOVED
    places = data.by_step(np.copy)
    assert [bool((places(now) == X).all()) for now in range(5)] == [True] * 3 + [False] * 2
    assert places(0) is places(1)


def test_a_run_of_one_step_has_a_ghost_too() -> None:
    """Step 1 is after its end; there is no step before its last one."""
    assert line(what_if.curve([5.0], 0)).tolist() == [[0, 5]]
    ways = line(what_if.paths([PLACES], 0))
    np.testing.assert_allclose(ways[[0, 2]], PLACES, atol=1e-6)
    assert np.isnan(ways[[1, 3]]).all()  # the gaps


def test_the_caption_has_both_runs_and_no_question_is_about_the_step_by_hand() -> None:
    shown = what_if.what_if(scene("new"), scene("old"), 4, 3)
    before = "Up to here as it was; step 3 is done otherwise."
    assert shown.caption(2) == f"new 2.\n{before}\nThe rule."
    assert shown.caption(3) == "new 3.\nAs it was, dash-dotted: old 3.\nThe rule."
    assert shown.caption(6) == "new 6.\nAs it was, dash-dotted (at its end): old 4.\nThe rule."
    assert shown.note.startswith("Dash-dotted: ") and shown.note.endswith("Note.")
    assert shown.ask(2) is None
    asked = shown.ask(3)
    assert asked and asked.text == "new 3?"
