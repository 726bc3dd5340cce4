"""Words for two weights: where the ellipse touches the ball, and which prior that is."""

from numpy import ndarray

from algorithms.regression.paths.weight_prior import prior_width
from viz.regression.paths.linear_paths import Path
from viz.regression.paths.numbers import number


def path_title(path: Path) -> str:
    """Name the path of the two weights and what stands beside it."""
    beside = "the errors" if path.made.curve else "the fitted plane"
    return f"The weights against the penalty; {beside}"


def caption(path: Path, now: int) -> str:
    """Say where the ellipse touches the ball, what holds there, and which prior it is."""
    return f"{_where(path, now)}\n{_condition(path, now)}\n{_prior(path, now)}"


def _where(path: Path, now: int) -> str:
    """Say in one plain sentence where the solution is."""
    step, w = path.steps[now], path.steps[now].weights
    ball = "diamond" if path.account.order == 1 else "circle"
    corner = " at a corner" if path.account.order == 1 and w.any() and not w.all() else ""
    where = f"the ellipse of equal error touches the {ball}{corner}"
    if not w.any():
        where = f"the {ball} has shrunk to the point 0"
    elif step.penalty == 0:
        where = f"the {ball} reaches least squares"
    first = f"At λ = {number(step.penalty)} {where}: w = {_pair(w)}."
    if step.event in ("variable enters", "variable leaves"):
        which = path.made.names[getattr(step, "variable", 0)]
        first += f" “{which}” {step.event.split()[1]}."
    return first


def _condition(path: Path, now: int) -> str:
    """Give the size of the weights, and the condition that holds at the solution."""
    step, order = path.steps[now], path.account.order
    norm = "|w₁| + |w₂|" if order == 1 else "√(w₁² + w₂²)"
    told = "λ · sign(w) where w ≠ 0, else within ±λ" if order == 1 else "λ w"
    size = number(path.account.measured.norms[now])
    return f"{norm} = {size}; there x·r = {_pair(step.correlations)} = {told}."


def _prior(path: Path, now: int) -> str:
    """Name the prior under which these weights are the most probable ones."""
    step, variance, order = path.steps[now], path.account.variance, path.account.order
    if step.penalty == 0:
        return "No penalty: the prior is flat, all weights are equally probable beforehand."
    width = prior_width(step.penalty, variance, order=order)
    kind = "a Laplace prior of scale" if order == 1 else "a Gaussian prior of variance"
    spread = number(width if order == 1 else width**2)
    return (
        f"The most probable weights under {kind} σ²/λ = {number(variance)} / "
        f"{number(step.penalty)} = {spread}."
    )


def _pair(values: ndarray) -> str:
    return f"({', '.join(map(number, values.tolist()))})"
