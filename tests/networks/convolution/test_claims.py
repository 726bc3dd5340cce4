"""What the lesson of convolution says of its experiments."""

import numpy as np

from algorithms.networks.convolution.bars_and_dots import bars_and_dots, kinds
from tests.house.claims import Numbers, Trial, claims_test


def wrong(trial: Trial, **changes: str) -> tuple[int, int]:
    """Return how many drawings are wrong at the end: learned from, and held out."""
    seed = int(changes.get("seed", "1"))
    end = trial.steps(**changes)[-1]
    found = []
    for n in (24, 100):
        images = bars_and_dots(n, rng=np.random.default_rng([seed, n]))
        found.append(int((end.predict(images) != kinds(n)).sum()))
    return found[0], found[1]


def flat(trial: Trial) -> Numbers:
    steps = trial.steps()
    black = [step for step in steps if step.window.min() == 1]
    assert black and all(step.value == 0 for step in black)
    output = steps[-1].output
    for step in steps:
        same = (step.window == step.window[:, :1]).all()  # no upright edge below the kernel
        assert not same or step.value == 0
    best = max(steps, key=lambda step: step.value)
    assert best.window[:, 0].min() == 1 and best.window[:, 2].max() == 0
    return [0, 0, int(np.count_nonzero(output)), output.size, output.max()]


def shifted(trial: Trial) -> Numbers:
    moved, still = trial.steps()[-1].output, trial.steps(shift="0")[-1].output
    same = np.isclose(moved[:, 2:], still[:, :-2])
    assert same.all()  # test_the_map_shifts_with_the_drawing: always
    return [same.size, 1]


def lying(trial: Trial) -> Numbers:
    steps = trial.steps()
    for step in steps:
        inside = (step.window == step.window[:, :1]).all()  # nothing ends below the kernel
        assert not inside or step.value == 0
    sizes = [np.abs(steps[-1].output).sum()]
    sizes.append(np.abs(trial.steps(kernel="horizontal edges")[-1].output).sum())
    return sizes


def bars(trial: Trial) -> Numbers:
    steps = trial.steps()
    W = steps[-1].kernels[0]
    beside = W[[0, 1, 1, 2], [1, 0, 2, 1]]
    assert np.ptp(beside) < 0.1
    mistakes = [int(((step.probabilities > 0.5) != kinds(24)).sum()) for step in steps]
    since = len(steps) - next(i for i, m in enumerate([*mistakes[::-1], 1]) if m)
    assert W[1, 1] + beside.max() < 0.1
    return [1, W[1, 1], beside.mean(), 0, since, wrong(trial)[1], 100]


def mean(trial: Trial) -> Numbers:
    usual = {"global": "max"}
    more = 0
    for seed in map(str, range(10)):
        more += wrong(trial, seed=seed)[1] > wrong(trial, seed=seed, **usual)[1]
    here, there = wrong(trial), wrong(trial, **usual)
    images = bars_and_dots(24, rng=np.random.default_rng([1, 24]))
    assert (images.sum(axis=(1, 2)) == 4).all()
    return [here[0], 24, here[1], 100, *there, 4, 0, 9, more, 10]


def too_large(trial: Trial) -> Numbers:
    dead = sum(trial.steps(seed=str(seed))[-1].dead == 2 for seed in range(10))
    steps = trial.steps()
    assert steps[-1].dead == 2 and "dead kernel" in [step.event for step in steps]
    return [0, 0, steps[-1].loss, 2, wrong(trial)[1], 100, dead, 10, 0, 9]


test_claims = claims_test(
    "convolution",
    {
        "A flat area": flat,
        "Two columns on": shifted,
        "A bar that lies": lying,
        "Bars or dots": bars,
        "The mean of a map": mean,
        "Too large a step": too_large,
    },
)
