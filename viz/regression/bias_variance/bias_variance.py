"""Pictures for bias and variance: fits of many training sets, and their decomposition.

Colours: the truth is green, one set's fit and the variance are blue, the mean fit and the bias are
vermillion, noise is grey.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import number
from viz.regression.bias_variance.bulls_eye import BullsEye

_FIT, _MEAN, _TRUTH, _NOISE = PALETTE[0], PALETTE[1], PALETTE[2], GREY
_OLD = 30  # fits of earlier sets, evenly chosen from the run
_COARSE = 2  # places apart: enough for smooth curves, half of what has to be sent
_MANY = 1500  # points: more cannot be told apart by their symbol
_DOWN = 6  # Plotly's triangle that points downwards
_LETTERS = 30  # of all names below an axis: more of them do not fit side by side
_FAR = 2.0  # heights of the picture: lines leave it, but not farther


@dataclass(frozen=True, eq=False)
class Fits:
    """What all views show: the fits of a run, the complexity that is `chosen`, by its place.

    kinds : the names of all complexities, from simple to flexible. at : the two places of the
    bull's-eye. data : the points on the board; none where they have no part.
    """

    steps: Sequence[BiasVarianceStep] | Sequence[BootstrapStep]
    chosen: int
    kinds: tuple[str, ...]
    at: ndarray
    data: Plane

    @property
    def last(self) -> BiasVarianceStep | BootstrapStep:
        """The last step, which knows all sets."""
        return self.steps[-1]

    @cached_property
    def spots(self) -> tuple[int, int]:
        """The two places of the bull's-eye among the x that the run knows."""
        first, second = (int(np.abs(self.last.x - x).argmin()) for x in self.at)
        return first, second

    @cached_property
    def eye(self) -> BullsEye:
        """The targets that all fits are shots at."""
        return BullsEye(self.steps, self.chosen, self.kinds, self.spots, self.center)

    @cached_property
    def old(self) -> list[tuple[int, dict]]:
        """The earlier fits that are drawn, by their step; the same traces at every step."""
        last = len(self.steps) - 1
        shown = np.unique(np.linspace(0, last, min(last + 1, _OLD)).astype(int)).tolist()
        style = {"line": {"width": 1, "color": _FIT}, "opacity": 0.4}
        return [(i, self.curve(self.steps[i].predictions[self.chosen], **style)) for i in shown]

    @cached_property
    def center(self) -> ndarray:
        """What each complexity is compared with at every x: the truth, or its fit to all points."""
        step = self.last
        known = isinstance(step, BiasVarianceStep)
        return np.broadcast_to(step.truth, step.mean.shape) if known else step.full

    @cached_property
    def decades(self) -> tuple[float, float]:
        """The logarithms of the ends of the axis of the errors."""
        return _decades(np.array(parts(self.last)), self.chosen)

    @property
    def squares(self) -> bool:
        """Whether the points that a resample left out are shown as squares."""
        return isinstance(self.last, BootstrapStep) and len(self.last.counts) <= _MANY

    def curve(self, y: ndarray, *, every: int = _COARSE, **style) -> dict:
        """Draw a function of x over the picture, at every second place unless said."""
        bottom, top = self.data.bounds[2:]
        room = _FAR * (top - bottom)
        return _over(self.last.x[::every], y[::every].clip(bottom - room, top + room), **style)


def picture(fits: Fits, now: int) -> Figure:
    """Draw this set's fit over the earlier ones, and the mean of all with its band."""
    step, j = fits.steps[now], fits.chosen
    mean, spread = step.mean[j], np.sqrt(_variance(step)[j])
    bottom, top = fits.data.bounds[2:]
    places = [np.array([[step.x[spot], bottom], [step.x[spot], top]]) for spot in fits.spots]
    traces = [
        plane.line(plane.joined(places), line={"width": 1, "dash": "dot", "color": GREY}),
        fits.curve(mean - spread, line={"width": 0}),
        fits.curve(mean + spread, line={"width": 0}, fill="tonexty", fillcolor=_pale(_MEAN, 0.16)),
        *({**fit, "visible": i < now} for i, fit in fits.old),
        *_known(fits, step),
        fits.curve(mean, line={"width": 3.5, "color": _MEAN}, **_named("mean fit ± sd")),
        plane.found(
            plane.CURVE,
            fits.curve(
                step.predictions[j],
                every=1,
                line={"width": 2.5, "color": _FIT},
                **_named("this fit"),
            ),
        ),
    ]
    points = _points(fits, step) if len(fits.data.X) else None
    figure = plane.figure(traces, fits.data.bounds, fits.data.names, points=points)
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
    return curves.with_legend(figure, x=0, xanchor="left")


