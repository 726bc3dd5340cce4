"""Words for a network that predicts y from x: what an epoch changed, and what it says."""

import numpy as np

from viz.core.words import added, enclosed, number
from viz.networks.multilayer_perceptron_words import (
    gradients,
    held_out,
    idle,
    loss,
    rule,
    strokes,
)
from viz.networks.network_regression import Fitted

MOST_TERMS = 3  # of a sum that is written out


def note(shown: Fitted) -> str:
    """Say what the picture and the diagram show."""
    (cx, cy), (sx, sy) = shown.scaling.center, shown.scaling.spread
    x, y = shown.data.names
    return (
        f"Both columns are standardised, u = ({x} {added(-cx, 4)}) / {number(sx, 4)} and "
        f"v = ({y} {added(-cy, 4)}) / {number(sy, 4)}; the loss is half the mean of (v − f)², and "
        f"the penalty.{held_out(shown)} Thin: what each unit of the last hidden layer adds to the "
        "output's bias; all of them together are the curve. In the network a node shows its unit "
        "over x, with what it says at the picked x, the output in units of the data; "
        f"{strokes(shown)}"
    )


def caption(shown: Fitted, now: int) -> str:
    """Say what epoch `now` did."""
    return (
        f"{loss(shown, now)}\n{rule(shown, now)}\n"
        f"{gradients(shown, now)}{_held_out(shown, now)}{idle(shown, now)}\n{_read(shown, now)}"
    )


def _held_out(shown: Fitted, now: int) -> str:
    """Compare the held-out loss with the lowest so far."""
    every, best = shown.sums.held_out_loss, shown.sums.best_so_far(now)
    if every is None or best is None:
        return ""
    text = f" Held out: loss {number(float(every[now]))}"
    if best == now:
        return f"{text}{', the lowest so far' if now else ''}."
    return f"{text}; the lowest so far is {number(float(every[best]))}, at epoch {best}."


def _read(shown: Fitted, now: int) -> str:
    """Put the numbers of the picked x into the last layer."""
    step = shown.steps[now]
    x, (_, center), (_, spread) = shown.query, shown.scaling.center, shown.scaling.spread
    *_, before, output = step.activations(shown.standard(np.array([x])))
    w, b = step.weights[-1][:, 0], float(step.biases[-1][0])
    terms = [f"{enclosed(a)} · {enclosed(v)}" for a, v in zip(before[0], w, strict=True)]
    total = " + ".join([*terms[:MOST_TERMS], *["…"] * (len(terms) > MOST_TERMS)])
    f = float(output[0, 0])
    return (
        f"Picked x = {number(x)}: v = Σ a w + b = {total} {added(b)} = {number(f)}, so f = "
        f"{number(center)} {added(f)} · {number(spread)} = {number(shown.read(now))}."
    )
