"""Where does the one mean go, and what do the log-likelihood and its bound do?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.clustering.mixtures.one_mean import OneMeanStep
from viz.core.question import Ask, Option, Place, Question, apart, asking, question
from viz.core.scene import Plane
from viz.core.words import number

_SEEN = 0.02  # of the picture's width: places farther apart can be told from each other
_OPENED = 1e-3  # of the log-likelihood: a smaller gap is none


def ask(data: Plane, steps: Sequence[OneMeanStep]) -> Ask:
    """Ask for the move of the mean, and for what an expectation does to both curves."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if after.phase == "maximization":
            return _goes(data, before, after)
        return _closes(before, after)

    return asking(len(steps), about)


def _goes(data: Plane, before: OneMeanStep, after: OneMeanStep) -> Question | None:
    """Ask where the mean goes, among the means of its own points alone and of all points alike."""
    x, q = data.X[:, 0], before.responsibilities[:, 0]
    old, new = before.means[0, 0], after.means[0, 0]
    own = x[before.responsibilities.argmax(axis=1) == 0]
    goals = [new, old, *([own.mean()] if len(own) else []), x.mean(), new + (new - old)]
    places: list[Place] = [(0, float(goal), float(before.means[0, 1])) for goal in goals]
    seen = _SEEN * (data.bounds[1] - data.bounds[0])
    if abs(new - old) < seen:
        return None
    options = [Option(f"m = {number(places[i][1])}", places[i]) for i in apart(places, seen)]
    reason = (
        f"It goes to the summit of the bound, the mean of the points by their shares: Σ q x / Σ q "
        f"= {number(float(q @ x))} / {number(float(q.sum()))} = {number(float(new))}."
    )
    return question("Maximization: where does mean 1 go?", options[0], options[1:], reason)


def _closes(before: OneMeanStep, after: OneMeanStep) -> Question | None:
    """Ask which of the two curves moves when the shares are found anew."""
    if before.gap <= _OPENED * abs(before.log_likelihood):
        return None
    ways = [
        Option("The bound rises to the log-likelihood"),
        Option("The log-likelihood falls to the bound"),
        Option("Both rise by as much"),
    ]
    ends = [number(value, 5) for value in (before.lower_bound, after.lower_bound)]
    reason = (
        f"m stays, and so does the log-likelihood, {number(after.log_likelihood, 5)}; the bound "
        f"goes from {ends[0]} to {ends[1]} with the new shares."
    )
    text = "Expectation: what do the bound and the log-likelihood at m do?"
    return question(text, ways[0], ways[1:], reason)
