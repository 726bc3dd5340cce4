"""Paths of z from look to look, and how many of them cross the border on the way."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.evaluation.peeking import PeekingStep
from viz.core import curves, graph, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, percent

_LEVEL = 0.05  # of a test with one look at 1.96
_PROMISED = f"promised: {percent(_LEVEL)}"
_TOP = 4.2  # of the axis of z
_OLDER = 40  # paths that stay in sight; stops of earlier experiments stay without theirs


class Peeking(Show[PeekingStep]):
    """All experiments so far, and the share that stopped.

    It opens in the second half, with an experiment that stops.
    """

    unit = "experiment"
    counts_from = 1

    note = (
        "The test is two-sided: z stops an experiment on either side. So the border for one look "
        "is at 1.96, not at the 1.645 of a one-sided test."
    )

    def __init__(self, run: Run, effect: float, rates: ndarray, own: ndarray) -> None:
        """Compute the shares. rates : false alarms within 1, 2, ... looks with 1.96, and own."""
        super().__init__(run)
        self.effect, self.rates, self.own = effect, rates, own
        last = self.steps[-1]
        self.looks = last.z.shape[1]
        beyond = np.abs(last.z) > last.border
        some = np.arange(1, len(last.z) + 1)
        self.stopped = np.cumsum(beyond.any(axis=1)) / some
        self.at_end = np.cumsum(beyond[:, -1]) / some
        self.stops = last.stops
        half = len(self.stops) // 2
        stopped = (i for i, stop in enumerate(self.stops) if stop is not None)
        self.opens = next((now for now in stopped if now >= half), half)

    def views(self) -> list[View]:
        """Return the paths, the share that stopped, and the rate for every number of looks."""
        return [
            View("z at every look; a path stops beyond the border", self.picture, board=False),
            View("Experiments called significant", self.shares, ahead="by step", board=False),
            View("False alarms for every number of looks", lambda _: self.by_looks(), board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the newest path to its stop, and what would have followed; older ones faint."""
        step = self.steps[now]
        older = range(max(0, now - _OLDER), now)
        ends = [self.looks if stop is None else stop + 1 for stop in self.stops]
        path = self._path(now, self.looks)
        stops = [place for i in range(now) if (place := self._stop(i)) is not None]
        here = self._stop(now)
        c = step.border
        sides = [np.array([[0.0, s * c], [self.looks + 1.0, s * c]]) for s in (-1, 1)]
        traces = [
            plane.line(
                plane.joined([self._path(i, ends[i]) for i in older]),
                line={"width": 1, "color": GREY}, opacity=0.5, name="earlier experiment",
            ),
            plane.line(plane.joined(sides), line={"width": 2.5, "dash": "dash"}, name="border ±c"),
            plane.line(
                np.array(stops or [plane.GAP[0]]), mode="markers",
                marker={"symbol": 4, "size": 8, "color": NOW}, name="earlier stop",
            ),
            plane.line(path, line={"width": 1.5, "dash": "dot", "color": PALETTE[0]},
                       name="what would have followed"),
            plane.line(path[: ends[now]], mode="lines+markers", name="newest experiment",
                       line={"width": 3, "color": PALETTE[0]}, marker={"size": 7}),
            plane.line(
                np.array([plane.GAP[0] if here is None else here]), mode="markers",
                marker={"symbol": 4, "size": 16, "color": NOW, "line": {"width": 2}}, name="stop",
            ),
        ]  # fmt: skip
        count = sum(stop is not None for stop in self.stops[: now + 1])
        traces.append(
            graph.texts(
                np.array([[self.looks + 0.4, c + 0.08]]), [f"c = {number(c)}"],
                textposition="top left", textfont={"shadow": "auto"},
            )
        )  # fmt: skip
        box = (0.5, self.looks + 0.5, -_TOP, _TOP)
        said = f"✖ called significant: {count} of {now + 1}"
        traces.append(naming.in_corner(said, box, "top left", color=NOW, size=16))
        return plane.figure(traces, box, ("look", "z"))

    def _path(self, i: int, end: int) -> ndarray:
        """Return the path of an experiment until a look."""
        return np.column_stack([np.arange(1, end + 1), self.steps[-1].z[i, :end]])

    def _stop(self, i: int) -> ndarray | None:
        stop = self.stops[i]
        return None if stop is None else self._path(i, stop + 1)[-1]

    def shares(self, now: int) -> Figure:
        """Draw the share of experiments that stopped, and of those beyond the border at the end."""
        x = np.arange(1, len(self.steps) + 1)
        looks = [
            (self.stopped, {"width": 3, "color": NOW}, "stop at any look"),
            (self.at_end, {"width": 2, "dash": "dash"}, "only the last look"),
        ]
        if self.effect == 0:
            looks.append((np.full(len(x), _LEVEL), {"width": 1.5, "color": GREY}, _PROMISED))
        traces = [
            plane.line(np.column_stack([x, y]), line=look, name=name, showlegend=True)
            for y, look, name in looks
        ]
        traces.append(
            curves.marked(now + 1, float(self.stopped[now]), name="now", showlegend=False)
        )
        top = min(1.1 * max(float(self.stopped.max()), 2 * _LEVEL), 1.03)
        return self._panel(traces, "experiments", len(x), top)

    def by_looks(self) -> Figure:
        """Draw the exact false alarm rate within 1, 2, ... looks, with 1.96 and this border."""
        x = np.arange(1, len(self.rates) + 1)
        looks = [
            (self.rates, {"width": 3, "color": NOW}, "c = 1.96"),
            (np.full(len(x), _LEVEL), {"width": 1.5, "color": GREY}, _PROMISED),
        ]
        if not np.allclose(self.own, self.rates):
            looks.insert(1, (self.own, {"width": 2, "dash": "dash"}, "this border"))
        traces = [
            plane.line(np.column_stack([x, y]), line=look, name=name, showlegend=True)
            for y, look, name in looks
        ]
        here = float(self.own[self.looks - 1])
        traces.append(curves.marked(self.looks, here, name="these looks", showlegend=False))
        return self._panel(traces, "looks", len(x), 0.36)

    def _panel(self, traces: list[dict], name: str, most: int, top: float) -> Figure:
        layout = curves.panel_layout(
            xaxis={"title": {"text": name, "standoff": 4}, "range": [0, 1.03 * most], "nticks": 6},
            yaxis={"title": {"text": "share"}, "range": [-0.03 * top, top], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write where the newest experiment stops, and the shares."""
        step, i = self.steps[now], now
        z, stop = step.z[i], self.stops[i]
        if stop is None:
            what = f"Experiment {i + 1} never passes the border."
        else:
            what = f"Experiment {i + 1} stops at look {stop + 1}, with z = {number(z[stop])}."
        stopped, at_end = step.alarms
        effect = "" if self.effect == 0 else f"The effect is {number(self.effect)} a look. "
        c = number(step.border)
        so_far = f": {stopped} of {i + 1} so far, {at_end} at the last look alone"
        if i + 1 == len(self.steps):
            so_far = ""
            without = "without an effect " if self.effect == 0 else ""
            what = (
                f"{stopped} of {counted(i + 1, 'experiment')} {without}were called significant at "
                f"one of {counted(self.looks, 'look')}, {at_end} at the last look alone."
            )
        return (
            f"{what}\n{effect}An experiment stops, and is called significant, as soon as |z| > "
            f"{c}{so_far}.{self._without_paths(now)}"
        )

    def _without_paths(self, now: int) -> str:
        """Write that the oldest experiments are in the picture as crosses alone."""
        if now <= _OLDER:
            return ""
        return f" Only the newest {_OLDER + 1} paths are drawn; earlier ones leave their cross."

    def answer(self, now: int) -> str:
        """Write how many experiments stop in the long run."""
        share = percent(float(self.own[self.looks - 1]))
        return f"Without an effect, {share} stop within {counted(self.looks, 'look')}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what peeking makes of the next experiment."""
        z, stop = self.steps[-1].z[now + 1], self.stops[now + 1]
        c = self.steps[now].border
        top = int(np.abs(z).argmax())
        never = Option("it never stops")
        if stop is None:
            right, reason = never, f"|z| is at most {number(abs(z[top]))}, and c is {number(c)}."
        else:
            right = Option(f"it stops at look {stop + 1}")
            reason = f"That is the first look with |z| above {number(c)}: {number(abs(z[stop]))}."
        text = "The largest |z| of the next experiment is {} at look {}. {}What happens?"
        first = ""
        if stop is not None and stop != top:
            first = f"The first beyond {number(c)} is at look {stop + 1}. "
        others = [Option(f"it stops at look {k + 1}") for k in (top, self.looks - 1, 0)]
        others = [each for each in [never, *others] if each.text != right.text]
        asked = text.format(number(abs(z[top])), top + 1, first)
        return question(asked, right, others, reason)
