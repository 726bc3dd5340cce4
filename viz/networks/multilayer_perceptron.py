"""Pictures for the multi-layer perceptron: the plane, its units, loss and gradients."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron import EpochStep, MultilayerPerceptronStep
from algorithms.networks.network import Layered, Network
from algorithms.networks.training_account import Account
from algorithms.regression.least_squares.optimizers import Rule
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, dash
from viz.core.what_if import FAINT, LOOK
from viz.networks.diagram import CELLS, Diagram, diagram, draw, short

SIZE = 80  # cells along each axis of the picture
_LOWEST = {"size": 11, "symbol": 102, "color": GREY, "line": {"width": 2}}
_LEAST = 1e-12  # gradients smaller than that part of the largest are below the axis


@dataclass(frozen=True, eq=False)
class Updates:
    """How the weights are updated: by which rule, after so many points each time.

    later : the number of the epoch from which on the rate is another one, and that rate.
    """

    rule: Rule
    size: int
    later: tuple[int, float] | None = None

    def rule_of(self, epoch: int) -> Rule:
        """Give the rule that is followed in an epoch."""
        if self.later is None or epoch < self.later[0]:
            return self.rule
        return replace(self.rule, learning_rate=self.later[1])


@dataclass(frozen=True, eq=False)
class Training:
    """A run, and what it is about. held : (n,) which points are held out."""

    data: Plane
    steps: Sequence[EpochStep]
    held: ndarray
    sums: Account
    updates: Updates

    @cached_property
    def thinned(self) -> bool:
        """Whether units are left out in the training."""
        return any(units.any() for step in self.steps for units in step.dropped)


@dataclass(frozen=True, eq=False)
class Trained(Training):
    """Such a run of a network for classes.

    features : what the columns are made into before the network sees them. picked : a place of the
    plane.
    """

    steps: Sequence[MultilayerPerceptronStep]
    features: PolynomialFeatures
    picked: ndarray

    @cached_property
    def input(self) -> ndarray:
        """Give the network's input at the picked point."""
        return self.features(self.picked[None])

    @cached_property
    def diagram(self) -> Diagram:
        """Lay the network out."""
        cells = self.features(plane.grid(self.data.bounds, CELLS)[2])
        return diagram(self.data, self.steps[0], cells)


def regions(data: Plane, features: PolynomialFeatures, model: Network) -> list[dict]:
    """Draw the classes' regions and borders, and the lines on which first-layer units are at 0.

    For a sigmoid that is where it says a half.
    """
    x, y, _ = plane.grid(data.bounds, SIZE)
    P = model.predict_proba(plane.on_grid(features, data.bounds, SIZE))
    winner = model.classes[P.argmax(axis=1)].reshape(SIZE, SIZE)
    sure = plane.certainty(P.max(axis=1), P.shape[1]).reshape(SIZE, SIZE)
    corners = plane.on_corners(features, data.bounds)
    lines = [] if len(model.weights) == 1 else list((corners @ model.weights[0]).T)
    look = {"width": 1.5, "dash": "dot", "color": GREY}
    return [
        plane.regions(winner, sure, data.bounds),
        plane.borders(x, y, P.T.reshape(-1, SIZE, SIZE), line={"width": 2}),
        *(
            plane.straight_border(line + bias, data.bounds, line=look)
            for line, bias in zip(lines, model.biases[0], strict=False)
        ),
    ]


def picture(shown: Trained, now: int) -> Figure:
    """Draw what the network says of the plane; points held out are small and pale."""
    data, step, held = shown.data, shown.steps[now], shown.held
    wrong = step.predict(shown.features(data.X)) != data.labels
    size, strength = np.where(held, 0.65, 1.0), np.where(held, 0.5, 1.0)
    points = plane.points(data.X, data.labels, wrong, size=size, strength=strength)
    traces = regions(data, shown.features, step)
    return plane.figure(traces, data.bounds, data.names, points=points)


def ghost(shown: Trained, now: int) -> list[dict]:
    """Draw where the classes change."""
    _, border, *_ = regions(shown.data, shown.features, shown.steps[now])
    return [border | {"line": LOOK, "opacity": FAINT}]


