"""Words for ridge and the lasso path: this step's numbers in the rule."""

from collections.abc import Sequence

import numpy as np

from algorithms.regression.paths.lasso_homotopy import LassoPathStep
from viz.core import words
from viz.regression.paths.linear_paths import Path
from viz.regression.paths.numbers import number

_NAMED = 4  # weights named in a caption at most


def ridge_caption(path: Path, now: int) -> str:
    """Say what the penalty leaves of the least-squares solution, and what it costs."""
    step, measured, d = path.steps[now], path.account.measured, len(path.made.names)
    weights = f"{words.counted(d, 'weight')} {'is' if d == 1 else 'are'}"
    first = (
        f"λ = {number(step.penalty)}: held by ridge, the {weights} as free as "
        f"{words.number(step.freedom)} without a penalty; "
        f"‖w‖ = {number(float(measured.norms[now]))}."
    )
    if len(step.kept) == 0:
        rule = "No feature varies, so there is nothing to fit but the mean."
        return f"{first}\n{rule}\n{_errors(path, now)}"
    kept = [words.number(float(share)) for share in step.kept]
    widest = number(float(step.variances[0]))
    rule = f"s² / (s² + λ) = {widest} / ({widest} + {number(step.penalty)}) = {kept[0]}"
    if len(kept) == 1:
        rule = f"Of the least-squares weight it keeps {rule}."
    else:
        rule = (
            f"Of least squares it keeps {rule} along the widest direction of the data, "
            f"{kept[-1]} along the narrowest."
        )
    return f"{first}\n{rule}\n{_errors(path, now)}"


def lasso_caption(path: Path, now: int) -> str:
    """Name the variable that enters or leaves, say how the knot was found, and what it costs."""
    return f"{_what_happens(path, now)}\n{_why(path, now)}\n{_errors(path, now)}"


def errors_title(path: Path) -> str:
    """Name the errors, and the marks on them."""
    star, ring = path.curve.best is not None, path.judged
    marks = " and ".join(mark for mark, shown in (("★", star), ("○", ring)) if shown)
    simplest = ", ◇ within one standard error" if ring else ""
    return f"Errors: {marks} least{simplest}" if marks else "Training error"


def prior_title(path: Path) -> str:
    """Name the weights against their norm, and the prior."""
    kind = "Laplace" if path.account.order == 1 else "Gaussian"
    return f"The weights against their norm; {kind} prior"


def folds_note(path: Path) -> str:
    """Say how cross-validation was done."""
    if not path.judged:
        return " There are too few training points for cross-validation."
    return (
        f" Cross-validation deals the training points into {len(path.folds.errors)} folds; for "
        "each, the features and the weights are made anew from the other folds, with λ in "
        "proportion to their points."
    )


def _chosen(path: Path) -> tuple[str, str]:
    """Give the penalties that cross-validation chooses: the best, and the simplest."""
    penalties = path.folds.penalties[[path.folds.best, path.folds.simplest]]
    return number(penalties[0]), number(penalties[1])


def _what_happens(path: Path, now: int) -> str:
    """Say in one plain sentence what happens at a step of the lasso."""
    names, step = path.made.names, path.steps[now]
    at, used = f"λ = {number(step.penalty)}", f"{len(step.active)} of {len(names)} in use."
    if step.event is None:
        return f"Between two knots, at {at}, the weights move along straight lines; {used}"
    if step.event == "least squares":
        return f"No penalty is left, {at}: this is least squares; {used}"
    enters = step.variable in step.active
    first = f"“{names[step.variable]}” {'enters' if enters else 'leaves'} at {at}; {used}"
    if step.event == "stopped at max_iter":
        first += " Stopped: so many have entered and left that the path is cut off here."
    return first


def _why(path: Path, now: int) -> str:
    """Put a step's numbers into the rule of the lasso path."""
    names, steps, step = path.made.names, path.steps, path.steps[now]
    if step.event is None:
        return _moves(names, steps, now)
    if step.event == "least squares":
        return f"Weights: {_weights(names, step)}{_left_out(names, step)}."
    name = f"“{names[step.variable]}”"
    if now == 0 or not steps[now - 1].active.size:
        return (
            f"At larger λ all weights are 0. |x·r| is largest for {name}, "
            f"{number(step.penalty)}, and λ has come down to it."
        )
    if step.length == 0:
        return (
            "It ties with the one before: of variables due at the same λ the first column goes "
            "first, the others follow at once."
        )
    fell = f"{number(step.gap)} / {number(step.speed)} = {number(step.length)}"
    if step.variable in step.active:
        return f"λ fell by t = (λ ∓ x·r) / (1 ∓ γ) = {fell}: there |x·r| of {name} met λ."
    return f"λ fell by t = |w| / (its speed towards 0) = {fell}: there its weight was 0."


def _errors(path: Path, now: int) -> str:
    """Give the errors at a step, and where those of cross-validation are least."""
    measured = path.account.measured
    found = f"RMS error: training {number(measured.training[now])}"
    if len(measured.validation):
        star = number(float(path.curve.penalties[path.curve.best]))
        found += f", held out {number(measured.validation[now])} (least at λ = {star})"
    if path.judged:
        middle, (at, simplest) = path.ribbon[0], _chosen(path)
        here, best = (number(float(middle[i])) for i in (path.nearest(now), path.folds.best))
        found += (
            f"; in {len(path.folds.errors)} folds {here}, least {best} at λ = {at} (within one "
            f"standard error up to λ = {simplest})"
        )
    return f"{found}."


def _weights(names: tuple[str, ...], step: LassoPathStep) -> str:
    chosen = np.argsort(-np.abs(step.weights), kind="stable")[:_NAMED].tolist()
    named = [f"{names[j]} {number(float(step.weights[j]))}" for j in chosen]
    more = len(names) - len(chosen)
    rest = {0: "", 1: "; the other one is smaller"}.get(more, f"; the other {more} are smaller")
    return ", ".join(named) + rest


def _left_out(names: tuple[str, ...], step: LassoPathStep) -> str:
    out = len(names) - len(step.active)
    if out == 0:
        return ""
    stay = "stays at 0: it adds" if out == 1 else "stay at 0: they add"
    return f"; {out} {stay} nothing to those in use"


def _moves(names: tuple[str, ...], steps: Sequence[LassoPathStep], now: int) -> str:
    """Say how the fastest weight got from the step before to this one."""
    step, before = steps[now], steps[now - 1]
    j = int(np.argmax(np.abs(step.slope)))
    t = before.penalty - step.penalty
    return (
        f"w of {names[j]} ← {number(before.weights[j])} + t δ = {number(before.weights[j])} "
        f"+ {number(t)} · {number(step.slope[j])} = {number(step.weights[j])}."
    )
