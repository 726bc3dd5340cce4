from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.ensembles.ada_boost.ada_boost import CHANCE, AdaBoostStep, ada_boost
from algorithms.ensembles.ada_boost.summary import boosting_summary
from tests.core.samples import dataset, points_of
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

NOISE = {"moons": 0.3, "circles": 0.3, "spirals": 0.2, "xor": 0.3, "blobs": 0.9}
SCIKIT_LEARN = Checked(
    "ada_boost",
    "scikit-learn's AdaBoostClassifier, round by round down to the first tie",
    40,
    "runs of up to 40 rounds",
    within=1e-9,
)
EXPONENTIAL_LOSS = Checked(
    "ada_boost",
    "The product of all $Z_s$ against the exponential loss of the vote, point by point",
    50,
    "runs",
    within=1e-9,
)
# Ten points on a line that three stumps get right, with weights that stay simple fractions.
TEN = np.arange(10.0)[:, None], np.array([1, 1, 1, 0, 0, 0, 1, 1, 1, 0])


def data(name: str, n: int = 150, seed: int = 0) -> tuple[ndarray, ndarray]:
    """Return a preset of two classes, rounded to single precision as in scikit-learn."""
    knob = {"classes": 2} if name == "blobs" else {}
    rng = np.random.default_rng(seed)
    made = DATASETS[name].make(n, noise=NOISE[name], rng=rng, **knob)
    return made.X.astype(np.float32).astype(float), made.labels


