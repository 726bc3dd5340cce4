"""What the lesson of the lab says of its experiments, on the runs of their links."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.data.truths import TRUTHS
from algorithms.networks.trained_sigmoids import trained_sigmoids
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core.words import number

(LAB,) = (lab for lab in LABS if lab.name == "universal_approximation")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def text(title: str) -> str:
    experiment = experiment_of(LAB, title)
    return f"{experiment.question} {experiment.answer}"


def rms(session: Session, title: str, **changes: str) -> str:
    return number(steps_of(session, LAB, title, **changes)[-1].miss.rms)


def test_how_many_bumps(watched: Session) -> None:
    title = "How many bumps?"
    found = [rms(watched, title, bumps=count) for count in ("10", "20", "40")]
    assert found == ["0.202", "0.0965", "0.0471"]
    assert len(steps_of(watched, LAB, title)) == 11
    assert "miss the wave by 0.202" in text(title)
    assert "20 miss it by 0.0965, 40 by 0.0471" in text(title)


def test_how_steep(watched: Session) -> None:
    title = "How steep?"
    found = {each: rms(watched, title, steepness=each) for each in ("1", "6", "100")}
    assert found == {"1": "0.553", "6": "0.136", "100": "0.246"}
    assert rms(watched, title) == "0.553" and number(100 * np.tanh(1 / 4), 2) == "24"
    assert "24 % of its height" in text(title)
    assert "1 misses the wave by 0.553" in text(title) and "100 by 0.246" in text(title)
    assert "6 by 0.136" in text(title)


def test_a_jump(watched: Session) -> None:
    title = "A jump"
    few, many = (steps_of(watched, LAB, title, **how)[-1] for how in ({}, {"bumps": "40"}))
    assert [number(each.miss.rms) for each in (few, many)] == ["0.364", "0.241"]
    assert "0.241 in place of 0.364" in text(title) and "nearly 3" in text(title)
    assert 2.98 < min(few.miss.largest, many.miss.largest) < 3


def test_by_hand_or_learned(watched: Session) -> None:
    title = "By hand or learned?"
    steps = steps_of(watched, LAB, title)
    (nearer,) = [step.epoch for step in steps if step.event]
    assert nearer == 56 and "from epoch 56 on" in text(title)
    assert all(step.miss.rms < step.bumps_miss.rms for step in steps[56:])
    assert number(steps[-1].miss.rms) == "0.0129" and number(steps[-1].bumps_miss.rms) == "0.202"
    assert "by 0.0129, the bumps by 0.202" in text(title) and len(steps[0].weights) == 20
    for seed in range(5):
        end = last(trained_sigmoids(TRUTHS["sine"], rng=np.random.default_rng(seed)))
        assert end.miss.rms < end.bumps_miss.rms


def test_outside(watched: Session) -> None:
    title = "Outside"
    at = np.array([[3.35]])
    says = [
        number(steps_of(watched, LAB, title, **how)[-1].predict(at)[0])
        for how in ({}, {"view": "trained"}, {"view": "trained", "seed": "1"})
    ]
    assert says == ["0.618", "−0.576", "−0.339"]
    assert number(TRUTHS["sine"](at)[0, 0]) == "−0.717" and "be at −0.717" in text(title)
    assert "0.618, for there" in text(title) and "−0.576 from seed 0, −0.339 from" in text(title)
    steps_of(watched, LAB, title)
    assert "Picked x = 3.35: N = 0.618; f ends at 3." in watched.captions[-1]


def test_the_truth_may_be_drawn(watched: Session) -> None:
    watched.open(LAB, data="step", bumps="20")
    assert watched.run_shown is not None
    step = watched.run_shown.steps[-1]
    x = np.sort(watched.state.board.data.X[:, 0])
    assert (step.center - step.half, step.center + step.half) == pytest.approx((x[0], x[-1]))
    assert step.miss.rms < 0.5
