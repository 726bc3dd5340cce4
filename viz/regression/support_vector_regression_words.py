"""Words for support vector regression: what a move did, and what the picked x predicts."""

import numpy as np

from algorithms.core.pair_ascent import FreeMove, PairMove
from algorithms.regression.support_vector_regression import TubeStep
from viz.core.words import added, counted, number
from viz.regression.support_vector_regression import EDGE, IN, OUT, Tube, states


def caption(tube: Tube, now: int) -> str:
    """Say how many points hold the curve, what this move did, and what is read off."""
    step, units = tube.steps[now], tube.units
    read = tube.predicted(now, tube.query)
    f = float(units.of(1).transform(np.array([[read]]))[0, 0])
    return (
        f"{_first(step)}\n{_move(step)}\n"
        f"Picked x = {number(tube.query)}: Σ β k(xᵢ, x) + b = {number(f)} standardised, "
        f"so f = {number(read)} in units of the data."
    )


def note(tube: Tube) -> str:
    """Say what happens to the columns, and what the marks mean."""
    (cx, cy), (sx, sy) = tube.units.center, tube.units.spread
    x, y = tube.data.names
    return (
        f"Both columns are standardised, ({x} {added(-cx, 4)}) / {number(sx, 4)} and "
        f"({y} {added(-cy, 4)}) / {number(sy, 4)}: ε, β, b and residuals are of these. Ring: "
        "0 < |β| < C, in the end on an edge of the tube. Square: |β| = C, in the end outside or on "
        "an edge. No mark: β = 0, in the end inside or on an edge; to erase such a point would "
        "then only change the units. The points of the latest pair are large."
    )


def _first(step: TubeStep) -> str:
    where = states(step)
    counts = {state: int((where == state).sum()) for state in (IN, EDGE, OUT)}
    if step.index == 0:
        return f"Start: β = 0 for all {len(where)} points, and the curve is level, f = b."
    ended = {
        "converged": " Converged: no condition is broken by more than half the tolerance.",
        "stopped at max_iter": " Stopped: the moves are used up.",
        "a point reaches C": " A point reaches C for the first time.",
    }.get(step.event or "", "")
    return (
        f"{counted(counts[EDGE] + counts[OUT], 'point')} of {len(where)} hold the curve, "
        f"{counts[OUT]} of them at C.{ended}"
    )


def _move(step: TubeStep) -> str:
    gap = step.primal_objective - step.dual_objective
    end = f"D = {number(step.dual_objective, 4)}, P − D = {number(max(gap, 0.0), 4)}"
    match step.move:
        case PairMove(i, j, slope, curvature, wanted, taken):
            cut = "" if taken == wanted else f", cut off at {number(taken)} by a bound or by 0"
            return (
                f"λ = (up − down) / η = {number(slope)} / {number(curvature)} = "
                f"{number(wanted)}{cut}: β of point {i + 1} rises by it, of point {j + 1} falls. "
                f"{end}."
            )
        case FreeMove(members, bounded):
            verb = "reaches" if bounded == 1 else "reach"
            held = f"; {bounded} of them {verb} a bound or 0" if bounded else ""
            return f"All {len(members)} free duals move to their common best place{held}. {end}."
        case _:
            up, down = _extremes(step)
            return f"Largest slope up {number(up)}, least slope down {number(down)}. {end}."


def _extremes(step: TubeStep) -> tuple[float, float]:
    """Give the largest up and the least down at beta = 0."""
    y, epsilon = step.task.linear, step.task.epsilon
    return float(np.max(y) - epsilon), float(np.min(y) + epsilon)
