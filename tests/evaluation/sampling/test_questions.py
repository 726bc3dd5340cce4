"""The lab's questions, judged with SciPy's Gaussian and by counting."""

import numpy as np
import pytest
from scipy.stats import norm

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import numbers

SETTINGS = {
    "view": ["a test", "peeking", "chi-square"],
    "solve": ["power", "n", "effect", "α"],
    "share": [0, 50, 100],
    "looks": [1, 3, 20],
    "border": ["1.96 at every look", "Pocock's"],
    "classes": [2, 3],
    "points": [10, 60],
    "apart": [0.0, 1.5],
    "draw": range(99),
    "paths": range(99),
    "sample": range(99),
}


def judge(asked: Asked) -> str:
    view = asked.link["view"]
    if view == "a test":
        return judge_area(asked)
    if view == "peeking":
        beyond = np.flatnonzero(np.abs(asked.after.z[-1]) > asked.after.border)
        right = f"it stops at look {beyond[0] + 1}" if len(beyond) else "it never stops"
        assert asked.right == right
        return "peeking"
    observed = asked.after.observed
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    cells = ((observed - expected) ** 2 / expected).ravel()
    assert numbers(asked.right)[0] == pytest.approx(cells[: asked.now + 1].sum(), rel=6e-3)
    return "chi-square"


def judge_area(asked: Asked) -> str:
    assert asked.run.call
    alpha = asked.run.call.args[2]
    rejected = norm.sf(asked.after.z[-1]) < alpha
    wrong = rejected != asked.after.effect[-1]
    names = {
        (False, False): "right to keep H₀", (True, True): "false alarm",
        (False, True): "miss", (True, False): "right to reject H₀",
    }  # fmt: skip
    assert asked.right == names[bool(rejected), bool(wrong)]
    return asked.right


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {
        "right to keep H₀", "false alarm", "miss", "right to reject H₀", "peeking", "chi-square"
    }  # fmt: skip
    check_judgements("sampling", SETTINGS, count, judge, kinds)
