"""What the lesson on labels over a graph says of its experiments."""

from typing import Any

import numpy as np

from tests.house.claims import Numbers, Trial, claims_test


def wrong(trial: Trial, steps: Any) -> int:
    """Return how many labels are wrong at the end."""
    end = steps[-1]
    return int((end.reached & (end.labels != trial.data.labels)).sum())


def seeds(trial: Trial, **changes: str) -> list[int]:
    """Return how many labels are wrong, for the seeds 0 to 9."""
    return [wrong(trial, trial.steps(seed=str(seed), **changes)) for seed in range(10)]


def two(trial: Trial) -> Numbers:
    steps = trial.steps()
    X, y, known = trial.data.X, trial.data.labels, steps[0].reached
    assert wrong(trial, steps) == 0 and known.sum() == 2
    apart = np.square(X[:, None] - X[known]).sum(axis=2)
    nearest = int((y[known][apart.argmin(axis=1)] != y).sum())
    first = next(i for i, step in enumerate(steps) if step.reached.all())
    assert steps[first].event == "every point has a label"
    return [len(X), 2, len(X) - 2, first, len(steps) - 1, nearest]


def which(trial: Trial) -> Numbers:
    return [wrong(trial, trial.steps()), sum(count == 0 for count in seeds(trial))]


def island(trial: Trial) -> Numbers:
    unreached = int((~trial.steps()[-1].reached).sum())
    five, seven = (trial.steps(k=k) for k in ("5", "7"))
    assert five[-1].reached.all() and wrong(trial, seven) == 0
    return [unreached, wrong(trial, five)]


def short_cut(trial: Trial) -> Numbers:
    six, seven = trial.steps(), trial.steps(k="7")
    assert wrong(trial, six) == 0 and seven[-1].reached.all()
    return [int((~six[-1].reached).sum()), wrong(trial, seven)]


def nearer(trial: Trial) -> Numbers:
    alike, more = seeds(trial), seeds(trial, weights="nearer more")
    assert wrong(trial, trial.steps(weights="nearer more")) == 0
    fewer, worse = (sum(s * (a - b) > 0 for a, b in zip(alike, more, strict=True)) for s in (1, -1))
    return [wrong(trial, trial.steps()), fewer, worse]


def too_many(trial: Trial) -> Numbers:
    steps = trial.steps()
    total = int((~steps[0].reached).sum())
    return [total, wrong(trial, steps), wrong(trial, trial.steps(count="12"))]


test_claims = claims_test(
    "relational_neighbor",
    {
        "Two are enough": two,
        "It depends which": which,
        "An island": island,
        "A short cut": short_cut,
        "Nearer counts more": nearer,
        "Far too many neighbours": too_many,
    },
)
