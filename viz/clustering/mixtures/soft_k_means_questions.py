"""What does the next half-step of soft k-means do?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.mixtures.soft_k_means import SoftKMeansStep
from viz.core.question import Ask, Option, Question, asking
from viz.core.question_kinds import rises_or_falls, which_most
from viz.core.words import number

_SEEN = 0.01  # of the mean distance to the centres: shorter moves are not asked for


def ask(steps: Sequence[SoftKMeansStep]) -> Ask:
    """Ask which centre goes farthest, and whether the inertia alone rises or falls."""
    spread = (steps[0].inertia / len(steps[0].responsibilities)) ** 0.5

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        moves = after.phase == "move" and after.shift.max() > _SEEN * spread
        if moves and rng.random() < 0.7 and (found := _farthest(before, after)):
            return found
        return _inertia(before, after)

    return asking(len(steps), about)


def _farthest(before: SoftKMeansStep, after: SoftKMeansStep) -> Question | None:
    """Ask which centre moves most."""
    options = [
        Option(f"centre {j + 1}", (0, *center)) for j, center in enumerate(before.centers.tolist())
    ]
    shift = after.shift.tolist()

    def reason(first: int, second: int) -> str:
        return (
            f"Centre {first + 1} goes {number(shift[first])} far, to the mean of all points by "
            f"their shares; centre {second + 1} goes {number(shift[second])}."
        )

    return which_most("Move: which centre goes farthest?", options, shift, reason)


def _inertia(before: SoftKMeansStep, after: SoftKMeansStep) -> Question | None:
    """Ask for the first term of F, which may rise where the points are shared out anew."""
    reason = (
        f"It goes from {number(before.inertia, 4)} to {number(after.inertia, 4)}, and F from "
        f"{number(before.free_energy, 4)} to {number(after.free_energy, 4)}."
    )
    doing = "Assign" if after.phase == "assign" else "Move"
    text = f"{doing}: F cannot rise. What does its first term do, the shared inertia?"
    return rises_or_falls(text, before.inertia, after.inertia, reason)
