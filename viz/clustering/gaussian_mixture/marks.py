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

_STILL = 1 / 3  # of the points are undecided where a run is shown first
_ROUNDING = 1e-9  # of the largest coordinate: a mean that moves less has not moved

Steps = Sequence[GaussianMixtureStep]


def picture(steps: Steps, now: int, data: Plane, points: dict, signs: dict[str, str]) -> Figure:
    """Draw the points, the components, and where they were.

    In a maximization a dotted ellipse is where every component was before.
    """
    step = steps[now]
    before = []
    if step.phase == "maximization":
        last = steps[now - 1]
        before = soft_groups.outlines(last.means, last.covariances, (1.0,))
    traces = [
        soft_groups.curve(np.concatenate(before or [plane.GAP]), width=2, dash="dot")
        | {"name": "every component before this step", "opacity": 0.6},
        *soft_groups.ellipses(step.means, step.covariances),
        soft_groups.centers(step.means, data.bounds),
    ]
    return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)


def ghost(steps: Steps, since: int, now: int) -> list[dict]:
    """Draw the ways of the means and the components behind a changed run."""
    step = steps[now]
    rings = soft_groups.outlines(step.means, step.covariances, (1.0,))
    return [
        what_if.paths([each.means for each in steps], since),
        what_if.path(np.concatenate(rings), shape="spline"),
        what_if.numbered(step.means),
    ]


def undecided(step: GaussianMixtureStep) -> int:
    """Return for how many points no component has nearly all."""
    return int((step.responsibilities.max(axis=1) < soft_groups.UNDECIDED).sum())


def still_shared(steps: Steps) -> int:
    """Return the first expectation in which at most a third of the points are undecided."""
    most = _STILL * len(steps[0].responsibilities)
    shares = (i for i, step in enumerate(steps) if step.phase == "expectation")
    return next((i for i in shares if undecided(steps[i]) <= most), 0)


def shared_out(steps: Steps, now: int, start: str) -> str:
    """Write what an expectation did: how many points are undecided after it.

    start : where the run begins.
    """
    step = steps[now]
    n, k = step.responsibilities.shape
    without = undecided(step)
    left = (
        f"{without} of {n} {'is' if without == 1 else 'are'} undecided, "
        f"with no share above {soft_groups.UNDECIDED:g}."
    )
    if now == 0:
        said = (
            f"Start ({start}): the {n} points are shared out among {counted(k, 'component')}; "
            f"{left}"
        )
    else:
        said = f"Expectation: every point is shared out again; {left}"
        if step.event == "converged":
            return (
                "Converged, the log-likelihood practically no longer rises: every component fits "
                f"its shares, and {left}"
            )
    return f"{said}{mishap(steps, now)}"


def closed(steps: Steps, now: int) -> str:
    """Write what an expectation does to the log-likelihood and to its bound."""
    likelihood = number(steps[now].log_likelihood, 4)
    if now == 0:
        return f"The bound touches the log-likelihood, {likelihood}."
    gap = number(max(steps[now - 1].gap, 0.0))
    return (
        f"The components stay, and so does the log-likelihood, {likelihood}. The lower bound that "
        f"the old shares give was {gap} below it; with the new shares it touches it."
    )


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
