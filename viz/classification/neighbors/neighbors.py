"""Pictures and words for the ball that grows around a picked point."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.neighbors.k_nearest_neighbors import KNearestNeighborsStep
from algorithms.classification.neighbors.nearest_neighbors import NearestNeighborsStep
from viz.classification.neighbors import neighbors_questions
from viz.classification.neighbors.surface import surface
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import color, symbol
from viz.core.words import counted, listed, number, vector

_NEW, _MET = 2, 1  # kinds of marks
_BEYOND = 20  # points beyond the k-th whose distances are drawn at most
_TURN = np.linspace(0, 2 * np.pi, 121)
_OUTLINES = {  # of the ball of radius 1
    "euclidean": np.column_stack([np.cos(_TURN), np.sin(_TURN)]),
    "manhattan": np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1], [1, 0]]),
    "chebyshev": np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]]),
}


def neighbours(run: Run, data: Plane) -> Scene:
    """Show how the ball around the picked point meets one neighbour after the other."""
    steps: Sequence[KNearestNeighborsStep] = run.steps
    behind = surface(steps[0].model, data.bounds)
    votes = "Votes so far" if steps[0].model.weights == "equal" else "Weights so far"
    views = [
        View("The ball and its neighbours", lambda now: picture(data, steps[now], behind)),
        View(f"{votes}, by class", lambda now: ballot(data, steps[-1], steps[now])),
        View("Distances in order; dotted: the k-th", lambda now: distances(data, steps[now])),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps[now]),
        note(steps[0].model, data),
        ask=neighbors_questions.ask_ball(data, steps),
    )


def picture(data: Plane, step: KNearestNeighborsStep, behind: dict) -> Figure:
    """Draw the ball, a line to every neighbour it has met, and a ring around each of them.

    behind : the regions of the vote with k neighbours. The neighbour met last has a wider ring.
    """
    met = step.order[: step.met]
    kind = np.zeros(len(data.X))
    kind[met] = _MET
    kind[met[-1]] = _NEW
    ends = data.X[met]
    return plane.figure(
        [behind, plane.line(ball(step), line={"width": 2, "dash": "dash"})],
        data.bounds,
        data.names,
        points=plane.points(data.X, data.labels),
        marks=plane.marks(kind, (100, 100, 100), (0, 15, 22), 2),
        edges=plane.edges(np.broadcast_to(step.query, ends.shape), ends, width=1.5),
    )


def ball(step: KNearestNeighborsStep) -> ndarray:
    """Give the outline of the ball, in the metric and the units of the model."""
    model = step.model
    return step.query + step.radius * model.spread * _OUTLINES[model.metric]


def ballot(data: Plane, end: KNearestNeighborsStep, step: KNearestNeighborsStep) -> Figure:
    """Draw every class's votes. end : the last step, whose votes fix the axis."""
    names = [f"class {data.classes[j]}" for j in step.classes]
    bars = {
        "type": "bar",
        "x": names,
        "y": step.votes.tolist(),
        "text": [number(float(votes)) for votes in step.votes],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": [color(int(j)) for j in step.classes]},
        "hoverinfo": "skip",
    }
    title = "votes" if step.model.weights == "equal" else "sum of r₁/r"
    layout = curves.panel_layout(
        xaxis={"type": "category"},
        yaxis={
            "title": {"text": title},
            "range": [0, 1.2 * float(end.votes.max())],
            "nticks": 4,
        },
    )
    return {"data": [bars], "layout": layout}


