"""The scores that a classifier gives to points it did not learn from.

The points that are not held out are standardised, u = (x - mean) / standard deviation of those
points, and a classifier is fitted to them, for "positive" against the rest. It decides by its score
s(x): the log-odds of positive against the rest (logistic regression, LDA, QDA, naive Bayes), the
value of f (SVM), or the share of positives among the k nearest points (k-NN).

The scores may be sent through a map g that keeps their order, such as s³, or their ranks from 1 to
m (equal scores share the mean of their ranks). s(x) >= t and g(s(x)) >= g(t) hold for the same
points.

Cost: that of the classifier.

Source: CS725 18 and 19 for the classifiers; Fawcett 2006.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.core import splits, validate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record
from algorithms.evaluation.roc_curve import RocStep, roc_curve

BY_NAME = {classifier.name: classifier for classifier in CLASSIFIERS}
SCORERS = ("Logistic", "LDA", "QDA", "Naive Bayes", "k-NN", "RBF SVM")  # those with a score


def _ranks(scores: ndarray) -> ndarray:
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


MAPS: dict[str, Callable[[ndarray], ndarray]] = {
    "as they are": np.array,
    "cubed": lambda scores: scores**3,
    "ranks": _ranks,
}


@dataclass(frozen=True, eq=False)
class Judged(Record):
    """A classifier, and the points held out from it.

    `positive` is 1 for the held-out points of the positive class, and 0 for the others. `raw` are
    their scores as the classifier gives them, `scores` those after the map.
    """

    model: Mapped
    held_out: Bool[ndarray, " n"]
    positive: Int[ndarray, " m"]
    raw: Float[ndarray, " m"]
    scores: Float[ndarray, " m"]

    def score(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the score of every row of `X`, as the classifier gives it."""
        return _score(self.model, X)

    def raw_threshold(self, threshold: float) -> float:
        """Return the threshold on the raw scores that calls the same points positive."""
        called = self.raw[self.scores >= threshold]
        return float(called.min() if len(called) else np.nextafter(self.raw.max(), np.inf))


def judged(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    positive: int,
    held_out: Bool[ndarray, " n"],
    classifier: str,
    scale: str,
    rng: Generator,
) -> Judged:
    """Fit one of `SCORERS` to the points that are not held out, and score those that are.

    positive : the positive class; all others are negative. scale : the name of one of `MAPS`.

    Raises ValueError unless X is finite, y holds n integers, and both parts of the points hold
    positives and others; and what the classifier raises.
    """
    X = validate.points(X)
    sought = (validate.integers(y, len(X)) == positive).astype(int)
    name = validate.choice("classifier", classifier, SCORERS)
    scale = validate.choice("scale", scale, tuple(MAPS))
    for part, what in ((sought[~held_out], "learned from"), (sought[held_out], "held out")):
        if len(np.unique(part)) < 2:
            raise ValueError(
                f"y must name positives and others among the points {what}, got {part.sum()} "
                f"positives of {len(part)}: hold out more or fewer points, or draw some"
            )
    features = polynomial_features(X[~held_out], 1)
    fitted = BY_NAME[name].fit(features(X[~held_out]), sought[~held_out], rng)
    model = Mapped(features, fitted)
    raw = _score(model, X[held_out])
    return Judged(model, held_out, sought[held_out], raw, MAPS[scale](raw))


def held_out_curve(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, miss: float, **how: Any
) -> tuple[RocStep, ...]:
    """Return the ROC curve of the points held out; miss : what a miss costs, in false alarms.

    `how` goes to `judged`. Raises ValueError where that or `roc_curve` does.
    """
    found = judged(X, y, **how)
    return tuple(roc_curve(found.positive, found.scores, miss=miss))


def split(positive: Bool[ndarray, " n"], share: float, *, rng: Generator) -> Bool[ndarray, " n"]:
    """Draw which points to hold out, each with probability `share`.

    At least one positive stays to learn from, and at least one of two or more is held out. The
    same holds for the negatives.
    """
    out = splits.held_out(len(positive), share, rng=rng, codes=positive.astype(int)).copy()
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        if len(members) > 1 and not out[members].any():
            out[members[-1]] = True
    return out


def thinned(
    positive: Bool[ndarray, " n"],
    out: Bool[ndarray, " n"],
    kept: float,
    *,
    rng: Generator,
) -> Bool[ndarray, " n"]:
    """Draw which points take part: all negatives, and the share `kept` of the positives.

    At least one positive stays among the held-out points (`out`) and among the others.
    """
    groups = np.where(positive, 1 + out, 0)
    return ~splits.held_out(len(positive), 1 - kept, rng=rng, codes=groups) | ~positive


def _score(model: Mapped, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
    F = model.features(X)
    if hasattr(model.model, "decision_function"):
        return model.model.decision_function(F)
    return model.model.predict_proba(F)[:, 1]
