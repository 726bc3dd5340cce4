"""What the AdaBoost lab's lesson says of its experiments, on the runs that their links set up."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest

from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.ada_boost import Account, AdaBoostStep, account, ada_boost
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(ADA_BOOST,) = (lab for lab in LABS if lab.name == "ada_boost")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(ADA_BOOST, title).answer


def first_event(steps: Sequence[AdaBoostStep]) -> int:
    """The first round with an event, counted from 1."""
    return next(i for i, step in enumerate(steps, 1) if step.event)


def held_out_errors(session: Session, steps: Sequence[AdaBoostStep]) -> np.ndarray:
    """The share of the held-out points of what is shown that the vote gets wrong, by round."""
    labels = session.state.board.data.labels
    held = held_out(
        len(labels), session.value("held") / 100, rng=np.random.default_rng([0, 1]), codes=labels
    )
    X, y = session.state.board.data.X[held], labels[held]
    return np.array([np.mean(step.predict(X) != y) for step in steps])


def sums_on(name: str, sample: int, **how: float) -> Account:
    """The account of a run as the page makes it, on another sample."""
    n, share = int(how.pop("n", 200)), how.pop("held", 30) / 100
    data = DATASETS[name].make(n, noise=how.pop("noise"), rng=np.random.default_rng(sample))
    held = held_out(n, share, rng=np.random.default_rng([0, 1]), codes=data.labels)
    X, y = data.X, data.labels
    steps = list(ada_boost(X[~held], y[~held], **{k: int(v) for k, v in how.items()}))
    return account(steps, X[held], y[held])


def test_the_idea_stumps_are_weak_and_the_vote_is_strong() -> None:
    for sample in range(10):
        data = DATASETS["moons"].make(200, noise=0.3, rng=np.random.default_rng(sample))
        steps = list(ada_boost(data.X, data.labels))
        assert 0.08 < steps[0].training_error < 0.25
        assert steps[-1].training_error < steps[0].training_error / 4
        for before, step in pairwise(steps):
            assert 0.05 < step.error < 0.5
            heaviest = np.isclose(step.weights, step.weights.max())
            np.testing.assert_allclose(before.margins[heaviest], before.margins.min())


def test_a_ring_out_of_straight_cuts(watched: Session) -> None:
    title, firsts = "A ring out of straight cuts", []
    for sample in range(8):
        steps = steps_of(watched, ADA_BOOST, title, **({"sample": str(sample)} if sample else {}))
        assert 0.25 <= steps[0].error <= 0.36, "about a third"
        assert steps[first_event(steps) - 1].event == "training error 0"
        firsts.append(first_event(steps))
        alike = [step.tree.constant for step in steps]
        assert 15 <= sum(alike) <= 25
        if sample == 0:
            assert alike == [t % 2 == 1 for t in range(50)]
            said = [step.tree.says[-1] for step in steps[1::2]]
            assert said == [1] * 25, "the outer class"
    assert f"{firsts[0]} rounds here" in answer(title)
    assert sum(first > 20 for first in firsts) <= 1


def test_no_better_than_chance(watched: Session) -> None:
    title = "No better than chance"
    for sample in range(4):
        link = {"sample": str(sample)} if sample else {}
        stumps = steps_of(watched, ADA_BOOST, title, **link)
        assert len(stumps) == 50
        assert stumps[-1].training_error >= 0.25
        assert stumps[-1].bound > 0.85
        assert steps_of(watched, ADA_BOOST, title, **link, depth="2")[-1].training_error == 0
    watched.set("slider", "depth", 1)
    watched.set("selectbox", "data", "gates")
    watched.set("slider", "noise", 0.0)
    assert watched.run_shown is not None
    assert [step.event for step in watched.run_shown.steps] == ["no better than chance"]
    watched.set("slider", "depth", 2)
    assert [step.event for step in watched.run_shown.steps] == ["perfect learner"]


def test_after_the_last_mistake(watched: Session) -> None:
    title = "After the last mistake"
    steps = steps_of(watched, ADA_BOOST, title)
    first, said = first_event(steps), answer(title)
    assert (first, len(steps)) == (5, 100)
    smallest = [steps[i].margins.min() for i in (first - 1, -1)]
    assert f"from {smallest[0]:.2f} to {smallest[1]:.2f}" in said
    held = 100 * held_out_errors(watched, steps)
    assert f"from {held[first - 1]:.1f} % to {held[-1]:.1f} %" in said
    changes = []
    for sample in range(20):
        sums = sums_on("spirals", sample, noise=0.1, max_depth=3, rounds=100)
        start = int(np.flatnonzero(sums.training_error == 0)[0])
        assert sums.smallest_margin[-1] > sums.smallest_margin[start]
        assert sums.held_out_error is not None
        changes.append(sums.held_out_error[-1] - sums.held_out_error[start])
    assert np.mean(changes) < -0.01, "“often goes on falling”, says the idea"
    assert np.mean(np.array(changes) > 0) <= 0.2


def test_three_wrong_labels(watched: Session) -> None:
    title = "Three wrong labels"
    for sample in range(8):
        link = {"sample": str(sample)} if sample else {}
        weights = steps_of(watched, ADA_BOOST, title, **link)[9].weights
        rng = np.random.default_rng(sample)
        right = DATASETS["separable"].make(100, noise=0.5, rng=rng).labels
        mislabelled = np.flatnonzero(right != watched.state.board.data.labels)
        largest = np.argsort(-weights)
        if sample == 0:
            assert set(largest[:3]) == set(mislabelled)
            assert weights[mislabelled].sum() == pytest.approx(1 / 3, abs=0.03)
        assert set(mislabelled) <= set(largest[:6])
        assert weights[mislabelled].sum() > 0.2, "3 % of the points"


def test_too_much_of_it(watched: Session) -> None:
    title = "Too much of it"
    steps = steps_of(watched, ADA_BOOST, title)
    held = 100 * held_out_errors(watched, steps)
    told = f"falls to {100 * steps[-1].training_error:.0f} %"
    assert told in " ".join(experiment_of(ADA_BOOST, title).question.split())
    assert held.argmin() < 5
    assert f"at {held.min():.1f} %; in the last it is {held[-1]:.1f} %" in answer(title)
    worse = []
    for sample in range(10):
        how = {"n": 400, "noise": 0.7, "held": 50, "max_depth": 2, "rounds": 200}
        errors = sums_on("moons", sample, **how).held_out_error
        assert errors is not None
        worse.append(errors[-1] > errors[9])
    assert np.mean(worse) >= 0.8


def test_the_picked_point_is_a_query_where_the_link_says(watched: Session) -> None:
    watched.open(ADA_BOOST, query="0.5,0.25")
    (handles,) = watched.stage["handles"]
    assert (handles["name"], handles["look"], handles["view"]) == ("query", "query", 0)
    assert handles["places"] == [[0.5, 0.25]]
    assert watched.run_shown is not None
    last = watched.run_shown.steps[-1]
    F = float(last.decision_function(np.array([[0.5, 0.25]]))[0])
    assert f"= {F:.3f} ".replace("-", "−") in watched.captions[-1]
