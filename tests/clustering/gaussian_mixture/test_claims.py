"""What the lesson of mixtures says of its experiments."""

from itertools import permutations
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from algorithms.clustering.gaussian_mixture.mixture_choice import n_parameters
from algorithms.clustering.gaussian_mixture.soft_k_means import critical_stiffness
from algorithms.data.headlines import HEADLINES
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = [lab for lab in LABS if lab.name == "gaussian_mixture"]


def width(step: Any, j: int) -> tuple[float, float]:
    """Return a component's smallest and largest standard deviation."""
    low, high = np.sqrt(np.linalg.eigvalsh(step.covariances[j]).clip(0))
    return float(low), float(high)


def how_many(trial: Trial) -> Numbers:
    full = trial.steps()
    bics = [step.bic for step in full]
    assert int(np.argmin(bics)) == 2
    assert (np.diff([step.log_likelihood for step in full]) > 0).all()
    tied = trial.steps(covariance="tied")
    assert min(tied, key=lambda step: step.bic).k == 3
    best = min(trial.steps(covariance="spherical"), key=lambda step: step.bic)
    assert best.k == 4
    labels = best.predict(trial.data.X)
    for j in range(4):
        inside = np.bincount(trial.data.labels[labels == j], minlength=3)
        whole = inside.max() / np.bincount(trial.data.labels).max() > 0.9
        assert not (whole and inside.max() / inside.sum() > 0.9), "none is a cluster"
    return [bics[2], tied[2].n_parameters, full[2].n_parameters, tied[2].bic, best.bic]


def collapse(trial: Trial) -> Numbers:
    found, X = trial.steps(), trial.data.X
    far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
    (event,) = (step for step in found if step.event == "collapse")
    (j,) = np.flatnonzero(event.collapsed)
    np.testing.assert_allclose(event.means[j], X[far], atol=1e-3)
    np.testing.assert_allclose(event.weights[j] * len(X), 1, atol=1e-3)
    spread = X.var(axis=0).mean() ** 0.5
    thin, long = width(event, j)
    np.testing.assert_allclose(thin, long, rtol=0.01)
    held = trial.steps(floor="0.1")
    assert {step.event for step in held} == {None, "converged"}
    np.testing.assert_allclose(width(held[-1], j), 0.1**0.5 * spread, rtol=0.01)
    assert trial.steps(floor="0.0")[-1].event == "singular covariance"
    line = trial.steps(seed="5")[-1]
    (j,) = np.flatnonzero(line.collapsed)
    np.testing.assert_allclose(line.weights[j] * len(X), 2, atol=0.05)
    assert width(line, j)[0] < 0.002 < 1 < width(line, j)[1]
    return [thin / spread]


def two_wrong_halves(trial: Trial) -> Numbers:
    seeds, end = range(10), trial.steps()
    for seed in seeds:
        found = trial.steps(seed=str(seed))
        assert found[-1].event == "converged"
        assert abs(found[-1].log_likelihood - end[-1].log_likelihood) < 0.05
    right = []
    for places in ((0.0, 0.5), (0.0, -0.5)):
        means = end[-1].means.copy()
        means[0] = places
        moved = ";".join(f"{x:.4g},{y:.4g}" for x, y in means)
        forked = trial.steps(fork=str(len(end)), **{"if.centers": moved})
        right.append(forked[-1].log_likelihood)
        classes, clusters = trial.data.labels, forked[-1].predict(trial.data.X)
        assert max(np.mean(clusters == classes), np.mean(clusters != classes)) > 0.99
    np.testing.assert_allclose(*right, rtol=1e-4)
    return [end[-1].log_likelihood, seeds, right[0]]


def two_summits(trial: Trial) -> Numbers:
    left = trial.steps()[-1]
    (handles,) = trial.session.stage["handles"]
    (_, y), (x, _) = handles["places"]
    ends = [trial.steps(means=f"{m},{y};{x},{y}")[-1] for m in ("0.5", "1", "2.5")]
    summits = [end.means[0, 0] for end in ends]
    np.testing.assert_allclose(summits, summits[0], atol=0.01)
    right = ends[1]
    return [left.means[0, 0], left.log_likelihood, right.means[0, 0], right.log_likelihood]


