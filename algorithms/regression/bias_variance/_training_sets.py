"""Training sets drawn from a truth, fitted by all models and tested on new points, in batches."""

from collections.abc import Iterator

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.data.truths import Truth
from algorithms.regression.bias_variance.curve_fits import Models
from algorithms.regression.bias_variance.sampling import Sampling, middles, within

BATCH = 300_000  # numbers in a batch's designs and predictions: they stay in the cache
FittedSet = tuple[ndarray, ndarray, ndarray]  # its points, predictions at the places, test errors


def training_sets(
    truth: Truth, models: Models, sampling: Sampling, n_sets: int, places: int, rng: Generator
) -> Iterator[FittedSet]:
    """Draw the sets; the parameters are those of `decompose`."""
    # A stream for each, so that more sets leave the first ones as they are, and more noise their x.
    draw_t, draw_noise, draw_new_t, draw_new_noise = rng.spawn(4)
    grid, n, n_test, noise = middles(places), sampling.n, sampling.n_test, sampling.noise
    for batch in batches(n_sets, len(models.complexities) * (n + places + n_test)):
        size = batch.stop - batch.start
        t = np.tile(middles(n), (size, 1))
        if sampling.design == "random":
            t = draw_t.uniform(-1, 1, size=(size, n))
        x = within(truth, t)
        y = truth(x) + noise * draw_noise.normal(size=(size, n))
        new_t = draw_new_t.uniform(-1, 1, size=(size, n_test))
        new_y = truth(within(truth, new_t)) + noise * draw_new_noise.normal(size=(size, n_test))
        fits = models(t, y, np.concatenate([np.tile(grid, (size, 1)), new_t], axis=1))
        error = np.square(new_y[:, None] - fits[:, :, places:]).mean(axis=2)
        yield from zip(np.stack([x, y], axis=2), fits[:, :, :places], error, strict=True)


def batches(n_sets: int, width: int) -> Iterator[slice]:
    """Yield slices of the sets, about `BATCH` numbers each; a set has `width` numbers."""
    size = max(1, BATCH // width)
    return (slice(start, min(start + size, n_sets)) for start in range(0, n_sets, size))
