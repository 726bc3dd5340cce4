"""What is known of a run of a perceptron as a whole: a separator or none, updates, errors, loss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron_bound import (
    Overlap,
    Proof,
    Separator,
    proof,
    separate,
)
from algorithms.classification.linear.perceptron_multiclass import PerceptronMulticlassStep
from algorithms.core.features import PolynomialFeatures
from viz.core.scene import Plane

MOST = 1000  # visits, or mistakes, of a curve


class History(NamedTuple):
    """Training errors and loss at some visits: of more than 1,000, one in a `stride`."""

    visits: ndarray
    errors: ndarray
    losses: ndarray

    @property
    def stride(self) -> int:
        """How many visits there are for each that is kept."""
        return int(self.visits[1] - self.visits[0]) if len(self.visits) > 2 else 1


@dataclass(frozen=True, eq=False)
class Account:
    """What is known of a run as a whole, wherever the picked point is.

    known : a separator, or the proof that there is none. proof : of the bound on the mistakes, if
    there is one; where there is not, `history` is kept. updates : the steps that moved the weights,
    after the first. path : (m, d) the weights at these.
    """

    known: Separator | Overlap
    proof: Proof | None
    history: History | None
    updates: ndarray
    path: ndarray


def account(
    steps: Sequence[PerceptronStep],
    data: Plane,
    features: PolynomialFeatures,
    rate: float,
    *,
    delta: bool,
    otherwise: bool = False,
) -> Account:
    """Find what holds for the whole run, which was made with this learning rate.

    otherwise : an update was skipped or forced, so that the bound on the mistakes does not hold.
    """
    F = features(data.X)
    known = separate(F, data.labels)
    updates = np.array([i for i, step in enumerate(steps) if step.amount or i == 0])
    path = np.array([steps[i].w for i in updates.tolist()])
    if isinstance(known, Separator) and not (delta or otherwise):
        bounds = proof(steps, known, learning_rate=rate)
        return Account(known, bounds, None, updates, path)
    kept = history(len(steps), measured(steps, data, features, delta=delta))
    return Account(known, None, kept, updates, path)


def history(total: int, measure: Callable[[int], tuple[int, float]]) -> History:
    """Measure errors and loss at every visit, or at one in a stride and at the last."""
    last = total - 1
    stride = max(1, -(-last // (MOST - 1)))
    visits = np.append(np.arange(0, last, stride), last)
    errors, losses = zip(*map(measure, visits.tolist()), strict=True)
    return History(visits, np.array(errors), np.array(losses))


def measured(
    steps: Sequence[PerceptronStep], data: Plane, features: PolynomialFeatures, *, delta: bool
) -> Callable[[int], tuple[int, float]]:
    """Give what counts the errors of a step, and its loss, on the points as they are then."""
    measure, F = squared_errors if delta else mistaken, data.by_step(features)
    return lambda now: measure(steps[now], F=F(now), y=data.labels)


def mistaken(
    step: PerceptronStep | PerceptronMulticlassStep, *, F: ndarray, y: ndarray
) -> tuple[int, float]:
    """Count the points that a perceptron gets wrong, and give its loss over all of them."""
    return step.errors(F, y), step.perceptron_loss(F, y)


def squared_errors(step: PerceptronStep, *, F: ndarray, y: ndarray) -> tuple[int, float]:
    """Count the points that the delta rule gets wrong, and give its loss over all of them."""
    return step.errors(F, y), step.squared_error(F, y)
