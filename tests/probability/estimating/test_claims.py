"""What the lesson on estimating says of its experiments."""

from typing import Any

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


test_claims = claims_test(
    "estimating",
    {
        "Two students": two,
        "Three times heads": three,
        "Never seen": never,
        "A strong prior": strong,
    },
)
