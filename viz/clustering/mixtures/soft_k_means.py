"""Pictures and words for soft k-means."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.soft_k_means import SoftKMeansStep
from viz.classification.generative.gaussian_discriminant import DASHES
from viz.core import curves, plane, soft_groups
from viz.core.theme import PALETTE
from viz.core.words import number


def views(
    X: ndarray, steps: Sequence[SoftKMeansStep], place: dict
) -> dict[str, Callable[[int], dict]]:
    """Give the picture and the panels beside it, by title. place : the picture's keywords."""
    return {
        "Points in the blend of their centres": partial(picture, X, steps, **place),
        "Free energy and inertia at every half-step": partial(objective, steps),
        "Shares on the line through centres 1 and 2": partial(along, steps),
    }


def picture(
    X: ndarray,
    steps: Sequence[SoftKMeansStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the points in their centres' colours, and around each centre 1 standard deviation."""
    step = steps[now]
    k = len(step.centers)
    ring = X[[example(steps, now)]] if step.phase == "assign" else np.full((1, 2), np.nan)
    moves = np.full((k, 3, 2), np.nan)
    if step.phase == "move":
        moves[:, 0], moves[:, 1] = steps[now - 1].centers, step.centers
    traces = [
        soft_groups.points(X, step.responsibilities),
        *soft_groups.circles(step.centers, (2 * step.stiffness) ** -0.5),
        plane.line(moves.reshape(-1, 2), line={"width": 2, "dash": "dot"}),
        plane.rings(ring, size=21),
        soft_groups.centers(step.centers, bounds),
    ]
    return soft_groups.figure(traces, k, bounds, names)


def example(steps: Sequence[SoftKMeansStep], now: int) -> int:
    """Give the point whose responsibilities are the least decided."""
    return int(steps[now].responsibilities.max(axis=1).argmin())


def objective(steps: Sequence[SoftKMeansStep], now: int) -> dict:
    """Draw free energy and inertia at every half-step."""
    series = {
        "F": [step.free_energy for step in steps],
        "inertia": [step.inertia for step in steps],
    }
    return curves.history(series, now)


def along(steps: Sequence[SoftKMeansStep], now: int) -> dict:
    """Draw every centre's responsibility on the line through centres 1 and 2."""
    step = steps[now]
    start, end = step.centers[0], step.centers[min(1, len(step.centers) - 1)]
    at = np.linspace(-0.5, 1.5, 17)
    shares = step.shares(start + at[:, None] * (end - start))
    traces = [
        plane.line(
            np.column_stack([at, share]),
            line={"width": 2.5, "color": PALETTE[j], "dash": DASHES[j], "shape": "spline"},
        )
        for j, share in enumerate(shares.T)
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, 1.5], "tickvals": [0, 0.5, 1],
               "ticktext": ["centre 1", "half-way", "centre 2"]},
        yaxis={"range": [-0.05, 1.05], "nticks": 4, "title": {"text": "share"}},
    )  # fmt: skip
    return {"data": traces, "layout": layout}


def caption(X: ndarray, steps: Sequence[SoftKMeansStep], now: int, *, init: str) -> str:
    """Say what half-step `now` did, with its numbers."""
    step = steps[now]
    n, k = step.responsibilities.shape
    energy = number(step.free_energy, 5)
    if now == 0:
        return (
            f"Start: {k} centres ({init}); each of the {n} points is shared out among them. "
            f"Free energy F = Σ r d² + (1/β) Σ r ln r = {energy}.\n"
            f"{_shares(X, step, example(steps, now))}"
        )
    change = (
        f"F {number(step.free_energy + step.fall, 5)} → {energy} (falls by "
        f"{number(max(step.fall, 0.0))})"
    )
    if step.phase == "assign":
        rule = _shares(X, step, example(steps, now))
        return f"Assign: every point is shared out anew; {change}.{_ending(step)}\n{rule}"
    j = int(step.shift.argmax())
    size = float(step.responsibilities[:, j].sum())
    place = ", ".join(number(x) for x in step.centers[j])
    return (
        f"Move: every centre goes to the mean of its shares; {change}.{_ending(step)}\n"
        f"Centre {j + 1} moves farthest, by {number(step.shift[j])}: μ ← Σ r x / Σ r = ({place}), "
        f"with Σ r = {number(size)} of {n} points."
    )


def note(step: SoftKMeansStep, multiple: float) -> str:
    """Say what the stiffness means for these data."""
    return (
        f"β = {multiple:g} × the critical {number(step.stiffness / multiple)}, below which all "
        f"centres merge on the mean. This is EM for a mixture with equal weights and Σ = I / (2β), "
        f"1 standard deviation of {number((2 * step.stiffness) ** -0.5)} (the circles); for very "
        "large β it is k-means."
    )


def _shares(X: ndarray, step: SoftKMeansStep, i: int) -> str:
    """Work out the largest responsibility for a point."""
    squared = np.square(X[i] - step.centers).sum(axis=1)
    j = int(step.responsibilities[i].argmax())
    listed = ", ".join(number(d) for d in squared)
    return (
        f"Ringed point, the least decided: d² = {listed} to the centres, β = "
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