def _known(fits: Fits, step: BiasVarianceStep | BootstrapStep) -> list[dict]:
    """Draw this set's points and the truth; from the bootstrap, the fit to all points."""
    center = fits.center[fits.chosen]
    if isinstance(step, BootstrapStep):
        dashed = {"width": 3, "color": _TRUTH, "dash": "dash"}
        return [fits.curve(center, line=dashed, **_named("full fit"))]
    ring = {"size": 6, "color": _FIT, "symbol": "circle-open", "line": {"width": 1.5}}
    solid = {"width": 4, "color": _TRUTH}
    return [
        plane.line(step.train, mode="markers", marker=ring, **_named("this set")),
        fits.curve(center, every=1, line=solid, **_named("truth")),
    ]


def _points(fits: Fits, step: BiasVarianceStep | BootstrapStep) -> dict:
    """Give the points on the board: green on the truth, square where a resample left them out."""
    group = np.full(len(fits.data.X), 0 if isinstance(step, BootstrapStep) else 2)
    if isinstance(step, BootstrapStep) and fits.squares:
        group[step.counts == 0] = 1
    return plane.points(fits.data.X, group)


def by_place(fits: Fits, now: int) -> Figure:
    """Stack noise, bias^2 and variance at every x; from the bootstrap, the variance alone.

    Where bias^2 is below 0 by chance, none is drawn: the top stays the sum of all three.
    """
    layers, (_, _, whole) = (_layers(step, fits.chosen) for step in (fits.steps[now], fits.last))
    # A fit that swings at the ends leaves the plot there, so that the middle can be read.
    top = 1.15 * min(float(whole.max()), 8 * float(np.median(whole))) or 1.0
    traces = [
        _over(fits.last.x[::_COARSE], values[::_COARSE].clip(0, 3 * top), line={"width": 1.5,
              "color": color}, fillcolor=_pale(color, 0.4), fill="tonexty" if i else "tozeroy")
        for i, (values, color) in enumerate(zip(layers, (_NOISE, _MEAN, _FIT), strict=True))
    ]  # fmt: skip
    layout = curves.panel_layout(
        xaxis={"range": list(fits.data.bounds[:2]), "nticks": 8},
        yaxis={"range": [0, top], "nticks": 4, "title": {"text": "error"}},
    )
    return {"data": traces, "layout": layout}


def _layers(step: BiasVarianceStep | BootstrapStep, j: int) -> tuple[ndarray, ndarray, ndarray]:
    """Give noise, noise + bias^2, and noise + bias^2 + variance at every x, 0 where not known."""
    if isinstance(step, BootstrapStep):
        return np.zeros(len(step.x)), np.zeros(len(step.x)), step.variance[j]
    noise, bias = np.full(len(step.x), step.noise), step.corrected_bias_squared[j]
    return noise, noise + bias.clip(0), noise + step.bias_squared[j] + step.variance[j]


def _variance(step: BiasVarianceStep | BootstrapStep) -> ndarray:
    return step.variance if isinstance(step, BootstrapStep) else step.corrected_variance


def against_complexity(fits: Fits, now: int) -> Figure:
    """Draw bias^2, variance, their sum with the noise, and the test error for every complexity.

    From the bootstrap, the out-of-bag errors of the mean fit and of a single fit, and the variance.
    """
    step, places = fits.steps[now], np.arange(len(fits.kinds))
    low, high = fits.decades
    names = [kind.rpartition(" ")[2] for kind in fits.kinds]
    every = 1 + sum(map(len, names)) // _LETTERS  # names that would not fit side by side
    ticks = {"tickvals": places[::every].tolist(), "ticktext": names[::every]}
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, len(places) - 0.6], **ticks},
        yaxis={"type": "log", "range": [low, high], "title": {"text": "error"}} | _ticks(low, high),
        shapes=[_upright(fits.chosen)],
    )
    figure = {"data": _curves(step, places, 10.0 ** (low + 0.06)), "layout": layout}
    return curves.with_legend(figure, font={"size": 12}, x=0, xanchor="left")


