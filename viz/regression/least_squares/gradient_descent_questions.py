"""Which way does the next update go?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.regression.least_squares.gradient_descent import GradientDescentStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number

_SEEN = 0.01  # of a weight: a smaller change is not asked for


def ask(steps: Sequence[GradientDescentStep]) -> Ask:
    """Ask for the slope and the height of the line, and for the error where it may rise."""
    jumps = any(step.fall < 0 for step in steps)

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if not after.change.any():
            return None  # the update is not made
        if jumps and rng.random() < 0.3:
            reason = f"It goes from {number(before.loss, 4)} to {number(after.loss, 4)}."
            text = "What does the mean squared error of all points do?"
            return rises_or_falls(text, before.loss, after.loss, reason)
        ends = [(float(step.weights[0]), float(step.intercept)) for step in (before, after)]
        which = int(rng.integers(2))
        old, new = (end[which] for end in ends)
        gradient = number(float(after.gradient[which]))
        reason = f"The gradient is {gradient} there: it goes from {number(old)} to {number(new)}."
        text = f"What does the {('slope w', 'intercept b')[which]} do?"
        return rises_or_falls(text, old, new, reason, least=_SEEN)

    return asking(len(steps), about)
