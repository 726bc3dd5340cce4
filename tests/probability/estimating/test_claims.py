"""What the lesson on estimating says of its experiments."""

from typing import Any

import numpy as np

from tests.house.claims import Numbers, Trial, claims_test


def two(trial: Trial) -> Numbers:
    steps, prior = trial.steps(), {"a": "3", "b": "12"}
    other = trial.steps(**prior)  # B's prior, given to A
    later, other_later = trial.steps(flips="300")[-1], trial.steps(flips="300", **prior)[-1]
    return [
        steps[-1].mean, other[-1].mean, steps[-1].mean - other[-1].mean,
        steps[0].mean - other[0].mean, 300, later.mean - other_later.mean,
    ]  # fmt: skip


def three(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert end.most_likely == end.mode == 1 and end.mean == 0.8
    assert trial.steps(flips="20")[-1].tails == 0  # this coin has no other side
    return [end.most_likely, end.mean]


def never(trial: Trial) -> Numbers:
    end: Any = trial.steps()[-1]
    more = trial.steps(a="2", b="2")[-1]
    return [end.mode, end.a, end.a + end.b, end.mean, more.mode, more.mean]


def strong(trial: Trial) -> Numbers:
    few, many = trial.steps()[-1], trial.steps(flips="300")[-1]
    flat = [trial.steps(a="1", b="1", flips=n)[-1].mean for n in ("10", "300")]
    return [few.mean, few.heads, few.flips, many.flips, many.heads, many.mean, *flat]


def three_sides(trial: Trial) -> Numbers:
    some = trial.steps()[-1]
    many = trial.steps(side1="20", side2="20", side3="20")[-1]
    return [*some.mean, 20, *many.mean]


def never_seen(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    many = trial.steps(side1="20", side2="20", side3="20")[-1]
    return [end.most_likely[2], end.a[2], end.a.sum(), end.mean[2], 20, many.mean[2]]


def up_the_hill(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert trial.session.run_shown and trial.session.run_shown.call
    x = trial.session.run_shown.call.args[0]
    end = steps[-1]
    assert end.event == "converged" and abs(end.mean - x.mean()) < 1e-3
    return [end.mean, end.deviation, 1, x.std(ddof=1), 1.2, len(steps) - 1]


def step_sizes(trial: Trial) -> Numbers:
    runs = [trial.steps(), *(trial.steps(rate=rate) for rate in ("0.5", "0.9"))]
    assert [steps[-1].event == "converged" for steps in runs] == [False, True, True]
    small, half, large = runs
    changes = np.sign(np.diff([step.deviation for step in large[-8:]]))
    assert (changes[1:] == -changes[:-1]).all()
    return [
        len(small) - 1, small[-1].deviation, 0.5, len(half) - 1, len(large) - 1, 0.9
    ]  # fmt: skip


def mean_of_a_die(trial: Trial) -> Numbers:
    end, further = trial.steps()[-1], trial.steps(mean="5.5")[-1]
    return [
        end.p[5], end.p[0], end.entropy, 5.5,
        further.p[5], further.entropy,
    ]  # fmt: skip


test_claims = claims_test(
    "estimating",
    {
        "Two students": two,
        "Three times heads": three,
        "Never seen": never,
        "A strong prior": strong,
        "A die with three sides": three_sides,
        "A side never seen": never_seen,
        "Up the hill": up_the_hill,
        "Small steps, large steps": step_sizes,
        "Mean 4.5": mean_of_a_die,
    },
)
