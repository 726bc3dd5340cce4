import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["visits", "eps by eps"],
    "data": ["moons", "blobs", "circles", "outlier"],
    "noise": [0.1, 0.3, 1.0],
    "n": [40, 150],
    "sample": range(100),
    "order": ["first to last", "last to first"],
}


def judge(asked: Asked) -> str:
    after, X = asked.after, asked.X
    if asked.link["view"] == "eps by eps":
        return radius(asked)
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


def radius(asked: Asked) -> str:
    """Find clusters and noise at both radii from all distances."""
    far, counts, noise = cdist(asked.X, asked.X), [], []
    for eps in (asked.before.eps, asked.after.eps):
        near = far <= eps
        core = near.sum(axis=1) >= asked.before.levels.min_samples
        counts.append(connected_components(near[core][:, core])[0] if core.any() else 0)
        noise.append(~near[:, core].any(axis=1))
    if asked.question.text.endswith("Which way?"):
        assert ("more" in asked.right) == (counts[1] > counts[0])
        return "clusters"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    assert noise[0][points].all()
    assert np.flatnonzero(~noise[1][points]).tolist() == [asked.question.right]
    return "found"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements(
        "dbscan", SETTINGS, count, judge, {"core", "border", "noise", "clusters", "found"}
    )
