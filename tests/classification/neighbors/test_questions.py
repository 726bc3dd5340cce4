import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["neighbours", "choosing k", "many features"],
    "data": ["moons", "blobs", "circles", "xor"],
    "noise": [0.3, 1.0],
    "n": [30, 200],
    "seed": range(100),
    "k": [3, 7, 20],
    "points_drawn": [20, 100],
    "metric": ["euclidean", "manhattan", "chebyshev"],
    "unit": [0.1, 1, 10],
    "standardize": ["True", "False"],
}
NORMS = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    if asked.link["view"] == "many features":
        return dimensions(asked)
    if asked.link["view"] == "neighbours":
        model, X = after.model, asked.X / after.model.spread
        far = np.linalg.norm(X - after.query / model.spread, NORMS[model.metric], axis=1)
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        assert far[points].argmin() == asked.question.right
        assert np.isclose(np.sort(far)[before.met], far[points].min())
        nearest, second, *_ = sorted(far[points])
        assert second > 1.01 * nearest
        return "meets"
    wrong = []
    for k in (before.k, after.k):
        far = np.linalg.norm(
            (asked.X[:, None] - asked.X) / after.model.spread, NORMS[after.model.metric], axis=2
        )
        np.fill_diagonal(far, np.inf)
        votes = asked.labels[far.argsort(axis=1, kind="stable")[:, :k]]
        counts = (votes[:, :, None] == after.classes).sum(axis=1)
        wrong.append((after.classes[counts.argmax(axis=1)] != asked.labels).sum())
    assert asked.right == ("it rises" if wrong[1] > wrong[0] else "it falls")
    return "errors"


def dimensions(asked: Asked) -> str:
    """Draw the points again, and measure."""
    d = asked.after.d
    if asked.right[0].isdigit():
        volumes = [float(option.text) ** d for option in asked.question.options]
        assert np.abs(np.log(np.divide(volumes, 0.01))).argmin() == asked.question.right
        assert abs(float(asked.right) - 0.01 ** (1 / d)) < 0.0006
        return "neighbourhood"
    rng = np.random.default_rng(int(asked.link["seed"]))
    points = rng.uniform(size=(int(asked.link["points_drawn"]) + 1, 100))
    ratios = []
    for step in (asked.before, asked.after):
        apart = points[1:, : step.d] - points[0, : step.d]
        far = np.linalg.norm(apart, NORMS[asked.link["metric"]], axis=1)
        ratios.append(far.max() / far.min())
    assert asked.right == ("it rises" if ratios[1] > ratios[0] else "it falls")
    return "ratio"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"meets", "errors", "neighbourhood", "ratio"}
    check_judgements("k_nearest_neighbors", SETTINGS, count, judge, kinds)
