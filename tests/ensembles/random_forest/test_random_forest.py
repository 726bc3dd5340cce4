import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.core.record import last
from algorithms.ensembles.random_forest import RandomForestStep, account, random_forest
from tests.core.samples import dataset
from tests.house.check_steps import check_model, check_steps
from tests.house.checked import Checked

NOISE = {"moons": 0.3, "circles": 0.3, "spirals": 0.2, "xor": 0.3, "blobs": 0.9}
TREES = Checked(
    "random_forest",
    "scikit-learn's trees on the same bags, all features tried, the class shares in the bag",
    90,
    "trees",
    within=1e-12,
)
VOTES = Checked(
    "random_forest",
    "Judges, votes and the out-of-bag error, counted point by point",
    80,
    "random forests",
)
SURFACE = Checked(
    "random_forest",
    "The mean of all trees in every cell, for the shares that the picture shows",
    6,
    "forests",
    within=1e-9,
)
VARIANCE = Checked(
    "random_forest",
    "The variance of the vote over 150 forests on new samples, for the formula with ρ and σ²",
    3,
    "places",
    within=1e-12,
)


def data(name: str, n: int = 150, seed: int = 0) -> tuple[ndarray, ndarray]:
    """Return a preset, rounded to the single precision that scikit-learn works with."""
    made = dataset(name, n, sample=seed, noise=NOISE[name])
    return made.X.astype(np.float32).astype(float), made.labels


def grown(X: ndarray, y: ndarray, seed: int = 0, **how: int) -> list[RandomForestStep]:
    return check_steps(random_forest(X, y, rng=np.random.default_rng(seed), **how))


def bag(step: RandomForestStep) -> ndarray:
    """Return the rows of a step's bag."""
    return np.repeat(np.arange(len(step.drawn)), step.drawn)


def elsewhere(X: ndarray) -> ndarray:
    random = np.random.default_rng(1).uniform(X.min(), X.max(), size=(400, X.shape[1]))
    return random.astype(np.float32).astype(float)


# scikit-learn


@pytest.mark.thorough
@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("tried", [1, 2])
def test_errs_as_often_as_scikit_learns_forest(name: str, tried: int) -> None:
    ours, theirs = [], []
    for seed in range(8):
        X, y = data(name, seed=seed)
        Z, z = data(name, n=500, seed=100 + seed)
        model = grown(X, y, seed, n_trees=25, max_features=tried)[-1]
        ours.append(np.mean(model.predict(Z) != z))
        forest = RandomForestClassifier(25, random_state=seed).set_params(max_features=tried)
        theirs.append(np.mean(forest.fit(X, y).predict(Z) != z))
    noise = np.std(np.subtract(ours, theirs)) / np.sqrt(len(ours))
    assert abs(np.mean(ours) - np.mean(theirs)) < 4 * noise + 0.002


@pytest.mark.parametrize("name", NOISE)
def test_a_tree_of_all_features_is_scikit_learns_on_the_same_bag(name: str) -> None:
    X, y = data(name)
    each = TREES.cases // len(NOISE)
    for step in grown(X, y, n_trees=each, max_features=2, max_depth=3):
        rows = bag(step)
        apart = np.inf
        for state in range(60):  # scikit-learn breaks ties at random
            tree = DecisionTreeClassifier(max_depth=3, random_state=state).fit(X[rows], y[rows])
            theirs, ours = tree.predict_proba(X[rows]), step.tree.predict_proba(X[rows])
            apart = min(apart, np.abs(theirs - ours[:, np.isin(step.classes, y[rows])]).max())
            if apart < TREES.within:
                break
        assert apart < TREES.within


@pytest.mark.parametrize("name", NOISE)
def test_with_all_features_every_tree_is_the_decision_trees(name: str) -> None:
    X, y = data(name)
    Z = elsewhere(X)
    for step in grown(X, y, n_trees=5, max_features=2, max_depth=6):
        rows = bag(step)
        theirs = last(decision_tree(X[rows], y[rows], criterion="gini", max_depth=6))
        np.testing.assert_array_equal(step.tree.predict(Z), theirs.predict(Z))
        assert sorted(step.tree.threshold) == sorted(theirs.tree.threshold)


# Properties


POINTS = arrays(
    float,
    st.tuples(st.integers(2, 25), st.integers(1, 3)),
    elements=st.integers(-4, 4).map(float) | st.floats(-9, 9),
)


