import numpy as np
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import vector

SETTINGS = {
    "view": ["k-means", "seeding", "100 seeds", "shards"],
    "shards": range(2, 7),
    "dealt": ["by chance", "by place"],
    "data": ["blobs", "moons", "stretched", "unequal", "circles", "outlier", "blobs"],
    "k": range(1, 9),
    "start": ["random", "k-means++"],
    "seed": range(100),
    "n": [20, 100, 400],
}


def judge(asked: Asked) -> str:
    """Work the answer out from the steps and the points."""
    text, X = asked.question.text, asked.X
    if text.startswith("The next centre"):
        return drawn(asked)
    if text.startswith("Where does seed"):
        return seed(asked)
    before, after = (getattr(step, "state", step) for step in (asked.before, asked.after))
    if text.startswith("Assign: which centre"):
        far = np.linalg.norm(X[asked.point] - before.centers, axis=1)
        assert after.labels[asked.point] == far.argmin()
        assert asked.right == f"centre {far.argmin() + 1}"
        return "which centre"
    if text.startswith("Assign: will any"):
        assert ("Yes" in asked.right) == (after.labels != before.labels).any()
        return "converged"
    far = np.linalg.norm(after.centers - before.centers, axis=1)
    if text == "Move: which centre goes farthest?":
        assert asked.right == f"centre {far.argmax() + 1}"
        return "farthest"
    j = int(text.removeprefix("Move: where does centre ").removesuffix(" go?")) - 1
    assert asked.right == vector(X[before.labels == j].mean(axis=0))
    assert asked.right == vector(after.centers[j])
    places = [option.place for option in asked.question.options]
    apart = [np.hypot(p[1] - q[1], p[2] - q[2]) for p in places for q in places if p is not q]
    assert min(apart) > 0.02 * np.ptp(X[:, 0])
    return "goes"


def drawn(asked: Asked) -> str:
    """Compute the distances to the present centres; the next step's last centre is the new one."""
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    D2 = cdist(asked.X[points], asked.before.state.centers, "sqeuclidean").min(axis=1)
    right = asked.question.right
    np.testing.assert_array_equal(asked.X[points[right]], asked.after.state.centers[-1])
    assert (np.delete(D2, right) < D2[right] / 4).all()
    return "drawn"


def seed(asked: Asked) -> str:
    """Work the inertias out from the clusters alone."""

    def inertia(labels: np.ndarray) -> float:
        return sum(asked.X[labels == j].var(axis=0).sum() * (labels == j).sum() for j in {*labels})

    lowest = min(inertia(step.labels) for step in asked.steps[: asked.now + 1])
    ratio = inertia(asked.after.labels) / lowest
    ways = {"as": abs(ratio - 1) < 1e-6, "higher:": ratio > 1.0005, "lower": ratio < 0.9995}
    assert ways[asked.right.split()[0]]
    return "seed"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"which centre", "converged", "farthest", "goes", "drawn", "seed"}
    check_judgements("k_means", SETTINGS, count, judge, kinds)
