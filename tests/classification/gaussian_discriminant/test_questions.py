import numpy as np
from scipy.stats import multivariate_normal

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

FISHER = {
    "view": ["Fisher"],
    "data": ["moons", "parallel", "outlier"],
    "noise": [0.2, 0.6],
    "n": [40, 200],
}
SETTINGS = {
    "view": ["Gaussian", "naive", "binned", "few or many"],
    "data": ["unequal", "blobs", "moons", "stretched", "xor"],
    "noise": [0.5, 1.0],
    "n": [60],
    "seed": range(100),
    "covariance": ["separate", "shared"],
    "held": [0, 30],
    "model": ["categorical", "bernoulli"],
}


def classes(asked: Asked) -> list[np.ndarray]:
    """Return the class of every point before and after the estimate, by Bayes' rule."""
    found = []
    if asked.link["view"] == "binned":
        return [step.predict(asked.X) for step in (asked.before, asked.after)]
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
    if "training points" in text:
        return learned(asked)
    if text.startswith("Which point"):
        old, new = classes(asked)
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        changed = old[points] != new[points]
        assert np.flatnonzero(changed).tolist() == [asked.question.right]
        return "changes"
    if asked.link["view"] == "binned":
        return likeliest(asked)
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


def likeliest(asked: Asked) -> str:
    """Count the points of every class in the bin, with one more in each."""
    assert asked.run.call
    after, (X, y) = asked.after, asked.run.call.args
    feature, d = after.index, len(after.edges)
    if asked.link["model"] == "bernoulli":
        column, edge = divmod(feature, len(after.edges[0]))
        inside, values = X[:, column] > after.edges[column, edge], 2
    else:
        number_of_bin = int(asked.question.text.split("bin ")[1].split()[0])
        values = 1 + len(after.edges[feature])
        inside = np.searchsorted(after.edges[feature], X[:, feature]) == number_of_bin - 1
    assert d == 2
    chances = [((inside & (y == k)).sum() + 1) / ((y == k).sum() + values) for k in after.classes]
    best = asked.data.classes[after.classes[np.argmax(chances)]]
    assert asked.right == f"in class {best}"
    return "likeliest"


def learned(asked: Asked) -> str:
    """Compare the means of the errors; recompute those of the first draw."""
    for step in (asked.before, asked.after):
        others = np.delete(np.arange(len(asked.X)), step.learned)
        for error, model in zip(step.errors[0], step.models, strict=True):
            wrong = model.predict(asked.X[others]) != asked.labels[others]
            assert np.isclose(error, wrong.mean())
    means = [step.errors.mean(axis=0) for step in (asked.before, asked.after)]
    kinds = ("shared", "separate", "diagonal")
    if asked.question.text.endswith("do best on the others?"):
        assert asked.right.split()[0] == kinds[means[1].argmin()]
        return "best"
    (j,) = [j for j, kind in enumerate(kinds) if f"the error of {kind}" in asked.question.text]
    assert asked.right == ("it rises" if means[1][j] > means[0][j] else "it falls")
    return "error"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"changes", "varies", "tilt", "likeliest", "best", "error"}
    check_judgements("gaussian_discriminant", SETTINGS, count, judge, kinds)


def judge_axis(asked: Asked) -> str:
    steps = (asked.before, asked.after)
    if asked.question.text.endswith("What does J do?"):
        was, will = (step.ratio for step in steps)
    else:
        was, will = (abs(step.means[1] - step.means[0]) for step in steps)
    assert asked.right == ("it rises" if will > was else "it falls")
    return "J" if asked.question.text.endswith("J do?") else "means"


@SAMPLES
def test_the_axis_itself_says_what_is_right(count):
    check_judgements("gaussian_discriminant", FISHER, count, judge_axis, {"J", "means"})
