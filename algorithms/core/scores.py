"""From scores to classes and probabilities, for every classifier that gives scores.

A classifier gives every class k a score s_k(x). The class predicted is the one with the highest
score, the smaller one in a tie. Where the scores are log-odds, up to a term common to the classes,

    P(k | x) = exp s_k(x) / sum_l exp s_l(x)                                        (softmax)

With two classes, the difference s = s_2 - s_1 is enough: the second class where s > 0, and
P(2 | x) = 1 / (1 + exp(-s)), the sigmoid. So the scores of two classes are (m,), of more (m, K),
as in scikit-learn.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.special import expit

Scores = Float[ndarray, " m"] | Float[ndarray, "m k"]


def one_for_two(scores: Float[ndarray, "m k"]) -> Scores:
    """Return the scores; with two classes, the second's minus the first's."""
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def highest(scores: Scores, classes: Int[ndarray, " k"]) -> Int[ndarray, " m"]:
    """Return the class with the highest score in every row, the smaller one in a tie."""
    return classes[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]


def probabilities(scores: Scores) -> Float[ndarray, "m k"]:
    """Return the probability of every class, from log-odds."""
    if scores.ndim == 1:
        return np.stack([expit(-scores), expit(scores)], axis=1)
    return softmax(scores.T)[0].T


def softmax(
    scores: Float[ndarray, "k m"],
) -> tuple[Float[ndarray, "k m"], Float[ndarray, " m"], Float[ndarray, " m"]]:
    """Return the probabilities, the top scores, and the sums of exp(scores - top)."""
    top = scores.max(axis=0)
    probabilities = np.exp(scores - top)
    total = probabilities.sum(axis=0)
    probabilities /= total
    return probabilities, top, total
