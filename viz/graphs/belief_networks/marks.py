"""What all modes draw of a belief network: cards with bars, arrows, and the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.graphs.belief_networks.elimination import posteriors
from algorithms.graphs.belief_networks.examples import YES, NamedNetwork, row_places, table_rows
from algorithms.graphs.belief_networks.network import Evidence, Network, edges
from viz.core import curves, plane
from viz.core.graph import note, outlines, texts, without_axes
from viz.core.scene import Bounds, Figure
from viz.core.theme import GREY, NOW, PALETTE, rgb
from viz.core.words import number

HALF = np.array([0.38, 0.28])  # of a card, across and up
BAR = 0.17  # its height at the foot of a card
ARROW = 3.0  # pixels
_TINT = 0.22
BEFORE = "outline of a bar: what it was before"
VALUES = ("no", "yes")
_NAME, _SHARE = np.array([0, 0.16]), np.array([0, -0.02])  # from a card's middle


@dataclass(frozen=True)
class Task:
    """A named network, whose tables may be changed, and the evidence."""

    named: NamedNetwork
    evidence: Evidence

    @property
    def network(self) -> Network:
        """Return the network."""
        return self.named.network

    @cached_property
    def prior(self) -> dict[str, float]:
        """Return P(yes) of every variable before anything is seen."""
        return shares(posteriors(self.network, {}))

    @cached_property
    def posterior(self) -> dict[str, float]:
        """Return P(yes) of every variable, given the evidence."""
        return shares(posteriors(self.network, self.evidence))

    @property
    def names(self) -> list[str]:
        """Return the variables, parents first."""
        return list(self.network)

    @property
    def places(self) -> ndarray:
        """Return where the cards are."""
        return np.array([self.named.places[name] for name in self.network], float)

    @property
    def box(self) -> Bounds:
        """Return the edges of the picture."""
        return self.named.box


class Lines(NamedTuple):
    """Lines between cards, (e, 2) places each, with (e,) widths in pixels."""

    start: ndarray
    end: ndarray
    width: ndarray


@dataclass(frozen=True)
class Look:
    """What a step draws.

    shares : P(yes) by variable, where it is known. seen : values by variable. arrow : whether lines
    have heads. lit : cards with a bold frame. gone : dashed ones. asked : the variable that is
    asked for. does : what a card does, instead of its share. words : (place, text, side), the same
    number at all steps. before : shares that the outlines show. told : what the bars of the first
    card are, in words. split : a card whose bar has the colours of the views, for yes and no.
    pale : whether the arrows of the network are drawn faint, too. strong, edge : what bold frames
    and lines mean.
    """

    shares: Mapping[str, float]
    seen: Mapping[str, int]
    lines: Lines
    arrow: bool = True
    lit: Sequence[str] = ()
    gone: Sequence[str] = ()
    asked: str = ""
    does: Mapping[str, str] = field(default_factory=dict)
    words: Sequence[tuple[ndarray, str, str]] = ()
    before: Mapping[str, float] = field(default_factory=dict)
    told: str = ""
    split: str = ""
    pale: bool = False
    strong: str = "frame: the variable of this step"
    edge: str = "arrow: the table of the variable at its head depends on the other"


def shares(found: Mapping[str, ndarray]) -> dict[str, float]:
    """Return P(yes) by variable."""
    return {name: float(p[YES]) for name, p in found.items()}


def network(task: Task, look: Look) -> Figure:
    """Draw the network as it is at a step."""
    at = dict(zip(task.names, task.places, strict=True))
    gone = [name for name in task.names if name in look.gone]
    there = [name for name in task.names if name not in look.gone]
    known = [name for name in there if name in look.shares]
    written = [_percent(look, name) for name in task.names]
    plain = [name for name in task.names if name not in look.lit]  # one bold frame is enough
    traces = [
        plane.line(_network(task) if look.pale else plane.GAP, opacity=0.5,
                   line={"width": 1.5, "color": GREY, "dash": "dot"}, name="arrow of the network"),
        _cards(at, there, line={"width": 1.5, "color": GREY}, name="card: a variable"),
        _cards(at, gone, line={"width": 1.5, "dash": "dot", "color": GREY}, name="summed out"),
        _bars(at, {name: look.shares[name] for name in known if name != look.split}),
        *_split(at, look),
        _outlines(at, {name: p for name, p in look.before.items() if name in there}),
        _cards(at, [x for x in plain if x in look.seen], line={"width": 4},
               name="thick frame: its value is seen"),
        _cards(at, look.lit, line={"width": 4, "color": NOW, "dash": "dash"}, name=look.strong),
        texts(task.places + _NAME, task.names, textfont={"size": 16}),
        texts(task.places + _SHARE, written, textfont={"weight": 700, "size": 20}),
        texts(
            np.array([place for place, _, _ in look.words] or plane.GAP),
            [text for _, text, _ in look.words],
            textfont={"weight": 700, "size": 16, "shadow": "auto"},
            textposition=[side for _, _, side in look.words],
        ),
        _bar_in_words(at, look.told),
    ]  # fmt: skip
    start, end, width = look.lines
    drawn = plane.edges(start, end, width=width, arrow=look.arrow)
    figure = plane.figure(traces, task.box, edges=drawn, signs={"edges": look.edge})
    return figure | {"layout": without_axes(task.box)}


def _network(task: Task) -> ndarray:
    """Return the arrows of the network as lines."""
    start, end = arrows(task, edges(task.network))
    return plane.joined(list(np.stack([start, end], axis=1)))


def _bar_in_words(at: dict[str, ndarray], told: str) -> dict:
    """Write beside the first card what its bar and frames are; on the left of one at the right."""
    first = next(iter(at.values()))
    side = -1 if first[0] == max(place[0] for place in at.values()) else 1
    place = first + np.array([side * (HALF[0] + 0.04), BAR / 2 - HALF[1]])
    return texts(
        place[None], [told or " "], textfont={"shadow": "auto"},
        textposition="middle left" if side < 0 else "middle right",
    )  # fmt: skip


def _percent(look: Look, name: str) -> str:
    """Write P(yes), or the value that is seen."""
    if name in look.does:
        return look.does[name]
    if name in look.seen:
        return f"{VALUES[look.seen[name]]}, seen"
    if name in look.gone or name not in look.shares:
        return "asked for" if name == look.asked else " "
    return share(look.shares[name])


def share(p: float) -> str:
    """Write a probability in percent, with two digits; 0 and 100 only where they are exact."""
    return "> 99 %" if 0.995 <= p < 1 else f"{number(100 * p, 2)} %"


def _cards(at: dict[str, ndarray], names: Sequence[str], **style) -> dict:
    return outlines(HALF * _CORNERS, _stacked(at, names), **style)


def tinted(task: Task, names: Sequence[str], ink: str) -> dict:
    """Draw a light ground in cards that news reaches."""
    at = dict(zip(task.names, task.places, strict=True))
    r, g, b = rgb(ink)
    return outlines(
        HALF * _CORNERS, _stacked(at, names), fill="toself",
        fillcolor=f"rgba({r}, {g}, {b}, {_TINT})", line={"width": 0},
        name="green card: news arrives",
    )  # fmt: skip


def _bars(at: dict[str, ndarray], values: dict[str, float]) -> dict:
    bars = [_rectangle(at[name], 0, p) for name, p in values.items()]
    return _filled(bars, PALETTE[5], "bar: the probability of yes")  # seen on either paper


def _split(at: dict[str, ndarray], look: Look) -> list[dict]:
    """Draw the bar of one card with its rest, in the colours that views give to yes and no."""
    card = [look.split] if look.split in look.shares else []
    yes = [_rectangle(at[name], 0, look.shares[name]) for name in card]
    no = [_rectangle(at[name], look.shares[name], 1) for name in card]
    return [
        _filled(yes, PALETTE[0], "bar of the picked card: yes"),
        _filled(no, PALETTE[4], "bar of the picked card: no"),
    ]


def _filled(shapes: list[ndarray], ink: str, name: str) -> dict:
    r, g, b = rgb(ink)
    return plane.line(
        plane.joined(shapes), fill="toself", fillcolor=f"rgba({r}, {g}, {b}, 0.75)",
        line={"width": 1, "color": ink}, name=name,
    )  # fmt: skip


def _outlines(at: dict[str, ndarray], values: dict[str, float]) -> dict:
    bars = [_rectangle(at[name], 0, p) for name, p in values.items()]
    return plane.line(plane.joined(bars), line={"width": 2}, name=BEFORE)


def _rectangle(card: ndarray, start: float, end: float) -> ndarray:
    """Return the outline of a bar at the foot of a card, from one share of its width to another."""
    left, bottom = card - HALF
    top = bottom + BAR
    left, right = left + 2 * HALF[0] * start, left + 2 * HALF[0] * end
    return np.array([[left, bottom], [left, top], [right, top], [right, bottom], [left, bottom]])


def _stacked(at: dict[str, ndarray], names: Sequence[str]) -> ndarray:
    return np.array([at[name] for name in names]).reshape(-1, 2)


_CORNERS = np.array([[-1.0, -1], [-1, 1], [1, 1], [1, -1], [-1, -1]])


def arrows(task: Task, pairs: Sequence[tuple[str, str]]) -> tuple[ndarray, ndarray]:
    """Return where lines between cards start and end: at their frames."""
    at = dict(zip(task.names, task.places, strict=True))
    start = np.array([at[a] for a, _ in pairs]).reshape(-1, 2)
    end = np.array([at[b] for _, b in pairs]).reshape(-1, 2)
    way = end - start
    with np.errstate(divide="ignore"):
        out = np.min((HALF + 0.03) / np.abs(way), axis=1, keepdims=True)
    return start + out * way, end - out * way


def arrows_of(task: Task) -> Lines:
    """Return the arrows of the network."""
    start, end = arrows(task, edges(task.network))
    return Lines(start, end, np.full(len(start), ARROW))


def letter(name: str) -> str:
    """Return the letter that stands for a variable in formulas."""
    return name[0]


def letters(names: Sequence[str]) -> str:
    """Write variables as in formulas: S, R."""
    return ", ".join(letter(name) for name in names)


def seen(evidence: Mapping[str, int]) -> str:
    """Write evidence as in formulas: W, ¬R."""
    return ", ".join(literal(name, value) for name, value in evidence.items())


def literal(name: str, value: int) -> str:
    """Write a variable with its value: W or ¬W."""
    return letter(name) if value == YES else f"¬{letter(name)}"


def tables(network: Network) -> Figure:
    """Draw P(yes) in every row of every table as a bar; handles on top change them."""
    places, rows = row_places(network), table_rows(network)
    ticks = [
        "<br>".join(literal(p, v) for p, v in zip(network[name].parents, index, strict=True)) or "–"
        for name, index in rows
    ]
    bars = {
        "type": "bar", "name": "P(yes) in a row of a table", "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(), "marker": {"color": PALETTE[0], "opacity": 0.65},
        "hoverinfo": "skip",
    }  # fmt: skip
    middles = {name: float(places[[own == name for own, _ in rows], 0].mean()) for name in network}
    layout = curves.panel_layout(
        xaxis={
            "range": [-0.9, float(places[-1, 0]) + 0.9],
            "tickvals": places[:, 0].tolist(), "ticktext": ticks,
        },
        yaxis={"range": [-0.13, 1.22], "tickvals": [0, 0.5, 1], "title": {"text": "P(yes)"}},
        annotations=[note(x, 1.13, f"<b>{letter(name)}</b>") for name, x in middles.items()],
    )  # fmt: skip
    layout["margin"]["b"] = 46
    return {"data": [bars], "layout": layout}
