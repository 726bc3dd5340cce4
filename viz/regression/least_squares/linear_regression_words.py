"""Words for linear regression: what a step did, and its rule with the numbers put in."""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.regression.least_squares.absolute_loss import SOFT, AbsoluteLossStep
from algorithms.regression.least_squares.gradient_descent import GradientDescentStep
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.least_squares.linear_regression import ProjectionStep, moments
from algorithms.regression.least_squares.optimizers import AdaGrad, Adam, Momentum, RMSProp, Rule
from algorithms.regression.least_squares.squared_loss import SquaredLoss
from viz.core.words import number

_number = partial(number, digits=4)


def descent_caption(
    steps: Sequence[GradientDescentStep], now: int, *, loss: SquaredLoss, rule: Rule
) -> str:
    """Say what update `now` did, with its numbers in the rule."""
    step = steps[now]
    if now == 0:
        ending = " It is there already: converged." if step.event else ""
        return (
            f"Start: {_equation(step)}, mean squared error f = {_number(step.loss)}. The best line "
            f"is {_equation_of(*loss.minimum)} with f* = {_number(loss.floor)}.{ending}\n"
            f"{_prospect(steps, loss, rule)}"
        )
    if not step.change.any() and step.event == "diverged":
        return (
            f"Diverged: the next update would leave the range of numbers.\n{_why(step, loss, rule)}"
        )
    before = steps[now - 1]
    change = (
        f"falls by {_number(step.fall)}" if step.fall >= 0 else f"rises by {_number(-step.fall)}"
    )
    if len(step.batch):
        where = f"Step {now}, epoch {step.epoch}, from {_points(step.batch)}"
        above = ""
    else:
        where = f"Step {now}"
        lost = step.event == "diverged"
        above = "" if lost else f", {_number(step.excess)} above the minimum"
    return (
        f"{where}: f {_number(before.loss)} → {_number(step.loss)} ({change}){above}."
        f"{_state(steps, now, loss, rule)}\n{_update(before, step, rule, len(loss.y))}"
    )


def fit_caption(X: ndarray, steps: Sequence[ProjectionStep], now: int) -> str:
    """Say what projection `now` did, with its numbers in the closed form."""
    step = steps[now]
    if now == 0:
        return (
            f"Start: y as one vector, with an entry for each of the points: ‖y‖ = "
            f"{_number(step.residual)}. The fit is 0, and every residual is y itself.\n"
            "Next: drop a perpendicular from y to the multiples of (1, …, 1), then to those of "
            "x − x̄. All lines w x + b together are that plane."
        )
    squares = f"{_number(step.before**2)} = {_number(step.part**2)} + {_number(step.residual**2)}"
    if now == 1:
        return (
            f"Project y on the column of ones: b = Σ y / n = ȳ = {_number(step.intercept)}. The "
            f"residuals now sum to {_zero(step.products[1], step.before)}.\n"
            f"Right angle, so Pythagoras: ‖y‖² = ‖ȳ‖² + ‖y − ȳ‖²: {squares}; f = ‖y − ȳ‖² / n = "
            f"{_number(step.loss)}."
        )
    pythagoras = f"‖y − ȳ‖² = ‖ŷ − ȳ‖² + ‖y − ŷ‖²: {squares}"
    if step.event == "nothing new":
        return (
            "All x are the same: x − x̄ = 0 adds nothing to the fit, and no slope can be told. The "
            f"mean stays, {_equation(step)}.\n{pythagoras}; R² = {step.r_squared:.4g}."
        )
    x, y, s_xx, s_xy = map(_number, moments(*X.T))
    return (
        f"Project the rest on x − x̄: w = Sxy / Sxx = {s_xy} / {s_xx} = "
        f"{_number(step.weights[0])}; b = ȳ − w x̄ = {y} − {_number(step.weights[0])} · {x} = "
        f"{_number(step.intercept)}. Now Σ r = 0 and Σ r x = 0.\n"
        f"{pythagoras}; R² = {_number(step.part**2)} / {_number(step.before**2)} = "
        f"{step.r_squared:.4g}; f = {_number(step.loss)}."
    )