def _curves(step: BiasVarianceStep | BootstrapStep, places: ndarray, foot: float) -> list[dict]:
    """Draw the parts of the error, their sum, and what was measured.

    foot : the least error there is room for. What is below stands there, pointing downwards.
    """
    rest, variance, total = parts(step)
    if isinstance(step, BootstrapStep):
        return [
            _dots(rest, "mean fit: bias² + noise", _MEAN, 1),
            _dots(variance, "variance", _FIT, 0),
            _dots(total, "single fit: sum", None, 100, line={"width": 3}),
        ]
    dashed = {"width": 1.5, "dash": "dash", "color": _NOISE}
    return [
        _dots(rest.clip(foot), "bias²", _MEAN, np.where(rest < foot, _DOWN, 1).tolist(),
              error_y=_bars(rest, step.bias_error, foot)),
        _dots(variance.clip(foot), "variance", _FIT, np.where(variance < foot, _DOWN, 0).tolist(),
              error_y=_bars(variance, step.variance_error, foot)),
        _over(places, np.full(len(places), step.noise), line=dashed, **_named("noise")),
        _dots(total, "sum", None, 100, line={"width": 3}),
        _dots(step.test_error, "test error", _TRUTH, 2, mode="markers",
              error_y=_bars(step.test_error, step.standard_error, foot),
              marker={"size": 9, "symbol": 2, "color": _TRUTH}),
    ]  # fmt: skip


def _bars(values: ndarray, error: ndarray, foot: float) -> dict:
    """Draw two standard errors up and down, as far as the axis goes."""
    shown = values.clip(foot)
    return {
        "type": "data",
        "symmetric": False,
        "array": plane.packed((values + 2 * error).clip(foot) - shown),
        "arrayminus": plane.packed(shown - (values - 2 * error).clip(foot)),
        "thickness": 1.5,
        "width": 4,
    }


def parts(step: BiasVarianceStep | BootstrapStep) -> tuple[ndarray, ndarray, ndarray]:
    """Give for every complexity bias^2 (with the noise, from the bootstrap), variance, and all."""
    if isinstance(step, BootstrapStep):
        return step.mean_error, step.test_variance, step.test_error
    bias, variance = step.corrected_bias_squared, step.corrected_variance
    return bias.mean(axis=1), variance.mean(axis=1), step.expected_error


def _decades(found: ndarray, chosen: int) -> tuple[float, float]:
    """Choose a logarithmic axis for (parts, complexities) whose last row is the sum of all.

    It shows the whole sum, unless a complexity that is not the chosen one is wild, and what is not
    negligible of the parts.
    """
    total = found[-1]
    least = float(total.min()) or float(total.max()) or 1.0
    high = max(min(float(total.max()), 300 * least), float(total[chosen]), least)
    seen = found[found > 0.01 * least]
    return float(np.log10(seen.min(initial=least)) - 0.2), float(np.log10(high) + 0.25)


def _ticks(low: float, high: float) -> dict:
    """Label a small logarithmic axis, given its ends' logarithms: at most four round numbers."""
    decades = 10.0 ** np.arange(np.ceil(low), np.floor(high) + 1)
    if len(decades) < 2:
        decades = np.outer(10.0 ** np.arange(np.floor(low), np.ceil(high)), (1, 2, 5)).ravel()
        decades = decades[(np.log10(decades) > low) & (np.log10(decades) < high)]
    shown = decades[:: -(-len(decades) // 4)].tolist()
    return {"tickvals": shown, "ticktext": [number(value, 6) for value in shown]}


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
    """Draw a curve against the complexities, by their places: the axis has their names."""
    tone = {"color": color} if color else {}
    look = {
        "marker": {"size": 7, "symbol": symbol, **tone},
        "line": {"width": 2, **style.pop("line", {}), **tone},
        "hovertemplate": f"{name} %{{y:.4g}}<extra></extra>",
    }
    return curves.against(name, range(len(y)), y, **look | style)


def _named(name: str) -> dict:
    return {"name": name, "showlegend": True}


def _upright(x: float) -> dict:
    """Mark the chosen complexity."""
    line = {"width": 14, "color": _pale(GREY, 0.22)}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"} | {"line": line}


def _pale(color: str, opacity: float) -> str:
    return f"rgba{(*rgb(color), opacity)}"
