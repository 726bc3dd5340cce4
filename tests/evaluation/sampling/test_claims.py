"""What the lesson on sampling says of its experiments."""

import numpy as np

from algorithms.core.record import last
from algorithms.evaluation.central_limit import MIDDLE, Tents
from algorithms.evaluation.chi_square import chi_square, table
from algorithms.evaluation.one_test import power as power_of
from algorithms.evaluation.one_test import sample_size
from algorithms.evaluation.peeking import BORDER, false_alarms
from pages.evaluation.sampling import DRAWN
from tests.house.claims import Numbers, Trial, claims_test

SEEDS = [str(seed) for seed in range(10)]


def power(n: int, effect: float, alpha: float) -> float:
    return float(power_of(np.array([float(n)]), effect, alpha)[0])


def odd(trial: Trial) -> Numbers:
    source = Tents(tuple(DRAWN))
    ends = [trial.steps()[-1], trial.steps(n="5")[-1], trial.steps(n="50")[-1]]
    near = [
        int((np.abs(end.means - source.mean) < source.deviation / np.sqrt(n)).sum())
        for n, end in zip((1, 5, 50), ends, strict=True)
    ]
    count = len(ends[0].means)
    return [near[0], count, near[1], near[2], 50, 68.3, 0.6826895 * count]


def cauchy(trial: Trial) -> Numbers:
    ends = [trial.steps()[-1].means, trial.steps(n="1")[-1].means]
    many, one = (int((np.abs(means - MIDDLE) < 1).sum()) for means in ends)
    far = ends[0][np.abs(ends[0] - MIDDLE).argmax()]
    return [many, 600, one, 600, far]


def four(trial: Trial) -> Numbers:
    counts = trial.steps()[-1].counts(0.05)
    further = trial.steps(line="2.5,-0.03")[-1].counts(0.0062)
    assert further[1] < counts[1] and further[2] > counts[2]
    return [
        counts[1], counts[0] + counts[1], counts[2], counts[2] + counts[3],
        power(16, 0.5, 0.05),
    ]  # fmt: skip


def probability_of_h0(trial: Trial) -> Numbers:
    counts = [trial.steps(draw=seed)[-1].counts(0.05) for seed in SEEDS]
    here = counts[0]
    alarms, rejected = (sum(c[1] for c in counts), sum(c[1] + c[3] for c in counts))
    right = 0.1 * power(16, 0.5, 0.05)
    share = 0.9 * 0.05 / (0.9 * 0.05 + right)
    return [here[1], here[1] + here[3], 20, 0, 9, alarms, rejected, share]


def equal(trial: Trial) -> Numbers:
    few, many = (s[-1].counts(0.05) for s in (trial.steps(), trial.steps(numbers="25")))
    return [few[3], sum(few), power(5, 0.5, 0.05), 25, many[3]]


def flat(trial: Trial) -> Numbers:
    p = trial.steps()[-1].p
    tenths = np.histogram(p, np.linspace(0, 1, 11))[0]
    return [int(tenths.min()), int(tenths.max()), len(p), len(p) / 10, int((p < 0.05).sum()), 0.05]


def how_many(trial: Trial) -> Numbers:
    sizes = [sample_size(effect, 0.05, 0.8) for effect in (0.5, 0.3, 0.1)]
    for effect, size in zip(("0.5", "0.3", "0.1"), sizes, strict=True):
        trial.steps(effect=effect)
        assert trial.session.run_shown and trial.session.run_shown.call
        assert trial.session.run_shown.call.args[0] == size
    return [sizes[0], 0.3, sizes[1], 0.1, sizes[2]]


def peeking(trial: Trial) -> Numbers:
    alarms = [trial.steps(paths=seed)[-1].alarms for seed in SEEDS]
    stopped = [a for a, _ in alarms]
    rates = false_alarms(20, BORDER)
    return [*alarms[0], 0, 9, min(stopped), max(stopped), rates[19], rates[0]]


def honest(trial: Trial) -> Numbers:
    end, none = trial.steps()[-1], trial.steps(shift="0")[-1]
    looks = [stop + 1 for stop in end.stops if stop is not None]
    return [len(looks), 100, float(np.mean(looks)), none.alarms[0]]


def side(trial: Trial) -> Numbers:
    ends = [trial.steps(sample=seed)[-1] for seed in SEEDS]
    return [ends[0].statistic, ends[0].p, sum(end.p < 0.05 for end in ends), 0, 9]


def dragged(trial: Trial) -> Numbers:
    found, here = trial.steps(split="-0.45,0.5")[-1].p, trial.steps()[-1].p
    lucky = 0
    for seed in range(10):
        classes = np.arange(60) % 2
        x = np.random.default_rng(seed).normal(size=60)
        ends = [
            last(chi_square(table((x > cut).astype(int), classes, 2))).p for cut in np.sort(x)[4:-5]
        ]
        lucky += min(ends) < 0.05
    return [-0.45, found, 0, here, lucky, 0, 9]


test_claims = claims_test(
    "sampling",
    {
        "Odd, but not its means": odd,
        "No better than one": cauchy,
        "Four areas": four,
        "Is p the probability of no effect?": probability_of_h0,
        "Not significant, so equal?": equal,
        "Flat": flat,
        "How many numbers?": how_many,
        "Stop when p < 0.05": peeking,
        "Looking without cheating": honest,
        "Does the side matter?": side,
        "Dragged until it works": dragged,
    },
)
