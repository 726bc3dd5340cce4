"""The views beside the picture of batch normalisation: a unit's sums, losses and way back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.networks.multilayer_perceptron.batch_normalisation import BatchStep
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import GREY, color, symbol

# Beyond these values of its argument, the slope of g is less than a tenth of the steepest.
FLAT = {"tanh": (-1.82, 1.82), "sigmoid": (-3.64, 3.64), "relu": (0.0, np.inf)}
_APART = 0.2  # how far the classes are apart in a strip
_WIDER = 20.0  # times the range with normalisation: how much of the other is shown


@dataclass(frozen=True)
class Unit:
    """A hidden unit: its layer and its index in it, both from 0."""

    layer: int
    index: int

    @property
    def name(self) -> str:
        """Return what it is called on the page."""
        return f"unit {self.index + 1} of layer {self.layer + 1}"

    def own(self, parts: Sequence[ndarray]) -> Any:
        """Return what belongs to the unit, of arrays for each layer with a column for each unit."""
        return parts[self.layer][..., self.index]

    def of(self, step: BatchStep, name: str) -> Any:
        """Return a part of the way forward: "z", "mean", "variance", "z_hat", "y" or "a"."""
        return self.own(getattr(step.through, name)) if step.through else np.zeros(1)

    def back(self, step: BatchStep, name: str) -> Any:
        """Return a part of the way back: "d" or "delta"."""
        return self.own(getattr(step.back, name)) if step.back else np.zeros(0)


@dataclass(frozen=True, eq=False)
class Pair:
    """Both runs and the unit. classes : of the points of a step's mini-batch."""

    steps: Sequence[BatchStep]
    plain: Sequence[BatchStep]
    unit: Unit
    classes: Callable[[int], ndarray]

    def other(self, now: int) -> BatchStep:
        """Return the step of the network without normalisation; at its end, the last one."""
        return self.plain[min(now, len(self.plain) - 1)]


def strips(pair: Pair) -> Callable[[int], Figure]:
    """Draw the unit's z without and with normalisation, and beside them ẑ and γẑ + β."""
    low, high = FLAT[pair.steps[0].activation]
    z = panels.axis("z = Σ w a + b", *reach(pair, "z")) | {"nticks": 4, "tickangle": 0}
    y = panels.axis("normalised", *_around(reach(pair, "y"), (-2.5, 2.5)))

    def at(now: int) -> Figure:
        step, other, unit = pair.steps[now], pair.other(now), pair.unit
        known = step.through is not None
        sums = _rows([(unit.of(other, "z"), 1.0), (unit.of(step, "z"), 0.0)], pair, now, known)
        hats = _rows([(unit.of(step, "z_hat"), 1.0), (unit.of(step, "y"), 0.0)], pair, now, known)
        left = Panel([_edges(low, high), sums], z, _names("without", "with"))
        right = Panel([_edges(low, high), hats], y, _names("ẑ", "γẑ + β"))
        figure = panels.side_by_side(left, right, split=0.42, room=0.16)
        figure["layout"]["margin"]["l"] = 66
        return figure

    return at


def _edges(low: float, high: float) -> dict:
    """Draw the lines beyond which g is nearly flat."""
    path = [np.array([[x, -0.5], [x, 1.5]]) for x in (low, high) if np.isfinite(x)]
    name = "beyond: the slope of g is under a tenth of the steepest"
    return plane.line(
        plane.joined(path), line={"width": 1.5, "dash": "dot", "color": GREY}, name=name
    )


def _names(upper: str, lower: str) -> dict:
    return {"range": [-0.5, 1.5], "tickvals": [1, 0], "ticktext": [upper, lower]}


def _rows(rows: list[tuple[ndarray, float]], pair: Pair, now: int, known: bool) -> dict:
    """Draw one dot for each point of the mini-batch in each row; the classes have own heights."""
    classes = pair.classes(now)
    size = len(pair.steps[-1].rows)
    if not known or not size:
        x, y, classes = np.full(2 * size, np.nan), np.full(2 * size, np.nan), np.zeros(size, int)
    else:
        heights = _APART * (classes % 3 - 0.5)
        x = np.concatenate([values for values, _ in rows])
        y = np.concatenate([height + heights for _, height in rows])
    groups = np.tile(classes, 2).tolist()
    marker = {
        "size": 8, "opacity": 0.7,
        "color": [color(k) for k in groups], "symbol": [symbol(k) for k in groups],
    }  # fmt: skip
    return panels.curve(
        plane.packed(x), plane.packed(y), mode="markers", marker=marker,
        name="a point of the mini-batch, in the colour of its class",
    )  # fmt: skip


def reach(pair: Pair, name: str) -> tuple[float, float]:
    """Return the range of a part of the way forward over both runs.

    The network without normalisation counts up to twenty times the range of the other, so that
    sums without bound do not hide those that stay.
    """
    ours, theirs = (_ends(run, pair.unit, name) for run in (pair.steps, pair.plain))
    if name != "z":
        return ours
    middle, room = sum(ours) / 2, _WIDER * (ours[1] - ours[0]) / 2 or 1.0
    low, high = np.clip(theirs, middle - room, middle + room).tolist()
    return min(ours[0], low), max(ours[1], high)


def _around(ends: tuple[float, float], least: tuple[float, float]) -> tuple[float, float]:
    return min(ends[0], least[0]), max(ends[1], least[1])


