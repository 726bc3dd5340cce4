import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from algorithms.classification.gaussian_discriminant.categorical_naive_bayes import (
    ESTIMATES,
    MODELS,
    categorical_naive_bayes,
    errors_by_bins,
    estimated,
    n_parameters,
)
from algorithms.core.record import last
from tests.classification.gaussian_discriminant.test_gaussian_discriminant import (
    HOSTILE,
    PRESETS,
    check_the_factors,
    mixture,
    preset,
)
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

SCIKIT_LEARN = Checked(
    "gaussian_discriminant",
    "scikit-learn's categorical and Bernoulli naive Bayes, tables and probabilities",
    64,
    "fits",
    within=1e-8,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    (X, y), model = preset(PRESETS[case % 8]), MODELS[case // 8 % 2]
    bins, strength = [(2, 1.0), (5, 1.0), (9, 0.2), (30, 7.0)][case // 16]
    how = {"model": model, "bins": bins, "strength": strength}
    ours = check_steps(categorical_naive_bayes(X, y, **how))[-1]
    values = ours.values(X).T
    if model == "categorical":
        theirs = CategoricalNB(alpha=strength, min_categories=bins).fit(values, y)
        logs = np.stack(theirs.feature_log_prob_, axis=1)
    else:
        theirs = BernoulliNB(alpha=strength).fit(values, y)
        present = theirs.feature_log_prob_
        logs = np.stack([np.log1p(-np.exp(present)), present], axis=2)
    np.testing.assert_array_equal(ours.classes, theirs.classes_)
    np.testing.assert_allclose(np.log(ours.priors), theirs.class_log_prior_, atol=1e-12)
    near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
    np.testing.assert_allclose(np.log(ours.tables), logs, **near)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(values), **near)
    # Of two equally probable classes rounding decides.
    sure = np.diff(np.sort(ours.scores(X), axis=1)[:, -2:])[:, 0] > 1e-9
    np.testing.assert_array_equal(ours.predict(X)[sure], theirs.predict(values)[sure])


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 40),
    k=st.integers(2, 4),
    d=st.integers(1, 3),
    seed=st.integers(0, 99),
    model=st.sampled_from(MODELS),
    bins=st.integers(2, 6),
    estimate=st.sampled_from(ESTIMATES),
    strength=st.sampled_from([0.0, 0.5, 3.0]),
)
def test_what_holds_for_every_run(
    n: int, k: int, d: int, seed: int, model: str, bins: int, estimate: str, strength: float
) -> None:
    X, y = mixture(max(n, k), k, d, seed)
    how = {"model": model, "bins": bins, "estimate": estimate, "strength": strength}
    steps = check_steps(categorical_naive_bayes(X, y, **how))
    features = d if model == "categorical" else d * (bins - 1)
    assert [step.phase for step in steps] == ["priors"] + ["feature"] * features + ["surface"]
    assert steps[-1].event == "surface"
    final = steps[-1]
    np.testing.assert_allclose(final.tables.sum(axis=2), 1)
    np.testing.assert_array_equal(
        final.value_counts.sum(axis=2), np.tile(final.counts[:, None], features)
    )
    for step in steps[1:-1]:
        assert (step.event == "zero frequency") == (not step.tables[:, step.index].all())
        assert not step.event or strength == 0
    for step in steps:
        check_model(step, X)
        check_the_factors(step, X)
    np.testing.assert_allclose(steps[0].predict_proba(X), np.tile(final.priors, (len(X), 1)))
    # Bayes' rule itself, as products.
    values = final.values(X)
    joint = np.tile(final.priors, (len(X), 1))
    for feature in range(features):
        joint *= final.tables[:, feature, values[feature]].T
    known = joint.sum(axis=1) > 1e-250
    expected = joint[known] / joint[known].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(final.predict_proba(X)[known], expected, atol=1e-12)


def test_two_bins_are_one_yes_or_no_question() -> None:
    X, y = preset("penguins")
    categorical, bernoulli = (
        last(categorical_naive_bayes(X, y, model=model, bins=2)) for model in MODELS
    )
    np.testing.assert_allclose(categorical.tables, bernoulli.tables)
    np.testing.assert_allclose(categorical.predict_proba(X), bernoulli.predict_proba(X))


def test_the_surface_is_made_of_steps() -> None:
    X, y = preset("moons")
    for model in MODELS:
        step = last(categorical_naive_bayes(X, y, model=model, bins=4))
        cells = np.random.default_rng(0).uniform(-5, 5, size=(4000, 2))
        probabilities = step.predict_proba(cells)[:, 1]
        places = np.stack([(cells[:, [j]] > step.edges[j]).sum(axis=1) for j in (0, 1)])
        for place in np.unique(places, axis=1).T:
            inside = probabilities[(places == place[:, None]).all(axis=0)]
            assert np.ptp(inside) < 1e-12


def test_for_two_classes_the_log_odds_are_linear_in_the_questions() -> None:
    X, y = preset("moons")
    step = last(categorical_naive_bayes(X, y, model="bernoulli", bins=5))
    answers = step.values(X).T
    design = np.column_stack([answers, np.ones(len(X))])
    weights, *_ = np.linalg.lstsq(design, step.decision_function(X), rcond=None)
    np.testing.assert_allclose(design @ weights, step.decision_function(X), atol=1e-9)