def distances(data: Plane, step: KNearestNeighborsStep) -> Figure:
    """Draw the distances of the nearest points in order, and where the ball is now."""
    k = step.model.k
    shown = min(len(step.order), k + max(k, _BEYOND))
    labels = data.labels[step.order[:shown]].tolist()
    far = step.distances[:shown]
    top = 1.08 * float(far[-1]) or 1.0
    points = {
        "type": "scatter",
        "mode": "markers",
        "x": list(range(1, shown + 1)),
        "y": plane.packed(far),
        "marker": {
            "size": 8,
            "color": [color(label) for label in labels],
            "symbol": [symbol(label) for label in labels],
        },
        "hovertemplate": "point %{x}: distance %{y:.4g}<extra></extra>",
    }
    layout = curves.panel_layout(
        xaxis={"title": {"text": "in order", "standoff": 4}, "range": [0.2, shown + 0.8]},
        yaxis={"title": {"text": "distance"}, "range": [-0.03 * top, top], "nticks": 5},
        shapes=[curves.dotted(k, 2)],
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": [points, curves.marked(step.met, step.radius)], "layout": layout}


def caption(data: Plane, step: KNearestNeighborsStep) -> str:
    """Say which neighbour is met, how far it is, and what the vote says so far."""
    nearest, k = step.order[step.met - 1], step.model.k
    place = f"Neighbour {step.met} of {k}"
    found = f"class {data.classes[data.labels[nearest]]}, at a distance of {number(step.radius)}"
    return (
        f"{place}: {found}; {_standing(data, step)}.\n"
        f"{_rule(data, step, nearest)}\n{_picked(data, step)}"
    )


def _standing(data: Plane, step: KNearestNeighborsStep) -> str:
    """Say who leads."""
    if step.tied:
        first = np.flatnonzero(step.votes == step.votes.max())
        names = listed([str(data.classes[step.classes[j]]) for j in first])
        return f"classes {names} are level"
    votes = np.sort(step.votes)[::-1]
    if votes[1] == 0:
        return f"all votes are for class {data.classes[step.leader]}"
    return (
        f"class {data.classes[step.leader]} leads by {number(float(votes[0]))} to "
        f"{number(float(votes[1]))}"
    )


def _rule(data: Plane, step: KNearestNeighborsStep, nearest: int) -> str:
    """Write the distance of the neighbour met last, and its weight, with their numbers."""
    model = step.model
    apart = np.abs(data.X[nearest] - step.query) / model.spread
    across, up = (number(float(part)) for part in apart)
    rule = {
        "euclidean": f"√({across}² + {up}²)",
        "manhattan": f"{across} + {up}",
        "chebyshev": f"max({across}, {up})",
    }[model.metric]
    columns = f"from the differences in {listed(data.names)}"
    if (model.spread != 1).any():
        columns = f"after dividing {divided(model, data)}"
    text = f"r = {rule} = {number(step.radius)}, {columns}."
    if model.weights == "equal":
        return text
    first, weight = float(step.distances[0]), float(step.weights[step.met - 1])
    if step.radius == 0:
        return f"{text} At distance 0 its weight is 1."
    return f"{text} Weight r₁/r = {number(first)}/{number(step.radius)} = {number(weight)}."


def _picked(data: Plane, step: KNearestNeighborsStep) -> str:
    """Say which class the picked point gets: of the neighbours met so far, or of all k."""
    total, name = float(step.votes.sum()), data.classes[step.leader]
    share = f"{number(float(step.votes.max()))} of {number(total)}"
    what = "votes" if step.model.weights == "equal" else "in weights"
    if step.met < step.model.k:
        said = f"if k were {step.met}, it would be class {name}, with {share} {what}"
    else:
        said = f"with k = {step.model.k} it is class {name}, with {share} {what}"
    tie = ": a tie, which goes to the class that is listed first" if step.tied else ""
    return f"Picked point {vector(step.query)}: {said}{tie}."


def note(model: NearestNeighborsStep, data: Plane) -> str:
    """Say what is behind the points, and in which units distances are."""
    regions = (
        f"Regions: what the {counted(model.k, 'nearest point')} vote for, the paler the closer the "
        "vote. Of points equally far the first in the data count."
    )
    return f"{regions} {units(model, data)}"


def units(model: NearestNeighborsStep, data: Plane) -> str:
    """Say in which units distances are."""
    if (model.spread == 1).all():
        return "Distances are in the units of the data."
    return f"Distances are taken after dividing {divided(model, data)}."


def divided(model: NearestNeighborsStep, data: Plane) -> str:
    """Name what every column is divided by."""
    parts = zip(data.names, model.spread, strict=True)
    return listed([f"{name} by {number(float(spread))}" for name, spread in parts])
