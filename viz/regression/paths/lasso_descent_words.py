"""Words for coordinate descent: the visit's numbers in the soft threshold."""

from algorithms.regression.paths.lasso_descent import LassoStep
from viz.regression.paths.lasso_descent import Sweeps
from viz.regression.paths.numbers import number


def caption(sweeps: Sweeps, level: float, now: int) -> str:
    """Put the visit's numbers into the soft threshold.

    level : the penalty, as a share of the one that keeps all weights at 0.
    """
    step = sweeps.steps[now]
    penalty = number(step.penalty)
    if now == 0:
        first = f"All weights start at 0, where f = {number(step.objective, 5)}."
        held = f"λ = {penalty} is {level:g} times the λ that keeps all weights at 0."
        if step.event:
            return f"{first} No feature varies: converged.\nThe best prediction is the mean. {held}"
        return f"{first}\n{held} Next, one weight at a time: w ← S(ρ, λ) / ‖x‖², the others held."
    name, w = f"“{sweeps.names[step.variable]}”", float(step.weights[step.variable])
    event = {"variable enters": " It enters.", "variable leaves": " It leaves."}.get(
        step.event or "", ""
    )
    moves = (
        "stays at 0" if w == step.before == 0 else f"goes from {number(step.before)} to {number(w)}"
    )
    f = number(step.objective, 5)
    falls = f"f falls by {number(step.fall)} to {f}" if step.fall > 0 else f"f stays {f}"
    first = f"Sweep {step.sweep}: the weight of {name} {moves}; {falls}.{event}{_end(step)}"
    rho, curvature = number(step.correlation), number(step.curvature)
    if w == 0:
        return f"{first}\nρ = x·r + ‖x‖² w = {rho}, nearer to 0 than λ = {penalty}: w ← 0."
    sign = "−" if step.correlation > 0 else "+"
    nearer = f"({rho} {sign} {penalty}) / {curvature}"
    return f"{first}\nρ = x·r + ‖x‖² w = {rho}: w ← {nearer} = {number(w)}."


def _end(step: LassoStep) -> str:
    return {
        "converged": " Converged: no coordinate can lower f.",
        "stopped at max_iter": " Stopped: the sweeps allowed are used up before it converged.",
    }.get(step.event or "", "")
