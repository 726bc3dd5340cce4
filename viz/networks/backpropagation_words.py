"""Words for backpropagation: every layer's part in one update, with its numbers."""

import numpy as np

from algorithms.networks.backpropagation import BackpropagationStep
from algorithms.networks.network import slope
from viz.core.preparation import preprocessing
from viz.core.words import added, counted, enclosed, number
from viz.networks.backpropagation import Learning
from viz.networks.multilayer_perceptron_words import G, unit_name, weight_name

_SLOPE = {"tanh": "1 − a²", "sigmoid": "a(1 − a)", "relu": "1 if a > 0, else 0"}


def note(shown: Learning) -> str:
    """Say what is shown, and how the point is chosen."""
    return (
        f"{preprocessing(shown.features, shown.data.names)} The network learns from one point, "
        "ringed: the one nearest to the cross hair, which you can drag. In a node stand its "
        "activation a and, once it is known, its δ; the units of this step have a dotted frame. A "
        "stroke is as wide as its weight is large, and dashed if that is negative. Under a bar "
        "stand where its weight comes from (b: the bias) and the unit that it leads to."
    )


def caption(shown: Learning, now: int) -> str:
    """Say what this step did, then put the numbers of its largest part into the rule."""
    step = shown.steps[now]
    if step.phase == "input":
        return _input(shown, step)
    if step.phase == "forward":
        return _forward(shown, step)
    if step.phase == "loss":
        return _loss(shown, step)
    if step.phase == "backward":
        last = step.layer == len(step.weights)
        return _error(shown, step) if last else _backward(shown, step)
    return _update(shown, now) if step.phase == "update" else _again(step)


def _input(shown: Learning, step: BackpropagationStep) -> str:
    place = ", ".join(map(number, shown.data.X[shown.row]))
    x = _vector(step.activations_known[0])
    return (
        f"The ringed point, of class {_class(shown, step)}, goes into the network.\n"
        f"It stands at ({place}); standardised, that is a = {x}."
    )


def _forward(shown: Learning, step: BackpropagationStep) -> str:
    layer, m = step.layer, len(step.weights)
    before, A = step.activations_known[layer - 1 : layer + 1]
    W, b = step.weights[layer - 1], step.biases[layer - 1]
    j = int(np.abs(A).argmax())
    z = float(before @ W[:, j] + b[j])
    terms = " + ".join(f"{number(a)} · {enclosed(w)}" for a, w in zip(before, W[:, j], strict=True))
    total = f"z = Σ a w + b = {terms} {added(b[j])} = {number(z)}"
    name = _capital(unit_name(step, layer - 1, j, shown.data))
    if layer == m:
        plain = f"Forward, the output: {counted(len(A), 'score')} from what layer {m - 1} says."
        return f"{plain}\n{name}: {total}."
    plain = f"Forward, layer {layer}: {counted(len(A), 'unit')} add up what comes in, and answer."
    plain = plain.replace("1 unit add up what comes in, and answer", "1 unit adds up and answers")
    return f"{plain}\n{name}: {total}, a = {G[step.activation]} = {number(A[j])}."


def _loss(shown: Learning, step: BackpropagationStep) -> str:
    P, k = step.probabilities, _code(step)
    assert P is not None
    assert step.loss is not None
    return (
        f"The network gives the point's own class {number(100 * P[k])} %: the loss is "
        f"{number(step.loss)}.\nL = −ln P({_class(shown, step)}) = −ln {number(P[k])} = "
        f"{number(step.loss)}; it would be 0 for P = 1."
    )


def _error(shown: Learning, step: BackpropagationStep) -> str:
    P, m = step.probabilities, len(step.weights)
    assert P is not None
    delta, P = step.deltas[0], P[-len(step.deltas[0]) :]
    parts = []
    for j, (d, p) in enumerate(zip(delta, P, strict=True)):
        k = j + len(step.classes) - len(delta)
        own = 1 if k == _code(step) else 0
        name = shown.data.classes[int(step.classes[k])]
        parts.append(f"“{name}” {number(p)} − {own} = {number(d)}")
    return (
        "Backward, the output: what is wrong with it is the probability, less 1 for the own class."
        f"\nδ = ∂L/∂z = P − [own class]: {'; '.join(parts[:4])}{', …' if len(parts) > 4 else ''}.\n"
        f"{_gradient(shown, step, m)}"
    )


def _backward(shown: Learning, step: BackpropagationStep) -> str:
    layer = step.layer
    delta, behind = step.deltas[:2]
    A, W = step.activations_known[layer], step.weights[layer]
    j = int(np.abs(delta).argmax())
    terms = " + ".join(
        f"{number(d)} · {enclosed(w)}" for d, w in zip(behind[:4], W[j][:4], strict=True)
    )
    more = " + …" if len(behind) > 4 else ""
    steep = float(slope(step.activation, A[j : j + 1])[0])
    dead = int(np.count_nonzero(delta == 0))
    silent = f" {dead} of {len(delta)} units have δ = 0 and learn nothing." if dead else ""
    return (
        f"Backward, layer {layer}: every unit is blamed by its weights for the δ it led to.{silent}"
        f"\nUnit {j + 1}: δ = (Σ δ w) g′ = ({terms}{more}) · {number(steep)} = {number(delta[j])}, "
        f"with the slope g′ = {_SLOPE[step.activation]}.\n{_gradient(shown, step, layer)}"
    )


def _gradient(shown: Learning, step: BackpropagationStep, layer: int) -> str:
    """Multiply out the largest derivative of a layer's weights."""
    gradient, delta = step.gradients[0], step.deltas[0]
    i, j = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
    a = float(step.activations_known[layer - 1][i])
    name = weight_name(step, layer - 1, int(i), int(j), shown.data)
    product = f"{number(a)} · {enclosed(float(delta[j]))} = {number(float(gradient[i, j]))}"
    return f"∂L/∂w = a δ; the largest, {name}: {product}."


def _update(shown: Learning, now: int) -> str:
    before, step = shown.steps[now - 1], shown.steps[now]
    layer = step.layer
    gradient = step.gradients[layer - 1]
    i, j = np.unravel_index(int(np.abs(gradient).argmax()), gradient.shape)
    old, new = (float(each.weights[layer - 1][i, j]) for each in (before, step))
    where = "the output" if layer == len(step.weights) else f"layer {layer}"
    slope = enclosed(float(gradient[i, j]))
    return (
        f"Update, {where}: every weight goes against its own derivative.\n"
        f"w ← w − η ∂L/∂w; the largest change, "
        f"{weight_name(step, layer - 1, int(i), int(j), shown.data)}: "
        f"{number(old)} − {number(shown.rate)} · {slope} = {number(new)}."
    )


def _again(step: BackpropagationStep) -> str:
    assert step.loss is not None
    assert step.loss_after is not None
    old, new = number(step.loss), number(step.loss_after)
    if step.event == "loss rises":
        why = "The gradient only tells how the loss changes nearby, and the step went farther."
        return f"The loss of this point rises from {old} to {new}: the step was too long.\n{why}"
    same = "stays at" if step.loss_after == step.loss else f"falls from {old} to"
    return (
        f"With the new weights the loss of this point {same} {new}.\n"
        "All δ were taken with the old weights: no layer was changed before the last δ was known."
    )


def _code(step: BackpropagationStep) -> int:
    return step.classes.tolist().index(step.label)


def _class(shown: Learning, step: BackpropagationStep) -> str:
    return f"“{shown.data.classes[step.label]}”"


def _vector(values: np.ndarray) -> str:
    return f"({', '.join(number(value) for value in values)})"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
