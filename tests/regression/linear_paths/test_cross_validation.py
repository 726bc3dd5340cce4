"""Cross-validation against scikit-learn with the same folds, and that no fold sees its points."""

import numpy as np
import pytest
from sklearn.linear_model import LassoCV, Ridge, RidgeCV
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from algorithms.data.presets import Dataset
from algorithms.regression.linear_paths.cross_validation import (
    CrossValidation,
    cross_validation,
    deal,
)
from algorithms.regression.linear_paths.fit_training_part import (
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.linear_paths.prepared_table import (
    FeatureChoice,
    PreparedTable,
    prepared_table,
)
from tests.core.samples import dataset
from tests.house.checked import Checked

FOLDS = 5
FOLDED = Checked(
    "linear_paths",
    "scikit-learn's cross-validation on the same folds, errors relative to its own",
    6,
    "data sets",
    within=1e-6,
)


def made_of(
    name: str, n: int, choice: FeatureChoice, *, share: float = 0.0, sample: int = 1
) -> tuple[Dataset, PreparedTable]:
    data = dataset(name, n, sample=sample, noise=0.3)
    rng = np.random.default_rng(3)
    return data, prepared_table(data, choice, share=share, rng=rng, window=(-3.0, 3.0))


def judged(data: Dataset, choice: FeatureChoice, made: PreparedTable, run: list) -> CrossValidation:
    return cross_validation(data, choice, made, run, folds=FOLDS, rng=np.random.default_rng(7))


PLAIN = FeatureChoice((1, 2, 3, 4, 5), standardize=False)


@pytest.mark.thorough
@pytest.mark.parametrize("sample", range(FOLDED.cases))
def test_ridge_agrees_with_scikit_learn(sample: int) -> None:
    data, made = made_of("correlated", 100, PLAIN, sample=sample)
    ours = judged(data, PLAIN, made, list(ridge_on_training(made)))
    fold = deal(100, FOLDS, rng=np.random.default_rng(7))
    penalties = ours.penalties * (1 - 1 / FOLDS)  # all folds are of one size
    search = GridSearchCV(
        Ridge(solver="svd"), {"alpha": penalties}, scoring="neg_mean_squared_error",
        cv=PredefinedSplit(fold),
    ).fit(made.X, made.y)  # fmt: skip
    for f in range(FOLDS):
        theirs = -search.cv_results_[f"split{f}_test_score"]
        np.testing.assert_allclose(ours.errors[f], theirs, rtol=FOLDED.within, atol=0)
    np.testing.assert_allclose(ours.mean, -search.cv_results_["mean_test_score"], rtol=1e-7)
    spread = search.cv_results_["std_test_score"]
    np.testing.assert_allclose(ours.standard_error, spread / np.sqrt(FOLDS - 1), rtol=1e-6)
    chosen = RidgeCV(
        penalties, cv=PredefinedSplit(fold), scoring="neg_mean_squared_error"
    ).fit(made.X, made.y)  # fmt: skip
    assert chosen.alpha_ == pytest.approx(penalties[ours.best])


def test_the_lasso_agrees_with_scikit_learn() -> None:
    data, made = made_of("correlated", 100, PLAIN)
    ours = judged(data, PLAIN, made, list(lasso_on_training(made)))
    fold = deal(100, FOLDS, rng=np.random.default_rng(7))
    theirs = LassoCV(
        alphas=ours.penalties / 100, cv=PredefinedSplit(fold), tol=1e-9, max_iter=100_000
    ).fit(made.X, made.y)  # fmt: skip
    np.testing.assert_allclose(ours.errors, theirs.mse_path_.T, rtol=1e-5)
    assert theirs.alpha_ == pytest.approx(ours.penalties[ours.best] / 100)


def test_features_are_standardised_within_each_fold() -> None:
    choice = FeatureChoice((1, 2, 3, 4, 5))
    data, made = made_of("correlated", 100, choice)
    ours = judged(data, choice, made, list(ridge_on_training(made)))
    fold = deal(100, FOLDS, rng=np.random.default_rng(7))
    penalties = ours.penalties * (1 - 1 / FOLDS)
    model = make_pipeline(StandardScaler(), Ridge(solver="svd"))
    search = GridSearchCV(
        model, {"ridge__alpha": penalties}, scoring="neg_mean_squared_error",
        cv=PredefinedSplit(fold),
    ).fit(data.table[:, :6], made.y)  # fmt: skip
    np.testing.assert_allclose(ours.mean, -search.cv_results_["mean_test_score"], rtol=1e-7)


@pytest.mark.parametrize("basis", ["polynomial", "Gaussian", "Fourier"])
def test_what_is_learned_for_a_fold_does_not_know_its_points(basis: str) -> None:
    choice = FeatureChoice(basis=basis, count=5)
    data, made = made_of("sine", 40, choice, share=0.25)
    run = list(ridge_on_training(made))
    ours = judged(data, choice, made, run)
    learning = np.flatnonzero(~made.held_out)
    fold = deal(len(learning), FOLDS, rng=np.random.default_rng(7))
    table = data.table.copy()
    moved = learning[fold == 2][0]
    table[moved] += 0.5
    others = judged(Dataset("moved", table, *(data.columns, data.labels, data.classes)), choice,
                    made, run)  # fmt: skip
    rest = table.copy()
    rest[learning[fold == 2]] = data.table[learning[fold == 2]]
    np.testing.assert_array_equal(rest, data.table)
    assert not np.allclose(others.errors[2], ours.errors[2]), "its own error changes"
    held = table.copy()
    held[made.held_out] += 9.0
    same = judged(Dataset("held", np.where(made.held_out[:, None], held, data.table),
                          data.columns, data.labels, data.classes), choice, made, run)  # fmt: skip
    np.testing.assert_array_equal(same.errors, ours.errors)


def test_the_simplest_is_within_one_standard_error() -> None:
    errors = np.array([[9.0, 4, 2, 1, 3], [7, 2, 2, 3, 5]])
    found = CrossValidation(np.array([16.0, 8, 4, 2, 1]), errors)
    assert (found.best, found.simplest) == (2, 2)
    found = CrossValidation(found.penalties, errors[:, [0, 1, 3, 4, 2]])
    np.testing.assert_allclose(found.mean, [8, 3, 2, 4, 2])
    np.testing.assert_allclose(found.standard_error, [1, 1, 1, 1, 0])
    assert (found.best, found.simplest) == (2, 1), "the larger of two that are best, 3 <= 2 + 1"


def test_points_are_dealt_evenly() -> None:
    fold = deal(23, 5, rng=np.random.default_rng(0))
    assert sorted(np.bincount(fold)) == [4, 4, 5, 5, 5]
    assert deal(9, 10, rng=np.random.default_rng(0)).max() == 3, "two points in each at least"
    assert len(deal(3, 10, rng=np.random.default_rng(0))) == 0
    with pytest.raises(ValueError, match="folds must be at least 2"):
        deal(9, 1, rng=np.random.default_rng(0))
