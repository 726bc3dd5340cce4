"""What the lesson on one unit through time says of its experiments."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from algorithms.core.record import last
from algorithms.sequences.recurrent_unit.lstm_cell import lstm_cell
from algorithms.sequences.recurrent_unit.recurrent_unit import fixed_points, recurrent_unit
from algorithms.sequences.recurrent_unit.sequences import NOISY, keeping, marked, sequence
from tests.house.claims import Numbers, Trial, claims_test

SEEDS = 200


def lasts(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    kept = fixed_points(2.0, 0.0)[-1]
    slope = 2 * (1 - kept**2)
    assert abs(end.states[3:] - kept).max() < 0.02
    slopes = 2 * (1 - end.states[1:] ** 2)
    assert (abs(slopes - slope) < 0.05).sum() >= 10
    return [end.states[-1], end.gradients[0], slope]


def threshold(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    low, middle, high = fixed_points(2.0, -0.5)
    assert abs(2 * (1 - middle**2)) > 1 and end.states[1] < middle
    near = trial.steps(threshold="0,-0.4219")[-1]
    return [
        low, middle, high, end.states[-1], -0.45,
        near.states[-1], near.gradients[0],
    ]  # fmt: skip


def explodes(trial: Trial) -> Numbers:
    end, off = trial.steps()[-1], trial.steps(h0="0.05")[-1]
    assert not end.states.any() and end.gradients[0] == 1.5**12
    return [end.gradients[0], 1.5, 12, 0.05, 0, off.states[-1], off.gradients[0]]


def kept(trial: Trial) -> Numbers:
    steps = trial.steps()
    plain = last(recurrent_unit(sequence("one bit, then silence", 30, rng=rng(0)), w=2.0))
    end = steps[-1]
    assert (end.gates[:, 0] > 0.98).all()
    return [end.dc[0] / end.dc[-1], plain.gradients[0], end.cells[-1]]


def half_open(trial: Trial) -> Numbers:
    end, more = trial.steps()[-1], trial.steps(forget="2")[-1]
    assert end.gates[3, 0] == 0.5
    return [end.cells[-1], 2, more.cells[-1], 1]


def noise(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    x = sequence(NOISY, 30, rng=rng(0))
    assert end.cells[1] == expit(8.0) * np.tanh(2 * x[0])

    def right(run: Callable) -> int:
        drawn = [sequence(NOISY, 30, rng=rng(seed)) for seed in range(SEEDS)]
        return sum(last(run(each)).states[-1] > 0 for each in drawn)

    def gated(let_in: float) -> Callable:
        weights = keeping(forget=4.0, let_in=let_in, output=2.0, through_h=0.0)
        return lambda x: lstm_cell(marked(x), weights)

    return [
        right(gated(0.0)), SEEDS, right(gated(-4.0)), SEEDS, 1.5,
        right(lambda x: recurrent_unit(x, w=1.5)),
    ]  # fmt: skip


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


test_claims = claims_test(
    "recurrent_unit",
    {
        "A bit that lasts": lasts,
        "The threshold takes it": threshold,
        "Silence explodes": explodes,
        "Kept by a gate": kept,
        "Half open": half_open,
        "Noise gets in": noise,
    },
)
