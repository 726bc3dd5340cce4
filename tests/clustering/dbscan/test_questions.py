import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["visits", "eps by eps", "STING"],
    "levels": range(2, 6),
    "dense": range(1, 6),
    "rule": ["may hold a dense cell", "dense on average"],
    "data": ["moons", "blobs", "circles", "outlier"],
    "noise": [0.1, 0.3, 1.0],
    "n": [40, 150],
    "sample": range(100),
    "order": ["first to last", "last to first"],
}

KINDS = {"core", "border", "noise", "clusters", "found", "dense", "relevant"}


def judge(asked: Asked) -> str:
    after, X = asked.after, asked.X
    if asked.link["view"] == "eps by eps":
        return radius(asked)
    if asked.link["view"] == "STING":
        return cell(asked)
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


def cell(asked: Asked) -> str:
    """Count the points in the cell around the place that is asked about."""
    level, top = (
        int(asked.question.text.split("level ")[1].split(",")[0]),
        int(asked.link["levels"]),
    )
    low, high = asked.X.min(axis=0), asked.X.max(axis=0)
    side = (high - low) / 2**level
    inside = (np.abs(asked.X - asked.place) <= 0.5 * side * (1 + 1e-12)).all(axis=1)
    ends = asked.place + side / 2
    inside &= ((ends > asked.X) | (ends >= high * (1 - 1e-12) - 1e-12)).all(axis=1)
    needed = int(asked.link["dense"])
    if asked.link["rule"] == "dense on average":
        needed *= 4 ** (top - level)
    assert asked.right.startswith("yes") == (inside.sum() >= needed)
    return "dense" if level == top else "relevant"


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
    check_judgements("dbscan", SETTINGS, count, judge, KINDS)
