from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from sklearn._loss import loss as their_losses
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor

from algorithms.data.presets import DATASETS
from algorithms.ensembles.gradient_boosting import (
    LOSSES,
    GradientBoostingStep,
    best_round,
    gradient_boosting,
)
from tests.core.samples import dataset
from tests.house.check_steps import POINTS, AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"X": POINTS[:, :1]}
NAMES = ("sine", "step", "line", "line with outliers", "diabetes")
SAME = 1e-12
SQUARES = Checked(
    "gradient_boosting",
    "scikit-learn's GradientBoostingRegressor with the squared loss, every round",
    100,
    "runs of 15 rounds",
    within=1e-9,
)
HUBER = Checked(
    "gradient_boosting",
    "The same with the Huber loss, once its percentiles interpolate as NumPy's median does",
    20,
    "runs of 15 rounds",
    within=1e-9,
)
TWO_FEATURES = Checked(
    "gradient_boosting",
    "The same on two features, at the training points",
    12,
    "runs of 12 rounds",
    within=1e-9,
)
SLOPES = Checked(
    "gradient_boosting",
    "The slope of each loss, as a numerical derivative",
    300,
    "residuals",
    within=1e-6,
)


def data(name: str, n: int = 60, seed: int = 0) -> tuple[ndarray, ndarray]:
    """Return a preset's two columns, rounded to single precision as in scikit-learn."""
    p = DATASETS[name]
    plane = p.make(n, noise=p.noise, rng=np.random.default_rng(seed)).X
    plane = plane.astype(np.float32).astype(float)
    return plane[:, :1], plane[:, 1]


def boost(X: ndarray, y: ndarray, **how) -> list[GradientBoostingStep]:
    return check_steps(gradient_boosting(X, y, rng=np.random.default_rng(0), **how))


