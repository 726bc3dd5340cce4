"""What the lesson on votes says of its experiments."""

import numpy as np

from algorithms.probability.all_hypotheses import Errors, VotesStep, all_hypotheses
from algorithms.probability.lines import average_errors, in_circle, random_lines, says
from pages.probability.votes import CIRCLE, LINE, draw_truth, sample
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane
from viz.probability.all_hypotheses import SQUARE

CLOUD = random_lines(200, rng=np.random.default_rng(200))
CELLS = plane.grid(SQUARE, 60)[2]
ANSWERS = says(CLOUD, CELLS)


def errors(step: VotesStep, seed: int, truth: str = LINE) -> Errors:
    """Return the errors that the lab's picture measures, in percent."""
    index = draw_truth(CLOUD, seed) if truth == LINE else None
    right = in_circle(CELLS) if index is None else ANSWERS[:, index]
    return Errors(*(100 * error for error in step.errors(ANSWERS, right)))


def fourteen(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[0].half == 100
    five, ten = errors(steps[5], 1), errors(steps[10], 1)
    ties = [len(steps[k].heaviest) for k in (5, 10)]
    return [
        steps[5].half, five.vote, five.most_probable, ties[0], five.gibbs,
        10, ties[1], ten.most_probable, ten.vote,
    ]  # fmt: skip


def three(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    return [end.minus, 100 * end.minus, 100]


def twice(trial: Trial) -> Numbers:
    assert np.array_equal(trial.steps()[5].weights, run(4)[5].weights)
    found = average_errors(CLOUD, 40, 0.1, rng=np.random.default_rng(0))
    assert (found.gibbs <= 2 * found.vote).all()
    ratio = found.gibbs / found.vote
    vote, best = 100 * found.vote[[5, 40]], 100 * found.most_probable[[5, 40]]
    return [*ratio[[5, 10, 20, 40]], 2, vote[0], 5, vote[1], 40, *best]


def few(trial: Trial) -> Numbers:
    assert np.array_equal(trial.steps()[5].weights, run(2)[5].weights)
    found = {k: [errors(run(seed)[k], seed) for seed in range(10)] for k in (5, 10)}
    ahead = {k: sum(e.most_probable < e.vote for e in each) for k, each in found.items()}
    average = average_errors(CLOUD, 40, 0.1, rng=np.random.default_rng(0))
    here = found[5][2]
    return [
        here.most_probable, here.vote, ahead[5], 10, 200,
        100 * average.most_probable[5], 100 * average.vote[5], 10, ahead[10], 10,
    ]  # fmt: skip


def run(seed: int) -> list[VotesStep]:
    """Return the steps of the default settings with another seed."""
    X, labels = sample(CLOUD, draw_truth(CLOUD, seed), 40, 0.1, seed)
    chances = np.random.default_rng([seed, 3])
    return list(all_hypotheses(says(CLOUD, X), labels, noise=0.1, rng=chances))


def circle(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert end.half == 1
    vote = errors(end, 2, CIRCLE).vote
    expected, circle = 100 * end.expected(ANSWERS).vote, 100 * in_circle(CELLS).mean()
    return [end.weights.max(), expected, vote, circle]


def version_space(trial: Trial) -> Numbers:
    runs = [trial.steps(), *(trial.steps(noise=noise) for noise in ("0.3", "0.4"))]
    few, some, many = (steps[10].half for steps in runs)
    return [few, 0.3, some, 0.4, many, 40, *(steps[40].half for steps in runs)]


test_claims = claims_test(
    "votes",
    {
        "Fourteen lines are left": fourteen,
        "Three hypotheses": three,
        "At most twice": twice,
        "One run is not the average": few,
        "No line is right": circle,
        "Almost a version space": version_space,
    },
)
