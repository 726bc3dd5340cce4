import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "circles", "xor", "separable"],
    "noise": [0.3, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "depth": [1, 2],
    "rounds": [10, 40],
    "held": [0, 30],
}


def judge(asked: Asked) -> str:
    before, after, X = asked.before, asked.after, asked.X
    if asked.question.text.startswith("Which of these points"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        sides = np.where(asked.labels[points] == after.classes[1], 1, -1)
        wrong = after.tree.predict(X[points]) != sides
        assert np.flatnonzero(wrong).tolist() == [asked.question.right]
        return "wrong"
    old, new = (np.log((1 - step.error) / step.error) for step in (before, after))
    assert asked.right == ("it counts more" if new > old else "it counts less")
    return "vote"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("ada_boost", SETTINGS, count, judge, {"wrong", "vote"})
