"""From scores to probabilities and losses: the sigmoid for two classes, the softmax for more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy import ndarray
from scipy.special import expit

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
)
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, color
from viz.core.words import counted, number

_MOST = 300  # points
_USUAL_SCORE, _USUAL_LOSS = 10.0, 6.0  # ends of the axes that may hold a whole run
_FAR_OUT, _MOST_OF = 5.0, 0.95  # an axis leaves out what is so many times this quantile
_SMALL = 0.6  # diameter of a point beside the sigmoid
_NEAR, _FAR = 0.04, 0.16  # of a probability: how far beyond 0 or 1 points are
SPREAD = "Beside the sigmoid, points are spread a little beyond 0 and 1, clear of the curve."

_GOLDEN = (5**0.5 - 1) / 2
_SHARES = np.linspace(-1, 1, 61)
_SHARES = _SHARES * np.abs(_SHARES)  # closer together where the curves bend


@dataclass(frozen=True, eq=False)
class Scored:
    """The points with the scores that the models of a run give them.

    F : the features of all points, of which `held` were held out. x : those of the picked one.
    """

    steps: Sequence[LogisticRegressionStep]
    data: Plane
    F: ndarray
    held: ndarray
    x: ndarray

    def points(
        self, step: LogisticRegressionStep, places: ndarray, which: ndarray, size: float = 1
    ) -> dict:
        """Draw points at (m, 2) places, with the wrong and the held-out ones marked.

        which : (m,) their indices. size : their diameter, 1 for the usual one.
        """
        y = self.data.labels[which]
        wrong = step.predict(self.F[which]) != y
        sizes = np.full(len(which), size)
        return {"points": plane.points(places, y, wrong, size=sizes, held=self.held[which])}


def sigmoid_title(scored: Scored) -> str:
    """Write the title of the sigmoid's view, with the number of points that it shows."""
    n = len(scored.held)
    some = "" if n <= _MOST else f" ({_MOST} of {n} points)"
    return f"Score, probability and loss{some}"


def sigmoid(scored: Scored) -> Callable[[int], Figure]:
    """Draw the points by score and class on the sigmoid, and below them the loss of each.

    The axes stay for the whole run, unless scores or losses leave the usual ranges: beyond those,
    scores may grow a hundredfold, and the axes grow in steps of 1, 2, 3, 4, 6, ... A class's points
    are spread a little beyond its 0 or 1, so that each can be seen. A few points whose scores are
    far beyond all others are drawn at the edge, and counted there.
    """
    n, used = len(scored.held), ~scored.held
    chosen = np.arange(n) if n <= _MOST else np.linspace(0, n - 1, _MOST).astype(int)
    F, y, held = scored.F[chosen], scored.data.labels[chosen], scored.held[chosen]
    low, high = scored.steps[0].classes.tolist()
    beyond = _NEAR + (_FAR - _NEAR) * _even(len(y))
    levels = np.where(y == high, 1 + beyond, -beyond)
    groups = [
        (~held & (y == low), {"color": color(low), "width": 2}),
        (~held & (y == high), {"color": color(high), "width": 2}),
        (held, {"width": 1, "dash": "dot"}),
    ]

    places = np.concatenate([F, scored.x])
    reaches = [_largest(np.abs(s.decision_function(places)), _USUAL_SCORE) for s in scored.steps]
    losses = [_largest(s.losses(F, y), _USUAL_LOSS) for s in scored.steps]

    def at(now: int) -> Figure:
        step = scored.steps[now]
        scores, each = step.decision_function(F), step.losses(F, y)
        picked = float(step.decision_function(scored.x)[0])
        reach = _end(reaches, now, _USUAL_SCORE)
        worst = _end(losses, now, _USUAL_LOSS)
        z = 1.05 * reach * _SHARES
        curve_low, curve_high = np.logaddexp(0, z), np.logaddexp(0, -z)
        mean = float(step.losses(scored.F[used], scored.data.labels[used]).mean())
        below = {"yaxis": "y2"}
        traces = [
            plane.line(np.column_stack([z, expit(z)]), line={"width": 4}),
            *(
                plane.line(
                    np.column_stack([z, loss]),
                    line={"width": 1.5, "color": color(k), "dash": "dash"}, **below,
                )
                for k, loss in ((low, curve_low), (high, curve_high))
            ),
            *(_bars(scores[which], each[which], look) | below for which, look in groups),
            plane.line(
                np.array([[z[0], mean], [z[-1], mean]]), line={"width": 1.5, "color": GREY}, **below
            ),
            curves.marked(float(np.clip(picked, -reach, reach)), float(expit(picked))),
        ]  # fmt: skip
        layout = _axes(scored, reach, worst, mean)
        layout["annotations"] += _beyond(scores, picked, reach)
        shown = {"data": traces, "layout": layout}
        at_most = scores.clip(-reach, reach)
        return shown | scored.points(step, np.column_stack([at_most, levels]), chosen, _SMALL)

    return at


