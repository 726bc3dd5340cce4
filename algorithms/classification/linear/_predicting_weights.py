"""Which weights predict: the latest ones, their mean over the visits, or the best in the pocket."""

from collections.abc import Callable

from algorithms.classification.linear._perceptron_task import Task, Weights

Predicting = Callable[[Weights, float], tuple[Weights, float]]
"""From (w, b) after a visit, the (w, b) to predict with."""


def latest(_task: Task) -> Predicting:
    """Predict with what the visit left."""
    return lambda w, b: (w, b)


def averaged(task: Task) -> Predicting:
    """Predict with the mean of (w, b) after each visit so far."""
    visits, mean = 0, [0.0] * (len(task.weights) + 1)

    def predicting(w: Weights, b: float) -> tuple[Weights, float]:
        nonlocal visits, mean
        visits += 1
        mean = [m + (v - m) / visits for m, v in zip(mean, (*w, b), strict=True)]
        return tuple(mean[:-1]), mean[-1]

    return predicting


def pocket(task: Task) -> Predicting:
    """Predict with the (w, b), of all so far, that had the fewest training errors."""
    best = seen = task.weights, task.bias
    X, fewest = task.X, task.errors(*seen)

    def predicting(w: Weights, b: float) -> tuple[Weights, float]:
        nonlocal best, seen, X, fewest
        if task.X is not X:  # points were moved
            X, fewest = task.X, task.errors(*best)
        if w is not seen[0]:
            seen = w, b
            if (errors := task.errors(w, b)) < fewest:
                best, fewest = seen, errors
        return best

    return predicting
