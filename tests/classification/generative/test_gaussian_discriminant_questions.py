import numpy as np
from scipy.stats import multivariate_normal

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["Gaussian", "Gaussian", "naive"],
    "data": ["unequal", "blobs", "moons", "stretched", "xor"],
    "noise": [0.5, 1.0],
    "seed": range(100),
    "covariance": ["separate", "shared"],
    "held": [0, 30],
}


def classes(asked: Asked) -> list[np.ndarray]:
    """The class of every point before and after the estimate, by Bayes' rule."""
    found = []
    for step in (asked.before, asked.after):
        covariances = [np.linalg.inv(R.T @ R) for R in step.roots]
        densities = [
            multivariate_normal(mean, S).logpdf(asked.X) + np.log(prior)
            for mean, S, prior in zip(step.means, covariances, step.priors, strict=True)
        ]
        found.append(np.argmax(densities, axis=0))
    return found


def judge(asked: Asked) -> str:
    text, after = asked.question.text, asked.after
    if text.startswith("Which point"):
        old, new = classes(asked)
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        changed = old[points] != new[points]
        assert np.flatnonzero(changed).tolist() == [asked.question.right]
        return "changes"
    if text.startswith("In which class"):
        spread = after.variances[:, after.index]
        assert number(spread.max()) in asked.question.reason
        names = [option.text for option in asked.question.options]
        assert len(names) == min(5, len(spread))
        assert asked.right.endswith(str(after.classes[spread.argmax()] + 1))
        return "varies"
    S = after.covariances[after.index]
    assert asked.right == ("up to the right" if S[0, 1] > 0 else "down to the right")
    return "tilt"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"changes", "varies", "tilt"}
    check_judgements("gaussian_discriminant", SETTINGS, count, judge, kinds)