def _ends(run: Sequence[BatchStep], unit: Unit, name: str) -> tuple[float, float]:
    values = [unit.of(step, name) for step in run if step.phase == "forward"]
    every = np.concatenate([np.zeros(1), *values])
    return float(every.min()), float(every.max())


def losses(pair: Pair) -> Callable[[int], Figure]:
    """Draw the training loss of both networks by update."""
    ours, theirs = (np.array([step.loss for step in run]) for run in (pair.steps, pair.plain))
    start = max(ours[0], theirs[0])
    usual = np.concatenate([ours, theirs[theirs < 4 * start]])
    top = min(max(float(usual.max()), start), 2 * start)
    level = panels.axis("training loss", 0, float(top))
    lines = [
        _line(theirs, "without", {"width": 2.5, "dash": "dash", "color": GREY}),
        _line(ours, "with normalisation", {"width": 2.5}),
    ]

    def at(now: int) -> Figure:
        marks = [
            curves.marked(
                min(now, len(v) - 1),
                float(v[min(now, len(v) - 1)]),
                marker=look,
                cliponaxis=True,
                showlegend=False,
            )
            for v, look in ((theirs, curves.HOLLOW), (ours, curves.DOT))
        ]
        figure = panels.alone(Panel([*lines, *marks], _updates(pair), level))
        return curves.with_legend(figure)

    return at


def drift(pair: Pair) -> Callable[[int], Figure]:
    """Draw the mean of z over the mini-batch by update, a spread above and below it."""
    level = panels.axis("z", *reach(pair, "z"))
    lines, means = [], []
    looks = [
        (pair.plain, "without", {"dash": "dash", "color": GREY}),
        (pair.steps, "with", {"dash": "solid"}),
    ]
    for run, name, look in looks:
        mean, spread = _moments(run, pair.unit)
        means.append(mean)
        bold, thin = (look | {"width": width} for width in (3, 1))
        lines.append(_line(mean, f"z {name}: mean", bold))
        for sign, side in ((1, "above"), (-1, "below")):
            beside = _line(mean + sign * spread, f"a spread {side} ({name})", thin)
            lines.append(beside | {"showlegend": False})

    def at(now: int) -> Figure:
        ends = [min(now, len(mean) - 1) for mean in means]
        marks = [
            curves.marked(
                end, float(np.nan_to_num(mean[end])), marker=look, cliponaxis=True, showlegend=False
            )
            for end, mean, look in zip(ends, means, (curves.HOLLOW, curves.DOT), strict=True)
        ]
        figure = panels.alone(Panel([*lines, *marks], _updates(pair), level))
        return curves.with_legend(figure)

    return at


def _moments(run: Sequence[BatchStep], unit: Unit) -> tuple[ndarray, ndarray]:
    """Return the mean and the spread of z at every step; NaN before the first mini-batch."""
    mean, spread = np.full(len(run), np.nan), np.full(len(run), np.nan)
    for now, step in enumerate(run):
        if step.through is not None:
            mean[now], spread[now] = unit.of(step, "mean"), np.sqrt(unit.of(step, "variance"))
    return mean, spread


def _updates(pair: Pair) -> dict:
    """Return an axis over the steps with the numbers of the updates."""
    last = max(len(pair.steps) - 1, 1)
    every = max(1, -(-last // 3 // 5))
    ticks = np.arange(0, last // 3 + 1, every)
    return panels.axis("update", 0, last) | {
        "tickvals": (3 * ticks).tolist(),
        "ticktext": [str(tick) for tick in ticks],
    }


def _line(values: ndarray, name: str, line: dict) -> dict:
    return panels.curve(
        plane.packed(np.arange(len(values))),
        plane.packed(values),
        name=name, line=line, showlegend=True, hoverinfo="all",
        hovertemplate=f"{name}: %{{y:.3g}}<extra></extra>",
    )  # fmt: skip


def back(pair: Pair) -> Callable[[int], Figure]:
    """Draw d of every point of the mini-batch against its ẑ, and the line that is taken off.

    The line has the height mean(d) at ẑ = 0 and the slope mean(d ẑ). What is left above or below
    it, the uprights, goes back to z, times γ/√(σ² + ε).
    """
    unit = pair.unit
    across = panels.axis("ẑ", *_around(reach(pair, "z_hat"), (-2.5, 2.5)))

    def at(now: int) -> Figure:
        step = pair.steps[now]
        hat, d = unit.of(step, "z_hat"), unit.back(step, "d")
        dots = line = rest = plane.GAP
        low = high = 0.0
        if len(d):
            x = np.array(across["range"])
            flow, bend = float(d.mean()), float((d * hat).mean())
            dots, line = np.column_stack([hat, d]), np.column_stack([x, flow + bend * x])
            feet = np.column_stack([hat, flow + bend * hat])
            rest = plane.joined(list(np.stack([feet, dots], axis=1)))
            low, high = float(min(d.min(), 0.0)), float(max(d.max(), 0.0))
        traces = [
            plane.line(rest, line={"width": 2, "color": GREY}, name="what goes back to z"),
            plane.line(
                line, line={"width": 3}, name="taken off: mean(d) + ẑ mean(dẑ)", showlegend=True
            ),
            plane.line(dots, mode="markers", marker={"size": 8}, name="d of a point",
                       showlegend=True),
        ]  # fmt: skip
        figure = panels.alone(Panel(traces, across, panels.axis("d = n ∂L/∂(γẑ + β)", low, high)))
        return curves.with_legend(figure)

    return at
