"""What does the next eigenvector tell, and whom does k-means move?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.spectral_clustering import NOTHING, SpectralStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.scene import Plane
from viz.core.words import counted, number


def ask(data: Plane, steps: Sequence[SpectralStep]) -> Ask:
    """Ask for the next eigenvalue, and later for a point that changes its cluster."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.phase == "eigenvector":
            return _eigenvalue(after)
        if before.phase != "k-means":
            return None
        changed = before.labels != after.labels

        def reason(i: int) -> str:
            cluster = int(after.labels[i]) + 1
            return f"Its row of the eigenvectors is nearer to the centre of cluster {cluster} now."

        text = "Which point changes its cluster?"
        return which_point(rng, data, text, changed, ~changed, reason)

    return asking(len(steps), about)


def _eigenvalue(after: SpectralStep) -> Question | None:
    """Ask whether it is 0, as it is once for every piece of the graph."""
    value = float(after.eigenvalues[after.j - 1])
    if NOTHING / 100 < value < NOTHING * 100:
        return None  # it depends on what one calls 0
    ways = [Option("0: another piece of the graph"), Option("more than 0: no piece is left")]
    right, wrong = ways if value <= NOTHING else ways[::-1]
    size = "0, but for rounding" if value <= NOTHING else number(value)
    reason = f"It is {size}: the graph has {counted(after.graph.pieces, 'piece')}."
    return question(f"How large is eigenvalue {after.j}?", right, [wrong], reason)
