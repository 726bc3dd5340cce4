"""McNemar's test: two classifiers on one held-out set, point after point.

Both are fitted to the points that are not held out, and judged on the held-out points. Points that
both get right, or both wrong, do not show which is better. The others do: the first alone gets b
points wrong, the second alone gets c wrong. If both were equally good, each of these b + c points
would be like the toss of a coin:

    exact         p = min(1, 2 P(at most min(b, c) heads of b + c tosses))
    chi-square    max(|b - c| - 1, 0)² / (b + c)  against chi-square with 1 degree of freedom

The exact test declares two equally good classifiers different no more often than it promises. It is
meant for the last step: testing after every point, and stopping at the first "different", declares
a difference too often.

A test that says nothing does not show that there is nothing. Its power, the probability that it
finds a true difference, can be computed beforehand (`power`).

Cost: two fits in all.

Source: 002:1200 (difference in error of two hypotheses); McNemar 1947; Dietterich 1998.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import bdtr, bdtrik, chdtrc

from algorithms.classification.classifiers import Classifier
from algorithms.core import splits, validate
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record, frozen
from algorithms.evaluation.paired_comparison import LEVEL, fitted, pair_of

Event = Literal["only the first is wrong", "only the second is wrong", "all points judged"]


@dataclass(frozen=True, eq=False)
class McNemarStep(Record):
    """One more held-out point judged, with the index `point`; -1 before the first.

    The rows of `wrong` show which of the points judged so far the first and the second classifier
    get wrong.

    Events: "only the first is wrong", "only the second is wrong"; at the end "all points judged".
    """

    is_model = False

    classes: Int[ndarray, " k"]
    models: tuple[Mapped, Mapped]
    held_out: Bool[ndarray, " n"]
    judged: Bool[ndarray, " n"]
    wrong: Bool[ndarray, "2 n"]
    point: int
    event: Event | None = None

    @property
    def only_first(self) -> int:
        """Return b, the number of points that only the first gets wrong."""
        return int((self.wrong[0] & ~self.wrong[1]).sum())

    @property
    def only_second(self) -> int:
        """Return c, the number of points that only the second gets wrong."""
        return int((self.wrong[1] & ~self.wrong[0]).sum())

    @property
    def p(self) -> float:
        """Return the p-value of the exact test."""
        return exact_p(self.only_first, self.only_second)

    @property
    def chi_square(self) -> float:
        """Return the statistic, corrected because counts are whole; 0 if they never disagree."""
        b, c = self.only_first, self.only_second
        return max(abs(b - c) - 1, 0) ** 2 / (b + c) if b + c else 0.0

    @property
    def chi_square_p(self) -> float:
        """Return the p-value of the chi-square test."""
        return float(chdtrc(1, self.chi_square))


def exact_p(b: int, c: int) -> float:
    """Return the probability that b + c tosses of a coin are at least as uneven as b against c."""
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5))) if b + c else 1.0


def fewest(most: int) -> Int[ndarray, " m"]:
    """Return the largest min(b, c) at which the exact test rejects, for b + c from 0 to `most`.

    It is -1 where the test never rejects.
    """
    tosses = np.arange(most + 1)
    found = np.nan_to_num(np.floor(bdtrik(LEVEL / 2, tosses, 0.5)))
    return np.where(2 * bdtr(found, tosses, 0.5) < LEVEL, found, found - 1).astype(int)


def least_leads(most: int) -> Float[ndarray, " m"]:
    """Return the smallest |b - c| at which the exact test rejects, for b + c from 0 to `most`.

    It is NaN where no lead is enough.
    """
    fewer = fewest(most)
    return np.where(fewer < 0, np.nan, np.arange(most + 1) - 2.0 * fewer)


def power(n: int, differ: float, apart: Float[ndarray, " a"]) -> Float[ndarray, " a"]:
    """Return the power: how often the exact test on n held-out points says "different".

    Exactly one classifier is wrong on the share `differ` of all points, and their true error rates
    are `apart`, at most `differ`. So b + c is binomial with n and `differ`, and b is binomial with
    b + c and the share h:

        h = (1 + apart / differ) / 2        power = sum_m P(b + c = m) P(min(b, c) <= k_m)

    where k_m is that of `fewest`. If they never disagree, it is 0.
    """
    if differ == 0:
        return np.zeros(len(apart))
    m, k = np.arange(n + 1), fewest(n)
    weight = np.diff(bdtr(m, n, differ), prepend=0.0)
    likely = (weight > 1e-15) & (k >= 0)
    m, k, h = m[likely], k[likely], (1 + apart[:, None] / differ) / 2
    return (bdtr(k, m, h) + bdtr(k, m, 1 - h)) @ weight[likely]


def mcnemar(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    first: str = "LDA",
    second: str = "k-NN",
    test_share: float = 0.5,
) -> Iterator[McNemarStep]:
    """Judge both classifiers on one held-out point in each step; their names are in `BY_NAME`.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    and test_share is above 0 and below 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    pair = pair_of(first, second)
    if not 0 < validate.number("test_share", test_share) < 1:
        raise ValueError(f"test_share must be between 0 and 1, got test_share={test_share!r}")
    out = splits.held_out(len(X), test_share, rng=rng, codes=codes)
    return _judge(X, classes, codes, frozen(out), pair, rng)


def _judge(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    out: Bool[ndarray, " n"],
    pair: tuple[Classifier, Classifier],
    rng: Generator,
) -> Iterator[McNemarStep]:
    y = classes[codes]
    models = fitted(X[~out], y[~out], pair, rng)
    wrong = np.array([model.predict(X) != y for model in models]) & out
    judged, places = np.zeros(len(out), bool), np.flatnonzero(out).tolist()
    yield McNemarStep(classes, models, out, judged, wrong & judged, -1)
    for i in places:
        judged[i] = True
        event: Event | None = None
        if wrong[0, i] != wrong[1, i]:
            event = "only the first is wrong" if wrong[0, i] else "only the second is wrong"
        if i == places[-1]:
            event = "all points judged"
        yield McNemarStep(classes, models, out, judged, wrong & judged, i, event)
