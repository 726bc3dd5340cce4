from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "circles", "outlier"],
    "noise": [0.1, 0.3, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "order": ["as given", "from left to right"],
}


def judge(asked: Asked) -> str:
    after, X = asked.after, asked.X
    walk = after.walk
    near = cdist(X, X) <= walk.eps
    core = near.sum(axis=1) >= walk.min_samples
    i = asked.point
    assert i == after.point
    found = bool((near[i] & core & (walk.visited <= after.visit)).any())
    right = "core" if core[i] else "border" if found else "noise"
    assert right in asked.right.split(":")[0]
    assert f"holds {near[i].sum()} point" in asked.question.reason
    return right


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("dbscan", SETTINGS, count, judge, {"core", "border", "noise"})
