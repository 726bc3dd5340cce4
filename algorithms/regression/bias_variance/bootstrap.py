"""The bootstrap: the variance of a fit and its error, estimated from the points alone.

There is one training set of n points and no known truth. A resample draws n of its points with
replacement. A point is missed by all n draws with probability (1 - 1/n)^n, about 1/e = 0.368: it is
out of the bag, and a fit to the resample can be tested on it. Over b resamples

    m <- m + (h - m) / b                       variance(x) = mean of (h(x) - m(x))^2

estimates the variance that new training sets would show. The bias stays unknown, because the truth
is unknown. With m_i and v_i the mean and variance, at point i, of the fits that left it out,

    mean of (y_i - h(x_i))^2  =  (y_i - m_i)^2         +  v_i         exactly, at every point
    error of a single fit     =  error of the mean fit +  variance

and the averages over the points left out at least once are the out-of-bag errors. The error of the
mean fit contains bias^2 and noise, and nothing in the data separates them. Both errors are a little
too high, because a resample holds only about 63.2 % of the points.

Cost: the fits of all resamples (curve_fits.py), in batches, and O(c (places + n)) for each step.

Source: CS337 (003:1990, 003:2010, bagging and out-of-bag samples); Efron 1979.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record, frozen
from algorithms.regression.bias_variance._running_moments import Running
from algorithms.regression.bias_variance._training_sets import batches
from algorithms.regression.bias_variance.curve_fits import Models
from algorithms.regression.bias_variance.sampling import PLACES, middles

Event = Literal["another complexity is best", "all resamples drawn"]


def bootstrap(
    x: Float[ndarray, " n"],
    y: Float[ndarray, " n"],
    models: Models,
    *,
    n_sets: int,
    rng: Generator,
    places: int = PLACES,
) -> Iterator["BootstrapStep"]:
    """Draw `n_sets` resamples of the points, a step for each, and fit all `models` to it.

    Raises ValueError, at the call, unless x and y hold n >= 2 finite numbers, for numbers out of
    range, and for nearest neighbours that need more than n points.
    """
    x = validate.points(np.reshape(x, (-1, 1)), name="x")[:, 0]
    y = validate.targets(y, len(x))
    if len(x) < 2:
        raise ValueError(f"x must hold at least 2 points to leave one out, got {len(x)}")
    n_sets = validate.integer("n_sets", n_sets, 1, 1000)
    places = validate.integer("places", places, 1)
    models.check(len(x))
    return _run(x, y, models, n_sets, rng, places)


def _run(
    x: Float[ndarray, " n"],
    y: Float[ndarray, " n"],
    models: Models,
    n_sets: int,
    rng: Generator,
    places: int,
) -> Iterator["BootstrapStep"]:
    c, n = len(models.complexities), len(x)
    middle, half = x.min() / 2 + x.max() / 2, x.max() / 2 - x.min() / 2
    t = (x - middle) / half if half > 0 else np.zeros(n)
    grid = middles(places)
    shown, complexities = frozen(middle + half * grid), frozen(models.complexities)  # to be shared
    full = frozen(models(t[None], y[None], grid[None])[0])
    fits, left_out = Running(c, places), Running(c, n)
    best = -1
    resamples = _resamples(t, y, grid, models, n_sets, rng)
    for sets, (counts, h) in enumerate(resamples, start=1):
        fits.add(h[:, :places])
        left_out.add(h[:, places:], counts == 0)
        judged = left_out.count > 0
        total = max(int(judged.sum()), 1)
        mean_error = (np.square(y - left_out.mean) * judged).sum(axis=1) / total
        test_variance = (left_out.variance * judged).sum(axis=1) / total
        was, best = best, int((mean_error + test_variance).argmin())
        event: Event | None = "another complexity is best" if 0 <= was != best else None
        yield BootstrapStep(
            sets=sets,
            complexities=complexities,
            x=shown,
            full=full,
            counts=counts,
            predictions=h[:, :places],
            mean=fits.mean,
            variance=fits.variance,
            judged=int(judged.sum()),
            test_error=mean_error + test_variance,
            mean_error=mean_error,
            test_variance=test_variance,
            best=best,
            event="all resamples drawn" if sets == n_sets else event,
        )


def _resamples(
    t: Float[ndarray, " n"],
    y: Float[ndarray, " n"],
    grid: Float[ndarray, " g"],
    models: Models,
    n_sets: int,
    rng: Generator,
) -> Iterator[tuple[Int[ndarray, " n"], Float[ndarray, "c m"]]]:
    """Yield how often every resample holds each point, and its fits at grid and points."""
    n, asked = len(t), np.concatenate([grid, t])
    for batch in batches(n_sets, len(models.complexities) * (n + len(asked))):
        drawn = rng.integers(n, size=(batch.stop - batch.start, n))
        fits = models(t[drawn], y[drawn], np.tile(asked, (len(drawn), 1)))
        for chosen, h in zip(drawn, fits, strict=True):
            yield np.bincount(chosen, minlength=n), h


@dataclass(frozen=True, eq=False)
class BootstrapStep(Record):
    """What `sets` resamples show; the last one holds point i `counts[i]` times.

    A row per complexity, a column per place `x`: `full`, the fits to all the points, `predictions`
    of the last resample's fits, `mean` and `variance` of all of them. One number per complexity,
    averages over the `judged` points that were out of a bag so far (0 if there are none):
    `test_error` of a single fit, which is `mean_error` of the mean fit + `test_variance`. `best` is
    the index of the complexity with the least test error.

    Events: "another complexity is best" than after the resample before; "all resamples drawn", at
    the end.
    """

    is_model = False

    sets: int
    complexities: Float[ndarray, " c"]
    x: Float[ndarray, " g"]
    full: Float[ndarray, "c g"]
    counts: Int[ndarray, " n"]
    predictions: Float[ndarray, "c g"]
    mean: Float[ndarray, "c g"]
    variance: Float[ndarray, "c g"]
    judged: int
    test_error: Float[ndarray, " c"]
    mean_error: Float[ndarray, " c"]
    test_variance: Float[ndarray, " c"]
    best: int
    event: Event | None = None
