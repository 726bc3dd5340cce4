"""Words for densities: bumps that add up, widths, and the region of a one-class machine."""

from math import pi

from numpy import ndarray

from algorithms.classification.svm.one_class_svm import OneClassStep
from algorithms.clustering.kernel_density import KernelDensityStep, judging
from algorithms.core.pair_ascent import PairMove
from viz.clustering.densities import MOST_DRAWN, Likelihoods, Region, largest, outside
from viz.core.words import added, counted, number, vector

_LISTED = 3  # shares of the picked point


def bumps_caption(step: KernelDensityStep, query: ndarray) -> str:
    """Say where the newest bump is; below, the rule, and the picked point's sum."""
    m, h = step.bumps, step.bandwidth
    height = float(step.shares(step.points[m - 1 : m])[0, -1])
    if step.event == "all points":
        first = f"All {counted(m, 'point')} have their bump: this is the density."
    else:
        first = f"Bump {m} of {len(step.points)} is put on, at {vector(step.points[m - 1])}."
    rule = (
        f"p(x) = 1/m Σ K(x, xᵢ), m = {m}, K = exp(−‖x − xᵢ‖² / 2h²) / 2πh², h = {number(h)}: "
        f"every bump is 1 / 2πh²m = {number(height)} high."
    )
    return f"{first}\n{rule}\n{picked_density(step, query)}"


def picked_density(step: KernelDensityStep, query: ndarray) -> str:
    """Write the picked point's density as a sum, its largest shares one by one."""
    shares = step.shares(query[None])[0]
    total, top = float(shares.sum()), largest(shares)[:_LISTED]
    start = f"Picked point {vector(query)}: p = {number(total)}"
    others = len(shares) - len(top)
    if len(shares) == 1 or len(top) == 0:
        return f"{start}."
    parts = " + ".join(number(float(share)) for share in shares[top])
    rest = max(0.0, total - float(shares[top].sum()))
    more = f" + {number(rest)} of {counted(others, 'other')}" if others else ""
    part = number(100 * float(shares[top[0]]) / total)
    return f"{start} = {parts}{more}; the nearest point gives {part} %."


def bumps_note() -> str:
    """Say what the marks mean."""
    return (
        "The darkest band is the highest p of this step's picture; all bands are equally high. "
        "Rings: h and 2h around the newest bump. Faint points have no bump yet. Lines lead from "
        "the picked point to those with the largest shares there, the thicker the larger."
    )


def width_caption(curve: Likelihoods, now: int, query: ndarray) -> str:
    """Say how likely the points are, left out and in their own density, and which width is best."""
    step = curve.steps[now]
    n = len(step.points)
    first = (
        f"h = {number(step.bandwidth)}: a point that is left out has a mean ln p of "
        f"{number(step.left_out, 4)}, in its own density {number(step.own, 4)}.{_best(curve, now)}"
    )
    itself = 1 / (2 * pi * step.bandwidth**2 * n)
    mean = "1/n Σ" if len(judging(n)) == n else f"1/{len(judging(n))} Σ"
    rule = (
        f"L(h) = {mean} ln p₋ᵢ(xᵢ) = {number(step.left_out, 4)}, without each point's own bump, "
        f"1 / 2πh²n = {number(itself)}, which has no bound as h → 0."
    )
    return f"{first}\n{rule}\n{picked_density(step.density, query)}"


def _best(curve: Likelihoods, now: int) -> str:
    step = curve.steps[now]
    best = number(curve.steps[step.best].bandwidth)
    if step.event == "all widths":
        return f" Of all {len(curve.steps)} widths h = {best} is the best."
    if step.event == "past the best":
        return f" L falls: h = {best} was better."
    return " The best so far." if step.best == now else f" The best so far: h = {best}."


def width_note(n: int) -> str:
    """Say what the marks mean, and who is left out."""
    judges = len(judging(n))
    few = f" To keep it quick, {judges} of the {n:,} points are left out in turn, evenly spaced."
    return (
        "The ring around the picked point has the radius h. The dotted line on the curves is the "
        f"best width so far. ln is the natural logarithm.{few if judges < n else ''}"
    )


def region_caption(region: Region, now: int) -> str:
    """Say who is outside, which weight moved, and what nu bounds; last, the picked point."""
    step = region.steps[now]
    return "\n".join([_region(step), _move(step), _bounds(step), _picked(region, step)])


def _region(step: OneClassStep) -> str:
    n, beyond, support = len(step.duals), len(outside(step)), len(step.support)
    if step.index == 0:
        start = (
            f"Start: the weight, ν n = {number(step.nu * n)}, is on the points farthest from the "
            f"mean, at most 1 on each; {counted(beyond, 'point')} outside."
        )
        return f"{start} Nothing is gained by a move." if step.event == "converged" else start
    ended = {
        "a point reaches 1": " The first point that a move takes to the largest weight, 1.",
        "converged": " Converged: no condition is broken by more than half the tolerance.",
        "stopped at max_iter": " Stopped: the moves are used up.",
    }.get(step.event or "", "")
    are = "is" if beyond == 1 else "are"
    return f"{counted(beyond, 'point')} of {n} {are} outside; {support} carry weight.{ended}"


def _move(step: OneClassStep) -> str:
    D = number(step.dual_objective, 4)
    match step.move:
        case PairMove(i, j, slope, curvature, wanted, taken):
            cut = "" if taken == wanted else f", cut off at {number(taken)}, where α is 0 or 1,"
            return (
                f"Weight λ = (oⱼ − oᵢ) / η = {number(slope)} / {number(curvature)} = "
                f"{number(wanted)}{cut} goes from point j = {j + 1} to i = {i + 1}; D = {D}."
            )
        case _:
            total = number(float(step.duals.sum()))
            return f"f(x) = Σ α k(xᵢ, x) + b with Σ α = ν n = {total}; D = −½ Σ α α k = {D}."


def _bounds(step: OneClassStep) -> str:
    """Compare the shares of both kinds with nu: at the end both bounds hold."""
    n, nu = len(step.duals), step.nu
    beyond, support = len(outside(step)) / n, len(step.support) / n
    # Both are whole numbers of points, and nu n need not be: rounding decides nothing.
    first = "≤" if beyond <= nu + 1e-9 else ">"
    second = "≤" if nu <= support + 1e-9 else ">"
    shares = [f"{number(100 * share)} %" for share in (beyond, nu, support)]
    asked = "" if step.event == "converged" else " At the end both are ≤."
    return f"Outside {shares[0]} {first} ν = {shares[1]} {second} {shares[2]} with weight.{asked}"


def _picked(region: Region, step: OneClassStep) -> str:
    query = region.query[None]
    f = float(step.decision_function(query)[0])
    side = "inside" if step.predict(query)[0] > 0 else "outside"
    return (
        f"Picked point {vector(region.query)}: f = Σ α k + b = {number(f - step.bias, 4)} "
        f"{added(step.bias, 4)} = {number(f)}: {side}."
    )


def region_note(width: float, n: int) -> str:
    """Say what the kernel is, and what the marks mean."""
    thinned = f" The view of weights shows {MOST_DRAWN} of {n:,} points." * (n > MOST_DRAWN)
    return (
        f"k(a, b) = exp(−‖a − b‖² / 2h²) with h = {number(width)}. A point's size is its weight α, "
        "from 0 to 1; squares are outside. The thick line is the border, f = 0. The arrow goes "
        "from the point that loses weight to the one that gains it. o is the sum of the bumps, "
        "f − b, and dotted in the cut for weights that are all alike. Where the weights come to "
        "rest, every point lies on the grey line of the view of "
        f"weights.{thinned}"
    )
