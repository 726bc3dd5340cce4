"""Questions about the step to come: asked while the step before it is shown, judged by the run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from zlib import crc32

import numpy as np
from numpy.random import Generator

from algorithms.core.work import pausing

MOST_OPTIONS = 5
MOST_TRIED = 1000  # steps that are looked at to find those of a quiz

Place = tuple[int, float, float]  # the number of a view, and x and y on its axes


@dataclass(frozen=True)
class Option:
    """One answer: its text, and the place on the picture that it means, if it means one."""

    text: str
    place: Place | None = None


@dataclass(frozen=True)
class Question:
    """What will happen in the next step, with two to five different answers.

    right : the index of the right one. reason : why, with the step's numbers; it is shown after
    the answer. place : what is asked about, such as a point.
    """

    text: str
    options: tuple[Option, ...]
    right: int
    reason: str
    place: Place | None = None


Ask = Callable[[int], Question | None]  # of the step that is shown: what comes after it?


def no_question(_: int) -> None:
    """Ask nothing."""


def asking(total: int, about: Callable[[int, Generator], Question | None]) -> Ask:
    """Ask at all steps of a run but the last one, after which nothing comes.

    about : is given the step that is shown, and a generator that is the same everywhere.
    """

    def ask(now: int) -> Question | None:
        return about(now, np.random.default_rng([now, total])) if now + 1 < total else None

    return ask


def question(
    text: str, right: Option, others: Iterable[Option], reason: str, place: Place | None = None
) -> Question | None:
    """Ask, the answers in an order that is drawn; or not, if there is no other answer.

    others : wrong answers, the most tempting first. Those that read like another one are left out.
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
    """Draw `count` of the steps that have a question, or all of them if there are fewer."""
    if total < 2:
        return ()
    order = np.random.default_rng(seed).permutation(total - 1)[:MOST_TRIED].tolist()
    return tuple(sorted(islice((now for now in pausing(order) if ask(now)), count)))


def apart(places: Sequence[Place], least: float) -> list[int]:
    """Choose places on one view that are at least so far from each other, the first ones first."""
    kept: list[int] = []
    for i, (_, x, y) in enumerate(places):
        if all(np.hypot(x - places[j][1], y - places[j][2]) >= least for j in kept):
            kept.append(i)
    return kept
