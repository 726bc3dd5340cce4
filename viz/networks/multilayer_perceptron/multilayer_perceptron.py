"""The training of a network for classes, epoch by epoch."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    MultilayerPerceptronStep,
)
from algorithms.networks.multilayer_perceptron.training import Training
from algorithms.networks.multilayer_perceptron.training_summary import Summary
from viz.core import plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.what_if import FAINT, LOOK
from viz.core.words import equals, number
from viz.networks.diagram import CELLS, diagram, short
from viz.networks.epochs import Epochs
from viz.networks.multilayer_perceptron.regions import found, regions

_LEAD, _SAFE = 0.002, 0.1  # leads in probability: one that counts, one that hardly turns soon


class ClassEpochs(Epochs[MultilayerPerceptronStep]):
    """What the network predicts on the plane, its units, its losses and its gradients."""

    opens = 150
    named = "The network: violet above 0, ochre below"

    def __init__(
        self,
        run: Run,
        data: Plane,
        features: PolynomialFeatures,
        summary: Summary,
        held: ndarray,
        picked: ndarray,
        training: Training,
    ) -> None:
        """Lay the network out.

        features : map the columns to the network's input. held : (n,) which points are held out.
        picked : a place.
        """
        super().__init__(run, data, held, summary, training)
        self.features = features
        self.points_in, self.picked = features(data.X), features(picked[None])
        cells = features(plane.grid(data.bounds, CELLS)[2])
        self.diagram = diagram(data, self.steps[0], cells)
        self.jumps = any(after.loss > before.loss for before, after in pairwise(self.steps))
        lines = " Dotted lines: the z of a unit of layer 1 is 0." if self.hidden else ""
        self.note = (
            f"{preprocessing(features, data.names)}{self.held_out()}{lines} In the network, the "
            "map in a node shows the activation of its unit: violet above 0, ochre below, strong "
            "far from 0; in the output, the classes as in the picture, or the share of one of "
            f"several. The number is that at the picked point; {self.strokes()}"
        )

    def views(self) -> list[View]:
        """Return the picture, the network, the losses and the gradients."""
        return [View("What the network predicts at every place", self.picture), *self.epoch_views()]

    def picture(self, now: int) -> Figure:
        """Draw what the network predicts on the plane."""
        data, step = self.data, self.steps[now]
        wrong = step.predict(self.points_in) != data.labels
        traces = regions(data, self.features, step)
        return plane.figure(
            traces, data.bounds, data.names, points=self.points(wrong), classes=data.classes
        )

    def said(self, now: int) -> list[list[str]]:
        """Write every unit's activation at the picked point, and the output's probabilities."""
        *inner, scores = self.steps[now].activations(self.picked)
        P = self.steps[now].predict_proba(self.picked)[0, -scores.shape[1] :]
        return [[short(a) for a in layer] for layer in (*(A[0] for A in inner), P)]

    def caption(self, now: int) -> str:
        """Write what the epoch did, the rule with its numbers, and the picked point."""
        return (
            f"{self.loss(now, self._wrong(now))}\n{self.rule(now)}\n"
            f"The picked point: {output(self.steps[now], self.picked, self.data)}.{self.idle(now)}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point changes its class, or which way the loss goes, if it may rise."""
        before, after = self.steps[now], self.steps[now + 1]
        if self.jumps and rng.random() < 0.3:
            reason = f"It goes from {number(before.loss, 4)} to {number(after.loss, 4)}."
            text = "What does the loss do in the next epoch?"
            return rises_or_falls(text, before.loss, after.loss, reason)
        return self._changes(rng, before, after)

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        return found(self.data, self.features, self.steps[now])

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict]]:
        """Return the borders between the classes."""
        _, border, *_ = regions(self.data, self.features, self.steps[now])
        return [[border | {"line": LOOK, "opacity": FAINT}]]

    def _wrong(self, now: int) -> str:
        """Count the training points and the held-out points that are wrong."""
        step, error = self.steps[now], self.summary.held_out_error
        count = round(step.training_error * self.learned)
        if step.event == "training error 0":
            return f"; none of {self.learned} training points are wrong, for the first time"
        said = f"{count or 'none'} of {self.learned} training points"
        if error is None:
            return f"; {said} {'is' if count == 1 else 'are'} wrong"
        held = int(self.held.sum())
        wrong = round(error[now] * held)
        return f"; {said} and {wrong or 'none'} of {held} held-out ones are wrong"

    def _changes(
        self, rng: Generator, before: MultilayerPerceptronStep, after: MultilayerPerceptronStep
    ) -> Question | None:
        """Ask which point the border passes."""
        shares = before.predict_proba(self.points_in), after.predict_proba(self.points_in)
        old, new = (each.argmax(axis=1) for each in shares)
        leads = [np.diff(np.sort(each, axis=1)[:, -2:])[:, 0] for each in shares]
        lead = np.minimum(*leads)

        def reason(i: int) -> str:
            was, becomes = (number(float(each[i, new[i]])) for each in shares)
            name = self.data.classes[before.classes[new[i]]]
            return f"Its probability of class {name} goes from {was} to {becomes}, the largest."

        yes, no = (lead > _LEAD) & (old != new), (lead > _SAFE) & (old == new)
        text = "Which point gets another class in the next epoch?"
        return which_point(rng, self.data, text, yes, no, reason)


def output(model: MultilayerPerceptronStep, x: ndarray, data: Plane) -> str:
    """Write how the scores of one input become probabilities."""
    scores = model.activations(x)[-1][0]
    P = model.predict_proba(x)[0]
    names = [data.classes[int(k)] for k in model.classes]
    winner = f"so class {data.classes[int(model.predict(x)[0])]}"
    if len(scores) == 1:
        z, minus = number(float(scores[0])), number(-float(scores[0]))
        share = f"P(“{names[1]}”) = 1/(1 + exp({minus})) {equals(P[1])} {number(P[1])}"
        return f"the output sums to z = {z}, {share}, {winner}"
    few = np.argsort(-P, kind="stable")[:4]
    parts = ", ".join(f"“{names[k]}” {number(P[k], 2)}" for k in sorted(few.tolist()))
    rest = " and less for the others" if len(P) > 4 else ""
    return f"the probabilities, eᶻ / Σ eᶻ, are {parts}{rest}, {winner}"
