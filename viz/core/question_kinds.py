"""Kinds of questions that several labs ask."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Plane
from viz.core.words import vector

_OTHERS = 3  # other points to choose from
_APART = 0.04  # of the picture's width
_LITTLE = 1e-3  # of the larger number: a smaller change counts as none
_CLEAR = 0.02  # of the larger number: two numbers that differ by less count as equal


def which_point(
    rng: Generator, data: Plane, text: str, yes: ndarray, no: ndarray, reason: Callable[[int], str]
) -> Question | None:
    """Ask which point it is: a random one of `yes`, among points of `no` near it.

    yes, no : masks over the points. reason : gives the reason, from the index of the right point.
    """
    found, rest = np.flatnonzero(yes), np.flatnonzero(no)
    if len(found) == 0 or len(rest) == 0:
        return None
    i = int(rng.choice(found))
    near = np.square(data.X[rest] - data.X[i]).sum(axis=1).argsort(kind="stable")[:50]
    places = [_place(data, j) for j in (i, *rest[near].tolist())]
    kept = apart(places, _APART * (data.bounds[1] - data.bounds[0]))[: 1 + _OTHERS]
    options = [Option(f"the point at {vector(places[j][1:])}", places[j]) for j in kept]
    return question(text, options[0], options[1:], reason(i))


def rises_or_falls(
    text: str,
    before: float,
    after: float,
    reason: str,
    *,
    least: float = _LITTLE,
    place: Place | None = None,
) -> Question | None:
    """Ask whether a number rises or falls, unless it hardly changes."""
    if abs(after - before) <= least * max(abs(before), abs(after)):
        return None
    ways = [Option("it rises"), Option("it falls")]
    right, wrong = ways if after > before else ways[::-1]
    return question(text, right, [wrong], reason, place)


def which_most(
    text: str, options: Sequence[Option], values: Sequence[float], reason: Callable[[int, int], str]
) -> Question | None:
    """Ask which option has the largest value, unless another one is nearly as large.

    reason : gives the reason, from the indices of the largest and of the second largest.
    """
    order = sorted(range(len(values)), key=lambda j: -values[j])
    if len(order) < 2:
        return None
    first, second = order[:2]
    largest = max(abs(values[first]), abs(values[second]))
    if values[first] - values[second] <= _CLEAR * largest:
        return None
    rest = [options[j] for j in order[1:]]
    return question(text, options[first], rest, reason(first, second))


def _place(data: Plane, i: int) -> Place:
    x, y = data.X[i].tolist()
    return (0, x, y)
