"""The same network, found by learning."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from algorithms.data.truths import Truth
from algorithms.networks.universal_approximation.trained_sigmoids import TrainedStep
from viz.core import curves, panels, plane
from viz.core.found import Curve
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import added, counted, number
from viz.networks.universal_approximation.marks import LEAST, PART, Approximation

_COARSE = 50  # places along the curve of a unit
_BENDS = 0.15  # of the range of f: a unit that changes by this much is drawn thick


class Trained(Show[TrainedStep]):
    """The epochs, what every unit adds, and the miss by epoch."""

    unit = "epoch"
    opens = 60

    note = (
        "The green curve is the truth f, the blue one the network N, with as many hidden units as "
        "the bumps take. It learns from 100 places of the truth, without noise. The miss is the "
        "root of the mean square of f − N at 400 places between the ends of f. “Shape N”: hidden "
        "units that change, between the ends of f, by at least 15 % of f's range."
    )

    def __init__(self, run: Run, data: Plane, truth: Truth, query: float) -> None:
        """Keep the misses of all steps. query : a picked x."""
        super().__init__(run, data)
        self.shown = Approximation(truth, data, query)
        self.misses = np.array([step.miss.rms for step in self.steps])

    def views(self) -> list[View]:
        """Return the picture, the hidden units and the misses."""
        return [
            View("The truth, and the network", self.picture),
            View("What every hidden unit adds", self.hidden),
            View("How far it misses, by epoch", self.errors(), ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the network over the truth."""
        return self.shown.over(self.steps[now])

    def hidden(self, now: int) -> Figure:
        """Draw what every hidden unit adds to N."""
        x = np.linspace(self.shown.x[0], self.shown.x[-1], _COARSE)
        step = self.steps[now]
        parts = step.units(x) * step.heights
        ends = self.steps[-1].units(x) * self.steps[-1].heights
        most = float(np.abs(ends).max()) or 1.0
        lines = [np.stack([x, part], axis=1) for part in parts.T]
        inside, f = self.shown.inside, self.shown.truth(self.shown.inside)
        bends = np.ptp(step.units(inside) * step.heights, axis=0) >= _BENDS * np.ptp(f)
        bends &= step.heights != 0
        largest = int(np.abs(step.heights).argmax())
        traces = [
            *(
                plane.line(
                    plane.joined([line for line, on in zip(lines, these, strict=True) if on])
                    if these.any()
                    else plane.GAP,
                    line=look, name=name, showlegend=True,
                )
                for these, look, name in (
                    (~bends, {"width": 1, "color": GREY}, "other units"),
                    (bends, {"width": 2}, "shape N"),
                )
            ),
            plane.line(
                lines[largest], line={"width": 3.5, "color": PART}, name="largest v",
                showlegend=True,
            ),
        ]  # fmt: skip
        across = panels.axis(panels.label(self.shown.data.names[0]), x[0], x[-1]) | {
            "range": [x[0], x[-1]]
        }
        panel = Panel(traces, across, panels.axis("added to N", -most, most))
        return curves.with_legend(panels.alone(panel))

    def errors(self) -> Callable[[int], Figure]:
        """Draw the root mean square against the epochs, and that of the bumps as a dotted line."""
        found = np.array([step.miss.rms for step in self.steps])
        goal, last = self.steps[0].bumps_miss.rms, len(self.steps) - 1
        floor = LEAST * float(max(found.max(), goal)) or 1e-12
        found, goal = found.clip(floor), max(goal, floor)
        lines = [
            panels.curve(
                plane.packed(np.arange(last + 1)), plane.packed(found), name="trained",
                line={"width": 2.5}, showlegend=True, hoverinfo="all",
                hovertemplate="epoch %{x}: %{y:.3g}<extra></extra>",
            ),
            panels.curve(
                [0, last], [goal, goal], name="bumps by hand",
                line={"width": 2, "dash": "dot", "color": PART}, showlegend=True,
            ),
        ]  # fmt: skip
        low, high = (float(np.log10(v)) for v in (min(found.min(), goal), max(found.max(), goal)))
        up = panels.axis("miss", low, high, **curves.powers(low - 0.5, high + 0.5))

        def at(now: int) -> Figure:
            mark = curves.marked(now, float(found[now]), showlegend=False)
            panel = Panel([*lines, mark], panels.axis("epoch", 0, last), up)
            return curves.with_legend(panels.alone(panel))

        return at

    def caption(self, now: int) -> str:
        """Write what the epoch did, compare it with the bumps, and write N at the picked x."""
        step, least = self.steps[now], self.steps[int(self.misses[: now + 1].argmin())]
        units = counted(len(step.heights), "hidden unit")
        miss, lowest = number(step.miss.rms), number(least.miss.rms)
        if step.event == "diverged":
            first = f"Epoch {now}: diverged. The numbers are too large, so the run ends."
        elif now == 0:
            where = "at random places, all with v = 0"
            first = f"Start: {units} {where}: N is level and misses f by {miss}."
        else:
            beaten = " Nearer than the bumps, for the first time." if step.event else ""
            best = f"; the least so far was {lowest}, at epoch {least.epoch}"
            if least is step:
                best = ", the least so far"
            first = f"Epoch {now}: N misses f by {miss}{best}.{beaten}"
        return f"{first}\n{_unit(step)}\n{self.shown.read(step)}"

    def answer(self, now: int) -> str:
        """Write how far the bumps by hand miss."""
        goal = number(self.steps[now].bumps_miss.rms)
        return f"The bumps by hand, with as many units, miss f by {goal}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which way the miss goes."""
        before, after = (self.steps[i].miss.rms for i in (now, now + 1))
        reason = f"It goes from {number(before, 4)} to {number(after, 4)}."
        text = "What does the next epoch do to the miss, the root mean square of f − N?"
        return rises_or_falls(text, before, after, reason)

    def found(self, now: int) -> Curve:
        """Return N."""
        return self.shown.curve(self.steps[now])


def _unit(step: TrainedStep) -> str:
    """Write the unit with the largest outer weight in size; at the start, the outer bias."""
    if not step.heights.any():
        c = number(step.offset)
        return f"N = c + Σ v · σ(w u + b): no unit adds anything yet, so N is its bias c = {c}."
    j = int(abs(step.heights).argmax())
    v, w, b = (float(each[j]) for each in (step.heights, step.weights, step.biases))
    u = f"u = (x {added(-step.center)})/{number(step.half)}"
    unit = f"{number(v)} · σ({number(w)} u {added(b)})"
    return f"The unit with the largest outer weight (orange) adds {unit}, with {u}."
