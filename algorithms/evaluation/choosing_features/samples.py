"""Samples of five columns and a number to predict, on which the two directions differ."""

from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

Sample = tuple[Float[ndarray, "n d"], Float[ndarray, " n"]]

LETTERS = ("a", "b", "c", "d", "e")


def two_of_five(n: int, noise: float, *, rng: Generator) -> Sample:
    """Return y = 2a - b + noise; c, d and e are noise."""
    X = rng.normal(size=(n, 5))
    return X, 2 * X[:, 0] - X[:, 1] + noise * rng.normal(size=n)


def proxy(n: int, noise: float, *, rng: Generator) -> Sample:
    """Return y = a + b + noise; c is nearly a + b, and d and e are noise."""
    X = rng.normal(size=(n, 5))
    X[:, 2] = X[:, 0] + X[:, 1] + 0.6 * X[:, 2]
    return X, X[:, 0] + X[:, 1] + noise * rng.normal(size=n)


def together(n: int, noise: float, *, rng: Generator) -> Sample:
    """Return y = 6(a - b) + noise, where a and b are nearly equal: each alone says nothing."""
    X = rng.normal(size=(n, 5))
    common, difference = X[:, 0].copy(), X[:, 1].copy()
    X[:, 0], X[:, 1] = common + difference / 12, common - difference / 12
    return X, 6 * (X[:, 0] - X[:, 1]) + noise * rng.normal(size=n)


SAMPLES = {"two of five": two_of_five, "a proxy": proxy, "only together": together}
MADE_OF = {
    "two of five": ("y = 2a − b + noise", "c, d and e are noise"),
    "a proxy": ("y = a + b + noise", "c is nearly a + b"),
    "only together": ("y = 6(a − b) + noise", "a is nearly b"),
}
