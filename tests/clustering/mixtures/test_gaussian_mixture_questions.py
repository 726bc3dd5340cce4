import numpy as np
from scipy.stats import multivariate_normal

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import vector

SETTINGS = {
    "data": ["stretched", "blobs", "moons", "unequal"],
    "noise": [0.5, 1.0],
    "n": [60, 200],
    "k": [2, 3, 5],
    "seed": range(100),
    "covariance": ["full", "diagonal", "spherical"],
}


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if text.startswith("E:"):
        x, step = asked.X[asked.point], before
        densities = [
            multivariate_normal(mean, S, allow_singular=True).pdf(x) * weight
            for mean, S, weight in zip(step.means, step.covariances, step.weights, strict=True)
        ]
        assert asked.right == f"component {np.argmax(densities) + 1}"
        return "belongs"
    q = before.responsibilities
    if text.startswith("M: which"):
        grown = q.mean(axis=0) - before.weights
        assert asked.right == f"component {grown.argmax() + 1}"
        return "gains"
    j = int(text.split()[-2]) - 1
    assert asked.right == vector(q[:, j] @ asked.X / q[:, j].sum()) == vector(after.means[j])
    return "goes"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"belongs", "gains", "goes"}
    check_judgements("gaussian_mixture", SETTINGS, count, judge, kinds)
