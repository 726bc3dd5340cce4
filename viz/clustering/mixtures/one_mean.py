"""Pictures and words for EM in one parameter: a curve, and the bound that touches it."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.one_mean import OneMeanStep
from viz.clustering.mixtures import one_mean_questions
from viz.clustering.mixtures.lower_bound import BARS, BOUND, KL, bound_view
from viz.core import curves, plane, soft_groups
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY
from viz.core.words import added, number

_PLACES = 161  # along the curve; the bound is a parabola


def climbing(run: Run, data: Plane, width: float) -> Scene:
    """Show how EM climbs the curve of one parameter. width : sigma as a share of the spread."""
    steps = run.steps
    views = [
        View("Mean 1 slides along the line, all else is held",
             lambda now: picture(data, steps, now)),
        View("Log-likelihood over m; the bound touches it", touching(data, steps), 1.4),
        bound_view(steps),
    ]  # fmt: skip
    note = (
        f"Two round components of equal weight; σ = {width:g} × the spread of the data = "
        f"{number(steps[0].sigma)} (circles at 1 and 2 σ). Only m, the first coordinate of mean 1, "
        "is estimated. Drag 1 to begin elsewhere, 2 to hold the other component elsewhere. "
        f"{BARS}"
    )
    return Scene(
        views,
        lambda now: caption(steps, now, data.X),
        note,
        ask=one_mean_questions.ask(data, steps),
    )


def picture(data: Plane, steps: Sequence[OneMeanStep], now: int) -> Figure:
    """Draw both components, and the line that the first mean slides along."""
    step = steps[now]
    left, right, *_ = data.bounds
    height = step.means[0, 1]
    spread = np.stack([step.sigma**2 * np.eye(2)] * 2)
    traces = [
        plane.line(
            np.array([[left, height], [right, height]]),
            line={"width": 2, "dash": "dot", "color": GREY},
        ),
        *soft_groups.ellipses(step.means, spread),
        soft_groups.centers(step.means, data.bounds),
    ]
    points = soft_groups.points(data.X, step.responsibilities)
    return plane.figure(traces, data.bounds, data.names, points=points)


def touching(data: Plane, steps: Sequence[OneMeanStep]) -> Callable[[int], Figure]:
    """Draw the log-likelihood over the parameter, this step's bound, and the gap at its value."""
    left, right, *_ = data.bounds
    at = np.linspace(left, right, _PLACES)
    values = steps[0].log_likelihood_at(data.X, at)
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    curve = plane.line(np.column_stack([at, values]), name="log-likelihood", showlegend=True)
    curve |= {"line": {"width": 2.5}}
    layout = curves.panel_layout(
        xaxis={"range": [left, right], "nticks": 6, "title": {"text": "m", "standoff": 2}},
        yaxis={"range": [low - room, high + 2 * room], "nticks": 5},
    )
    still = curves.with_legend({"data": [], "layout": layout})
    still["layout"]["margin"]["b"] = 40

    def draw(now: int) -> Figure:
        step = steps[now]
        m, best = float(step.means[0, 0]), step.maximum(data.X)
        bound = step.bound_at(data.X, at)
        bound[bound < low - 3 * (high - low)] = np.nan  # far below the picture
        summit = step.bound_at(data.X, np.array([best]))[0]
        gap = np.array([[m, step.lower_bound], [m, step.log_likelihood]])
        dashed = {"width": 2.5, "color": BOUND, "dash": "dash"}
        traces = [
            curve,
            plane.line(np.column_stack([at, bound]), name="bound", showlegend=True, line=dashed),
            plane.line(gap, name="KL", showlegend=True, line={"width": 6, "color": KL}),
            plane.line(
                np.array([[best, summit]]),
                mode="markers",
                marker={"size": 11, "symbol": 5, "color": BOUND},
            ),
            curves.marked(m, step.log_likelihood, showlegend=False),
        ]
        return still | {"data": traces}

    return draw


def caption(steps: Sequence[OneMeanStep], now: int, X: ndarray) -> str:
    """Say what half-step `now` did to the bound or to m, with its numbers in the rule."""
    step = steps[now]
    m, likelihood = number(step.means[0, 0], 4), number(step.log_likelihood, 6)
    size = float(step.responsibilities[:, 0].sum())
    if step.phase == "maximization":
        before = steps[now - 1]
        rise = number(max(step.log_likelihood - before.log_likelihood, 0.0))
        return (
            f"Maximization: m goes to the summit of the bound; the log-likelihood rises by {rise} "
            f"to {likelihood}.\n"
            f"m ← Σ q x / Σ q = {number(size * step.maximum(X), 4)} / {number(size, 4)} = {m}, "
            f"with x the first coordinates. Bound {number(before.lower_bound, 6)} → "
            f"{number(step.lower_bound, 6)}; KL is now {number(max(step.gap, 0.0))}."
        )
    summit = (
        f"The summit of the bound is at m = {number(step.maximum(X), 4)}: "
        f"B(m) = {number(step.bound_at(X, np.array([step.maximum(X)]))[0], 6)} − Σ q / 2σ² · "
        f"(m {added(-step.maximum(X), 4)})², with Σ q = {number(size, 4)} of {len(X)} points."
    )
    if now == 0:
        return (
            f"Start: mean 1 is at m = {m}, and the bound touches the log-likelihood, {likelihood}."
            f"\n{summit}"
        )
    gap = number(max(steps[now - 1].gap, 0.0))
    end = {
        None: "",
        "converged": " Converged.",
        "stopped at max_iter": " Stopped: no more iterations are allowed.",
    }[step.event]
    return (
        f"Expectation: the points are shared out anew, and the bound touches the curve again at "
        f"m = {m}.{end}\nKL {gap} → 0. {summit}"
    )
