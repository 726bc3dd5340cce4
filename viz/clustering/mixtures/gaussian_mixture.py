"""Pictures for mixtures of Gaussians."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.mixtures.mixture_choice import MixtureChoiceStep
from algorithms.clustering.mixtures.multinomial_mixture import MultinomialMixtureStep
from viz.core import curves, plane, soft_groups
from viz.core.theme import PALETTE

BOUND = "Log-likelihood = bound + KL: at every half-step; before and now"

_GAP = np.full((1, 2), np.nan)
Step = GaussianMixtureStep | MultinomialMixtureStep  # of any EM

_BOUND, _KL = PALETTE[0], PALETTE[4]


def views(
    X: ndarray,
    steps: Sequence[GaussianMixtureStep],
    choices: Sequence[MixtureChoiceStep],
    k: int,
    place: dict,
) -> dict[str, Callable[[int], dict]]:
    """Give the picture and the panels beside it, by title. place : the picture's keywords."""
    title = "Points in the blend of their components, 1 and 2 standard deviations"
    shown = {title: partial(picture, X, steps, **place), BOUND: partial(bound, steps)}
    if choices:
        shown["Choosing k: BIC, and points that were held out"] = partial(choosing_k, choices, k)
    return shown


def picture(
    X: ndarray,
    steps: Sequence[GaussianMixtureStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the points in their components' colours, the components, and where they were.

    An expectation has a ring around the point whose shares changed most; a maximization a dotted
    ellipse where every component was before.
    """
    step = steps[now]
    before = [_GAP]
    ring = np.full((1, 2), np.nan)
    if step.phase == "maximization":
        last = steps[now - 1]
        before = soft_groups.outlines(last.means, last.covariances, (1.0,), 11)
    else:
        ring = X[[example(steps, now)]]
    traces = [
        soft_groups.points(X, step.responsibilities),
        soft_groups.curve(np.concatenate(before), width=1.5, dash="dot"),
        *soft_groups.ellipses(step.means, step.covariances),
        plane.rings(ring, size=21),
        soft_groups.centers(step.means, bounds),
    ]
    return soft_groups.figure(traces, len(step.means), bounds, names)


def example(steps: Sequence[GaussianMixtureStep], now: int) -> int:
    """Give the point whose responsibilities changed most; at the start the least decided one."""
    shares = steps[now].responsibilities
    if now == 0:
        return int(shares.max(axis=1).argmin())
    return int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())


def bound(steps: Sequence[Step], now: int) -> dict:
    """Draw log-likelihood and bound at every half-step; beside it both halves of this pair."""
    likelihood = np.array([step.log_likelihood for step in steps])
    lower = np.array([step.lower_bound for step in steps])
    at = np.arange(len(steps), dtype=float)
    low, high = float(lower.min()), float(likelihood.max())
    room = 0.08 * (high - low) or 0.01 * abs(high) or 1.0
    mode = "lines+markers" if len(steps) <= 60 else "lines"
    look = {"mode": mode, "marker": {"size": 5}, "showlegend": True}
    traces = [
        plane.line(np.column_stack([at, lower]), name="bound", **look)
        | {"line": {"color": _BOUND, "width": 2, "dash": "dash"}},
        plane.line(np.column_stack([at, likelihood]), name="log-likelihood", **look)
        | {"line": {"width": 2}},
        curves.marked(now, float(lower[now]), showlegend=False),
        curves.marked(now, float(likelihood[now]), showlegend=False),
    ]
    bars, scale = _bars(likelihood, lower, now)
    wide = max(len(steps) - 1, 1)
    layout = curves.panel_layout(
        xaxis={"range": [-0.04 * wide, 1.04 * wide], "domain": [0, 0.6], "nticks": 6},
        yaxis={"range": [low - room, high + room], "nticks": 5},
        xaxis2={"domain": [0.78, 1], "anchor": "y2", "range": [-0.6, 1.6]},
        yaxis2={"range": scale, "anchor": "x2", "nticks": 4, "tickfont": {"size": 11}},
    )
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout |= {"showlegend": True, "legend": legend, "barmode": "overlay"}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces + bars, "layout": layout}


def _bars(likelihood: ndarray, lower: ndarray, now: int) -> tuple[list[dict], list[float]]:
    """Stack the bound and KL, one half-step before and now, on a scale of their own."""
    pair = [max(now - 1, 0), now]
    bounds, tops = lower[pair], likelihood[pair]
    low, high = float(bounds.min()), float(tops.max())
    room = max(0.25 * (high - low), 1e-6 * (1 + abs(high)))
    base = low - 2 * room

    def bar(name: str, foot: ndarray, top: ndarray, color: str) -> dict:
        return {
            "type": "bar",
            "name": name,
            "x": ["before", "now"],
            "y": (top - foot).tolist(),
            "base": foot.tolist(),
            "width": 0.7,
            "xaxis": "x2",
            "yaxis": "y2",
            "marker": {"color": color},
            "showlegend": name == "KL",
            "hovertemplate": f"%{{x}}: {name} %{{y:.5g}}<extra></extra>",
        }

    bars = [
        bar("bound", np.full(2, base), bounds, _BOUND),
        bar("KL", bounds, tops, _KL),
    ]
    return bars, [base, high + room]


def choosing_k(choices: Sequence[MixtureChoiceStep], k: int, _now: int) -> dict:
    """Draw BIC and held-out log-likelihood against k; mark each one's best."""
    ks = [choice.k for choice in choices]
    bic = np.array([choice.bic for choice in choices])
    held = np.array([choice.held_out for choice in choices])
    best, likeliest = int(bic.argmin()), int(held.argmax())

    def against_k(name: str, values: ndarray, axis: str, **style) -> dict:
        return {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": ks,
            "y": values.tolist(),
            "yaxis": axis,
            "hovertemplate": f"k = %{{x}}: {name} %{{y:.5g}}<extra></extra>",
            **style,
        }

    traces = [
        against_k("BIC (low is good)", bic, "y", marker={"symbol": 1}),
        curves.marked(ks[best], float(bic[best]), showlegend=False),
        against_k("held out, per point (high is good)", held, "y2", line={"color": PALETTE[2]},
                  marker={"symbol": 2}),
        curves.marked(ks[likeliest], float(held[likeliest]), yaxis="y2", showlegend=False),
    ]  # fmt: skip
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
        yaxis=_panel("BIC", 0.54, _near(-bic, -1)),
        yaxis2=_panel("ln p", 0.0, _near(held, 1)),
        shapes=[
            {"type": "line", "x0": k, "x1": k, "y0": 0, "y1": 1, "yref": "paper"}
            | {"line": {"width": 1, "dash": "dot", "color": soft_groups.QUIET}}
        ],
    )  # fmt: skip
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout |= {"showlegend": True, "legend": legend}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces, "layout": layout}


def _panel(name: str, bottom: float, ends: list[float]) -> dict:
    domain = [bottom, bottom + 0.46]
    return {"title": {"text": name}, "domain": domain, "nticks": 4, "range": ends}


def _near(values: ndarray, sign: int) -> list[float]:
    """Give the range around the best (highest) values: a collapse can be far below all others."""
    best, first = float(values.max()), float(values[0])
    low = max(float(values.min()), best - 3 * max(best - first, 0.05 * abs(best), 1e-3))
    room = 0.15 * (best - low) or 0.1
    return sorted([sign * (low - room), sign * (best + room)])
