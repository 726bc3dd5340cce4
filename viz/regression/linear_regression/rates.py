"""The effect of a learning rate on a descent, in words."""

from collections.abc import Sequence

import numpy as np

from algorithms.core.optimizers import Momentum, Rule, largest_stable_rate
from algorithms.regression.linear_regression.gradient_descent import GradientDescentStep
from algorithms.regression.linear_regression.squared_loss import SquaredLoss
from viz.core.words import number
from viz.regression.linear_regression.marks import four


def prospect(loss: SquaredLoss, rule: Rule, batch: int) -> str:
    """Write before the first step what the learning rate will do. batch : 0 for all points."""
    flat, steep = loss.curvatures
    bound = largest_stable_rate(rule, float(steep))
    rate = f"η = {four(rule.learning_rate)}"
    if batch:
        return (
            f"Next: g = −2/{batch} Σ r (x, 1) over {batch} of the {len(loss.y)} points in turn, "
            f"with {rate}. Such a step is quick, but not always downhill for all points."
        )
    if bound is None:
        first = abs(rule.update(np.ones(1), rule.init(1))[0][0])  # these go by the sign at first
        return (
            f"Next: g = −2/n Σ r (x, 1). {rule.name} gives w and b a rate each, by the size of "
            f"their own gradients. The first step is {four(first)} in both, or 0 where the "
            "gradient is 0."
        )
    limit = "2(1 + β)/L" if isinstance(rule, Momentum) else "2/L"
    stable = rule.learning_rate < bound
    curvatures = (
        f"The bowl is steepest with curvature L = {number(steep)}, least l = {number(flat)}."
    )
    side = f"{rate} {'<' if stable else '≥'} {limit} = {number(bound)}"
    if isinstance(rule, Momentum):
        return f"{curvatures} {side}: {'stable, it converges' if stable else 'it will diverge'}."
    across, along = (number(1 - rule.learning_rate * c) for c in (steep, flat))
    return (
        f"{curvatures} {side}. In these two directions a step multiplies the distance to the "
        f"minimum by 1 − ηL = {across} and 1 − ηl = {along}."
    )


def state(steps: Sequence[GradientDescentStep], now: int, loss: SquaredLoss, rule: Rule) -> str:
    """Write the event of a step."""
    step = steps[now]
    left = step.excess / (steps[0].excess or 1.0)
    match step.event:
        case "overshoot":
            return f" The loss rose: {why(step, loss, rule)}"
        case "converged":
            return " Converged: the gradient is nearly zero."
        case "diverged":
            times = " 1000 times" if step.loss > 1000 * steps[0].loss else ""
            return f" It diverges: the error is more than{times} that at the start."
        case "creeps":
            return (
                f" Too slow: {number(100 * left)} % of the way down is left. Take longer steps, or "
                "more of them."
            )
        case "wanders" if len(step.batch):
            return " It wanders: each batch has its own minimum."
        case "wanders":
            return " It wanders: it jumps over the minimum, to and fro. η is large."
        case "stopped at max_iter":
            return " It is near the minimum, and the steps are used up."
        case _:
            return ""


def why(step: GradientDescentStep, loss: SquaredLoss, rule: Rule) -> str:
    """Explain why the loss rose: by the curvature, if the rate is above the bound."""
    steep = float(loss.curvatures[-1])
    bound = largest_stable_rate(rule, steep)
    rate = four(rule.learning_rate)
    if bound is None or rule.learning_rate < bound:
        if isinstance(rule, Momentum) and not len(step.batch):
            return "the momentum carries it past the minimum."
        cause = "for so few points" if len(step.batch) else "this near the minimum"
        return f"η = {rate} is large {cause}."
    if isinstance(rule, Momentum):
        return f"η = {rate} > 2(1 + β)/L = {number(bound)}."
    times = number(rule.learning_rate * steep - 1)
    return (
        f"η = {rate} > 2/L = {number(bound)}, so along the steepest direction it lands {times} "
        "times as far away on the other side."
    )
