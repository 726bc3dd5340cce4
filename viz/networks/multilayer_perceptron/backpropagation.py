"""Backpropagation: one point goes forward through a small network, and its error goes back."""

import numpy as np
from numpy.random import Generator

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron.backpropagation import BackpropagationStep
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import number
from viz.networks.diagram import CELLS, diagram, draw, short
from viz.networks.multilayer_perceptron.changes import changes
from viz.networks.multilayer_perceptron.phases import Phases
from viz.networks.multilayer_perceptron.regions import found, regions
from viz.networks.units import unit_name

_CLEAR = 1.05  # times as large
_BESIDE = 0.035  # of the picture's width, from the ringed point to its words
_SIDES = {"middle right": 1, "middle left": -1}
_OTHERS = 0.3  # opacity of the points that are not learned from


class OneStep(Show[BackpropagationStep]):
    """One update from one point, layer by layer."""

    opens = 5

    def __init__(
        self, run: Run, data: Plane, features: PolynomialFeatures, row: int, rate: float
    ) -> None:
        """Lay the network out.

        features : map the columns to the network's input. row : of the point in the data.
        """
        super().__init__(run, data)
        self.features, self.row, self.rate = features, row, rate
        self.wide = np.array([data.bounds[1] - data.bounds[0], 0.0])
        self.points_in = features(data.X)
        cells = features(plane.grid(data.bounds, CELLS)[2])
        self.diagram = diagram(data, self.steps[0], cells)
        self.phases = Phases(data, row, rate)
        self.note = (
            f"{preprocessing(features, data.names)} The network learns from one point, ringed: the "
            "one nearest to the cross hair, which you can drag. A node shows its activation a and, "
            "once it is known, its δ; at the end, its old and its new a. Its map is violet where a "
            "is above 0, ochre where it is below. The units of this step have a dotted frame. A "
            "stroke is as wide as its weight is large, and dashed if the weight is negative. Below "
            "a bar are the two units that its weight joins (b: a bias)."
        )

    def views(self) -> list[View]:
        """Return the picture, the network, and what the update adds."""
        changed = changes(self.data, self.steps, self.rate)
        return [
            View("What the network predicts at every place", self.picture),
            View("The network: activations and δ", self.network, 1.4),
            View("What the update adds to every weight", changed),
        ]

    def picture(self, now: int) -> Figure:
        """Draw what the network predicts, and a ring around the point it learns from."""
        data, step = self.data, self.steps[now]
        traces = [*regions(data, self.features, step), *self._ringed()]
        strength = np.where(np.arange(len(data.X)) == self.row, 1.0, _OTHERS)
        points = plane.points(data.X, data.labels, strength=strength)
        signs = {"strength": "faint: a point that this update does not use"}
        return plane.figure(
            traces, data.bounds, data.names, points=points, signs=signs, classes=data.classes
        )

    def _ringed(self) -> list[dict]:
        """Draw a ring around the point that the network learns from, and say so beside it."""
        place = self.data.X[self.row]
        beside = [(place + _BESIDE * self.wide * way, side) for side, way in _SIDES.items()]
        name = naming.Name("learned from", beside, {"weight": 700})
        return [
            plane.rings(place[None], name="point it learns from"),
            *naming.clear_names([name], self.data.bounds, self.data.X),
        ]

    def network(self, now: int) -> Figure:
        """Draw the units with a and, below it, δ where they are known; this step's are framed.

        After the update every unit has its old activation and, below it, the new one.
        """
        step = self.steps[now]
        last = len(step.weights)
        texts = [[" "] * width for width in self.diagram.widths]
        framed = [np.zeros(width, bool) for width in self.diagram.widths]
        for layer, activations in enumerate(step.activations_known):
            texts[layer] = [short(a) for a in activations]
        if step.probabilities is not None:
            texts[last] = [short(p) for p in step.probabilities[-len(texts[last]) :]]
        if step.phase == "again":
            return self._updated(step, texts)
        for layer, deltas in enumerate(step.deltas, last + 1 - len(step.deltas)):
            pairs = zip(texts[layer], deltas, strict=True)
            texts[layer] = [f"{text}<br>δ {short(delta)}" for text, delta in pairs]
        now_at = last if step.phase in ("loss", "again") else step.layer
        framed[now_at][:] = True
        return draw(self.diagram, step, texts, framed)

    def _updated(self, step: BackpropagationStep, old: list[list[str]]) -> Figure:
        """Draw the units with their old activations and the new ones."""
        x = step.activations_known[0][None]
        every = [*step.activations(x)[:-1], step.predict_proba(x)[:, -len(old[-1]) :]]
        texts = [old[0]]  # the input stays
        for before, after in zip(old[1:], every[1:], strict=True):
            pairs = zip(before, after[0], strict=True)
            texts.append([f"{text}<br>→ {short(value)}" for text, value in pairs])
        framed = [np.full(len(names), layer > 0) for layer, names in enumerate(old)]
        return draw(self.diagram, step, texts, framed)

    def caption(self, now: int) -> str:
        """Write what this step did, then the rule with the numbers of its largest part."""
        return self.phases.caption(self.steps[max(now - 1, 0)], self.steps[now])

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the largest activation or δ of a layer, and which way the loss goes."""
        after = self.steps[now + 1]
        hidden = 0 < after.layer < len(after.weights)
        if after.phase == "again" and after.loss and after.loss_after:
            reason = f"It goes from {number(after.loss)} to {number(after.loss_after)}."
            text = "The weights are new. What does the loss at this point do?"
            return rises_or_falls(text, after.loss, after.loss_after, reason)
        if after.phase == "forward" and hidden:
            values, text = after.activations_known[-1], "has the largest activation, by |a|"
        elif after.phase == "backward" and hidden:
            values, text = after.deltas[0], "has the largest error signal, by |δ|"
        else:
            return None
        return self._largest(after, values, f"Which unit of layer {after.layer} {text}?")

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        return found(self.data, self.features, self.steps[now])

    def _largest(
        self, after: BackpropagationStep, values: np.ndarray, text: str
    ) -> Question | None:
        """Ask for the unit with the largest value."""
        order = np.argsort(-np.abs(values), kind="stable").tolist()
        if len(order) == 1 or abs(values[order[0]]) <= _CLEAR * abs(values[order[1]]):
            return None
        places = self.diagram.places(after.layer).tolist()
        options = [
            Option(unit_name(after, after.layer - 1, j, self.data), (1, *places[j])) for j in order
        ]
        first, second = (number(float(values[j])) for j in order[:2])
        reason = f"It has {first}, and the next one, {options[1].text}, {second}."
        return question(text, options[0], options[1:], reason)
