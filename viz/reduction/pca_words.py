"""Words for principal components."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.denoising import DenoisingStep
from algorithms.reduction.pca import PcaStep, PowerStep
from algorithms.reduction.projection_axis import AxisStep
from viz.core.words import number, vector
from viz.reduction.pca import numbered

_MOST = 4  # entries of a vector, or terms of a sum


def axis_caption(steps: Sequence[AxisStep], now: int) -> str:
    """Say what the axis at step `now` keeps, and how that is computed."""
    step = steps[now]
    best = next(s for s in steps if s.event == "most variance")
    kept = f"{100 * step.explained[0]:.3g} %"
    first = f"Axis at {step.angle:.1f}°: the projections keep {kept} of the variance"
    first += {
        "most variance": ", the most that any axis keeps: this is the first principal component.",
        "least variance": ", the least that any axis keeps: the second principal component.",
        None: f"; the best axis, at {best.angle:.1f}°, keeps {100 * best.explained[0]:.3g} %.",
    }[step.event]
    (a, b), S = step.components[0], step.covariance
    p, q, s = enclosed(a), enclosed(b), enclosed(S[0, 1], 4)
    terms = f"{p}²·{number(S[0, 0], 4)} + 2·{p}·{q}·{s} + {q}²·{number(S[1, 1], 4)}"
    variance, error = step.variances[0], step.error
    rule = (
        f"Variance uᵀSu = {terms} = {number(variance, 4)}; error = mean squared distance = "
        f"{number(error, 4)}; sum {number(variance + error, 4)}, at every angle."
    )
    return f"{first}\n{rule}"


def enclosed(value: float, digits: int = 3) -> str:
    """Write a factor, in parentheses if it is negative."""
    text = number(value, digits)
    return f"({text})" if text.startswith("−") else text


def power_caption(steps: Sequence[PowerStep], now: int) -> str:
    """Say what step `now` of the power iteration did to the vector."""
    step = steps[now]
    j, u = step.index + 1, step.components[-1]
    end = {
        "converged": " Converged: S u = λ u.",
        "stopped at max_iter": " Stopped: the steps allowed are used up, the rate is near 1.",
    }.get(step.event or "", "")
    pace = f"rate {numbered('λ', j)}/{numbered('λ', j - 1)} = {number(step.rate)}"
    if step.iteration == 0:
        first = f"Component 1 starts from a random direction, {angle(step)} from the answer.{end}"
        if j > 1:
            first = (
                f"Component {j - 1} is taken out of S (deflation); component {j} starts at random, "
                f"orthogonal to it, {angle(step)} from its answer.{end}"
            )
        return (
            f"{first}\nu = {short(u)}; Rayleigh quotient uᵀSu = {number(step.rayleigh, 5)}; {pace}."
        )
    before = steps[now - 1]
    first = (
        f"Component {j}, step {step.iteration}: u ← S u / ‖S u‖ turns u from {angle(before)} to "
        f"{angle(step)} from the answer ({pace}).{end}"
    )
    rule = (
        f"S u = {short(step.product)}, ‖S u‖ = {number(step.norm, 4)}, u = {short(u)}; "
        f"uᵀSu rises {number(before.rayleigh, 5)} → {number(step.rayleigh, 5)}."
    )
    return f"{first}\n{rule}"


def angle(step: PowerStep) -> str:
    """Write the angle to the answer."""
    return f"{number(step.angle)}°"


def short(values: ndarray) -> str:
    """Write a vector, or the first entries of a long one."""
    if len(values) <= _MOST + 1:
        return vector(values)
    return f"{vector(values[:_MOST])[:-1]}, … {len(values)} entries)"


def components_caption(
    steps: Sequence[DenoisingStep],
    names: Sequence[str],
    keep: float,
    noise: bool,
    now: int,
) -> str:
    """Say how much the components of step `now` keep. noise : whether there is some to remove."""
    step = steps[now]
    k, total = step.index, number(step.total, 4)
    lost = f"error {number(step.error)}"
    if noise:
        best = min(steps, key=lambda other: other.clean_error)
        lost += (
            f" to the noisy points, {number(step.clean_error)} to the clean ones (least: "
            f"{number(best.clean_error)} "
            f"at k = {best.index}; all components {number(steps[-1].clean_error)})"
        )
    if k == 0:
        first = f"k = 0: every point is replaced by the mean, the cross; {lost}."
        return f"{first}\nError = total variance = trace S = {total}."
    kept = f"{100 * step.explained.sum():.4g} %"
    enough = f", the first k with {keep:g} %" if step.event == "enough variance" else ""
    first = f"k = {k}: {kept} of the variance is kept{enough}; {lost}."
    parts = [number(value) for value in step.variances]
    if k > _MOST:
        parts = [*parts[:2], "…", parts[-1]]
    top = f"({' + '.join(parts)})" if k > 1 else parts[0]
    direction = combination(step.components[-1], names)
    return f"{first}\n{top} / {total} = {kept}. {numbered('u', k - 1)} = {direction}."


def combination(u: ndarray, names: Sequence[str]) -> str:
    """Write a direction as a sum of columns, the largest entries first, and only these."""
    largest = np.argsort(-np.abs(u), kind="stable")[:_MOST]
    text = ""
    for j in largest.tolist():
        sign = "−" if u[j] < 0 else "+" if text else ""
        text += f" {sign} " if text else sign
        text += f"{number(float(abs(u[j])), 2)} {names[j]}"
    return text + (" + …" if len(u) > _MOST else "")


def scaling(plain: PcaStep, scaled: PcaStep, names: Sequence[str], standardize: bool) -> str:
    """State what dividing the columns by their standard deviations does to the result."""

    def said(step: PcaStep) -> str:
        u = step.components[0]
        return (
            f"{100 * step.explained[0]:.3g} % of the variance, and its largest entry is "
            f"{number(np.abs(u).max().item(), 2)} for {names[int(np.abs(u).argmax())]}"
        )

    return (
        f"{preprocessing(standardize)} Unscaled, u₁ keeps {said(plain)}; scaled, {said(scaled)}. "
        "On the plane, right angles look right only where both axes have the scale of the run."
    )


def preprocessing(standardize: bool) -> str:
    """State what is done to the columns first."""
    if standardize:
        return "Every column is centred and divided by its standard deviation."
    return "Every column is centred and keeps its unit."
