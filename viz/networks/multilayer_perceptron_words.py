"""Words for the multi-layer perceptron: what an epoch changed, and what the network says."""

import numpy as np
from numpy import ndarray

from algorithms.networks.multilayer_perceptron import MultilayerPerceptronStep
from algorithms.networks.network import Network
from viz.core.preparation import preprocessing
from viz.core.scene import Plane
from viz.core.words import added, counted, enclosed, listed, number
from viz.networks.multilayer_perceptron import Trained

CROSSED = " Crossed out: left out in the last update; the loss is that of the whole network."
G = {"tanh": "tanh z", "sigmoid": "1/(1 + e⁻ᶻ)", "relu": "max(0, z)"}


def note(shown: Trained) -> str:
    """Say what the picture and the diagram show."""
    held = f" {counted(int(shown.held.sum()), 'point')} are held out: small and pale."
    lines = " Dotted lines: the z of a unit of layer 1 is 0." if _hidden(shown) else ""
    return (
        f"{preprocessing(shown.features, shown.data.names)}{held if shown.held.any() else ''}"
        f"{lines} In the network a node's map shows where its unit says much (strong colour), its "
        "number what it says of the picked point; a stroke is as wide as its weight is large, and "
        "dashed if that is negative. A dotted frame: a unit that is dead (0 at every training "
        f"point) or saturated (nearly flat at every one).{CROSSED if shown.thinned else ''}"
    )


def caption(shown: Trained, now: int, rate: float, size: int) -> str:
    """Say what epoch `now` did. rate : the learning rate. size : points of a batch."""
    rule = _start(shown) if now == 0 else _rule(shown, now, rate, size)
    picked = output(shown.steps[now], shown.input, shown.data)
    return f"{_plainly(shown, now)}\n{rule}\n{_state(shown, now)}\nThe picked point: {picked}."


def _plainly(shown: Trained, now: int) -> str:
    step = shown.steps[now]
    n = int((~shown.held).sum())
    if step.event == "diverged":
        return f"Epoch {now}: a weight would go beyond all bounds: diverged, and the run ends."
    wrong = f"{round(step.training_error * n) or 'none'} of {n} training points are wrong"
    if step.training_error * n == 1:
        wrong = wrong.replace("are", "is")
    first = ", for the first time" if step.event == "training error 0" else ""
    if now == 0:
        return f"Start: before any learning the loss is {number(step.loss)}; {wrong}{first}."
    before = shown.steps[now - 1].loss
    old, new = _apart(before, step.loss)
    if old == new:
        return f"Epoch {now}: the loss stays at {new}; {wrong}{first}."
    goes = "falls" if step.loss < before else "rises"
    return f"Epoch {now}: the loss {goes} from {old} to {new}; {wrong}{first}."


def _apart(old: float, new: float) -> tuple[str, str]:
    """Write two numbers with as many digits, up to six, as it takes to tell them apart."""
    digits = next((d for d in range(3, 6) if number(old, d) != number(new, d)), 6)
    return number(old, digits), number(new, digits)


def _start(shown: Trained) -> str:
    step = shown.steps[0]
    count = sum(W.size for W in step.weights) + sum(b.size for b in step.biases)
    units = listed([str(W.shape[1]) for W in step.weights[:-1]])
    if not units:
        return f"No hidden layer: {count} weights and biases, a linear border."
    if step.event == "units alike":
        return "All units of a hidden layer are the same: so are their gradients, and so they stay."
    return (
        f"Every hidden unit says g(z) = {G[step.activation]} of z = b + Σ w a. Hidden units by "
        f"layer: {units}; {count} weights and biases."
    )


