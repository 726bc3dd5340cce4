"""Shared parts of the perceptron's modes: weight vectors, curves of errors and loss, counts."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron.perceptron_multiclass import (
    PerceptronMulticlassStep,
)
from algorithms.classification.linear.perceptron.perceptron_summary import History
from viz.core import curves, naming, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY
from viz.core.words import counted

_BESIDE = 0.035  # of the picture: from a framed point to its name


def visited(data: Plane, index: int) -> dict:
    """Draw a frame around the sample that a step visits; below 0 there is none.

    It is no ring, since a wrong point has a thick outline that may be round.
    """
    place = data.X[[index]] if index >= 0 else plane.GAP
    return plane.rings(
        place, size=28, symbol="square-open", line={"width": 2}, name="point visited in this step"
    )


def sample_name(data: Plane, index: int) -> naming.Name:
    """Return the name beside the frame of the sample that a step visits."""
    left, right, bottom, top = data.bounds
    off = _BESIDE * np.array([right - left, top - bottom])
    ways = {"middle right": (1, 0), "middle left": (-1, 0), "top center": (0, 1)}
    ways["bottom center"] = (0, -1)
    where = [(data.X[index] + off * way, side) for side, way in ways.items()]
    return naming.Name(f"sample {index + 1}" if index >= 0 else "", where, {"size": 15})


def places(trace: dict) -> ndarray:
    """Return the (m, 2) places of a trace."""
    return np.column_stack([plane.unpacked(trace[axis]) for axis in "xy"])


def weight_plane(low: ndarray, high: ndarray, bias: str) -> dict:
    """Draw the plane of the two weights; the bias, which has no axis, is written below it."""
    span = high - low
    room = 0.12 * np.where(span > 0, span, span.max() or 1.0)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    # Right angles, unless one axis would be squeezed to nothing.
    true = span.max() < 50 * span.min() or span.min() == 0
    layout = curves.panel_layout(
        xaxis={
            "title": {"text": f"w₁   ({bias})", "standoff": 2},
            "range": [left, right], "nticks": 7,
        },
        yaxis={
            "title": {"text": "w₂"}, "range": [bottom, top], "nticks": 5,
            "scaleanchor": "x" if true else False,
        },
    )  # fmt: skip
    layout["margin"] |= {"b": 50}
    return layout


def arrow(
    start: ndarray,
    end: ndarray | None,
    labels: Sequence[str] = (),
    color: str | None = None,
    **further: object,
) -> dict:
    """Draw an arrow, by default in ink and without labels, in the middle and at the tip.

    Without an end nothing is drawn; an arrow of length 0 is a dot.
    """
    place = np.full(2, np.nan) if end is None else end
    long = end is not None and bool((start != end).any())
    side = "left" if long and (start + place)[0] < 0 else "right"
    style = {} if color is None else {"color": color}
    places = np.stack([start, (start + place) / 2, place])
    words = {
        "mode": "lines+markers+text",
        "text": [f"\u2002{label}\u2002" for label in ("", *labels)],
        "textposition": f"middle {side}",
        "textfont": {"size": 15, "shadow": "auto"},
    }
    return plane.line(
        places,
        **words if labels else {"mode": "lines+markers"},
        line={"width": 3, **style},
        marker={
            "symbol": "arrow" if long else "circle",
            "size": [0, 0, 15 if long else 8],
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
            **style,
        },
        cliponaxis=False,
        **further,
    )


def progress(
    kept: History, n: int, loss: str, measure: Callable[[int], tuple[int, float]], *, log: bool
) -> Callable[[int], Figure]:
    """Draw training errors and loss against the epochs, of `n` visits each.

    Of many visits only some are drawn, but the marks are exactly at theirs. measure : errors and
    loss at a step. loss : its name. log : on a logarithmic axis.
    """
    series = {"errors": kept.errors.tolist(), loss: kept.losses.tolist()}
    still = curves.history(series, 0, log=[loss] if log else [])
    axis = {"hoverinfo": "skip", "x": plane.packed((kept.visits / n).astype(np.float32))}
    lines = [curve | axis for curve in still["data"][::2]]
    epochs = float(kept.visits[-1]) / n
    layout = still["layout"]
    layout["xaxis"] |= {
        "range": [-0.04 * epochs, 1.04 * epochs],
        "title": {"text": "epochs", "standoff": 2},
    }
    for y in ("yaxis", "yaxis2"):  # below three other views there is little room
        layout[y] |= {"nticks": 3}

    def at(now: int) -> Figure:
        traces = []
        for curve, value in zip(lines, measure(now), strict=True):
            traces += [curve, curves.marked(now / n, value, yaxis=curve["yaxis"])]
        return {"data": traces, "layout": layout}

    return at


def mistakes_by_epoch(
    steps: Sequence[PerceptronStep] | Sequence[PerceptronMulticlassStep], n: int
) -> Callable[[int], Figure]:
    """Draw the mistakes of every epoch, of `n` visits each, as bars; pale: still to come."""
    ends = [*range(0, len(steps), n)]
    if ends[-1] < len(steps) - 1:
        ends.append(len(steps) - 1)
    in_all = np.array([steps[end].mistakes for end in ends])
    made = np.diff(in_all)
    epochs = np.arange(1, len(ends))
    layout = curves.panel_layout(
        xaxis={"title": {"text": "epoch", "standoff": 2}, "range": [0.4, max(len(made), 1) + 0.6]}
        | {"tick0": 0, "dtick": -(-len(made) // 10) or 1},
        yaxis={"title": {"text": "mistakes"}, "range": [0, 1.1 * max(made.max(initial=0), 1)]}
        | {"tickformat": "d", "nticks": 5},
    ) | {"barmode": "overlay"}
    bar = {"type": "bar", "x": epochs.tolist(), "hoverinfo": "skip"}
    pale = {"color": GREY, "opacity": 0.3}

    def at(now: int) -> Figure:
        so_far = np.clip(steps[now].mistakes - in_all[:-1], 0, made).tolist()
        return {
            "data": [
                bar | {"y": made.tolist(), "marker": pale, "name": "in the whole epoch"},
                bar | {"y": so_far, "name": "so far"},
            ],
            "layout": layout,
        }

    return at


def progress_title(kept: History) -> str:
    """Write the title of the curves, with the share of the visits that they show."""
    return "Training errors and loss" + f", 1 visit in {kept.stride}" * (kept.stride > 1)


def epoch_over(epoch: int, made: int, in_all: int) -> str:
    """Write how many mistakes an epoch had."""
    return f"Epoch {epoch} is over, with {counted(made, 'mistake')} ({in_all} in all)"


def fewer_epochs(n: int, allowed: int | None) -> list[str]:
    """Write how many epochs there is time for, if fewer than were asked for."""
    return [] if allowed is None else [f"With {n} points there are at most {allowed} epochs."]
