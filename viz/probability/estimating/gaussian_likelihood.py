"""A Gaussian under the points: the product of heights, and its logarithm as a surface."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.gaussian_likelihood import LikelihoodStep, log_likelihood, slopes
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import number

WINDOW: Bounds = (0.0, 10.0, 0.3, 4.0)  # of the mean and of the standard deviation
_SIZE = 60  # cells of the surface along an axis
_LEVELS = 32
_FILL = np.tile(np.array(rgb(PALETTE[0]), np.uint8), (_LEVELS, 1))
_OPACITY = np.linspace(0, 200, _LEVELS).astype(np.uint8)
_DEPTH = 4.0  # of ln L / n below the top, from which on the surface is faint
_FLOOR = -0.04  # of the curve's axis: room for the points below 0, as a share of its top
_BANDS = 8  # by which the surface's height is read


class Likelihood(Show[LikelihoodStep]):
    """The curve over the points, and the way up the surface."""

    opens = 30

    def __init__(self, run: Run, x: ndarray) -> None:
        """Compute the surface, which no step changes."""
        super().__init__(run)
        self.x, n = x, len(x)
        mean, deviation, cells = plane.grid(WINDOW, _SIZE)
        height = log_likelihood(x, cells[:, 0], cells[:, 1]).reshape(_SIZE, _SIZE)
        best = float(log_likelihood(x, x.mean(keepdims=True), x.std(keepdims=True))[0])
        depth = np.clip((best - height) / n / _DEPTH, 0, 1)
        shade = np.rint((_LEVELS - 1) * (1 - np.sqrt(depth))).astype(np.uint8)
        self.image = plane.image(shade, _FILL, _OPACITY, WINDOW) | {
            "name": "ln L, strong where it is high"
        }
        lines = plane.contours(mean, deviation, height)
        levels = best - n * _DEPTH * (np.arange(1, _BANDS) / _BANDS) ** 2
        self.contours = plane.level_lines(
            lines, WINDOW, *levels.tolist(), name="line of equal ln L", **{"width": 1}
        )
        self.path = np.array([(s.mean, s.deviation) for s in self.steps])
        self.heights = log_likelihood(x, self.path[:, 0], self.path[:, 1])
        self.top = 1.12 * max(float(s.heights(np.array([s.mean]))[0]) for s in self.steps)

    def views(self) -> list[View]:
        """Return the curve over the points, the surface, and the height step by step."""
        series = {"ln L": self.heights.tolist()}
        return [
            View("The Gaussian and its height at every point", self.picture, board=False),
            View("How likely the points are, for every μ and σ", self.surface, board=False),
            View(
                "The likelihood, step by step",
                curves.timeline(series),
                ahead="by step",
                board=False,
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the density, and its height at every point."""
        step = self.steps[now]
        grid = np.linspace(*WINDOW[:2], 201)
        up = step.heights(self.x)
        zero = np.zeros(len(up))
        stems = np.stack([np.column_stack([self.x, zero]), np.column_stack([self.x, up])], axis=1)
        marker = {"size": 10, "color": PALETTE[1]}
        traces = [
            plane.line(
                plane.joined(list(stems)), line={"width": 2, "color": PALETTE[1]},
                name="its height at a point",
            ),
            plane.line(
                np.array([[self.x.mean(), 0.0], [self.x.mean(), self.top]]),
                line={"width": 2, "dash": "dot", "color": GREY}, name="mean of the points",
            ),
            naming.words(
                np.array([self.x.mean(), self.top]), "\u2002mean of the points", "bottom right",
                size=15, color=GREY,
            ),
            plane.line(
                np.column_stack([grid, step.heights(grid)]),
                line={"width": 4, "color": PALETTE[0]}, name="the Gaussian",
            ),
            plane.line(
                np.column_stack([self.x, zero]), mode="markers", marker=marker, name="point",
                cliponaxis=False,
            ),
        ]  # fmt: skip
        figure = plane.figure(traces, (*WINDOW[:2], _FLOOR * self.top, self.top), ("x", "density"))
        figure["layout"]["margin"] |= {"r": 14}  # half a number's size
        return figure

    def surface(self, now: int) -> Figure:
        """Draw ln L over mean and standard deviation, with the way so far."""
        way, marker = self.path[: now + 1], {"size": 14, "symbol": 2}
        traces = [
            self.image,
            self.contours,
            plane.line(way, mode="lines+markers", line={"width": 2.5}, marker={"size": 4},
                       name="the way so far"),
            plane.line(way[-1:], mode="markers", marker=marker, name="now"),
        ]  # fmt: skip
        figure = plane.figure(traces, WINDOW, ("μ", "σ"))
        figure["layout"]["margin"] |= {"t": 12, "r": 14}  # half a number's size at its corner
        return figure

    def caption(self, now: int) -> str:
        """Write mu and sigma, where the slopes lead, and the product of the heights."""
        step, up = self.steps[now], self.steps[now].heights(np.sort(self.x))
        along = slopes(self.x, step.mean, step.deviation)
        first, mu, sigma = self.steps[0], number(step.mean), number(step.deviation)
        side, way = ("right", "grows") if along[0] > 0 else ("left", "falls")
        width = "narrower" if along[1] < 0 else "wider"
        what = f"Start: μ = {mu} and σ = {sigma}."
        if now:
            rises = self.heights[now] > self.heights[now - 1]
            before = self.steps[now - 1]
            does = []
            if step.mean != before.mean:
                does.append(f"moves {'right' if step.mean > before.mean else 'left'}")
            if step.deviation != before.deviation:
                does.append(f"gets {'narrower' if step.deviation < before.deviation else 'wider'}")
            what = f"The curve stays where it is, at the top: μ = {mu}, σ = {sigma}."
            if does:
                what = (
                    f"The curve {' and '.join(does)}, so the points get "
                    f"{'more' if rises else 'less'} likely: μ = {mu}, σ = {sigma}."
                )
        why = (
            f"The points' mean is further {side}, so μ {way}. With a {width} curve the points "
            "would be more likely, too."
        )
        if step.event == "converged":
            what = f"The top: μ = {mu} is the points' mean, σ = {sigma} their standard deviation."
            why = "No other Gaussian gives these points a larger likelihood."
        heights = " · ".join([*map(number, up[:2]), *["…"] * (len(up) > 2)])
        return (
            f"{what}\n{why}\nThe likelihood L is the product of the {len(up)} heights, from the "
            f"left: {heights} = {number(float(np.prod(up)))}, and ln L = "
            f"{number(self.heights[now], 4)}.\nAt the cross hair: the start, μ = "
            f"{number(first.mean)} and σ = {number(first.deviation)}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask in which direction the next step goes."""
        step, after = self.steps[now], self.steps[now + 1]
        mean = ("grows", "falls")[int(after.mean < step.mean)]
        width = ("grows", "falls")[int(after.deviation < step.deviation)]
        options = {
            (m, w): Option(f"μ {m}, and σ {w}")
            for m in ("grows", "falls")
            for w in ("grows", "falls")
        }
        spread = float(((self.x - step.mean) ** 2).mean())
        text = (
            f"μ = {number(step.mean)} and σ = {number(step.deviation)}. The points have the mean "
            f"{number(float(self.x.mean()))}, and the mean square distance from μ is "
            f"{number(spread)}. Where does the next step go?"
        )
        reason = (
            f"μ goes towards the mean of the points. σ {width}, because σ² = "
            f"{number(step.deviation**2)} and the mean square distance is {number(spread)}."
        )
        right = options.pop((mean, width))
        return question(text, right, options.values(), reason)
