"""The lesson's statements about its runs."""

import numpy as np
import pytest

from algorithms.classification.gaussian_discriminant.categorical_naive_bayes import errors_by_bins
from algorithms.classification.gaussian_discriminant.fisher_axis import fisher_axis
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import COVARIANCES
from algorithms.classification.gaussian_discriminant.learning_curves import learning_curves
from algorithms.core.splits import held_out
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.core.samples import dataset, labelled, rng
from tests.house.claims import Numbers, Trial, claims_test

GAUSSIANS = next(lab for lab in LABS if lab.name == "gaussian_discriminant")
SHARED, SEPARATE, NAIVE = range(3)  # in the order of COVARIANCES

Mistakes = tuple[int, int]


def sizes(trial: Trial) -> tuple[int, int]:
    """Count the training points, and the held-out points."""
    held = unpacked(trial.session.figure()["points"]["held"]) > 0
    return int((~held).sum()), int(held.sum())


def wrong(trial: Trial, **changes: str) -> Mistakes:
    """Count the wrong points at the end of the run: training points, and held-out points."""
    final = trial.steps(**changes)[-1]
    missed = final.predict(trial.data.X) != trial.data.labels
    held = unpacked(trial.session.figure()["points"]["held"]) > 0
    learned, unseen = int(missed[~held].sum()), int(missed[held].sum())
    text, (n, n_held) = trial.session.captions[-1], sizes(trial)
    assert f"{learned} of {n} point" in text
    assert not n_held or f", and {unseen} of {n_held} held out" in text
    return learned, unseen


def by_kind(trial: Trial, **changes: str) -> list[Mistakes]:
    """Count the mistakes by kind of covariance."""
    return [wrong(trial, covariance=kind, **changes) for kind in COVARIANCES]


def which_covariance(trial: Trial) -> Numbers:
    found = []
    for sample in range(4):
        leaning = by_kind(trial, sample=str(sample))
        numbers = sizes(trial)
        stretched = by_kind(trial, sample=str(sample), data="stretched")
        assert sum(leaning[SHARED]) >= 2 * sum(leaning[SEPARATE])
        for side in (0, 1):  # learned from, held out
            assert leaning[SHARED][side] > leaning[NAIVE][side] > leaning[SEPARATE][side]
            others = max(stretched[SHARED][side], stretched[SEPARATE][side])
            assert stretched[NAIVE][side] >= 3 * others
        found.append((numbers, leaning, stretched))
    (n, n_held), leaning, stretched = found[0]
    assert stretched[SHARED] == stretched[SEPARATE]
    straight, unseen = leaning[SHARED]
    return [
        straight, n, unseen, n_held, *leaning[NAIVE], *leaning[SEPARATE],
        *stretched[SHARED], *stretched[NAIVE],
    ]  # fmt: skip


def does_naive_mean_bad(trial: Trial) -> Numbers:
    steps = trial.steps()
    X, y = trial.data.X, trial.data.labels
    correlations = [np.corrcoef(X[y == k].T)[0, 1] for k in range(3)]
    for seed in range(8):
        for step in learning_curves(X, y, rng=np.random.default_rng([seed, 1])):
            naive, separate = step.mean_errors[[NAIVE, SEPARATE]]
            assert step.size > 17 or naive < separate
            assert step.size < 52 or naive > separate
    few, many = 12, 75
    errors = {step.size: 100 * step.mean_errors[[NAIVE, SEPARATE]] for step in steps}
    return [few, *errors[few], *correlations, many, *errors[many]]


def a_class_on_a_line(trial: Trial) -> Numbers:
    final = trial.steps()[-1]
    assert final.event == "no surface" and final.counts.tolist() == [2, 2]
    ridge = 0.001
    repaired = trial.steps(ridge=str(ridge))[-1]
    assert not repaired.singular.any() and repaired.pair == (0, 1)
    variances = trial.data.X.var(axis=0)
    added = np.diagonal(repaired.covariances[0] - final.covariances[0]) / variances
    return [ridge, *added[:1]]


def how_many_bins(trial: Trial) -> Numbers:
    found = {bins: wrong(trial, bins=str(bins)) for bins in range(2, 13)}
    unseen = {bins: counts[1] for bins, counts in found.items()}
    assert wrong(trial) == found[12] and trial.session.value("bins") == 12
    best, (_, n_held), samples = min(unseen, key=unseen.__getitem__), sizes(trial), 40
    shares = []
    for sample in range(samples):
        X, y = labelled("moons", 80, noise=0.3, sample=sample)
        out = held_out(80, 0.5, rng=np.random.default_rng([0, 1]), codes=y)
        how = {"model": "categorical", "estimate": "laplace", "strength": 1.0}
        shares.append(100 * errors_by_bins(X, y, out, 12, **how) / [(~out).sum(), out.sum()])
    learned, held = np.mean(shares, axis=0).T
    assert held.argmin() == best - 2
    here = [best, unseen[best], n_held, 2, unseen[2], unseen[12]]
    means = [held[0], 2, held[2], best, held[10]]
    return [*here, samples, *means, learned[0], learned[10]]