def data_of(case: int) -> tuple[ndarray, ndarray]:
    """Return the points of a case: every preset in turn, each time with another seed."""
    names = list(NOISE)
    return data(names[case % len(names)], seed=case // 10)


def in_scikit_learn(X: ndarray, y: ndarray, rounds: int, depth: int) -> AdaBoostClassifier:
    tree = DecisionTreeClassifier(max_depth=depth)
    return AdaBoostClassifier(tree, n_estimators=rounds, random_state=0).fit(X, y)


def signs(y: ndarray) -> ndarray:
    return np.where(y == y.max(), 1, -1)


# scikit-learn


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn_in_every_round(case: int) -> None:
    (X, y), depth, same = data_of(case), 1 + case // 5 % 2, SCIKIT_LEARN.within
    steps = check_steps(ada_boost(X, y, rounds=40, max_depth=depth))
    theirs = in_scikit_learn(X, y, 40, depth)
    parted = where_they_part(steps, theirs, X, y, depth)
    if parted is None:
        assert len(steps) == len(theirs.estimators_)
    kept = steps[:parted]
    alphas = np.array([step.alpha for step in kept])
    if kept and kept[-1].event == "perfect learner":  # where theirs is 1, and the vote may miss it
        kept, alphas = kept[:-1], alphas[:-1]
    weights = theirs.estimator_weights_[: len(kept)]
    np.testing.assert_allclose(2 * alphas, weights, rtol=0, atol=same)
    scores = list(theirs.staged_decision_function(X))
    grid = np.random.default_rng(1).uniform(X.min(), X.max(), size=(400, 2))
    grid = grid.astype(np.float32).astype(float)
    elsewhere = list(theirs.staged_decision_function(grid))
    for step, at_points, at_grid in zip(kept, scores, elsewhere, strict=False):
        scale = 2 / sum(step.alphas)
        ours = scale * step.decision_function(X), scale * step.decision_function(grid)
        np.testing.assert_allclose(ours[0], at_points, rtol=0, atol=same)
        np.testing.assert_allclose(ours[1], at_grid, rtol=0, atol=same)


def where_they_part(
    steps: list[AdaBoostStep], theirs: AdaBoostClassifier, X: ndarray, y: ndarray, depth: int
) -> int | None:
    """Return the first round with a different tree, after checking that a tie explains it."""
    for i, (step, estimator) in enumerate(zip(steps, theirs.estimators_, strict=False)):
        if (estimator.predict(X) != y).tolist() == step.wrong.tolist():
            error = theirs.estimator_errors_[i]
            assert step.error == pytest.approx(error, rel=0, abs=SCIKIT_LEARN.within)
            continue
        drawn = (DecisionTreeClassifier(max_depth=depth, random_state=s) for s in range(50))
        fitted = (tree.fit(X, y, sample_weight=step.weights) for tree in drawn)
        assert any((tree.predict(X) != y).tolist() == step.wrong.tolist() for tree in fitted)
        return i
    return None


def test_hardly_any_run_parts_from_scikit_learns() -> None:
    parted = [
        where_they_part(list(ada_boost(X, y, rounds=40, max_depth=depth)), theirs, X, y, depth)
        for name in NOISE
        for depth in (1, 2)
        for X, y in (data(name),)
        for theirs in (in_scikit_learn(X, y, 40, depth),)
    ]
    assert parted.count(None) >= 9


def test_held_out_errors_are_scikit_learns() -> None:
    X, y = data("moons")
    Z, z = data("moons", seed=9)
    steps = list(ada_boost(X, y, rounds=40))
    theirs = in_scikit_learn(X, y, 40, 1)
    found = boosting_summary(steps, Z, z).held_out_error
    assert found is not None
    np.testing.assert_allclose(found, [1 - score for score in theirs.staged_score(Z, z)])
    training = boosting_summary(steps, X[:0], y[:0]).training_error
    np.testing.assert_allclose(training, [1 - score for score in theirs.staged_score(X, y)])


@pytest.mark.parametrize("case", range(EXPONENTIAL_LOSS.cases))
def test_the_bound_is_the_exponential_loss_of_the_vote(case: int) -> None:
    X, y = data_of(case)
    for step in ada_boost(X, y, rounds=30, max_depth=1 + case // 5 % 2):
        if step.event not in step.final_events:
            loss = np.exp(-signs(y) * step.decision_function(X)).mean()
            assert step.bound == pytest.approx(loss, rel=0, abs=EXPONENTIAL_LOSS.within)


# By hand


def test_worked_by_hand() -> None:
    X, y = TEN
    steps = list(ada_boost(X, y, rounds=3))
    assert [step.error for step in steps] == pytest.approx([3 / 10, 3 / 14, 2 / 11])
    ratios = [7 / 3, 11 / 3, 9 / 2]
    assert [step.alpha for step in steps] == pytest.approx(0.5 * np.log(ratios))
    assert [step.tree.threshold[0] for step in steps] == [2.5, 8.5, 5.5]
    assert [step.tree.says[1:] for step in steps] == [(1, -1), (1, -1), (-1, 1)]
    assert [np.flatnonzero(step.wrong).tolist() for step in steps] == [
        [6, 7, 8],
        [3, 4, 5],
        [0, 1, 2, 9],
    ]
    np.testing.assert_allclose(steps[1].weights, [1 / 14] * 6 + [1 / 6] * 3 + [1 / 14])
    np.testing.assert_allclose(
        steps[2].weights, [1 / 22] * 3 + [1 / 6] * 3 + [7 / 66] * 3 + [1 / 22]
    )
    assert [step.training_error for step in steps] == [0.3, 0.3, 0]
    z = 2 * np.sqrt([0.21, 33 / 196, 18 / 121])
    assert [step.bound for step in steps] == pytest.approx(np.cumprod(z))
    assert [step.event for step in steps] == [None, None, "training error 0"]
    vote = 0.5 * np.log(ratios) @ [[1, -1, -1, -1], [1, 1, 1, -1], [-1, -1, 1, 1]]
    places = np.array([[0.0], [4.0], [7.0], [9.0]])
    np.testing.assert_allclose(steps[-1].decision_function(places), vote)


# Properties


POINTS = arrays(
    float,
    st.tuples(st.integers(2, 30), st.integers(1, 3)),
    elements=st.integers(-4, 4).map(float) | st.floats(-9, 9),
)


@settings(max_examples=150, deadline=None)
@given(X=POINTS, seed=st.integers(0, 99), rounds=st.integers(1, 25), depth=st.integers(1, 4))
def test_what_holds_for_every_run(X: ndarray, seed: int, rounds: int, depth: int) -> None:
    y = np.random.default_rng(seed).choice([3, 8], size=len(X))
    y[:2] = 3, 8
    sign = signs(y)
    steps = check_steps(ada_boost(X, y, rounds=rounds, max_depth=depth))
    assert len(steps) <= rounds
    F, weights = np.zeros(len(X)), np.full(len(X), 1 / len(X))
    for step in steps:
        check_model(step, X)
        np.testing.assert_allclose(step.weights, weights, rtol=1e-8, atol=1e-14)
        assert step.weights.sum() == pytest.approx(1)
        assert (step.weights > 0).all()
        h = step.tree.predict(X)
        np.testing.assert_array_equal(step.wrong, h != sign)
        assert step.error == pytest.approx(weights @ (h != sign), abs=1e-12)
        assert 0 <= step.error <= 0.5 + 1e-12, "a majority is never worse than chance"
        F += step.alpha * h
        np.testing.assert_array_equal(step.decision_function(X), F)
        total = sum(step.alphas)
        np.testing.assert_allclose(step.margins * (total or 1), sign * F, atol=1e-9)
        assert np.abs(step.margins).max() <= 1 + 1e-12
        assert step.training_error == np.mean(step.predict(X) != y)
        assert step.training_error <= step.bound + 1e-12
        if 0 < step.error < 0.5 - CHANCE:  # the run goes on with other weights
            assert step.alpha == pytest.approx(0.5 * np.log((1 - step.error) / step.error))
            assert step.bound == pytest.approx(np.exp(-sign * F).mean())
            weights = np.exp(-sign * F)
            weights /= weights.sum()
            assert weights @ step.wrong == pytest.approx(0.5), "this learner is of no use again"
    for before, after in pairwise(steps):
        assert after.bound <= before.bound
        assert after.trees[:-1] == before.trees
        assert after.alphas[:-1] == before.alphas
    ends = [step.event in ("perfect learner", "no better than chance") for step in steps]
    assert not any(ends[:-1])
    assert ends[-1] or len(steps) == rounds
    assert (steps[-1].event == "perfect learner") == (not steps[-1].wrong.any())


@settings(max_examples=60, deadline=None)
@given(X=POINTS, seed=st.integers(0, 99), depth=st.integers(1, 3))
def test_the_bound_falls_as_fast_as_the_edges_demand(X: ndarray, seed: int, depth: int) -> None:
    y = np.random.default_rng(seed).choice([0, 1], size=len(X))
    y[:2] = 0, 1
    steps = list(ada_boost(X, y, rounds=20, max_depth=depth))
    edge = 0.5 - max(step.error for step in steps)
    for t, step in enumerate(steps, 1):
        assert step.bound <= (1 - 4 * max(edge, 0.0) ** 2) ** (t / 2) + 1e-12


def test_training_error_0_is_an_event_once() -> None:
    X, y = (
        points_of("moons", 200, sample=11, noise=0.7),
        np.arange(200) % 2,
    )
    steps = list(ada_boost(X, y, rounds=200, max_depth=3))
    clean = [step.training_error == 0 for step in steps]
    first = clean.index(True)
    assert not all(clean[first:]), "a point can become wrong again"
    assert [i for i, step in enumerate(steps) if step.event] == [first]
    assert steps[first].event == "training error 0"


def test_margins_of_a_run_go_on_growing_after_training_error_0() -> None:
    X, y = TEN
    steps = list(ada_boost(X, y, rounds=200))
    first = next(i for i, step in enumerate(steps) if step.event)
    margins = boosting_summary(steps, X[:0], y[:0]).smallest_margin
    assert first == 2
    assert 0 < margins[first] < margins[-1]
    assert steps[-1].training_error == 0


@pytest.mark.parametrize("depth", [1, 2])
def test_neither_units_nor_places_matter_only_the_order_of_values(depth: int) -> None:
    X, y = data("spirals")
    warped = np.column_stack([np.exp(X[:, 0]) * 1e-30, X[:, 1] ** 3 * 1e20])
    steps = list(ada_boost(X, y, rounds=30, max_depth=depth))
    others = list(ada_boost(warped, y, rounds=30, max_depth=depth))
    for step, other in zip(steps, others, strict=True):
        np.testing.assert_array_equal(step.wrong, other.wrong)
        assert step.alpha == other.alpha


def test_swapping_the_classes_turns_the_vote_round() -> None:
    X, y = data("moons")
    ours, swapped = (last(ada_boost(X, labels, rounds=20)) for labels in (y, 1 - y))
    np.testing.assert_allclose(ours.decision_function(X), -swapped.decision_function(X))


def test_labels_may_be_any_two_integers() -> None:
    X, y = data("moons")
    model = last(ada_boost(X, np.where(y == 1, -5, 12), rounds=20))
    assert model.classes.tolist() == [-5, 12]
    same = last(ada_boost(X, 1 - y, rounds=20))
    np.testing.assert_array_equal(model.predict(X) == 12, same.predict(X) == 1)


# Events and degenerate data


def test_a_perfect_stump_ends_the_run() -> None:
    X = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 2.0], [3.0, 0.0]])
    steps = check_steps(ada_boost(X, np.array([0, 0, 1, 1])))
    assert [step.event for step in steps] == ["perfect learner"]
    (step,) = steps
    assert (step.error, step.bound, step.training_error) == (0, 0, 0)
    assert step.alpha == 1
    assert step.margins.tolist() == [1, 1, 1, 1]
    assert step.predict(np.array([[1.5, 9.0], [1.6, 9.0]])).tolist() == [0, 1]


