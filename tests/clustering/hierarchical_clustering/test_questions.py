import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import Birch

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import decimal

SETTINGS = {
    "view": ["merging", "BIRCH"],
    "threshold": [0.1, 0.2, 0.4],
    "most": range(2, 6),
    "seed": range(100),
    "data": ["blobs", "moons", "stretched", "unequal", "circles", "outlier"],
    "linkage": ["single", "complete", "average", "ward"],
    "sample": range(100),
    "n": [8, 20, 60, 120],
}


def apart(A: np.ndarray, B: np.ndarray, linkage: str) -> float:
    if linkage == "ward":  # twice what the merge adds to the inertia
        return np.sqrt(2 * (inertia(np.concatenate([A, B])) - inertia(A) - inertia(B)))
    return {"single": np.min, "complete": np.max, "average": np.mean}[linkage](cdist(A, B))


def inertia(points: np.ndarray) -> float:
    return float(np.square(points - points.mean(axis=0)).sum())


def judge(asked: Asked) -> str:
    if asked.link["view"] == "BIRCH":
        return judge_arrival(asked)
    before, after, X = asked.before.labels, asked.after.labels, asked.X
    parts = [before == label for label in np.unique(before)]
    merged = [part for part in parts if (after == after[part][0]).sum() > part.sum()]
    assert len(merged) == 2
    if asked.question.text == "What is merged next?":
        large = sum(part.sum() > 1 for part in merged)
        assert asked.right.startswith(["two single", "a point", "two clusters"][large])
        return "what"
    linkage, far = asked.link["linkage"], []
    for option in asked.question.options:
        a, b = pair_of(option, [X[part] for part in parts])
        far.append(apart(a, b, linkage))
    assert np.argmin(far) == asked.question.right
    nearest, second = sorted(far)[:2]
    assert second > 1.005 * nearest
    assert nearest == pytest.approx(apart(X[merged[0]], X[merged[1]], linkage))
    assert f"{decimal(nearest)} apart ({linkage}" in asked.question.reason
    assert f"others are {decimal(second)} apart." in asked.question.reason
    return "which"


def judge_arrival(asked: Asked) -> str:
    """Let scikit-learn's tree take the points that have arrived, and the next one."""
    rows = [step.row for step in asked.steps[: asked.now + 2]]
    assert asked.point == rows[-1] or (asked.X[asked.point] == asked.X[rows[-1]]).all()
    T, B = (float(asked.link[name]) for name in ("threshold", "most"))
    tree = Birch(threshold=T, branching_factor=int(B), n_clusters=None)
    shifted = asked.X[rows] - asked.X[rows[0]]
    found = []
    for part in (shifted[:-1], shifted[-1:]):
        tree.partial_fit(part)
        found.append((len(tree.subcluster_centers_), count_nodes(tree.root_)))
    (entries, nodes), (more_entries, more_nodes) = found
    if more_nodes > nodes:
        assert asked.right == "a new entry, and a node splits"
        return "split"
    assert asked.right == ("a new entry" if more_entries > entries else "it is absorbed")
    return "new" if more_entries > entries else "absorbed"


def count_nodes(node) -> int:
    below = [entry.child_ for entry in node.subclusters_ if entry.child_ is not None]
    return 1 + sum(map(count_nodes, below))


def pair_of(option, clusters: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the two clusters of the named sizes whose means have the pin in their middle."""
    sizes = sorted(map(int, option.text.split(" points")[0].split(" + ")))
    means = np.array([cluster.mean(axis=0) for cluster in clusters])
    middles = (means[:, None] + means) / 2
    off = np.square(middles - option.place[1:]).sum(axis=2)
    off[np.tril_indices(len(off))] = np.inf
    i, j = np.unravel_index(off.argmin(), off.shape)
    assert off.min() < 1e-18
    assert sorted([len(clusters[i]), len(clusters[j])]) == sizes
    return clusters[i], clusters[j]


KINDS = {"what", "which", "absorbed", "new", "split"}


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("hierarchical_clustering", SETTINGS, count, judge, KINDS)
