"""What one update adds to every weight and bias, as bars."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.networks.multilayer_perceptron.backpropagation import BackpropagationStep
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane

_SHORT = 2  # letters: longer names of columns do not fit under a bar, and get numbers instead


def changes(
    data: Plane, steps: Sequence[BackpropagationStep], rate: float
) -> Callable[[int], Figure]:
    """Draw -η ∂L/∂w of every weight and bias, layer by layer; 0 while it is not known."""
    last = steps[-1]
    added = [
        np.concatenate([-rate * G.T, -rate * delta[:, None]], axis=1)
        for G, delta in zip(last.gradients, last.deltas, strict=True)
    ]
    every = np.concatenate([part.ravel() for part in added])
    level = panels.axis("change", min(float(every.min()), 0.0), max(float(every.max()), 0.0))
    ends = np.cumsum([part.size for part in added])
    across = {
        "range": [-0.7, len(every) - 0.3],
        "tickangle": 0,
        "tickvals": list(range(len(every))),
        "ticktext": _sources(data, steps[0]),
    }
    borders = plane.packed(np.repeat(ends[:-1] - 0.5, 3))
    reach = np.tile([*level["range"], np.nan], len(ends) - 1)
    texts = _weights(data, steps[0])

    def at(now: int) -> Figure:
        hidden = len(added) - len(steps[now].deltas)
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
        figure = panels.alone(Panel([bars, lines], across, level, _leads_to(steps[0])))
        figure["layout"]["margin"] |= {"b": 54}
        return figure

    return at


def _sources(data: Plane, first: BackpropagationStep) -> list[str]:
    """Return where every weight comes from, in the order of the bars."""
    texts: list[str] = []
    for layer, W in enumerate(first.weights):
        named = layer == 0 and all(len(name) <= _SHORT for name in data.names)
        sources = data.names if named else [str(i + 1) for i in range(len(W))]
        texts += [*sources, "b"] * W.shape[1]
    return texts


def _leads_to(first: BackpropagationStep) -> list[dict]:
    """Write below the bars to which unit of which layer the weights lead."""
    notes, bar, weights = [], 0, first.weights
    for layer, W in enumerate(weights):
        bars, units = len(W) + 1, W.shape[1]
        for unit in range(units) if units > 1 else ():
            notes.append(_below(f"unit {unit + 1}", bar + unit * bars + (bars - 1) / 2, 1))
        name = "output" if layer == len(weights) - 1 else f"layer {layer + 1}"
        notes.append(_below(name, bar + (units * bars - 1) / 2, 2))
        bar += units * bars
    return notes


def _below(text: str, x: float, line: int) -> dict:
    """Write a text below the ticks' names. line : 1 for the first line below them."""
    place = {"xref": "x", "x": x, "y": 0, "yanchor": "top", "yshift": -4 - 15 * line}
    return {"text": text, "showarrow": False, **place}


def _weights(data: Plane, first: BackpropagationStep) -> list[str]:
    """Return the names of the weights and biases in the order of the bars."""
    texts = []
    for layer, W in enumerate(first.weights):
        sources = data.names if layer == 0 else [f"unit {i + 1}" for i in range(len(W))]
        for j in range(W.shape[1]):
            target = f"unit {j + 1}" if layer < len(first.weights) - 1 else "output"
            texts += [f"{panels.label(name)} to {target}" for name in sources]
            texts.append(f"bias of {target}")
    return texts
