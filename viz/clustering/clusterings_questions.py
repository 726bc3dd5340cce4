"""How near to the classes is what the next method finds?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.clusterings import ClusteringStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.words import number

_CLEAR = 0.005  # of the index


def ask(steps: Sequence[ClusteringStep]) -> Ask:
    """Ask whether the next method comes nearer to the classes than this one."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        old, new = (step.counts.adjusted_rand_index for step in (before, after))
        if 0 < abs(new - old) < _CLEAR:
            return None
        ways = [Option("nearer"), Option("farther"), Option("as near")]
        right = ways[0 if new > old else 1 if new < old else 2]
        name, this = after.method.name, before.method.name
        reason = f"Its adjusted Rand index is {number(new)}, that of {this} {number(old)}."
        text = f"Next is {name}. How near to the classes does it come, compared with {this}?"
        return question(text, right, ways, reason)

    return asking(len(steps), about)