def test_a_perfect_learner_outvotes_all_before_it() -> None:
    found = 0
    for seed in range(20):
        X, y = data("xor", n=60, seed=seed)
        *before, step = ada_boost(X, y, rounds=60, max_depth=2)
        if step.event == "perfect learner" and before:
            found += 1
            assert step.alpha == pytest.approx(1 + sum(s.alpha for s in before))
            np.testing.assert_array_equal(step.predict(X), y)
            assert step.margins.min() > 0
            assert step.bound == 0
    assert found >= 3


def test_exclusive_or_is_beyond_stumps_but_not_beyond_two_questions() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([4, 4, 7, 7])
    (step,) = check_steps(ada_boost(X, y))
    assert step.event == "no better than chance"
    assert (step.error, step.alpha, step.bound) == (0.5, 0, 1)
    assert step.margins.tolist() == [0] * 4
    assert step.predict(X).tolist() == [4] * 4
    (step,) = check_steps(ada_boost(X, y, max_depth=2))
    assert step.event == "perfect learner"
    assert step.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("depth", [1, 3])
def test_one_distinct_point(depth: int) -> None:
    X = np.ones((5, 2))
    first, second = check_steps(ada_boost(X, np.array([0, 1, 1, 0, 1]), max_depth=depth))
    assert first.error == pytest.approx(2 / 5)
    assert first.tree.constant
    assert (first.event, second.event) == (None, "no better than chance")
    assert second.weights.tolist() == pytest.approx([1 / 4, 1 / 6, 1 / 6, 1 / 4, 1 / 6])
    assert second.predict(X).tolist() == [1] * 5
    (only,) = check_steps(ada_boost(X[:4], np.array([0, 1, 1, 0]), max_depth=depth))
    assert only.event == "no better than chance"


