"""What the lesson of factor analysis claims about its experiments."""

import numpy as np
from sklearn.decomposition import PCA, FactorAnalysis

from algorithms.core.record import last
from algorithms.reduction.factor_analysis.factor_analysis import factor_analysis
from pages._shared.ask.split import split_rng
from tests.house.claims import Numbers, Trial, claims_test


def angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(np.arccos(abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b))))


def turned(
    trial: Trial, amount: float, unit: float = 1.0, *, seen: slice = slice(2)
) -> tuple[float, float]:
    """Return by how much PCA and the factor turn, by scikit-learn, in the old units.

    seen : the columns in which the angle is measured, by default the picture's two.
    """
    X = trial.data.table
    changed = X.copy()
    changed[:, 1] += amount * X[:, 1].std() * split_rng(0).normal(size=len(X))
    units = np.array([1, unit, 1, 1, 1])
    found = []
    for model in (PCA(1), FactorAnalysis(1, tol=1e-8, max_iter=5000)):
        before, after = model.fit(X).components_[0], model.fit(changed * units).components_[0]
        spread = X.std(axis=0)
        found.append(angle((before / spread)[seen], (after / units / spread)[seen]))
    return found[0], found[1]


def which_axis_turns(trial: Trial) -> Numbers:
    for sample in range(10):  # the lesson says it of this sample; the others agree
        trial.steps(sample=str(sample))
        pca, factor = turned(trial, 3, seen=slice(None))
        assert pca > 2.5 * factor
        pca, factor = turned(trial, 3)
        assert pca > 1.2 * factor
    noisy, without = (trial.steps(own=own)[-1] for own in ("1.5", "0"))
    own = noisy.noise_variances[1] - without.noise_variances[1]
    added = noisy.covariance[1, 1] - without.covariance[1, 1]
    assert abs(own - added) < 0.1 * added
    (at, of), (far, turns) = turned(trial, 1.5), turned(trial, 3)
    return [at, far, of, turns]


def larger_numbers(trial: Trial) -> Numbers:
    end, old = trial.steps()[-1], trial.steps(unit="1")[-1]
    units = np.array([1, 10, 1, 1, 1])
    np.testing.assert_allclose(end.loadings[:, 0], units * old.loadings[:, 0], rtol=1e-6)
    np.testing.assert_allclose(end.noise_variances, units**2 * old.noise_variances, rtol=1e-6)
    (pca, factor), (more, same) = turned(trial, 1), turned(trial, 1, 10)
    assert abs(factor - same) < 0.05
    return [pca, more, factor]


def how_many_factors(trial: Trial) -> Numbers:
    found = []
    for factors in ("1", "2"):
        end = trial.steps(factors=factors)[-1]
        s = end.implied.diagonal()
        found.append(end.implied[3, 4] / np.sqrt(s[3] * s[4]))
        if factors == "1":
            share = end.noise_variances / s
            assert (share[:3] < 0.02).all() and (share[3:5] > 0.95).all()
    return [np.corrcoef(trial.data.table.T)[3, 4], found[0], found[1]]


def which_two_factors(trial: Trial) -> Numbers:
    steps = trial.steps()
    (best,) = (step for step in steps if step.event)
    end = last(factor_analysis(trial.data.table, n_components=2, max_iter=500, tol=1e-3))
    assert {step.log_likelihood for step in steps} == {end.log_likelihood}
    sizes = np.abs(best.loadings)
    assert sizes[:3, 1].max() < 0.1 and sizes[3:5, 0].max() < 0.15
    first, second = sizes[:3, 0].min(), sizes[3:5, 1].min()
    assert first >= 0.99 and second >= 0.98
    return [best.angle, np.floor(first * 100) / 100, np.floor(second * 100) / 100]


def too_few_columns(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    np.testing.assert_allclose(end.implied, end.covariance, atol=0.01)
    S = end.covariance
    for share in (0.05, 0.9):  # of x's variance: another factor with the same covariance
        first = np.sqrt(share * S[0, 0])
        other = np.array([first, S[0, 1] / first])
        assert (S.diagonal() > other**2).all()
    return [S[0, 1] / np.sqrt(S[0, 0] * S[1, 1]), 4, 3]


def no_noise_left(trial: Trial) -> Numbers:
    steps = trial.steps()
    end = steps[-1]
    share = end.noise_variances / end.covariance.diagonal()
    assert share.argmin() == 2 and steps[-3].noise_variances[2] > end.noise_variances[2]
    return [100 * share[2], abs(end.loadings[2, 0]) / np.sqrt(end.covariance[2, 2])]


test_claims = claims_test(
    "factor_analysis",
    {
        "Which axis turns?": which_axis_turns,
        "Larger numbers": larger_numbers,
        "How many factors?": how_many_factors,
        "Which two factors?": which_two_factors,
        "Too few columns": too_few_columns,
        "No noise left": no_noise_left,
    },
)
