"""Pictures for the perceptron and the delta rule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron_bound import Overlap, Proof, Separator
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear.perceptron_account import MOST, Account, History
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE, color
from viz.core.what_if import FAINT, LOOK
from viz.core.words import decimal

_LATEST = 8  # updates

_LOG = {"type": "log", "dtick": 1, "exponentformat": "power"}


@dataclass(frozen=True, eq=False)
class Training:
    """What every view of a run draws from.

    features : of the points, which the run was made with. delta : the delta rule ran, and not the
    perceptron. picked : (2,) the place that the user asks about.
    """

    data: Plane
    features: PolynomialFeatures
    steps: Sequence[PerceptronStep]
    account: Account
    delta: bool
    picked: ndarray

    @cached_property
    def F(self) -> ndarray:
        """The features of the points, as the algorithm sees them."""
        return self.features(self.data.X)

    @property
    def known(self) -> Separator | Overlap:
        """A separator, or the proof that there is none."""
        return self.account.known

    @property
    def proof(self) -> Proof | None:
        """That of the bound on the mistakes, if there is one."""
        return self.account.proof


def trained(step: PerceptronStep) -> bool:
    """Whether the weights being trained are those that predict."""
    same = step.model_bias == step.bias
    return same and bool((step.model_weights == step.weights).all())


def picture(training: Training, now: int) -> Figure:
    """Draw the line of the model, a dashed one, and a ring around the visited sample.

    The dashed line is the one before this visit's update; where the average or the pocket predicts,
    it is that of the weights being trained. At the first and last step of a run without a
    separator, dotted lines show how points of either class mix into the same place, a cross.
    """
    data, features, step = training.data, training.features, training.steps[now]
    across, up, _ = plane.grid(data.bounds)
    cells = plane.on_grid(features, data.bounds)
    scores = step.decision_function(cells).reshape(len(up), len(across))
    corners = plane.on_corners(features, data.bounds)
    other = training.steps[now - 1] if trained(step) and step.amount else step
    dashed = corners @ other.weights + other.bias
    if trained(step) and not step.amount:
        dashed = np.ones(len(corners))  # nowhere 0
    spokes = cross = plane.GAP
    if isinstance(training.known, Overlap) and now in (0, len(training.steps) - 1):
        spokes, cross = _mixture(data, training.known.mixture)
    visited = data.X[[step.index]] if step.index >= 0 else plane.GAP
    traces = [
        plane.regions(step.classes[(scores > 0).astype(int)], None, data.bounds),
        plane.line(spokes, line={"width": 2, "dash": "dot"}),
        plane.line(cross, mode="markers", marker={"symbol": "x", "size": 14}),
        plane.straight_border(dashed, data.bounds, line={"width": 2, "dash": "dash"}),
        plane.straight_border(step.decision_function(corners), data.bounds, line={"width": 3}),
        plane.rings(visited, size=24, line={"width": 3}),
    ]
    wrong = step.predict(training.F) != data.labels
    points = plane.points(data.X, data.labels, wrong)
    return plane.figure(traces, data.bounds, data.names, points=points)


def ghost(training: Training, now: int) -> list[dict]:
    """Draw the line of the model."""
    corners = plane.on_corners(training.features, training.data.bounds)
    scores = training.steps[now].decision_function(corners)
    return [plane.straight_border(scores, training.data.bounds, line=LOOK, opacity=FAINT)]


def _mixture(data: Plane, mixture: ndarray) -> tuple[ndarray, ndarray]:
    """Give lines from the points of a mixture to the place they mix into, and that place."""
    X, y = data.X, data.labels
    used = np.flatnonzero(mixture > 0)
    own = used[y[used] == y[used[0]]]
    place = mixture[own] @ X[own] / mixture[own].sum()
    return plane.joined([np.stack([X[i], place]) for i in used]), place[None]


def weight_space(training: Training) -> Callable[[int], Figure]:
    """Draw a visit's update as vectors, tip to tail, in the plane of the two weights.

    Pale: the way of the latest updates. A diamond marks the weights that predict, where they are
    not those being trained; a dotted ray points to the best separator.
    """
    steps, origin = training.steps, np.zeros(2)
    updates, path = training.account.updates, training.account.path
    low, high = np.minimum(path.min(axis=0), 0), np.maximum(path.max(axis=0), 0)
    span = high - low
    best = origin if isinstance(training.known, Overlap) else training.known.weights
    ray = plane.line(
        np.stack([origin, 2 * best * span.max() / (np.abs(best).max() or 1.0)]),
        line={"width": 2, "dash": "dot", "color": GREY},
    )
    added = "η(y − o)x" if training.delta else "ηyx"

    def at(now: int) -> Figure:
        step = steps[now]
        before = steps[now - 1] if step.amount else step
        made = int(np.searchsorted(updates, now, side="right"))
        room_for_labels = np.abs(step.weights - before.weights).max() > 0.15 * span.max()
        labels = ("w", added, "new w") if room_for_labels else ("", "", "w")
        hue = color(int(training.data.labels[step.index])) if step.amount else GREY
        traces = [
            ray,
            plane.line(
                path[max(made - _LATEST, 0) : made],
                mode="lines+markers", opacity=0.4, line={"width": 1}, marker={"size": 4},
            ),
            arrow(origin, before.weights if step.amount else None, ["", labels[0]], GREY),
            arrow(origin, step.weights, ["", labels[2]]),
            arrow(before.weights, step.weights if step.amount else None, [labels[1], ""], hue),
            plane.line(
                plane.GAP if trained(step) else step.model_weights[None],
                mode="markers", marker={"symbol": "diamond", "size": 13},
            ),
        ]  # fmt: skip
        bias = f"b = {decimal(before.bias)}" + (f" → {decimal(step.bias)}" if step.amount else "")
        return {"data": traces, "layout": weight_plane(low, high, bias)}

    return at


def weight_plane(low: ndarray, high: ndarray, bias: str) -> dict:
    """Lay out the plane of the two weights, with the bias, which it has no room for, in words."""
    span = high - low
    room = 0.12 * np.where(span > 0, span, span.max() or 1.0)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    # Right angles, unless one axis would be squeezed to nothing.
    true = span.max() < 50 * span.min() or span.min() == 0
    corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 1}
    corner |= {"xanchor": "right", "yanchor": "bottom"}  # above the plot: its arrows end anywhere
    layout = curves.panel_layout(
        xaxis={"title": {"text": "w₁", "standoff": 2}, "range": [left, right], "nticks": 7},
        yaxis={
            "title": {"text": "w₂"}, "range": [bottom, top], "nticks": 5,
            "scaleanchor": "x" if true else False,
        },
        annotations=[{"text": bias, "showarrow": False, "font": {"size": 15}} | corner],
    )  # fmt: skip
    layout["margin"] |= {"t": 28, "b": 40}
    return layout


def bound(found: Proof, steps: Sequence[PerceptronStep]) -> Callable[[int], Figure]:
    """Draw the length of (w, b) and its part along u between their bounds, against the mistakes.

    Of more than 1,000 mistakes the curves show so many, evenly spaced along their logarithmic axis;
    the mark is on the very mistake.
    """
    curve = _bound_curves(found)

    def at(now: int) -> Figure:
        made = steps[now].mistakes
        marks = []
        for values in (found.length, found.progress):
            seen = made > 0 and values[made] > 0
            place = [float(made), float(values[made])] if seen else [None, None]
            marks.append(curves.marked(0, 0, showlegend=False) | {"x": place[:1], "y": place[1:]})
        return curve | {"data": curve["data"] + marks}

    return at


def _bound_curves(found: Proof) -> Figure:
    k = np.geomspace(1, 1.5 * max(float(found.mistakes[-1]), found.bound, 2.0), 60)
    (first, rise), (start, growth) = found.floor, found.ceiling
    shown = np.unique(np.geomspace(1, len(found.mistakes), MOST).astype(int))
    shown = shown[shown < len(found.mistakes)]
    lines = {
        "ceiling": (k, np.sqrt(start + growth * k), PALETTE[1], "dash"),
        "‖(w, b)‖": (found.mistakes[shown], found.length[shown], PALETTE[1], "solid"),
        "(w, b)·u": (found.mistakes[shown], found.progress[shown], PALETTE[0], "solid"),
        "floor": (k, first + rise * k, PALETTE[0], "dash"),
    }
    traces = [
        plane.line(
            np.column_stack([x, np.where(values > 0, values, np.nan)]),
            **{"mode": "lines+markers", "marker": {"size": 4}} if dash == "solid" else {},
            name=name,
            showlegend=True,
            line={"width": 2, "color": shade, "dash": dash},
        )
        for name, (x, values, shade, dash) in lines.items()
    ]
    drawn = np.concatenate([values for _, values, _, _ in lines.values()])
    low, high = np.log10(drawn[drawn > 0].min()), np.log10(drawn.max())
    room = 0.08 * (high - low)
    layout = curves.panel_layout(
        xaxis=_LOG
        | {"range": [-0.05, np.log10(k[-1])], "title": {"text": "mistakes k", "standoff": 2}},
        yaxis=_LOG | {"range": [low - room, high + room], "title": {"text": "length"}},
        shapes=[curves.dotted(found.bound, width=2)],
    )
    layout["margin"] |= {"b": 40}
    return curves.with_legend({"data": traces, "layout": layout})


def progress(
    kept: History, n: int, loss: str, measure: Callable[[int], tuple[int, float]], *, log: bool
) -> Callable[[int], Figure]:
    """Draw training errors and loss against the epochs, of `n` visits each.

    What lies between the visits that are kept is not drawn, but the marks are on the very visit.
    measure : errors and loss at a step. loss : its name. log : on a logarithmic axis.
    """
    series = {"errors": kept.errors.tolist(), loss: kept.losses.tolist()}
    still = curves.history(series, 0, log=[loss] if log else [])
    axis = {"hoverinfo": "skip", "x": plane.packed((kept.visits / n).astype(np.float32))}
    lines = [curve | axis for curve in still["data"][::2]]
    epochs = float(kept.visits[-1]) / n
    layout = still["layout"]
    layout["xaxis"] |= {
        "range": [-0.04 * epochs, 1.04 * epochs],
        "title": {"text": "epochs", "standoff": 2},
    }
    layout["margin"] |= {"b": 40}

    def at(now: int) -> Figure:
        traces = []
        for curve, value in zip(lines, measure(now), strict=True):
            traces += [curve, curves.marked(now / n, value, yaxis=curve["yaxis"])]
        return {"data": traces, "layout": layout}

    return at


def arrow(start: ndarray, end: ndarray | None, labels: list[str], color: str | None = None) -> dict:
    """Draw an arrow, labelled in the middle and at the tip; in ink without a colour.

    Without an end nothing is drawn, and where it has no length a dot.
    """
    place = np.full(2, np.nan) if end is None else end
    long = end is not None and bool((start != end).any())
    side = "left" if long and (start + place)[0] < 0 else "right"
    style = {} if color is None else {"color": color}
    return plane.line(
        np.stack([start, (start + place) / 2, place]),
        mode="lines+markers+text",
        text=[f"\u2002{label}\u2002" for label in ("", *labels)],
        textposition=f"middle {side}",
        textfont={"size": 15},
        line={"width": 3, **style},
        marker={
            "symbol": "arrow" if long else "circle",
            "size": [0, 0, 15 if long else 8],
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
            **style,
        },
        cliponaxis=False,
    )