def test_two_points() -> None:
    y = np.array([0, 1])
    (apart,) = check_steps(ada_boost(np.array([[0.0], [1.0]]), y))
    assert (apart.event, apart.tree.threshold[0]) == ("perfect learner", 0.5)
    (together,) = check_steps(ada_boost(np.zeros((2, 1)), y))
    assert together.event == "no better than chance"


def test_duplicates_with_both_labels_are_never_both_right() -> None:
    X, y = TEN
    X, y = np.concatenate([X, X[:2]]), np.append(y, 1 - y[:2])
    steps = check_steps(ada_boost(X, y, rounds=300, max_depth=2))
    assert steps[-1].training_error == 2 / 12
    assert all(step.margins.min() <= 0 for step in steps)
    # They come to weigh everything: half of them is wrong whatever a tree says.
    assert steps[-1].weights[[0, 1, 10, 11]].sum() > 0.99
    assert steps[-1].error > 0.49


def test_a_thousand_points_and_rounds() -> None:
    X, y = data("moons", n=1000)
    steps = check_steps(ada_boost(X, y, rounds=1000))
    assert len(steps) == 1000
    assert all(step.error < 0.5 for step in steps)
    assert steps[-1].training_error < steps[0].training_error / 4


def test_weights_that_vanish_do_no_harm() -> None:
    """Points far on the right side lose all their weight; no number is smaller than e^-744."""
    made = dataset("moons", 40, noise=0.1)
    X, y = made.X, made.labels
    lightest = 1.0
    for step in ada_boost(X, y, rounds=6000):  # all of them kept would be 300 megabytes
        lightest = min(lightest, float(step.weights.min()))
        assert step.error == pytest.approx(step.weights @ step.wrong)
        assert 0.01 < step.error < 0.5
    assert lightest == 1e-300
    np.testing.assert_array_equal(step.predict(X), y)


