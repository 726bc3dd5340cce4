import numpy as np
import pytest
from scipy import stats

from algorithms.evaluation.mcnemar import exact_p, fewest, least_leads, mcnemar, power
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

EXACT = Checked(
    "intervals_and_tests",
    "SciPy's binomtest, for the exact p of McNemar's test",
    625,
    "pairs of counts",
    within=1e-9,
)
POWER = Checked(
    "intervals_and_tests",
    "The power of McNemar's test, summed over all counts b and c",
    60,
    "pairs of rates",
    within=1e-9,
)


def test_the_exact_p_is_scipy_s() -> None:
    for case in range(EXACT.cases):
        b, c = divmod(case, 25)
        theirs = stats.binomtest(b, b + c).pvalue if b + c else 1.0
        assert exact_p(b, c) == pytest.approx(theirs, rel=0, abs=EXACT.within)


def test_the_least_leads_are_those_at_which_the_test_rejects() -> None:
    found = least_leads(40)
    for m in range(41):
        leads = [m - 2 * c for c in range(m // 2 + 1) if exact_p(m - c, c) < 0.05]
        assert (min(leads) if leads else None) == (None if np.isnan(found[m]) else found[m])


def test_the_fewest_are_the_last_that_the_test_rejects() -> None:
    for m, fewer in enumerate(fewest(300).tolist()):
        assert fewer == max((c for c in range(m // 2 + 1) if exact_p(m - c, c) < 0.05), default=-1)


def test_the_power_is_the_sum_over_all_counts() -> None:
    rng = np.random.default_rng(3)
    for _ in range(POWER.cases):
        n, (first, second) = int(rng.integers(1, 31)), rng.dirichlet([1, 1, 2])[:2]
        rejected = sum(
            stats.multinomial.pmf([b, c, n - b - c], n, [first, second, 1 - first - second])
            for b in range(n + 1)
            for c in range(n + 1 - b)
            if exact_p(b, c) < 0.05
        )
        found = power(n, first + second, np.array([first - second]))[0]
        assert found == pytest.approx(rejected, abs=POWER.within)


def test_without_a_difference_the_power_is_that_of_false_alarms() -> None:
    for n, differ in ((1, 0.0), (20, 1.0), (97, 0.1), (4000, 0.3)):
        found = power(n, differ, np.linspace(0, differ, 20))
        assert found[0] <= 0.05 and (np.diff(found) >= -1e-12).all() and found.max() <= 1 + 1e-12


def test_stopping_at_the_first_crossing_rejects_too_often() -> None:
    tosses = np.random.default_rng(0).choice([-1, 1], (500, 60))
    crossed = np.abs(tosses.cumsum(axis=1)) >= least_leads(60)[1:]
    assert crossed[:, -1].mean() < 0.06 < 0.12 < crossed.any(axis=1).mean()


@pytest.mark.parametrize("name", ["moons", "row"])
def test_every_held_out_point_is_judged_once(name: str) -> None:
    data = dataset(name, 80, noise=0.8)
    steps = check_steps(mcnemar(data.X, data.labels, rng=np.random.default_rng(1)))
    out = steps[0].held_out
    assert [step.point for step in steps] == [-1, *np.flatnonzero(out)]
    wrong = np.array([model.predict(data.X) != data.labels for model in steps[0].models])
    for step in steps:
        np.testing.assert_array_equal(step.wrong, wrong & step.judged)
        a, b = step.wrong
        assert (step.only_first, step.only_second) == ((a & ~b).sum(), (b & ~a).sum())
        assert step.judged.sum() == steps.index(step)
        differ = step.point >= 0 and a[step.point] != b[step.point]
        if step is not steps[-1]:
            assert bool(step.event) == differ
    last = steps[-1]
    assert last.event == "all points judged" and (last.judged == out).all()
    b, c = last.only_first, last.only_second
    assert b + c > 0
    assert last.chi_square == pytest.approx(max(abs(b - c) - 1, 0) ** 2 / (b + c))
    assert last.chi_square_p == pytest.approx(stats.chi2.sf(last.chi_square, 1))


def test_a_share_of_all_points_is_refused() -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])
    with AsInTheApp(), pytest.raises(ValueError, match="test_share must be between 0 and 1"):
        mcnemar(X, y, rng=np.random.default_rng(0), test_share=1.0)
