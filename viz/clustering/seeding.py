"""Pictures and words for k-means++: one centre drawn after the other."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.k_means_plus_plus import PlusPlusStep
from viz.clustering import k_means, k_means_questions
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import color
from viz.core.words import number, vector

_SMALLEST, _LARGEST = 0.35, 2.2  # diameters of the points, of the usual one
_LARGER = "Points as large as their distance D to the nearest centre"
_NOTE = (
    "While centres are drawn, a point is as large as its distance D to the nearest one. Ring: the "
    "centre drawn last."
)
_RING = 38  # pixels, around the disc of a centre


def seeding(run: Run, data: Plane) -> Scene:
    """Show the draws with what they were made by, then the half-steps of k-means."""
    steps = run.steps
    k = len(steps[-1].state.centers)
    inertia = {"Σ D²": [step.state.inertia for step in steps]}
    views = [
        View(_LARGER, lambda now: picture(data, steps, k, now)),
        View("Where the next centre is likely to be", lambda now: shares(steps, k, now)),
        View(
            "Σ D², the inertia: after every draw and half-step",
            curves.timeline(inertia),
            ahead=True,
        ),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps, k, now),
        _NOTE,
        ask=k_means_questions.ask_seeding(data, steps),
    )


def picture(data: Plane, steps: Sequence[PlusPlusStep], k: int, now: int) -> Figure:
    """Draw the centres there are; at a draw the points by their D, and a ring around the newest."""
    step = steps[now]
    if step.phase != "draw":
        figure = k_means.picture(data, _lloyd(steps, k), now - k + 1)
        return figure | {
            "points": plane.points(data.X, step.state.labels, size=np.ones(len(data.X)))
        }
    D = np.sqrt(step.squared)
    size = np.maximum(_SMALLEST, _LARGEST * D / (D.max() or 1.0))
    points = plane.points(data.X, step.state.labels, size=size)
    ring = plane.rings(step.state.centers[-1:], size=_RING)
    return k_means.clusters(data, step.state, points, ring, plane.GAP)


def _lloyd(steps: Sequence[PlusPlusStep], k: int) -> list:
    """Give the half-steps of k-means: the last draw has assigned the points for the first time."""
    return [step.state for step in steps[k - 1 :]]


def shares(steps: Sequence[PlusPlusStep], k: int, now: int) -> Figure:
    """Draw which share of the sum of D² each centre's points have."""
    bars = {
        "type": "bar",
        "x": list(range(1, k + 1)),
        "y": np.round(_shares(steps[now], k), 4).tolist(),
        "marker": {"color": [color(j) for j in range(k)]},
        "hovertemplate": "centre %{x}: %{y:.1%} of Σ D²<extra></extra>",
    }
    layout = curves.panel_layout(
        xaxis={"range": [0.4, k + 0.6], "dtick": 1, "title": {"text": "points nearest to centre"}},
        yaxis={"range": [0, 1.05], "nticks": 5, "tickformat": ".0%"},
    )
    layout["margin"] = layout["margin"] | {"b": 44}
    return {"data": [bars], "layout": layout}


def _shares(step: PlusPlusStep, k: int) -> np.ndarray:
    sums = np.bincount(step.state.labels, weights=step.squared, minlength=k)
    return sums / (sums.sum() or 1.0)


def caption(data: Plane, steps: Sequence[PlusPlusStep], k: int, now: int) -> str:
    """Say which point was drawn, and by what chance; the half-steps as k-means has them."""
    step, n = steps[now], len(data.X)
    if step.phase != "draw":
        return k_means.caption(_lloyd(steps, k), now - k + 1, init="k-means++")
    place, total = vector(data.X[step.drawn]), number(step.state.inertia, 4)
    if now == 0:
        return (
            f"Centre 1 is drawn: any of the {n} points, each with the same chance of 1 / {n}.\n"
            f"It is the point {place}. D is the distance of a point to it; Σ D² = {total}."
        )
    before = steps[now - 1]
    if not before.squared.any():
        return (
            f"Centre {now + 1} is drawn: every point is on a centre, so all chances are equal.\n"
            f"It is the point {place}; Σ D² stays 0."
        )
    D2, whole = float(before.squared[step.drawn]), before.state.inertia
    owner = before.state.labels[step.drawn] + 1
    first = (
        f"Centre {now + 1} is drawn, at a distance of {number(D2**0.5)} from centre {owner}; "
        f"Σ D² falls to {total}."
    )
    rule = (
        f"Chance of the point {place}: D² / Σ D² = {number(D2)} / {number(whole, 4)} = "
        f"{number(100 * step.chance)} %; equal chances would be {number(100 / n)} %."
    )
    if now < k - 1:
        return f"{first}\n{rule}"
    return f"{first} All {k} centres are drawn: k-means goes on from here.\n{rule}"
