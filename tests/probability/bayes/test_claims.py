"""What the lesson of Bayes' rule says of its experiments."""

from algorithms.probability.bayes import BayesStep
from tests.house.claims import Numbers, Trial, claims_test


def end(trial: Trial, **changes: str) -> BayesStep:
    return trial.steps(**changes)[-1]


def percent(step: BayesStep) -> float:
    return 100 * step.posterior


def ill_of_positive(step: BayesStep) -> list[int]:
    both, alarms = step.counts[:, 0].tolist()
    return [both, both + alarms]


def nine_out_of_ten(trial: Trial) -> Numbers:
    step = end(trial)
    both, positive = ill_of_positive(step)
    return [percent(step), positive, both, positive - both, step.counts[1].sum(), 1000]


def two_of_three(trial: Trial) -> Numbers:
    step = end(trial)
    assert abs(step.posterior - 2 / 3) < 1e-15
    both, positive = ill_of_positive(step)
    return [percent(step), 2, 3, positive, both]


def rare(trial: Trial) -> Numbers:
    few, many = end(trial), end(trial, prevalence="10")
    return [percent(few), *ill_of_positive(few), 10, percent(many), *ill_of_positive(many)]


def which_error(trial: Trial) -> Numbers:
    before, perfect, fewer = end(trial), end(trial, sensitivity="100"), end(trial, alarms="1")
    alarms, healthy = fewer.counts[1, 0], fewer.counts[1].sum()
    return [percent(before), percent(perfect), 1, percent(fewer), alarms, healthy]


def once_more(trial: Trial) -> Numbers:
    two, three = end(trial), end(trial, tests="3")
    first = trial.steps()[3]
    return [
        percent(two), *ill_of_positive(two), percent(first),
        percent(three), *ill_of_positive(three),
    ]  # fmt: skip


def same_mistake(trial: Trial) -> Numbers:
    all_repeat, half, none = end(trial), end(trial, repeat="50"), end(trial, repeat="0")
    assert all_repeat.posterior == trial.steps()[3].posterior
    return [
        percent(all_repeat), *ill_of_positive(all_repeat),
        percent(half), *ill_of_positive(half), percent(none),
    ]  # fmt: skip


test_claims = claims_test(
    "bayes",
    {
        "Nine out of ten?": nine_out_of_ten,
        "Two of three": two_of_three,
        "Rare or frequent": rare,
        "Which error matters?": which_error,
        "Once more": once_more,
        "The same mistake twice": same_mistake,
    },
)