@settings(max_examples=VOTES.cases, deadline=None)
@given(
    X=POINTS,
    seed=st.integers(0, 99),
    classes=st.integers(2, 4),
    depth=st.integers(1, 9),
    tried=st.integers(1, 3),
)
def test_what_holds_for_every_run(X, seed, classes, depth, tried) -> None:
    y = 3 * np.random.default_rng(seed).choice(classes, size=len(X)) - 2
    y[:2] = -2, 1
    tried = min(tried, X.shape[1])
    steps = grown(X, y, seed, n_trees=8, max_features=tried, max_depth=depth)
    k = len(np.unique(y))
    votes, judges = np.zeros((len(X), k)), np.zeros(len(X), int)
    for b, step in enumerate(steps, 1):
        check_model(step, X)
        assert len(step.trees) == b
        assert step.drawn.sum() == len(X)
        assert step.tree.counts[0].tolist() == [np.sum(y[bag(step)] == c) for c in step.classes]
        assert step.tree.depth.max() <= depth
        shares = np.mean([tree.predict_proba(X) for tree in step.trees], axis=0)
        np.testing.assert_allclose(step.predict_proba(X), shares)
        # The out-of-bag error by going through the points.
        for i in np.flatnonzero(step.drawn == 0):
            judges[i] += 1
            votes[i] += step.tree.predict_proba(X[i : i + 1])[0]
        np.testing.assert_array_equal(step.judges, judges)
        wrong = [
            judges[i] > 0 and step.classes[(votes[i] / judges[i]).round(9).argmax()] != y[i]
            for i in range(len(X))
        ]
        assert step.wrong.tolist() == wrong
        if judges.any():
            assert step.out_of_bag_error == np.sum(wrong) / np.sum(judges > 0)
        else:
            assert step.out_of_bag_error is None
    full = [bool(step.judges.all()) for step in steps]
    named = [i for i, step in enumerate(steps) if step.event]
    assert named == ([full.index(True)] if any(full) else [])


@pytest.mark.parametrize("n", [3, 20, 300])
def test_the_share_of_points_out_of_a_bag(n: int) -> None:
    X = np.arange(n, dtype=float)[:, None]
    steps = grown(X, (X[:, 0] > 0).astype(int), n_trees=400, max_depth=1)
    share = np.mean([step.drawn == 0 for step in steps])
    assert share == pytest.approx((1 - 1 / n) ** n, abs=4 * 0.5 / np.sqrt(400 * n))


def test_further_trees_and_the_features_tried_leave_the_bags_as_they_are() -> None:
    X, y = data("moons")
    short, long, both = (
        grown(X, y, n_trees=trees, max_features=tried)[:5]
        for trees, tried in ((5, 1), (9, 1), (5, 2))
    )
    for a, b, c in zip(short, long, both, strict=True):
        np.testing.assert_array_equal(a.drawn, b.drawn)
        np.testing.assert_array_equal(a.drawn, c.drawn)
        np.testing.assert_array_equal(a.tree.threshold, b.tree.threshold)


def test_each_feature_is_tried_as_often_as_the_others() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = (X[:, 2] > 0).astype(int)  # the third would always be taken
    for tried in (1, 2, 4):
        roots = [s.tree.feature[0] for s in grown(X, y, n_trees=200, max_features=tried)]
        assert np.mean(np.array(roots) == 2) == pytest.approx(tried / 4, abs=0.13)


def test_a_feature_that_cannot_be_cut_is_replaced_by_another() -> None:
    X, y = data("moons")
    X = np.column_stack([np.ones(len(X)), X[:, 0], np.zeros(len(X))])
    for step in grown(X, y, n_trees=20):
        assert set(step.tree.feature[step.tree.inner]) == {1}
        rows = bag(step)
        np.testing.assert_array_equal(step.tree.predict(X[rows]), y[rows])


