"""Pictures and words for several support vector machines that have to agree on a class."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.svm_multiclass import REST, SvmMulticlassStep
from algorithms.core.kernels import GridSum
from viz.classification.svm.svm import level
from viz.core import curves, plane
from viz.core.theme import PALETTE

_FINER, _STRIPE = 3, 12  # dots of the hatching per cell, and from one stripe to the next
_INK = np.array([[128, 134, 142]] * 2, np.uint8)  # seen on white and on black
_CLEAR, _OPAQUE = 0, 235
_LABELLED = 8  # more machines than this have no room for words


def picture(
    X: ndarray,
    y: ndarray,
    grid: GridSum,
    steps: Sequence[SvmMulticlassStep],
    now: int,
    *,
    ambiguous: bool,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the class decided for, the lines of all machines and, hatched, where they disagree.

    The dotted margins are those of the machine trained last. Stripes rise where several classes are
    claimed (or share the most votes) and fall where none is.
    """
    step = steps[now]
    x_cells, y_cells, _ = plane.grid(bounds, len(grid.x))
    f = np.stack([grid(row) + b for row, b in zip(step.coefficients, step.biases, strict=True)])
    scores = f.reshape(len(f), -1).T
    shape = f.shape[1:]
    winner = step.classes[step.winners(scores)].reshape(shape)
    unclear = step.ambiguous(scores).reshape(shape) & ambiguous
    several = step.claims(scores).sum(axis=1).reshape(shape) > 0
    contours = [plane.contours(x_cells, y_cells, surface) for surface in f]
    lines = [
        level(contours[m], bounds, 0.0, **_line(machine))
        if m < len(f)
        else plane.line(np.full((1, 2), np.nan), line={"shape": "spline", **_line(machine)})
        for m, machine in enumerate(_codes(steps))
    ]
    traces = [
        plane.regions(winner, None, bounds),
        _hatch(unclear, several, bounds),
        plane.points(X, y, wrong=step.predict(step.points) != y),
        *lines,
        level(contours[now], bounds, -1.0, 1.0, width=1.5, dash="dot"),
    ]
    return plane.figure(traces, bounds, names)


def _codes(steps: Sequence[SvmMulticlassStep]) -> list[tuple[int, int]]:
    """Give the classes of every machine of the run, as they are coloured."""
    classes = steps[-1].classes
    return [
        (int(classes[k]), REST if other == REST else int(classes[other]))
        for k, other in steps[-1].machines
    ]


def _line(machine: tuple[int, int]) -> dict:
    if machine[1] == REST:
        return {"width": 3.5, "color": PALETTE[machine[0]]}
    return {"width": 1.5, "dash": "dash"}


def _hatch(unclear: ndarray, several: ndarray, bounds: plane.Bounds) -> dict:
    fine = np.ones((_FINER, _FINER), bool)
    unclear, several = np.kron(unclear, fine), np.kron(several, fine)
    rows, columns = np.indices(unclear.shape)
    stripe = np.where(several, rows - columns, rows + columns) % _STRIPE < _FINER
    opacity = np.array([_CLEAR, _OPAQUE], np.uint8)
    return plane.image((unclear & stripe).astype(np.uint8), _INK, opacity, bounds)


def work(steps: Sequence[SvmMulticlassStep], names: Sequence[str], now: int) -> dict:
    """Draw the support vectors of every machine as bars, and name the moves it took."""
    final = steps[-1]
    machines = _codes(steps)
    support = np.count_nonzero(final.coefficients, axis=1)
    labels = [_name(machine, names) for machine in machines]
    if len(machines) <= _LABELLED:
        labels = [f"{a}<br>{b} moves" for a, b in zip(labels, final.moves, strict=True)]
    trace = {
        "type": "bar",
        "x": list(range(len(machines))),
        "y": support.tolist(),
        "marker": {"color": [PALETTE[0] if m <= now else "#9aa3ad" for m in range(len(machines))]},
        "text": [str(count) for count in support],
        "textangle": 0,
        "hoverinfo": "skip",
    }
    layout = curves.panel_layout(
        xaxis={"tickvals": trace["x"], "ticktext": labels},
        yaxis={"title": {"text": "support vectors"}, "nticks": 4, "rangemode": "tozero"},
    )
    layout["margin"] = {**layout["margin"], "b": 44}
    return {"data": [trace], "layout": layout}


def _name(machine: tuple[int, int], names: Sequence[str]) -> str:
    side, other = machine
    return f"{names[side]} | {'rest' if other == REST else names[other]}"


def caption(
    steps: Sequence[SvmMulticlassStep], now: int, *, y: ndarray, names: Sequence[str]
) -> str:
    """Say which machine step `now` trained and how far the machines agree, with its numbers."""
    step = steps[now]
    side, other = _codes(steps)[now]
    taking_part = len(y) if other == REST else int(np.isin(y, [side, other]).sum())
    support = int(np.count_nonzero(step.coefficients[now]))
    scores = step.decision_function(step.points)
    unclear = step.ambiguous(scores)
    right = int((step.classes[step.winners(scores)] == y).sum())
    if other == REST:
        none = int((unclear & (step.claims(scores).sum(axis=1) == 0)).sum())
        disagree = f"{none} are claimed by no machine, {int(unclear.sum()) - none} by several"
        rule = f"largest of {len(scores.T)} f"
    else:
        disagree = f"for {int(unclear.sum())} several classes share the most votes"
        rule = f"most of {len(scores.T)} votes (the first of equals)"
    ended = "not converged" if step.event == "a machine stopped at max_iter" else "converged"
    return (
        f"Machine {now + 1} of {len(steps)}: class {names[side]} (f > 0) against "
        f"{'the rest' if other == REST else 'class ' + names[other]}, {taking_part} points: "
        f"{step.moves[now]} moves, {ended}; {support} support vectors.\n"
        f"Of {len(y)} points: {disagree}. Decided by the {rule}, {right} are right."
    )
