import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal

from algorithms.data.headlines import HEADLINES
from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number, vector

SETTINGS = {
    "view": ["mixture", "one parameter", "choosing k", "soft k-means", "words", "place and class"],
    "data": ["stretched", "blobs", "moons", "unequal"],
    "noise": [0.5, 1.0],
    "n": [60, 200],
    "k": [2, 3, 5],
    "seed": range(100),
    "covariance": ["full", "diagonal", "spherical"],
}


def judge(asked: Asked) -> str:
    return JUDGES[asked.link["view"]](asked)


def mixture(asked: Asked) -> str:
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


def one_parameter(asked: Asked) -> str:
    """Find shares and log-likelihood from the densities."""
    before, after = asked.before, asked.after
    densities = [
        multivariate_normal(mean, before.sigma**2).pdf(asked.X) / 2 for mean in before.means
    ]
    q = densities[0] / np.sum(densities, axis=0)
    if asked.question.text.startswith("Expectation"):
        assert np.isclose(after.log_likelihood, np.log(np.sum(densities, axis=0)).sum())
        np.testing.assert_array_equal(before.means, after.means)
        assert before.lower_bound < after.lower_bound
        assert np.isclose(after.lower_bound, after.log_likelihood)
        assert asked.right == "The bound rises to the log-likelihood"
        return "closes"
    m = q @ asked.X[:, 0] / q.sum()
    assert asked.right == f"m = {number(m)}" and np.isclose(after.means[0, 0], m)
    return "one mean"


def choosing_k(asked: Asked) -> str:
    """Compute BIC from the mixtures; the held-out log-densities are taken from the run."""
    old, new = (step.held_out for step in (asked.before, asked.after))
    bic = "BIC" in asked.question.text
    if bic:
        old, new = (
            step.n_parameters * np.log(len(asked.X)) - 2 * step.mixture.score_samples(asked.X).sum()
            for step in (asked.before, asked.after)
        )
    assert asked.right == ("it rises" if new > old else "it falls")
    return "BIC" if bic else "held out"


def soft_k_means(asked: Asked) -> str:
    before, after = asked.before, asked.after
    if asked.question.text == "Move: which centre goes farthest?":
        far = np.linalg.norm(after.centers - before.centers, axis=1)
        assert asked.right == f"centre {far.argmax() + 1}"
        return "farthest"
    old, new = (
        (step.responsibilities * cdist(asked.X, step.centers, "sqeuclidean")).sum()
        for step in (before, after)
    )
    assert asked.right == ("it rises" if new > old else "it falls")
    assert after.free_energy <= before.free_energy
    return "inertia"


def words(asked: Asked) -> str:
    """Compute EM by hand."""
    name, T, step = asked.question.text.split("“")[1].split("”")[0], HEADLINES.counts, asked.before
    if asked.question.text.startswith("E:"):
        counts = T[HEADLINES.documents.index(name)]
        chances = step.weights * np.prod(step.words**counts, axis=1)
        assert asked.right == f"topic {chances.argmax() + 1}"
        return "document"
    drawn = step.responsibilities.T @ T
    chances = (drawn / drawn.sum(axis=1, keepdims=True))[:, HEADLINES.words.index(name)]
    assert asked.right == f"topic {chances.argmax() + 1}"
    return "word"


def place_and_class(asked: Asked) -> str:
    """Multiply both factors, by SciPy; count the classes by hand."""
    before, after, text = asked.before, asked.after, asked.question.text
    if text.startswith("E:"):
        i, step = asked.point, before
        column = step.categories.tolist().index(asked.labels[i])
        assert f"“{asked.data.classes[asked.labels[i]]}”" in text
        products = [
            multivariate_normal(mean, S, allow_singular=True).pdf(asked.X[i]) * weight * chance
            for mean, S, weight, chance in zip(
                step.means, step.covariances, step.weights, step.tables[:, column], strict=True
            )
        ]
        assert asked.right == f"component {np.argmax(products) + 1}"
        return "by both"
    q = before.responsibilities
    if "will class" in text:
        own = asked.labels == asked.data.classes.index(text.split("“")[1].split("”")[0])
        assert asked.right == f"component {(q[own].sum(axis=0) / q.sum(axis=0)).argmax() + 1}"
        return "class"
    j = int(text.split()[-2]) - 1
    assert asked.right == vector(q[:, j] @ asked.X / q[:, j].sum()) == vector(after.means[j])
    return "goes"


JUDGES = {
    "mixture": mixture,
    "one parameter": one_parameter,
    "choosing k": choosing_k,
    "soft k-means": soft_k_means,
    "words": words,
    "place and class": place_and_class,
}


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"belongs", "gains", "goes", "closes", "one mean", "BIC", "held out"}
    kinds |= {"farthest", "inertia", "document", "word", "by both", "class"}
    check_judgements("gaussian_mixture", SETTINGS, count, judge, kinds)
