from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from algorithms.evaluation.paired_comparison import (
    SCHEMES,
    PairedStep,
    Resampling,
    false_alarms,
    nearest_means_differ,
    paired_comparison,
    rejected_after,
    t_test,
)
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

NOISE = {"moons": 0.6, "parallel": 0.5, "unequal": 1.0, "row": 0.8, "blobs": 1.0}


def made(name: str, n: int = 60, **how: Any) -> tuple[Any, list[PairedStep]]:
    data = dataset(name, n, noise=NOISE[name])
    rng = np.random.default_rng(1)
    return data, check_steps(paired_comparison(data.X, data.labels, rng=rng, **how))


@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_differences_are_scikit_learn_s_on_the_same_points(name: str, scheme: str) -> None:
    data, steps = made(name, resampling=Resampling(scheme, 4), second="1-NN")
    for step in steps:
        out, errors = step.held_out, []
        for theirs in (LinearDiscriminantAnalysis(), KNeighborsClassifier(1)):
            model = make_pipeline(StandardScaler(), theirs).fit(data.X[~out], data.labels[~out])
            errors.append(1 - model.score(data.X[out], data.labels[out]))
        assert step.differences[-1] == pytest.approx(errors[0] - errors[1], abs=1e-12)
        np.testing.assert_array_equal(
            step.wrong[0], out & (step.models[0].predict(data.X) != data.labels)
        )
    if scheme == "folds":
        assert (np.sum([step.held_out for step in steps], axis=0) == 1).all()
        assert steps[-1].overlap == pytest.approx(1 / 3)


T_TESTS = Checked(
    "intervals_and_tests",
    "SciPy's ttest_1samp for the plain t, and the corrected t written out",
    40,
    "sets of differences",
    within=1e-9,
)


def test_the_t_tests_are_scipy_s_and_nadeau_and_bengio_s() -> None:
    rng = np.random.default_rng(0)
    near = {"rel": 0, "abs": T_TESTS.within}
    for case in range(T_TESTS.cases):
        b, overlap = 2 + case, [0.0, 0.25, 3 / 7][case % 3]
        d = rng.normal(0.02, 0.05, b)
        plain, corrected = t_test(d), t_test(d, overlap)
        assert plain is not None and corrected is not None
        assert (plain.t, plain.p) == pytest.approx(tuple(stats.ttest_1samp(d, 0)), **near)
        low, _ = stats.t.interval(0.95, b - 1, d.mean(), stats.sem(d))
        assert d.mean() - plain.half == pytest.approx(low, **near)
        t = d.mean() / np.sqrt((1 / b + overlap) * d.var(ddof=1))
        assert corrected.t == pytest.approx(t, **near)
        assert corrected.p == pytest.approx(2 * stats.t.sf(abs(t), b - 1), **near)
        assert corrected.rejects == (abs(d.mean()) > corrected.half)
    assert t_test(np.full(5, 0.1)) is None and t_test(np.array([0.1])) is None


def test_the_tests_of_a_step_are_of_its_differences() -> None:
    _, steps = made("moons", resampling=Resampling(resamples=8))
    for step in steps:
        for test, overlap in ((step.plain, 0.0), (step.corrected, step.overlap)):
            expected = t_test(step.differences, overlap)
            assert (test is None) == (expected is None)
            assert test is None or expected is None or test.t == expected.t


def test_events_are_where_a_verdict_changes() -> None:
    _, steps = made("moons", n=150, resampling=Resampling(resamples=12), second="1-NN")
    assert steps[-1].event == "all resamples drawn"
    rejected = [tuple(bool(t and t.rejects) for t in (s.plain, s.corrected)) for s in steps]
    before = [(False, False), *rejected[:-1]]
    changed = [now != was for now, was in zip(rejected, before, strict=True)]
    assert [step.event == "a verdict changes" for step in steps[:-1]] == changed[:-1]
    assert any(changed[:-1])


def test_the_simulated_classifiers_are_nearest_means_on_one_feature() -> None:
    rng = np.random.default_rng(0)
    y, out = rng.random((3, 50)) < 0.5, rng.random((3, 50)) < 0.3
    X = rng.normal(size=(2, 3, 50)) + y
    for s, found in enumerate(nearest_means_differ(X, y, out)):
        learned = ~out[s]
        errors = [
            1 - NearestCentroid().fit(X[j, s, learned, None], y[s, learned])
            .score(X[j, s, out[s], None], y[s, out[s]])
            for j in range(2)
        ]  # fmt: skip
        assert found == pytest.approx(errors[0] - errors[1])


def test_rejections_are_counted_as_scipy_tests() -> None:
    differences = np.random.default_rng(0).normal(0.3, 1, (40, 6))
    found = rejected_after(differences, 0.0)
    assert found[0] == 0
    for b in range(2, 7):
        p = np.array(stats.ttest_1samp(differences[:, :b], 0, axis=1))[1]
        assert found[b - 1] == pytest.approx(np.mean(p < 0.05))
    assert (rejected_after(differences, 0.4) <= found).all()


def test_only_the_plain_test_over_splits_rejects_too_often() -> None:
    for seed in range(3):
        how = {"rng": np.random.default_rng(seed), "sets": 400}
        splits = false_alarms(Resampling("random splits", 30), **how)
        folds = false_alarms(Resampling("folds", 10), **how)
        assert splits.plain[-1] > 0.45 > 0.25 > splits.plain[4] > 0.12
        assert splits.corrected.max() < 0.09 and folds.plain[-1] < 0.09


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"scheme": "folds", "resamples": 5}, r"folds must be between 2 and n=4, got folds=5"),
        ({"resamples": 50001}, r"resamples \* n must be at most 200000"),
        (
            {"resamples": 12501, "second": "RBF SVM"},
            r"resamples \* n must be at most 50000 with LDA and RBF SVM",
        ),
        ({"scheme": "folds", "resamples": 2}, "y must name two classes outside every fold"),
        ({"first": "?"}, "first must be one of"),
        ({"second": "?"}, "second must be one of"),
        ({"scheme": "?"}, "scheme must be one of"),
        ({"test_share": 1.0}, "test_share must be between 0 and 1"),
    ],
)
def test_refusals(how: dict[str, Any], sentence: str) -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 0, 1])
    names = {name: value for name, value in how.items() if name in ("first", "second")}
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        resampling = Resampling(**{name: how[name] for name in how.keys() - names})
        paired_comparison(X, y, rng=np.random.default_rng(0), resampling=resampling, **names)
