import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "circles", "spirals"],
    "n": [40, 100],
    "noise": [0.1, 0.3],
    "k": range(2, 6),
    "seed": range(100),
}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    if asked.question.text.startswith("Which point changes its colour"):
        old, new = (step.embedding[points, 1] >= 0 for step in (before, after))
        assert np.flatnonzero(old != new).tolist() == [asked.question.right]
        return "colour"
    changed = before.half_step.labels[points] != after.half_step.labels[points]
    assert np.flatnonzero(changed).tolist() == [asked.question.right]
    return "changes"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("spectral_clustering", SETTINGS, count, judge, {"colour", "changes"})
