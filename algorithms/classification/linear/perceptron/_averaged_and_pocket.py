"""The weights that predict: the latest ones, their mean over the visits, or the pocket's."""

from collections.abc import Callable

from algorithms.classification.linear.perceptron.samples import Samples, Weights
from algorithms.classification.linear.perceptron.visit import Visit

Predicting = Callable[[Samples, Visit, int, Weights, float], tuple[Weights, float, int]]
"""A rule that takes the step before, its `fewest` and (w, b), and returns (w, b) to predict with.

It also returns `fewest`, the training errors of the weights in the pocket; 0 without a pocket.
"""


def latest(
    _samples: Samples, _before: Visit, _fewest: int, w: Weights, b: float
) -> tuple[Weights, float, int]:
    """Predict with the weights after the visit."""
    return w, b, 0


def averaged(
    _samples: Samples, before: Visit, _fewest: int, w: Weights, b: float
) -> tuple[Weights, float, int]:
    """Predict with the mean of (w, b) after each visit so far: m <- m + ((w, b) - m) / visits."""
    visits, m = before.visit + 1, before.model_bias
    mean = tuple([m + (v - m) / visits for m, v in zip(before.model_w, w, strict=True)])
    return mean, m + (b - m) / visits, 0


def pocket(
    samples: Samples, before: Visit, fewest: int, w: Weights, b: float
) -> tuple[Weights, float, int]:
    """Predict with the (w, b) that had the fewest training errors so far."""
    if w is not before.w and (errors := samples.errors(w, b)) < fewest:
        return w, b, errors
    return before.model_w, before.model_bias, fewest


VARIANTS: dict[str, Predicting] = {"plain": latest, "averaged": averaged, "pocket": pocket}
