"""What the lesson of universal approximation says of its experiments."""

import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = (lab for lab in LABS if lab.name == "universal_approximation")


def rms(trial: Trial, **changes: str) -> float:
    return trial.steps(**changes)[-1].miss.rms


def how_many_bumps(trial: Trial) -> Numbers:
    assert len(trial.steps()) == 11
    stairs = [rms(trial, bumps=count) for count in ("10", "20", "40")]
    soft = [rms(trial, bumps=count, steepness="6") for count in ("10", "20", "40")]
    assert stairs[0] / stairs[1] < 2.2 < soft[0] / soft[1]
    return [stairs[0], 20, stairs[1], 40, stairs[2], 6, *soft]


def how_steep(trial: Trial) -> Numbers:
    trial.steps()
    reached = 100 * np.tanh(1 / 4)
    return [reached, 1, rms(trial), 100, rms(trial, steepness="100"), 6, rms(trial, steepness="6")]


def a_jump(trial: Trial) -> Numbers:
    few, many = (trial.steps(**how)[-1].miss for how in ({}, {"bumps": "40"}))
    assert 2.98 < min(few.largest, many.largest) < 3
    return [many.rms, few.rms, 3]


def by_hand_or_learned(trial: Trial) -> Numbers:
    steps = trial.steps()
    (nearer,) = [step.epoch for step in steps if step.event]
    assert all(step.miss.rms < step.bumps_miss.rms for step in steps[nearer:])
    assert len(steps[0].weights) == 20
    for seed in range(1, 5):
        end = trial.steps(seed=str(seed))[-1]
        assert end.miss.rms < end.bumps_miss.rms
    steepness = [str(each) for each in ("2", "3", "4", "6", "8", "12", "20", "50", "100")]
    by_hand = {each: rms(trial, view="bumps", steepness=each) for each in steepness}
    best = min(by_hand, key=by_hand.__getitem__)
    end = steps[-1]
    assert 9 < by_hand[best] / end.miss.rms < 11
    return [nearer, end.miss.rms, end.bumps_miss.rms, float(best), by_hand[best]]


def outside(trial: Trial) -> Numbers:
    at = np.array([[3.35]])
    says = [
        float(trial.steps(**how)[-1].predict(at)[0])
        for how in ({}, {"view": "trained"}, {"view": "trained", "seed": "1"})
    ]
    trial.steps()
    assert "f ends at 3." in trial.session.captions[-1]
    return [TRUTHS["sine"](at)[0, 0], says[0], says[1], 0, says[2], 1]


test_claims = claims_test(
    "universal_approximation",
    {
        "How many bumps?": how_many_bumps,
        "How steep?": how_steep,
        "A jump": a_jump,
        "By hand or learned?": by_hand_or_learned,
        "Outside": outside,
    },
)


def test_the_truth_may_be_drawn(session: Session) -> None:
    session.open(LAB, data="step", bumps="20")
    assert session.run_shown is not None
    step = session.run_shown.steps[-1]
    x = np.sort(session.board.data.X[:, 0])
    assert (step.center - step.half, step.center + step.half) == pytest.approx((x[0], x[-1]))
    assert step.miss.rms < 0.5
