"""Words for two weights: where the ellipse touches the ball, and which prior that is."""

from algorithms.regression.paths.weight_prior import prior_width
from viz.core.words import vector
from viz.regression.paths.linear_paths import Path
from viz.regression.paths.numbers import number


def path_title(path: Path) -> str:
    """Name the path of the two weights and what stands beside it."""
    beside = "the errors" if path.made.curve else "the fitted plane, ○ the training points"
    return f"The weights against the penalty; {beside}"


def caption(path: Path, now: int) -> str:
    """Say where the ellipse touches the ball, what holds there, and which prior it is."""
    step, w = path.steps[now], path.steps[now].weights
    measured, variance, order = path.account.measured, path.account.variance, path.account.order
    norm = "|w₁| + |w₂|" if order == 1 else "√(w₁² + w₂²)"
    ball = "diamond" if order == 1 else "circle"
    named = ""
    if step.event in ("variable enters", "variable leaves"):
        which = path.made.names[getattr(step, "variable", 0)]
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
