"""A step that is done otherwise: what the algorithms make of it, and how it is shown."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from algorithms.classification.linear.logistic_regression import logistic_regression
from algorithms.classification.linear.perceptron import perceptron
from algorithms.classification.trees.decision_tree import decision_tree, possible_cuts
from algorithms.classification.trees.split import impurity
from algorithms.clustering.k_means import k_means, nearest
from algorithms.clustering.mixtures.gaussian_mixture import gaussian_mixture
from algorithms.networks.multilayer_perceptron import multilayer_perceptron
from algorithms.regression.least_squares.gradient_descent import gradient_descent
from algorithms.regression.least_squares.optimizers import Adam, Rule
from tests.core.figures import accepted_by_plotly, line
from tests.house.check_steps import check_steps, same
from viz.core import plane, what_if
from viz.core.question import Option, question
from viz.core.scene import Figure, Scene, View

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(40, 2)) + np.repeat([[-0.5, 0.0], [0.5, 0.3]], 20, axis=0)
Y = np.repeat([0, 1], 20)
AT = 3
PLACES = np.array([[0.0, 2.0], [0.5, -1.0]])

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
