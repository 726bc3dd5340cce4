import numpy as np
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["bumps", "width", "one class"],
    "data": ["moons", "blobs", "circles", "outlier"],
    "noise": [0.1, 0.3, 1.0],
    "n": [20, 150],
    "seed": range(100),
    "width": [3, 8, 20],
    "nu": [0.05, 0.1, 0.4],
}


def bump(asked: Asked) -> str:
    """Recompute both densities at the point that is asked about."""
    h, m = asked.before.bandwidth, asked.before.bumps
    heights = np.exp(-(cdist(asked.X[[asked.point]], asked.X)[0] ** 2) / (2 * h * h))
    before, after = heights[:m].mean(), heights[: m + 1].mean()
    assert (after > before) == (asked.right == "it rises")
    return "bump"


def width(asked: Asked) -> str:
    """Leave every point out by deleting it."""
    means = []
    for step in (asked.before, asked.after):
        h, logs = step.bandwidth, []
        for i, x in enumerate(asked.X):
            others = np.delete(asked.X, i, axis=0)
            exponents = -((others - x) ** 2).sum(axis=1) / (2 * h * h)
            logs.append(np.logaddexp.reduce(exponents) - np.log(len(others) * 2 * np.pi * h * h))
        means.append(np.mean(logs))
    assert (means[1] > means[0]) == (asked.right == "it rises")
    return "width"


def weight(asked: Asked) -> str:
    """Look who has less weight after the move; the others that had some lie lower."""
    before, after = asked.before.duals, asked.after.duals
    right = asked.question.right
    (loser,) = np.flatnonzero(after < before)
    assert asked.nearest(right) == loser
    sums = asked.before.task.kernel(asked.X, asked.X) @ before
    for option in range(len(asked.question.options)):
        other = asked.nearest(option)
        assert before[other] > 0
        assert option == right or sums[other] < sums[loser]
    return "weight"


def judge(asked: Asked) -> str:
    return {"bumps": bump, "width": width, "one class": weight}[asked.link["view"]](asked)


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("densities", SETTINGS, count, judge, {"bump", "width", "weight"})
