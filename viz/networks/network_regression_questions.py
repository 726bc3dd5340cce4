"""Which way does the curve go at the picked x, and which way the loss?"""

from numpy.random import Generator

from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number
from viz.networks.network_regression import Fitted


def ask(shown: Fitted) -> Ask:
    """Ask for the curve at the picked x, or for the held-out loss."""
    held = shown.sums.held_out_loss

    def about(now: int, rng: Generator) -> Question | None:
        if held is not None and rng.random() < 0.5:
            text = "What does the loss on the held-out points do in the next epoch?"
            before, after = float(held[now]), float(held[now + 1])
        else:
            text = "What does the curve do at the picked x in the next epoch?"
            before, after = shown.read(now), shown.read(now + 1)
        reason = f"It goes from {number(before, 4)} to {number(after, 4)}."
        return rises_or_falls(text, before, after, reason)

    return asking(len(shown.steps), about)
