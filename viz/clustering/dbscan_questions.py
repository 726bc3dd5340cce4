"""What will the ball find at the next point, and what does a larger radius do?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.dbscan import DBSCANStep
from algorithms.clustering.dbscan_by_eps import EpsStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.scene import Plane
from viz.core.words import counted, number

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


def ask_radius(data: Plane, steps: Sequence[EpsStep]) -> Ask:
    """Ask what becomes of the number of clusters, and which point is noise no longer."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if before.clusters != after.clusters and rng.random() < 0.5:
            return _clusters(before, after)
        return _found(rng, data, before, after)

    return asking(len(steps), about)


def _clusters(before: EpsStep, after: EpsStep) -> Question | None:
    """Ask whether more clusters begin than become one."""
    ways = [Option("there are more: some begin"), Option("there are fewer: some become one")]
    right, wrong = ways if after.clusters > before.clusters else ways[::-1]
    cores = [int(step.core.sum()) for step in (before, after)]
    reason = (
        f"There are {before.clusters or 'none'} before and {after.clusters} then; core points, "
        f"{cores[0]} and {cores[1]}."
    )
    text = f"ε grows to {number(after.eps)}, and the number of clusters changes. Which way?"
    return question(text, right, [wrong], reason)


def _found(rng: Generator, data: Plane, before: EpsStep, after: EpsStep) -> Question | None:
    """Ask which point is noise before and not then, among those that stay noise."""
    noise = [step.labels < 0 for step in (before, after)]

    def reason(i: int) -> str:
        reach = float(after.levels.reach[i])
        return f"From ε = {number(reach)} on a core point is that near to it, or it is one itself."

    text = f"ε grows to {number(after.eps)}. Which of these points is noise no longer?"
    return which_point(rng, data, text, noise[0] & ~noise[1], noise[1], reason)
