"""Bayes' rule, which every generative classifier uses.

A generative classifier has a prior P(k) = pi_k and a distribution p(x | k) for every class. With
the score of a class

    s_k(x) = ln pi_k + ln p(x | k)                  (any term common to the classes left out)

Bayes' rule is a softmax, P(k | x) = exp s_k(x) / sum_l exp s_l(x), and the class predicted is the
one with the highest score. It has the least risk if all mistakes cost the same.

Source: CS725 10.1 and 10.6 (000:1516, 000:1850).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, one_for_two, probabilities


@dataclass(frozen=True, eq=False)
class Generative(Record, ABC):
    """A model of every class: its prior and, in `scores`, the density of its points."""

    classes: Int[ndarray, " k"]
    counts: Int[ndarray, " k"]
    priors: Float[ndarray, " k"]

    @abstractmethod
    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln p(x | k), without terms that all classes share."""

    @abstractmethod
    def log_factors(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k f"]:
        """Return the logarithms of the f factors that p(x | k) is the product of."""

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores; for two classes (m,) log-odds, positive for the second."""
        return one_for_two(self.scores(X))

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for every row of `X`."""
        return probabilities(self.decision_function(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the most probable class of every row of `X`, the smallest one in a tie."""
        return highest(self.scores(X), self.classes)

    def mistakes(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> int:
        """Return for how many rows of `X` the prediction is not `y`."""
        return int(np.count_nonzero(self.predict(X) != y))

    def mistakes_on_both(
        self, X: Float[ndarray, "n d"], y: Int[ndarray, " n"], held: Bool[ndarray, " n"]
    ) -> tuple[int, int]:
        """Return the mistakes on the points not `held` out, and on those that are."""
        return self.mistakes(X[~held], y[~held]), self.mistakes(X[held], y[held])


def changed_priors(y: Int[ndarray, " n"], times: float) -> Float[ndarray, " k"] | None:
    """Return the shares of the classes if the first one were `times` as frequent; None for 1."""
    counts = np.unique(y, return_counts=True)[1].astype(float)
    if times == 1 or not len(counts):
        return None
    counts[0] *= times
    return counts / counts.sum()
