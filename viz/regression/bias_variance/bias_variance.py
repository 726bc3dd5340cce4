"""Pictures for bias and variance: fits of many training sets, and their decomposition.

Colours: the truth is green, one set's fit and the variance are blue, the mean fit and the bias are
vermillion, noise is grey.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy import ndarray

from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from viz.core import curves, plane
from viz.core.theme import PALETTE
from viz.core.words import number
from viz.regression.bias_variance.bulls_eye import BullsEye

_FIT, _MEAN, _TRUTH, _NOISE = PALETTE[0], PALETTE[1], PALETTE[2], "#7A7F87"
_PALE_FIT, _PALE_MEAN, _PALE_NOISE = (
    f"rgba({tone}, 0.4)" for tone in ("0, 114, 178", "213, 94, 0", "122, 127, 135")
)
_BAND = "rgba(213, 94, 0, 0.16)"
_OLD = 30  # fits of earlier sets, evenly chosen from the run
_COARSE = 2  # places apart: enough for smooth curves, half of what has to be sent
_MANY = 1500  # points: more cannot be told apart by their symbol
_FAR = 2.0  # heights of the picture: lines leave it, but not farther


@dataclass(frozen=True, eq=False)
class Scene:
    """What all views show: the run, the complexity that is `chosen`, by its place, and its name.

    X : the points on the board, or None where they have no part. at : the two places of the
    bull's-eye. kinds : the names of all complexities, from simple to flexible.
    """

    run: Sequence[BiasVarianceStep] | Sequence[BootstrapStep]
    chosen: int
    kinds: tuple[str, ...]
    at: tuple[float, float]
    bounds: plane.Bounds
    names: tuple[str, str] = ("x", "y")
    X: ndarray | None = None

    @property
    def step(self) -> BiasVarianceStep | BootstrapStep:
        """The last step, which knows all sets."""
        return self.run[-1]

    @cached_property
    def spots(self) -> tuple[int, int]:
        """The two places of the bull's-eye among the x that the run knows."""
        first, second = (int(np.abs(self.step.x - x).argmin()) for x in self.at)
        return first, second

    @cached_property
    def eye(self) -> BullsEye:
        """The targets that all fits are shots at."""
        return BullsEye(self.run, self.chosen, self.kinds, self.spots, self.center)

    @cached_property
    def old(self) -> list[tuple[int, dict]]:
        """The earlier fits that are drawn, by their step; the same traces at every step."""
        last = len(self.run) - 1
        shown = np.unique(np.linspace(0, last, min(last + 1, _OLD)).astype(int)).tolist()
        style = {"line": {"width": 1, "color": _FIT}, "opacity": 0.4}
        return [(i, self.curve(self.run[i].predictions[self.chosen], **style)) for i in shown]

    @cached_property
    def center(self) -> ndarray:
        """What each complexity is compared with at every x: the truth, or its fit to all points."""
        step = self.step
        known = isinstance(step, BiasVarianceStep)
        return np.broadcast_to(step.truth, step.mean.shape) if known else step.full

    @property
    def squares(self) -> bool:
        """Whether the points that a resample left out are shown as squares."""
        return isinstance(self.step, BootstrapStep) and len(self.step.counts) <= _MANY

    def curve(self, y: ndarray, *, every: int = _COARSE, **style) -> dict:
        """Draw a function of x over the picture, at every second place unless said."""
        bottom, top = self.bounds[2:]
        room = _FAR * (top - bottom)
        return _over(self.step.x[::every], y[::every].clip(bottom - room, top + room), **style)


def views(scene: Scene) -> list[Callable[[int], dict]]:
    """Give the views, in the order of `bias_variance_words.titles`."""
    own = [partial(view, scene) for view in (picture, by_place, against_complexity)]
    return [*own, scene.eye.picture]


