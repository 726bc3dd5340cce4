"""Questions: what does the next step do to the points, to the border and to the loss?"""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
)
from viz.classification.linear.logistic_regression.scores import Scored
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import decimal, number, vector

_OTHERS = 3  # other points to choose from
_CLEAR = 0.003  # of a probability: a smaller change is not asked about


def next_step(scored: Scored, corners: ndarray, now: int, rng: Generator) -> Question | None:
    """Ask which point changes sides or gets less probable, or what the line or the loss does.

    corners : the features of the picture's corners.
    """

    def turns(scored: Scored, now: int, _: Generator) -> Question | None:
        return _turns(scored, corners, now)

    steps = scored.steps
    kinds = [_changes_sides, _becomes_worse]
    kinds += [turns] * (steps[0].weights.shape == (1, 2))
    kinds += [_loss] * any(step.fall < 0 for step in steps)
    found = (kinds[i](scored, now, rng) for i in rng.permutation(len(kinds)))
    return next(filter(None, found), None)


def _changes_sides(scored: Scored, now: int, rng: Generator) -> Question | None:
    """Ask for a point that is on the other side of the border after the step."""
    before, after = (_shares(scored, step) for step in scored.steps[now : now + 2])
    sure = np.minimum(_lead(before), _lead(after)) > _CLEAR
    old, new = before.argmax(axis=1), after.argmax(axis=1)
    changed = np.flatnonzero(sure & (old != new))
    rest = np.flatnonzero(sure & (old == new))
    if len(changed) == 0:
        return None
    i = int(rng.choice(changed))
    near = rest[np.argsort(_lead(before)[rest], kind="stable")[:_OTHERS]].tolist()
    names = [scored.data.classes[k] for k in scored.steps[now].classes]
    reason = (
        f"P({names[old[i]]}) falls from {number(before[i, old[i]])} to "
        f"{number(after[i, old[i]])}, so {names[new[i]]} is now the most probable class; the other "
        "points stay on their sides."
    )
    options = [_point(scored, j) for j in (i, *near)]
    return question("Which point changes sides?", options[0], options[1:], reason)


def _becomes_worse(scored: Scored, now: int, rng: Generator) -> Question | None:
    """Ask for a point whose own class becomes less probable although the mean loss falls."""
    before, after = (_own(scored, step) for step in scored.steps[now : now + 2])
    worse = np.flatnonzero(after < before - _CLEAR)
    better = np.flatnonzero(after > before + _CLEAR)
    if len(worse) == 0:
        return None
    i = int(rng.choice(worse))
    others = rng.permutation(better)[:_OTHERS].tolist()
    reason = (
        f"The probability of its own class falls from {number(before[i])} to {number(after[i])}; "
        "for the other points it rises."
    )
    options = [_point(scored, j) for j in (i, *others)]
    text = "Which point's own class becomes less probable?"
    return question(text, options[0], options[1:], reason)


def _turns(scored: Scored, corners: ndarray, now: int) -> Question | None:
    """Ask which way the straight border turns."""
    before, after = scored.steps[now : now + 2]
    (a, b), (c, d) = _normal(corners, before), _normal(corners, after)
    cross, inner = a * d - b * c, a * c + b * d
    if inner <= 0 or abs(cross) < 0.02 * inner:
        return None
    ways = [Option("clockwise"), Option("anticlockwise")]
    right, wrong = ways if cross < 0 else ways[::-1]
    weights = [vector(step.weights[0]) for step in (before, after)]
    reason = f"The weights go from {weights[0]} to {weights[1]}, and the line turns with them."
    return question("Which way does the line turn?", right, [wrong], reason)


def _loss(scored: Scored, now: int, _: Generator) -> Question | None:
    """Ask whether the next step raises or lowers the loss, where steps are too long."""
    before, after = scored.steps[now : now + 2]
    ending = "." if after.fall > 0 else ": the step is too long and jumps over the minimum."
    reason = f"It goes from {number(before.loss, 4)} to {number(after.loss, 4)}{ending}"
    return rises_or_falls("What does the loss do?", before.loss, after.loss, reason)


def _shares(scored: Scored, step: LogisticRegressionStep) -> ndarray:
    return step.predict_proba(scored.F)


def _lead(shares: ndarray) -> ndarray:
    """Return by how much the most probable class is more probable than the next."""
    ordered = np.sort(shares, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _own(scored: Scored, step: LogisticRegressionStep) -> ndarray:
    """Return the probability of every point's own class."""
    own = np.searchsorted(step.classes, scored.data.labels)
    return _shares(scored, step)[np.arange(len(own)), own]


def _normal(corners: ndarray, step: LogisticRegressionStep) -> list[float]:
    """Return the change of the score along either axis of the picture, from edge to edge."""
    first, across, up = step.decision_function(corners[[0, 1, 2]]).tolist()
    return [across - first, up - first]


def _point(scored: Scored, i: int) -> Option:
    x, y = scored.data.X[i].tolist()
    name = scored.data.classes[scored.data.labels[i]]
    return Option(f"({decimal(x)}, {decimal(y)}), of class {name}", (0, x, y))
