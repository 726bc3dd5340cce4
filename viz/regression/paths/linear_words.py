"""Words for ridge, the lasso path and coordinate descent: this step's numbers in the rule."""

from collections.abc import Sequence

import numpy as np

from algorithms.regression.paths.lasso_descent import LassoStep
from algorithms.regression.paths.lasso_homotopy import LassoPathStep
from algorithms.regression.paths.linear_paths import RidgeStep
from algorithms.regression.paths.penalty_account import PathAccount
from algorithms.regression.paths.penalty_curve import PenaltyCurve
from algorithms.regression.paths.regressors import Regressors
from algorithms.regression.paths.weight_prior import prior_width
from viz.core import words
from viz.core.words import vector

_NAMED = 4  # weights named in a caption at most


def ridge_caption(
    names: tuple[str, ...], measured: PenaltyCurve, steps: Sequence[RidgeStep], now: int
) -> str:
    """Say what the penalty leaves of the least-squares solution. measured : all steps' errors."""
    step = steps[now]
    d = len(names)
    first = (
        f"λ = {number(step.penalty)}: every weight is shrunk, none to 0; effectively "
        f"{words.number(step.freedom)} of {d}. ‖w‖ = {number(float(measured.norms[now]))}; "
        f"{_errors(measured, now)}"
    )
    if len(step.kept) == 0:
        return f"{first}\nNo feature varies, so there is nothing to fit but the mean."
    kept = [words.number(float(share)) for share in step.kept]
    widest = number(float(step.variances[0]))
    rule = f"s² / (s² + λ) = {widest} / ({widest} + {number(step.penalty)}) = {kept[0]}"
    if len(kept) == 1:
        return f"{first}\nOf the least-squares weight it keeps {rule}."
    return (
        f"{first}\nOf least squares it keeps {rule} along the widest direction of the data, "
        f"{kept[-1]} along the narrowest."
    )


def lasso_caption(
    names: tuple[str, ...], measured: PenaltyCurve, steps: Sequence[LassoPathStep], now: int
) -> str:
    """Name the variable that enters or leaves, and say how the knot was found."""
    step, d = steps[now], len(names)
    at = f"λ = {number(step.penalty)}"
    used = f"{len(step.active)} of {d} in use; {_errors(measured, now)}"
    if step.event is None:
        return f"{at}, between two knots: the weights move along straight lines. {used}\n" + _moves(
            names, steps, now
        )
    if step.event == "least squares":
        first = f"{at}: least squares, nothing is held back; {used}"
        return f"{first}\nWeights: {_weights(names, step)}{_left_out(names, step)}."
    name = f"“{names[step.variable]}”"
    enters = step.variable in step.active
    first = f"{at}: variable {name} {'enters' if enters else 'leaves'}; {used}"
    if step.event == "stopped at max_iter":
        first += " Stopped: so many have entered and left that the path is cut off here."
    if now == 0 or not steps[now - 1].active.size:
        return (
            f"{first}\nAt larger λ all weights are 0. |x·r| is largest for {name}, "
            f"{number(step.penalty)}, and λ has come down to it."
        )
    if step.length == 0:
        tie = "It ties with the one before: of variables due at the same λ the first column goes"
        return f"{first}\n{tie} first, the others follow at once."
    fell = f"{number(step.gap)} / {number(step.speed)} = {number(step.length)}"
    if enters:
        return f"{first}\nλ fell by t = (λ ∓ x·r) / (1 ∓ v) = {fell}: there |x·r| of {name} met λ."
    return f"{first}\nλ fell by t = |w| / (its speed towards 0) = {fell}: there its weight was 0."


def geometry_caption(
    account: PathAccount,
    data: Regressors,
    steps: Sequence[RidgeStep] | Sequence[LassoPathStep],
    now: int,
) -> str:
    """Say where the ellipse touches the ball, what holds there, and which prior it is."""
    step, w = steps[now], steps[now].weights
    measured, variance, order = account.measured, account.variance, account.order
    norm = "|w₁| + |w₂|" if order == 1 else "√(w₁² + w₂²)"
    ball = "diamond" if order == 1 else "circle"
    named = ""
    if step.event in ("variable enters", "variable leaves"):
        which = data.names[getattr(step, "variable", 0)]
        named = f" Variable “{which}” {step.event.split()[1]}."
    where = f"the ellipse of ‖r‖² touches the {ball} {norm} = {number(measured.norms[now])}"
    corner = " at a corner" if order == 1 and w.any() and not w.all() else ""
    if not w.any():
        where, corner = f"the {ball} has shrunk to the point 0", ""
    elif step.penalty == 0:
        where, corner = f"the {ball} of ‖w‖ = {measured.norms[now]:.4g} reaches least squares", ""
    first = f"λ = {number(step.penalty)}, w = {vector(w)}: {where}{corner}.{named}"
    told = "λ · sign(w) where w ≠ 0, else within ±λ" if order == 1 else "λ w"
    width = prior_width(step.penalty, variance, order=order)
    prior = (
        f"Laplace prior of scale σ²/λ = {number(variance)} / {number(step.penalty)}"
        if order == 1
        else f"Gaussian prior of variance σ²/λ = {number(variance)} / {number(step.penalty)}"
    )
    spread = number(width if order == 1 else width**2)
    prior = "No penalty: a flat prior." if step.penalty == 0 else f"MAP: {prior} = {spread}."
    return f"{first}\nThere x·r = {vector(step.correlations)} = {told}. {prior}"


