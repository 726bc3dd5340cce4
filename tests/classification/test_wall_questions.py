import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "circles", "xor"],
    "noise": [0.3, 1.0],
    "n": [40, 100],
    "seed": range(100),
    "test_share": [0, 30],
    "k": [5, 15],
}


def judge(asked: Asked) -> str:
    wrong = [step.model.predict(asked.X) != asked.labels for step in (asked.before, asked.after)]
    assert asked.after.classifier.label in asked.question.text
    if asked.question.text.endswith("does it get wrong?"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        assert np.flatnonzero(wrong[1][points]).tolist() == [asked.question.right]
        return "wrong"
    old, new = (int((each & asked.after.held_out).sum()) for each in wrong)
    assert asked.right == ("better" if new < old else "worse" if new > old else "equally well")
    return "better"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("wall", SETTINGS, count, judge, {"wrong", "better"})