def _bars(scores: ndarray, losses: ndarray, look: dict) -> dict:
    """Draw a bar from 0 to the loss at the score of every point, as one trace."""
    ends = np.stack([np.zeros_like(losses), losses, np.full_like(losses, np.nan)], axis=1)
    places = np.column_stack([np.repeat(scores, 3), ends.ravel()])
    return plane.line(places if len(places) else plane.GAP, line=look)


def _even(n: int) -> ndarray:
    """Return n numbers evenly between 0 and 1, of which no two neighbours are near each other."""
    return np.arange(n) * _GOLDEN % 1


def _axes(scored: Scored, reach: float, worst: float, mean: float) -> dict:
    """Draw two plots over one axis of scores: probability above, loss below."""
    name = panels.label(scored.data.classes[int(scored.steps[0].classes[1])])
    written = {
        "xref": "paper", "x": 0, "xanchor": "left", "yref": "y2", "y": min(mean, worst),
        "yanchor": "bottom" if mean <= worst else "top", "showarrow": False,
        "text": f"mean {number(mean)}{'' if mean <= worst else ', above'}",
    }  # fmt: skip
    return curves.panel_layout(
        xaxis=panels.axis("score w·x + b", -reach, reach, anchor="y2"),
        yaxis={
            "title": {"text": f"P({name})"}, "domain": [0.51, 1], "range": [-0.25, 1.25],
            "tickvals": [0, 0.5, 1],
        },
        yaxis2={
            "title": {"text": "loss"}, "domain": [0, 0.41], "range": [0, 1.1 * worst], "nticks": 4,
        },
        annotations=[written],
    )  # fmt: skip


def _largest(sizes: ndarray, usual: float) -> float:
    """Return the largest size; without those far beyond nearly all others, if there are any."""
    most = max(_FAR_OUT * float(np.quantile(sizes, _MOST_OF)), usual)
    return float(sizes[sizes <= most].max(initial=0.0))


def _beyond(scores: ndarray, picked: float, reach: float) -> list[dict]:
    """Count the scores beyond the axis, of points and of the picked one, at either edge."""
    notes = []
    for x, side, sign in ((0, "left", -1), (1, "right", 1)):
        count = int(np.count_nonzero(sign * scores > reach))
        parts = ["the picked one"] if sign * picked > reach else []
        parts = [counted(count, "point"), *parts] if count else parts
        text = f"{' and '.join(parts)} beyond" if parts else ""
        notes.append({
            "xref": "paper", "x": x, "xanchor": side, "yref": "y", "y": 0.5, "text": text,
            "showarrow": False,
        })  # fmt: skip
    return notes


def _end(values: Sequence[float], now: int, usual: float) -> float:
    """Return the end of an axis: that of the whole run if it is usual, else that of the step."""
    here = max(_rounded_up(values[now]), usual)
    return min(here, _rounded_up(max(values)))


def _rounded_up(value: float) -> float:
    """Return the next of 1, 2, 3, 4, 6, 8, 10, 20, ..., at least 1."""
    value = max(value, 1.0)
    power = 10.0 ** floor(log10(value))
    return next(lead * power for lead in (1, 2, 3, 4, 6, 8, 10, 20) if lead * power >= value)


def softmax(scored: Scored) -> Callable[[int], Figure]:
    """Draw the classes' scores at the picked point, and the probabilities computed from them."""
    every = np.array([step.decision_function(scored.x)[0] for step in scored.steps])
    classes = scored.steps[0].classes.tolist()
    names = [panels.label(scored.data.classes[k], 7) for k in classes]
    low, high = min(float(every.min()), 0.0), max(float(every.max()), 0.0)
    few = len(classes) <= 4  # there is room for numbers
    places = list(range(len(classes)))
    across = {
        "title": {"text": "class", "standoff": 4}, "range": [-0.6, places[-1] + 0.6],
        "tickvals": places, "ticktext": names, "tickangle": 0,
    }  # fmt: skip

    def bars(values: ndarray) -> dict:
        return {
            "type": "bar",
            "x": places,
            "y": [float(value) for value in values],
            "text": [number(round(float(value), 2)) if few else "" for value in values],
            "textposition": "outside",
            "textangle": 0,
            "constraintext": "none",
            "cliponaxis": False,
            "marker": {"color": [color(k) for k in classes]},
            "hoverinfo": "skip",
            "showlegend": False,
        }

    def at(now: int) -> Figure:
        share = scored.steps[now].predict_proba(scored.x)[0]
        room = 0.12 * (high - low) or 0.5
        return panels.side_by_side(
            panels.Panel(
                [bars(every[now])],
                across,
                panels.axis("score", low - room, high + room, zeroline=True, zerolinecolor=GREY),
            ),
            panels.Panel([bars(share)], across, panels.axis("probability", 0.0, 1.1)),
            split=0.43,
            room=0.15,
        )

    return at
