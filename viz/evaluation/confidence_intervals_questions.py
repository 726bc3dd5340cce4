"""Does the next interval hold the true error rate, and which of the three is the widest?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.evaluation.confidence_intervals import METHODS, Exact, IntervalsStep
from algorithms.evaluation.mean_intervals import MeanIntervalsStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_most
from viz.core.words import decimal, listed, number

_NAMES = tuple(METHODS)
_WAYS = ("it holds it", "it misses it: all of it is below", "it misses it: all of it is above")


def ask(steps: Sequence[IntervalsStep], exact: Exact, chosen: int) -> Ask:
    """Tell the next count, and ask what its interval is like."""

    def about(now: int, rng: Generator) -> Question | None:
        after = steps[now + 1]
        told = f"Of the next {exact.n} points {after.wrong} are wrong."
        if rng.random() < 0.3:
            return _widest(after, told)
        low, high = (decimal(float(ends[chosen])) for ends in (after.low, after.high))
        words = told, _NAMES[chosen], f"It goes from {low} to {high}."
        return about_truth(after, exact.p, chosen, words)

    return asking(len(steps), about)


def about_truth(
    after: IntervalsStep | MeanIntervalsStep, truth: float, chosen: int, words: tuple[str, str, str]
) -> Question | None:
    """Ask whether the next interval holds the truth.

    words : what is told of the sample, the name of the chosen method, and the reason.
    """
    told, name, reason = words
    right = 0 if after.holds[chosen] else 1 if after.high[chosen] < truth else 2
    options = [Option(way) for way in _WAYS]
    text = f"{told} Does the interval by {name} hold the true {number(truth)}?"
    return question(text, options[right], options, reason)


def _widest(after: IntervalsStep, told: str) -> Question | None:
    width = (after.high - after.low).tolist()
    reason = f"The widths of {listed(_NAMES)} are {listed([number(value) for value in width])}."
    options = [Option(name) for name in _NAMES]
    return which_most(f"{told} Whose interval is the widest?", options, width, lambda *_: reason)