def picture(scene: Scene, now: int) -> dict:
    """Draw this set's fit over the earlier ones, and the mean of all with its band."""
    step, j = scene.run[now], scene.chosen
    mean, spread = step.mean[j], np.sqrt(step.variance[j])
    known = isinstance(step, BiasVarianceStep)
    bottom, top = scene.bounds[2:]
    across = [np.array([[step.x[spot], bottom], [step.x[spot], top], [np.nan, np.nan]])
              for spot in scene.spots]  # fmt: skip
    traces = [
        plane.line(np.concatenate(across), line={"width": 1, "dash": "dot", "color": _NOISE}),
        scene.curve(mean - spread, line={"width": 0}),
        scene.curve(mean + spread, line={"width": 0}, fill="tonexty", fillcolor=_BAND),
        *({**fit, "visible": i < now} for i, fit in scene.old),
    ]
    if known:
        marker = {"size": 6, "color": _FIT, "symbol": "circle-open", "line": {"width": 1.5}}
        traces += [
            plane.line(step.train, mode="markers", marker=marker, **_named("this set")),
            scene.curve(
                scene.center[j], every=1, line={"width": 4, "color": _TRUTH}, **_named("truth")
            ),
        ]
    else:
        dotted = {"width": 3, "color": _TRUTH, "dash": "dash"}
        traces.append(scene.curve(scene.center[j], line=dotted, **_named("full fit")))
    traces += [
        scene.curve(mean, line={"width": 3.5, "color": _MEAN}, **_named("mean fit ± sd")),
        scene.curve(
            step.predictions[j], every=1, line={"width": 2.5, "color": _FIT}, **_named("this fit")
        ),
    ]
    if scene.X is not None:
        group = np.full(len(scene.X), 2 if known else 0)
        if scene.squares and isinstance(step, BootstrapStep):
            group[step.counts == 0] = 1
        traces.append(plane.points(scene.X, group))
    figure = plane.figure(traces, scene.bounds, scene.names)
    figure["layout"] |= {"showlegend": True, "legend": _LEGEND | {"x": 0, "xanchor": "left"}}
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
    return figure


def by_place(scene: Scene, now: int) -> dict:
    """Stack noise, bias^2 and variance at every x; from the bootstrap, the variance alone."""
    layers, (_, _, whole) = (_layers(step, scene.chosen) for step in (scene.run[now], scene.step))
    # A fit that swings at the ends leaves the plot there, so that the middle can be read.
    top = 1.15 * min(float(whole.max()), 8 * float(np.median(whole))) or 1.0
    look = [(_NOISE, _PALE_NOISE), (_MEAN, _PALE_MEAN), (_FIT, _PALE_FIT)]
    traces = [
        _over(scene.step.x[::_COARSE], values[::_COARSE].clip(0, 3 * top), fillcolor=fill,
              line={"width": 1.5, "color": color}, fill="tonexty" if i else "tozeroy")
        for i, (values, (color, fill)) in enumerate(zip(layers, look, strict=True))
    ]  # fmt: skip
    layout = curves.panel_layout(
        xaxis={"range": list(scene.bounds[:2]), "nticks": 8},
        yaxis={"range": [0, top], "nticks": 4, "title": {"text": "error"}},
        meta={"height": 0.9},
    )
    return {"data": traces, "layout": layout}


def _layers(step: BiasVarianceStep | BootstrapStep, j: int) -> tuple[ndarray, ndarray, ndarray]:
    """Give noise, noise + bias^2, and noise + bias^2 + variance at every x, 0 where not known."""
    if isinstance(step, BootstrapStep):
        return np.zeros(len(step.x)), np.zeros(len(step.x)), step.variance[j]
    noise = np.full(len(step.x), step.noise)
    return noise, noise + step.bias_squared[j], noise + step.bias_squared[j] + step.variance[j]