def zero_wipes_out_the_rest(trial: Trial) -> Numbers:
    final = trial.steps()[-1]
    place = np.array([trial.session.value("query").split(",")], float)
    first, second = np.exp(final.log_factors(place))[0]
    assert (first[1], second[0]) == (0, 0) and first[0] > 0 < second[1]
    joint = np.exp(final.log_factors(place))[0].prod(axis=1)
    chance = final.predict_proba(place)[0, 0]
    assert chance == pytest.approx(final.priors[0])
    assert trial.session.captions[-1].endswith("so the priors decide.")
    smooth = trial.steps(strength="1")[-1].predict_proba(place)[0]
    return [joint.max(), 1, 100 * chance, 0, 2, 100 * smooth[1]]


def far_apart_is_not_enough(trial: Trial) -> Numbers:
    shown = {step.event: step.ratio for step in trial.steps()}
    found, samples = [], range(10)
    for sample in samples:
        X, y = labelled("moons", 200, noise=0.2, sample=sample)
        steps = {step.event: step for step in fisher_axis(X, y)}
        named = "through both means", "most separation", "most variance"
        means, best, variance = (steps[name] for name in named)
        missed = [int((step.predict(X) != y).sum()) for step in (means, best, variance)]
        assert missed[1] < missed[0] < missed[2]
        assert best.ratio > means.ratio > variance.ratio
        near, far = (abs(np.diff(step.means)[0]) for step in (best, means))
        assert far >= max(abs(np.diff(step.means)[0]) for step in steps.values()) - 1e-9
        found.append([missed[0], len(X), missed[1], near, far, missed[2]])
        assert sample or shown["most separation"] == best.ratio
    return [*found[0], samples]


test_claims = claims_test(
    "gaussian_discriminant",
    {
        "Which covariance?": which_covariance,
        "Does naive mean bad?": does_naive_mean_bad,
        "A class on a line": a_class_on_a_line,
        "How many bins?": how_many_bins,
        "Zero wipes out the rest": zero_wipes_out_the_rest,
        "Far apart is not enough": far_apart_is_not_enough,
    },
)


def test_naive_is_better_on_rings_whose_coordinates_depend_on_each_other() -> None:
    """Another false assumption: where x is large on a ring, y is small."""
    for sample in range(4):
        data = dataset("circles", 200, noise=0.15, sample=sample)
        for step in learning_curves(data.X, data.labels, rng=rng(sample)):
            if 6 <= step.size <= 39:
                assert step.mean_errors[NAIVE] < step.mean_errors[SEPARATE]


@pytest.mark.parametrize("link", [{}, {"view": "naive"}, {"view": "binned"}])
def test_what_is_held_out_is_not_learned_from(link: dict, session: Session) -> None:
    session.open(GAUSSIANS, **link)
    assert session.run_shown is not None
    few = int(session.run_shown.steps[-1].counts.sum())
    assert few == 200 - int((unpacked(session.figure()["points"]["held"]) > 0).sum()) < 160
    session.set("slider", "held", 0)
    assert session.run_shown.steps[-1].counts.sum() == 200
    session.check_shown()


def test_dragging_the_picked_point_computes_no_run_again(session: Session) -> None:
    session.open(GAUSSIANS)
    before = session.run_shown
    session.open(GAUSSIANS, query="-1,0.5")
    assert session.run_shown is before


def test_a_rarer_class_has_a_smaller_region_and_the_caption_shows_its_prior(
    session: Session,
) -> None:
    shares = []
    for times in ("0.01", "0.3", "1", "3", "100"):
        session.open(GAUSSIANS, data="moons", prior=times)
        assert session.run_shown is not None and session.value("prior") == float(times)
        first, end = session.run_shown.steps[0], session.run_shown.steps[-1]
        cells = np.stack(np.meshgrid(*[np.linspace(-3, 3, 80)] * 2), axis=-1).reshape(-1, 2)
        shares.append((end.predict(cells) == 0).mean())
        odds = first.priors[0] / first.priors[1] / (first.counts[0] / first.counts[1])
        assert odds == pytest.approx(float(times))
        assert f"π(1) = {first.priors[0]:.3f}" in session.captions[0] or times == "1"
        assert ("as they are set" in session.captions[0]) == (times != "1")
    assert shares == sorted(shares) and shares[0] < shares[-1]
