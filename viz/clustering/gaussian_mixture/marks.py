"""What the modes of Gaussian components draw and write alike."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.gaussian_mixture.gaussian_mixture import (
    GaussianMixtureStep,
    largest_fall,
)
from viz.core import plane, soft_groups, what_if
from viz.core.scene import Figure, Plane
from viz.core.words import counted, number, rounded, vector

_NEARLY = 0.1  # of the whole rise of the log-likelihood, which is then still to come
_ROUNDING = 1e-9  # of the largest coordinate: a mean that moves less has not moved

Steps = Sequence[GaussianMixtureStep]


def picture(steps: Steps, now: int, data: Plane, points: dict, signs: dict[str, str]) -> Figure:
    """Draw the points, the components, and where they were.

    In an expectation a ring is around the point whose shares changed most. In a maximization a
    dotted ellipse is where every component was before.
    """
    step = steps[now]
    before, ring = [], plane.GAP
    if step.phase == "maximization":
        last = steps[now - 1]
        before = soft_groups.outlines(last.means, last.covariances, (1.0,), 11)
    else:
        ring = data.X[[example(steps, now)]]
    traces = [
        soft_groups.curve(np.concatenate(before or [plane.GAP]), width=1.5, dash="dot")
        | {"name": "every component before this step"},
        *soft_groups.ellipses(step.means, step.covariances),
        plane.rings(ring, size=21, name="point that the caption works out"),
        soft_groups.centers(step.means, data.bounds),
    ]
    return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)


def ghost(steps: Steps, since: int, now: int) -> list[dict]:
    """Draw the ways of the means and the components behind a changed run."""
    step = steps[now]
    rings = soft_groups.outlines(step.means, step.covariances, (1.0,), 11)
    return [
        what_if.paths([each.means for each in steps], since),
        what_if.path(np.concatenate(rings), shape="spline"),
        what_if.numbered(step.means),
    ]


def nearly_there(steps: Steps) -> int:
    """Return the first expectation after which the log-likelihood rises by little more."""
    likelihood = np.array([step.log_likelihood for step in steps])
    if len(steps) < 2 or not np.isfinite(likelihood).all():
        return 0
    to_come = likelihood[-1] - likelihood
    first = int((to_come <= _NEARLY * to_come[0]).argmax())
    return first + first % 2  # an expectation has an even number


def example(steps: Steps, now: int) -> int:
    """Return the point whose responsibilities changed most; at the start the least decided one."""
    shares = steps[now].responsibilities
    if now == 0:
        return int(shares.max(axis=1).argmin())
    return int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())


def shared_out(steps: Steps, now: int, start: str) -> str:
    """Write what an expectation did: for how many points the main component changes.

    start : where the run begins.
    """
    step = steps[now]
    n, k = step.responsibilities.shape
    if now == 0:
        said = (
            f"Start ({start}): the {n} points are shared out among {counted(k, 'component')}; "
            f"log-likelihood {rounded(step.log_likelihood)}."
        )
    else:
        main = (each.responsibilities.argmax(axis=1) for each in (steps[now - 1], step))
        changed = f"{int(np.not_equal(*main).sum())} of {n} the main component changes."
        said = f"Expectation: recompute every point's shares; for {changed}"
        if step.event == "converged":
            likelihood = rounded(step.log_likelihood)
            return (
                f"Converged at a log-likelihood of {likelihood}: every component fits its points, "
                f"and for {changed}"
            )
    return f"{said}{mishap(steps, now)}"


def closed(steps: Steps, now: int, density: str = "p(x)") -> str:
    """Write that the bound now equals the log-likelihood."""
    likelihood = number(steps[now].log_likelihood, 6)
    if now == 0:
        return f"Bound = log-likelihood = Σ ln {density} = {likelihood}."
    gap = number(max(steps[now - 1].gap, 0.0))
    return f"KL {gap} → 0: bound = log-likelihood = {likelihood}."


def rises(steps: Steps, now: int) -> str:
    """Write by how much a maximization raises the log-likelihood, and what went wrong."""
    before, step = steps[now - 1], steps[now]
    rise = step.log_likelihood - before.log_likelihood
    likelihood = rounded(step.log_likelihood)
    words = "Maximization: fit every component to its shares; the log-likelihood"
    allowed = largest_fall(before, step)
    if 0 < -rise <= allowed and -rise > 1e-12 * abs(step.log_likelihood):
        words += (
            f" falls by {number(-rise)} to {likelihood}, because of the floor (it can cost "
            f"{number(allowed)} at most)."
        )
    else:
        words += f" rises by {number(max(rise, 0.0))} to {likelihood}."
    return f"{words}{mishap(steps, now)}"


def by_hand(steps: Steps, now: int, data: Plane, kept: str = "weights and covariances") -> str:
    """Write which means were moved by hand, and what this does to the log-likelihood."""
    before, step = steps[now - 1], steps[now]
    far = np.abs(step.means - before.means).max(axis=1)
    moved = np.flatnonzero(far > _ROUNDING * np.abs(before.means).max())
    places = [f"mean {j + 1} goes to {vector(step.means[j])}" for j in moved.tolist()]
    old, new = (number(each.log_likelihood, 6) for each in (before, step))
    what = f"By hand: drag a mean or a point; nothing is moved yet. {kept.capitalize()}"
    if places:
        what = f"By hand: {', '.join(places)}; {kept}"
    elif data.moved is not None:
        what = f"Means, {kept}"
    return f"{what} stay. Log-likelihood {old} → {new}."


def mishap(steps: Steps, now: int) -> str:
    """Write how the run ended, or what went wrong."""
    step = steps[now]
    if step.event in (None, "converged", "stopped at max_iter"):
        return {
            None: "",
            "converged": " Converged.",
            "stopped at max_iter": " Stopped: no more iterations are allowed.",
        }[step.event]
    sizes = step.weights * len(step.responsibilities)
    if step.event == "empty component":
        return f" No point is left to component {int(sizes.argmin()) + 1}: it stays put."
    known = steps[now - 1].collapsed if now else np.zeros(len(sizes), bool)
    new = np.flatnonzero(step.collapsed & ~known)
    j = int(new[0]) if len(new) else int(step.collapsed.argmax())
    who = f"component {j + 1} (Σ q = {number(sizes[j])})"
    if step.event == "collapse":
        floor = step.family.share
        held = f"the floor λ = {number(floor)} holds it" if floor > 0 else "no floor holds it"
        return f" Collapse: {who} shrinks onto a point or line; {held}."
    return f" Singular: {who} has no width, its density is infinite. A floor > 0 prevents it."
