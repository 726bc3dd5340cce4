import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import vector

SETTINGS = {
    "data": ["blobs", "moons", "stretched", "unequal", "circles", "outlier", "blobs"],
    "k": range(1, 9),
    "start": ["random", "k-means++"],
    "seed": range(100),
    "n": [20, 100, 400],
}


def judge(asked: Asked) -> str:
    """Work the answer out from the steps and the points."""
    before, after, X = asked.before, asked.after, asked.X
    text = asked.question.text
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


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"which centre", "converged", "farthest", "goes"}
    check_judgements("k_means", SETTINGS, count, judge, kinds)
