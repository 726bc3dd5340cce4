"""Which topic gets a document, and which one a word?"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.clustering.mixtures.multinomial_mixture import MultinomialMixtureStep
from algorithms.data.headlines import WordCounts
from viz.core.question import Ask, Option, Question, asking
from viz.core.question_kinds import which_most
from viz.core.words import number


def ask(data: WordCounts, steps: Sequence[MultinomialMixtureStep]) -> Ask:
    """Ask for the main topic of a document, and for the topic in which a word is likeliest."""
    options = [Option(f"topic {j + 1}") for j in range(len(steps[0].weights))]

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.phase == "expectation":
            i = _one_that_changes(rng, before.responsibilities, after.responsibilities)
            shares = after.responsibilities[i].tolist()
            text = f"E: which topic has the largest share of “{data.documents[i]}”?"
            return which_most(text, options, shares, _of("share", shares))
        w = _one_that_changes(rng, before.words.T, after.words.T)
        chances = after.words[:, w].tolist()
        text = f"M: in which topic will “{data.words[w]}” be likeliest?"
        return which_most(text, options, chances, _of("probability", chances))

    return asking(len(steps), about)


def _of(what: str, values: Sequence[float]):
    def reason(first: int, second: int) -> str:
        ends = number(values[first]), number(values[second])
        return f"Its {what} is {ends[0]} in topic {first + 1}, and {ends[1]} in topic {second + 1}."

    return reason


def _one_that_changes(rng: Generator, before: np.ndarray, after: np.ndarray) -> int:
    """Choose a row, of those with another largest entry than before if there are some."""
    changed = np.flatnonzero(before.argmax(axis=1) != after.argmax(axis=1))
    return int(rng.choice(changed if len(changed) else len(after)))