def the_bridge(trial: Trial) -> Numbers:
    assert trial.steps()[-1].event == "converged"
    for seed in range(4):
        assert trial.steps(seed=str(seed))[-1].distinct == 1
    assert trial.steps(beta="1.2")[-1].distinct == 3
    hard = trial.steps(beta="1000.0")[-1]
    assert (hard.responsibilities.max(axis=1) > 0.999).all()
    kept = trial.steps(data="outlier", k="2", seed="29")[-1]
    assert kept.event == "converged" and kept.distinct == 2
    X = trial.data.X
    far = X[np.square(X - X.mean(axis=0)).sum(axis=1).argmax()]
    assert kept.stiffness < critical_stiffness(X)
    assert np.abs(kept.centers - far).sum(axis=1).min() < 0.1
    return []


def topics(trial: Trial) -> Numbers:
    least = 0.999
    for seed in range(10):
        shares = trial.steps(seed=str(seed))[-1].responsibilities
        assert (shares.max(axis=1) > least).all(), "no document belongs to two"
    step = trial.steps()[-1]
    off = HEADLINES.documents.index("rained off")
    counts = HEADLINES.counts[off]
    sport, weather = (int(step.words[:, w].sum(axis=1).argmax()) for w in (slice(3), slice(6, 9)))
    assert step.responsibilities[off, weather] > least
    wind = HEADLINES.words.index("wind")
    members = step.responsibilities[:, sport] > 0.5
    assert HEADLINES.counts[members, wind].sum() == 0
    assert step.words[sport, wind] < 1e-12
    return [counts[:3].sum(), counts[6:].sum(), least]


def swapped_names(trial: Trial) -> Numbers:
    def order(step: Any) -> tuple[int, ...]:
        return tuple(step.means[:, 0].argsort().tolist())

    found, X = [trial.steps(seed=str(seed))[-1] for seed in range(20)], trial.data.X
    first = found[0]
    for step in found:
        assert round(step.log_likelihood, 2) == round(first.log_likelihood, 2)
        sides = (s.means[list(order(s))] for s in (step, first))
        np.testing.assert_allclose(*sides, atol=0.02)
    orders = {order(step) for step in found}
    for each in permutations(range(3)):
        named = first.renumbered(np.array(each))
        whole = named.score_samples(X).sum()
        np.testing.assert_allclose(whole, first.score_samples(X).sum(), rtol=1e-12)
    kept = [trial.steps(seed=str(seed), keep="True")[-1] for seed in range(20)]
    assert len({order(step) for step in kept}) == 1
    return [range(20), first.log_likelihood, len(orders), 3, len(orders)]


def astray(step: Any, trial: Trial) -> int:
    """Count the points that are not in the component of their class."""
    return int((step.labels != trial.data.labels).sum())


def two_clusters_in_one_place(trial: Trial) -> Numbers:
    first, end = trial.steps()[0], trial.steps()[-1]
    assert end.event == "converged" and astray(end, trial) == 0
    assert abs(first.tables - 0.5).max() < 0.02, "the halves have no class of their own"
    sure = end.tables.max(axis=1)
    np.testing.assert_allclose(sure, sure[0], atol=0.005)
    (picked,) = trial.session.stage["handles"]
    both = [end.from_both(np.array(picked["places"]), np.array([c])).argmax() for c in (0, 1)]
    assert both == [0, 1]
    by_place = int((end.predict(trial.data.X) != trial.data.labels).sum())
    own = [astray(trial.steps(sample=str(i))[-1], trial) for i in range(10)]
    one = [astray(trial.steps(sample=str(i), tied="True")[-1], trial) for i in range(10)]
    return [sure[0], len(trial.data.X), by_place, one[0], range(10), max(own), min(one)]


