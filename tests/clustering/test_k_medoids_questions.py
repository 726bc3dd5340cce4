import numpy as np
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["PAM"],
    "data": ["blobs", "moons", "stretched", "outlier"],
    "n": [30, 100],
    "k": range(2, 7),
    "init": ["BUILD", "random"],
    "metric": ["euclidean", "manhattan"],
    "seed": range(100),
}


def judge(asked: Asked) -> str:
    before, after, X = asked.before, asked.after, asked.X
    far = cdist(X, X, {"euclidean": "euclidean", "manhattan": "cityblock"}[after.metric])
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
    check_judgements("k_medoids", SETTINGS, count, judge, {"build", "swap"})
