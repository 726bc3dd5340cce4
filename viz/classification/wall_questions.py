"""How will the next classifier do, and all of them on the next split?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.classification.repeated_splits import RepeatedSplitsStep
from algorithms.classification.wall import WallStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import which_point
from viz.core.scene import Plane
from viz.core.words import counted, number


def ask(data: Plane, steps: Sequence[WallStep]) -> Ask:
    """Ask which point the next classifier gets wrong, and whether it does better than this one."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if rng.random() < 0.5:
            return _better(before, after) or _wrong(rng, data, after)
        return _wrong(rng, data, after) or _better(before, after)

    return asking(len(steps), about)


def _wrong(rng: Generator, data: Plane, after: WallStep) -> Question | None:
    """Ask for a point that is on the wrong side of its borders."""
    names, predicted = data.classes, after.predict(data.X)

    def reason(i: int) -> str:
        said, is_ = names[predicted[i]], names[data.labels[i]]
        return f"It says {said} there, and the point is of class {is_}."

    text = f"Next is {after.classifier.label}. Which of these points does it get wrong?"
    return which_point(rng, data, text, after.wrong, ~after.wrong, reason)


def _better(before: WallStep, after: WallStep) -> Question | None:
    """Ask how it compares on the points held out."""
    if not after.held_out.any():
        return None
    old, new = (int((step.wrong & step.held_out).sum()) for step in (before, after))
    ways = [Option("better"), Option("worse"), Option("equally well")]
    right = 0 if new < old else 1 if new > old else 2
    reason = (
        f"It gets {new or 'none'} of the {counted(int(after.held_out.sum()), 'point')} held out "
        f"wrong, {before.classifier.label} {old or 'none'}."
    )
    text = (
        f"Next is {after.classifier.label}. How does it do on the points held out, compared with "
        f"{before.classifier.label}?"
    )
    return question(text, ways[right], ways, reason)


def ask_splits(steps: Sequence[RepeatedSplitsStep]) -> Ask:
    """Ask whether the best so far beats one of the others on the next split."""

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        best = before.best
        near = [j for j in before.mean.argsort(kind="stable")[:5].tolist() if j != best]
        rival = int(rng.choice(near))
        names = [before.classifiers[j].label for j in (best, rival)]
        errors = [float(after.errors[j]) for j in (best, rival)]
        ways = [Option(names[0]), Option(names[1]), Option("both as few")]
        right = 0 if errors[0] < errors[1] else 1 if errors[1] < errors[0] else 2
        means = [number(100 * float(before.mean[j])) for j in (best, rival)]
        reason = (
            f"{names[0]} gets {number(100 * errors[0])} % of them wrong, {names[1]} "
            f"{number(100 * errors[1])} %. The means until then were {means[0]} and {means[1]} %: "
            "a single split is a chance."
        )
        text = "Another split is drawn. Which of the two gets fewer of the points held out wrong?"
        return question(text, ways[right], ways, reason)

    return asking(len(steps), about)
