"""The parts of a training that networks for classes and for numbers share, epoch by epoch."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy import ndarray

from algorithms.core.optimizers import Plain, Rule
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import EpochStep
from algorithms.networks.multilayer_perceptron.network import Network
from algorithms.networks.multilayer_perceptron.training import Training
from algorithms.networks.multilayer_perceptron.training_summary import Summary
from viz.core import curves, naming, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, dash
from viz.core.words import counted, listed, number, rounded
from viz.networks import update
from viz.networks.diagram import Diagram, draw
from viz.networks.units import G

S = TypeVar("S", bound=EpochStep)

_LOWEST = {
    "name": "lowest so far", "mode": "markers",
    "marker": {"size": 11, "symbol": 102, "color": GREY, "line": {"width": 2}},
}  # fmt: skip
_WORD, _LINE = 0.28, 0.25  # of the axes of the losses: the room for "lowest"
_SHORTEST = 1e-6  # of the largest loss: a smaller one is below a logarithmic axis
_NAMES = 76  # pixels, for the names at the ends of the losses
_APART = 0.24  # of the height, from one name to the other
_SPIKE = 2.0  # times the usual losses: a higher one may leave the plot
_ROUNDING = 1e-12  # of the loss: a smaller change is none
_LEAST = 1e-12  # gradients smaller than that part of the largest are below the axis
_CROSSED = " Crossed out: left out in the last update; the loss is that of the whole network."


class Epochs(Show[S]):
    """The epochs of a training: network, losses and gradients; each mode adds its picture."""

    unit = "epoch"
    named = "The network, with the activation of each unit"  # the title of its view

    diagram: Diagram
    rims: Sequence[str] = ()  # colours of the last hidden layer's units
    log_loss = False  # whether the axis of the losses is logarithmic

    def __init__(
        self, run: Run, data: Plane, held: ndarray, summary: Summary, training: Training
    ) -> None:
        """Keep what all steps need. held : (n,) which points are held out."""
        super().__init__(run, data)
        self.held, self.summary, self.training = held, summary, training
        self.learned = int((~held).sum())
        self.size = min(training.batch_size or self.learned, self.learned)
        self.hidden = len(self.steps[0].weights) > 1

    @cached_property
    def thinned(self) -> bool:
        """Return whether some update leaves units out."""
        return any(units.any() for step in self.steps for units in step.dropped)

    def epoch_views(self) -> list[View]:
        """Return the views beside the picture."""
        return [
            View(self.named, self.network, 1.4),
            View("Loss by epoch", self.losses(), ahead="by step"),
            View("Size of the gradient by layer", self.gradients(), ahead="by step"),
        ]

    @abstractmethod
    def said(self, now: int) -> list[list[str]]:
        """Write the activation of every unit at the picked place, layer by layer."""

    def network(self, now: int) -> Figure:
        """Draw the units, each with its activation at the picked place.

        Stuck units have a dotted frame. Units that the last update left out are crossed out.
        """
        step, texts = self.steps[now], self.said(now)
        framed = [np.zeros(width, bool) for width in self.diagram.widths]
        framed[1:-1] = step.stuck
        for layer, dropped in enumerate(step.dropped, 1):
            pairs = zip(texts[layer], dropped, strict=True)
            texts[layer] = ["" if out else text for text, out in pairs]
        return draw(self.diagram, step, texts, framed, step.dropped, self.rims)

    def losses(self) -> Callable[[int], Figure]:
        """Draw the losses of the training points and of the held-out points, by epoch.

        A diamond marks the lowest held-out loss so far: there the training might be stopped. A thin
        line leads from it to its name, where there is room.
        """
        held_out = self.summary.held_out_loss
        series = [("training", self.summary.loss, "solid")]
        if held_out is not None:
            series.append(("held out", held_out, "dash"))
        start = float(max(values[0] for _, values, _ in series))
        every = np.concatenate([v for _, v, _ in series])
        ends = {name: float(values[-1]) for name, values, _ in series}
        top, usual = float(every.max()), max(float(np.quantile(every, 0.98)), start)
        top = top if top < _SPIKE * usual else usual
        lines = [_line(values, name, dash) for name, values, dash in series]
        top = min(top, 4 * start)
        level = panels.axis("loss", 0, top)
        if self.log_loss and top > 0:
            low = float(every[every > _SHORTEST * top].min(initial=top))
            ends_at = np.log10([low, max(top, 1.01 * low)])
            ticks = curves.log_ticks(10**ends_at)
            level = panels.axis("loss", *ends_at.tolist(), **ticks)
            lines = [
                _line(np.where(values > _SHORTEST * top, values, np.nan), name, dash)
                for name, values, dash in series
            ]

        def at(now: int) -> Figure:
            marks = [
                curves.marked(now, float(v[now]), marker=dot, showlegend=False)
                for (_, v, _), dot in zip(series, (curves.DOT, curves.HOLLOW), strict=False)
            ]
            best = self.summary.best_so_far(now)
            if best is not None and held_out is not None:
                height = float(held_out[best]) if best < now else None  # else the dot is there
                marks.append(self._lowest(best, height, [v for _, v, _ in series], level))
                marks.append({**curves.marked(best, 0.0, **_LOWEST), "y": [height]})
            figure = panels.alone(Panel([*lines, *marks], self._epochs(), level))
            return naming.named_at_ends(
                figure, len(self.steps) - 1, ends, margin=_NAMES, gap=_APART
            )

        return at

    def _lowest(self, best: int, height: float | None, losses: list[ndarray], level: dict) -> dict:
        """Write "lowest" above or below the diamond, at the edge where fewest losses are."""
        (low, high), log = level["range"], level.get("type") == "log"
        last, every = len(self.steps) - 1, np.array(losses)
        share = ((np.log10(every.clip(1e-300)) if log else every) - low) / (high - low)
        places = {}
        for edge, up in (("bottom", 1.0), ("top", 0.0)):
            near = np.abs(share - (1.0 - up)) < _LINE
            for side, way in (("right", 1), ("left", -1)):
                ahead = way * (np.arange(last + 1) - best)
                fits = 0 <= best + way * _WORD * last <= last
                covered = int((near & (ahead >= 0) & (ahead < _WORD * last)).sum())
                places[edge, side] = (not fits, covered)
        edge, side = min(places, key=places.__getitem__)
        at = low + (high - low) * (0.1 if edge == "bottom" else 0.92)
        end = None if height is None else float(10**at if log else at)
        return panels.curve(
            [best, best], [height, end], mode="lines+text", text=["", "lowest"],
            textposition=f"middle {side}", textfont={"color": GREY, "shadow": "auto"},
            line={"width": 1, "color": GREY}, name="to the name of the lowest loss",
        )  # fmt: skip

    def gradients(self) -> Callable[[int], Figure]:
        """Draw the size of every layer's gradient by epoch, on a logarithmic axis."""
        sizes = self.summary.gradients
        largest = float(sizes.max()) or 1.0
        floor = max(_LEAST * largest, 1e-300)
        kept = np.where(sizes >= floor, sizes, np.nan)
        hidden = [f"layer {j}" for j in range(1, sizes.shape[1])]
        names = [*hidden, "output"]
        lines = [_line(kept[:, j], name, dash(j)) for j, name in enumerate(names)]
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
            figure = panels.alone(Panel([*lines, *marks], self._epochs(), level))
            return curves.with_legend(figure)

        return at

    def _epochs(self) -> dict:
        return panels.axis("epoch", 0, len(self.steps) - 1)

    def points(self, wrong: ndarray | None = None) -> dict:
        """Draw the points, with those held out marked."""
        return plane.points(self.data.X, self.data.labels, wrong, held=self.held)

    def held_out(self) -> str:
        """Write how many points are held out, if any are."""
        held = counted(int(self.held.sum()), "point")
        verb = "is" if self.held.sum() == 1 else "are"
        return f" {held} {verb} held out." if self.held.any() else ""

    def strokes(self) -> str:
        """Explain the strokes and frames of the network."""
        return (
            "a stroke is as wide as its weight is large, and dashed if the weight is negative. A "
            "dotted frame: a unit that is dead (0 at every training point) or saturated (nearly "
            f"flat at every one).{_CROSSED if self.thinned else ''}"
        )

    def loss(self, now: int, more: str = "") -> str:
        """Write whether the loss rose or fell. more : the end of the sentence."""
        step = self.steps[now]
        if step.event == "diverged":
            return f"Epoch {now}: diverged. A weight would be larger than 10¹⁵, so the run ends."
        if now == 0:
            return f"Start: before any learning the loss is {number(step.loss)}{more}."
        before, rate = self.steps[now - 1], step.learning_rate
        changed = f"From here on η = {rate:g}. " if rate != before.learning_rate else ""
        fall, loss = before.loss - step.loss, rounded(step.loss)
        if abs(fall) < _ROUNDING * abs(step.loss):
            return f"{changed}Epoch {now}: the loss stays at {loss}{more}."
        goes = "falls" if fall > 0 else "rises"
        return f"{changed}Epoch {now}: the loss {goes} to {loss}{self._too_long(fall)}{more}."

    def _too_long(self, fall: float) -> str:
        """Write why plain steps down the slope of the loss of all points raised it, if they did."""
        how = self.training
        plain = isinstance(how.rule, Plain) and not (how.penalty or how.l1_penalty)
        plain = plain and self.size >= self.learned  # else a short step could raise it, too
        return ", as the step is too long" if fall < 0 and plain and not self.thinned else ""

    def rule(self, now: int) -> str:
        """Write the update rule with the numbers of the weight that changed most."""
        if now == 0:
            return self._start()
        rule: Rule = replace(self.training.rule, learning_rate=self.steps[now].learning_rate)
        change = update.Change(self.steps[now - 1], self.steps[now], rule, self.data)
        return update.written(change, self.learned, self.size, thinned=self.thinned)

    def _start(self) -> str:
        step = self.steps[0]
        count = sum(W.size for W in step.weights) + sum(b.size for b in step.biases)
        units = listed([str(W.shape[1]) for W in step.weights[:-1]])
        if not units:
            what = "a linear border" if isinstance(step, Network) else "a straight line"
            return f"No hidden layer: {count} weights and biases, {what}."
        if step.event == "units alike":
            stay = ", as long as the updates leave none of them out" if self.thinned else ""
            return (
                "All units of a hidden layer are the same, and so are their gradients. So they "
                f"stay the same{stay}."
            )
        return (
            f"Every hidden unit has z = b + Σ w a and answers with g(z) = {G[step.activation]}. "
            f"Hidden units by layer: {units}; {count} weights and biases."
        )

    def idle(self, now: int) -> str:
        """Count the units that no longer learn, if there are any."""
        step = self.steps[now]
        stuck = [int(units.sum()) for units in step.stuck]
        if not any(stuck):
            return ""
        what = "Dead" if step.activation == "relu" else "Saturated"
        where, counts = " by layer" if len(stuck) > 1 else "", ", ".join(map(str, stuck))
        return f" {what} units{where}: {counts} of {len(step.stuck[0])}."


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