# Account


def test_the_account_of_a_run() -> None:
    X, y = data("circles")
    held = np.arange(len(X)) % 4 == 0
    steps = list(ada_boost(X[~held], y[~held], rounds=15))
    found = boosting_summary(steps, X[held], y[held])
    for t, step in enumerate(steps):
        assert found.error[t] == step.error
        assert found.alpha[t] == step.alpha
        assert found.training_error[t] == step.training_error
        assert found.bound[t] == step.bound
        assert found.smallest_margin[t] == step.margins.min()
        assert found.held_out_error is not None
        assert found.held_out_error[t] == np.mean(step.predict(X[held]) != y[held])
    third = boosting_summary(steps, X[held], np.full(held.sum(), 9)).held_out_error
    assert third is not None
    assert third.tolist() == [1] * 15
    assert boosting_summary(steps, X[:0], y[:0]).held_out_error is None


def test_the_account_refuses_other_points_than_the_run_would() -> None:
    X, y = TEN
    steps = list(ada_boost(X, y, rounds=2))
    with AsInTheApp(), pytest.raises(ValueError, match="y must have shape"):
        boosting_summary(steps, X, y[:-1])
    with AsInTheApp(), pytest.raises(ValueError, match="X must be finite"):
        boosting_summary(steps, X + np.nan, y)


# Bad input


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(6, 3)}, "y must name at least two classes, got only class 3"),
        (
            {"y": np.arange(6) % 3},
            "y must name exactly two classes, got 3: erase or relabel the points of the others",
        ),
        ({"rounds": 0}, "rounds must be at least 1, got rounds=0"),
        ({"rounds": 2.5}, "rounds must be a whole number, got rounds=2.5"),
        ({"max_depth": 0}, "max_depth must be at least 1, got max_depth=0"),
        ({"max_depth": True}, "max_depth must be a whole number, got max_depth=True"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(12.0).reshape(6, 2), "y": np.arange(6) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        ada_boost(**given)
    assert str(caught.value) == sentence
