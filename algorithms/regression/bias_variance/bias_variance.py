"""The expected error of a learner, split into bias, variance and noise, one training set at a time.

A truth f is known. Every training set holds n points y_i = f(x_i) + e_i with new noise e_i of mean
0 and variance sigma^2, and h is the fit that a learner makes from it. At a place x, over training
sets and over a new point's noise,

    E (y - h(x))^2  =  (E h(x) - f(x))^2  +  E (h(x) - E h(x))^2  +  sigma^2
    expected error  =  bias^2             +  variance             +  noise

because neither cross term survives: the new noise is independent of h and has mean 0, and h - E h
has mean 0. Expectations over sets are replaced by means over the b sets drawn so far. When a set
joins, the mean fit and the sum of squares about it follow (Welford 1962):

    m <- m + (h - m) / b              S <- S + (h - old m) (h - m)

At every x, for any b, they add up:

    mean of (h - f)^2  =  (m - f)^2  +  S / b

But m varies by chance: on average the first is too large by Var(h) / b, and the second too small by
as much. These are right on average and have the same sum:

    variance  =  S / (b - 1)                         bias^2  =  (m - f)^2 - variance / b

This bias^2 is the mean of the products of the errors of two different sets, (h_s - f) (h_u - f)
over s != u, whose expectation is (E h - f)^2, as the sets are independent. By chance it can
be below 0. The standard errors of its average over x, and of the variance's, are jackknifed
(_standard_errors.py).

All complexities are fitted to the same sets. The averages over x are over `places` equal parts of
the range of the truth. To check the sum, every set's fits are tested on n_test new points, with x
drawn uniformly and y with noise. The difference between test error and sum is a mean over the sets,
so its standard error is the standard deviation of the sets' differences / sqrt(b).

Cost: the fits of all sets (curve_fits.py), in batches, and O(b c places) for the b-th step.

Source: CS337 (003:632), which does not say over what the expectations are; bull's-eye: CIS787
(004:146).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record, frozen
from algorithms.data.truths import Truth
from algorithms.regression.bias_variance._running_moments import Running
from algorithms.regression.bias_variance._standard_errors import Pairs
from algorithms.regression.bias_variance._training_sets import FittedSet, training_sets
from algorithms.regression.bias_variance.curve_fits import Models, Polynomials
from algorithms.regression.bias_variance.sampling import PLACES, Sampling, middles, within

LARGEST = 1e60  # of f: the standard error takes fourth powers
Event = Literal["another complexity is best", "all sets drawn"]


def bias_variance(
    truth: Truth,
    *,
    degrees: Sequence[int],
    n: int,
    noise: float,
    n_sets: int,
    rng: Generator,
    penalty: float = 0.0,
) -> Iterator["BiasVarianceStep"]:
    """Decompose the error of polynomials, with a ridge `penalty` on their weights: `decompose`."""
    models = Polynomials(tuple(degrees), penalty)
    return decompose(truth, models, Sampling(n, noise), n_sets=n_sets, rng=rng)


def decompose(
    truth: Truth,
    models: Models,
    sampling: Sampling,
    *,
    n_sets: int,
    rng: Generator,
    places: int = PLACES,
) -> Iterator["BiasVarianceStep"]:
    """Draw `n_sets` training sets, a step for each, and fit all `models` to it.

    Raises ValueError, at the call, for numbers out of range and for nearest neighbours that need
    more points than a set has.
    """
    n_sets = validate.integer("n_sets", n_sets, 1, 1000)
    places = validate.integer("places", places, 1)
    models.check(sampling.n)
    validate.within(truth(within(truth, middles(places))), name="truth", limit=LARGEST)
    validate.within(np.array([sampling.noise]), name="noise", limit=LARGEST)
    sets = training_sets(truth, models, sampling, n_sets, places, rng)
    return _run(truth, models, sampling, n_sets, places, sets)


def _run(
    truth: Truth,
    models: Models,
    sampling: Sampling,
    n_sets: int,
    places: int,
    sets: Iterator[FittedSet],
) -> Iterator["BiasVarianceStep"]:
    noise = sampling.noise
    x = frozen(within(truth, middles(places)))  # every step shares this, and the next two
    f, complexities = frozen(truth(x)), frozen(models.complexities)
    c, best = len(complexities), -1
    test_error, gap, pairs = Running(c), Running(c), Pairs(n_sets, c, places)
    m, S = np.zeros((c, places)), np.zeros((c, places))
    for b, (train, h, error) in enumerate(sets, start=1):
        m, S = joined(m, S, h, b)
        pairs.add(h - f)
        test_error.add(error)
        gap.add(error - np.square(h - f).mean(axis=1) - noise**2)
        was, best = best, int((np.square(m - f) + S / b).mean(axis=1).argmin())
        event: Event | None = "another complexity is best" if 0 <= was != best else None
        yield BiasVarianceStep(
            sets=b,
            complexities=complexities,
            x=x,
            truth=f,
            train=train,
            predictions=h,
            mean=m,
            variance=S / b,
            noise=noise**2,
            bias_error=pairs.bias_error,
            variance_error=pairs.variance_error,
            tested=b * sampling.n_test,
            test_error=test_error.mean,
            standard_error=np.sqrt(gap.variance / max(b - 1, 1)),
            best=best,
            event="all sets drawn" if b == n_sets else event,
        )


def joined(
    m: Float[ndarray, "c g"], S: Float[ndarray, "c g"], h: Float[ndarray, "c g"], b: int
) -> tuple[Float[ndarray, "c g"], Float[ndarray, "c g"]]:
    """m <- m + (h - m) / b,  S <- S + (h - old m) (h - m). Return both."""
    old = m
    m = old + (h - old) / b
    return m, S + (h - old) * (h - m)


@dataclass(frozen=True, eq=False)
class BiasVarianceStep(Record):
    """What `sets` training sets show; the last one has the points `train`.

    A row per complexity, a column per place `x`: `predictions` of the last set's fits, `mean` and
    `variance`, which divides by b, of all sets' fits. `truth` is f at the places and `noise` is
    sigma^2. One number per complexity: `bias_error` and `variance_error`, the standard errors of
    the averages over x of `corrected_bias_squared` and `corrected_variance` (0 before three sets);
    `test_error`, the mean over the `tested` fresh points of all sets, which by chance differs from
    `expected_error` by about `standard_error` (0 after one set, which cannot show it). `best` is
    the complexity with the least expected error, by its index.

    Events: "another complexity is best" than after the set before; "all sets drawn", at the end.
    """

    is_model = False

    sets: int
    complexities: Float[ndarray, " c"]
    x: Float[ndarray, " g"]
    truth: Float[ndarray, " g"]
    train: Float[ndarray, "n 2"]
    predictions: Float[ndarray, "c g"]
    mean: Float[ndarray, "c g"]
    variance: Float[ndarray, "c g"]
    noise: float
    bias_error: Float[ndarray, " c"]
    variance_error: Float[ndarray, " c"]
    tested: int
    test_error: Float[ndarray, " c"]
    standard_error: Float[ndarray, " c"]
    best: int
    event: Event | None = None

    @property
    def degree(self) -> Float[ndarray, " c"]:
        """Return the complexities, which are degrees in a run of `bias_variance`."""
        return self.complexities

    @property
    def bias_squared(self) -> Float[ndarray, "c g"]:
        """(mean - truth)^2, in which the chance in the mean counts as bias."""
        return np.square(self.mean - self.truth)

    @property
    def wobble(self) -> Float[ndarray, "c g"]:
        """Return the part of (mean - truth)^2 that is chance in the mean of the sets, on average.

        0 after one set, which cannot show it.
        """
        return self.variance / max(self.sets - 1, 1)

    @property
    def corrected_bias_squared(self) -> Float[ndarray, "c g"]:
        """bias^2 without the wobble: right on average, below 0 by chance where there is no bias."""
        return self.bias_squared - self.wobble

    @property
    def corrected_variance(self) -> Float[ndarray, "c g"]:
        """Return the variance, dividing by the number of sets minus 1; 0 after one set."""
        return self.variance + self.wobble

    @property
    def expected_error(self) -> Float[ndarray, " c"]:
        """bias^2 + variance + noise, the average over x: the same with both corrected."""
        return self.bias_squared.mean(axis=1) + self.variance.mean(axis=1) + self.noise
