"""Compare the kinds of covariance on these points: their mistakes, and their parameters.

Cost: that of three discriminants.
"""

from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    gaussian_discriminant,
)
from algorithms.core import validate
from algorithms.core.record import last


def n_parameters(covariance: str, d: int, k: int) -> int:
    """Return how many numbers describe k Gaussian classes in d dimensions, their priors aside."""
    validate.choice("covariance", covariance, COVARIANCES)
    each = d if covariance == "diagonal" else d * (d + 1) // 2
    return k * d + (1 if covariance == "shared" else k) * each


def compare_covariances(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held: Bool[ndarray, " n"],
    *,
    ridge: float = 0.0,
    priors: Float[ndarray, " k"] | None = None,
) -> dict[str, tuple[int, int]]:
    """Return how many training points and `held`-out points each kind of covariance gets wrong.

    ridge, priors : see `gaussian_discriminant`.
    """
    how = {"ridge": ridge, "priors": priors}
    runs = {
        kind: gaussian_discriminant(X[~held], y[~held], covariance=kind, **how)
        for kind in COVARIANCES
    }
    return {kind: last(steps).mistakes_on_both(X, y, held) for kind, steps in runs.items()}
