"""Words for gradient boosting: what each round's tree says, and what is added."""

import numpy as np

from viz.core.words import added, counted, enclosed, number
from viz.ensembles.gradient_boosting import Boosted

LINES = (
    "The thick line is the sum F so far, the dashed one the sum before this round. The residuals "
    "y − F are those that the round began with, beside its tree. "
)
SURFACE = (
    "The blue is the sum F so far, the deeper the larger, from {} to {}. A point with its tip up "
    "was above the sum when the round began, one with its tip down below it; its area is the "
    "residual. The dashed lines are the cuts of this round's tree; its leaves have the same "
    "numbers in both pictures. "
)
UNITS = (
    "Nothing is standardised: trees do not ask for units, and η is a share. Step t is round t; "
    "step 0 is the constant F₀."
)
HELD_OUT = (
    " The pale points are held out: drawn at random, each by itself, they only judge. The "
    "dotted line among the errors is the round at which theirs is lowest."
)
PART = " Residuals with a cross were not drawn for this round's tree."


def caption(shown: Boosted, now: int) -> str:
    """Say what the round did to the errors, what its tree says, and what is read off."""
    return f"{_first(shown, now)}\n{_rule(shown, now)}\n{_read(shown, now)}"


def note(shown: Boosted, drawn: str) -> str:
    """Say what is `drawn`, and which points judge or wait."""
    waiting = any(not step.drawn[~shown.held].all() for step in shown.steps)
    judging = HELD_OUT if shown.held.any() else ""
    return f"{drawn}{UNITS}{judging}{PART if waiting else ''}"


def surface(shown: Boosted) -> str:
    """Say what is drawn over two features."""
    return SURFACE.format(*map(number, shown.levels))


def _first(shown: Boosted, now: int) -> str:
    step = shown.steps[now]
    learned = counted(int((~shown.held).sum()), "point")
    ended = {
        "lowest held-out error": " No other round has a lower held-out error.",
        "nothing left to learn": " No residual is left to learn from: the run ends.",
    }.get(step.event or "", "")
    if now == 0:
        held = "" if shown.held_out is None else f", held out {number(shown.held_out[0])}"
        return (
            f"Start: F is the {shown.middle} of {learned} everywhere, {number(shown.read[0])}; the "
            f"{shown.measure} is {number(shown.training[0])}{held}.{ended}"
        )
    held = "" if shown.held_out is None else f", held out {_change(shown.held_out, now)}"
    leaves = counted(len(step.tree.parts().values), "leaf").replace("leafs", "leaves")
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
    parts = step.tree.parts()
    leaf = int(np.abs(parts.values).argmax())
    members = parts.holding(shown.features)[leaf] & step.drawn
    h, rate = float(parts.values[leaf]), step.learning_rate
    way = "rises" if h > 0 else "falls"
    moved = f"F {way} by η |h| = {number(rate)} · {number(abs(h))} = {number(rate * abs(h))}"
    rule = f"{shown.middle} of {counted(int(members.sum()), 'residual')}"
    if step.delta is not None:
        first = float(np.median(step.residuals[members]))
        rule = (
            f"{number(first)} ({rule}) {added(h - first)} (mean difference from it, each cut to ±δ)"
        )
    return (
        f"The leaf that moves F most, {_where(shown, parts.low[leaf], parts.high[leaf])}: "
        f"h = {rule} = {number(h)}; there {moved}."
    )


def _where(shown: Boosted, low: np.ndarray, high: np.ndarray) -> str:
    """Say which features a leaf is about."""
    found = []
    for name, least, most in zip(shown.data.names, low.tolist(), high.tolist(), strict=False):
        below = f"{number(least)} < " if np.isfinite(least) else ""
        above = f" ≤ {number(most)}" if np.isfinite(most) else ""
        if below or above:
            found.append(f"{below}{name}{above}")
    return " and ".join(found) or "everywhere"


def _read(shown: Boosted, now: int) -> str:
    """Read the sum off at the picked place, and name the best round."""
    step, read = shown.steps[now], shown.read
    text = f"{shown.picked[0].upper()}{shown.picked[1:]}: "
    if now == 0:
        text += f"F₀ = {number(read[0])}."
    else:
        text += (
            f"F ← F + η h = {number(read[now - 1])} + {number(step.learning_rate)} · "
            f"{enclosed(shown.says(now))} = {number(read[now])}."
        )
    if step.delta is not None:
        text += f" δ = {number(step.delta)}."
    if shown.held_out is None:
        return text
    best = int(shown.held_out[: now + 1].argmin())
    return f"{text} Held out, round {best} is the best so far: {number(shown.held_out[best])}."
