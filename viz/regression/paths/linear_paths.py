"""Pictures for ridge and lasso: the fit, the paths of the weights, the errors and the prior."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.penalty_curve import PenaltyCurve
from algorithms.regression.paths.regressors import Regressors
from algorithms.regression.paths.weight_prior import relative_density
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.theme import PALETTE
from viz.core.words import number

TRAINING, VALIDATION = PALETTE[0], PALETTE[1]
_FITTED = 150  # fitted values shown at most
_REACH = 3.0  # weights are drawn up to so many times those of the best penalty


def picture(
    plane_points: ndarray,
    data: Regressors,
    steps: Sequence[Any],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str],
) -> dict:
    """Draw the points, training and held out, the fit of this step and the last one's, dotted.

    With several columns the line holds all others at their means, and small dots are the values
    fitted to the points (to 150 of them at most).
    """
    step = steps[now]
    some = np.linspace(0, len(data.X) - 1, min(len(data.X), _FITTED)).round().astype(int)
    shown = np.empty(0, int) if data.curve else some
    fitted = np.column_stack([plane_points[shown, 0], step.predict(data.X[shown])])

    def line(model: Any, **style: Any) -> dict:
        return plane.line(np.column_stack([data.line_x, model.predict(data.line)]), line=style)

    traces = [
        line(steps[-1], width=2, dash="dot", color=panels.INK),
        line(step, width=4),
        plane.points(plane_points, data.held),
        plane.line(fitted, mode="markers", marker={"size": 5}),
    ]
    figure = plane.figure(traces, bounds, names)
    figure["layout"]["annotations"] = [_key(data)]
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 24}
    return figure


def _key(data: Regressors) -> dict:
    """Say above the picture what its marks are."""
    signs = [f'<span style="color:{TRAINING}">●</span> training']
    if data.held.any():
        signs.append(f'<span style="color:{VALIDATION}">■</span> held out')
    signs += ["━ fit"] if data.curve else ["• fitted", "━ at means"]
    text = " &nbsp;".join([*signs, "┄ last step"])
    place = {"x": 0, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left"}
    return {**place, "yanchor": "bottom", "showarrow": False, "text": text, "font": {"size": 13}}


def paths(
    curve: PenaltyCurve, names: tuple[str, ...], order: int, steps: Sequence[Any], now: int
) -> dict:
    """Draw every weight against the penalty, large to small, and against the norm."""
    step = steps[now]
    limits = weight_limits(curve)
    left = against_penalty(curve, steps, now, limits)
    size = float(np.linalg.norm(step.weights, order))
    most = _reach(curve.norms, limits)
    right = Panel(
        [
            *_lines(plane.packed(curve.norms), curve, step),
            panels.upright(size, *limits),
            _dots(size, step.weights),
        ],
        panels.axis("‖w‖₁" if order == 1 else "‖w‖₂", 0.0, most),
        {"range": list(limits), "showticklabels": False},
        panels.names_beside(names, curve.weights[np.flatnonzero(curve.norms <= most)[-1]], *limits),
    )
    return panels.side_by_side(left, right, room=0.03)


def against_penalty(
    curve: PenaltyCurve, steps: Sequence[Any], now: int, limits: tuple[float, float]
) -> Panel:
    """Draw every weight against the penalty."""
    step, here = steps[now], _place(curve, steps[now])
    return Panel(
        [
            *_lines(plane.packed(curve.penalties), curve, step),
            panels.upright(here, *limits),
            _dots(here, step.weights),
        ],
        _penalty_axis(curve),
        {"title": {"text": "weight", "standoff": 2}, "range": list(limits), "nticks": 5},
    )


def errors(curve: PenaltyCurve, steps: Sequence[Any], now: int) -> Panel:
    """Draw both errors against the penalty, and a star where the held-out one is least."""
    both = np.concatenate([curve.training, curve.validation])
    low, high = float(both.min()), float(both.max())
    if len(curve.validation) and high > 3 * curve.training.max():
        high = 3 * float(curve.training.max())  # what overfitting costs beyond that is off the plot
    here = _place(curve, steps[now])
    at = int(np.abs(np.log(curve.penalties / here)).argmin())
    best = curve.best
    held = curve.validation if best is not None else np.full(len(curve.penalties), np.nan)
    x = plane.packed(curve.penalties)
    traces = [
        panels.curve(x, plane.packed(curve.training), line={"width": 3, "color": TRAINING}),
        panels.curve(x, plane.packed(held), line={"width": 3, "color": VALIDATION, "dash": "dash"}),
        {
            **curves.marked(0, 0),
            "x": [] if best is None else [float(curve.penalties[best])],
            "y": [] if best is None else [float(held[best])],
            "marker": {"size": 14, "symbol": "star", "color": VALIDATION},
        },
        panels.upright(here, low - (high - low), high + (high - low)),
        panels.curve(
            [here] * 2,
            [float(curve.training[at]), None if best is None else float(held[at])],
            mode="markers",
            marker={"size": 9, "color": [TRAINING, VALIDATION], "symbol": ["circle", "square"]},
        ),
    ]
    return Panel(traces, _penalty_axis(curve), panels.axis("RMS error", low, high))


def prior(
    curve: PenaltyCurve, variance: float, order: int, steps: Sequence[Any], now: int
) -> Panel:
    """Draw the prior density that the penalty stands for, and the weights on it."""
    step = steps[now]
    low, high = weight_limits(curve)
    most = max(-low, high)
    w = np.linspace(-most, most, 121)

    def density(weights: ndarray) -> ndarray:
        return relative_density(weights, step.penalty, variance, order=order)

    colors = [panels.color(j) for j in range(len(step.weights))]
    traces = [
        panels.curve(
            plane.packed(w), plane.packed(density(w)), fill="tozeroy", line={"width": 2},
            fillcolor="rgba(122,127,135,0.25)",
        ),
        panels.curve(
            plane.packed(step.weights), plane.packed(density(step.weights)), mode="markers",
            marker={"size": 9, "color": colors, "line": {"width": 1}},
        ),
    ]  # fmt: skip
    y = {"range": [0, 1.08], "showticklabels": False}
    return Panel(traces, panels.axis("weight", -most, most), y)


def errors_and_prior(
    curve: PenaltyCurve, variance: float, order: int, steps: Sequence[Any], now: int
) -> dict:
    """Draw the errors against the penalty, and the prior beside them."""
    left, right = errors(curve, steps, now), prior(curve, variance, order, steps, now)
    return panels.side_by_side(left, right, split=0.52, room=0.06)


def errors_title(curve: PenaltyCurve, order: int) -> str:
    """Name the two plots, and the best penalty."""
    kind = "Laplace" if order == 1 else "Gaussian"
    if curve.best is None:
        return f"Training error; {kind} prior of a weight"
    best = float(curve.penalties[curve.best])
    return (
        f"Error: training, held out (dashed, least at λ = {number(best)}); {kind} prior of a weight"
    )


def weight_limits(curve: PenaltyCurve) -> tuple[float, float]:
    """Choose the weights to show: all, unless those without a penalty dwarf the useful ones."""
    best = len(curve.penalties) - 1 if curve.best is None else curve.best
    reach = _REACH * float(np.abs(curve.weights[best]).max())
    low, high = float(curve.weights.min()), float(curve.weights.max())
    if reach > 0:
        low, high = max(low, -reach), min(high, reach)
    room = 0.08 * (high - low) or 1.0
    return low - room, high + room


def _reach(norms: ndarray, limits: tuple[float, float]) -> float:
    """End the axis of the norm where the weights leave the plot, as far as one can tell."""
    most = float(norms.max())
    return min(most, 4 * max(-limits[0], limits[1])) if len(norms) > 1 else most


def _penalty_axis(curve: PenaltyCurve) -> dict:
    top, bottom = float(curve.penalties[0]), float(curve.penalties[-1])
    return panels.falling_log_axis("penalty λ, falling", top, bottom)


def _place(curve: PenaltyCurve, step: Any) -> float:
    """Where a step is on the axis of the penalty: 0 is drawn at its end."""
    return max(step.penalty, float(curve.penalties[-1]))


def _lines(x: dict, curve: PenaltyCurve, step: Any) -> list[dict]:
    """Draw a line for every weight; that of the variable that enters or leaves is thick."""
    named = getattr(step, "variable", -1)
    return [
        panels.curve(x, plane.packed(column), line=panels.stroke(j, 5 if j == named else 2))
        for j, column in enumerate(curve.weights.T)
    ]


def _dots(x: float, weights: ndarray) -> dict:
    colors = [panels.color(j) for j in range(len(weights))]
    marker = {"size": 7, "color": colors, "line": {"width": 1}}
    places = plane.packed(np.full(len(weights), x))
    return panels.curve(places, plane.packed(weights), mode="markers", marker=marker)
