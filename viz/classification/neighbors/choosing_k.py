"""Pictures and words for the leave-one-out error of one k after the other."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.neighbors.leave_one_out import LeaveOneOutStep
from viz.classification.neighbors import neighbors_questions
from viz.classification.neighbors.neighbors import units
from viz.classification.neighbors.surface import surface
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import listed, number

_CELLS = 60  # of a surface: there is one for every k


def choosing(run: Run, data: Plane, query: ndarray) -> Scene:
    """Show the regions and the leave-one-out error of one k after the other.

    query : the picked point.
    """
    steps: Sequence[LeaveOneOutStep] = run.steps
    views = [
        View("Regions for this k; outlined: wrong", lambda now: picture(data, steps[now])),
        View("Points wrong, against k", lambda now: errors(steps, now), ahead=True),
        View("Tied votes, against k", lambda now: ties(steps, now), ahead=True),
    ]
    words = f"A ring: wrong when left out. {units(steps[0].model, data)}"
    return Scene(
        views,
        lambda now: caption(data, steps, now, query),
        words,
        ask=neighbors_questions.ask_errors(steps),
    )


def picture(data: Plane, step: LeaveOneOutStep) -> Figure:
    """Draw the regions of the model of all points; points wrong when left out are outlined."""
    ring = plane.rings(data.X[step.wrong])
    points = plane.points(data.X, data.labels, step.wrong)
    traces = [surface(step.model, data.bounds, _CELLS), ring]
    return plane.figure(traces, data.bounds, data.names, points=points)


def errors(steps: Sequence[LeaveOneOutStep], now: int) -> Figure:
    """Draw how many points are wrong, left out and voting on themselves, against k."""
    ks = [step.k for step in steps]
    left_out = [step.errors for step in steps]
    training = [step.training_wrong for step in steps]
    best = int(np.argmin(left_out))
    dashed = {"line": {"dash": "dash", "color": GREY}, "marker": {"symbol": 1, "size": 4}}
    traces = [
        curves.against("left out", ks, left_out, marker={"size": 5}),
        curves.against("training", ks, training, **dashed),
        curves.marked(ks[now], left_out[now], showlegend=False),
        curves.marked(
            ks[best], left_out[best], showlegend=False,
            marker={"size": 11, "symbol": 102, "color": PALETTE[2], "line": {"width": 3}},
        ),
    ]  # fmt: skip
    top = 1.08 * max(*left_out, *training, 1)
    layout = curves.panel_layout(
        xaxis={"title": {"text": "k", "standoff": 2}, "range": [0.4, ks[-1] + 0.6], "nticks": 8},
        yaxis={"title": {"text": "points wrong"}, "range": [-0.03 * top, top], "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 38}
    return curves.with_legend({"data": traces, "layout": layout})


def ties(steps: Sequence[LeaveOneOutStep], now: int) -> Figure:
    """Draw on how many points left out the vote is tied, against k."""
    ks, tied = [step.k for step in steps], [step.tied for step in steps]
    colors = [NOW if i == now else GREY for i in range(len(steps))]
    bars = {
        "type": "bar",
        "x": ks,
        "y": tied,
        "marker": {"color": colors},
        "hovertemplate": "k = %{x}: %{y} tied<extra></extra>",
    }
    layout = curves.panel_layout(
        xaxis={"title": {"text": "k", "standoff": 2}, "range": [0.4, ks[-1] + 0.6], "nticks": 8},
        yaxis={"title": {"text": "ties"}, "range": [0, 1.1 * max(*tied, 1)], "nticks": 4},
        shapes=[curves.dotted(ks[now])],
    )
    layout["margin"] = {**layout["margin"], "b": 38}
    return {"data": [bars], "layout": layout}


def caption(data: Plane, steps: Sequence[LeaveOneOutStep], now: int, query: ndarray) -> str:
    """Say how many points are wrong with this k, and how its ties are broken."""
    step, n = steps[now], len(data.X)
    best = min(steps, key=lambda other: other.errors)
    if best is step:
        against = "no other k has fewer, and no smaller one as few"
    else:
        against = f"the fewest are {best.errors}, at k = {best.k}"
    return (
        f"k = {step.k}: {step.errors} of {n} points are wrong when each is left out; {against}.\n"
        f"Leave-one-out error {_share(step.errors, n)}; training error (points vote on themselves) "
        f"{_share(step.training_wrong, n)}. {_ties(step)}\n"
        f"{_picked(data, step, query)}"
    )


def _share(wrong: int, n: int) -> str:
    return f"{wrong}/{n} = {number(100 * wrong / n)} %"


def _ties(step: LeaveOneOutStep) -> str:
    if step.tied == 0:
        return "No vote is tied."
    votes = "1 vote is" if step.tied == 1 else f"{step.tied} votes are"
    return f"{votes} tied: the class listed first wins."


def _picked(data: Plane, step: LeaveOneOutStep, query: ndarray) -> str:
    votes = step.model.votes(query[None])[0]
    name = data.classes[step.classes[votes.argmax()]]
    parts = [
        f"{number(float(count))} for class {data.classes[j]}"
        for j, count in zip(step.classes, votes, strict=True)
        if count > 0
    ]
    what = "votes" if step.model.weights == "equal" else "weights"
    tie = ", which is listed first" if np.sum(votes == votes.max()) > 1 else ""
    return f"Picked point: {what} {listed(parts)}, so it is class {name}{tie}."
