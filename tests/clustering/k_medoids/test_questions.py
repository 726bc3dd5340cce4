import numpy as np
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import vector

SETTINGS = {
    "view": ["PAM", "CLARANS", "CLARA"],
    "data": ["blobs", "moons", "stretched", "outlier"],
    "n": [30, 100],
    "k": range(2, 7),
    "init": ["BUILD", "random"],
    "metric": ["euclidean", "manhattan"],
    "seed": range(100),
    "size": [10, 20],
    "samples": [5, 10],
}


def judge(asked: Asked) -> str:
    before, after, X = asked.before, asked.after, asked.X
    far = cdist(X, X, {"euclidean": "euclidean", "manhattan": "cityblock"}[after.metric])
    if asked.link["view"] == "CLARANS":
        gone = after.gone
        assert vector(X[gone]) in asked.question.text and gone in before.medoids
        swapped = [asked.point if i == gone else i for i in before.medoids.tolist()]
        costs = [far[list(medoids)].min(axis=0).sum() for medoids in (before.medoids, swapped)]
        assert (costs[1] < costs[0]) == asked.right.startswith("Yes")
        return "try"
    if asked.link["view"] == "CLARA":
        costs = [far[step.medoids].min(axis=0).sum() for step in asked.steps[: asked.now + 2]]
        assert (costs[-1] < min(costs[:-1])) == asked.right.startswith("Yes")
        return "sample"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    medoids, k = before.medoids.tolist(), len(after.medoids)
    costs = []
    for point in points:
        kept = [medoids] if len(medoids) < k else [medoids[:j] + medoids[j + 1 :] for j in range(k)]
        costs.append(min(far[[*rest, point]].min(axis=0).sum() for rest in kept))
    assert np.argmin(costs) == asked.question.right
    assert points[asked.question.right] in after.medoids
    return after.phase


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("k_medoids", SETTINGS, count, judge, {"build", "swap", "try", "sample"})
