"""Pictures for a threshold on a score: on the plane, as a ROC curve, and among the scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.evaluation.held_out_scores import Judged
from algorithms.evaluation.roc_curve import RocStep
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, color, rgb

_CELLS = 100  # along each axis
_SHADES = 8  # on either side of the threshold
_OPACITY = np.tile(np.linspace(20, 110, _SHADES).astype(np.uint8), 2)
_BINS = 24
_TRAINING, _LEFT_OUT = (0.6, 0.4), (0.35, 0.12)  # diameter and opacity of points
_LOW = 1.3  # parts of the highest bar, below zero: there the threshold's handle stands
_AREA = "rgba(122,127,135,0.22)"


@dataclass(frozen=True, eq=False)
class Ranking:
    """A curve with its name: that of the classifier shown, or of another beside it."""

    name: str
    steps: Sequence[RocStep]

    @cached_property
    def rates(self) -> ndarray:
        """Give the (steps, 2) false and true positive rates."""
        pairs = [(step.false_positive_rate, step.true_positive_rate) for step in self.steps]
        return np.array(pairs)

    @cached_property
    def precisions(self) -> ndarray:
        """Give the (steps, 2) recalls and precisions."""
        return np.array([(step.true_positive_rate, step.precision) for step in self.steps])

    @property
    def label(self) -> str:
        """The name with the area, for a legend."""
        return f"{self.name}, AUC {self.steps[-1].area:.3f}"


@dataclass(frozen=True, eq=False)
class Choice:
    """What is chosen on the page.

    name, rival : of the classifier, and of another that may stand beside it. positive : the class
    that is looked for. held, kept : (n,) which points are held out, and which take part at all.
    miss : what a miss costs, in false alarms. query : a picked point.
    """

    name: str
    rival: str
    positive: int
    held: ndarray
    kept: ndarray
    miss: float
    query: ndarray


@dataclass(frozen=True, eq=False)
class Bins:
    """How many points have which score: (2, bins) counts of negatives and positives."""

    edges: ndarray
    counts: ndarray

    @property
    def top(self) -> float:
        """The largest count."""
        return float(self.counts.max())


@dataclass(frozen=True, eq=False)
class Thresholds:
    """A run, the points it is about, and another classifier's curve, if there is one."""

    data: Plane
    steps: Sequence[RocStep]
    judged: Judged
    choice: Choice
    others: Sequence[RocStep] = ()

    @cached_property
    def curve(self) -> Ranking:
        """The curve of the classifier shown."""
        return Ranking(self.choice.name, self.steps)

    @cached_property
    def rival(self) -> Ranking | None:
        """The curve of the other one."""
        return Ranking(self.choice.rival, self.others) if self.others else None

    @cached_property
    def thresholds(self) -> ndarray:
        """Give the threshold of every step."""
        return np.array([step.threshold for step in self.steps])

    @cached_property
    def best(self) -> int:
        """The step that costs least, the first of them."""
        return int(np.argmin([step.cost for step in self.steps]))

    @cached_property
    def bins(self) -> Bins:
        """Sort the held-out points into bins by their scores."""
        scores, positive = self.judged.scores, self.judged.positive
        low, high = float(scores.min()), float(scores.max())
        few = np.array([low - 0.5, low + 0.5])
        edges = np.linspace(low, high, _BINS + 1) if high > low else few
        counts = [np.histogram(scores[positive == k], edges)[0] for k in (0, 1)]
        return Bins(edges, np.array(counts))

    @property
    def test(self) -> ndarray:
        """Which points of `data` are judged."""
        return self.choice.held & self.choice.kept

    @property
    def colors(self) -> tuple[str, str]:
        """The colours of the negatives, grey if they are of several classes, and the positives."""
        sought = self.choice.positive
        others = np.setdiff1d(self.data.labels[self.choice.kept], [sought])
        return color(int(others[0])) if len(others) == 1 else GREY, color(sought)


def picture(shown: Thresholds) -> Callable[[int], Figure]:
    """Draw who is called positive, the border, and the points held out; a ring is on the latest.

    The shade tells how many of the held-out points score between a place and the threshold.
    """
    data, judged = shown.data, shown.judged
    x, y, cells = plane.grid(data.bounds, _CELLS)
    scores = judged.score(cells).reshape(_CELLS, _CELLS)
    ranked = np.sort(judged.raw)
    place = np.searchsorted(ranked, scores) / len(ranked)
    fills = np.repeat(np.array([rgb(name) for name in shown.colors], np.uint8), _SHADES, axis=0)
    # A score equal to the threshold is positive: the border stands just below.
    just_below = 1e-9 * float(np.ptp(scores) or 1.0)
    test = shown.test
    size = np.select([test, shown.choice.kept], [1.0, _TRAINING[0]], _LEFT_OUT[0])
    strength = np.select([test, shown.choice.kept], [1.0, _TRAINING[1]], _LEFT_OUT[1])

    def at(now: int) -> Figure:
        step = shown.steps[now]
        t = judged.raw_threshold(step.threshold)
        called = scores >= t
        apart = np.abs(place - np.searchsorted(ranked, t) / len(ranked))
        shade = np.rint(apart * (_SHADES - 1)).astype(np.uint8)
        above = scores - t + just_below
        wrong, latest = np.zeros(len(test), bool), np.zeros(len(test), int)
        latest[test] = judged.scores == step.threshold
        wrong[test] = (judged.scores >= step.threshold) != (judged.positive == 1)
        traces = [
            plane.image(shade + _SHADES * called.astype(np.uint8), fills, _OPACITY, data.bounds),
            plane.borders(x, y, np.stack([-above, above]), line={"width": 2.5}),
        ]
        points = plane.points(data.X, data.labels, wrong, size=size, strength=strength)
        rings = plane.marks(latest, (100, 100), (0, 20), 2)
        return plane.figure(traces, data.bounds, data.names, points=points, marks=rings)

    return at


