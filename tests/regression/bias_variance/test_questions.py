import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "over": ["degree", "penalty", "neighbours"],
    "seed": range(100),
    "size": [10, 30],
    "share": [5, 20],
    "design": ["even", "random"],
}


def judge(asked: Asked) -> str:
    so_far = np.mean([step.predictions for step in asked.steps[: asked.now + 1]], axis=0)
    off = np.sqrt(((asked.after.predictions - so_far) ** 2).mean(axis=1))
    compared = [option.text for option in asked.question.options]
    kinds = {text: i for i, text in enumerate(names(asked))}
    assert np.argmax([off[kinds[text]] for text in compared]) == asked.question.right
    farthest = max(off[kinds[text]] for text in compared)
    assert f"from the mean is {number(float(farthest))}," in asked.question.reason
    return "farthest"


def names(asked: Asked) -> list[str]:
    """Return what the models are called, from simple to flexible."""
    over, numbers = asked.link["over"], asked.after.complexities
    before = {"degree": "degree ", "penalty": "λ = ", "neighbours": "k = "}[over]
    return [f"{before}{number(float(each), 4)}" for each in numbers]


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("bias_variance", SETTINGS, count, judge, {"farthest"})
