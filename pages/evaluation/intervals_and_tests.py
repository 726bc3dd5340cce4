"""The modes of the lab; its lesson is intervals_and_tests.md."""

import numpy as np

from algorithms.evaluation import (
    confidence_intervals,
    mcnemar,
    mean_intervals,
    paired_comparison,
)
from algorithms.evaluation.confidence_intervals import METHODS
from algorithms.evaluation.held_out_scores import BY_NAME
from algorithms.evaluation.paired_comparison import FOLDS, SCHEMES, SPLITS, Resampling
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core.scene import Run
from viz.evaluation.intervals_and_tests.confidence_intervals import ErrorRates
from viz.evaluation.intervals_and_tests.mcnemar import OneHeldOutSet
from viz.evaluation.intervals_and_tests.mean_intervals import Means
from viz.evaluation.intervals_and_tests.paired_comparison import TwoLearners
from viz.evaluation.intervals_and_tests.sampled import frame

LEVELS = [50.0, 68.0, 80.0, 90.0, 95.0, 98.0, 99.0]
SIZES = [5, 10, 20, 30, 40, 50, 100, 200, 500, 1000]
NUMBERS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100]
MEAN, SPREAD = 10.0, 2.0
EDGE, LETTER, UP = 0.05, 0.013, 0.055  # of the picture, from its lower right corner to a button
RATES = np.linspace(0, 0.5, 401)[1:]


def intervals(lab: Lab) -> Shown:
    """Draw one sample after the other, and see which intervals hold the true error rate."""
    method = lab.choice("method", "Interval", list(METHODS), "Wald")
    n = int(lab.log_slider("size", "Points in a sample, n", SIZES, 40))
    p = lab.slider("p", "True error rate p", 0.01, 0.5, 0.12, 0.01)
    level = lab.log_slider("level", "Confidence level, %", LEVELS, 95.0) / 100
    samples = lab.slider("samples", "Samples", 20, 200, 50, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the samples.")
    run = lab.run_apart(
        confidence_intervals.confidence_intervals, p, n,
        rng=np.random.default_rng(seed), level=level, samples=samples, method=method,
    )  # fmt: skip
    offer_next(lab, "method", list(METHODS), method, run, p)
    exact = lab.later(confidence_intervals.exactly, p, n, level, RATES)
    return lab.scene(ErrorRates, run, exact, method, code=confidence_intervals)


def means(lab: Lab) -> Shown:
    """Draw samples of numbers, and see which intervals hold their true mean."""
    method = lab.buttons("quantile", "Interval", list(mean_intervals.METHODS), "z")
    n = int(lab.log_slider("numbers", "Numbers in a sample, n", NUMBERS, 5))
    level = lab.log_slider("level", "Confidence level, %", LEVELS, 95.0) / 100
    samples = lab.slider("samples", "Samples", 20, 200, 50, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the samples.")
    run = lab.run_apart(
        mean_intervals.mean_intervals, MEAN, SPREAD, n,
        rng=np.random.default_rng(seed), level=level, samples=samples, method=method,
    )  # fmt: skip
    offer_next(lab, "quantile", list(mean_intervals.METHODS), method, run, MEAN)
    truth = lab.later(mean_intervals.in_the_long_run, MEAN, n, level, np.arange(2, 101))
    return lab.scene(Means, run, truth, method, code=mean_intervals)


def offer_next(
    lab: Lab, name: str, methods: list[str], method: str, run: Run, truth: float
) -> None:
    """Show a button that makes the intervals of the same samples by the next method."""
    chosen = methods.index(method)
    other = methods[(chosen + 1) % len(methods)]
    left, right, bottom, top = lab.later(frame, run, truth, chosen).value()
    text = f"Try {other}"
    beside = EDGE + LETTER * len(text)  # so that long names end in the picture of a phone, too
    place = np.array([right + beside * (left - right), bottom + UP * (top - bottom)])
    lab.choose_at(name, other, f"Make the intervals by {other}", place, text=text)


def two_learners(lab: Lab) -> Shown:
    """Compare two classifiers over folds or over random splits."""
    first, second = two_names(lab)
    scheme = lab.choice("scheme", "Held out in turn", list(SCHEMES), SPLITS)
    share = 30
    if scheme == FOLDS:
        resamples = lab.slider("folds", "Folds", 2, 20, 10)
    else:
        resamples = lab.slider("splits", "Random splits", 5, 50, 20, 5)
        share = lab.slider("held", "Held-out points, about %", 10, 60, 30, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    data, resampling = lab.plane, Resampling(scheme, resamples, share / 100)
    run = lab.run(
        paired_comparison.paired_comparison, data.X, data.labels,
        rng=split_rng(seed), first=first, second=second, resampling=resampling,
    )  # fmt: skip
    alarms = lab.later(paired_comparison.false_alarms, resampling, rng=np.random.default_rng(0))
    names = first, second
    return lab.scene(TwoLearners, run, data, alarms, names, scheme, code=paired_comparison)


def one_held_out_set(lab: Lab) -> Shown:
    """Compare two classifiers on the points of one held-out set, one by one."""
    first, second = two_names(lab, against="1-NN")
    share = lab.slider("held", "Held-out points, about %", 10, 80, 50, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    data = lab.plane
    run = lab.run(
        mcnemar.mcnemar, data.X, data.labels, rng=split_rng(seed),
        first=first, second=second, test_share=share / 100,
    )  # fmt: skip
    return lab.scene(OneHeldOutSet, run, data, first, second, code=mcnemar)


def two_names(lab: Lab, against: str = "k-NN") -> tuple[str, str]:
    """Ask which two classifiers are compared. against : the second one by default."""
    names = list(BY_NAME)
    first = lab.choice("first", "First classifier", names, "LDA")
    return first, lab.choice("against", "Second classifier", names, against, before="second")


MODES = {
    "intervals": intervals,
    "a mean": means,
    "two learners": two_learners,
    "one held-out set": one_held_out_set,
}
ON_BOARD = {"view": "two learners"}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.6).show(MODES)
