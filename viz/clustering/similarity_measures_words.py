"""Words for similarity measures."""

import numpy as np

from algorithms.clustering.similarity_measures import EUCLIDEAN, MANHATTAN, Fitted, NeighborStep
from viz.clustering.similarity_measures import MOST_DRAWN, name_of
from viz.core.scene import Plane
from viz.core.words import added, enclosed, listed, number, vector

Pair = tuple[float, float]


def caption(data: Plane, step: NeighborStep) -> str:
    """Say which neighbour is met; below, its distance in numbers, and the best way round to it."""
    return "\n".join([_met(data, step), rule(data, step), _way_round(data, step)])


def _met(data: Plane, step: NeighborStep) -> str:
    mine, other = (name_of(each.measure) for each in (step.fitted, step.other))
    place, far = vector(data.X[step.newest]), f"at a distance of {number(step.radius)} ({mine})"
    if step.met < step.k:
        rank = int(step.other_ranks[step.newest]) + 1
        elsewhere = "" if mine == other else f"; by the other measure ({other}) it is number {rank}"
        return f"Neighbour {step.met} of {step.k} is {place}, {far}{elsewhere}."
    if mine == other:
        return f"All {step.k} neighbours are met; the last is {place}, {far}."
    shared = f"{step.shared} of them are among the {step.k} nearest by {other} distance, too"
    return f"All {step.k} neighbours are met, and {shared}. The last is {place}, {far}."


def rule(data: Plane, step: NeighborStep) -> str:
    """Write the distance of the neighbour met last with the numbers of both places."""
    fitted = step.fitted
    q, x = ((place - fitted.center) * _units(fitted) for place in (step.query, data.X[step.newest]))
    away: Pair = tuple((x - q).tolist())
    match fitted.measure.name:
        case "cosine":
            text = _cosine(q, x)
        case "mahalanobis":
            text = _mahalanobis(fitted, away)
        case "chebyshev":
            text = f"max(|Δx|, |Δy|) = max({_size(away[0])}, {_size(away[1])})"
        case "minkowski":
            text = _minkowski(fitted, away)
    return f"d(q, x) = {text} = {number(step.radius)}.{_scaled(data, fitted)}"


def _units(fitted: Fitted) -> np.ndarray:
    """Give what the columns are multiplied by; Mahalanobis needs no units."""
    return np.ones(2) if fitted.measure.name == "mahalanobis" else np.diag(fitted.matrix)


def _size(value: float) -> str:
    return number(abs(value))


def _minkowski(fitted: Fitted, away: Pair) -> str:
    across, up = map(_size, away)
    if fitted.measure == MANHATTAN:
        return f"|Δx| + |Δy| = {across} + {up}"
    if fitted.measure == EUCLIDEAN:
        return f"√(Δx² + Δy²) = √({across}² + {up}²)"
    p, inverse = number(fitted.measure.p), number(1 / fitted.measure.p)
    return f"(|Δx|^p + |Δy|^p)^(1/p) = ({across}^{p} + {up}^{p})^{inverse}"


def _cosine(q: np.ndarray, x: np.ndarray) -> str:
    if not q.any() or not x.any():
        return "1 − cos, and the cosine of a place without a direction is taken as 0: 1 − 0"
    product = " + ".join(
        f"{enclosed(a)} · {enclosed(b)}" for a, b in zip(q.tolist(), x.tolist(), strict=True)
    )
    lengths = f"{number(float(np.hypot(*q)))} · {number(float(np.hypot(*x)))}"
    return f"1 − q·x / ‖q‖ ‖x‖ = 1 − ({product}) / ({lengths})"


def _mahalanobis(fitted: Fitted, away: Pair) -> str:
    (a, b), (_, c) = (fitted.matrix @ fitted.matrix.T).tolist()
    across, up = map(enclosed, away)
    return (
        f"√(Δ′ S⁻¹ Δ) = √({number(a)} · {across}² {added(2 * b)} · {across} · {up} + "
        f"{number(c)} · {up}²)"
    )


def _scaled(data: Plane, fitted: Fitted) -> str:
    """Say what the columns were multiplied by, and where angles are seen from."""
    times = [
        f"{name} times {number(unit)}"
        for name, unit in zip(data.names, _units(fitted).tolist(), strict=True)
        if unit != 1
    ]
    said = f" This is with {listed(times)}." if times else ""
    if fitted.measure.name == "cosine":
        place = ", ".join(map(number, fitted.center.tolist()))
        said += f" Angles are seen from ({place})."
    return said


def _way_round(data: Plane, step: NeighborStep) -> str:
    if step.via < 0:
        return "There is no other point to go by."
    first = float(step.distances[step.via])
    ways = f"{number(first)} + {number(step.detour - first)} = {number(step.detour)}"
    start = f"By way of {vector(data.X[step.via])} it is {ways}"
    if step.shorter:
        return f"{start}: shorter than straight on, so this is not a metric."
    return f"{start}, the shortest way by another point: none is shorter than straight on."


def note(n: int) -> str:
    """Say what the marks mean."""
    said = [
        "Squares: neighbours met, the newest large. Rings: the nearest by the other measure. The "
        "line around them is the ball. Dashed, where there is one: a way round that is shorter. "
        "In the view of the rows k/m counts the m nearest of a row that the first row has, too. "
        "Of points equally far the first in the data count."
    ]
    if n > MOST_DRAWN:
        said.append(f"The view of distances shows the {MOST_DRAWN} nearest of {n:,} points.")
    return " ".join(said)
