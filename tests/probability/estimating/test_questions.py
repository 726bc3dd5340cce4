"""The lab's questions, judged by counting the flips."""

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
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    flips = asked.run.call.args[0][: asked.now + 1]
    heads, prior = int(flips.sum()), (int(asked.link["a"]), int(asked.link["b"]))
    right = (prior[0] + heads) / (sum(prior) + len(flips))
    stated = [numbers(option.text)[0] for option in asked.question.options]
    assert min(stated, key=lambda each: abs(each - right)) == numbers(asked.right)[0]
    return "heads" if flips[-1] else "tails"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("estimating", SETTINGS, count, judge, {"heads", "tails"})
