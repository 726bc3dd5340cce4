"""The update rule with the numbers of an epoch."""

from dataclasses import dataclass

import numpy as np

from algorithms.core.optimizers import AdaGrad, Adam, Momentum, Plain, RMSProp, Rule
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import EpochStep
from viz.core.optimizers import IN_WORDS, Update, scaled
from viz.core.scene import Plane
from viz.core.words import added, counted, enclosed, number
from viz.networks.units import weight_name

_NAMES = {
    Plain: "gradient descent",
    Momentum: "momentum",
    AdaGrad: "AdaGrad",
    RMSProp: "RMSProp",
    Adam: "Adam",
}


@dataclass(frozen=True, eq=False)
class Change:
    """An epoch: the step before it, the step after it, and the rule that it followed."""

    before: EpochStep
    step: EpochStep
    rule: Rule
    data: Plane

    @property
    def largest(self) -> tuple[int, int, int] | None:
        """Return the layer, row and column of the weight that changed most; None if none did."""
        pairs = zip(self.step.weights, self.before.weights, strict=True)
        changes = [np.abs(new - old) for new, old in pairs]
        layer = int(np.argmax([change.max() for change in changes]))
        if not changes[layer].any():
            return None
        i, j = np.unravel_index(int(changes[layer].argmax()), changes[layer].shape)
        return layer, int(i), int(j)

    @property
    def biases_alone(self) -> bool:
        """Return whether a bias changed."""
        pairs = zip(self.step.biases, self.before.biases, strict=True)
        return any((new != old).any() for new, old in pairs)


def written(change: Change, n: int, size: int, *, thinned: bool) -> str:
    """Write the rule with the numbers of the weight that changed most.

    n : the number of training points. size : that of a batch. thinned : some update of the run
    leaves units out.
    """
    rule, step = change.rule, change.step
    by = _NAMES[type(rule)]
    if step.event == "diverged":
        return f"By {by} with η = {number(rule.learning_rate)}: the steps are too long."
    out = _left_out(step) if thinned else ""
    if change.largest is None:
        why = "" if out else ", since every slope ∂L/∂w is 0 or too small to count"
        only = "only biases change" if change.biases_alone else "no weight changes"
        return f"By {by}, {only}{why}. {out}".rstrip()
    layer, i, j = change.largest
    old, new = (float(each.weights[layer][i, j]) for each in (change.before, step))
    name, numbers = weight_name(step, layer, i, j, change.data), f"{number(old)} → {number(new)}"
    if size < n:
        rest = f" (the last {n % size})" if n % size else ""
        updates = counted(-(-n // size), "update")
        updates += "" if isinstance(rule, Plain) else f" by {by}"
        over = f"{updates}, each over {counted(size, 'point')}{rest}"
        return f"{over}. {out}Largest weight change, {name}: {numbers}."
    first = f"Every weight goes downhill on the loss of all {n} points"
    if not thinned:
        numbers = _put_in(change, layer, i, j)
        if not isinstance(rule, Plain):
            first = f"By {by}, {_step(rule)}"
    return f"{first}. {out}Largest weight change, {name}: {numbers}."


def _step(rule: Rule) -> str:
    """Write in words how the rule moves a weight."""
    if isinstance(rule, Momentum):
        return f"a step v is {number(rule.beta)} of the last one plus η times the slope"
    return f"every weight moves by −η times {IN_WORDS[type(rule)]}"


def _put_in(change: Change, layer: int, i: int, j: int) -> str:
    """Put the numbers of one weight into the rule."""
    before, step, rule = change.before, change.step, change.rule
    old, new = (float(each.weights[layer][i, j]) for each in (before, step))
    slope, eta = float(before.gradients[layer][i, j]), number(rule.learning_rate)
    at = sum(W.size for W in step.weights[:layer]) + i * step.weights[layer].shape[1] + j
    if isinstance(rule, Plain):
        return f"{number(old, 4)} − {eta} · {enclosed(slope, 4)} = {number(new, 4)}"
    if isinstance(rule, Momentum):
        last, push = float(before.velocity[at]), rule.learning_rate * slope
        v = rule.beta * last + push
        taken = f"v = {number(rule.beta)} · {enclosed(last)} {added(push)} = {number(v)}"
        return f"{taken}, w = {number(old)} − {enclosed(v)} = {number(old - v)}"
    assert isinstance(rule, AdaGrad | RMSProp | Adam)
    one = slice(at, at + 1)
    update = Update(
        step.epoch, np.array([old]), np.array([new]), np.array([slope]),
        before.velocity[one], step.velocity[one], step.squares[one],
    )  # fmt: skip
    followed, size = (each.item() for each in scaled(rule, update))
    return f"{number(old, 4)} − {eta} · {enclosed(followed)} / {number(size)} = {number(new, 4)}"


def _left_out(step: EpochStep) -> str:
    """Write how many units the last update left out."""
    counts = ", ".join(f"{int(units.sum())} of {len(units)}" for units in step.dropped)
    where = " by layer" if len(step.dropped) > 1 else ""
    return f"Hidden units left out in the last update{where}: {counts}. "
