"""Words for gradient boosting: what each round's tree says, and what is added."""

import numpy as np

from algorithms.ensembles.gradient_boosting import GradientBoostingStep
from viz.core.words import counted, enclosed, number
from viz.ensembles.gradient_boosting import Boosted

NOTE = (
    "The thick line is the sum F so far, the dashed one the sum before this round. The residuals "
    "y − F are those that the round began with, beside its tree. Nothing is standardised: trees do "
    "not ask for units, and η is a share. Step t is round t; step 0 is the constant F₀."
)
HELD_OUT = (
    " The small pale points are held out: drawn at random, each by itself, they only judge. The "
    "dotted line among the errors is the round at which theirs is lowest."
)
PART = " Residuals with a cross were not drawn for this round's tree."


def caption(shown: Boosted, now: int) -> str:
    """Say what the round did to the errors, what its tree says, and what is read off."""
    return f"{_first(shown, now)}\n{_rule(shown, now)}\n{_read(shown, now)}"


def note(shown: Boosted) -> str:
    """Say what is drawn, and which points judge or wait."""
    waiting = any(not step.drawn[~shown.held].all() for step in shown.steps)
    return NOTE + (HELD_OUT if shown.held.any() else "") + (PART if waiting else "")


def _first(shown: Boosted, now: int) -> str:
    step = shown.steps[now]
    learned = counted(int((~shown.held).sum()), "point")
    ended = {
        "lowest held-out error": " No other round has a lower held-out error.",
        "nothing left to learn": " No residual is left to learn from: the run ends.",
    }.get(step.event or "", "")
    if now == 0:
        held = "" if shown.held_out is None else f", held out {number(shown.held_out[0])}"
        middle = "mean" if shown.loss == "squared" else "median"
        return (
            f"Start: F is the {middle} of {learned} everywhere, {_value(step)}; the "
            f"{shown.measure} is {number(shown.training[0])}{held}.{ended}"
        )
    held = "" if shown.held_out is None else f", held out {_change(shown.held_out, now)}"
    leaves = counted(len(step.tree.values), "leaf").replace("leafs", "leaves")
    return (
        f"Round {now}: a tree with {leaves} on {counted(int(step.drawn.sum()), 'residual')}; "
        f"{shown.measure} {_change(shown.training, now)}{held}.{ended}"
    )


def _change(values: np.ndarray, now: int) -> str:
    before, after = number(values[now - 1]), number(values[now])
    return f"still {after}" if before == after else f"{before} → {after}"


def _rule(shown: Boosted, now: int) -> str:
    """Tell of the leaf that moves the curve most."""
    step = shown.steps[now]
    if now == 0 and step.event == "nothing left to learn":
        return "There is nothing to grow a tree on: every y − F is 0."
    if now == 0:
        return "What it leaves over, the residuals y − F, is what the first tree is grown on."
    tree = step.tree
    leaf = int(np.abs(tree.values).argmax())
    cuts = np.concatenate([[-np.inf], tree.cuts, [np.inf]])
    x = shown.data.X[step.drawn, 0]
    members = int(((x > cuts[leaf]) & (x <= cuts[leaf + 1])).sum())
    h, rate = float(tree.values[leaf]), step.learning_rate
    middle = "mean" if shown.loss == "squared" else "median"
    way = "rises" if h > 0 else "falls"
    moved = f"F {way} by η |h| = {number(rate)} · {number(abs(h))} = {number(rate * abs(h))}"
    return (
        f"Its largest leaf, {_where(shown, cuts[leaf], cuts[leaf + 1])}: h = {middle} of "
        f"{counted(members, 'residual')} = {number(h)}; there {moved}."
    )


def _where(shown: Boosted, low: float, high: float) -> str:
    """Say which x a leaf is about."""
    below = f"{number(low)} < " if np.isfinite(low) else ""
    above = f" ≤ {number(high)}" if np.isfinite(high) else ""
    return f"{below}{shown.data.names[0]}{above}" if below or above else "everywhere"


def _read(shown: Boosted, now: int) -> str:
    """Read the curve off at the picked x, and name the best round."""
    at, step = np.array([shown.query]), shown.steps[now]
    text = f"Picked x = {number(shown.query)}: "
    if now == 0:
        text += f"F₀ = {_value(step)}."
    else:
        before, h = float(shown.steps[now - 1].total(at)[0]), float(step.tree(at)[0])
        text += (
            f"F ← F + η h = {number(before)} + {number(step.learning_rate)} · {enclosed(h)} = "
            f"{number(float(step.total(at)[0]))}."
        )
    if shown.held_out is None:
        return text
    best = shown.best_so_far[now]
    return f"{text} Held out, round {best} is the best so far: {number(shown.held_out[best])}."


def _value(step: GradientBoostingStep) -> str:
    return number(float(step.total.values[0]))
