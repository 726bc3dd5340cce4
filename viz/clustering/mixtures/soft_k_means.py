"""Pictures and words for soft k-means."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.soft_k_means import SoftKMeansStep
from viz.clustering.mixtures import soft_k_means_questions
from viz.core import curves, plane, soft_groups
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import color, dash
from viz.core.words import counted, number


def soft_k_means(run: Run, data: Plane, start: str, multiple: float) -> Scene:
    """Show the half-steps, and how the centres share the points between them.

    start : how the first centres were found. multiple : of the critical stiffness.
    """
    steps = run.steps
    series = {
        "F": [step.free_energy for step in steps],
        "inertia": [step.inertia for step in steps],
    }
    views = [
        View("Points in the blend of their centres", lambda now: picture(data, steps, now)),
        View("Free energy and inertia at every half-step", curves.timeline(series), ahead=True),
        View("Shares on the line through centres 1 and 2", lambda now: along(steps[now])),
    ]
    return Scene(
        views,
        lambda now: caption(data.X, steps, now, start=start),
        note(steps[0], multiple),
        ask=soft_k_means_questions.ask(steps),
    )


def picture(data: Plane, steps: Sequence[SoftKMeansStep], now: int) -> Figure:
    """Draw the points in their centres' colours, and around each centre 1 standard deviation."""
    step = steps[now]
    moves, ring = [], plane.GAP
    if step.phase == "move":
        moves = list(np.stack([steps[now - 1].centers, step.centers], axis=1))
    else:
        ring = data.X[[example(step)]]
    traces = [
        *soft_groups.circles(step.centers, (2 * step.stiffness) ** -0.5),
        plane.line(plane.joined(moves), line={"width": 2, "dash": "dot"}),
        plane.rings(ring, size=21),
        soft_groups.centers(step.centers, data.bounds),
    ]
    points = soft_groups.points(data.X, step.responsibilities)
    return plane.figure(traces, data.bounds, data.names, points=points)


def example(step: SoftKMeansStep) -> int:
    """Give the point whose responsibilities are the least decided."""
    return int(step.responsibilities.max(axis=1).argmin())


def along(step: SoftKMeansStep) -> Figure:
    """Draw every centre's responsibility on the line through centres 1 and 2."""
    start, end = step.centers[0], step.centers[min(1, len(step.centers) - 1)]
    at = np.linspace(-0.5, 1.5, 17)
    shares = step.shares(start + at[:, None] * (end - start))
    traces = [
        plane.line(
            np.column_stack([at, share]),
            line={"width": 2.5, "color": color(j), "dash": dash(j), "shape": "spline"},
        )
        for j, share in enumerate(shares.T)
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, 1.5], "tickvals": [0, 0.5, 1],
               "ticktext": ["centre 1", "half-way", "centre 2"]},
        yaxis={"range": [-0.05, 1.05], "nticks": 4, "title": {"text": "share"}},
    )  # fmt: skip
    return {"data": traces, "layout": layout}


def caption(X: ndarray, steps: Sequence[SoftKMeansStep], now: int, *, start: str) -> str:
    """Say what half-step `now` did, with its numbers."""
    step = steps[now]
    n, k = step.responsibilities.shape
    energy = number(step.free_energy, 5)
    if now == 0:
        who = f"each of the {n} points" if n > 1 else "the only point"
        return (
            f"Start: {counted(k, 'centre')} ({start}); {who} is shared out.\n"
            f"Free energy F = Σ r d² + (1/β) Σ r ln r = {energy}. {_shares(X, step, example(step))}"
        )
    change = (
        f"F {number(step.free_energy + step.fall, 5)} → {energy} (falls by "
        f"{number(max(step.fall, 0.0))})"
    )
    stays = step.fall <= 1e-12 * abs(step.free_energy)
    falls = f"the free energy {'stays at' if stays else 'falls to'} {energy}"
    if step.phase == "assign":
        rule = _shares(X, step, example(step))
        return f"Assign: every point is shared out anew; {falls}.{_ending(step)}\n{rule} {change}."
    j = int(step.shift.argmax())
    size = float(step.responsibilities[:, j].sum())
    place = ", ".join(number(x) for x in step.centers[j])
    return (
        f"Move: every centre goes to the mean of its shares; {falls}.{_ending(step)}\n"
        f"Centre {j + 1} moves farthest, by {number(step.shift[j])}: c ← Σ r x / Σ r = ({place}), "
        f"with Σ r = {number(size)} of {n} points. {change}."
    )


def note(step: SoftKMeansStep, multiple: float) -> str:
    """Say what the stiffness means for these data."""
    return (
        f"β = {multiple:g} × the critical {number(step.stiffness / multiple)}, below which it is "
        "stable that all centres are on the mean (others can be stable, too). This is EM for a "
        "mixture with equal weights and Σ = I / (2β), "
        f"1 standard deviation of {number((2 * step.stiffness) ** -0.5)} (the circles); for very "
        "large β it is k-means."
    )


def _shares(X: ndarray, step: SoftKMeansStep, i: int) -> str:
    """Work out the largest responsibility for a point."""
    squared = np.square(X[i] - step.centers).sum(axis=1)
    j = int(step.responsibilities[i].argmax())
    listed = ", ".join(number(d) for d in squared)
    return (
        f"Ringed point, the least decided: d² = {listed} and β = "
        f"{number(step.stiffness)}; its largest share is r = e^(−βd²) / Σ e^(−βd²) = "
        f"{number(step.responsibilities[i, j])}, of centre {j + 1}."
    )


def _ending(step: SoftKMeansStep) -> str:
    return {
        None: "",
        "centres merge": f" Centres merge: only {step.distinct} different ones are left.",
        "converged": " No centre moves any more: converged.",
        "stopped at max_iter": " Stopped: the iterations allowed are used up.",
    }[step.event]
