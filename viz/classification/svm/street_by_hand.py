"""Pictures and words for a street turned by hand."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.street_by_hand import StreetStep
from algorithms.core.features import PolynomialFeatures
from viz.classification.svm.svm import Sides, filled, side_color
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW
from viz.core.words import number

_CELLS = 100
_FARTHEST = 4.0  # margin: points beyond are drawn there
NOTE = (
    "Dashed: the edges f = −1 and f = +1. Dotted: the line of the best street of all. A thin "
    "stroke leads from every point with a loss to its own edge. A thick outline: on the wrong side "
    "of the line. The cross hairs turn your street: two hold its line, the third its edge."
)
_STREETS = ("by hand", "best of its direction", "best of all")


def picture(
    data: Plane,
    sides: Sides,
    features: PolynomialFeatures,
    steps: Sequence[StreetStep],
    now: int,
) -> Figure:
    """Draw the street, and from every point with a loss the way back to its own edge."""
    box, step = data.bounds, steps[now]
    corners = plane.on_corners(features, box)
    f, best = step.decision_function(corners), steps[-1].decision_function(corners)
    cells = step.decision_function(plane.on_grid(features, box, _CELLS)).reshape(_CELLS, _CELLS)
    dotted = {"width": 2, "dash": "dot", "color": GREY}
    traces = [
        filled(cells, sides, box),
        plane.straight_border(best, box, line=dotted),
        plane.straight_border(f, box, line={"width": 3}),
        plane.straight_border(f - 1, box, line={"width": 1.5, "dash": "dash"}),
        plane.straight_border(f + 1, box, line={"width": 1.5, "dash": "dash"}),
    ]
    wrong = step.predict(step.problem.points) != step.classes[(step.problem.signs > 0).astype(int)]
    return plane.figure(
        traces,
        box,
        data.names,
        points=plane.points(data.X, data.labels, wrong),
        edges=plane.edges(*_ways_back(data, features, step), width=1.0),
    )


def _ways_back(
    data: Plane, features: PolynomialFeatures, step: StreetStep
) -> tuple[ndarray, ndarray]:
    """Give where the points with a loss stand, and the nearest places on their edges."""
    short = np.flatnonzero(step.hinges)
    if step.length == 0:
        short = short[:0]  # there are no edges
    reach = (step.problem.signs * step.hinges)[short] / max(step.length**2, 1e-300)
    return data.X[short], data.X[short] + reach[:, None] * step.weights * _unit(features)


def _unit(features: PolynomialFeatures) -> ndarray:
    """Give how long the units of the features are on the axes of the picture."""
    return features.spread * features.scale


def losses(sides: Sides, steps: Sequence[StreetStep], now: int) -> Figure:
    """Draw three losses against the margin, and every point on the hinge at its own margin."""
    step = steps[now]
    low = min(-2.0, *(float(each.margins.min()) for each in (steps[0], steps[-1])))
    low = max(low, -2 * _FARTHEST)
    m = np.linspace(low, _FARTHEST, 121)
    margins = np.clip(step.margins, low, _FARTHEST)
    wide = {"width": 3}
    traces = [
        plane.line(np.column_stack([m, np.maximum(1 - m, 0)]), name="hinge", line=wide),
        plane.line(
            np.array([[low, 1.0], [0, 1], [0, 0], [_FARTHEST, 0]]),
            name="0/1",
            line={"width": 2, "dash": "dot", "color": GREY},
        ),
        plane.line(
            np.column_stack([m, np.logaddexp(0, -m)]),
            name="logistic",
            line={"width": 2, "dash": "dash", "color": GREY},
        ),
    ]
    traces = [trace | {"showlegend": True} for trace in traces]
    for sign, side, symbol in ((-1, sides[0], 0), (1, sides[1], 1)):
        own = margins[step.problem.signs == sign]
        marker = {"size": 8, "color": side_color(side), "symbol": symbol, "opacity": 0.6}
        places = np.column_stack([own, np.maximum(1 - own, 0)])
        traces.append(plane.line(places, mode="markers", marker=marker, cliponaxis=False))
    top = 1 - low
    layout = curves.panel_layout(
        xaxis={"range": [low - 0.2, _FARTHEST + 0.2], "nticks": 9}
        | {"title": {"text": "margin y f(x)", "standoff": 0}},
        yaxis={"range": [-0.06 * top, 1.04 * top], "nticks": 5, "title": {"text": "loss"}},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return curves.with_legend({"data": traces, "layout": layout})


def costs(steps: Sequence[StreetStep], now: int) -> Figure:
    """Draw what the three streets cost, as far as four times what the best one does."""
    top = min(max(step.objective for step in steps), 4 * steps[-1].objective)
    names = [f"<b>{name}</b>" if index == now else name for index, name in enumerate(_STREETS)]
    labels = [
        f"{name}<br>P = {number(step.objective, 4)}"
        for name, step in zip(names, steps, strict=True)
    ]
    parts = (
        ("½ ‖w‖²", [step.half_norm for step in steps], GREY),
        ("C Σ hinge", [step.objective - step.half_norm for step in steps], NOW),
    )
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": values,
            "y": [0, 1, 2],
            "marker": {"color": colour, "opacity": [1.0 if i == now else 0.5 for i in range(3)]},
            "hoverinfo": "skip",
            "showlegend": True,
        }
        for name, values, colour in parts
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0, 1.04 * top], "nticks": 6},
        yaxis={"range": [2.6, -0.6], "tickvals": [0, 1, 2], "ticktext": labels},
    ) | {"barmode": "stack", "bargap": 0.35}
    layout["margin"] = {**layout["margin"], "l": 150}
    return curves.with_legend({"data": traces, "layout": layout})


def caption(steps: Sequence[StreetStep], now: int) -> str:
    """Say how wide a street is and what it costs, with its numbers in the objective."""
    step, best = steps[now], steps[-1]
    C, hinge = step.problem.C, float(step.hinges.sum())
    least = f"the best of all costs {number(best.objective, 4)}"
    wide, width = f"{number(step.width)} wide", f"width = 2 / ‖w‖ = {number(step.width)}"
    if step.length == 0:
        wide, width = "without end (w = 0)", "no width, as f is the same everywhere"
    told = (
        f"Your street is {wide} and costs {number(step.objective, 4)}; {least}.",
        f"Its direction kept, moved and widened as is best: {wide}, "
        f"it costs {number(step.objective, 4)}; {least}.",
        f"The best street of all directions is {wide} and costs "
        f"{number(step.objective, 4)}, {number(steps[0].objective - best.objective, 4)} less than "
        "yours.",
    )[now]
    short = int((step.hinges > 0).sum())
    wrong = int((step.margins <= 0).sum())
    return (
        f"{told}\n"
        f"P = ½ ‖w‖² + C Σ hinge = ½ · {number(step.length)}² + {C:g} · {number(hinge, 4)} = "
        f"{number(step.objective, 4)}; {width}.\n"
        f"{short} of {len(step.margins)} points {'has' if short == 1 else 'have'} a loss; for "
        f"{wrong} of them it is 1 or more: on the wrong side of the line, or on it."
    )
