import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["pairs"],
    "data": ["moons", "blobs", "separable", "circles"],
    "classes": [2],
    "noise": [0.3, 1.0],
    "n": [20, 60],
    "seed": range(100),
    "C": [0.1, 1, 30],
    "kernel": ["rbf", "linear"],
    "steps": [100],
}


def judge(asked: Asked) -> str:
    before, after, C = asked.before, asked.after, float(asked.link["C"])
    moved = set(np.flatnonzero(before.coefficients != after.coefficients).tolist())
    if asked.question.text.endswith("Which point is of this pair?"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        assert [i in moved for i in points].count(True) == 1
        assert points[asked.question.right] in moved
        y = np.where(asked.labels == np.unique(asked.labels)[1], 1, -1)
        f = before.decision_function(before.points)
        others = [i for i in points if i not in moved]
        assert (y[others] * f[others] > 1).all()
        assert (before.duals[others] == 0).all()
        return "who"
    old, new = before.duals[asked.point], after.duals[asked.point]
    assert asked.point in moved
    way = "it rises" if new > old else "it falls"
    if new == 0:
        way += " to 0"
    elif np.isclose(new, C, rtol=1e-9):
        way += " to C"
    else:
        way += f", but not to {'C' if new > old else '0'}"
    assert asked.right == way
    return "where"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("svm", SETTINGS, count, judge, {"who", "where"})