def against_complexity(scene: Scene, now: int) -> dict:
    """Draw bias^2, variance, their sum with the noise, and the test error for every complexity.

    From the bootstrap, the out-of-bag errors of the mean fit and of a single fit, and the variance.
    """
    step, places = scene.run[now], np.arange(len(scene.kinds))
    rest, variance, total = _parts(step)
    if isinstance(step, BootstrapStep):
        traces = [
            _dots(rest, "mean fit: bias² + noise", _MEAN, 1),
            _dots(variance, "variance", _FIT, 0),
            _dots(total, "single fit: sum", None, 100, line={"width": 3}),
        ]
    else:
        bars = {"type": "data", "array": plane.packed(2 * step.standard_error), "visible": True,
                "thickness": 1.5, "width": 4}  # fmt: skip
        dashed = {"width": 1.5, "dash": "dash", "color": _NOISE}
        traces = [
            _dots(rest, "bias²", _MEAN, 1),
            _dots(variance, "variance", _FIT, 0),
            _over(places, np.full(len(places), step.noise), line=dashed, **_named("noise")),
            _dots(total, "sum", None, 100, line={"width": 3}),
            _dots(step.test_error, "test error", _TRUTH, 2, mode="markers", error_y=bars,
                  marker={"size": 9, "symbol": 2, "color": _TRUTH}),
        ]  # fmt: skip
    low, high = _decades(np.array(_parts(scene.step)), scene.chosen)
    names = [kind.rpartition(" ")[2] for kind in scene.kinds]
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, len(places) - 0.6], "tickvals": places.tolist(), "ticktext": names},
        yaxis={"type": "log", "range": [low, high], "title": {"text": "error"}}
        | _ticks(low, high),
        shapes=[_upright(scene.chosen)],
        meta={"height": 1.35},
        legend=_LEGEND | {"font": {"size": 12}},
    )  # fmt: skip
    layout |= {"showlegend": True, "margin": {**layout["margin"], "t": 26}}
    return {"data": traces, "layout": layout}


def _parts(step: BiasVarianceStep | BootstrapStep) -> tuple[ndarray, ndarray, ndarray]:
    """Give for every complexity bias^2 (with the noise, from the bootstrap), variance, and all."""
    if isinstance(step, BootstrapStep):
        return step.mean_error, step.test_variance, step.test_error
    return step.bias_squared.mean(axis=1), step.variance.mean(axis=1), step.expected_error


def _decades(parts: ndarray, chosen: int) -> tuple[float, float]:
    """Choose a logarithmic axis for (parts, complexities) whose last row is the sum of the others.

    It shows the whole sum, unless a complexity that is not the chosen one is wild, and what is not
    negligible of the parts.
    """
    total = parts[-1]
    least = float(total.min()) or float(total.max()) or 1.0
    high = max(min(float(total.max()), 40 * least), float(total[chosen]), least)
    seen = parts[parts > 0.01 * least]
    return float(np.log10(seen.min(initial=least)) - 0.2), float(np.log10(high) + 0.25)


def _ticks(low: float, high: float) -> dict:
    """Label a small logarithmic axis, given its ends' logarithms: at most four round numbers."""
    decades = 10.0 ** np.arange(np.ceil(low), np.floor(high) + 1)
    if len(decades) < 2:
        decades = np.outer(10.0 ** np.arange(np.floor(low), np.ceil(high)), (1, 2, 5)).ravel()
        decades = decades[(np.log10(decades) > low) & (np.log10(decades) < high)]
    shown = decades[:: -(-len(decades) // 4)].tolist()
    return {"tickvals": shown, "ticktext": [number(value) for value in shown]}


def _over(x: ndarray, y: ndarray, **style) -> dict:
    """Draw a line over places that are evenly apart."""
    step = float(x[1] - x[0]) if len(x) > 1 else 1.0
    return {
        "type": "scatter",
        "mode": "lines",
        "x0": float(x[0]),
        "dx": step,
        "y": plane.packed(y),
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }


def _dots(y: ndarray, name: str, color: str | None, symbol: int, **style) -> dict:
    tone = {"color": color} if color else {}
    look = {
        "mode": "lines+markers",
        "marker": {"size": 7, "symbol": symbol, **tone},
        "line": {"width": 2, **tone},
        "hoverinfo": "y",
    }
    style["line"] = {**style.get("line", {"width": 2}), **tone}
    return _over(np.arange(len(y)), y, **_named(name), **look | style)


def _named(name: str) -> dict:
    return {"name": name, "showlegend": True}


def _upright(x: float) -> dict:
    """Mark the chosen complexity."""
    line = {"width": 14, "color": "rgba(122, 127, 135, 0.22)"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"} | {"line": line}


_LEGEND = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
