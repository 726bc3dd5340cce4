"""Questions about the next half-step of k-means, which two modes ask."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means import KMeansStep
from viz.clustering.k_means.marks import shifts
from viz.core.question import Option, Question, apart, question
from viz.core.question_kinds import which_most
from viz.core.scene import Plane
from viz.core.words import counted, number, vector

_SEEN = 0.03  # of the picture's width: places farther apart can be distinguished


def half_step(
    data: Plane, steps: Sequence[KMeansStep], now: int, rng: Generator
) -> Question | None:
    """Ask which cluster a point joins, whether any point changes, or where a centre goes."""
    step, after = steps[now], steps[now + 1]
    rare = rng.random() < 0.3
    if after.phase == "assign":
        return _any_changes(step, after) if rare else _joins(rng, data, step, after)
    shift = shifts(steps, now + 1)
    return (rare and _farthest(step, shift)) or _goes(rng, data, step, after, shift)


def _joins(rng: Generator, data: Plane, step: KMeansStep, after: KMeansStep) -> Question | None:
    """Ask which centre takes a point: one that changes its cluster, or one that nearly does."""
    if len(step.centers) == 1:
        return None
    far = np.sqrt(np.square(data.X[:, None] - step.centers).sum(axis=2))
    nearest = np.sort(far, axis=1)
    told = np.flatnonzero(nearest[:, 1] - nearest[:, 0] > 0.02 * nearest[:, 1])
    changed = told[after.labels[told] != step.labels[told]]
    if len(changed) == 0 or rng.random() < 0.3:
        ratio = nearest[told, 0] / nearest[told, 1]
        changed = told[np.argsort(-ratio, kind="stable")[:10]]
    if len(changed) == 0:
        return None
    i = int(rng.choice(changed))
    first, second, *rest = np.argsort(far[i], kind="stable").tolist()
    options = [_center(step, j) for j in (first, second, *rest[:2])]
    reason = (
        f"It is {number(far[i, first])} from centre {first + 1} and {number(far[i, second])} from "
        f"centre {second + 1}: the nearest one has it."
    )
    which = f"Assign: which centre gets the point ? at {vector(data.X[i])}"
    place = (0, *data.X[i].tolist())
    return question(f"{which}?", options[0], options[1:], reason, place)


def _any_changes(step: KMeansStep, after: KMeansStep) -> Question | None:
    """Ask whether this is the end."""
    stay, change = Option("No: it has converged"), Option("Yes: it goes on")
    text = "Assign: will any point change its cluster?"
    if changed := int(np.count_nonzero(after.labels != step.labels)):
        verb = "is" if changed == 1 else "are"
        reason = (
            f"After the move {counted(changed, 'point')} {verb} nearer to another centre than to "
            "the centre of their own cluster."
        )
        return question(text, change, [stay], reason)
    reason = "The centre of its own cluster is still the nearest one to every point."
    return question(text, stay, [change], reason)


def _goes(
    rng: Generator, data: Plane, step: KMeansStep, after: KMeansStep, shift: ndarray
) -> Question | None:
    """Ask where a centre goes: to the mean of its points; wrong options are other averages."""
    seen = _SEEN * (data.bounds[1] - data.bounds[0])
    going = np.flatnonzero(shift > seen)
    if len(going) == 0:
        return None
    j = int(rng.choice(going))
    old, new, own = step.centers[j], after.centers[j], data.X[step.labels == j]
    middle = (own.min(axis=0) + own.max(axis=0)) / 2
    places = [new, old, middle, new + (new - old), (old + new) / 2]
    kept = [places[i] for i in apart([_place(at) for at in places], seen)]
    options = [Option(vector(at), _place(at)) for at in kept]
    first = np.abs(np.subtract(kept, old)).sum(axis=1).argmin()  # where it is now
    options[first] = Option(f"it stays at {vector(old)}", _place(old))
    points = counted(len(own), "point")
    reason = f"It goes to the mean of its {points}: their sum / {len(own)} = {vector(new)}."
    return question(f"Move: where does centre {j + 1} go?", options[0], options[1:], reason)


def _farthest(step: KMeansStep, shift: ndarray) -> Question | None:
    """Ask which centre moves farthest."""

    def reason(first: int, second: int) -> str:
        return (
            f"Centre {first + 1} moves by {number(shift[first])}; next is centre {second + 1} with "
            f"{number(shift[second])}."
        )

    options = [_center(step, j) for j in range(len(shift))]
    return which_most("Move: which centre goes farthest?", options, shift.tolist(), reason)


def _center(step: KMeansStep, j: int) -> Option:
    return Option(f"centre {j + 1}", _place(step.centers[j]))


def _place(at: ndarray) -> tuple[int, float, float]:
    return (0, float(at[0]), float(at[1]))