@pytest.mark.parametrize("case", range(SURFACE.cases))
def test_the_surface_is_the_vote_in_every_cell(case: int) -> None:
    X, y = data(["moons", "blobs"][case % 2])
    depth = [1, 3, 20][case // 2]
    model = grown(X, 2 * y + 1, n_trees=12, max_depth=depth)[-1]
    thresholds = np.concatenate([tree.threshold for tree in model.trees])
    x = np.unique(np.append(np.linspace(X.min(), X.max(), 30), thresholds[:9]))
    winner, share = model.surface(x, x[:25])
    cells = np.column_stack([np.tile(x, 25), np.repeat(x[:25], len(x))])
    np.testing.assert_array_equal(winner.ravel(), model.predict(cells))
    largest = model.predict_proba(cells).max(axis=1)
    np.testing.assert_allclose(share.ravel(), largest, rtol=0, atol=SURFACE.within)


def test_the_account_of_a_run() -> None:
    X, y = data("blobs")
    held = np.arange(len(X)) % 3 == 0
    steps = grown(X[~held], y[~held], n_trees=12)
    found = account(steps, X, y, held)
    assert found.tree_error is not None and found.held_out_error is not None
    for t, step in enumerate(steps):
        assert found.out_of_bag_error[t] == step.out_of_bag_error
        assert found.tree_error[t] == np.mean(step.tree.predict(X[held]) != y[held])
        assert found.held_out_error[t] == np.mean(step.predict(X[held]) != y[held])
        np.testing.assert_array_equal(found.missed[t, ~held], step.wrong)
        np.testing.assert_array_equal(found.missed[t, held], step.predict(X[held]) != y[held])
        said = np.array([tree.predict(X) for tree in step.trees])
        np.testing.assert_array_equal(step.classes[found.says[t]], said[-1])
        for i in (0, 7, 31):
            votes = np.array([np.sum(said[:, i] == c) for c in step.classes])
            assert found.votes(t)[i].tolist() == votes.tolist()
            v = votes / (t + 1)
            assert found.disagreement(t)[i] == pytest.approx((v * (1 - v)).sum())
            pairs = said[:, None, i] != said[None, :, i]
            assert found.disagreement(t)[i] == pytest.approx(pairs.mean())
    none = account(steps, X[~held], y[~held], np.zeros((~held).sum(), bool))
    assert none.tree_error is None and none.held_out_error is None


def test_the_variance_of_a_mean_of_trees_is_that_of_the_formula() -> None:
    """Over many forests on new samples: rho sigma^2 + (1 - rho) sigma^2 / b."""
    places, b, forests = np.array([[0.5, 0.2], [0.0, 0.5], [1.0, 0.5]]), 6, []
    for seed in range(150):
        X, y = data("moons", n=60, seed=seed)
        trees = grown(X, y, seed, n_trees=b)[-1].trees
        forests.append([tree.predict_proba(places)[:, 1] for tree in trees])
    for case in range(VARIANCE.cases):
        shares = np.array(forests)[:, :, case]
        covariance = np.cov(shares.T)
        sigma2 = np.diag(covariance).mean()
        rho = (covariance.sum() - np.trace(covariance)) / (b * (b - 1)) / sigma2
        assert 0.1 < rho < 0.9
        mean = shares.mean(axis=1).var(ddof=1)
        formula = rho * sigma2 + (1 - rho) * sigma2 / b
        assert mean == pytest.approx(formula, rel=0, abs=VARIANCE.within)
        assert mean < 0.8 * sigma2


# Degenerate data


def test_one_distinct_point() -> None:
    X = np.ones((5, 2))
    for step in grown(X, np.array([0, 1, 1, 0, 1]), n_trees=6):
        assert len(step.tree.feature) == 1
        np.testing.assert_allclose(step.tree.counts[0].sum(), 5)


def test_two_points_that_were_both_drawn_have_no_out_of_bag_error() -> None:
    X, y = np.array([[0.0], [1.0]]), np.array([4, 9])
    first = [grown(X, y, seed, n_trees=1)[0] for seed in range(20)]
    both = [step for step in first if step.drawn.tolist() == [1, 1]]
    assert 0 < len(both) < 20
    assert all((step.out_of_bag_error is None) == (step in both) for step in first)


def test_a_bag_may_lack_a_class() -> None:
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 0, 7])
    steps = grown(X, y, n_trees=30)
    lacking = [step for step in steps if step.drawn[-1] == 0]
    assert lacking
    for step in lacking:
        assert step.tree.counts.tolist() == [[8, 0]]
        assert step.predict(X).max() in (0, 7)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"n_trees": 0}, "n_trees must be"),
        ({"max_features": 3}, "max_features must be between 1 and d=2, got max_features=3"),
        ({"max_features": 0}, "max_features must be between 1 and d=2"),
        ({"max_depth": 0}, "max_depth must be"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(how: dict, sentence: str) -> None:
    X, y = data("moons")
    with pytest.raises(ValueError, match=sentence):
        random_forest(X, y, rng=np.random.default_rng(0), **how)
