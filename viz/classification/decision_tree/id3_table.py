"""The table of examples that ID3 asks about: which ones are at a node, how pure each answer is."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.decision_tree.play_tennis import Table
from viz.core import plane
from viz.core.scene import Figure
from viz.core.theme import GREY, RGB
from viz.core.words import number

LITTLE = 1e-9  # a fraction that is only rounding
_SHADES, _STRONGEST = 8, 110  # steps of the shade of an answer; opacity of 255 of a pure one
_KEY = "shade: the commonest class of the days with this answer, pale if mixed"
_SHARP = 4  # cells of the shades' image for a letter, so that their edges are not blurred


def draw(
    data: Table,
    day: int,
    here: ndarray,
    asked: int,
    costs: Sequence[float] = (),
    missing: ndarray | None = None,
) -> Figure:
    """Draw the table; the examples at the current node and the attribute asked about stand out.

    day : the example to follow, from 1, framed. here : (n,) which examples are at the node, or what
    fraction of each. asked : the attribute that is asked about, or -1. costs : of the attributes,
    if they count. missing : (n, a) which values are missing; then a column has the fractions.
    """
    n, here, w = len(data.labels), here > LITTLE, here.astype(float)
    known = np.ones(data.examples.shape, bool) if missing is None else ~missing
    head, words = _written(data, known, None if missing is None else w)
    width = np.array([max(map(len, column)) + 2.0 for column in zip(head, *words, strict=True)])
    middle, end = width.cumsum() - width / 2, float(width.sum())
    x, y = np.tile(middle, n), np.repeat(np.arange(n) + 1.0, len(head))
    bright = np.repeat(here, len(head))
    texts = [word for row in words for word in row]
    above = [(middle, ["cost", *(f"{cost:g}" for cost in costs), " "])] if costs else []
    traces = [
        _answers(data, w, known, width[: len(data.attributes) + 2]),
        *(_words(places, np.full(len(head), -1.0), written) for places, written in above),
        _words(middle, np.zeros(len(head)), [f"<b>{name}</b>" for name in head]),
        _words(x, np.where(bright, y, -9), texts),
        _words(x, np.where(bright, -9, y), texts, opacity=0.35),
        _words(np.array([end / 2]), np.array([n + 1.0]), [_KEY]),
    ]
    left, right = (-9.0, -9.0)
    if asked >= 0:
        left, right = middle[asked + 1] + np.array([-0.5, 0.5]) * width[asked + 1]
    shapes = [
        _frame((left, right), (-0.5, n + 0.5), width=3),
        _frame((0.2, end - 0.2), (day - 0.45, day + 0.45), width=2, dash="dash"),
    ]
    layout = _layout((0, end), (n + 1.4, -1.7 if costs else -0.7))
    return {"data": traces, "layout": layout | {"shapes": shapes}}


def _layout(x: tuple[float, float], y: tuple[float, float]) -> dict:
    """Return axes that are not seen, with their ends."""
    return {
        "xaxis": {"range": list(x), "visible": False},
        # An image would tie the axes to each other.
        "yaxis": {"range": list(y), "visible": False, "scaleanchor": False},
        "margin": {"l": 6, "r": 6, "t": 6, "b": 26},  # for the button of the legend
        "dragmode": False,
        "hovermode": False,
        "showlegend": False,
    }


def _written(data: Table, known: ndarray, w: ndarray | None) -> tuple[list[str], list[list[str]]]:
    """Write the heads of the columns and the cells of the rows. w : fractions, if they count."""
    head = ["Day", *data.attributes, data.target]
    words = [
        [
            f"D{i + 1}",
            *(data.values[a][v] if known[i, a] else "?" for a, v in enumerate(row)),
            data.classes[label],
        ]
        for i, (row, label) in enumerate(zip(data.examples, data.labels, strict=True))
    ]
    if w is not None:
        head.append("weight")
        for row, fraction in zip(words, w.tolist(), strict=True):
            row.append(number(fraction, 2) if fraction > LITTLE else "–")
    return head, words


def _frame(x: tuple[float, float], y: tuple[float, float], **line: object) -> dict:
    """Draw a rectangle around a column or a row."""
    ends = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    return {"type": "rect", **ends, "line": {"color": GREY, **line}}


def _answers(data: Table, w: ndarray, known: ndarray, width: ndarray) -> dict:
    """Shade every answer by its commonest class among the examples that are there.

    w : (n,) fractions of the examples. known : (n, a) which values are not missing. width : widths
    of the columns; the first names the examples, the last holds their class.
    """
    k, n, here = len(data.classes), len(w), w > LITTLE
    cells = np.zeros((n, len(width)), int)  # 0 is no shade
    of_class = w[:, None] * np.eye(k)[data.labels]
    counted = [
        np.array([of_class[known[:, A] & (x == v)].sum(axis=0) for v in range(len(values))])
        for A, (x, values) in enumerate(zip(data.examples.T, data.values, strict=True))
    ]
    counted.append(np.diag(of_class.sum(axis=0)))
    shown = np.column_stack([known & here[:, None], here])
    for j, (counts, answers) in enumerate(
        zip(counted, [*data.examples.T, data.labels], strict=True), 1
    ):
        share = counts.max(axis=1) / np.maximum(counts.sum(axis=1), LITTLE)
        shade = np.rint(plane.certainty(share, k) * (_SHADES - 1)).astype(int)
        there = shown[:, j - 1]
        cells[there, j] = (1 + counts.argmax(axis=1) * _SHADES + shade)[answers[there]]
    fills = np.repeat(np.array(RGB[:k], np.uint8), _SHADES, axis=0)
    colors = np.concatenate([np.zeros((1, 3), np.uint8), fills])
    opacity = np.append(0, np.tile(np.linspace(0, _STRONGEST, _SHADES), k)).astype(np.uint8)
    sharp = cells.repeat(_SHARP * width.astype(int), axis=1).repeat(8 * _SHARP, axis=0)
    box = (0, float(width.sum()), 0.5, n + 0.5)
    name = "commonest class of the days with this answer, fainter if they are mixed"
    return plane.image(sharp.astype(np.uint8), colors, opacity, box) | {"name": name}


def _words(x: ndarray, y: ndarray, texts: list[str], **style: object) -> dict:
    return {
        "type": "scatter",
        "mode": "text",
        "x": x.tolist(),
        "y": y.tolist(),
        "text": texts,
        "textfont": {"size": 14},
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }
