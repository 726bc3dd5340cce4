"""Where EM for a mixture of Gaussians starts.

"k-means" takes the clusters of one k-means run, and fits a component to each. "random" and given
means take equal weights and, for each component, the covariance of all points (plus the floor).
"""

from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.core import validate


def means_and_labels(
    X: Float[ndarray, "n d"], k: int, init: str | ndarray, rng: Generator
) -> tuple[Float[ndarray, "k d"], Int[ndarray, " n"] | None]:
    """Return the first means, and the clusters that the components are fitted to, if any."""
    if not isinstance(init, str):
        return placed("init", init, (k, X.shape[1])), None
    if validate.choice("init", init, ("k-means", "random")) == "random":
        return X[rng.random(len(X)).argsort()[:k]], None  # hardly changes with one more point
    means, labels, _ = lowest_inertia(X, k, rng=rng, restarts=1)
    return means, labels


def placed(name: str, places: ndarray, shape: tuple[int, int]) -> Float[ndarray, "k d"]:
    """Check that these can be means: an array of shape (k, d)."""
    means = validate.points(places, name=name)
    if means.shape != shape:
        raise ValueError(f"{name} must have shape (k, d) = {shape}, got shape {means.shape}")
    return means
