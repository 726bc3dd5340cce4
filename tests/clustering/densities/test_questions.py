import numpy as np
from scipy.spatial.distance import cdist

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["bumps", "width", "one class", "histogram"],
    "data": ["moons", "blobs", "circles", "outlier"],
    "noise": [0.1, 0.3, 1.0],
    "n": [20, 150],
    "sample": range(100),
    "width": [3, 8, 20],
    "nu": [0.05, 0.1, 0.4],
    "bin": [10, 25],
    "query": ["0,0", "1,1"],
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
    """Find the points with less weight after the move; the other options are lower."""
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


def shift(asked: Asked) -> str:
    """Count with NumPy's histogram, on the one bin that the picked point is in."""
    query = np.array([float(part) for part in asked.link["query"].split(",")])
    counts = []
    for step in (asked.before, asked.after):
        corner = step.origin + step.width * np.floor((query - step.origin) / step.width)
        edges = [np.array([start, start + step.width]) for start in corner]
        counts.append(np.histogram2d(*asked.X.T, bins=edges)[0].sum())  # type: ignore
    assert (counts[1] > counts[0]) == (asked.right == "it rises")
    return "shift"


def judge(asked: Asked) -> str:
    judges = {"bumps": bump, "width": width, "one class": weight, "histogram": shift}
    return judges[asked.link["view"]](asked)


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("densities", SETTINGS, count, judge, {"bump", "width", "weight", "shift"})
