"""The summary of a run: a separator or none, the bound, updates, errors and loss.

Cost: that of `separate`; O(n d) for each of at most 1,000 visits at which errors are counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.linear.perceptron.delta_rule import DeltaRuleStep
from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron.perceptron_bound import (
    Overlap,
    Proof,
    Separator,
    proof,
    separate,
)
from algorithms.classification.linear.perceptron.perceptron_multiclass import (
    PerceptronMulticlassStep,
)
from algorithms.core.features import PolynomialFeatures, with_ones

MOST = 1000  # visits, or mistakes, of a curve

Step = PerceptronStep | DeltaRuleStep | PerceptronMulticlassStep
Moved = tuple[int, Float[ndarray, "n d"]]
"""The step from which moved points are at their new places, and all places before it."""


@dataclass(frozen=True, eq=False)
class History:
    """Training errors and loss at every visit, or at one visit in a `stride` if there are many."""

    visits: Int[ndarray, " m"]
    errors: Int[ndarray, " m"]
    losses: Float[ndarray, " m"]

    @property
    def stride(self) -> int:
        """Return how many visits there are for each one that is kept."""
        return int(self.visits[1] - self.visits[0]) if len(self.visits) > 2 else 1


@dataclass(frozen=True, eq=False)
class Summary:
    """The summary of a run on two classes.

    known : a separator, or the proof that there is none. proof : of the bound on the mistakes, if
    there is one; without it, `history` is kept. updates : the steps that moved the weights, after
    the first. path : the weights at these. mistake : the mean length of the samples that were
    mistakes, and their mean distance from the separator, if there is a proof and a mistake.
    """

    known: Separator | Overlap
    proof: Proof | None
    history: History | None
    updates: Int[ndarray, " m"]
    path: Float[ndarray, "m d"]
    mistake: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class MulticlassSummary:
    """The summary of a run on several classes: errors and loss, and the range of the weights."""

    history: History
    low: Float[ndarray, " d"]
    high: Float[ndarray, " d"]


def summary(
    steps: Sequence[PerceptronStep] | Sequence[DeltaRuleStep],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    features: PolynomialFeatures,
    learning_rate: float,
    moved: Moved | None = None,
) -> Summary:
    """Return the summary of a run on the features of `X` with this learning rate.

    The bound on the mistakes holds only for the unchanged perceptron: not for the delta rule, nor
    after an update was skipped or forced, or points were moved.
    """
    F = features(X)
    known = separate(F, y)
    updates = np.array([i for i, step in enumerate(steps) if step.amount or i == 0])
    path = np.array([steps[i].w for i in updates.tolist()])
    ruled = [step for step in steps if isinstance(step, PerceptronStep)]
    changed = moved or any(step.event in ("skipped", "forced") for step in ruled)
    if isinstance(known, Overlap) or changed or not ruled:
        measure = measured(steps, X, y, features, moved)
        return Summary(known, None, history(len(steps), measure), updates, path)
    bounds = proof(ruled, known, learning_rate=learning_rate)
    mistake = _average_mistake(ruled, F, known)
    return Summary(known, bounds, None, updates, path, mistake)


def _average_mistake(
    steps: Sequence[PerceptronStep], F: Float[ndarray, "n p"], separator: Separator
) -> tuple[float, float] | None:
    wrong = [step.index for step in steps if step.mistake]
    if not wrong:
        return None
    A = with_ones(F)[wrong]
    apart = np.abs(A @ np.append(separator.weights, separator.bias))
    return float(np.sqrt((A * A).sum(axis=1)).mean()), float(apart.mean())


def multiclass_summary(
    steps: Sequence[PerceptronMulticlassStep],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    features: PolynomialFeatures,
) -> MulticlassSummary:
    """Return the summary of a run on the features of `X` with several classes."""
    rows = np.concatenate([step.weights for step in steps if step.mistake or step.index < 0])
    kept = history(len(steps), measured(steps, X, y, features))
    return MulticlassSummary(kept, rows.min(axis=0), rows.max(axis=0))


def measured(
    steps: Sequence[Step],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    features: PolynomialFeatures,
    moved: Moved | None = None,
) -> Callable[[int], tuple[int, float]]:
    """Return a function that gives a step's errors and loss, on the points at that step."""
    F = features(X)
    since, before = (moved[0], features(moved[1])) if moved else (0, F)

    def measure(now: int) -> tuple[int, float]:
        step, there = steps[now], F if now >= since else before
        loss = step.squared_error if isinstance(step, DeltaRuleStep) else step.perceptron_loss
        return step.errors(there, y), loss(there, y)

    return measure


def history(total: int, measure: Callable[[int], tuple[int, float]]) -> History:
    """Return errors and loss at every visit, or at one in a stride and at the last."""
    last = total - 1
    stride = max(1, -(-last // (MOST - 1)))
    visits = np.append(np.arange(0, last, stride), last)
    errors, losses = zip(*map(measure, visits.tolist()), strict=True)
    return History(visits, np.array(errors), np.array(losses))