@pytest.mark.parametrize("case", range(SQUARES.cases))
def test_every_round_is_scikit_learns(case: int) -> None:
    depth, rate = [1, 3][case // 5 % 2], [0.1, 1.0][case // 10 % 2]
    X, y = data(NAMES[case % 5], seed=case // 20)
    steps = boost(X, y, rounds=15, learning_rate=rate, max_depth=depth)
    theirs = GradientBoostingRegressor(
        n_estimators=15, max_depth=depth, learning_rate=rate, random_state=0
    ).fit(X, y)
    places = np.linspace(X.min() - 1, X.max() + 1, 100).astype(np.float32).astype(float)[:, None]
    staged = theirs.staged_predict(places)
    for step, found, score in zip(steps[1:], staged, theirs.train_score_, strict=True):
        np.testing.assert_allclose(step.predict(places), found, rtol=0, atol=SQUARES.within)
        assert step.training_error == pytest.approx(score, rel=0, abs=SQUARES.within)


def halfway(values: ndarray, _: ndarray, percent: float) -> float:
    """Return the percentile as `np.median` has it, where scikit-learn takes the lower of two."""
    return float(np.percentile(values, percent))


@pytest.mark.parametrize("case", range(HUBER.cases))
def test_with_the_huber_loss_it_is_scikit_learns_but_for_medians(
    case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(their_losses, "_weighted_percentile", halfway)
    depth = 1 + case // 5 % 2
    X, y = data(NAMES[case % 5], 59, seed=case // 10)  # odd: the first median is one of them
    steps = boost(X, y, rounds=15, max_depth=depth, loss="Huber", within=0.8)
    theirs = GradientBoostingRegressor(
        loss="huber", alpha=0.8, n_estimators=15, max_depth=depth, random_state=0
    ).fit(X, y)
    for step, found in zip(steps[1:], theirs.staged_predict(X), strict=True):
        np.testing.assert_allclose(step.predict(X), found, rtol=0, atol=HUBER.within)


@pytest.mark.parametrize("case", range(TWO_FEATURES.cases))
def test_on_two_features_it_is_scikit_learns(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(their_losses, "_weighted_percentile", halfway)
    columns = ["penguins 0 1 2", "iris 1 2 0", "diabetes 2 3 10"][case % 3]
    depth, loss = [1, 3][case // 3 % 2], ["squared", "Huber"][case // 6]
    name, *places = columns.split()
    table = dataset(name, 59, noise=0.1).table
    *features, y = table.T[np.array(places, int)]
    X = np.column_stack(features).astype(np.float32).astype(float)
    steps = boost(X, y, rounds=12, max_depth=depth, loss=loss, learning_rate=0.3)
    theirs = GradientBoostingRegressor(
        loss={"squared": "squared_error", "Huber": "huber"}[loss], n_estimators=12,
        max_depth=depth, learning_rate=0.3, random_state=0,
    ).fit(X, y)  # fmt: skip
    # At the points themselves: between them, cuts that part a few points alike are theirs to draw.
    for step, found in zip(steps[1:], theirs.staged_predict(X), strict=True):
        np.testing.assert_allclose(step.predict(X), found, rtol=0, atol=TWO_FEATURES.within)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_slope_is_minus_the_derivative_of_the_loss(loss: str) -> None:
    delta, tiny = 1.5, 1e-5
    by_hand = {
        "squared": lambda r: r * r / 2,
        "absolute": np.abs,
        "Huber": lambda r: np.where(np.abs(r) <= delta, r * r / 2, delta * (np.abs(r) - delta / 2)),
    }[loss]
    r = np.random.default_rng(0).uniform(-4, 4, SLOPES.cases // len(LOSSES))
    # r = y - F: the loss falls as F rises by as much as it grows with r.
    slope = (by_hand(r + tiny) - by_hand(r - tiny)) / (2 * tiny)
    found = LOSSES[loss].downhill(r, delta)
    far = np.abs(np.abs(r) - delta) > tiny  # within it, the difference sees both pieces of Huber's
    assert np.abs(r).min() > tiny and far.all()
    np.testing.assert_allclose(found, slope, rtol=0, atol=SLOPES.within)


def test_the_huber_loss_lies_between_the_two_others() -> None:
    X, y = data("line with outliers")
    every = boost(X, y, rounds=10, loss="Huber", within=1.0)
    for before, step in pairwise(every):  # nothing is clipped: from the median to the mean
        r = y - before.predict(X)
        assert step.delta == pytest.approx(np.abs(r).max())
        for value, members in zip(step.tree.values, step.tree.parts().holding(X), strict=True):
            assert value == pytest.approx(r[members].mean(), abs=1e-12)
    for before, step in pairwise(boost(X, y, rounds=10, loss="Huber", within=0.8)):
        r = y - before.predict(X)
        assert np.count_nonzero(np.abs(r) <= step.delta + SAME) == 48  # of 60
        for value, members in zip(step.tree.values, step.tree.parts().holding(X), strict=True):
            middle = np.median(r[members])
            rest = [max(-step.delta, min(step.delta, far)) for far in r[members] - middle]
            assert value == pytest.approx(middle + np.mean(rest), abs=1e-12)
        assert step.training_error == pytest.approx(np.abs(y - step.predict(X)).mean())
    assert boost(X, y, rounds=1)[1].delta is None


def test_trees_on_a_line_are_the_same_where_there_is_a_second_feature_that_tells_nothing() -> None:
    X, y = data("sine")
    beside = np.column_stack([X, np.zeros(60)])
    for one, two in zip(
        boost(X, y, rounds=8, max_depth=3), boost(beside, y, rounds=8, max_depth=3), strict=True
    ):
        places = np.linspace(-4, 4, 50)[:, None]
        found = two.predict(np.column_stack([places, np.ones(50)]))
        np.testing.assert_allclose(one.predict(places), found, atol=1e-12)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("name", NAMES)
def test_every_tree_is_the_best_greedy_one_on_the_points_drawn(name: str, loss) -> None:
    X, y = data(name)
    held = np.arange(60) % 4 == 0
    steps = boost(X, y, rounds=12, max_depth=2, loss=loss, subsample=0.5, held_out=held)
    middle, error = (np.mean, np.square) if loss == "squared" else (np.median, np.abs)
    assert steps[0].total.values.tolist() == [middle(y[~held])]
    for before, step in pairwise(steps):
        assert step.drawn.sum() == 22 and not (step.drawn & held).any()
        r = y - before.predict(X)
        np.testing.assert_array_equal(step.residuals, r)
        x, r = X[step.drawn], r[step.drawn]
        slope = r if loss == "squared" else np.sign(r)
        theirs = DecisionTreeRegressor(max_depth=2).fit(x, slope)
        leaf = np.searchsorted(step.tree.cuts, x[:, 0])
        means = np.array([slope[leaf == j].mean() for j in range(len(step.tree.values))])
        ours = np.square(slope - means[leaf]).sum()
        first = np.square(slope - slope.mean()).sum()
        if loss == "squared":
            assert ours == pytest.approx(np.square(slope - theirs.predict(x)).sum(), rel=1e-9)
        else:  # signs tie, and after equal first cuts the second ones differ
            stump = DecisionTreeRegressor(max_depth=1).fit(x, slope)
            assert ours <= np.square(slope - stump.predict(x)).sum() + SAME <= first + 2 * SAME
        for j, value in enumerate(step.tree.values):
            assert value == pytest.approx(middle(r[leaf == j]), abs=1e-12 * np.abs(y).max())
        for x in (X[:, 0], np.linspace(-3, 3, 50)):
            np.testing.assert_allclose(step.total(x), before.total(x) + 0.1 * step.tree(x))
        now = error(y - step.predict(X))
        assert step.training_error == pytest.approx(now[~held].mean())
        assert step.held_out_error == pytest.approx(now[held].mean())
    assert len({step.drawn.tobytes() for step in steps[1:]}) == 12


def test_the_best_round_is_named_and_held_out_points_teach_nothing() -> None:
    X, y = data("sine", 100)
    held = np.arange(100) % 3 == 0
    run = boost(X, y, rounds=60, held_out=held)
    assert all(step.event is None for step in run), "which round is best shows at the end only"
    steps = best_round(run)
    errors = [step.held_out_error for step in steps]
    named = [i for i, step in enumerate(steps) if step.event == "lowest held-out error"]
    assert named == [int(np.argmin(np.array(errors)))] and 5 < named[0] < 60
    others = boost(X, np.where(held, 100.0, y), rounds=60, held_out=held)
    np.testing.assert_array_equal(steps[-1].predict(X), others[-1].predict(X))
    alone = boost(X[~held], y[~held], rounds=60)
    np.testing.assert_array_equal(steps[-1].predict(X), alone[-1].predict(X))
    assert all(step.held_out_error is None for step in alone)
    assert all(step.event is None for step in best_round(alone)), "nothing judges"


@settings(max_examples=25)
@given(
    seed=st.integers(0, 100), rate=st.sampled_from([0.05, 0.5, 1.0]), depth=st.integers(1, 4)
)  # fmt: skip
def test_the_squared_error_falls_by_what_the_leaves_account_for(seed, rate, depth) -> None:
    X, y = data("sine", 25, seed)
    for before, step in pairwise(boost(X, y, rounds=8, learning_rate=rate, max_depth=depth)):
        accounted = np.square(step.tree(X[:, 0])).mean()
        fallen = before.training_error - step.training_error
        assert fallen == pytest.approx(rate * (2 - rate) * accounted, abs=1e-12)


def test_by_hand() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 0.0, 4.0, 8.0])
    start, first, second = boost(X, y, rounds=2, learning_rate=0.5, max_depth=1)
    assert start.total.values.tolist() == [3.0] and start.training_error == 11.0
    # The residuals -3, -3, 1, 5: gains 12, 36, 33.3 for the three cuts.
    assert (first.tree.cuts.tolist(), first.tree.values.tolist()) == ([1.5], [-3.0, 3.0])
    assert first.predict(X).tolist() == [1.5, 1.5, 4.5, 4.5]
    # Then -1.5, -1.5, -0.5, 3.5: gains 3, 9, 16.3.
    assert second.tree.cuts.tolist() == [2.5]
    np.testing.assert_allclose(second.tree.values, [-3.5 / 3, 3.5])


def test_it_ends_when_nothing_is_left() -> None:
    X, y = data("sine", 20)
    steps = boost(X, y, rounds=50, learning_rate=1.0, max_depth=5)
    assert 1 < len(steps) < 50 and steps[-1].event == "nothing left to learn"
    np.testing.assert_allclose(steps[-1].predict(X), y, atol=1e-12)
    (only,) = boost(X, np.full(20, 7.0))
    assert only.event == "nothing left to learn" and only.training_error == 0


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"max_depth": 0}, "max_depth must be at least 1"),
        ({"learning_rate": 1.5}, "learning_rate must be at most 1, got learning_rate=1.5"),
        ({"learning_rate": 0}, "learning_rate must be positive"),
        ({"subsample": 2.0}, "subsample must be at most 1"),
        ({"loss": "hinge"}, "loss must be one of 'squared', 'absolute', 'Huber'"),
        ({"within": 0.0}, "within must be positive"),
        ({"held_out": np.ones(3, bool)}, "leave a point to learn"),
        ({"held_out": np.zeros(2, bool)}, "entry per point"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(how: dict, words: str) -> None:
    given = {"X": np.zeros((3, 1)), "y": np.arange(3.0), "rng": np.random.default_rng(0)} | how
    with AsInTheApp(), pytest.raises(ValueError, match=words):
        gradient_boosting(**given)
