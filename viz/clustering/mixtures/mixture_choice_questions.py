"""What does one component more do to the criteria?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.mixtures.mixture_choice import MixtureChoiceStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number


def ask(steps: Sequence[MixtureChoiceStep]) -> Ask:
    """Ask whether BIC, or the log-density of the points held out, rises or falls."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        text = f"k goes from {before.k} to {after.k}. What does"
        gain = number(after.log_likelihood - before.log_likelihood)
        if rng.random() < 0.5:
            more = after.n_parameters - before.n_parameters
            reason = (
                f"The log-likelihood gains {gain}, and {more} more numbers cost: BIC goes from "
                f"{number(before.bic, 5)} to {number(after.bic, 5)}."
            )
            return rises_or_falls(f"{text} BIC do?", before.bic, after.bic, reason)
        ends = [number(step.held_out, 4) for step in (before, after)]
        reason = (
            f"The points that are fitted gain {gain} together; of one held out the mean goes from "
            f"{ends[0]} to {ends[1]}."
        )
        text = f"{text} the mean log-density of the points held out do?"
        return rises_or_falls(text, before.held_out, after.held_out, reason)

    return asking(len(steps), about)
