"""Intervals of many samples, and the true value: shared by error rates and means."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy import ndarray

from algorithms.evaluation.confidence_intervals import IntervalsStep
from algorithms.evaluation.mean_intervals import MeanIntervalsStep
from viz.core import curves, graph, naming, panels, plane
from viz.core.question import Option, Question, question
from viz.core.scene import ANSWER, Bounds, Figure, Run
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, NOW, PALETTE, color, dash, rgb
from viz.core.words import counted, number

S = TypeVar("S", IntervalsStep, MeanIntervalsStep)

_GROUPS = (0, 2, 3)  # colours of the methods, other than the colour of the shown step
_BESIDE = 0.03  # of all samples: room beside the first and the last for the step's mark
_ABOVE = 0.11  # of the picture: above and below all intervals
_SHARED = 3  # times the height of one method's intervals, at most, for bounds that all share
_WAYS = ("it holds it", "it misses it: all of it is below", "it misses it: all of it is above")
PROMISED = {"width": 2, "color": GREY, "dash": "dot"}
_BAND = {"width": 7, "color": f"rgba{(*rgb(GREY), 0.4)}"}  # the long run's line may be on it
_LONG_RUN = {"width": 2, "color": PALETTE[0], "dash": "dash"}
_APART, _ROOM = 0.32, 92  # of the axis: from name to name; pixels on the right for the names
_TOLD = {"size": 16, "shadow": "auto"}
_MISSES, _NEWEST = "interval that misses the truth", "interval of this step"
_CROSS = {"symbol": "x", "color": NOW}


class Sampled(Show[S]):
    """The intervals of one method so far, and the value that they should hold."""

    unit = "sample"
    counts_from = 1
    opens = AT_THE_END
    what: str  # the quantity that the intervals are for, as on the axis

    def __init__(
        self, run: Run, truth: float, estimates: ndarray, names: tuple[str, ...], method: str
    ) -> None:
        """Prepare the picture.

        truth : the true value. estimates : that of every sample. names : of all methods.
        """
        super().__init__(run)
        self.truth, self.names, self.chosen = truth, names, names.index(method)
        self.picture = self._intervals(estimates)
        held = np.array([step.held for step in self.steps])
        self.every_share = 100 * held / np.arange(1, len(held) + 1)[:, None]
        self.shares = self.every_share[:, self.chosen]

    @abstractmethod
    def ends(self, step: S, i: int) -> str:
        """Write from where to where the interval of a method goes."""

    def so_far(self, now: int, level: float) -> str:
        """Write what the method promises, and how many of its intervals held the truth."""
        held, count = int(self.steps[now].held[self.chosen]), now + 1
        start = "" if count == len(self.steps) else "so far "
        return (
            f"{self.names[self.chosen]} promises {100 * level:g} %: {start}{held} of "
            f"{counted(count, 'interval')} {'holds' if count == 1 else 'hold'} the true "
            f"{self.what} {number(self.truth)}."
        )

    def with_score(self, now: int, level: float, sample: str, rule: str, *others: str) -> str:
        """Write a caption: how many held the truth, the sample, and its interval by the rule."""
        return "\n".join([self.so_far(now, level), sample, rule, *others])

    def share_so_far(self, level: float, long_runs: ndarray) -> Callable[[int], Figure]:
        """Draw the share of the samples so far whose interval holds the truth.

        The axis is the same for all methods, and holds every share.
        long_runs : the share of all samples, by each method.
        """
        long_run = float(long_runs[self.chosen])
        count = len(self.steps)
        ends = [1.0, float(count)]
        promised = 100 * level
        low = min(float(self.every_share.min()), 100 * float(long_runs.min()), promised)
        bottom = max(low - 0.1 * (100 - low), 0.0)
        shares = np.array([100 * long_run, promised])
        heights = panels.spread_out(shares, _APART * (100 - bottom), bottom, 100.0).tolist()
        lines, labels = [], []
        for share, height, line, ink, name, more in zip(
            shares.tolist(), heights, (_LONG_RUN, _BAND), (PALETTE[0], GREY),
            ("long run", "promised"), ({"meta": ANSWER}, {}), strict=True,
        ):  # fmt: skip
            lines.append(panels.curve(ends, [share] * 2, line=line, name=name, **more))
            text, at_end = f"\u2002 {name}<br>\u2002 {number(share)} %", np.array([ends[1], height])
            label = naming.words(at_end, text, "middle right", color=ink)
            labels.append(label | {"cliponaxis": False} | more)
        places = plane.packed(np.arange(1.0, count + 1))
        across = panels.axis("samples", *ends)
        up = panels.axis("hold it, %", bottom, 100.0)

        def at(now: int) -> Figure:
            so_far = np.where(np.arange(count) <= now, self.shares, np.nan)
            traces = [
                *lines[::-1],
                *labels,
                panels.curve(places, plane.packed(so_far), line={"width": 2.5}, name="so far"),
                curves.marked(now + 1, float(self.shares[now])),
            ]
            figure = panels.alone(panels.Panel(traces, across, up))
            figure["layout"]["margin"] |= {"r": _ROOM}
            return figure

        return at

    def curve_of(self, i: int, x: dict | list, y: dict | list) -> dict:
        """Draw a curve of method `i`, thicker if it is the chosen one."""
        chosen, name = i == self.chosen, self.names[i]
        stroke = {"width": 3 if chosen else 1.5, "color": color(_GROUPS[i]), "dash": dash(i)}
        return panels.curve(x, y, name=name, showlegend=True, line=stroke)

    def about_truth(self, after: S, sample: str) -> Question | None:
        """Ask whether the next interval holds the truth. sample : a sentence on the sample."""
        i = self.chosen
        right = 0 if after.holds[i] else 1 if after.high[i] < self.truth else 2
        options = [Option(way) for way in _WAYS]
        text = f"{sample} Does the interval by {self.names[i]} hold the true {number(self.truth)}?"
        reason = f"It goes from {self.ends(after, i)}."
        return question(text, options[right], options, reason)

    def _intervals(self, estimates: ndarray) -> Callable[[int], Figure]:
        """Draw the intervals so far side by side with their estimates, and the truth's line."""
        ends = np.array([(step.low[self.chosen], step.high[self.chosen]) for step in self.steps])
        holds = np.array([step.holds[self.chosen] for step in self.steps])
        place = np.arange(1.0, len(self.steps) + 1)
        gaps = np.full(len(self.steps), np.nan)
        bars = np.stack([np.column_stack([place, side]) for side in (*ends.T, gaps)], axis=1)
        dots = np.column_stack([place, estimates])
        box = frame(self.steps, self.truth, self.chosen)
        room = _ABOVE * (box[3] - box[2])
        corner = np.array([[0.0, box[3] - room / 2]])
        level = np.array([[box[0], self.truth], [box[1], self.truth]])
        truth = f"dashed: the true {self.what}, {number(self.truth)}"
        line = plane.line(level, line={"width": 2.5, "dash": "dash"}, name="truth")

        def at(now: int) -> Figure:
            so_far = place <= now + 1
            point = dots[so_far & (ends[:, 0] == ends[:, 1])][:1] - [0, room / 5]
            held, missed = so_far & holds, so_far & ~holds
            newest = place == now + 1
            hit, miss = newest & holds, newest & ~holds
            misses = "misses" if missed.sum() == 1 else "miss"
            below = (missed & (ends[:, 1] < self.truth)).sum()
            sides = f": {below} too low, {missed.sum() - below} too high" if missed.any() else ""
            told = [f"×: {missed.sum()} of {now + 1} {misses}{sides}<br>{truth}"]
            traces = [
                _bars(bars[held], {"width": 2, "color": GREY}, "interval that holds the truth"),
                _bars(bars[missed], {"width": 3, "color": NOW}, _MISSES),
                plane.line(dots[missed], mode="markers", marker=_CROSS | {"size": 9}, name=_MISSES),
                plane.line(
                    dots[held], mode="markers", marker={"size": 4, "color": GREY},
                    name="estimate",
                ),
                line,
                plane.line(bars[hit, :2].reshape(-1, 2), line={"width": 4}, name=_NEWEST),
                plane.line(
                    dots[hit], mode="markers",
                    marker={"size": 9, "color": PALETTE[0]}, name="estimate of this step",
                ),
                graph.texts(corner, told, textposition="middle right", textfont=_TOLD),
                *self._impossible(box),
                naming.words(point if len(point) else plane.GAP, "no width", "bottom center"),
                _bars(bars[miss], {"width": 6, "color": NOW}, f"{_NEWEST}, if it misses"),
                plane.line(
                    dots[miss], mode="markers", marker=_CROSS | {"size": 18}, name=_MISSES
                ),
            ]  # fmt: skip
            return plane.figure(traces, box, ("sample", self.what))

        return at

    def _impossible(self, box: Bounds) -> list[dict]:
        """Shade the values that the truth cannot have, if there are any. box : of the picture."""
        return []


def frame(steps: Sequence[S], truth: float, chosen: int) -> Bounds:
    """Return the bounds of the picture, with room above and below the intervals.

    All methods have the same bounds, so their lengths compare, unless a method would look tiny.
    """
    lows = np.minimum(np.min([step.low for step in steps], axis=0), truth)
    highs = np.maximum(np.max([step.high for step in steps], axis=0), truth)
    heights = highs - lows
    low, high = lows.min(), highs.max()
    if high - low > _SHARED * heights.min():
        low, high = lows[chosen], highs[chosen]
    room = _ABOVE * (high - low) / (1 - 2 * _ABOVE) or 0.05
    beside = _BESIDE * len(steps)
    return -beside, len(steps) + 1.0 + beside, float(low - room), float(high + room)


def _bars(ends: ndarray, stroke: dict, name: str) -> dict:
    return plane.line(ends.reshape(-1, 2), line=stroke, name=name)
