import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["One split", "Repeat"],
    "data": ["moons", "blobs", "circles", "xor"],
    "noise": [0.3, 1.0],
    "n": [40, 100],
    "seed": range(100),
    "test_share": [0, 30],
    "k": [5, 15],
    "splits": [5],
}


def judge(asked: Asked) -> str:
    if asked.link["view"] == "Repeat":
        return split(asked)
    wrong = [step.model.predict(asked.X) != asked.labels for step in (asked.before, asked.after)]
    assert asked.after.classifier.label in asked.question.text
    if asked.question.text.endswith("does it get wrong?"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        assert np.flatnonzero(wrong[1][points]).tolist() == [asked.question.right]
        return "wrong"
    old, new = (int((each & asked.after.held_out).sum()) for each in wrong)
    assert asked.right == ("better" if new < old else "worse" if new > old else "equally well")
    return "better"


def split(asked: Asked) -> str:
    """Classify the held-out points with both classifiers."""
    after, options = asked.after, asked.question.options
    labels = [classifier.label for classifier in after.classifiers]
    errors = {
        option.text: int((model.predict(asked.X) != asked.labels)[after.held_out].sum())
        for option in options
        if option.text in labels
        for model in [after.models[labels.index(option.text)]]
    }
    assert len(errors) == 2
    few = [name for name, error in errors.items() if error == min(errors.values())]
    assert asked.right == (few[0] if len(few) == 1 else "both equally few")
    return "split"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("wall", SETTINGS, count, judge, {"wrong", "better", "split"})
