"""The statements of the AdaBoost lesson about its experiments."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.ada_boost.ada_boost import AdaBoostStep, ada_boost
from algorithms.ensembles.ada_boost.class_vote import ClassVoteStep
from algorithms.ensembles.ada_boost.summary import boosting_summary
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

(ADA_BOOST,) = (lab for lab in LABS if lab.name == "ada_boost")


def first_event(steps: Sequence[AdaBoostStep]) -> int:
    """Return the first round with an event, counted from 1."""
    return next(i for i, step in enumerate(steps, 1) if step.event)


def held_out_wrong(trial: Trial, steps: Sequence[AdaBoostStep]) -> tuple[np.ndarray, int]:
    """Return the vote's mistakes on the held-out points by round, and their number."""
    X, y, share = trial.data.X, trial.data.labels, trial.session.value("held") / 100
    held = held_out(len(y), share, rng=np.random.default_rng([0, 1]), codes=y)
    wrong = boosting_summary(steps, X[held], y[held]).held_out_wrong
    assert wrong is not None
    return wrong, int(held.sum())


def a_ring_out_of_straight_cuts(trial: Trial) -> Numbers:
    firsts = []
    for sample in range(8):
        steps = trial.steps(**({"sample": str(sample)} if sample else {}))
        assert 0.25 <= steps[0].error <= 0.36, "about a third"
        assert steps[first_event(steps) - 1].event == "training error 0"
        firsts.append(first_event(steps))
        alike = [step.tree.constant for step in steps]
        assert 15 <= sum(alike) <= 25
        if sample == 0:
            assert alike == [t % 2 == 1 for t in range(50)]
            assert [step.tree.says[-1] for step in steps[1::2]] == [1] * 25, "the outer class"
    assert sum(first > 20 for first in firsts) <= 1
    return [firsts[0], 20]


def no_better_than_chance(trial: Trial) -> Numbers:
    for sample in range(4):
        link = {"sample": str(sample)} if sample else {}
        stumps = trial.steps(**link)
        assert len(stumps) == 50
        assert stumps[-1].training_error >= 0.25
        assert stumps[-1].bound > 0.85
        assert trial.steps(**link, depth="2")[-1].training_error == 0
    session = trial.session
    session.set("slider", "depth", 1)
    session.set("selectbox", "data", "gates")
    session.set("slider", "noise", 0.0)
    assert session.run_shown is not None
    assert [step.event for step in session.run_shown.steps] == ["no better than chance"]
    end = len(session.run_shown.steps)
    session.set("slider", "depth", 2)
    assert [step.event for step in session.run_shown.steps] == ["perfect learner"]
    return [end]


def after_the_last_mistake(trial: Trial) -> Numbers:
    steps = trial.steps()
    first = first_event(steps)
    wrong, n = held_out_wrong(trial, steps)
    smallest = [steps[i].margins.min() for i in (first - 1, -1)]
    changes, fresh = [], []
    for sample in range(20, 40):
        later = trial.steps(sample=str(sample))
        start = next(i for i, step in enumerate(later) if step.training_error == 0)
        assert later[-1].margins.min() > later[start].margins.min()
        counts, _ = held_out_wrong(trial, later)
        changes.append(int(counts[-1] - counts[start]))
        new = dataset("spirals", 2000, sample=sample + 1000, noise=0.1)
        fresh.append([np.mean(later[i].predict(new.X) != new.labels) for i in (start, -1)])
    directions = np.sign(changes)
    before, after = 100 * np.mean(fresh, axis=0)
    falls, stays, rises = (int((directions == way).sum()) for way in (-1, 0, 1))
    return [first, len(steps) - first, *smallest, wrong[first - 1], n, wrong[-1],
            len(changes), falls, stays, rises, 2000, before, after]  # fmt: skip


def three_wrong_labels(trial: Trial) -> Numbers:
    for sample in range(8):
        weights = trial.steps(**({"sample": str(sample)} if sample else {}))[9].weights
        rng = np.random.default_rng(sample)
        right = DATASETS["separable"].make(100, noise=0.5, rng=rng).labels
        mislabelled = np.flatnonzero(right != trial.data.labels)
        largest = np.argsort(-weights)
        if sample == 0:
            assert set(largest[:3]) == set(mislabelled)
            assert weights[mislabelled].sum() == pytest.approx(1 / 3, abs=0.03)
        assert set(mislabelled) <= set(largest[:6])
        assert weights[mislabelled].sum() > 0.2, "3 % of the points"
    return []


