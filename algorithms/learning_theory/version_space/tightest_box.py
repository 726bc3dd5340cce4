"""Probably approximately correct: the error of the tightest box around m samples.

The truth is a box C. From m independent samples the learner takes S, the smallest box that holds
the positive ones. S is within C, so its error is the probability of the frame between both:

    error = P(C) - P(S)

The frame is four strips, at the left, right, bottom and top. Suppose C has a strip of probability
eps/4 along every side. If each of them holds a sample, the error is at most eps. A sample misses
one strip with probability 1 - eps/4, so

    P(error > eps) <= 4 (1 - eps/4)^m <= 4 exp(-eps m / 4)

for every distribution of the samples and every box C. This is at most delta if

    m >= (4 / eps) ln(4 / delta)

Both axes are independent here, with the same distribution F on each, so P(box) is a product.

Cost: O(m) per repetition.

Source: 20APC3316 2.2 (PAC learning); Valiant 1984; Blumer et al. 1989.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, log
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.special import betainc, betaincinv, ndtr, ndtri

from algorithms.core import validate
from algorithms.core.record import Record

HALF = 3.0  # of the square's side
_WIDE = 1.2  # standard deviation of samples around the middle
_SKEWED = (1.2, 3.5)  # of the beta distribution near a corner

Event = Literal["error above ε", "finished"]


class Distribution(NamedTuple):
    """The distribution of one coordinate: the probability below x, and its inverse."""

    below: Callable[[ndarray], ndarray]
    inverse: Callable[[ndarray], ndarray]


def _uniform(x: ndarray) -> ndarray:
    return np.clip((np.asarray(x) + HALF) / (2 * HALF), 0, 1)


def _uniform_inverse(p: ndarray) -> ndarray:
    return 2 * HALF * np.asarray(p) - HALF


def _middle(x: ndarray) -> ndarray:
    return ndtr(np.asarray(x) / _WIDE)


def _middle_inverse(p: ndarray) -> ndarray:
    return _WIDE * ndtri(p)


def _corner(x: ndarray) -> ndarray:
    return betainc(*_SKEWED, _uniform(x))


def _corner_inverse(p: ndarray) -> ndarray:
    return _uniform_inverse(betaincinv(*_SKEWED, p))


DISTRIBUTIONS = {
    "uniform": Distribution(_uniform, _uniform_inverse),
    "around the middle": Distribution(_middle, _middle_inverse),
    "near a corner": Distribution(_corner, _corner_inverse),
}


@dataclass(frozen=True, eq=False)
class TightestBoxStep(Record):
    """One repetition: m samples, the tightest box (2, 2) around the positive ones, and its error.

    `box` is None if no sample is positive. `strips` are the probabilities of the frame's strips:
    left, right, bottom, top; they overlap in the corners. `errors` are those of all repetitions so
    far.

    Events: "error above ε"; "finished" at the last repetition.
    """

    is_model = False

    X: Float[ndarray, "m 2"]
    box: Float[ndarray, "2 2"] | None
    strips: Float[ndarray, " 4"]
    errors: Float[ndarray, " repetitions"]
    event: Event | None = None

    @property
    def error(self) -> float:
        """Return the error of this repetition."""
        return float(self.errors[-1])


def tightest_boxes(
    truth: Float[ndarray, "2 2"],
    m: int,
    *,
    rng: Generator,
    eps: float = 0.1,
    distribution: str = "uniform",
    repetitions: int = 100,
) -> Iterator[TightestBoxStep]:
    """Draw m samples and fit the tightest box, again in each step.

    truth : the box C, low and high of each axis. distribution : a name in `DISTRIBUTIONS`.

    Raises ValueError, at the call, unless low < high on both axes, m is from 1 to 2,000, eps above
    0, repetitions from 1 to 500, and the distribution is known.
    """
    truth = checked_box(truth)
    m = validate.integer("m", m, 1, 2_000)
    eps = validate.number("eps", eps, positive=True)
    name = validate.choice("distribution", distribution, tuple(DISTRIBUTIONS))
    repetitions = validate.integer("repetitions", repetitions, 1, 500)
    return _repeat(truth, m, eps, DISTRIBUTIONS[name], repetitions, rng)


def _repeat(
    truth: Float[ndarray, "2 2"],
    m: int,
    eps: float,
    drawn_by: Distribution,
    repetitions: int,
    rng: Generator,
) -> Iterator[TightestBoxStep]:
    errors = np.empty(repetitions)
    for i in range(repetitions):
        X = drawn_by.inverse(rng.random((m, 2)))
        box = tightest(X, truth)
        errors[i] = probability(truth, drawn_by) - probability(box, drawn_by)
        event: Event | None = "error above ε" if errors[i] > eps else None
        event = "finished" if i == repetitions - 1 else event
        yield TightestBoxStep(X, box, strips(truth, box, drawn_by), errors[: i + 1], event)


def checked_box(truth: Float[ndarray, "2 2"]) -> Float[ndarray, "2 2"]:
    """Return a box whose low sides are below its high sides."""
    truth = validate.points(truth, name="truth")
    if truth.shape != (2, 2) or not (truth[:, 0] < truth[:, 1]).all():
        raise ValueError(f"truth must have low < high on two axes, got {truth.tolist()}")
    return truth


def tightest(X: Float[ndarray, "m 2"], truth: Float[ndarray, "2 2"]) -> ndarray | None:
    """Return the smallest box around the samples in C, or None if there is none."""
    positive = X[((truth[:, 0] <= X) & (truth[:, 1] >= X)).all(axis=1)]
    if len(positive) == 0:
        return None
    return np.column_stack([positive.min(axis=0), positive.max(axis=0)])


def probability(box: ndarray | None, drawn_by: Distribution) -> float:
    """Return the probability of a box, 0 of None."""
    return 0.0 if box is None else float(np.prod(np.diff(drawn_by.below(box), axis=1)))


def strips(
    truth: Float[ndarray, "2 2"], box: ndarray | None, drawn_by: Distribution
) -> Float[ndarray, " 4"]:
    """Return the probability of each strip of the frame; without a box each is all of C."""
    found = []
    for axis in range(2):
        for side in range(2):
            strip = truth.copy()
            if box is not None:
                strip[axis, 1 - side] = box[axis, side]
            found.append(probability(strip, drawn_by))
    return np.array(found)


def bound(eps: float, m: int) -> float:
    """Return 4 (1 - eps/4)^m, which P(error > eps) never exceeds; it may be above 1."""
    return 4 * (1 - eps / 4) ** m


def samples_needed(eps: float, delta: float) -> int:
    """Return the smallest m with m >= (4 / eps) ln(4 / delta)."""
    return ceil(4 / eps * log(4 / delta))


@dataclass(frozen=True, eq=False)
class ShareAbove(Record):
    """For every number of samples in `sizes`, the share of repetitions with an error above eps."""

    sizes: Float[ndarray, " k"]
    shares: Float[ndarray, " k"]


def share_above(
    truth: Float[ndarray, "2 2"],
    sizes: Float[ndarray, " k"],
    *,
    rng: Generator,
    eps: float,
    distribution: str,
    repetitions: int = 400,
) -> ShareAbove:
    """Measure P(error > eps) for several numbers of samples, each the first of the same draws."""
    drawn_by, most = DISTRIBUTIONS[distribution], int(max(sizes))
    X = drawn_by.inverse(rng.random((repetitions, most, 2)))
    inside = np.all((truth[:, 0] <= X) & (truth[:, 1] >= X), axis=2, keepdims=True)
    low = np.minimum.accumulate(np.where(inside, X, np.inf), axis=1)
    high = np.maximum.accumulate(np.where(inside, X, -np.inf), axis=1)
    rows = np.asarray(sizes, int) - 1
    sides = drawn_by.below(high[:, rows].clip(-1e9)) - drawn_by.below(low[:, rows].clip(max=1e9))
    errors = probability(truth, drawn_by) - np.prod(sides.clip(0), axis=2)
    return ShareAbove(np.asarray(sizes, float), (errors > eps).mean(axis=0))
