"""Questions about the next step, which the run itself answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from zlib import crc32

import numpy as np
from numpy.random import Generator

from algorithms.core.work import pausing

MOST_OPTIONS = 5
MOST_TRIED = 1000  # steps that are tried to find questions for a quiz

Place = tuple[int, float, float]  # the index of a view, and x and y on its axes


@dataclass(frozen=True)
class Option:
    """One answer: its text, and the place in a view that it stands for, if there is one."""

    text: str
    place: Place | None = None


@dataclass(frozen=True)
class Question:
    """A question about the next step, with two to five different answers.

    right : the index of the right answer. reason : why it is right, with the step's numbers; it is
    shown after the answer. place : the place that the question is about, such as a point.
    """

    text: str
    options: tuple[Option, ...]
    right: int
    reason: str
    place: Place | None = None


Ask = Callable[[int], Question | None]  # given the shown step, a question about the next one


def no_question(_: int) -> None:
    """Ask nothing."""


def asking(total: int, about: Callable[[int, Generator], Question | None]) -> Ask:
    """Return a function that asks at all steps of a run except the last one.

    about : makes the question, given the shown step and a generator seeded by this step.
    """

    def ask(now: int) -> Question | None:
        return about(now, np.random.default_rng([now, total])) if now + 1 < total else None

    return ask


def question(
    text: str, right: Option, others: Iterable[Option], reason: str, place: Place | None = None
) -> Question | None:
    """Return a question with its answers in random order, or None if there is no wrong answer.

    others : wrong answers, the most tempting first. Answers with the same text are dropped.
    """
    different = {option.text: option for option in (*others, right)}
    del different[right.text]
    others = list(different.values())[: MOST_OPTIONS - 1]
    if not others:
        return None
    options = sorted([right, *others], key=lambda option: option.text)
    drawn = crc32("".join([text, *(option.text for option in options)]).encode())
    order = np.random.default_rng(drawn).permutation(len(options))
    mixed = tuple(options[i] for i in order)
    return Question(text, mixed, mixed.index(right), reason, place)


def quiz(ask: Ask, total: int, count: int, seed: int) -> tuple[int, ...]:
    """Return `count` randomly drawn steps that have a question, or all if there are fewer."""
    if total < 2:
        return ()
    order = np.random.default_rng(seed).permutation(total - 1)[:MOST_TRIED].tolist()
    return tuple(sorted(islice((now for now in pausing(order) if ask(now)), count)))


def apart(places: Sequence[Place], least: float) -> list[int]:
    """Return the indices of places that are at least `least` apart, preferring the first ones."""
    kept: list[int] = []
    for i, (_, x, y) in enumerate(places):
        if all(np.hypot(x - places[j][1], y - places[j][2]) >= least for j in kept):
            kept.append(i)
    return kept
