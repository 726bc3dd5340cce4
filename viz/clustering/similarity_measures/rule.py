"""The formula of every measure, with the numbers of the query and of one neighbour."""

from collections.abc import Iterable

import numpy as np

from algorithms.clustering.similarity_measures.similarity_measures import (
    CHEBYSHEV,
    COSINE,
    EUCLIDEAN,
    MAHALANOBIS,
    MANHATTAN,
    Fitted,
    Measure,
    NeighborStep,
)
from viz.core.scene import Plane
from viz.core.words import added, enclosed, fixed, listed, number

OTHERS = {  # by their names, what a measure is compared with
    "Euclidean": EUCLIDEAN,
    "Manhattan": MANHATTAN,
    "Chebyshev": CHEBYSHEV,
    "cosine": COSINE,
    "Mahalanobis": MAHALANOBIS,
}

Pair = tuple[float, float]
_MOST = 7  # decimals of a leg
_CLOSE, _NIL = 0.002, 1e-6  # shares of a cosine distance, and a distance, that may be lost
_DIGITS = 13  # fewer of them are in the numbers of a cosine


def name_of(measure: Measure) -> str:
    """Return the name of a measure as texts write it."""
    known = {each: name for name, each in OTHERS.items()}
    return known.get(measure, f"Minkowski, p = {number(measure.p)}")


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
            text = (
                "The larger of the two differences decides: max(|Δx|, |Δy|) = "
                f"max({_size(away[0])}, {_size(away[1])})"
            )
        case "minkowski":
            text = _minkowski(fitted, away)
    return f"{text} = {number(step.radius)}.{_scaled(data, fitted)}"


def streets(data: Plane, step: NeighborStep) -> list[str]:
    """Write the two legs of the way to the neighbour met last, as the rule has them."""
    away = (data.X[step.newest] - step.query) * _units(step.fitted)
    return _across_and_up(away)


def _units(fitted: Fitted) -> np.ndarray:
    """Return the factors of the columns; Mahalanobis needs no units."""
    return np.ones(2) if fitted.measure.name == "mahalanobis" else np.diag(fitted.matrix)


def _size(value: float) -> str:
    return number(abs(value))


def _across_and_up(away: Iterable[float]) -> list[str]:
    """Write each leg with the fewest decimals that give the printed sum."""
    across, up = map(abs, away)
    for decimals in range(_MOST):
        legs = [fixed(leg, decimals) for leg in (across, up)]
        if number(sum(map(float, legs))) == number(across + up):
            return legs
    return [number(across), number(up)]


def _minkowski(fitted: Fitted, away: Pair) -> str:
    if fitted.measure == MANHATTAN:
        legs = " + ".join(_across_and_up(away))
        return f"The way across is added to the way up: |Δx| + |Δy| = {legs}"
    across, up = map(_size, away)
    if fitted.measure == EUCLIDEAN:
        return f"The straight way counts: √(Δx² + Δy²) = √({across}² + {up}²)"
    p, inverse = number(fitted.measure.p), number(1 / fitted.measure.p)
    return (
        f"Powers of the differences are added: (|Δx|^p + |Δy|^p)^(1/p) = "
        f"({across}^{p} + {up}^{p})^{inverse}"
    )


def _cosine(q: np.ndarray, x: np.ndarray) -> str:
    if not q.any() or not x.any():
        return "A place without a direction has no angle; its cosine is taken as 0: 1 − cos = 1 − 0"
    values = np.array([*q, *x, np.hypot(*q), np.hypot(*x)])
    digits = next((d for d in range(3, _DIGITS) if _enough(values, d)), _DIGITS)
    factors = [enclosed(value, digits) for value in values.tolist()]
    product = f"{factors[0]} · {factors[2]} + {factors[1]} · {factors[3]}"
    lengths = f"{factors[4]} · {factors[5]}"
    return f"The angle alone counts: 1 − q·x / ‖q‖ ‖x‖ = 1 − ({product}) / ({lengths})"


def _enough(values: np.ndarray, digits: int) -> bool:
    """Return whether two places and their lengths, written with `digits`, give their distance."""
    written = np.array([float(f"{value:.{digits}g}") for value in values])
    told, true = (1 - (v[:2] @ v[2:4]) / (v[4] * v[5]) for v in (written, values))
    return abs(told - true) <= max(_CLOSE * true, _NIL)


def _mahalanobis(fitted: Fitted, away: Pair) -> str:
    (a, b), (_, c) = (fitted.matrix @ fitted.matrix.T).tolist()
    across, up = map(enclosed, away)
    return (
        f"Counted in standard deviations of the data: √(Δ′ S⁻¹ Δ) = √({number(a)} · {across}² "
        f"{added(2 * b)} · {across} · {up} + {number(c)} · {up}²)"
    )


def _scaled(data: Plane, fitted: Fitted) -> str:
    """Write the factors of the columns, and the point from which angles are seen."""
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
