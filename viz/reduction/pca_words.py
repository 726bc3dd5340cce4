"""Words for principal components."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.denoising import DenoisingStep
from algorithms.reduction.kernel_pca import KernelPcaStep
from algorithms.reduction.pca import PcaStep
from algorithms.reduction.power_iteration import PowerStep
from algorithms.reduction.projection_axis import AxisStep
from viz.core.scene import Plane
from viz.core.words import enclosed, number, numbered, vector
from viz.reduction.pca import Columns, shown_rows

_MOST = 4  # entries of a vector, or terms of a sum


def axis_caption(steps: Sequence[AxisStep], now: int) -> str:
    """Say what the axis at step `now` keeps, and how that is computed."""
    step = steps[now]
    best = next(s for s in steps if s.event == "most variance")
    kept = f"{number(100 * step.explained[0])} %"
    first = f"Axis at {step.angle:.1f}°: the projections keep {kept} of the variance"
    first += {
        "most variance": ", the most that any axis keeps: this is the first principal component.",
        "least variance": ", the least that any axis keeps: the second principal component.",
        None: f"; the best axis, at {best.angle:.1f}°, keeps {number(100 * best.explained[0])} %.",
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


def power_caption(steps: Sequence[PowerStep], now: int) -> str:
    """Say what step `now` of the power iteration did to the vector."""
    step = steps[now]
    j, u = step.index + 1, step.components[-1]
    end = {
        "converged": " Converged: S u = λ u.",
        "stopped at max_iter": " Stopped: the steps allowed are used up, the rate is near 1.",
    }.get(step.event or "", "")
    pace = _pace(step)
    quotient = "Rayleigh quotient uᵀSu"
    if step.iteration == 0:
        first = f"Component 1 starts from a random direction, {_angle(step)} from the answer.{end}"
        if j > 1:
            others = "it" if j == 2 else "all before"
            first = (
                f"Component {j - 1} is taken out of S (deflation); component {j} starts at random, "
                f"orthogonal to {others}, {_angle(step)} from its answer.{end}"
            )
        return f"{first}\nu = {_short(u)}; {quotient} = {number(step.rayleigh, 5)}{pace}."
    before = steps[now - 1]
    first = (
        f"Component {j}, step {step.iteration}: u turns from {_angle(before)} to {_angle(step)} "
        f"from the answer.{end}"
    )
    rule = (
        f"u ← S u / ‖S u‖: S u = {_short(step.product)}, ‖S u‖ = {number(step.norm, 4)}, u = "
        f"{_short(u)}; {quotient} rises {number(before.rayleigh, 5)} → "
        f"{number(step.rayleigh, 5)}{pace}."
    )
    return f"{first}\n{rule}"


def _pace(step: PowerStep) -> str:
    """Name the rate by its eigenvalues; there is none where no smaller one is left."""
    exact, j = step.eigenvalues, step.index
    smaller = np.isclose(exact, step.rate * exact[j], rtol=1e-12, atol=0.0)
    if not smaller.any():
        return ""
    ratio = f"{numbered('λ', int(smaller.argmax()))}/{numbered('λ', j)}"
    return f"; rate {ratio} = {number(step.rate)}"


def _angle(step: PowerStep) -> str:
    """Write the angle to the answer."""
    return f"{number(step.angle)}°"


def _short(values: ndarray) -> str:
    """Write a vector, or the first entries of a long one."""
    if len(values) <= _MOST + 1:
        return vector(values)
    return f"{vector(values[:_MOST])[:-1]}, … {len(values)} entries)"


def components_caption(
    steps: Sequence[DenoisingStep], columns: Columns, keep: float, noise: bool, now: int
) -> str:
    """Say how much the components of step `now` keep. noise : whether there is some to remove."""
    step = steps[now]
    q, total = step.index, number(step.total, 4)
    lost = f"error {number(step.error)}"
    if noise:
        best = min(steps, key=lambda other: other.clean_error)
        lost += (
            f" to the noisy points, {number(step.clean_error)} to the clean ones (least: "
            f"{number(best.clean_error)} "
            f"at q = {best.index}; all components {number(steps[-1].clean_error)})"
        )
    if q == 0:
        first = f"q = 0: every point is replaced by the mean, the cross; {lost}."
        return f"{first}\nError = total variance = trace S = {total}."
    kept = f"{_nearly(float(100 * step.explained.sum()))} %"
    enough = f", the first q with {keep:g} %" if step.event == "enough variance" else ""
    first = f"q = {q}: {kept} of the variance is kept{enough}; {lost}."
    parts = [number(value) for value in step.variances]
    if q > _MOST:
        parts = [*parts[:2], "…", parts[-1]]
    top = f"({' + '.join(parts)})" if q > 1 else parts[0]
    direction = _combination(step.components[-1], columns.names)
    return f"{first}\n{top} / {total} = {kept}. {numbered('u', q - 1)} = {direction}"


def _nearly(percent: float) -> str:
    """Write it with four digits, or with as many as it takes not to say 100 while some is left."""
    if percent > 100 - 1e-9:  # nothing is, but for rounding
        return "100"
    return number(percent, next(d for d in range(4, 14) if float(f"{percent:.{d}g}") < 100))


def scree_title(labels: ndarray, keep: float) -> str:
    """Name the variances of the components."""
    colored = " (violet: between classes)" if _several(labels) else ""
    return f"Variances{colored}; kept (– – {keep:g} %)"


def told_apart(shares: ndarray, labels: ndarray, q: int) -> str:
    """Add a line on how far the component just kept tells classes apart."""
    if q == 0 or not _several(labels):
        return ""
    return (
        f"\nOf the variance along {numbered('u', q - 1)} {number(100 * shares[q - 1])} % lies "
        f"between the means of the {len(np.unique(labels))} classes, the rest within them."
    )


def _several(labels: ndarray) -> bool:
    return len(np.unique(labels)) > 1


def _combination(u: ndarray, names: Sequence[str]) -> str:
    """End a sentence with a direction, a sum of columns: the largest entries first, only these."""
    largest = np.argsort(-np.abs(u), kind="stable")[:_MOST]
    text = ""
    for j in largest.tolist():
        sign = "−" if u[j] < 0 else "+" if text else ""
        text += f" {sign} " if text else sign
        text += f"{number(float(abs(u[j])), 2)} {names[j]}"
    return text + (" + …" if len(u) > _MOST else ".")


def kernel_caption(data: Plane, z: ndarray, steps: Sequence[KernelPcaStep], now: int) -> str:
    """Say what component `now` keeps, and how a point is projected onto it. z : the scores."""
    step = steps[now]
    mu, share = step.eigenvalues[now], 100 * step.explained[now]
    together = f"; with those before {number(100 * step.explained.sum())} %" if now else ""
    first = (
        f"Component {now + 1} of k(a, b) = {step.kernel}: {number(share)} % of the variance in the "
        f"space of features{together}."
    )
    i = int(np.abs(z[:, now]).argmax())
    c, b = step.coefficients[now], step.offsets[now]
    values = step.kernel(step.points, (data.X[i : i + 1] - step.mean) / step.scale)[:, 0]
    rule = (
        f"K̃ a = μ a with μ = {number(mu, 4)}; {numbered('z', now)}(x) = Σ cᵢ k(xᵢ, x) − Σ cᵢ rᵢ, "
        f"c = a / √μ, r the means of K. For point {i + 1}: {number(c @ values)} − {enclosed(b)} = "
        f"{number(z[i, now])}, the farthest from 0."
    )
    return f"{first}\n{rule}"


def scaling(both: tuple[PcaStep, PcaStep], columns: Columns) -> str:
    """State what dividing the columns by their standard deviations does to the result.

    both : all components of the columns as they are, and of the scaled ones.
    """

    def said(step: PcaStep) -> str:
        u = step.components[0]
        return (
            f"{number(100 * step.explained[0])} % of the variance, and its largest entry is "
            f"{number(np.abs(u).max().item(), 2)} for {columns.names[int(np.abs(u).argmax())]}"
        )

    plain, scaled = both
    return (
        f"{preprocessing(columns.standardize)} Unscaled, u₁ keeps {said(plain)}; scaled, "
        f"{said(scaled)}. On the plane, right angles look right only where both axes have the "
        f"scale of the run.{_left_out(len(columns.table))}"
    )


def _left_out(n: int) -> str:
    """State it if not every point's projection is drawn."""
    drawn = len(shown_rows(n))
    return "" if drawn == n else f" The projections of {drawn} of the {n} points are drawn."


def preprocessing(standardize: bool) -> str:
    """State what is done to the columns first."""
    if standardize:
        return "Every column is centred and divided by its standard deviation."
    return "Every column is centred and keeps its unit."


def centring(last: KernelPcaStep, n: int) -> str:
    """State how the kernel matrix is centred, and what is learned from."""
    p = len(last.points)
    part = "" if p == n else f" Learned from {p} evenly chosen of the {n} points."
    kind = "" if last.kernel.definite else " Components of negative eigenvalues are left out."
    return (
        "The matrix is centred, K̃ = K − 1K − K1 + 1K1: its column means (from "
        f"{number(last.column_means.min())} to {number(last.column_means.max())}, on average "
        f"{number(last.grand_mean)}) are taken away, so that the features have mean 0.{kind}{part}"
    )
