"""The lab's questions, judged by counting the points that each line has wrong."""

import numpy as np
import pytest

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import numbers

SETTINGS = {
    "view": ["lines", "three hypotheses"],
    "lines": [20, 100],
    "truth": ["one of the lines", "a circle"],
    "n": [5, 12],
    "noise": [0.05, 0.3],
    "h1": [0.2, 0.4, 0.7],
    "plus1": ["True", "False"],
    "plus2": ["True", "False"],
    "seed": range(99),
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    answers = asked.run.call.args[0]
    if asked.link["view"] == "three hypotheses":
        posterior, answers = asked.run.call.args
        pile = [posterior[: asked.now + 1][answers[: asked.now + 1] == v].sum() for v in (0, 1)]
        assert asked.right == f"the pile of {'−+'[int(np.argmax(pile))]}"
        return "three hypotheses"
    labels, noise = asked.run.call.args[1], float(asked.link["noise"])
    wrong = (answers[: asked.now + 1] != labels[: asked.now + 1, None]).sum(axis=0)
    weights = noise**wrong * (1 - noise) ** (asked.now + 1 - wrong)
    share = weights[answers[asked.now] == labels[asked.now]].sum() / weights.sum()
    assert numbers(asked.right)[0] == pytest.approx(100 * share, rel=6e-3)
    return "lines"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("votes", SETTINGS, count, judge, {"lines", "three hypotheses"})