def roc(shown: Thresholds) -> Callable[[int], Figure]:
    """Draw the curve up to this step over its whole course, and the line of the least cost."""
    rates, best = shown.curve.rates, shown.best
    last = len(rates) - 1
    still = [
        plane.line(np.array([[0.0, 0.0], [1.0, 1.0]]), line=_stroke(1, "dot")),
        plane.line(rates, line=_stroke(1.5)),
        plane.line(_equal_costs(shown), line={"width": 1.5, "dash": "dash"}),
    ]
    rival = _beside(shown, "rates")
    star = _star(rates[best])

    def at(now: int) -> Figure:
        so_far = plane.line(
            rates[: now + 1], line={"width": 3}, name=shown.curve.label, showlegend=True,
            fill="tozeroy", fillcolor=_AREA,
        )  # fmt: skip
        following = plane.line(
            rates[now : min(now + 1, last) + 1], line={"width": 3, "dash": "dot", "color": NOW}
        )
        panel = panels.Panel(
            [so_far, *still, *rival, following, star],
            panels.axis("false positive rate", 0, 1),
            panels.axis("true positive rate", 0, 1),
        )
        return curves.with_legend(panels.alone(panel))

    return at


def scores(shown: Thresholds) -> Callable[[int], Figure]:
    """Draw how many points of either class have which score: positives up, negatives down."""
    bins, edges, top = shown.bins, shown.bins.edges, shown.bins.top
    names, (rest, sought) = ("negatives", "positives"), shown.colors
    bars = [
        {
            "type": "bar",
            "x": plane.packed((edges[1:] + edges[:-1]) / 2),
            "y": plane.packed(sign * count.astype(float)),
            "width": float(edges[1] - edges[0]),
            "marker": {"color": hue},
            "name": name,
            "customdata": count.tolist(),
            "hovertemplate": f"%{{customdata}} {name}<extra></extra>",
        }
        for count, sign, hue, name in zip(bins.counts, (-1, 1), (rest, sought), names, strict=True)
    ]
    best = float(shown.thresholds[shown.best])
    star = _star(np.array([best, -_LOW * top]))
    ticks = {"tickvals": [-top, 0, top], "ticktext": [f"{top:g}", "0", f"{top:g}"]}
    layout = curves.panel_layout(
        xaxis=panels.axis("score", float(edges[0]), float(edges[-1])),
        yaxis=panels.axis("points", -_LOW * top, top, **ticks),
        barmode="overlay",
    )
    layout["margin"] = {"l": 58, "r": 14, "t": 8, "b": 40}

    def at(now: int) -> Figure:
        t = float(shown.thresholds[now])
        traces = [*bars, panels.upright(t, -_LOW * top, 1.05 * top), star]
        return curves.with_legend({"data": traces, "layout": layout})

    return at


def grips(shown: Thresholds) -> ndarray:
    """Give the place of the handle on the threshold's line, for every step."""
    return np.column_stack([shown.thresholds, np.full(len(shown.steps), -_LOW * shown.bins.top)])[
        :, None
    ]


def precision(shown: Thresholds) -> Callable[[int], Figure]:
    """Draw precision against recall; a coin would stay on the dotted line."""
    pairs, step = shown.curve.precisions, shown.steps[0]
    share = step.positives / (step.positives + step.negatives)
    still = [
        plane.line(np.array([[0.0, share], [1.0, share]]), line=_stroke(1, "dot")),
        plane.line(pairs, line={"width": 2.5}),
        *(trace | {"showlegend": False} for trace in _beside(shown, "precisions")),
        _star(pairs[shown.best]),
    ]

    def at(now: int) -> Figure:
        return panels.alone(
            panels.Panel(
                [*still, curves.marked(*pairs[now].tolist())],
                panels.axis("recall (true positive rate)", 0, 1),
                panels.axis("precision", 0, 1),
            )
        )

    return at


def _beside(shown: Thresholds, what: str) -> list[dict]:
    """Draw the other classifier's curve, if there is one."""
    if shown.rival is None:
        return []
    stroke = {"width": 2, "dash": "dash", "color": NOW}
    path = getattr(shown.rival, what)
    return [plane.line(path, line=stroke, name=shown.rival.label, showlegend=True)]


def _equal_costs(shown: Thresholds) -> ndarray:
    """Give the ends of the line through the best point on which all thresholds cost the same."""
    step, (a, b) = shown.steps[0], shown.curve.rates[shown.best]
    slope = step.negatives / (shown.choice.miss * step.positives)
    left, right = max(0.0, a - b / slope), min(1.0, a + (1 - b) / slope)
    return np.array([[x, b + slope * (x - a)] for x in (left, right)])


def _star(place: ndarray) -> dict:
    """Mark the threshold that costs least."""
    look = {"symbol": "star", "size": 13, "line": {"width": 1}}
    return plane.line(place[None], mode="markers", marker=look, cliponaxis=False)


def _stroke(width: float, dash: str = "solid") -> dict:
    return {"width": width, "dash": dash, "color": GREY}
