"""Pictures and words for k-means."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.k_means import KMeansStep
from viz.core import curves, plane
from viz.core.theme import PALETTE
from viz.core.words import vector

_TRAIL = 8  # places along a centre's trail


def picture(
    X: ndarray, steps: Sequence[KMeansStep], now: int, *, bounds: plane.Bounds, names=("x", "y")
) -> dict:
    """Draw the Voronoi regions, the points and the centres with the trail they came along.

    Points that changed their cluster in this half-step have a ring.
    """
    step = steps[now]
    x, y, cells = plane.grid(bounds, 160)  # the borders are not drawn as lines: let them be sharp
    owner = step.predict(cells).reshape(len(y), len(x))
    moves = [s.centers for s in (steps[0], *steps[1 : now + 1 : 2])]  # every other step moves
    kept = np.linspace(0, len(moves) - 1, min(len(moves), _TRAIL)).round().astype(int)
    trail = np.stack(moves)[kept]  # (places, k, 2)
    gaps = np.full((1, trail.shape[1], 2), np.nan)
    path = np.concatenate([trail, gaps]).swapaxes(0, 1).reshape(-1, 2)
    traces = [
        plane.regions(owner, None, bounds),
        plane.points(X, step.labels),
        plane.rings(X[_changed(steps, now)]),
        plane.line(
            path, line={"width": 2, "dash": "dot"}, mode="lines+markers", marker={"size": 4}
        ),
        plane.centers(step.centers),
    ]
    return plane.figure(traces, bounds, names)


def _changed(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Tell which of the (n,) points have another label than one step before."""
    return steps[now].labels != steps[max(now - 1, 0)].labels


def objective(steps: Sequence[KMeansStep], now: int) -> dict:
    """Draw the inertia at every half-step."""
    return curves.history({"inertia": [step.inertia for step in steps]}, now)


def choosing_k(choices: Sequence, costs: ndarray, k: int, _now: int) -> dict:
    """Draw inertia and description length, and the silhouette, against k; mark each one's best.

    costs : (len(choices),) description lengths, inertia + gamma k.
    """
    ks = [choice.k for choice in choices]
    inertia = [choice.inertia for choice in choices]
    silhouette = [choice.silhouette for choice in choices]
    shortest, widest = int(np.argmin(costs)), int(np.argmax(silhouette))
    top = 1.06 * max(*inertia, *costs)

    def against_k(name: str, values: Iterable[float], axis: str, **style) -> dict:
        return {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": ks,
            "y": [float(value) for value in values],
            "yaxis": axis,
            "hovertemplate": f"k = %{{x}}: {name} %{{y:.4g}}<extra></extra>",
            **style,
        }

    traces = [
        against_k("inertia", inertia, "y", marker={"symbol": 0}),
        against_k(
            "MDL cost", costs, "y", line={"dash": "dash", "color": PALETTE[0]}, marker={"symbol": 1}
        ),
        curves.marked(ks[shortest], float(costs[shortest]), showlegend=False),
        against_k("silhouette", silhouette, "y2", line={"color": PALETTE[2]}, marker={"symbol": 2}),
        curves.marked(ks[widest], silhouette[widest], yaxis="y2", showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
        yaxis={"title": {"text": "cost"}, "domain": [0.5, 1], "range": [0, top], "nticks": 4},
        yaxis2={
            "title": {"text": "silh."},
            "domain": [0, 0.4],
            "range": [min(0.0, *silhouette) - 0.05, 1.05],
            "nticks": 4,
        },
        shapes=[
            {"type": "line", "x0": k, "x1": k, "y0": 0, "y1": 1, "yref": "paper"}
            | {"line": {"width": 1, "dash": "dot", "color": "#7A7F87"}}
        ],
    )
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout |= {"showlegend": True, "legend": legend}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces, "layout": layout}


def caption(steps: Sequence[KMeansStep], now: int, *, init: str) -> str:
    """Say what half-step `now` did, with its numbers."""
    step = steps[now]
    n, k = len(step.labels), len(step.centers)
    if now == 0:
        first = (
            f"Start: {k} centres ({init}), and each of the {n} points joins its nearest one. "
            f"Inertia = Σ ‖x − μ‖² = {step.inertia:.4g}."
        )
        return "\n".join([first, f"Points per cluster: {_counts(step)}."])
    if step.phase == "assign":
        what = f"Assign: {step.changed} of {n} points change{'s' * (step.changed == 1)} cluster"
        rule = (
            f"Each point joins its nearest centre{_exchanges(steps, now)}; "
            f"the clusters now hold {_counts(step)}."
        )
    else:
        j = int(np.argmax(step.shift))
        what = f"Move: every centre goes to the mean of its points, the farthest is {j + 1}"
        moves = ", ".join(f"{i + 1}: {distance:.3g}" for i, distance in enumerate(step.shift))
        x, y = step.centers[j]
        rule = (
            f"μ{j + 1} ← sum of its {step.sizes[j]} points / {step.sizes[j]} = {vector((x, y))}. "
            f"Distances moved: {moves}."
        )
    before = step.inertia + step.fall
    change = f"inertia {before:.5g} → {step.inertia:.5g} (falls by {step.fall:.3g})"
    return f"{what}; {change}.{_ending(step)}\n{rule}"


def _exchanges(steps: Sequence[KMeansStep], now: int) -> str:
    """Name the clusters that points went between, the largest groups first."""
    changed = _changed(steps, now)
    if not changed.any():
        return ""
    pairs = np.stack([steps[now - 1].labels[changed], steps[now].labels[changed]]) + 1
    kinds, sizes = np.unique(pairs, axis=1, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")[:4]
    named = [f"{sizes[i]} from {kinds[0, i]} to {kinds[1, i]}" for i in largest]
    rest = ", ..." if len(sizes) > 4 else ""
    return f" (ringed: {', '.join(named)}{rest})"


def _counts(step: KMeansStep) -> str:
    return ", ".join(f"{j + 1}: {size}" for j, size in enumerate(step.sizes))


def _ending(step: KMeansStep) -> str:
    return {
        None: "",
        "empty cluster": " A cluster has no points: its centre stays where it is.",
        "converged": " No point changes any more: converged.",
        "stopped at max_iter": " Stopped: the iterations allowed are used up.",
    }[step.event]