def _rule(shown: Trained, now: int, rate: float, size: int) -> str:
    """Put the numbers of the weight that changed most into the update rule."""
    before, step = shown.steps[now - 1], shown.steps[now]
    n = int((~shown.held).sum())
    if step.event == "diverged":
        return f"w ← w − η ∂L/∂w with η = {number(rate)}: the steps go too far."
    moved = [np.abs(a - b) for a, b in zip(step.weights, before.weights, strict=True)]
    layer = int(np.argmax([change.max() for change in moved]))
    rule = "v ← β v + η ∂L/∂w, w ← w − v" if shown.momentum else "w ← w − η ∂L/∂w"
    out = _left_out(shown, step)
    if not moved[layer].any():
        why = "" if out else ", for every ∂L/∂w is 0 or too small to count"
        return f"{rule}: no weight changes{why}. {out}".rstrip()
    i, j = np.unravel_index(int(moved[layer].argmax()), moved[layer].shape)
    old, new = (float(each.weights[layer][i, j]) for each in (before, step))
    name = weight_name(step, layer, int(i), int(j), shown.data)
    change = f"{number(old)} → {number(new)}"
    if size < n:
        updates = counted(-(-n // size), "update")
        rest = f" (the last {n % size})" if n % size else ""
        over = f"{updates} {rule}, each over {counted(size, 'point')}{rest}"
        return f"{over}. {out}The largest change, {name}: {change}."
    if not shown.thinned:
        slope = float(before.gradients[layer][i, j])
        change = f"{number(old)} − {number(rate)} · {enclosed(slope)} = {number(new)}"
        if shown.momentum:
            earlier = shown.steps[max(now - 2, 0)].weights[layer][i, j]
            change = _rolled(shown.momentum, float(earlier - old), rate * slope, old)
    return f"{rule}, over all {n} points. {out}The largest change, {name}: {change}."


def _rolled(beta: float, last: float, push: float, old: float) -> str:
    """Put a weight's numbers into the rule with momentum. last : what was taken from it before."""
    v = beta * last + push
    taken = f"v = {number(beta)} · {enclosed(last)} {added(push)} = {number(v)}"
    return f"{taken}, w = {number(old)} − {enclosed(v)} = {number(old - v)}"


def _left_out(shown: Trained, step: MultilayerPerceptronStep) -> str:
    """Say how many units the last update was made without."""
    if not shown.thinned:
        return ""
    counts = ", ".join(f"{int(units.sum())} of {len(units)}" for units in step.dropped)
    where = " by layer" if len(step.dropped) > 1 else ""
    return f"Hidden units left out in the last update{where}: {counts}. "


def weight_name(model: Network, layer: int, i: int, j: int, data: Plane) -> str:
    """Name a weight by the units at its ends; `layer` is counted from 0."""
    start = data.names[i] if layer == 0 else f"unit {i + 1} of layer {layer}"
    return f"{start} to {unit_name(model, layer, j, data)}"


def unit_name(model: Network, layer: int, j: int, data: Plane) -> str:
    """Name a unit of a layer with weights, counted from 0."""
    if layer < len(model.weights) - 1:
        return f"unit {j + 1} of layer {layer + 1}"
    if model.weights[-1].shape[1] == 1:
        return "the output"
    return f"the output of “{data.classes[int(model.classes[j])]}”"


def _state(shown: Trained, now: int) -> str:
    """Tell of the gradients, of units that no longer learn, and of the held-out points."""
    step, sums = shown.steps[now], shown.sums
    sizes = ", ".join(number(float(size), 2) for size in sums.gradients[now])
    text = f"‖∂L/∂W‖{' by layer' if _hidden(shown) else ''}: {sizes}."
    if sums.held_out_loss is not None and sums.held_out_error is not None:
        wrong, held = sums.held_out_error[now], int(shown.held.sum())
        text += f" Held out: loss {number(float(sums.held_out_loss[now]))}, "
        text += f"{round(wrong * held)} of {held} wrong."
    idle = [int(units.sum()) for units in step.stuck]
    if any(idle):
        what = "Dead" if step.activation == "relu" else "Saturated"
        where = " by layer" if len(idle) > 1 else ""
        counts = ", ".join(map(str, idle))
        text += f" {what} units{where}: {counts} of {len(step.stuck[0])}."
    return text


def output(model: Network, x: ndarray, data: Plane) -> str:
    """Turn the scores of one input into probabilities."""
    scores = model.activations(x)[-1][0]
    P = model.predict_proba(x)[0]
    shown = [data.classes[int(k)] for k in model.classes]
    winner = f"so “{data.classes[int(model.predict(x)[0])]}”"
    if len(scores) == 1:
        z = number(float(scores[0]))
        minus = number(-float(scores[0]))
        return f"z = {z}, P(“{shown[1]}”) = 1/(1 + e^({minus})) = {number(P[1])}, {winner}"
    few = np.argsort(-P, kind="stable")[:4]
    parts = ", ".join(f"“{shown[k]}” {number(P[k], 2)}" for k in sorted(few.tolist()))
    rest = " and less for the others" if len(P) > 4 else ""
    return f"P = eᶻ / Σ eᶻ is {parts}{rest}, {winner}"


def _hidden(shown: Trained) -> bool:
    return len(shown.steps[0].weights) > 1
