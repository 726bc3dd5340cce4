"""Words for ridge and the lasso path: this step's numbers in the rule."""

from collections.abc import Sequence

import numpy as np

from algorithms.regression.paths.lasso_homotopy import LassoPathStep
from algorithms.regression.paths.penalty_curve import PenaltyCurve
from viz.core import words
from viz.regression.paths.linear_paths import Path
from viz.regression.paths.numbers import number

_NAMED = 4  # weights named in a caption at most


def ridge_caption(path: Path, now: int) -> str:
    """Say what the penalty leaves of the least-squares solution."""
    step, measured, d = path.steps[now], path.account.measured, len(path.made.names)
    first = (
        f"λ = {number(step.penalty)}: shrunk along every direction, no weight is held at 0; "
        f"effectively {words.number(step.freedom)} of {d}. "
        f"‖w‖ = {number(float(measured.norms[now]))}; {_errors(measured, now)}"
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


def lasso_caption(path: Path, now: int) -> str:
    """Name the variable that enters or leaves, and say how the knot was found."""
    names, steps, step = path.made.names, path.steps, path.steps[now]
    at = f"λ = {number(step.penalty)}"
    used = f"{len(step.active)} of {len(names)} in use; {_errors(path.account.measured, now)}"
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


def errors_title(path: Path) -> str:
    """Name the plots of the errors and of the prior, and the best penalty."""
    kind = "Laplace" if path.account.order == 1 else "Gaussian"
    if path.curve.best is None:
        return f"Training error; {kind} prior of a weight"
    best = words.number(float(path.curve.penalties[path.curve.best]))
    return f"Error: training, held out (dashed, least at λ = {best}); {kind} prior of a weight"


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
