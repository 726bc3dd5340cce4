"""What the lesson on asking for labels claims about its experiments."""

from typing import Any

import numpy as np

from algorithms.classification.active_learning.starts_compared import STARTS, Contest, by_chance
from algorithms.core.splits import held_out
from pages._shared.ask.split import split_rng
from tests.house.claims import Numbers, Trial, claims_test

LABELS = 15  # of the page


def held_of(trial: Trial) -> np.ndarray:
    y = trial.data.labels
    return held_out(len(y), 0.5, rng=split_rng(0), codes=y)


def errors(trial: Trial, steps: Any, held: np.ndarray | None = None) -> list[int]:
    """Return how many held-out points are wrong after 0, 1, ... labels."""
    X, y = trial.data.X, trial.data.labels
    counts = held_of(trial) if held is None else held
    return [int((step.predict(X) != y)[counts].sum()) for step in steps]


def ends(trial: Trial, **changes: str) -> list[int]:
    """Return how many are wrong at the end, for the seeds 0 to 9."""
    return [errors(trial, trial.steps(seed=str(seed), **changes))[-1] for seed in range(10)]


def six(trial: Trial) -> Numbers:
    wrong, held = errors(trial, trial.steps()), held_of(trial)
    chance = by_chance(Contest(trial.data.X, trial.data.labels, held, 2, 1, LABELS))
    unlucky = errors(trial, trial.steps(seed="0"))
    return [held.sum(), wrong[6], chance[6], STARTS, 0, unlucky[3], 3, unlucky[0]]


def luck(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    rule, chance = end.by_rule[:, 10], end.by_chance[:, 10]
    return [(rule < chance).sum(), (rule > chance).sum(), rule.mean(), chance.mean()]


def three(trial: Trial) -> Numbers:
    margin, entropy = trial.steps()[-1], trial.steps(rule="entropy")[-1]
    means = [step.by_rule[:, 10].mean() for step in (entropy, margin)]
    two = [trial.steps(view="by a rule", classes="2", rule=rule) for rule in ("margin", "entropy")]
    assert np.array_equal(two[0][-1].known, two[1][-1].known) and len(two[0]) == LABELS + 1
    return [*means, margin.by_chance[:, 10].mean()]


def corner(trial: Trial) -> Numbers:
    steps = trial.steps()
    X, y, held = trial.data.X, trial.data.labels, held_of(trial)
    wrong = errors(trial, steps)[-1]
    corners = {tuple(each) for each in (X[steps[-1].known] > 0.5).tolist()}
    assert len(corners) == 3
    missed = ~np.array([tuple(each) in corners for each in (X > 0.5).tolist()])
    assert (steps[-1].predict(X) != y)[held & missed].sum() == (held & missed).sum() > 0.6 * wrong
    chance = ends(trial, rule="chance")
    assert errors(trial, trial.steps(rule="chance"))[-1] == 0
    margin = ends(trial)
    return [
        wrong, range(10), 31, sum(each == 31 for each in margin), 4, sum(e > 4 for e in chance)
    ]  # fmt: skip


def lie(trial: Trial) -> Numbers:
    changed, was = trial.steps(), trial.steps(fork="0")
    now, before = errors(trial, changed), errors(trial, was)
    assert changed[4].known[-1] == was[4].known[-1] and changed[4].given[-1] != was[4].given[-1]
    return [8, now[8], before[8], 16, max(now[16:])]


def reader(trial: Trial) -> Numbers:
    steps, said = trial.steps(), {}
    y = trial.data.labels
    assert steps[-1].given[-1] == y[steps[-1].known[-1]] and len(steps) == 2
    for t in range(1, 12):
        said[f"label{t + 1}"] = str(y[steps[-1].query] + 1)
        steps = trial.steps(**said)
    everyone = np.ones(len(y), bool)
    inner = np.square(trial.data.X).sum(axis=1) < 1.6**2
    assert (inner[y == 0]).mean() > 0.9 and (inner[y == 1]).mean() < 0.1
    chance = by_chance(Contest(trial.data.X, y, ~everyone, 2, 1, 12))
    return [errors(trial, steps, everyone)[-1], chance[-1], STARTS]


test_claims = claims_test(
    "active_learning",
    {
        "Six labels": six,
        "Is it luck?": luck,
        "Between three classes": three,
        "A corner never asked": corner,
        "One wrong answer": lie,
        "You know it": reader,
    },
)
