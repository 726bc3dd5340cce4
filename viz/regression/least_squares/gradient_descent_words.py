"""Words for gradient descent: what an update did, and its rule with the numbers put in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.regression.least_squares.gradient_descent import GradientDescentStep
from algorithms.regression.least_squares.optimizers import Momentum, Rule
from algorithms.regression.least_squares.squared_loss import SquaredLoss
from viz.core.words import added, number
from viz.regression.least_squares.equations import equation, equation_of, four, reading
from viz.regression.least_squares.gradient_descent import Descent
from viz.regression.least_squares.optimizer_words import Update, applied


@dataclass(frozen=True)
class Rules:
    """The rule of a descent, and the step from which it follows another one, if it does."""

    first: Rule
    later: tuple[int, Rule] | None = None

    def at(self, step: int) -> Rule:
        """Give the rule of an update."""
        return self.later[1] if self.later and step >= self.later[0] else self.first


def caption(way: Descent, rules: Rules, now: int) -> str:
    """Say what update `now` did, with its numbers in the rule, and what the line predicts."""
    told, rule = _start if now == 0 else _happened, rules.at(now)
    said = f"{told(way.steps, now, way.loss, rule)}\n{reading(way.query, way.line(now))}"
    if rules.later and now == rules.later[0]:
        before = four(rules.first.learning_rate)
        return f"From here on η = {four(rule.learning_rate)}, and not {before}. {said}"
    return said


def _start(steps: Sequence[GradientDescentStep], now: int, loss: SquaredLoss, rule: Rule) -> str:
    step = steps[now]
    ending = " It is there already: converged." if step.event else ""
    return (
        f"Start: {equation(step)}, mean squared error f = {four(step.loss)}. The best line "
        f"is {equation_of(*loss.minimum)} with f* = {four(loss.floor)}.{ending}\n"
        f"{_prospect(steps, loss, rule)}"
    )


def _happened(steps: Sequence[GradientDescentStep], now: int, loss: SquaredLoss, rule: Rule) -> str:
    step, before = steps[now], steps[now - 1]
    if not step.change.any() and step.event == "diverged":
        return (
            f"Diverged: the next update would leave the range of numbers.\n{_why(step, loss, rule)}"
        )
    change = f"falls by {four(step.fall)}" if step.fall >= 0 else f"rises by {four(-step.fall)}"
    where, above = f"Step {now}", f", {four(step.excess)} above the least"
    if len(step.batch):
        where, above = f"Step {now}, epoch {step.epoch}, from {_points(step.batch)}", ""
    if step.event == "diverged":
        above = ""
    return (
        f"{where}: the mean squared error {change} to {four(step.loss)}{above}."
        f"{_state(steps, now, loss, rule)}\n{_update(before, step, rule, len(loss.y))}"
    )


def units_note(units: PolynomialFeatures, names: tuple[str, str]) -> str:
    """Say on which scale w, b, f and the learning rate are."""
    if (units.spread == 1).all() and (units.scale == 1).all():
        return ""
    x, y = (
        f"({name} {added(-center, 4)}) / {four(spread)}"
        for name, center, spread in zip(names, units.center, units.spread, strict=True)
    )
    return f" For the descent both are standardised, x = {x} and y = {y}: w, b and f are of these."


def _prospect(steps: Sequence[GradientDescentStep], loss: SquaredLoss, rule: Rule) -> str:
    """Say before the first step what the learning rate will do."""
    batch = len(steps[1].batch) if len(steps) > 1 else 0
    flat, steep = loss.curvatures
    bound = rule.largest_stable_rate(float(steep))
    rate = f"η = {four(rule.learning_rate)}"
    first = abs(rule(np.ones(1), rule.start(1))[0][0])  # of the rules that go by the sign at first
    if batch:
        return (
            f"Next: g = −2/{batch} Σ r (x, 1) over {batch} of the {len(loss.y)} points in turn, a "
            f"step with {rate}. Quick, but not always downhill for all points."
        )
    if bound is None:
        return (
            f"Next: g = −2/n Σ r (x, 1). {rule.name} gives w and b a rate each, by the size of "
            f"their own gradients; the first step is {four(first)} in both, or 0 where that is 0."
        )
    limit = "2(1 + β)/L" if isinstance(rule, Momentum) else "2/L"
    stable = rule.learning_rate < bound
    curvatures = f"Largest curvature L = {number(steep)}, least l = {number(flat)}."
    side = f"{rate} {'<' if stable else '≥'} {limit} = {number(bound)}"
    if isinstance(rule, Momentum):
        return f"{curvatures} {side}: {'stable, it converges' if stable else 'it will diverge'}."
    across, along = (number(1 - rule.learning_rate * c) for c in (steep, flat))
    return (
        f"{curvatures} {side}. In these directions a step multiplies the distance to go by "
        f"1 − ηL = {across} and 1 − ηl = {along}."
    )


def _state(steps: Sequence[GradientDescentStep], now: int, loss: SquaredLoss, rule: Rule) -> str:
    """Give the event of a step in words."""
    step = steps[now]
    left = step.excess / (steps[0].excess or 1.0)
    match step.event:
        case "overshoot":
            return f" The loss rose: {_why(step, loss, rule)}"
        case "converged":
            return " Converged: the gradient is as good as 0."
        case "diverged":
            return f" Diverged: {_why(step, loss, rule)}"
        case "creeps":
            return (
                f" It creeps: {number(100 * left)} % is left: the steps are too short, or too few."
            )
        case "wanders" if len(step.batch):
            return " It wanders: each batch has a minimum of its own."
        case "wanders":
            return " It wanders: it jumps over the minimum, to and fro. η is large."
        case "stopped at max_iter":
            return " Near it: the steps are used up."
        case _:
            return ""


def _why(step: GradientDescentStep, loss: SquaredLoss, rule: Rule) -> str:
    """Explain a rise by the curvature, where that is what decides."""
    steep = float(loss.curvatures[-1])
    bound = rule.largest_stable_rate(steep)
    rate = four(rule.learning_rate)
    if bound is None or rule.learning_rate < bound:
        if isinstance(rule, Momentum) and not len(step.batch):
            return "the momentum carries it past the minimum."
        cause = "for so few points" if len(step.batch) else "so near the minimum"
        return f"η = {rate} is large {cause}."
    if isinstance(rule, Momentum):
        return f"η = {rate} > 2(1 + β)/L = {number(bound)}."
    times = number(rule.learning_rate * steep - 1)
    return f"η = {rate} > 2/L = {number(bound)}, it lands {times} times as far beyond."


def _update(before: GradientDescentStep, step: GradientDescentStep, rule: Rule, n: int) -> str:
    """Give the rule with the numbers of this update."""
    old, new = (np.array([*at.weights, at.intercept]) for at in (before, step))
    update = Update(
        step.index, old, new, step.gradient, before.velocity, step.velocity, step.squares
    )
    said = applied(rule, "(w, b)", update)
    if type(rule) is not Rule:
        return f"{said}."
    size = len(step.batch) or n
    return f"{said}, where g = {'−2 r (x, 1)' if size == 1 else f'−2/{size} Σ r (x, 1)'}."


def _points(rows: ndarray) -> str:
    if len(rows) == 1:
        return f"point {rows[0] + 1}, ringed"
    if len(rows) <= 4:
        return f"points {', '.join(str(i + 1) for i in rows)}, ringed"
    return f"{len(rows)} points{', ringed' * (len(rows) <= 64)}"
