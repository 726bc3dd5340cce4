"""Batch normalisation: a network with it and the same without, on the same mini-batches."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron.batch_normalisation import EPSILON, BatchStep
from algorithms.networks.multilayer_perceptron.batch_training import BatchTraining
from algorithms.networks.multilayer_perceptron.network import Network
from algorithms.networks.multilayer_perceptron.normalisation_summary import (
    HeldOutErrors,
    on_its_batch,
)
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.words import added, counted, enclosed, number, rounded
from viz.networks.multilayer_perceptron import batch_views
from viz.networks.multilayer_perceptron.batch_views import FLAT, Unit
from viz.networks.multilayer_perceptron.regions import SIZE, found, regions, winners
from viz.networks.units import G

PREDICT = {  # what the picture can predict with
    "running means": "the running means and variances",
    "this mini-batch": "the means and variances of this mini-batch",
    "one at a time": "those of a batch of one point, so that every ẑ is 0",
}
_ALIKE = 0.01  # two answers are at least this far apart
_OPENS = 100  # updates: the border is bent by then
_WITHOUT = {"width": 2.5, "dash": "dash"}


@dataclass(frozen=True)
class Look:
    """What is looked at: a hidden unit, and a key of `PREDICT`. training : the settings."""

    unit: Unit
    predict: str
    training: BatchTraining


class Normalising(Show[BatchStep]):
    """Three steps an update: a mini-batch forward, its errors back, and the update."""

    def __init__(
        self,
        run: Run,
        plain: Run,
        data: Plane,
        features: PolynomialFeatures,
        errors: HeldOutErrors,
        look: Look,
    ) -> None:
        """Keep both runs. plain : without normalisation. features : what the networks see."""
        super().__init__(run, data)
        self.plain, self.features, self.errors, self.look = plain.steps, features, errors, look
        there = (now for now, step in enumerate(self.steps) if step.update == _OPENS)
        self.opens = next(there, AT_THE_END)  # forward, with the mini-batch of this update
        self.shown, self.training = look.unit, look.training
        self.pair = batch_views.Pair(self.steps, self.plain, self.shown, self.classes_of)
        unit, first = self.shown.index, self.shown.layer == 0
        self.line = slice(unit, unit + 1) if first else slice(0)  # of the shown unit alone
        self.held = errors.held
        self.learned = np.flatnonzero(~self.held)
        self.points_in, self.size = features(data.X), len(self.steps[-1].rows)
        held = int(self.held.sum())
        self.note = (
            f"{preprocessing(features, data.names)} {counted(held, 'point')} are held out. Rings: "
            f"the points of the mini-batch. A square: its point with the largest |ẑ| at "
            f"{self.shown.name}, which the caption follows. Regions are predicted with "
            f"{PREDICT[look.predict]}. Dotted line: γẑ + β of the unit is 0, if it is in layer 1. "
            "Both networks start from the same weights and see the same mini-batches."
        )

    def views(self) -> list[View]:
        """Return the picture, the unit's sums, the losses, the way back, and the drift."""
        pair = self.pair
        return [
            View("With normalisation (regions, thick) and without (dashed)", self.picture),
            View("A unit on the mini-batch (dotted: g gets flat)", batch_views.strips(pair)),
            View("Training loss by update", batch_views.losses(pair), ahead="by step"),
            View("Backward: d against ẑ, and what is taken off", batch_views.back(pair)),
            View("z of the unit by update: mean ± spread", batch_views.drift(pair),
                 ahead="by step"),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw what the normalised network predicts, the other's border, and the mini-batch."""
        data, step = self.data, self.steps[now]
        network = self.network(now)
        x, y, _ = plane.grid(data.bounds, SIZE)
        P = winners(data, self.features, self.pair.other(now).network)[1]
        batch = data.X[self.rows(now)] if len(step.rows) else plane.GAP
        far = data.X[[self.rows(now)[self.point(now)]]] if len(step.rows) else plane.GAP
        traces = [
            *regions(data, self.features, network, self.line),
            plane.borders(
                x, y, P.T.reshape(-1, SIZE, SIZE), line=_WITHOUT,
                name="border without normalisation",
            ),
            plane.rings(batch, name="points of the mini-batch", size=14, line={"width": 1}),
            plane.rings(far, name="its point with the largest |ẑ|", symbol=101, size=24),
            naming.in_corner("rings: the mini-batch", data.bounds, "bottom right", shadow="auto"),
        ]  # fmt: skip
        wrong = network.predict(self.points_in) != data.labels
        points = plane.points(data.X, data.labels, wrong, held=self.held)
        return plane.figure(traces, data.bounds, data.names, points=points, classes=data.classes)

    def network(self, now: int) -> Network:
        """Return the network that the picture predicts with."""
        step = self.steps[now]
        if self.look.predict == "running means":
            return step.network
        if self.look.predict == "one at a time":
            return step.network_alone
        return on_its_batch(step, self.points_in[self.learned])

    def rows(self, now: int) -> ndarray:
        """Return the points of the mini-batch, as rows of the board."""
        return self.learned[self.steps[now].rows]

    def classes_of(self, now: int) -> ndarray:
        """Return the classes of the points of the mini-batch."""
        return self.data.labels[self.rows(now)]

    def point(self, now: int) -> int:
        """Return which point of the mini-batch the caption follows."""
        sizes = np.abs(self.shown.of(self.steps[now], "z_hat"))
        return int(sizes.round(9).argmax())  # rounding decides no tie, as between two points

    def caption(self, now: int) -> str:
        """Write what this step did, then the rule with its numbers."""
        step = self.steps[now]
        if step.event == "diverged":
            return (
                f"Update {step.update}: diverged. A weight would be larger than 10¹⁵, so the run "
                "ends.\nw ← w − η ∂L/∂w: the steps are too long."
            )
        write = {
            "start": self._start, "forward": self._forward,
            "backward": self._backward, "update": self._update,
        }  # fmt: skip
        return write[step.phase](now)

    def _start(self, now: int) -> str:
        step, other = self.steps[0], self.pair.other(0)
        return (
            f"Start: the training loss is {rounded(step.loss)} with normalisation, "
            f"{rounded(other.loss)} without; the weights are the same.\n"
            f"An update looks at {self.size} of {len(self.learned)} points: z = Σ w a + b, "
            "ẑ = (z − z̄)/√(σ² + ε) with mean z̄ and variance σ² of these points and ε = 10⁻⁵, "
            f"a = g(γẑ + β), g(z) = {G[step.activation]}. γ = 1 and β = 0 are learned."
        )

    def _forward(self, now: int) -> str:
        step, i, unit = self.steps[now], self.point(now), self.shown
        z, hat, y = (float(unit.of(step, name)[i]) for name in ("z", "z_hat", "y"))
        mean, variance = unit.of(step, "mean"), unit.of(step, "variance")
        gamma, beta = float(unit.own(step.gammas)), float(unit.own(step.betas))
        a = float(unit.of(step, "a")[i])
        return (
            f"Update {step.update}, forward: z of {unit.name} has mean {rounded(mean)} and spread "
            f"{rounded(variance**0.5)} on the mini-batch; ẑ has mean 0"
            f"{' and spread 1' if variance > 100 * EPSILON else ''}.\n"
            f"Squared point: z minus mean, over spread, is ẑ = ({number(z)} − {enclosed(mean)})/√("
            f"{number(variance)} + 10⁻⁵) = {number(hat)}.\n"
            f"Then γẑ + β = {number(gamma)} · {enclosed(hat)} {added(beta)} = {number(y)} "
            f"goes into g and gives {number(a)}. {self._flat(now)}"
        )

    def _flat(self, now: int) -> str:
        """Count the points of the mini-batch at which the unit's g is nearly flat."""
        step, other = self.steps[now], self.pair.other(now)
        low, high = FLAT[step.activation]
        counts = []
        for each in (step, other):
            y = self.shown.of(each, "y")
            counts.append(int(((y < low) | (y > high)).sum()))
        return (
            f"{self._end(now)}g is nearly flat at {counts[0]} of {self.size} points, without "
            f"normalisation at {counts[1]}."
        )

    def _end(self, now: int) -> str:
        """Write that the network without normalisation is at its end, if it is."""
        if now < len(self.plain) - 1 or self.plain[-1].event != "diverged":
            return ""
        return f"The other network diverged in update {self.plain[-1].update}. "

    def _backward(self, now: int) -> str:
        step, i, unit = self.steps[now], self.point(now), self.shown
        d, hat = unit.back(step, "d"), unit.of(step, "z_hat")
        size = self._size(step)
        delta = unit.back(step, "delta")
        flow, bend = float(d.mean()), float((d * hat).mean())
        return (
            f"Update {step.update}, backward: a part of d is taken off, because the mean and the "
            f"variance depend on every point. Here d = n ∂L/∂(γẑ + β), where L is the mean loss of "
            f"the n = {len(step.rows)} points.\n"
            f"Squared point: δ = γ/√(σ² + ε) · (d − mean(d) − ẑ mean(dẑ)) = {number(size)} · "
            f"({number(float(d[i]))} − {enclosed(flow)} − {enclosed(float(hat[i]))} · "
            f"{enclosed(bend)}) = {number(float(delta[i]))}.\n"
            f"∂L/∂γ = mean(dẑ) = {number(bend)}, ∂L/∂β = mean(d) = {number(flow)}. The δ of the "
            "mini-batch add up to 0, so ∂L/∂b = 0: the bias b is not learned."
        )

    def _update(self, now: int) -> str:
        step, before, unit = self.steps[now], self.steps[now - 1], self.shown
        rate, memory = self.training.learning_rate, self.training.memory
        gamma, new = (float(unit.own(each.gammas)) for each in (before, step))
        back = before.back
        assert back is not None
        m, running = (float(unit.own(each.means)) for each in (before, step))
        mean = float(unit.of(step, "mean"))
        return (
            f"Update {step.update}: the training loss goes to {rounded(step.loss)} with "
            f"normalisation, {rounded(self.pair.other(now).loss)} without. {self._end(now)}\n"
            f"{unit.name.capitalize()}: γ ← γ − η ∂L/∂γ = {number(gamma, 4)} − {number(rate)} · "
            f"{enclosed(float(unit.own(back.gammas)), 4)} = {number(new, 4)}; running mean "
            f"m ← {number(memory)} m + {number(1 - memory)} z̄ = {number(memory)} · {enclosed(m)} + "
            f"{number(1 - memory)} · {enclosed(mean)} = {number(running)}.\n{self._wrong(now)}"
        )

    def _wrong(self, now: int) -> str:
        """Count the points that are wrong, by the means that are used."""
        n, held, errors = len(self.learned), int(self.held.sum()), self.errors
        ours, theirs = (
            round(each.training_error * n) for each in (self.steps[now], self.pair.other(now))
        )
        said = f"Training points wrong: {ours} of {n}, without normalisation {theirs}."
        if held == 0:
            return said
        running, batch, alone = (each[now] for each in (errors.running, errors.batch, errors.alone))
        plain = errors.without[min(now, len(errors.without) - 1)]
        return (
            f"{said} Held out: {running} of {held} with running means, {batch} with those of this "
            f"mini-batch, {alone} one at a time, {plain} without normalisation."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for ẑ, for δ, or what the update does to the loss."""
        after = self.steps[now + 1]
        if after.event == "diverged":
            return None
        if after.phase == "forward":
            return self._ask_hat(now + 1)
        return self._ask_delta(now + 1) if after.phase == "backward" else self._ask_loss(now, rng)

    def _ask_hat(self, after: int) -> Question | None:
        step, i = self.steps[after], self.point(after)
        z, hat = (float(self.shown.of(step, name)[i]) for name in ("z", "z_hat"))
        mean, variance = float(self.shown.of(step, "mean")), float(self.shown.of(step, "variance"))
        if variance <= 100 * EPSILON:
            return None
        offset, spread = z - mean, float(np.sqrt(variance + EPSILON))
        text = (
            f"On the next mini-batch z of {self.shown.name} has mean {number(mean)} and variance "
            f"{number(variance)}. At one point z = {number(z)}. What is ẑ there?"
        )
        reason = (
            f"ẑ = (z − z̄)/√(σ² + ε) = {enclosed(offset)}/{number(spread)} = {number(hat)}. "
            "That is how many spreads z is from the mean."
        )
        return _numeric(text, hat, [offset, offset / variance, z / spread, -hat], reason)

    def _ask_delta(self, after: int) -> Question | None:
        step, i, unit = self.steps[after], self.point(after), self.shown
        d, hat, size = unit.back(step, "d"), unit.of(step, "z_hat"), self._size(step)
        flow, bend = float(d.mean()), float((d * hat).mean())
        own, at = float(d[i]), float(hat[i])
        right = float(unit.back(step, "delta")[i])
        text = (
            f"At the squared point d = {number(own)} and ẑ = {number(at)}. On the mini-batch "
            f"mean(d) = {number(flow)}, mean(dẑ) = {number(bend)}, and γ/√(σ² + ε) = "
            f"{number(size)}. Which δ goes back to z?"
        )
        reason = (
            f"Through the mean comes {number(flow)}, through the variance ẑ mean(dẑ) = "
            f"{number(at * bend)}. Without them {number(own - flow - at * bend)} is left, times "
            f"{number(size)}."
        )
        others = [size * own, size * (own - flow), own - flow - at * bend, size * (own + at * bend)]
        return _numeric(text, right, others, reason)

    def _ask_loss(self, now: int, rng: Generator) -> Question | None:
        before, after = self.steps[now], self.steps[now + 1]
        other = self.pair.other(now + 1)
        if rng.random() < 0.5:
            reason = f"It goes from {number(before.loss)} to {number(after.loss)}."
            text = "The update is made. What does the training loss do with normalisation?"
            return rises_or_falls(text, before.loss, after.loss, reason, least=0.005)
        if abs(after.loss - other.loss) <= 0.02 * max(after.loss, other.loss):
            return None
        options = [Option("the one with normalisation"), Option("the one without")]
        lower = int(other.loss < after.loss)
        text = "After this update, which network has the smaller training loss?"
        reason = f"It is {number(after.loss)} with normalisation and {number(other.loss)} without."
        return question(text, options[lower], [options[1 - lower]], reason)

    def _size(self, step: BatchStep) -> float:
        """Return γ/√(σ² + ε) of the unit before the update."""
        variance = float(self.shown.of(step, "variance"))
        return float(self.shown.own(step.gammas)) / float(np.sqrt(variance + EPSILON))

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        return found(self.data, self.features, self.network(now))


def _numeric(text: str, right: float, others: list[float], reason: str) -> Question | None:
    """Ask for a number among others that are clearly different; None if there is none."""
    least = _ALIKE * max(abs(right), 1e-3)
    wrong = [Option(number(each)) for each in others if abs(each - right) > least]
    return question(text, Option(number(right)), wrong, reason)
