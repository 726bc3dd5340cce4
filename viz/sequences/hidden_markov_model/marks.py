"""Parts that the modes share: the trellis, the observed symbols, and the tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.sequences.hidden_markov_model.examples import NamedModel
from algorithms.sequences.hidden_markov_model.model import Model
from viz.core import curves, panels, plane
from viz.core.graph import WIDEST, Graph, Look, note
from viz.core.naming import named_at_ends
from viz.core.scene import Figure
from viz.core.theme import GREY, color
from viz.core.words import number

SMALLEST, LARGEST = 0.9, 2.9  # diameters of a node, of the usual point
_ABOVE, _SEEN = 0.34, 0.45  # what each state adds above for words; what was seen, below the last
_HALVES = 0.34  # above the first state: what is known at the time, and what in hindsight
_NEAR, _APART = 0.75, 1.0  # how far apart two states are, and how far apart more of them
_LATE = 3  # times at the end that are not wide enough for words
_FACES = dict(zip("123456", "⚀⚁⚂⚃⚄⚅", strict=True))  # of a die
_TURNED = 7  # symbols with names longer than this are turned below a time
_FAINT = 0.25
_BESIDE = 2  # states, the transitions of which fit beside each other
_SURE = 1e-6  # of a hundredth: nothing that rounding errors decide
_CLOSE = 0.01  # probabilities that two decimals may not distinguish
_THINNEST = 1.0  # pixels: the line of a rare passage
RARE = 0.05  # the probability of a passage below which it has a line only at the time at hand
_TRUE = "table that the sequence was drawn from"


@dataclass(frozen=True, eq=False)
class Task:
    """The observations, the model that explains them, and the names of states and symbols."""

    observations: ndarray
    model: Model
    named: NamedModel

    @property
    def length(self) -> int:
        """Return the number of times."""
        return len(self.observations)

    def state(self, i: int) -> str:
        """Return the name of a state."""
        return self.named.states[i]

    def symbol(self, t: int) -> str:
        """Return what was seen at a time."""
        return self.named.symbols[int(self.observations[t])]


def trellis(task: Task, **signs: str) -> Graph:
    """Lay out a node for every time (across) and state (down).

    signs : what the marks mean, see `Graph`.
    """
    T, k = task.length, len(task.named.states)
    times, states = np.divmod(np.arange(T * k), k)
    places = np.column_stack([times, -_gap(k) * states]).astype(float)
    ends = np.arange((T - 1) * k * k)
    before = ends // (k * k) * k + ends // k % k
    after = (ends // (k * k) + 1) * k + ends % k
    beside = -0.3 - 0.035 * T  # clear of the ring around a node, which keeps its size
    low = _below(k)
    names = [note(beside, -_gap(k) * i, escape(task.state(i)), anchor="right") for i in range(k)]
    names.append(note(beside, low, "<b>seen</b>", anchor="right"))
    wide = max(len(name) for name in task.named.states)
    left = beside - 0.1 - 0.012 * T * wide - 0.05 * wide
    box = (left, T - 0.5, low - 0.22, _ABOVE * k)
    links = np.column_stack([before, after])
    nodes = [f"{task.state(i)}, time {t + 1}" for t in range(T) for i in range(k)]
    sides = ["bottom" if i else "top" for i in states]
    return Graph(places, states, links, box, nodes, names, signs, sides)


def _gap(k: int) -> float:
    """Return how far apart two of k states are."""
    return _NEAR if k == _BESIDE else _APART


def _below(k: int) -> float:
    """Return the height of what was seen, below k states."""
    return -_gap(k) * (k - 1) - _SEEN


def sizes(probabilities: ndarray) -> ndarray:
    """Return diameters of nodes: their areas are proportional to the probabilities."""
    return np.maximum(SMALLEST, LARGEST * np.sqrt(probabilities))


def passage_widths(passages: ndarray, at_hand: int | None) -> ndarray:
    """Return the widths of lines in pixels, by probability; impossible passages have none.

    at_hand : after which time rare passages have a line, too.
    """
    widths = WIDEST * passages
    drawn = passages >= RARE
    if at_hand is not None:
        drawn[at_hand] = passages[at_hand] > 0
    return np.where(drawn, np.maximum(widths, _THINNEST), 0.0)


def draw(graph: Graph, look: Look, now: int | None, since: int | None = None) -> Figure:
    """Draw the trellis, with a dotted line at the time at hand if there is one.

    since : the time from which on the background is shaded.
    """
    figure = graph.draw(look)
    rows = graph.places[:, 1]
    lines = [
        curves.dotted(time, width=2)
        | {"yref": "y", "y0": float(rows.min()), "y1": float(rows.max()), "layer": "below"}
        for time in ([] if now is None else [now])
    ]
    if since is not None:
        last = float(graph.places[:, 0].max())
        corners = {"x0": since - 0.5, "x1": last + 0.5}
        corners |= {"y0": float(rows.min()) - 0.28, "y1": _HALVES + 0.1}
        lines.append({
            "type": "rect", "xref": "x", "yref": "y", **corners, "layer": "below",
            "line": {"width": 0}, "fillcolor": GREY, "opacity": 0.14,
        })  # fmt: skip
    return {**figure, "layout": figure["layout"] | {"shapes": lines}}


def halves(task: Task, since: int | None) -> list[dict]:
    """Write above the trellis which columns are known at the time and which in hindsight."""
    if since is None:
        return [note(0, _HALVES, " "), note(0, _HALVES, " ")]
    T = task.length
    before = "known at the time" if since > _LATE else " "
    late = since > T - 1 - _LATE
    after = note(*((T - 0.55, _HALVES) if late else (since - 0.4, _HALVES)), "<b>in hindsight</b>",
                 anchor="right" if late else "left")  # fmt: skip
    return [note(min(since, T - 1 - _LATE) - 0.65, _HALVES, before, anchor="right"), after]


def told(task: Task, *lines: str) -> dict:
    """Write above the trellis what its marks mean, in up to three lines."""
    text = "<br>".join(["<b>hidden</b>: the states; " + lines[0], *lines[1:]])
    top = _ABOVE * len(task.named.states)
    return note(-0.5, top, text, anchor="left") | {"align": "left", "yanchor": "top"}


def seen_below(task: Task, bold: Sequence[int]) -> list[dict]:
    """Write below the trellis what was seen at every time, in bold at some times.

    Throws of a die are its faces, and those in bold are larger.
    """
    turned = {"textangle": -35 if max(map(len, task.named.symbols)) > _TURNED else 0}
    words = [escape(task.symbol(t)) for t in range(task.length)]
    if task.named.symbols == tuple(_FACES):
        words = [
            f'<span style="font-size:{2.7 if t in bold else 2.3}em">{_FACES[word]}</span>'
            for t, word in enumerate(words)
        ]
    for t in bold:
        words[t] = f"<b>{words[t]}</b>"
    size = {"font": {"size": 17}} if not turned["textangle"] else {}
    return [
        note(t, _below(len(task.named.states)), word) | turned | size
        for t, word in enumerate(words)
    ]


def seen(task: Task) -> Figure:
    """Draw the symbol of every time; the handles that change them are on top."""
    T, s = task.length, len(task.named.symbols)
    path = np.column_stack([np.arange(T), task.observations]).astype(float)
    ticks = {"tickvals": list(range(s)), "ticktext": [escape(x) for x in task.named.symbols]}
    x = {"range": [-0.5, T - 0.5], **times(T)}
    y = {"range": [-0.5, s - 0.5], **ticks}
    layout = curves.panel_layout(xaxis=x, yaxis=y)
    layout["margin"] = {"l": 70 if s == 3 else 34, "r": 10, "t": 8, "b": 44}
    return {"data": [plane.line(path, name="symbol by time", **_SEEN_AT)], "layout": layout}


def times(T: int) -> dict:
    """Return the ticks of an axis of times, which are counted from 1."""
    apart = 1 if T <= 12 else next(step for step in (5, 10, 20, 50, 100, 200) if 5 * step >= T)
    shown = list(range(apart, T + 1, apart))
    return {
        "tickvals": [t - 1 for t in shown], "ticktext": [str(t) for t in shown],
        "title": {"text": "time", "standoff": 4},
    }  # fmt: skip


def over_time(task: Task, rows: Sequence[tuple[str, ndarray, dict]], now: int) -> Figure:
    """Draw probabilities of states against time.

    rows : a name, (m, k) values (NaN where nothing is known) and the look of the lines of each.
    now : the time that is marked.
    """
    T, traces, names = task.length, [], list(map(escape, task.named.states))
    heights, end = np.full(len(names), 0.5), T - 1
    for name, values, look in rows:
        known = np.flatnonzero(np.isfinite(values[:, 0]))
        if len(known):
            end = int(known[-1])
            heights = values[end]
        for i in range(values.shape[1]):
            line = {"color": color(i), "width": 2.5} | look.get("line", {})
            style = look | {"line": line, "name": f"{names[i]}, {name}"}
            traces.append(plane.line(np.column_stack([np.arange(T), values[:, i]]), **style))
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, T - 0.5], **times(T)},
        yaxis={"title": {"text": "probability"}, "range": [-0.04, 1.04], "nticks": 5},
        shapes=[curves.dotted(now)],
    )
    ends = dict(zip(names, heights.tolist(), strict=True))
    room = 24 + 8 * max(map(len, task.named.states))
    return named_at_ends({"data": traces, "layout": layout}, end, ends, margin=room)


def bars(
    named: NamedModel, tables: Model, truth: Model | None = None, highest: float = 1.0
) -> Figure:
    """Draw the emissions of every state as bars, and its transitions as shares beside its name.

    truth : tables that are outlined behind. highest : the largest probability of any step.
    """
    k, s = tables.emissions.shape
    x = np.arange(k * s) + np.repeat(np.arange(k), s)  # a gap between two states
    shades = [color(i) for i in range(k) for _ in range(s)]
    top, room = (1.1 if truth is None else 1.14) * highest, 0.08 * highest
    if k > _BESIDE:
        top, room = 1.38 * highest, 0.36 * highest
    below = "symbol" if truth is None else "symbol (dotted: the true table)"
    traces = [
        {
            "type": "bar", "name": "learned table",
            "x": x.tolist(), "y": tables.emissions.ravel().tolist(),
            "marker": {"color": shades, "opacity": 0.65}, "hoverinfo": "skip",
        },
        _outlines(x, None if truth is None else truth.emissions.ravel()),
    ]  # fmt: skip
    layout = curves.panel_layout(
        xaxis={
            "range": [-1, float(x[-1]) + 1], "tickvals": x.tolist(),
            "ticktext": [panels.label(symbol, 5) for symbol in named.symbols] * k,
            "title": {"text": below, "standoff": 4},
        },
        yaxis={
            "range": [0, top + room], "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "title": {"text": "probability"},
        },
        annotations=[
            note(float(x[i * s : (i + 1) * s].mean()), top, _row(named, tables, i, truth))
            for i in range(k)
        ],
    )  # fmt: skip
    return {"data": traces, "layout": layout}


def _row(named: NamedModel, tables: Model, i: int, truth: Model | None) -> str:
    """Write the transitions of a state: hot: 0.6 → hot, 0.4 → cold; the true ones are below."""
    names = [escape(name) for name in named.states]
    if len(names) > _BESIDE:
        return _stacked(names, tables.transitions[i], i, truth)
    row = f"<b>{names[i]}</b>: {_leads(names, tables.transitions[i])}"
    return row if truth is None else f"{row}<br>true: {_leads(names, truth.transitions[i])}"


def _leads(names: Sequence[str], row: ndarray) -> str:
    """Write how likely each state follows: 0.6 → hot, 0.4 → cold."""
    return ", ".join(f"{number(p, 2)} → {names[j]}" for j, p in enumerate(row))


def _stacked(names: Sequence[str], row: ndarray, i: int, truth: Model | None) -> str:
    """Write the transitions of a state in one line each, a true one in parentheses."""
    lines = [f"<b>{names[i]}</b>{'' if truth is None else ' (true)'}"]
    for j, p in enumerate(row):
        true = "" if truth is None else f" ({number(float(truth.transitions[i, j]), 2)})"
        lines.append(f"{number(float(p), 2)}{true} → {names[j]}")
    return "<br>".join(lines)


def _outlines(x: ndarray, heights: ndarray | None) -> dict:
    if heights is None:
        return plane.line(plane.GAP, line={"width": 2, "dash": "dot"}, name=_TRUE)
    left, right = x - 0.42, x + 0.42
    frames = [
        np.array([[a, 0], [a, h], [b, h], [b, 0]])
        for a, b, h in zip(left, right, heights, strict=True)
    ]
    return plane.line(plane.joined(frames), line={"width": 2, "dash": "dot"}, name=_TRUE)


def faint(known: ndarray) -> ndarray:
    """Return the opacity of nodes: those that are not known yet are faint."""
    return np.where(known, 1.0, _FAINT)


def shares(column: ndarray) -> list[str]:
    """Write probabilities with two decimals, so that what is written adds up to 1, too.

    If this hides which one is the largest, they have three decimals.
    """
    second, first = np.sort(column)[-2:]
    decimals = 3 if _SURE < first - second < _CLOSE else 2
    scale = 10**decimals
    whole = np.floor(scale * column + _SURE)
    rest = np.round(scale * column - whole, 6)
    missing = round(scale - whole.sum())
    whole[np.argsort(-rest, kind="stable")[:missing]] += 1
    return [
        share(float(p), f"{parts / scale:.{decimals}f}")
        for p, parts in zip(column, whole, strict=True)
    ]


def share(p: float, text: str = "") -> str:
    """Write a probability with two decimals; 1 and 0 only where they are exact."""
    text = text or f"{p:.2f}"
    if text in ("0.00", "1.00") and p not in (0.0, 1.0):
        return "<.01" if p < 0.5 else ">.99"
    return {"0.00": "0", "1.00": "1"}.get(text, text.removeprefix("0"))


_SEEN_AT = {"mode": "markers", "marker": {"size": 5, "color": GREY}}
HINDSIGHT = {"line": {"width": 3}}
AT_THE_TIME = {"line": {"width": 1.5, "dash": "dash"}}
