"""Kernel density, width by width: which h makes the points left out most likely?"""

from math import pi

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.kernel_density import BandwidthStep, bandwidths, judging
from viz.clustering.densities import marks
from viz.core import curves, naming, panels, plane
from viz.core.drawing import Drawing
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.words import number, rounded, whole

_BELOW, _ABOVE = 3.0, 2.0  # of mean ln p that is shown around the best
_LOWEST = 50.0  # below the best a curve stays there
_LITTLE = 1e-3  # of mean ln p


class Widths(Show[BandwidthStep]):
    """One width after the other; the width is dragged on the curve of the points left out."""

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Prepare both curves. query : the picked point."""
        super().__init__(run, data)
        self.query = query
        self.widths = np.array([step.bandwidth for step in self.steps])
        values = np.array([step.left_out for step in self.steps])
        best = float(values.max())
        self.range = (best - _BELOW, best + _ABOVE)  # of mean ln p that is shown
        self.left_out = np.maximum(values, best - _LOWEST)
        # What is dragged is on the curve, or at the edge of the view.
        self.grips = np.stack([self.widths, self.left_out.clip(*self.range)], axis=1)[:, None]
        x, own = plane.packed(self.widths), np.array([step.own for step in self.steps])
        dashed = {"width": 2, "color": PALETTE[1], "dash": "dash"}
        self.drawn = [
            panels.curve(x, plane.packed(own), name="own density", line=dashed),
            panels.curve(
                x, plane.packed(self.left_out), name="left out, L(h)", line={"width": 2.5}
            ),
        ]
        self.opens = self.steps[-1].best
        self.note = self._note()

    def views(self) -> list[View]:
        """Return the density, the curves over all widths, and the cut."""
        track = Track("Width h", self.grips, "x")
        likely = "How likely are the points? Drag h"
        return [
            View("The density at this width", self.picture),
            View(likely, self.likelihoods, track=track, ahead="to a question"),
            View(marks.CUT, self.cut),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the density at one width, which circles around the picked point show."""
        density, h = self.steps[now].density, self.steps[now].bandwidth
        circles = marks.circles(self.query, h, "the picked point")
        ground, scale = marks.ground(self.data, density)
        x, *_ = plane.grid(self.data.bounds, marks.CELLS)
        hidden = "<br>the bumps are narrower than the dots" * bool(h < x[1] - x[0])
        words = f"orange: h and 2h around the picked point<br>{scale}{hidden}"
        traces = [ground, *circles, naming.in_corner(words, self.data.bounds)]
        return marks.with_points(self.data, self.query, traces, np.ones(len(self.data.X)))

    def cut(self, now: int) -> Figure:
        """Draw the cut."""
        return marks.cut(self.data, self.query, self.steps[now].density)

    def likelihoods(self, now: int) -> Figure:
        """Draw the mean ln p of the points against h: left out, and in their own density."""
        x, y = self.grips[now, 0].tolist()
        low, high = np.log10(self.widths[[0, -1]]).tolist()
        room = 0.04 * (high - low)
        best = self.widths[self.steps[now].best]
        panel = panels.Panel(
            [
                *({**line, "showlegend": True} for line in self.drawn),
                panels.upright(float(best), *self.range),
                curves.marked(
                    x,
                    y,
                    showlegend=False,
                    mode="markers+text",
                    textposition="top right",
                    text=[self._beyond(now)],
                    textfont={"size": 14, "shadow": "auto"},
                ),
            ],
            x={
                "title": {"text": "width h", "standoff": 4},
                "type": "log",
                "range": [low - room, high + room],
                "tickvals": _round_numbers(low, high),
            },
            y={"title": {"text": "mean ln p"}, "range": list(self.range), "dtick": 1},
        )
        return curves.with_legend(panels.alone(panel))

    def _beyond(self, now: int) -> str:
        """Write L where it is below the axis, as the handle cannot be."""
        below = self.left_out[now] < self.range[0]
        return f"↓ L(h) = {rounded(self.steps[now].left_out)}" if below else " "

    def caption(self, now: int) -> str:
        """Write how likely the points are, left out and not, and which width is best."""
        step = self.steps[now]
        n = len(step.points)
        first = f"Width h = {number(step.bandwidth)}: {self._best(now)}"
        likely = (
            f"Left out, the points have a mean ln p of {rounded(step.left_out)}, with their own "
            f"bumps {rounded(step.own)}."
        )
        itself = 1 / (2 * pi * step.bandwidth**2 * n)
        rule = (
            f"{likely} Each point's own bump would add more the smaller h is: now "
            "1 / (2π h² n) = "
            + whole(f"1 / (2π · {number(step.bandwidth)}² · {n}) = {number(itself)}.")
        )
        return f"{first}\n{rule}\n{marks.picked_density(step.density, self.query)}"

    def _best(self, now: int) -> str:
        step = self.steps[now]
        best = number(self.steps[step.best].bandwidth)
        if step.event == "all widths":
            return f"points left out are likeliest at h = {best}, the best of {len(self.steps)}."
        if step.event == "past the best":
            return f"points left out become less likely; h = {best} was better."
        if now == 0:
            return "the first width that is tried."
        if step.best == now:
            return "the best so far: points left out are likelier than at every smaller width."
        return f"points left out are less likely than at h = {best}, the best so far."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the points that are left out are likelier at the next width."""
        before, after = self.steps[now], self.steps[now + 1]
        if abs(after.left_out - before.left_out) <= _LITTLE:
            return None
        reason = (
            f"It goes from {number(before.left_out, 5)} to {number(after.left_out, 5)} at "
            f"h = {number(after.bandwidth)}."
        )
        text = "The next width is larger. What does the mean ln p of the points left out do?"
        return rises_or_falls(text, before.left_out, after.left_out, reason, least=0.0)

    def to_draw(self) -> Drawing:
        """Return the width as a class draws it: a disc whose radius is h, anywhere."""
        left, right, bottom, top = self.data.bounds
        middle = np.array([(left + right) / 2, (bottom + top) / 2])
        best = self.widths[self.steps[-1].best]

        def cost(places: ndarray) -> float:
            (step,) = bandwidths(self.data.X, np.linalg.norm(places[1:] - places[:1], axis=1))
            return -step.left_out

        def disc(h: float) -> ndarray:
            return middle + np.array([[0, 0], [h, 0]])

        return Drawing(
            task="Draw a bump's width h: the radius of the disc. Each point is to be likely in the "
            "density of the others.",
            shape="disc",
            names=("Centre of the disc", "Width h"),
            start=disc((right - left) / 5),
            measure="−mean ln p of the points left out",
            cost=cost,
            best=disc(float(best)),
            classes=False,
        )

    def _note(self) -> str:
        """Write what the marks mean, and which points are left out."""
        n = len(self.data.X)
        judges = len(judging(n))
        few = (
            f" To keep it quick, {judges} of the {n:,} points are left out in turn, evenly spaced."
        )
        return (
            "The orange circles around the picked point have the radii h and 2h. The dotted line "
            "on the curves is the best width so far. "
            f"{marks.SINGLY} ln is the natural logarithm.{few if judges < n else ''}"
        )


def _round_numbers(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten between two powers."""
    powers = 10.0 ** np.arange(np.floor(low), np.ceil(high) + 1)
    ticks = np.outer(powers, (1, 2, 5)).ravel()
    return ticks[(ticks >= 10**low) & (ticks <= 10**high)].tolist()