def test_m_estimate_of_the_notes() -> None:
    """P(Wind = strong | no) from 3 of 5 days (002:1600), with p from 6 of all 14 days."""
    days = np.array([[6, 3], [2, 3]])  # yes and no: weak, strong
    assert estimated(days, "m-estimate", 0.0)[1, 1] == pytest.approx(3 / 5)
    p = (6 + 1) / (14 + 2)
    assert estimated(days, "m-estimate", 4.0)[1, 1] == pytest.approx((3 + 4 * p) / (5 + 4))
    assert estimated(days, "laplace", 1.0)[1, 1] == pytest.approx((3 + 1) / (5 + 2))
    even = np.array([[3, 2], [2, 3]])  # p = 1/2: Laplace with strength m/V
    np.testing.assert_allclose(estimated(even, "m-estimate", 4.0), estimated(even, "laplace", 2.0))


def test_a_zero_frequency_wipes_out_everything_else_and_smoothing_repairs_it() -> None:
    X = np.array([[0.0, 0], [0.2, 1], [0.1, 1], [1, 1], [0.9, 0], [0.1, 0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    steps = check_steps(categorical_naive_bayes(X, y, bins=2, strength=0.0))
    assert [step.event for step in steps] == [None, "zero frequency", None, "surface"]
    assert steps[-1].predict_proba(np.array([[1.0, 1.0]])).tolist() == [[0, 1]]
    repaired = last(categorical_naive_bayes(X, y, bins=2, strength=1.0))
    assert repaired.predict_proba(np.array([[1.0, 1.0]]))[0, 0] > 0.1


def test_where_every_class_has_probability_zero_the_priors_stand_in() -> None:
    X = np.array([[0.0, 0], [0, 0.1], [1, 1]])
    step = last(categorical_naive_bayes(X, np.array([4, 4, 7]), bins=2, strength=0.0))
    found = step.predict_proba(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
    np.testing.assert_allclose(found, [[2 / 3, 1 / 3], [2 / 3, 1 / 3], [0, 1]])


def test_each_column_brings_one_factor() -> None:
    X, y = preset("penguins")
    for model in MODELS:
        step = last(categorical_naive_bayes(X, y, model=model, bins=4))
        factors = np.exp(step.log_factors(X[:1]))[0]
        values, per_column = step.values(X[:1])[:, 0], step.tables.shape[1] // X.shape[1]
        for column in range(X.shape[1]):
            own = range(column * per_column, (column + 1) * per_column)
            expected = np.prod([step.tables[:, j, values[j]] for j in own], axis=0)
            np.testing.assert_allclose(factors[:, column], expected)


@pytest.mark.parametrize("model", MODELS)
def test_errors_by_number_of_bins(model: str) -> None:
    X, y = preset("moons")
    held = np.random.default_rng(0).random(len(X)) < 0.3
    how = {"model": model, "estimate": "m-estimate", "strength": 2.0}
    found = errors_by_bins(X, y, held, 7, **how)
    assert found.shape == (6, 2)
    for bins, counts in enumerate(found, 2):
        step = last(categorical_naive_bayes(X[~held], y[~held], bins=bins, **how))
        wrong = step.predict(X) != y
        assert counts.tolist() == [wrong[~held].sum(), wrong[held].sum()]


@pytest.mark.parametrize("model", MODELS)
def test_no_unit_matters(model: str) -> None:
    X, y = preset("iris")
    step = last(categorical_naive_bayes(X, y, model=model))
    for unit in (2.0**-20, 2.0**20, 2.0 ** np.arange(-20, 20, 10)):
        same = last(categorical_naive_bayes(X * unit, y, model=model))
        np.testing.assert_array_equal(same.tables, step.tables)
        np.testing.assert_array_equal(same.predict(X * unit), step.predict(X))


def test_number_of_parameters() -> None:
    assert n_parameters(1, 2, 5) == (8, 8)
    assert n_parameters(3, 2, 5) == (24, 248)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("estimate", "strength"), [("laplace", 0.0), ("m-estimate", 1e100)])
def test_hostile_data(name: str, model: str, estimate: str, strength: float) -> None:
    X, y = HOSTILE[name]
    how = {"model": model, "estimate": estimate, "strength": strength}
    steps = check_steps(categorical_naive_bayes(X, y, **how))
    for step in steps[:: max(1, len(steps) // 8)] + steps[-1:]:
        check_model(step, np.concatenate([X, X * -3, 1e50 * X[:1].clip(-1, 1)]))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bins": 1}, "bins must be between 2 and 50, got bins=1"),
        ({"model": "m"}, "model must be one of 'categorical', 'bernoulli', got model='m'"),
        ({"estimate": "e"}, "estimate must be one of 'laplace', 'm-estimate', got estimate='e'"),
        ({"strength": -1.0}, "strength must be a number from 0 to 1e+100, got strength=-1.0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        categorical_naive_bayes(**given)
    assert str(caught.value) == sentence
