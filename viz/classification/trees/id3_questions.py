"""Which attribute is asked about next?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.classification.trees.id3 import Id3Step, Table
from viz.core.question import Ask, Option, Question, asking
from viz.core.question_kinds import which_most


def ask(data: Table, steps: Sequence[Id3Step]) -> Ask:
    """Ask for the attribute, at every node but the root: its gains are told at the start."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if now == 0:
            return None
        names = [data.attributes[each.attribute] for each in after.candidates]
        scores = [each.score for each in after.candidates]

        def reason(first: int, second: int) -> str:
            return (
                f"{names[first]} is worth {scores[first]:.4f} there, {names[second]} "
                f"{scores[second]:.4f}."
            )

        counts = before.counts[after.node].tolist()
        examples = " and ".join(
            f"{count} {name}" for count, name in zip(counts, data.classes, strict=True)
        )
        text = f"Next is the leaf with {examples}. Which attribute is it asked about?"
        return which_most(text, [Option(name) for name in names], scores, reason)

    return asking(len(steps), about)
