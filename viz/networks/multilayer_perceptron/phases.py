"""The captions of backpropagation: every layer's part in one update, with its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike

from algorithms.networks.multilayer_perceptron.backpropagation import BackpropagationStep
from algorithms.networks.multilayer_perceptron.network import slope
from viz.core.scene import Plane
from viz.core.words import added, as_written, capital, counted, enclosed, number
from viz.networks.units import G, unit_name, weight_name

_EVERY = {1: "", 2: " both"}  # units
_MOST = 6  # digits
_SLOPE = {"tanh": "1 − a²", "sigmoid": "a(1 − a)", "relu": "1 if a > 0, else 0"}


@dataclass(frozen=True, eq=False)
class Phases:
    """The captions. row : of the point that the network learns from. rate : the learning rate."""

    data: Plane
    row: int
    rate: float

    def caption(self, before: BackpropagationStep, step: BackpropagationStep) -> str:
        """Write what this step did, then the rule with the numbers of its largest part."""
        if step.phase == "input":
            return self._input(step)
        if step.phase == "forward":
            return self._forward(step)
        if step.phase == "loss":
            return self._loss(step)
        if step.phase == "backward":
            last = step.layer == len(step.weights)
            return self._error(step) if last else self._backward(step)
        return self._update(before, step) if step.phase == "update" else self._again(step)

    def _input(self, step: BackpropagationStep) -> str:
        place = ", ".join(map(number, self.data.X[self.row]))
        x = _vector(step.activations_known[0])
        return (
            f"The ringed point, of class {self._class(step)}, goes into the network.\n"
            f"It is at ({place}); standardised, that is a = {x}."
        )

    def _forward(self, step: BackpropagationStep) -> str:
        layer, m = step.layer, len(step.weights)
        before, A = step.activations_known[layer - 1 : layer + 1]
        W, b = step.weights[layer - 1], step.biases[layer - 1]
        j = int(np.abs(A).argmax())
        z = float(before @ W[:, j] + b[j])
        digits = _enough(z, lambda told: float(told(before) @ told(W[:, j]) + told(b[j])))
        terms = f"{_products(before, W[:, j], digits)} {added(b[j], digits)}"
        total = f"weighted inputs plus bias, z = {terms} = {number(z)}"
        name = capital(unit_name(step, layer - 1, j, self.data))
        if layer == m:
            source = f"the activations of layer {m - 1}" if m > 1 else "the input"
            plain = f"Forward, the output: {counted(len(A), 'score')} from {source}."
            return f"{plain}\n{name}: {total}."
        add = "adds up its inputs and answers" if len(A) == 1 else "add up their inputs and answer"
        zero = "" if A.any() else f",{_EVERY.get(len(A), ' all')} with 0"
        plain = f"Forward, layer {layer}: {counted(len(A), 'unit')} {add}{zero}."
        return f"{plain}\n{name}: {total}, a = {G[step.activation]} = {number(A[j])}."

    def _loss(self, step: BackpropagationStep) -> str:
        P, k = step.probabilities, _code(step)
        assert P is not None
        assert step.loss is not None
        return (
            f"The network gives the point's true class {number(100 * P[k])} %: the loss is "
            f"{number(step.loss)}.{self._silent(step)}\n"
            f"L = −ln P({self._class(step)}) = −ln {number(P[k])} = "
            f"{number(step.loss)}; it would be 0 if the network were certain, P = 1."
        )

    def _silent(self, step: BackpropagationStep) -> str:
        """Write why the scores are the biases alone, if all units of the last layer answer 0."""
        last = len(step.weights) - 1
        A, biases = step.activations_known[last], step.biases[-1]
        if last == 0 or A.any():
            return ""
        units = {1: "The unit", 2: "Both units"}.get(len(A), f"All {len(A)} units")
        answer = "answers" if len(A) == 1 else "answer"
        alone = f"the output is its bias alone, {number(float(biases[0]))}"
        if len(biases) > 1:
            alone = "every output is its bias alone"
        return f" {units} of layer {last} {answer} 0, so {alone}."

    def _error(self, step: BackpropagationStep) -> str:
        P, m = step.probabilities, len(step.weights)
        assert P is not None
        delta, P = step.deltas[0], P[-len(step.deltas[0]) :]
        parts = []
        for j, (d, p) in enumerate(zip(delta, P, strict=True)):
            k = j + len(step.classes) - len(delta)
            own = 1 if k == _code(step) else 0
            name = self.data.classes[int(step.classes[k])]
            parts.append(f"“{name}” {number(p)} − {own} = {number(d)}")
        more = ", …" if len(parts) > 4 else ""
        return (
            "Backward, output layer: the error signal is the predicted probability, minus 1 for "
            f"the true class.\nIt is δ, the slope of the loss: {'; '.join(parts[:4])}{more}.\n"
            f"{self._gradient(step, m)}"
        )

    def _backward(self, step: BackpropagationStep) -> str:
        layer = step.layer
        delta, behind = step.deltas[:2]
        A, W = step.activations_known[layer], step.weights[layer]
        j = int(np.abs(delta).argmax())
        steep = float(slope(step.activation, A[j : j + 1])[0])
        some, weights, more = behind[:4], W[j][:4], " + …" if len(behind) > 4 else ""
        digits = _enough(
            float(some @ weights) * steep,
            lambda told: float(told(some) @ told(weights) * told(steep)),
        )
        terms = _products(some, weights, digits)
        dead = int(np.count_nonzero(delta == 0))
        learn = "has δ = 0 and learns" if dead == 1 else "have δ = 0 and learn"
        silent = f" {dead} of {counted(len(delta), 'unit')} {learn} nothing." if dead else ""
        return (
            f"Backward, layer {layer}: every unit gets the next layer's δ, times its weights."
            f"{silent}\nUnit {j + 1}: δ is this sum times the unit's own slope, "
            f"{_SLOPE[step.activation]}: ({terms}{more}) · {number(steep, digits)} = "
            f"{number(delta[j])}.\n"
            f"{self._gradient(step, layer)}"
        )

    def _gradient(self, step: BackpropagationStep, layer: int) -> str:
        """Write the product for the largest derivative of a layer's weights."""
        gradient, delta = step.gradients[0], step.deltas[0]
        i, j = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
        a = float(step.activations_known[layer - 1][i])
        d, g = float(delta[j]), float(gradient[i, j])
        name = weight_name(step, layer - 1, int(i), int(j), self.data)
        digits = _enough(g, lambda told: float(told(a) * told(d)))
        product = f"{number(a, digits)} · {enclosed(d, digits)} = {number(g)}"
        rule = "A bias's slope is δ, a weight's is its input times δ"
        return f"{rule}; the largest of a weight, {name}: {product}."

    def _update(self, before: BackpropagationStep, step: BackpropagationStep) -> str:
        layer = step.layer
        gradient = step.gradients[layer - 1]
        i, j = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
        old, new = (float(each.weights[layer - 1][i, j]) for each in (before, step))
        where = "the output" if layer == len(step.weights) else f"layer {layer}"
        slope = float(gradient[i, j])
        digits = _enough(new, lambda told: float(told(old) - self.rate * told(slope)))
        return (
            f"Update, {where}: every weight and bias moves against its own slope.\n"
            f"Each changes by η = {number(self.rate)} times its slope. The largest change of a "
            "weight, "
            f"{weight_name(step, layer - 1, int(i), int(j), self.data)}: "
            f"{number(old, digits)} − {number(self.rate)} · {enclosed(slope, digits)} = "
            f"{number(new)}."
        )

    def _again(self, step: BackpropagationStep) -> str:
        assert step.loss is not None
        assert step.loss_after is not None
        old, new = number(step.loss), number(step.loss_after)
        before, after = step.probabilities, step.predict_proba(step.activations_known[0][None])[0]
        assert before is not None
        k = _code(step)
        goes = f"goes from {number(before[k])} to {number(after[k])}"
        if k < len(after) - len(step.biases[-1]):  # the one output is the other class's
            other = self.data.classes[int(step.classes[1])]
            goes = f"= 1 − P(“{other}”) {goes}"
        rule = f"P({self._class(step)}) {goes}: L = −ln {number(after[k])} = {new}."
        if step.event == "loss rises":
            why = "The gradient says only how the loss changes nearby, and the step went farther."
            return (
                f"The loss of this point rises from {old} to {new}: the step was too long.\n"
                f"{rule} {why}"
            )
        same = "stays at" if step.loss_after == step.loss else f"falls from {old} to"
        return (
            f"With the new weights the loss of this point {same} {new}.\n{rule} "
            "All δ were computed with the old weights: no layer changes before the last δ is known."
        )

    def _class(self, step: BackpropagationStep) -> str:
        return f"“{self.data.classes[step.label]}”"


def _code(step: BackpropagationStep) -> int:
    return step.classes.tolist().index(step.label)


def _enough(value: float, made: Callable[[Callable[[ArrayLike], ndarray]], float]) -> int:
    """Return how many digits its parts need, so that the written ones give the written value.

    made : compute the value from its parts, each rounded by the function that it gets.
    """
    for digits in range(3, _MOST):
        told = np.vectorize(partial(as_written, digits=digits), otypes=[float])
        if number(made(told)) == number(value):
            return digits
    return _MOST


def _products(first: ndarray, second: ndarray, digits: int) -> str:
    """Write a sum of products, without its value."""
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    terms = (f"{number(a, digits)} · {enclosed(w, digits)}" for a, w in pairs)
    return " + ".join(terms).replace("+ −", "− ")


def _vector(values: np.ndarray) -> str:
    return f"({', '.join(number(value) for value in values)})"
