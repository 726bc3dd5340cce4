"""What does the next mistake do to the other samples?"""

from collections.abc import Sequence

from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron_multiclass import PerceptronMulticlassStep
from viz.core.question import Ask, Question, asking
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Plane


def ask(data: Plane, F: ndarray, steps: Sequence[PerceptronMulticlassStep]) -> Ask:
    """Ask whether more samples are wrong after two weight vectors have moved. F : the features."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if not after.mistake or not before.rows.any():
            return None
        i = after.index
        old, new = (step.errors(F, data.labels) for step in (before, after))
        own, rival = (data.classes[k] for k in (data.labels[i], after.classes[after.rival]))
        x, y = data.X[i].tolist()
        reason = (
            f"Its features are added to the weights of class {own} and taken from those of class "
            f"{rival}: it goes from {old} to {new} of {len(F)}."
        )
        text = (
            f"The sample ?, of class {own}, is taken for class {rival}, so both weight vectors "
            "move. What does the number of wrong samples do?"
        )
        return rises_or_falls(text, old, new, reason, place=(0, x, y))

    return asking(len(steps), about)
