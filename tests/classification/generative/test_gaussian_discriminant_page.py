"""The page on the Gaussian classifiers: what its lesson says is what its runs do."""

import re

import numpy as np
import pytest

from algorithms.classification.generative.categorical_naive_bayes import errors_by_bins
from algorithms.classification.generative.gaussian_discriminant import COVARIANCES
from algorithms.classification.generative.learning_curves import learning_curves
from algorithms.classification.linear.fisher_axis import fisher_axis
from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.experiments import experiment_of, steps_of

GAUSSIANS = next(lab for lab in LABS if lab.name == "gaussian_discriminant")
SAMPLES = ["0", "1", "2", "3"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def answer(experiment: str) -> str:
    return experiment_of(GAUSSIANS, experiment).answer


def wrong(session: Session, experiment: str, **changes: str) -> tuple[int, int]:
    """Count the points that an experiment gets wrong at its end: learned from, and held out."""
    final = steps_of(session, GAUSSIANS, experiment, **changes)[-1]
    drawn = session.figure()["points"]
    missed = final.predict(session.points) != unpacked(drawn["group"])
    held = unpacked(drawn["strength"]) < 255
    n, n_held = int((~held).sum()), int(held.sum())
    learned, unseen = int(missed[~held].sum()), int(missed[held].sum())
    text = session.captions[-1]
    assert f"{learned} of {n} point" in text
    assert not n_held or f", and {unseen} of {n_held} held out" in text
    return learned, unseen


def counts(session: Session, experiment: str, **changes: str) -> dict[str, tuple[int, int]]:
    """Count the mistakes by kind of covariance."""
    return {kind: wrong(session, experiment, covariance=kind, **changes) for kind in COVARIANCES}


@pytest.mark.parametrize("sample", SAMPLES)
def test_curved_borders_where_one_class_is_wide(sample: str, session: Session) -> None:
    found = counts(session, "Which covariance?", sample=sample)
    assert sum(found["shared"]) >= 3 * max(sum(found["separate"]), sum(found["diagonal"]))
    for learned_or_held in (0, 1):
        better = found["separate"][learned_or_held], found["diagonal"][learned_or_held]
        assert found["shared"][learned_or_held] > max(better)
    if sample == "0":
        assert found == {"shared": (7, 3), "separate": (1, 1), "diagonal": (1, 1)}
        text = answer("Which covariance?")
        assert "7 of the 518 points learned from wrong and 3 of the 482 held out" in text


@pytest.mark.parametrize("sample", SAMPLES)
def test_upright_ellipses_do_not_fit_slanted_classes(sample: str, session: Session) -> None:
    found = counts(session, "Which covariance?", sample=sample, data="stretched")
    for learned_or_held in (0, 1):
        slanted = found["separate"][learned_or_held], found["shared"][learned_or_held]
        assert found["diagonal"][learned_or_held] >= 3 * max(slanted)
    if sample == "0":
        assert found == {"shared": (3, 3), "separate": (3, 3), "diagonal": (11, 14)}
        assert "(diagonal) get 11 and 14 wrong, the others 3 and 3." in answer("Which covariance?")


def test_naive_is_better_from_few_points_although_its_assumption_is_false(
    session: Session,
) -> None:
    title, naive, separate = "Does naive mean bad?", 2, 1
    steps = steps_of(session, GAUSSIANS, title)
    X, y = session.points, unpacked(session.figure()["points"]["group"]).astype(int)
    correlations = [np.corrcoef(X[y == k].T)[0, 1] for k in range(3)]
    written = re.findall(r"\b0\.\d\d", answer(title))
    assert [float(found) for found in written] == pytest.approx(correlations, abs=0.006)
    for size, words in {
        12: "From 12 it gets {} % of the others wrong, separate covariances {} %",
        75: "From 75 flowers it is {} % against {} %",
    }.items():
        mean = next(100 * s.errors.mean(axis=0) for s in steps if s.size == size)
        assert words.format(f"{mean[naive]:.3g}", f"{mean[separate]:.3g}") in answer(title)
    for seed in range(8):
        again = list(learning_curves(X, y, rng=np.random.default_rng([seed, 1])))
        for step in again:
            mean = step.errors.mean(axis=0)
            if step.size <= 17:
                assert mean[naive] < mean[separate]
            if step.size >= 52:
                assert mean[naive] > mean[separate]


def test_naive_is_better_on_rings_whose_coordinates_depend_on_each_other() -> None:
    """Another false assumption: where x is large on a ring, y is small."""
    make = DATASETS["circles"].make
    for sample in range(4):
        data = make(200, noise=0.15, rng=np.random.default_rng(sample))
        for step in learning_curves(data.X, data.labels, rng=np.random.default_rng(sample)):
            if 6 <= step.size <= 39:
                _, separate, naive = step.errors.mean(axis=0)
                assert naive < separate


def test_two_points_have_no_density_until_the_ridge_is_raised(session: Session) -> None:
    title = "A class on a line"
    final = steps_of(session, GAUSSIANS, title)[-1]
    assert final.event == "no surface"
    assert final.counts.tolist() == [2, 2]
    assert "no spread across a line" in "".join(session.captions)
    repaired = steps_of(session, GAUSSIANS, title, ridge="0.001")[-1]
    assert not repaired.singular.any()
    assert repaired.pair == (0, 1)
    assert "part along a" in session.captions[-1]


def test_the_number_of_bins_that_is_best_for_new_points(session: Session) -> None:
    title = "How many bins?"
    found = {bins: wrong(session, title, bins=str(bins)) for bins in range(2, 13)}
    held = {bins: counts[1] for bins, counts in found.items()}
    assert wrong(session, title) == found[12]
    assert session.value("bins") == 12
    assert min(held, key=lambda bins: held[bins]) == 4
    assert "it gets 1 of the 41 points held out wrong, 2 bins get 10 wrong and 12 get 3" in answer(
        title
    )
    assert (held[4], held[2], held[12]) == (1, 10, 3)
    assert unpacked(session.figure()["points"]["strength"]).tolist().count(255) == 80 - 41
    make, shares = DATASETS["moons"].make, []
    for sample in range(40):
        data = make(80, noise=0.3, rng=np.random.default_rng(sample))
        out = held_out(80, 0.5, rng=np.random.default_rng([0, 1]), codes=data.labels)
        how = {"model": "categorical", "estimate": "laplace", "strength": 1.0}
        mistakes = errors_by_bins(data.X, data.labels, out, 12, **how)
        shares.append(100 * mistakes / [(~out).sum(), out.sum()])
    learned, unseen = np.mean(shares, axis=0).T
    assert [round(unseen[bins - 2]) for bins in (2, 4, 12)] == [18, 10, 15]
    assert [round(learned[bins - 2]) for bins in (2, 12)] == [16, 4]
    assert unseen.argmin() == 2


def test_two_zeros_leave_it_to_the_priors(session: Session) -> None:
    title = "Zero wipes out the rest"
    final = steps_of(session, GAUSSIANS, title)[-1]
    place = np.array([[2.0, 1.5]])
    assert session.value("query") == "2,1.5"
    (first, second) = np.exp(final.log_factors(place))[0]
    assert (first[1], second[0]) == (0, 0)
    assert first[0] > 0 < second[1]
    assert round(100 * final.predict_proba(place)[0, 0]) == 51 == round(100 * final.priors[0])
    assert session.captions[-1].endswith("so the priors decide.")
    smooth = steps_of(session, GAUSSIANS, title, strength="1")[-1]
    assert round(100 * smooth.predict_proba(place)[0, 1]) == 62


@pytest.mark.parametrize("link", [{}, {"view": "naive"}, {"view": "binned"}])
def test_what_is_held_out_is_not_learned_from(link: dict, session: Session) -> None:
    session.open(GAUSSIANS, **link)
    assert session.run_shown is not None
    few = int(session.run_shown.steps[-1].counts.sum())
    assert few == 200 - int((unpacked(session.figure()["points"]["strength"]) < 255).sum()) < 160
    session.set("slider", "held", 0)
    assert session.run_shown.steps[-1].counts.sum() == 200
    session.check_shown()


def test_dragging_the_picked_point_computes_no_run_again(session: Session) -> None:
    session.open(GAUSSIANS)
    before = session.run_shown
    session.open(GAUSSIANS, query="-1,0.5")
    assert session.run_shown is before


def test_far_apart_is_not_enough(session: Session) -> None:
    title = "Far apart is not enough"
    said = " ".join(answer(title).split())
    steps = steps_of(session, GAUSSIANS, title)
    for sample in range(10):
        data = DATASETS["moons"].make(200, noise=0.2, rng=np.random.default_rng(sample))
        found = {step.event: step for step in fisher_axis(data.X, data.labels)}
        means, best = found["through both means"], found["most separation"]
        missed = [
            int((step.predict(data.X) != data.labels).sum())
            for step in (means, best, found["most variance"])
        ]
        assert missed[1] < missed[0] < missed[2]
        assert best.ratio > means.ratio > found["most variance"].ratio
        if sample == 0:
            shown = {step.event: step.ratio for step in steps}
            assert shown["most separation"] == best.ratio
            assert f"it gets {missed[0]} of 200 points wrong" in said
            assert f"Fisher's axis gets {missed[1]} wrong" in said
            assert f"The axis of most variance gets {missed[2]} wrong" in said
            near, far = (abs(np.diff(step.means)[0]) for step in (best, means))
            assert f"{near:.3g} in place of {far:.3g}" in said
            assert far >= max(abs(np.diff(step.means)[0]) for step in steps) - 1e-9