def too_much_of_it(trial: Trial) -> Numbers:
    steps = trial.steps()
    wrong, n = held_out_wrong(trial, steps)
    assert wrong.argmin() < 5
    worse = 0
    for sample in range(20, 40):
        counts, _ = held_out_wrong(trial, trial.steps(sample=str(sample)))
        worse += int(counts[-1] > counts[9])
    return [100 * steps[-1].training_error, wrong.min(), n, wrong[-1], worse, 20, 10]


AS_IN_ADA_BOOST = {"votes": "as in AdaBoost"}


def alone(steps: Sequence[ClassVoteStep]) -> np.ndarray:
    """Return how many training points each voter's own stump gets wrong."""
    return np.count_nonzero(steps[0].said != steps[0].signs, axis=1)


def on_held_out(trial: Trial, steps: Sequence[ClassVoteStep]) -> tuple[int, np.ndarray, int]:
    """Return the held-out points that the vote gets wrong, each voter's, and their number."""
    X, y = trial.data.X, trial.data.labels
    held = held_out(len(y), 0.3, rng=np.random.default_rng([0, 1]), codes=y)
    X, y = X[held], y[held]
    said = steps[0].classes[(steps[0].stumps.predict(X) > 0).astype(int)]
    return int((steps[-1].predict(X) != y).sum()), (said != y).sum(axis=1), len(y)


def the_class_is_the_ensemble(trial: Trial) -> Numbers:
    better = held_better = boosted_better = 0
    for sample in range(20, 40):
        equal = trial.steps(sample=str(sample))
        wrong, voters, _ = on_held_out(trial, equal)
        better += int(equal[-1].missed.sum() < alone(equal).min())
        held_better += int(wrong < voters.min())
        assert wrong < voters.mean()
        boosted = trial.steps(sample=str(sample), **AS_IN_ADA_BOOST)
        boosted_better += int(boosted[-1].missed.sum() < equal[-1].missed.sum())
    assert boosted_better == 20
    boosted = trial.steps(**AS_IN_ADA_BOOST)
    steps = trial.steps()
    own = alone(steps)
    wrong, voters, held = on_held_out(trial, steps)
    vote, n = int(steps[-1].missed.sum()), len(steps[-1].signs)
    assert vote < own.min()
    return [own.min(), n, own.mean(), vote, held, voters.min(), wrong, 20, better, held_better,
            boosted[-1].missed.sum(), 20]  # fmt: skip


def a_vote_worse_than_its_voters(trial: Trial) -> Numbers:
    worse = 0
    for sample in range(20, 40):
        steps = trial.steps(sample=str(sample))
        worse += int(steps[-1].missed.sum() > alone(steps).mean())
    boosted, steps = trial.steps(**AS_IN_ADA_BOOST), trial.steps()
    vote, n = int(steps[-1].missed.sum()), len(steps[-1].signs)
    # Most stumps say "inner" about most of the ring.
    ring = steps[0].signs > 0
    assert (steps[0].said[:, ring] < 0).mean() > 0.5
    assert boosted[-1].missed.sum() == alone(steps).min()
    return [vote, n, alone(steps).mean(), worse, 20, boosted[-1].missed.sum()]


test_the_lesson = claims_test(
    "ada_boost",
    {
        "A ring out of straight cuts": a_ring_out_of_straight_cuts,
        "No better than chance": no_better_than_chance,
        "After the last mistake": after_the_last_mistake,
        "Three wrong labels": three_wrong_labels,
        "Too much of it": too_much_of_it,
        "The class is the ensemble": the_class_is_the_ensemble,
        "A vote worse than its voters": a_vote_worse_than_its_voters,
    },
)


def test_the_idea_stumps_are_weak_and_the_vote_is_strong() -> None:
    for sample in range(10):
        data = dataset("moons", 200, sample=sample, noise=0.3)
        steps = list(ada_boost(data.X, data.labels))
        assert 0.08 < steps[0].training_error < 0.25
        assert steps[-1].training_error < steps[0].training_error / 4
        for before, step in pairwise(steps):
            assert 0.05 < step.error < 0.5
            heaviest = np.isclose(step.weights, step.weights.max())
            np.testing.assert_allclose(before.margins[heaviest], before.margins.min())


def test_the_picked_point_is_a_query_where_the_link_says(session: Session) -> None:
    session.open(ADA_BOOST, query="0.5,0.25")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], handles["view"]) == ("query", "query", 0)
    assert handles["places"] == [[0.5, 0.25]]
    assert session.run_shown is not None
    last = session.run_shown.steps[-1]
    F = float(last.decision_function(np.array([[0.5, 0.25]]))[0])
    assert f"= {F:.3f} ".replace("-", "−") in session.captions[-1]
