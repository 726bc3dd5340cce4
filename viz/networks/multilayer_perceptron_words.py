"""Words for the multi-layer perceptron: what an epoch changed, and what the network says."""

import numpy as np
from numpy import ndarray

from algorithms.networks.multilayer_perceptron import EpochStep
from algorithms.networks.network import Layered, Network
from algorithms.regression.least_squares.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from viz.core.preparation import preprocessing
from viz.core.scene import Plane
from viz.core.words import added, counted, enclosed, listed, number
from viz.networks.multilayer_perceptron import Trained, Training
from viz.regression.least_squares.optimizer_words import Update, applied

CROSSED = " Crossed out: left out in the last update; the loss is that of the whole network."
G = {"tanh": "tanh z", "sigmoid": "1/(1 + e⁻ᶻ)", "relu": "max(0, z)"}
_RULES = {
    Rule: "w ← w − η ∂L/∂w",
    Momentum: "v ← β v + η ∂L/∂w, w ← w − v",
    AdaGrad: "by AdaGrad",
    RMSProp: "by RMSProp",
    Adam: "by Adam",
}


def note(shown: Trained) -> str:
    """Say what the picture and the diagram show."""
    lines = " Dotted lines: the z of a unit of layer 1 is 0." if _hidden(shown) else ""
    return (
        f"{preprocessing(shown.features, shown.data.names)}{held_out(shown)}"
        f"{lines} In the network a node's map shows where its unit says much (strong colour), its "
        f"number what it says of the picked point; {strokes(shown)}"
    )


def held_out(shown: Training) -> str:
    """Say how many points are held out, if any are."""
    held = counted(int(shown.held.sum()), "point")
    verb = "is" if shown.held.sum() == 1 else "are"
    return f" {held} {verb} held out: small and pale." if shown.held.any() else ""


def strokes(shown: Training) -> str:
    """Say what strokes and frames of the diagram mean."""
    return (
        "a stroke is as wide as its weight is large, and "
        "dashed if that is negative. A dotted frame: a unit that is dead (0 at every training "
        f"point) or saturated (nearly flat at every one).{CROSSED if shown.thinned else ''}"
    )


def caption(shown: Trained, now: int) -> str:
    """Say what epoch `now` did."""
    picked = output(shown.steps[now], shown.input, shown.data)
    return (
        f"{loss(shown, now, _wrong(shown, now))}\n{rule(shown, now)}\n{_state(shown, now)}\n"
        f"The picked point: {picked}."
    )


def _wrong(shown: Trained, now: int) -> str:
    step = shown.steps[now]
    n = int((~shown.held).sum())
    wrong = f"; {round(step.training_error * n) or 'none'} of {n} training points are wrong"
    if step.training_error * n == 1:
        wrong = wrong.replace("are", "is")
    return f"{wrong}{', for the first time' if step.event == 'training error 0' else ''}"


def loss(shown: Training, now: int, more: str = "") -> str:
    """Say which way the loss went. more : what else is said of it in the sentence."""
    step, other = shown.steps[now], shown.updates.later
    if step.event == "diverged":
        return f"Epoch {now}: a weight would go beyond all bounds: diverged, and the run ends."
    if now == 0:
        return f"Start: before any learning the loss is {number(step.loss)}{more}."
    changed = f"From here on η = {other[1]:g}. " if other and now == other[0] else ""
    before = shown.steps[now - 1].loss
    old, new = _apart(before, step.loss)
    if old == new:
        return f"{changed}Epoch {now}: the loss stays at {new}{more}."
    goes = "falls" if step.loss < before else "rises"
    return f"{changed}Epoch {now}: the loss {goes} from {old} to {new}{more}."


def _apart(old: float, new: float) -> tuple[str, str]:
    """Write two numbers with as many digits, up to six, as it takes to tell them apart."""
    digits = next((d for d in range(3, 6) if number(old, d) != number(new, d)), 6)
    return number(old, digits), number(new, digits)


def _start(shown: Training) -> str:
    step = shown.steps[0]
    count = sum(W.size for W in step.weights) + sum(b.size for b in step.biases)
    units = listed([str(W.shape[1]) for W in step.weights[:-1]])
    if not units:
        what = "a linear border" if isinstance(step, Network) else "a straight line"
        return f"No hidden layer: {count} weights and biases, {what}."
    if step.event == "units alike":
        return "All units of a hidden layer are the same: so are their gradients, and so they stay."
    return (
        f"Every hidden unit says g(z) = {G[step.activation]} of z = b + Σ w a. Hidden units by "
        f"layer: {units}; {count} weights and biases."
    )


