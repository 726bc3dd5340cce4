"""Pictures and words for several support vector machines that have to agree on a class."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from contourpy import ContourGenerator
from numpy import ndarray

from algorithms.classification.svm.svm_multiclass import REST, SvmMulticlassStep
from algorithms.core.kernels import GridSum
from viz.core import curves, plane
from viz.core.hatching import hatched
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, color
from viz.core.words import counted

_LABELLED = 8  # more machines than this have no room for words


@dataclass(frozen=True, eq=False)
class Machines:
    """All machines of a run on the cells of the picture.

    f : (machines, rows, columns). contours : of each. borders : where f = 0, for each.
    """

    f: ndarray
    contours: Sequence[ContourGenerator]
    borders: Sequence[dict]


def machines(steps: Sequence[SvmMulticlassStep], grid: GridSum, box: Bounds) -> Machines:
    """Find the surfaces of all machines, each of which stays when others are added."""
    final = steps[-1]
    x_cells, y_cells, _ = plane.grid(box, len(grid.x))
    f = np.stack([grid(row) + b for row, b in zip(final.coefficients, final.biases, strict=True)])
    contours = [plane.contours(x_cells, y_cells, surface) for surface in f]
    borders = [
        plane.level_lines(found, box, 0.0, **_line(machine))
        for found, machine in zip(contours, _codes(steps), strict=True)
    ]
    return Machines(f, contours, borders)


def picture(data: Plane, all_of_them: Machines, step: SvmMulticlassStep, hatch: bool) -> Figure:
    """Draw the class decided for, the lines of the machines and, hatched, where they disagree.

    The dotted margins are those of the machine trained last. Stripes rise where several classes are
    claimed (or share the most votes) and fall where none is.
    """
    trained, box = step.index + 1, data.bounds
    f = all_of_them.f[:trained]
    scores, shape = f.reshape(trained, -1).T, f.shape[1:]
    winner = step.classes[step.winners(scores)].reshape(shape)
    unclear = step.ambiguous(scores).reshape(shape) & hatch
    several = step.claims(scores).sum(axis=1).reshape(shape) > 0
    traces = [
        plane.regions(winner, None, box),
        hatched(unclear, box, several),
        *(
            border if m < trained else plane.line(plane.GAP, line=border["line"])
            for m, border in enumerate(all_of_them.borders)
        ),
        plane.level_lines(all_of_them.contours[step.index], box, -1.0, 1.0, width=1.5, dash="dot"),
    ]
    points = plane.points(data.X, data.labels, step.predict(step.points) != data.labels)
    return plane.figure(traces, box, data.names, points=points)


def _codes(steps: Sequence[SvmMulticlassStep]) -> list[tuple[int, int]]:
    """Give the classes of every machine of the run, as they are coloured."""
    classes = steps[-1].classes
    return [
        (int(classes[k]), REST if other == REST else int(classes[other]))
        for k, other in steps[-1].machines
    ]


def _line(machine: tuple[int, int]) -> dict:
    if machine[1] == REST:
        return {"width": 3.5, "color": color(machine[0])}
    return {"width": 1.5, "dash": "dash"}


def work(steps: Sequence[SvmMulticlassStep], names: Sequence[str], now: int) -> Figure:
    """Draw the support vectors of every machine as bars, and name the moves it took."""
    final, codes = steps[-1], _codes(steps)
    support = np.count_nonzero(final.coefficients, axis=1)
    labels = [_name(machine, names) for machine in codes]
    if len(codes) <= _LABELLED:
        labels = [f"{a}<br>{b} moves" for a, b in zip(labels, final.moves, strict=True)]
    trace = {
        "type": "bar",
        "x": list(range(len(codes))),
        "y": support.tolist(),
        "marker": {"color": GREY, "opacity": [1 if m <= now else 0.45 for m in range(len(codes))]},
        "text": [str(count) for count in support],
        "textposition": "outside",
        "textangle": 0,
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    layout = curves.panel_layout(
        xaxis={"tickvals": trace["x"], "ticktext": labels},
        yaxis={"title": {"text": "support vectors"}, "nticks": 4}
        | {"range": [0, 1.12 * max(int(support.max()), 1)]},
    )
    layout["margin"] = {**layout["margin"], "b": 44}
    return {"data": [trace], "layout": layout}


def _name(machine: tuple[int, int], names: Sequence[str]) -> str:
    side, other = machine
    return f"{names[side]} | {'rest' if other == REST else names[other]}"


def caption(steps: Sequence[SvmMulticlassStep], data: Plane, now: int) -> str:
    """Say which machine step `now` trained and how far the machines agree, with its numbers."""
    step, y, names = steps[now], data.labels, data.classes
    side, other = _codes(steps)[now]
    taking_part = len(y) if other == REST else int(np.isin(y, [side, other]).sum())
    support = int(np.count_nonzero(step.coefficients[now]))
    scores = step.decision_function(step.points)
    unclear = step.ambiguous(scores)
    right = int((step.classes[step.winners(scores)] == y).sum())
    if other == REST:
        none = int((unclear & (step.claims(scores).sum(axis=1) == 0)).sum())
        by_none = f"{none} {'is' if none == 1 else 'are'} claimed by no machine"
        disagree = f"{by_none}, {int(unclear.sum()) - none} by several"
        rule = f"largest f of {counted(len(scores.T), 'machine')}"
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