def network(shown: Trained, now: int) -> Figure:
    """Draw the units with what each says of the picked point."""
    step = shown.steps[now]
    return units(shown.diagram, step, said(step, shown.input))


def units(laid_out: Diagram, step: EpochStep, texts: list[list[str]]) -> Figure:
    """Draw the units, each with its text.

    Stuck ones have a dotted frame; those that were left out in the last update are crossed out.
    """
    idle = [np.zeros(width, bool) for width in laid_out.widths]
    idle[1:-1] = step.stuck
    for layer, dropped in enumerate(step.dropped, 1):
        told = zip(texts[layer], dropped, strict=True)
        texts[layer] = ["" if out else text for text, out in told]
    return draw(laid_out, step, texts, idle, step.dropped)


def said(model: Network, x: ndarray) -> list[list[str]]:
    """Write what every unit says of one input; of the output the probabilities."""
    *inner, scores = model.activations(x)
    P = model.predict_proba(x)[0, -scores.shape[1] :]
    return [[short(a) for a in layer] for layer in (*(A[0] for A in inner), P)]


def losses(shown: Training) -> Callable[[int], Figure]:
    """Draw the loss of the training and of the held-out points, by epoch.

    A diamond stands where the held-out one is lowest so far: there the training might be stopped.
    """
    sums = shown.sums
    series = [("training", sums.loss, "solid")]
    if sums.held_out_loss is not None:
        series.append(("held out", sums.held_out_loss, "dash"))
    start = float(max(values[0] for _, values, _ in series))
    top = max(float(np.quantile(np.concatenate([v for _, v, _ in series]), 0.98)), start)
    lines = [_line(values, name, dash) for name, values, dash in series]
    level = panels.axis("loss", 0, min(top, 4 * start))

    def at(now: int) -> Figure:
        marks = [
            curves.marked(now, float(values[now]), showlegend=False) for _, values, _ in series
        ]
        if (best := sums.best_so_far(now)) is not None and sums.held_out_loss is not None:
            lowest = float(sums.held_out_loss[best])
            marks.append(curves.marked(best, lowest, marker=_LOWEST, name="lowest so far"))
        return curves.with_legend(panels.alone(Panel([*lines, *marks], _epochs(shown), level)))

    return at


def gradients(shown: Training) -> Callable[[int], Figure]:
    """Draw the size of every layer's gradient by epoch, on a logarithmic axis."""
    sizes = shown.sums.gradients
    largest = float(sizes.max()) or 1.0
    floor = max(_LEAST * largest, 1e-300)
    kept = np.where(sizes >= floor, sizes, np.nan)
    lines = [_line(kept[:, j], name, dash(j)) for j, name in enumerate(names(shown.steps[0]))]
    low = float(np.fmin.reduce(kept, axis=None))
    low, high = (np.log10(v) for v in (low if low > 0 else largest, largest))
    powers = {"type": "log", "exponentformat": "power", "dtick": 1}
    level = panels.axis("‖∂L/∂W‖", float(low), float(high), **powers)
    if high - low < 0.5:
        level |= {"range": [float(low) - 0.5, float(high) + 0.5]}

    def at(now: int) -> Figure:
        # There is no place for a 0 on the axis: it is not drawn.
        there = np.where(sizes[now] >= floor, sizes[now], 0.0).tolist()
        marks = [curves.marked(now, size, showlegend=False) for size in there]
        return curves.with_legend(panels.alone(Panel([*lines, *marks], _epochs(shown), level)))

    return at


def names(model: Layered) -> list[str]:
    """Name the layers that have weights."""
    return [*(f"layer {j}" for j in range(1, len(model.weights))), "output"]


def _epochs(shown: Training) -> dict:
    return panels.axis("epoch", 0, len(shown.steps) - 1)


def _line(values: ndarray, name: str, dash: str) -> dict:
    return panels.curve(
        plane.packed(np.arange(len(values))),
        plane.packed(values),
        name=name,
        line={"width": 2.5, "dash": dash},
        showlegend=True,
        hoverinfo="all",
        hovertemplate=f"epoch %{{x}}: {name} %{{y:.3g}}<extra></extra>",
    )