def contrast_caption(X: ndarray, steps: Sequence[AbsoluteLossStep], now: int) -> str:
    """Say what fit `now` did, and what the farthest point counted for in it."""
    step = steps[now]
    means = f"mean |r| = {_number(step.absolute)}, mean r² = {_number(step.squared)}"
    if now == 0:
        size = np.abs(step.residuals)
        far, total = int(size.argmax()), float((size * size).sum()) or 1.0
        return (
            f"Start: least squares, {_equation(step)}: {means}.\n"
            f"Every point pulls in proportion to its residual. Point {far + 1}, at x = "
            f"{number(X[far, 0])} with r = {_number(step.residuals[far])}, has "
            f"{100 * size[far] ** 2 / total:.3g} % of Σ r², "
            f"but {100 * size[far] / (size.sum() or 1.0):.3g} % of Σ |r|."
        )
    before = steps[now - 1]
    if step.phase == "exact":
        above = int((step.forces > 1 - 1e-6).sum())
        below = int((step.forces < 1e-6 - 1).sum())
        return (
            f"Exact, by linear programming: {_equation(step)}: {means}. For least squares they "
            f"were {_number(steps[0].absolute)} and {_number(steps[0].squared)}.\n"
            f"{above} points above the line pull up with force 1, {below} below it down with "
            "force 1, however far away they are; those on the line balance them."
        )
    size = np.abs(before.residuals)
    far, middle = int(size.argmax()), float(np.median(size))
    soft = SOFT * steps[0].absolute
    return (
        f"Fit {now} with the weights u = 1 / |r| of the line before: {_equation(step)}. Mean |r| "
        f"{_number(before.absolute)} → {_number(step.absolute)}, mean r² "
        f"{_number(before.squared)} → {_number(step.squared)}.\n"
        f"Point {far + 1}, at x = {number(X[far, 0])}, was farthest, r = "
        f"{_number(before.residuals[far])}: u = 1 / "
        f"{_number(size[far])} = {_number(1 / size[far])}; one in the middle, |r| = "
        f"{_number(middle)}, had u = {_number(1 / max(middle, soft))}."
    )


def columns_note(columns: Sequence[str], x: int, y: int) -> str:
    """Say which column is predicted from which."""
    unused = len(columns) - 2
    rest = f" The other {unused} columns are not used." if unused else ""
    return f"{columns[y]} is predicted from {columns[x]}.{rest * (unused > 0)}"


def units_note(units: PolynomialFeatures, names: tuple[str, str]) -> str:
    """Say on which scale w, b, f and the learning rate are."""
    if (units.spread == 1).all() and (units.scale == 1).all():
        return ""
    x, y = (
        f"({name} − {center:.4g}) / {spread:.4g}"
        for name, center, spread in zip(names, units.center, units.spread, strict=True)
    )
    return f" For the descent both are standardised, x = {x} and y = {y}: w, b and f are of these."


