from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from algorithms.core.splits import deal
from algorithms.evaluation.rotating_folds import SLOW, RotatingFoldsStep, rotating_folds
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

NOISE = {"moons": 0.6, "parallel": 0.5, "unequal": 1.0, "row": 0.8, "blobs": 1.0}
SCIKIT_LEARN = Checked(
    "thresholds",
    "scikit-learn's cross_val_score on the same folds",
    15,
    "runs",
    within=1e-12,
)


def folds_of(name: str, seed: int = 0, n: int = 90, **how: Any) -> list[RotatingFoldsStep]:
    data = dataset(name, n, sample=seed, noise=NOISE[name])
    rng = np.random.default_rng(seed)
    return check_steps(rotating_folds(data.X, data.labels, rng=rng, **how))


@pytest.mark.thorough
@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_the_errors_are_scikit_learn_s_on_the_same_folds(case: int) -> None:
    name, folds = list(NOISE)[case % len(NOISE)], [2, 5, 90][case // len(NOISE)]
    data = dataset(name, 90, noise=NOISE[name])
    steps = folds_of(name, folds=folds)
    model = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())
    splits = [(np.flatnonzero(~s.held_out), np.flatnonzero(s.held_out)) for s in steps]
    theirs = 1 - cross_val_score(model, data.X, data.labels, cv=splits)
    np.testing.assert_allclose(steps[-1].errors, theirs, rtol=0, atol=SCIKIT_LEARN.within)
    assert steps[-1].mean == pytest.approx(theirs.mean(), abs=1e-12)
    if folds == 90:
        alone = cross_val_score(model, data.X, data.labels, cv=LeaveOneOut())
        assert steps[-1].mean == pytest.approx(1 - alone.mean(), abs=1e-12)


@given(
    y=st.lists(st.integers(0, 3), min_size=4, max_size=60),
    folds=st.integers(2, 8),
    stratified=st.booleans(),
)
@settings(deadline=None)
def test_every_point_is_dealt_once_into_folds_of_one_size(
    y: list[int], folds: int, stratified: bool
) -> None:
    codes = np.unique(y, return_inverse=True)[1]
    folds = min(folds, len(codes))
    dealt = deal(codes, folds, stratified, np.random.default_rng(0))
    sizes = np.bincount(dealt, minlength=folds)
    assert len(sizes) == folds
    assert np.ptp(sizes) <= 1
    if stratified:
        for k in range(codes.max() + 1):
            assert np.ptp(np.bincount(dealt[codes == k], minlength=folds)) <= 1


def test_stratified_folds_are_as_balanced_as_scikit_learn_s() -> None:
    data = dataset("unequal", 97, noise=0.8)
    dealt = deal(data.labels, 5, True, np.random.default_rng(0))
    theirs = StratifiedKFold(5, shuffle=True, random_state=0).split(data.X, data.labels)
    held = [part for _, part in theirs]
    for k in range(3):
        ours = np.bincount(dealt[data.labels == k], minlength=5)
        assert sorted(ours) == sorted(int((data.labels[part] == k).sum()) for part in held)


@pytest.mark.parametrize("stratified", [True, False])
def test_in_a_deal_every_point_is_judged_once(stratified: bool) -> None:
    steps = folds_of("moons", folds=7, repeats=3, stratified=stratified)
    assert [(step.deal, step.fold) for step in steps] == [
        (r, f) for r in range(3) for f in range(7)
    ]
    for r in range(3):
        mine = steps[7 * r : 7 * r + 7]
        assert (np.sum([step.held_out for step in mine], axis=0) == 1).all()
        assert [step.event for step in mine] == [None] * 6 + ["every point judged once"]
        means = [float(step.wrong.sum() / step.held_out.sum()) for step in mine]
        np.testing.assert_allclose(mine[-1].errors, means)
        assert mine[-1].mean == pytest.approx(np.mean(means))
        assert mine[-1].spread == pytest.approx(np.std(means, ddof=1))
        assert mine[-1].estimates[-1] == mine[-1].mean
        assert len(mine[0].estimates) == r
    other = [step.held_out.tolist() for step in steps[7:14]]
    assert other != [step.held_out.tolist() for step in steps[:7]]


def test_the_model_has_not_seen_the_fold() -> None:
    data = dataset("moons", 60, noise=0.6)
    step = folds_of("moons", n=60, folds=3, classifier="1-NN")[0]
    X = data.X.copy()
    X[step.held_out] += 100
    moved = next(
        iter(
            rotating_folds(X, data.labels, rng=np.random.default_rng(0), folds=3, classifier="1-NN")
        )
    )
    grid = np.random.default_rng(1).normal(size=(50, 2))
    np.testing.assert_array_equal(step.predict(grid), moved.predict(grid))


@pytest.mark.parametrize(
    ("y", "how", "sentence"),
    [
        ([0, 1, 0, 1], {}, r"folds must be between 2 and n=4, got folds=5"),
        (
            [0, 1, 0, 1],
            {"folds": 4, "repeats": 12501},
            r"folds \* repeats \* n must be at most 200000",
        ),
        *(
            ([0, 1, 0, 1], {"folds": 4, "repeats": 3126, "classifier": slow}, f"50000 with {slow}")
            for slow in SLOW
        ),
        ([0, 0, 0, 1], {"folds": 2}, "y must name two classes outside every fold"),
        ([0, 0, 1, 1], {"folds": 2, "classifier": "?"}, "classifier must be one of"),
        ([0, 0, 0, 0], {"folds": 2}, "y must name at least two classes"),
    ],
)
def test_refusals(y: list[int], how: dict[str, Any], sentence: str) -> None:
    X = np.arange(8.0).reshape(4, 2)
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        rotating_folds(X, np.array(y), rng=np.random.default_rng(0), **how)