def rule(shown: Training, now: int) -> str:
    """Put the numbers of the weight that changed most into the update rule."""
    if now == 0:
        return _start(shown)
    before, step = shown.steps[now - 1], shown.steps[now]
    n, size, follows = int((~shown.held).sum()), shown.updates.size, shown.updates.rule_of(now)
    formula = _RULES[type(follows)]
    first = formula.replace("by ", "By ")  # of a sentence
    if step.event == "diverged":
        return f"{first} with η = {number(follows.learning_rate)}: the steps go too far."
    moved = [np.abs(a - b) for a, b in zip(step.weights, before.weights, strict=True)]
    layer = int(np.argmax([change.max() for change in moved]))
    out = _left_out(shown, step)
    if not moved[layer].any():
        why = "" if out else ", for every ∂L/∂w is 0 or too small to count"
        return f"{first}: no weight changes{why}. {out}".rstrip()
    i, j = map(int, np.unravel_index(int(moved[layer].argmax()), moved[layer].shape))
    old, new = (float(each.weights[layer][i, j]) for each in (before, step))
    name = weight_name(step, layer, i, j, shown.data)
    change = f"{number(old)} → {number(new)}"
    if size < n:
        updates = counted(-(-n // size), "update")
        rest = f" (the last {n % size})" if n % size else ""
        over = f"{updates} {formula}, each over {counted(size, 'point')}{rest}"
        return f"{over}. {out}The largest change, {name}: {change}."
    if not shown.thinned:
        change = _change(follows, before, step, (layer, i, j))
    return f"{first}, over all {n} points. {out}The largest change, {name}: {change}."


def _change(follows: Rule, before: EpochStep, step: EpochStep, at: tuple[int, int, int]) -> str:
    """Put the numbers of one weight into the rule. at : its layer, row and column."""
    layer, i, j = at
    old, new = (float(each.weights[layer][i, j]) for each in (before, step))
    slope = float(before.gradients[layer][i, j])
    shape = step.weights[layer].shape
    place = sum(W.size for W in step.weights[:layer]) + i * shape[1] + j
    if isinstance(follows, Momentum):
        last, push = float(before.velocity[place]), follows.learning_rate * slope
        v = follows.beta * last + push
        taken = f"v = {number(follows.beta)} · {enclosed(last)} {added(push)} = {number(v)}"
        return f"{taken}, w = {number(old)} − {enclosed(v)} = {number(old - v)}"
    if type(follows) is Rule:
        return (
            f"{number(old)} − {number(follows.learning_rate)} · {enclosed(slope)} = {number(new)}"
        )
    one = slice(place, place + 1)
    update = Update(
        step.epoch, np.array([old]), np.array([new]), np.array([slope]),
        before.velocity[one], step.velocity[one], step.squares[one],
    )  # fmt: skip
    return applied(follows, "w", update)


def _left_out(shown: Training, step: EpochStep) -> str:
    """Say how many units the last update was made without."""
    if not shown.thinned:
        return ""
    counts = ", ".join(f"{int(units.sum())} of {len(units)}" for units in step.dropped)
    where = " by layer" if len(step.dropped) > 1 else ""
    return f"Hidden units left out in the last update{where}: {counts}. "


def weight_name(model: Layered, layer: int, i: int, j: int, data: Plane) -> str:
    """Name a weight by the units at its ends; `layer` is counted from 0."""
    start = data.names[i] if layer == 0 else f"unit {i + 1} of layer {layer}"
    return f"{start} to {unit_name(model, layer, j, data)}"


def unit_name(model: Layered, layer: int, j: int, data: Plane) -> str:
    """Name a unit of a layer with weights, counted from 0."""
    if layer < len(model.weights) - 1:
        return f"unit {j + 1} of layer {layer + 1}"
    if model.weights[-1].shape[1] == 1 or not isinstance(model, Network):
        return "the output"
    return f"the output of “{data.classes[int(model.classes[j])]}”"


def _state(shown: Trained, now: int) -> str:
    """Tell of the gradients, of the held-out points, and of units that no longer learn."""
    sums, held = shown.sums, ""
    if sums.held_out_loss is not None and sums.held_out_error is not None:
        wrong, count = sums.held_out_error[now], int(shown.held.sum())
        held = f" Held out: loss {number(float(sums.held_out_loss[now]))}, "
        held += f"{round(wrong * count)} of {count} wrong."
    return f"{gradients(shown, now)}{held}{idle(shown, now)}"


def gradients(shown: Training, now: int) -> str:
    """Tell the sizes of the gradients."""
    sizes = ", ".join(number(float(size), 2) for size in shown.sums.gradients[now])
    return f"‖∂L/∂W‖{' by layer' if _hidden(shown) else ''}: {sizes}."


def idle(shown: Training, now: int) -> str:
    """Count the units that no longer learn, if there are any."""
    step = shown.steps[now]
    stuck = [int(units.sum()) for units in step.stuck]
    if not any(stuck):
        return ""
    what = "Dead" if step.activation == "relu" else "Saturated"
    where, counts = " by layer" if len(stuck) > 1 else "", ", ".join(map(str, stuck))
    return f" {what} units{where}: {counts} of {len(step.stuck[0])}."


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


def _hidden(shown: Training) -> bool:
    return len(shown.steps[0].weights) > 1
