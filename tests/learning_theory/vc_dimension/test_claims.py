"""What the lesson of the VC dimension says of its experiments."""

import numpy as np

from algorithms.core.record import last
from algorithms.learning_theory.vc_dimension.hypotheses import BOXES
from algorithms.learning_theory.vc_dimension.shattering import shatters
from tests.house.claims import Numbers, Trial, claims_test


def realised(trial: Trial, **changes: str) -> int:
    return int(trial.steps(**changes)[-1].realized.sum())


def no_line(trial: Trial) -> Numbers:
    steps = trial.steps()
    failed = [step.labels.tolist() for step in steps if not step.realizable]
    assert sorted(failed) == [[0, 1, 0, 1], [1, 0, 1, 0]]
    inside = trial.steps(places="-1.2,-0.9;1,-1.1;1.3,0.9;0.4,-0.4")
    alone = [step.labels.tolist() for step in inside if not step.realizable]
    assert sorted(alone) == [[0, 0, 0, 1], [1, 1, 1, 0]]
    return [16, len(steps) - len(failed), int(inside[-1].realized.sum())]


def three_in_a_row(trial: Trial) -> Numbers:
    steps = trial.steps()
    failed = [step.labels.tolist() for step in steps if not step.realizable]
    assert sorted(failed) == [[0, 1, 0], [1, 0, 1]]
    off = realised(trial, places="-1.2,0;0,0.01;1.2,0")
    return [3, int(steps[-1].realized.sum()), len(steps), off]


def some_four(trial: Trial) -> Numbers:
    end, five = trial.steps()[-1], trial.steps(size="5")[-1]
    first = int(np.flatnonzero(end.counts == 16)[0]) + 1
    assert five.shattered == 0
    return [4, 50, end.shattered, 50, first, 4, 50, five.counts.max(), 32]


def fifth_point(trial: Trial) -> Numbers:
    steps = trial.steps()
    for seed in range(200):  # wherever the fifth is
        places = np.array([[0, 1.5], [1.5, 0], [0, -1.5], [-1.5, 0], [0, 0]])
        places[4] = np.random.default_rng(seed).uniform(-2, 2, 2)
        assert not last(shatters(places, BOXES)).shattered
    return [int(steps[-1].realized.sum()), len(steps)]


def corners(trial: Trial) -> Numbers:
    end, square = trial.steps()[-1], trial.steps(drawn="in a square")[-1]
    return [end.shattered, square.shattered]


def one_number(trial: Trial) -> Numbers:
    five, six = trial.steps(), trial.steps(waves="6")
    every, more = ([step.frequency / np.pi for step in steps] for steps in (five, six))
    return [len(five), min(every), max(every), len(six), max(more)]


test_claims = claims_test(
    "vc_dimension",
    {
        "Two that no line can do": no_line,
        "Three in a row": three_in_a_row,
        "Some four, not every four": some_four,
        "The fifth point": fifth_point,
        "Corners": corners,
        "One number": one_number,
    },
)
