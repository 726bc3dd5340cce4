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
    if asked.question.text.startswith("How large is eigenvalue"):
        W, root = after.graph.weights, np.sqrt(after.graph.degrees)
        values = np.linalg.eigvalsh(np.eye(len(W)) - W / root[:, None] / root)
        assert asked.right.startswith("0" if values[after.j - 1] < 1e-8 else "more than 0")
        return "eigenvalue"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    changed = before.half_step.labels[points] != after.half_step.labels[points]
    assert np.flatnonzero(changed).tolist() == [asked.question.right]
    return "changes"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("spectral_clustering", SETTINGS, count, judge, {"eigenvalue", "changes"})
