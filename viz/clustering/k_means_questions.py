"""What will the next half-step of k-means do, the next draw of a centre, the next seed?"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means import KMeansStep
from algorithms.clustering.k_means_plus_plus import PlusPlusStep
from algorithms.clustering.restarts import ALIKE, StartStep
from viz.core.question import Ask, Option, Question, apart, asking, question
from viz.core.question_kinds import which_point
from viz.core.scene import Plane
from viz.core.words import counted, number, vector

_SEEN = 0.03  # of the picture's width: places farther apart can be told from each other
_UNLIKELY = 0.25  # of the chance of the point that is drawn
_TOLD = 1e-3  # of an inertia: others that are nearer to it read alike


def ask(data: Plane, steps: Sequence[KMeansStep]) -> Ask:
    """Ask which cluster a point joins, whether any changes, and where which centre goes."""

    def about(now: int, rng: Generator) -> Question | None:
        step, after = steps[now], steps[now + 1]
        rare = rng.random() < 0.3
        if after.phase == "assign":
            return _any_changes(after) if rare else _joins(rng, data, step, after)
        return (rare and _farthest(step, after)) or _goes(rng, data, step, after)

    return asking(len(steps), about)


def ask_seeding(data: Plane, steps: Sequence[PlusPlusStep]) -> Ask:
    """Ask which point is drawn as the next centre, then what k-means does."""
    half_step = ask(data, [step.state for step in steps])

    def about(now: int, rng: Generator) -> Question | None:
        if steps[now + 1].phase != "draw":
            return half_step(now)
        return _drawn(rng, data, steps[now], steps[now + 1])

    return asking(len(steps), about)


def ask_seeds(steps: Sequence[StartStep]) -> Ask:
    """Ask whether the next seed ends in the best minimum so far, in a better or a worse one."""

    def about(now: int, _: Generator) -> Question | None:
        lowest, after = steps[now].lowest, steps[now + 1]
        ways = [
            Option("as low as the lowest so far"),
            Option("higher: in a worse minimum"),
            Option("lower than all so far"),
        ]
        ratio = after.inertia / lowest if lowest > 0 else 1.0
        if ALIKE < abs(ratio - 1) < _TOLD:
            return None
        right = 0 if abs(ratio - 1) <= ALIKE else 1 if ratio > 1 else 2
        ends = [number(value, 4) for value in (after.inertia, lowest)]
        reason = f"It ends with the inertia {ends[0]}; the lowest before it is {ends[1]}."
        return question(f"Where does seed {after.seed} end?", ways[right], ways, reason)

    return asking(len(steps), about)


def _drawn(rng: Generator, data: Plane, step: PlusPlusStep, after: PlusPlusStep) -> Question | None:
    """Ask for the point that is drawn, among some that are much less likely."""
    drawn = np.arange(len(data.X)) == after.drawn
    unlikely = step.squared < _UNLIKELY * step.squared[drawn]

    def reason(i: int) -> str:
        far, mean = np.sqrt([step.squared[i], step.squared.mean()]).tolist()
        return (
            f"Its D is {number(far)}, so that its chance was D² / Σ D² = "
            f"{number(100 * after.chance)} %, {number(far**2 / mean**2)} times that of an average "
            "point. Each of the others had less than a quarter of it."
        )

    text = "The next centre is drawn, with chances in proportion to D². Which of these is it?"
    return which_point(rng, data, text, drawn, unlikely, reason)


def _joins(rng: Generator, data: Plane, step: KMeansStep, after: KMeansStep) -> Question | None:
    """Ask which centre takes a point: one that changes its cluster, or one that nearly does."""
    if len(step.centers) == 1:
        return None
    far = np.sqrt(np.square(data.X[:, None] - step.centers).sum(axis=2))
    nearest = np.sort(far, axis=1)
    told = np.flatnonzero(nearest[:, 1] - nearest[:, 0] > 0.02 * nearest[:, 1])
    changed = told[after.labels[told] != step.labels[told]]
    if len(changed) == 0 or rng.random() < 0.3:
        ratio = nearest[told, 0] / nearest[told, 1]
        changed = told[np.argsort(-ratio, kind="stable")[:10]]
    if len(changed) == 0:
        return None
    i = int(rng.choice(changed))
    first, second, *rest = np.argsort(far[i], kind="stable").tolist()
    options = [_center(step, j) for j in (first, second, *rest[:2])]
    reason = (
        f"It is {number(far[i, first])} from centre {first + 1} and {number(far[i, second])} from "
        f"centre {second + 1}: the nearest one has it."
    )
    which = f"Assign: which centre gets the point ? at {vector(data.X[i])}"
    place = (0, *data.X[i].tolist())
    return question(f"{which}?", options[0], options[1:], reason, place)


def _any_changes(after: KMeansStep) -> Question | None:
    """Ask whether this is the end."""
    stay, change = Option("No: it has converged"), Option("Yes: it goes on")
    text = "Assign: will any point change its cluster?"
    if after.changed:
        points = counted(after.changed, "point")
        verb = "is" if after.changed == 1 else "are"
        reason = f"After the move {points} {verb} nearer to another centre than to the own one."
        return question(text, change, [stay], reason)
    reason = "Every point still has its own centre as the nearest one, so nothing moves any more."
    return question(text, stay, [change], reason)


def _goes(rng: Generator, data: Plane, step: KMeansStep, after: KMeansStep) -> Question | None:
    """Ask where a centre goes: to the mean of its points, and not to other middles of them."""
    seen = _SEEN * (data.bounds[1] - data.bounds[0])
    going = np.flatnonzero(after.shift > seen)
    if len(going) == 0:
        return None
    j = int(rng.choice(going))
    old, new, own = step.centers[j], after.centers[j], data.X[step.labels == j]
    middle = (own.min(axis=0) + own.max(axis=0)) / 2
    places = [new, old, middle, new + (new - old), (old + new) / 2]
    kept = [places[i] for i in apart([_place(at) for at in places], seen)]
    options = [Option(vector(at), _place(at)) for at in kept]
    first = np.abs(np.subtract(kept, old)).sum(axis=1).argmin()  # where it is now
    options[first] = Option(f"it stays at {vector(old)}", _place(old))
    points = counted(len(own), "point")
    reason = f"It goes to the mean of its {points}: their sum / {len(own)} = {vector(new)}."
    return question(f"Move: where does centre {j + 1} go?", options[0], options[1:], reason)


def _farthest(step: KMeansStep, after: KMeansStep) -> Question | None:
    """Ask which centre moves most."""
    shift = after.shift.tolist()
    order = sorted(range(len(shift)), key=lambda j: -shift[j])
    if len(order) == 1 or shift[order[0]] <= 1.02 * shift[order[1]]:
        return None
    first, second = order[:2]
    reason = (
        f"Centre {first + 1} moves by {number(shift[first])}; next is centre {second + 1} with "
        f"{number(shift[second])}."
    )
    options = [_center(step, j) for j in order[:4]]
    return question("Move: which centre goes farthest?", options[0], options[1:], reason)


def _center(step: KMeansStep, j: int) -> Option:
    return Option(f"centre {j + 1}", _place(step.centers[j]))


def _place(at: ndarray) -> tuple[int, float, float]:
    return (0, float(at[0]), float(at[1]))