def descent_caption(
    names: tuple[str, ...], share: float, steps: Sequence[LassoStep], now: int
) -> str:
    """Put the visit's numbers into the soft threshold."""
    step = steps[now]
    penalty = number(step.penalty)
    if now == 0:
        first = (
            f"Start: all weights are 0, λ = {penalty}, {share:g} times the λ that "
            f"keeps them there. f = {number(step.objective, 5)}."
        )
        if step.event:
            return f"{first} No feature varies: converged.\nThe best prediction is the mean."
        return f"{first}\nNext, one weight at a time: w ← S(ρ, λ) / ‖x‖², the others held."
    name, w = f"“{names[step.variable]}”", float(step.weights[step.variable])
    change = f"w {number(step.before)} → {number(w)}"
    event = {"variable enters": " It enters.", "variable leaves": " It leaves."}.get(
        step.event or "", ""
    )
    first = (
        f"Sweep {step.sweep}, variable {name}: {change}; f falls by {number(step.fall)} to "
        f"{number(step.objective, 5)}.{event}{_end(step)}"
    )
    rho, curvature = number(step.correlation), number(step.curvature)
    if w == 0:
        return f"{first}\nρ = x·r + ‖x‖² w = {rho}, nearer to 0 than λ = {penalty}: w ← 0."
    sign = "−" if step.correlation > 0 else "+"
    nearer = f"({rho} {sign} {penalty}) / {curvature}"
    return f"{first}\nρ = x·r + ‖x‖² w = {rho}: w ← {nearer} = {number(w)}."


def preparation(data: Regressors, standardize: bool, basis: str, column: str) -> str:
    """Say what was done to the data before the algorithm saw them."""
    held = int(data.held.sum())
    split = f"{len(data.y) - held} points are for training (circles), {held} held out (squares)."
    if basis:
        made = f"Features of {column}: {len(data.names)} {_BASES[basis]}"
    else:
        made = f"Features: {', '.join(data.names)}"
    scaled = (
        "each moved to mean 0 and scaled to standard deviation 1 on the training points"
        if standardize
        else "as they are, so the penalty depends on their units"
    )
    line = "" if basis else " The line in the picture holds all other features at their means."
    return f"{split} {made}, {scaled}.{line}"


_BASES = {
    "polynomial": "powers",
    "Gaussian": "Gaussian bumps, evenly over the training points, as wide as they are apart",
    "Fourier": "cosines and sines, the slowest with the width of the data as its period",
}


def number(value: float, digits: int = 4) -> str:
    """Write a number with so many digits; the thousands in full."""
    if 10**digits <= abs(value) < 1e7:
        return words.number(round(value), 8)
    return words.number(value, digits)


def _errors(measured: PenaltyCurve, now: int) -> str:
    found = f"RMS error: training {number(measured.training[now])}"
    if len(measured.validation):
        found += f", held out {number(measured.validation[now])}"
    return f"{found}."


def _weights(names: tuple[str, ...], step: LassoPathStep) -> str:
    chosen = np.argsort(-np.abs(step.weights), kind="stable")[:_NAMED].tolist()
    named = [f"{names[j]} {number(float(step.weights[j]))}" for j in chosen]
    return ", ".join(named) + (", ..." if len(names) > _NAMED else "")


def _left_out(names: tuple[str, ...], step: LassoPathStep) -> str:
    out = len(names) - len(step.active)
    if out == 0:
        return ""
    return f"; {out} stay{'s' * (out == 1)} at 0, being combinations of the others"


def _moves(names: tuple[str, ...], steps: Sequence[LassoPathStep], now: int) -> str:
    """Say how the fastest weight got from the step before to this one."""
    step, before = steps[now], steps[now - 1]
    j = int(np.argmax(np.abs(step.slope)))
    t = before.penalty - step.penalty
    return (
        f"w of {names[j]} ← {number(before.weights[j])} + t u = {number(before.weights[j])} "
        f"+ {number(t)} · {number(step.slope[j])} = {number(step.weights[j])}."
    )


def _end(step: LassoStep) -> str:
    return {
        "converged": " Converged: no coordinate can lower f.",
        "stopped at max_iter": " Stopped: the sweeps allowed are used up before it converged.",
    }.get(step.event or "", "")