def _prospect(steps: Sequence[GradientDescentStep], loss: SquaredLoss, rule: Rule) -> str:
    """Say before the first step what the learning rate will do."""
    batch = len(steps[1].batch) if len(steps) > 1 else 0
    flat, steep = loss.curvatures
    bound = rule.largest_stable_rate(float(steep))
    rate = f"η = {_number(rule.learning_rate)}"
    first = abs(rule(np.ones(1), rule.start(1))[0][0])  # of the rules that go by the sign at first
    if batch:
        return (
            f"Next: g = −2/{batch} Σ r (x, 1) over {batch} of the {len(loss.y)} points in turn, a "
            f"step with {rate}. Quick, but not always downhill for all points."
        )
    if bound is None:
        return (
            f"Next: g = −2/n Σ r (x, 1). {rule.name} gives w and b a rate each, by the size of "
            f"their own gradients; the first step is {_number(first)} in both."
        )
    limit = "2(1 + β)/L" if isinstance(rule, Momentum) else "2/L"
    stable = rule.learning_rate < bound
    curvatures = f"Largest curvature L = {number(steep)}, least l = {number(flat)}."
    side = f"{rate} {'<' if stable else '≥'} {limit} = {number(bound)}"
    if isinstance(rule, Momentum):
        return f"{curvatures} {side}: {'stable, it converges' if stable else 'it will diverge'}."
    across, along = (number(1 - rule.learning_rate * c) for c in (steep, flat))
    return (
        f"{curvatures} {side}. A step multiplies the error by 1 − ηL = {across} and "
        f"1 − ηl = {along} along them."
    )


def _state(steps: Sequence[GradientDescentStep], now: int, loss: SquaredLoss, rule: Rule) -> str:
    """Give the event of a step in words."""
    step = steps[now]
    left = step.excess / (steps[0].excess or 1.0)
    match step.event:
        case "overshoot":
            return f" The loss rose: {_why(step, loss, rule)}"
        case "converged":
            return " Converged: the slope is as good as 0."
        case "diverged":
            return f" Diverged: {_why(step, loss, rule)}"
        case "creeps":
            return f" It creeps: {100 * left:.3g} % is left. η is too small."
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
    rate = _number(rule.learning_rate)
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
    eta, digits = _number(rule.learning_rate), 4 if type(rule) is Rule else 3
    g, v, s = (_vector(x, digits) for x in (step.gradient, step.velocity, step.squares))
    old, new = (_vector([*at.weights, at.intercept], digits) for at in (before, step))
    match rule:
        case Momentum():
            return (
                f"v ← β v + η g = {rule.beta:g} · {_vector(before.velocity)} + {eta} · {g} = "
                f"{v}; (w, b) ← {old} − v = {new}."
            )
        case Adam():
            t = step.index
            mean, square = step.velocity / (1 - rule.beta**t), step.squares / (1 - rule.gamma**t)
            return (
                f"g = {g}; means v̂ = {_vector(mean)}, √ŝ = {_vector(np.sqrt(square))}; "
                f"(w, b) ← {old} − {eta} v̂ / √ŝ = {new}."
            )
        case AdaGrad():  # and RMSProp
            rates = _vector(rule.learning_rate / (np.sqrt(step.squares) + rule.epsilon), 3)
            kept = isinstance(rule, RMSProp)
            sums = f"{rule.gamma:g} s + {1 - rule.gamma:.3g} g²" if kept else "s + g²"
            return (
                f"g = {g}; s ← {sums} = {s}; rates η / √s = {rates}; (w, b) ← {old} − "
                f"rates · g = {new}."
            )
        case _:
            size = len(step.batch) or n
            sums = "−2 r (x, 1)" if size == 1 else f"−2/{size} Σ r (x, 1)"
            return f"(w, b) ← (w, b) − η g = {old} − {eta} · {g} = {new}, where g = {sums}."


def _points(rows: ndarray) -> str:
    if len(rows) == 1:
        return f"point {rows[0] + 1}, ringed"
    if len(rows) <= 4:
        return f"points {', '.join(str(i + 1) for i in rows)}, ringed"
    return f"{len(rows)} points{', ringed' * (len(rows) <= 64)}"


def _equation(step: LinearModel) -> str:
    return _equation_of(step.weights[0], step.intercept)


def _equation_of(w: float, b: float) -> str:
    return f"y = {_number(w)} x {'−' if b < 0 else '+'} {_number(abs(b))}"


def _zero(value: float, scale: float) -> str:
    return "0" if abs(value) < 1e-6 * (1 + scale) else _number(value)


def _vector(values: Iterable[float], digits: int = 3) -> str:
    return f"({', '.join(number(value, digits) for value in values)})"
