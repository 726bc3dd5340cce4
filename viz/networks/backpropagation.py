"""Pictures for backpropagation: one point's way through a small network, and back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.backpropagation import BackpropagationStep
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.networks.diagram import CELLS, Diagram, diagram, draw, short
from viz.networks.multilayer_perceptron import regions

_SHORT = 2  # letters: longer names of columns have no room under a bar, and are counted instead


@dataclass(frozen=True, eq=False)
class Learning:
    """A run, and what it is about. row : of the point that the network learns from."""

    data: Plane
    features: PolynomialFeatures
    steps: Sequence[BackpropagationStep]
    row: int
    rate: float

    @cached_property
    def diagram(self) -> Diagram:
        """Lay the network out."""
        cells = self.features(plane.grid(self.data.bounds, CELLS)[2])
        return diagram(self.data, self.steps[0], cells)


def picture(shown: Learning, now: int) -> Figure:
    """Draw what the network says of the plane, and a ring around the point it learns from."""
    data, step = shown.data, shown.steps[now]
    wrong = step.predict(shown.features(data.X)) != data.labels
    traces = [
        *regions(data, shown.features, step),
        plane.rings(data.X[shown.row : shown.row + 1]),
    ]
    points = plane.points(data.X, data.labels, wrong)
    return plane.figure(traces, data.bounds, data.names, points=points)


def network(shown: Learning, now: int) -> Figure:
    """Draw the units with what is known of them by now: a, and δ below; this step's are framed."""
    step = shown.steps[now]
    last = len(step.weights)
    texts = [[" "] * width for width in shown.diagram.widths]
    framed = [np.zeros(width, bool) for width in shown.diagram.widths]
    for layer, activations in enumerate(step.activations_known):
        texts[layer] = [short(a) for a in activations]
    if step.probabilities is not None:
        texts[last] = [short(p) for p in step.probabilities[-len(texts[last]) :]]
    for layer, deltas in enumerate(step.deltas, last + 1 - len(step.deltas)):
        pairs = zip(texts[layer], deltas, strict=True)
        texts[layer] = [f"{text}<br>δ {short(delta)}" for text, delta in pairs]
    now_at = last if step.phase in ("loss", "again") else step.layer
    framed[now_at][:] = True
    return draw(shown.diagram, step, texts, framed)


def changes(shown: Learning) -> Callable[[int], Figure]:
    """Draw -η ∂L/∂w of every weight and bias, layer by layer; 0 while it is not known."""
    last = shown.steps[-1]
    added = [
        np.concatenate([-shown.rate * G.T, -shown.rate * delta[:, None]], axis=1)
        for G, delta in zip(last.gradients, last.deltas, strict=True)
    ]
    every = np.concatenate([part.ravel() for part in added])
    level = panels.axis("change", min(float(every.min()), 0.0), max(float(every.max()), 0.0))
    ends = np.cumsum([part.size for part in added])
    across = {
        "range": [-0.7, len(every) - 0.3],
        "tickangle": 0,
        "tickvals": list(range(len(every))),
        "ticktext": _sources(shown),
    }
    borders = plane.packed(np.repeat(ends[:-1] - 0.5, 3))
    reach = np.tile([*level["range"], np.nan], len(ends) - 1)
    texts = _weights(shown)

    def at(now: int) -> Figure:
        hidden = len(added) - len(shown.steps[now].deltas)
        heights = [part * (j >= hidden) for j, part in enumerate(added)]
        bars = {
            "type": "bar",
            "x": plane.packed(np.arange(len(every))),
            "y": plane.packed(np.concatenate([part.ravel() for part in heights])),
            "hovertext": texts,
            "hovertemplate": "%{hovertext}: %{y:.3g}<extra></extra>",
            "showlegend": False,
        }
        lines = panels.curve(borders, plane.packed(reach), line={"width": 1, "dash": "dot"})
        figure = panels.alone(Panel([bars, lines], across, level, _leads_to(shown)))
        figure["layout"]["margin"] |= {"b": 54}
        return figure

    return at


def _sources(shown: Learning) -> list[str]:
    """Name where every weight comes from, in the order of the bars."""
    texts: list[str] = []
    for layer, W in enumerate(shown.steps[0].weights):
        named = layer == 0 and all(len(name) <= _SHORT for name in shown.data.names)
        sources = shown.data.names if named else [str(i + 1) for i in range(len(W))]
        texts += [*sources, "b"] * W.shape[1]
    return texts


def _leads_to(shown: Learning) -> list[dict]:
    """Write below the bars to which unit of which layer the weights lead."""
    notes, first, weights = [], 0, shown.steps[0].weights
    for layer, W in enumerate(weights):
        bars, units = len(W) + 1, W.shape[1]
        for unit in range(units) if units > 1 else ():
            notes.append(_below(f"unit {unit + 1}", first + unit * bars + (bars - 1) / 2, 1))
        name = "output" if layer == len(weights) - 1 else f"layer {layer + 1}"
        notes.append(_below(name, first + (units * bars - 1) / 2, 2))
        first += units * bars
    return notes


def _below(text: str, x: float, line: int) -> dict:
    """Put a text under the names of the ticks. line : 1 for the line next to them."""
    place = {"xref": "x", "x": x, "y": 0, "yanchor": "top", "yshift": -4 - 15 * line}
    return {"text": text, "showarrow": False, **place}


def _weights(shown: Learning) -> list[str]:
    """Name the weights and biases in the order of the bars."""
    texts = []
    for layer, W in enumerate(shown.steps[0].weights):
        sources = shown.data.names if layer == 0 else [f"unit {i + 1}" for i in range(len(W))]
        for j in range(W.shape[1]):
            target = f"unit {j + 1}" if layer < len(shown.steps[0].weights) - 1 else "output"
            texts += [f"{panels.label(name)} to {target}" for name in sources]
            texts.append(f"bias of {target}")
    return texts
