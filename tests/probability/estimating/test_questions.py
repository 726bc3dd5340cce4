"""The lab's questions, judged by counting the flips."""

import numpy as np
import pytest
from scipy.stats import norm

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import numbers

SETTINGS = {
    "truth": [0.0, 0.3, 0.7, 1.0],
    "flips": [5, 40],
    "a": [1, 2, 20],
    "b": [1, 5, 20],
    "a2": [3],
    "b2": [12],
    "seed": range(100),
    "view": ["beta, flip by flip", "three sides", "likelihood", "maximum entropy"],
    "rolls": [5, 40],
    "side1": [1, 20],
    "side2": [2],
    "points": [3, 30],
    "rate": [0.05, 0.5],
    "mean": [1.2, 3.0, 4.5, 5.8],
    "throw": range(100),
    "sample": range(100),
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    view = asked.link["view"]
    if view != "beta, flip by flip":
        return JUDGES[view](asked)
    flips = asked.run.call.args[0][: asked.now + 1]
    heads, prior = int(flips.sum()), (int(asked.link["a"]), int(asked.link["b"]))
    right = (prior[0] + heads) / (sum(prior) + len(flips))
    stated = [numbers(option.text)[0] for option in asked.question.options]
    assert min(stated, key=lambda each: abs(each - right)) == numbers(asked.right)[0]
    return "heads" if flips[-1] else "tails"


def judge_roll(asked: Asked) -> str:
    rolls = asked.run.call.args[0][: asked.now + 1]  # type: ignore
    k = int(rolls[-1])
    prior = [int(asked.link["side1"]), int(asked.link["side2"]), asked.before.a[2]]
    prior[2] -= (rolls[:-1] == 2).sum()
    right = (prior[k] + (rolls == k).sum()) / (sum(prior) + len(rolls))
    assert numbers(asked.right)[0] == pytest.approx(right, rel=6e-3)
    return "three sides"


def judge_way(asked: Asked) -> str:
    """The likelihood is higher a little way in the direction that the answer names."""
    x = asked.run.call.args[0]  # type: ignore
    step = asked.before
    up = [1 if "μ grows" in asked.right else -1, 1 if "σ grows" in asked.right else -1]
    here = norm.logpdf(x, step.mean, step.deviation).sum()
    assert norm.logpdf(x, step.mean + 1e-7 * up[0], step.deviation).sum() >= here - 1e-9
    assert norm.logpdf(x, step.mean, step.deviation * (1 + 1e-7 * up[1])).sum() >= here - 1e-9
    return "likelihood"


def judge_multiplier(asked: Asked) -> str:
    weights = np.exp(asked.before.multiplier * np.arange(1, 7))
    p = weights / weights.sum()
    mean = p @ np.arange(1, 7)
    slope = p @ np.arange(1, 7) ** 2 - mean**2
    right = asked.before.multiplier + (float(asked.link["mean"]) - mean) / slope
    assert numbers(asked.right)[0] == pytest.approx(right, rel=6e-3)
    return "maximum entropy"


JUDGES = {
    "three sides": judge_roll, "likelihood": judge_way, "maximum entropy": judge_multiplier
}  # fmt: skip


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("estimating", SETTINGS, count, judge, {"heads", "tails", *JUDGES})
