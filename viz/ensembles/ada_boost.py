"""Pictures for AdaBoost: the vote on the plane, its errors, and how sure it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.ensembles.ada_boost import Account, AdaBoostStep
from algorithms.ensembles.weighted_tree import WeightedTree
from viz.core import curves, panels, plane
from viz.core.box_borders import box_borders
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, color

_CELLS = 200  # along each axis
_LEAST, _MOST = (
    0.4,
    4.0,
)  # diameters of points: even the lightest shows, even the heaviest leaves room
_UNWEIGHED = 0.6, 0.45  # diameter and opacity of the points held out
_APART = 0.007  # of the picture: from a tree's border to the colours of what it says beside it
_FEW = 12  # rounds, whose places along a curve are marked
_SHARES = np.linspace(0, 1, 101)


@dataclass(frozen=True, eq=False)
class Boosted:
    """A run, and the points it is about.

    held : (n,) which points of `data` are held out; the steps' points are the others, in order.
    query : a picked point, about which the vote is shown tree by tree.
    """

    data: Plane
    steps: Sequence[AdaBoostStep]
    held: ndarray
    sums: Account
    query: ndarray

    @cached_property
    def votes(self) -> ndarray:
        """Give what every tree adds to the vote on the query."""
        return self.steps[-1].votes(self.query[None])[:, 0]

    @property
    def axis(self) -> dict:
        """The axis of the rounds, which are counted from 1."""
        last = len(self.steps)
        ticks = {"dtick": 1} if last < 8 else {}
        return panels.axis("round", 1, last) | {"range": [0.5, last + 0.5]} | ticks

    def curve(self, shares: ndarray, name: str, **stroke: object) -> dict:
        """Draw a share of something against the rounds, in percent."""
        return panels.curve(
            plane.packed(np.arange(1, len(shares) + 1)),
            plane.packed(100 * shares),
            mode="lines+markers" if len(shares) <= _FEW else "lines",
            marker={"size": 4},
            name=name,
            line=stroke,
            showlegend=True,
            hoverinfo="all",
            hovertemplate=f"round %{{x}}: {name} %{{y:.3g}} %<extra></extra>",
        )


def picture(shown: Boosted, now: int) -> Figure:
    """Draw the vote's regions and border, the border of this round's tree, and weighted points.

    The area of a point is its weight. A thick outline says that this round's tree gets it wrong, a
    cross that the vote does. Along the tree's border stand the colours of what it says there.
    """
    data, step = shown.data, shown.steps[now]
    x, y, _ = plane.grid(data.bounds, _CELLS)
    votes = step.surface(x, y)
    winner = step.classes[(votes > 0).astype(int)]
    surest = sum(step.alphas) or 1.0
    sides = np.where(votes > 0, 1.0, -1.0)
    low, high, border = _borders(step.tree, data.bounds)
    traces = [
        plane.regions(winner, np.abs(votes) / surest, data.bounds),
        plane.borders(x, y, np.stack([-sides, sides]), line={"width": 1.5}),
        plane.line(low, line={"width": 4, "color": color(int(step.classes[0]))}),
        plane.line(high, line={"width": 4, "color": color(int(step.classes[1]))}),
        plane.line(border, line={"width": 3, "dash": "dash"}),
    ]
    missed = step.predict(data.X) != data.labels
    return plane.figure(
        traces,
        data.bounds,
        data.names,
        points=_weighted(shown, step),
        marks=plane.marks(missed.astype(int), (100, 134), (0, 6), 1.5),
    )


def _weighted(shown: Boosted, step: AdaBoostStep) -> dict:
    """Give the points, large as they are heavy; those held out are small and pale."""
    data, held = shown.data, shown.held
    size, strength = np.full(len(held), _UNWEIGHED[0]), np.where(held, _UNWEIGHED[1], 1.0)
    wrong = np.zeros(len(held), bool)
    size[~held] = np.sqrt(len(step.weights) * step.weights).clip(_LEAST, _MOST)
    wrong[~held] = step.wrong
    return plane.points(data.X, data.labels, wrong, size=size, strength=strength)


def _borders(tree: WeightedTree, box: Bounds) -> tuple[ndarray, ndarray, ndarray]:
    """Give where a tree changes its mind, as (m, 2) lines, and lines a little to either side.

    First where it says its first class, then where it says its second.
    """
    left, right, bottom, top = box
    cuts = ((j, t) for j, t in zip(tree.feature, tree.threshold, strict=True) if j >= 0)
    lines, before, _ = box_borders(tree.predict, cuts, box)
    upright = lines[:, :1, :1] == lines[:, 1:, :1]
    apart = _APART * np.where(upright, [right - left, 0], [0, top - bottom])
    low = np.where(before[:, None, None] == -1, -apart, apart)
    return (
        plane.joined(list(lines + low)),
        plane.joined(list(lines - low)),
        plane.joined(list(lines)),
    )


def errors(shown: Boosted, now: int) -> Figure:
    """Draw the shares of points that the vote gets wrong against the rounds, and their bound."""
    sums = shown.sums
    series = [
        ("training", sums.training_error, {"width": 2.5}),
        ("bound on it", sums.bound, {"width": 2, "dash": "dot", "color": GREY}),
    ]
    if sums.held_out_error is not None:
        series.insert(1, ("held out", sums.held_out_error, {"width": 2.5, "dash": "dash"}))
    traces = []
    for name, shares, stroke in series:
        mark = curves.marked(now + 1, float(100 * shares[now]), showlegend=False)
        traces += [shown.curve(shares, name, **stroke), mark]
    worst = max(float(100 * shares.max()) for _, shares, _ in series)
    panel = Panel(traces, shown.axis, panels.axis("% wrong", 0, max(worst, 10.0)))
    return curves.with_legend(panels.alone(panel))


def query(shown: Boosted, now: int) -> Figure:
    """Draw what every tree adds to the vote on the query, and their sum so far, F."""
    votes, sums = shown.votes, shown.votes.cumsum()
    classes = shown.steps[0].classes
    rounds = plane.packed(np.arange(1, len(votes) + 1))
    bars = {
        "type": "bar",
        "x": rounds,
        "y": plane.packed(votes),
        "name": "α h",
        "showlegend": False,
        "marker": {"color": [color(int(classes[int(vote > 0)])) for vote in votes]},
        "hovertemplate": "round %{x}: α h = %{y:.3g}<extra></extra>",
    }
    total = panels.curve(
        rounds, plane.packed(sums), line={"width": 2.5, "shape": "hv"},
        hoverinfo="all", hovertemplate="F = %{y:.3g} after round %{x}<extra></extra>",
    )  # fmt: skip
    both = np.concatenate([votes, sums, [0.0]])
    traces = [
        bars,
        panels.curve([0.5, len(votes) + 0.5], [0, 0], line={"width": 1}),
        total,
        curves.marked(now + 1, float(sums[now])),
    ]
    level = panels.axis("F", float(both.min()), float(both.max()))
    return panels.alone(Panel(traces, shown.axis, level))


def merits(shown: Boosted, now: int) -> Figure:
    """Draw the weighted error of every round's tree; and how many margins are at most so large.

    The curve of the margins has a place for every hundredth of the training points.
    """
    found, chance = shown.sums.error, {"width": 1.5, "dash": "dot"}
    trees = Panel(
        [
            panels.curve([0.5, len(found) + 0.5], [50, 50], line=chance),
            shown.curve(found, "ε", width=2),
            curves.marked(now + 1, float(100 * found[now])),
        ],
        shown.axis,
        panels.axis("ε, %", 0, 50),
    )
    margins = np.quantile(shown.steps[now].margins, _SHARES)
    sure = Panel(
        [
            panels.curve([0, 0], [0, 100], line=chance),
            panels.curve(
                plane.packed(margins), plane.packed(100 * _SHARES), line={"width": 2},
                hoverinfo="all", hovertemplate="%{y} % below %{x:.3g}<extra></extra>",
            ),
        ],
        panels.axis("margin", -1, 1, dtick=0.5),
        panels.axis("% below", 0, 100),
    )  # fmt: skip
    return panels.side_by_side(trees, sure, split=0.4, room=0.2)
