"""What will the ball find at the next point?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.dbscan import DBSCANStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.words import counted

_RARELY = 0.2  # of the core points, for most points are


def ask_visits(steps: Sequence[DBSCANStep]) -> Ask:
    """Ask what the point is that is visited next: core, border, or noise."""
    walk = steps[0].walk

    def about(now: int, rng: Generator) -> Question | None:
        after = steps[now + 1]
        i, size, least = after.point, int(walk.sizes[after.point]), walk.min_samples
        core, taken = size >= least, walk.taken[after.point] <= after.visit
        if core and rng.random() > _RARELY:
            return None
        ways = [
            Option("a core point"),
            Option("a border point: found, but not core"),
            Option("noise, for now"),
        ]
        right = 0 if core else 1 if taken else 2
        found = {0: "", 1: ", and it lies in the ball of a core point", 2: ", nor is it found"}
        than = "at least" if core else "fewer than"
        reason = (
            f"Its ball holds {counted(size, 'point')}, itself among them: {than} the {least} of a "
            f"core point{found[right]}."
        )
        x, y = walk.X[i].tolist()
        return question("What is the point ?, which is next?", ways[right], ways, reason, (0, x, y))

    return asking(len(steps), about)
