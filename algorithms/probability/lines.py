"""A cloud of random lines as hypotheses, and how well they vote, averaged over many truths.

    h says + of x:   cos(a) x1 + sin(a) x2 >= c

The angle a is uniform from 0 to 2 pi, and c from -3 to 3. The truth is one of these lines, so the
average errors are what the theorem on Gibbs speaks of.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.probability.all_hypotheses import are_heaviest

REACH = 3.0  # the points are in a square from -REACH to REACH
RADIUS = 1.9  # of the circle, a truth that is no line
_PLACES = 400  # at which the errors are measured


def random_lines(m: int, *, rng: Generator) -> Float[ndarray, "m 2"]:
    """Draw m lines: the angle a of the side that says +, and the distance c from the middle."""
    return np.column_stack([rng.uniform(0, 2 * np.pi, m), rng.uniform(-REACH, REACH, m)])


def says(lines: Float[ndarray, "m 2"], X: Float[ndarray, "n 2"]) -> Bool[ndarray, "n m"]:
    """Return whether each line says + of each place: cos(a) x1 + sin(a) x2 >= c."""
    normals = np.stack([np.cos(lines[:, 0]), np.sin(lines[:, 0])])
    return X @ normals >= lines[:, 1]


def distances(lines: Float[ndarray, "m 2"], X: Float[ndarray, "n 2"]) -> Float[ndarray, "n m"]:
    """Return how far each place is from each line: above 0 where the line says +."""
    normals = np.stack([np.cos(lines[:, 0]), np.sin(lines[:, 0])])
    return X @ normals - lines[:, 1]


def feet(lines: Float[ndarray, "m 2"]) -> Float[ndarray, "m 2"]:
    """Return the place of each line that is nearest to the middle."""
    return lines[:, 1:] * np.column_stack([np.cos(lines[:, 0]), np.sin(lines[:, 0])])


def in_circle(X: Float[ndarray, "n 2"]) -> Bool[ndarray, " n"]:
    """Return which places are in the circle."""
    return np.hypot(X[:, 0], X[:, 1]) <= RADIUS


@dataclass(frozen=True, eq=False)
class AverageErrors(Record):
    """The errors after 0, 1, ..., n points, averaged over truths: the vote, MAP, and Gibbs.

    If several lines tie for the largest weight, the error of MAP is the mean over them.
    """

    vote: Float[ndarray, " counts"]
    most_probable: Float[ndarray, " counts"]
    gibbs: Float[ndarray, " counts"]


def average_errors(
    lines: Float[ndarray, "m 2"], n: int, noise: float, *, rng: Generator, truths: int = 200
) -> AverageErrors:
    """Draw a truth from the lines and n labelled points, again and again, and average the errors.

    Gibbs' error is the average over all its draws.
    """
    places = rng.uniform(-REACH, REACH, (_PLACES, 2))
    answers = says(lines, places)
    as_numbers = answers.T.astype(np.float32)  # (m, places)
    total = np.zeros((3, n + 1))
    for truth in rng.integers(len(lines), size=truths):
        spend(float(as_numbers.size * (n + 1)))
        weights = _weights(lines, int(truth), n, noise, rng)
        right = answers[:, truth]
        wrong = (answers != right[:, None]).mean(axis=0)  # of each line
        vote = weights.astype(np.float32) @ as_numbers > 0.5
        total[0] += (vote != right).mean(axis=1)
        heaviest = are_heaviest(weights)
        total[1] += heaviest @ wrong / heaviest.sum(axis=1)
        total[2] += weights @ wrong
    return AverageErrors(*(total / truths))


def _weights(
    lines: Float[ndarray, "m 2"], truth: int, n: int, noise: float, rng: Generator
) -> Float[ndarray, "counts m"]:
    """Return the weights of all lines after 0, 1, ..., n new points."""
    answers = says(lines, rng.uniform(-REACH, REACH, (n, 2)))
    labels = answers[:, truth] ^ (rng.random(n) < noise)
    wrong: Int[ndarray, "counts m"] = np.zeros((n + 1, len(lines)), int)
    wrong[1:] = np.cumsum(answers != labels[:, None], axis=0)
    weights = (noise / (1 - noise)) ** (wrong - wrong.min(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
