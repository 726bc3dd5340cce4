import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "xor", "circles"],
    "noise": [0.5, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "trees": [10, 30],
    "held": [0, 30],
    "depth": [2, 20],
}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    if asked.question.text.startswith("Which point"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        old, new = (
            np.mean([tree.predict_proba(asked.X[points]) for tree in step.trees], axis=0)
            for step in (before, after)
        )
        changed = old.argmax(axis=1) != new.argmax(axis=1)
        assert np.flatnonzero(changed).tolist() == [asked.question.right]
        return "turned"
    old, new = (step.wrong[step.judges > 0].mean() for step in (before, after))
    assert asked.right == ("it rises" if new > old else "it falls")
    return "out of bag"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("random_forest", SETTINGS, count, judge, {"turned", "out of bag"})