def a_class_without_a_say(trial: Trial) -> Numbers:
    tied, X, y = trial.steps(), trial.data.X, trial.data.labels
    like = {"data": "parallel", "noise": "0.6", "k": "2", "init": "k-means", "seed": "1"}
    trial.session.open(trial.lab, view="mixture", **like)
    assert trial.session.run_shown is not None
    places = trial.session.run_shown.steps
    order = cdist(tied[-1].means, places[-1].means).argmin(axis=1)  # here they have other numbers
    for here, there in zip(tied, (step.renumbered(order) for step in places), strict=True):
        near = {"rtol": 0, "atol": 1e-9}
        np.testing.assert_allclose(here.from_both(X, y), here.predict_proba(X), **near)
        np.testing.assert_allclose(here.from_both(X, 1 - y), here.predict_proba(X), **near)
        np.testing.assert_allclose(here.responsibilities, there.responsibilities, **near)
        np.testing.assert_allclose(
            there.log_likelihood - here.log_likelihood, len(X) * np.log(2), rtol=1e-9
        )
    lower = places[-1].log_likelihood - tied[-1].log_likelihood
    np.testing.assert_allclose(tied[-1].tables, 0.5)
    return [places[-1].log_likelihood, lower, len(X), 2]


def the_same_class_twice(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert trial.data.classes == ("Adelie", "Chinstrap", "Gentoo") and end.event == "converged"
    np.testing.assert_allclose(end.tables[:2, 0], 1, atol=1e-3)
    others = end.tables[2, 1:]
    right, lower = {}, []
    for seed in range(20):
        found = trial.steps(seed=str(seed))[-1]
        if astray(found, trial) <= 1:
            right[seed] = found.log_likelihood
        else:
            lower.append(found.log_likelihood)
    np.testing.assert_allclose(list(right.values()), right[5], atol=0.01)
    assert max(lower) < right[5] - 100, "lower summits"
    for seed, kinds in (("6", [0, 0, 1]), ("5", [0, 0, 2]), ("7", [0, 0, 0])):
        tables = trial.steps(seed=seed)[0].tables
        every = np.bincount(trial.data.labels) / len(trial.data.X)
        assert sorted((tables - every / 2).argmax(axis=1).tolist()) == kinds
    assert {5, 7} < right.keys() and astray(trial.steps(init="k-means")[-1], trial) <= 1
    return [*others, end.log_likelihood, right[5], 7, len(right), range(20)]


test_the_answers = claims_test(
    "gaussian_mixture",
    {
        "How many components?": how_many,
        "Collapse": collapse,
        "Two wrong halves": two_wrong_halves,
        "Swapped names": swapped_names,
        "Two summits": two_summits,
        "The bridge to k-means": the_bridge,
        "Topics": topics,
        "Two clusters in one place": two_clusters_in_one_place,
        "A class without a say": a_class_without_a_say,
        "The same class twice": the_same_class_twice,
    },
)


def test_the_default_run_and_the_choice_of_k_agree(session: Session) -> None:
    """The run that is shown has as many components as BIC picks, and is as good as the choice."""
    session.open(LAB, data="stretched", n="200", noise="0.25", sample="0")
    shown, X = session.run_shown, session.board.data.X
    assert shown is not None
    assert len(shown.steps[-1].means) == 3
    bic = n_parameters("full", 2, 3) * np.log(len(X)) - 2 * shown.steps[-1].log_likelihood
    session.open(LAB, view="choosing k")  # opens on the same points
    assert session.run_shown is not None
    choices = session.run_shown.steps
    assert [choice.k for choice in choices] == list(range(1, 9))
    assert min(choices, key=lambda choice: choice.bic).k == 3
    assert abs(choices[2].bic - bic) < 0.5
    assert [len(choice.ends) for choice in choices] == [1] + [10] * 7


def test_the_covariance_and_the_floor_come_from_the_link(session: Session) -> None:
    for covariance in ("full", "tied", "diagonal", "spherical"):
        session.open(LAB, covariance=covariance, floor="0.001", k="4", init="random")
        assert session.value("view") == "mixture" and session.state.refused == []
        step = session.run_shown.steps[-1]
        assert (len(step.means), step.family.shape, step.family.share) == (4, covariance, 0.001)
