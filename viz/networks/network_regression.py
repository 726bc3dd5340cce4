"""Pictures for a network that predicts y from x: its curve, and what its units add."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.core.scaling import Scaling
from algorithms.networks.multilayer_perceptron import MultilayerRegressionStep
from viz.core import curves, plane
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE
from viz.core.what_if import FAINT, LOOK
from viz.networks.diagram import CELLS, Diagram, diagram, short
from viz.networks.multilayer_perceptron import Training, units

_CURVE, _PART = PALETTE[0], PALETTE[1]
_PLACES, _COARSE = 240, 48  # along the curve, and along one of many


@dataclass(frozen=True, eq=False)
class Fitted(Training):
    """A run of a network for numbers, and what it is about.

    scaling : of x and y, to the units that the network is trained in. query : a picked x.
    """

    steps: Sequence[MultilayerRegressionStep]
    scaling: Scaling
    query: float

    @cached_property
    def x(self) -> ndarray:
        """The places where the curve is drawn."""
        return np.linspace(*self.data.bounds[:2], _PLACES)

    @cached_property
    def input(self) -> ndarray:
        """The network's input at the places of the curve."""
        return self.standard(self.x)

    @cached_property
    def coarse(self) -> ndarray:
        """The places where what a unit adds is drawn."""
        return np.linspace(*self.data.bounds[:2], _COARSE)

    def standard(self, x: ndarray) -> ndarray:
        """Give the network's input at some x, a row each."""
        return self.scaling.of(0).transform(x[:, None])

    def back(self, v: ndarray) -> ndarray:
        """Give what the network says in units of the data."""
        return self.scaling.of(1).back(v[:, None])[:, 0]

    def read(self, now: int) -> float:
        """Give what the network says at the picked x, in units of the data."""
        said = self.steps[now].predict(self.standard(np.array([self.query])))
        return float(self.back(said)[0])

    @cached_property
    def diagram(self) -> Diagram:
        """Lay the network out."""
        x, _, _ = plane.grid(self.data.bounds, CELLS)
        low, high = self.scaling.of(1).transform(np.array(self.data.bounds[2:])[:, None])[:, 0]
        return diagram(self.data, self.steps[0], self.standard(x), (float(low), float(high)))


def picture(shown: Fitted, now: int) -> Figure:
    """Draw the curve over the points, and thin what every unit of the last hidden layer adds.

    Points held out are small and pale.
    """
    data, held, step = shown.data, shown.held, shown.steps[now]
    at = np.array([[shown.query, data.bounds[2]], [shown.query, shown.read(now)]])
    level = float(shown.back(step.biases[-1])[0])
    traces = [
        plane.line(
            np.array([[data.bounds[0], level], [data.bounds[1], level]]),
            line={"width": 1.5, "dash": "dot", "color": _PART}, name="bias b", showlegend=True,
        ),
        plane.line(
            _parts(shown, step, level), line={"width": 1.2, "color": _PART},
            name="b + w a of a unit", showlegend=True,
        ),
        _curve(shown, step),
        plane.line(
            at, mode="lines+markers", line={"width": 2, "dash": "dot", "color": GREY},
            marker={"size": [0, 10], "color": _CURVE, "opacity": 1},
        ),
    ]  # fmt: skip
    size, strength = np.where(held, 0.65, 1.0), np.where(held, 0.5, 1.0)
    points = plane.points(data.X, data.labels, size=size, strength=strength)
    figure = plane.figure(traces, data.bounds, data.names, points=points)
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
    return curves.with_legend(figure, x=0, xanchor="left")


def _curve(shown: Fitted, step: MultilayerRegressionStep) -> dict:
    path = np.stack([shown.x, shown.back(step.predict(shown.input))], axis=1)
    look = {"width": 3, "color": _CURVE}
    return plane.found(plane.CURVE, plane.line(path, line=look, name="network f", showlegend=True))


def _parts(shown: Fitted, step: MultilayerRegressionStep, level: float) -> ndarray:
    """Give what every unit of the last hidden layer adds, above or below the level of the bias."""
    if len(step.weights) == 1:
        return plane.GAP
    said = step.activations(shown.standard(shown.coarse))[-2] * step.weights[-1][:, 0]
    added = shown.scaling.spread[1] * said
    return plane.joined([np.stack([shown.coarse, level + part], axis=1) for part in added.T])


def ghost(shown: Fitted, now: int) -> list[dict]:
    """Draw the curve as it was."""
    kept = _curve(shown, shown.steps[now])
    return [
        {name: kept[name] for name in kept if name not in ("meta", "name")}
        | {"line": LOOK, "opacity": FAINT, "showlegend": False}
    ]


def network(shown: Fitted, now: int) -> Figure:
    """Draw the units with what each says at the picked x; of the output, f in units of y."""
    step = shown.steps[now]
    *inner, scores = step.activations(shown.standard(np.array([shown.query])))
    texts = [[short(a) for a in layer[0]] for layer in inner]
    return units(shown.diagram, step, [*texts, [short(float(shown.back(scores[0])[0]))]])
