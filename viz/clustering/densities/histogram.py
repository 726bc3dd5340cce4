"""Histograms on the plane, shift after shift of their bins."""

from collections.abc import Callable

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.histogram import HistogramStep, triangles
from viz.core import curves, panels, plane, surface
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.told import told
from viz.core.words import number, vector

_CELLS = 200  # of a picture along each axis
_DEEP = 220  # opacity of 255 of the highest band
_TOLD = 5  # places along each axis in the table of the mean
_MOST_LINES = 60  # borders of bins along each axis; more would hide the points


class Shifts(Show[HistogramStep]):
    """One histogram after the other, their mean, and p at the picked point."""

    unit = "shift"
    counts_from = 1
    opens = 5

    note = (
        "The strongest band is the highest p of its picture; all bands are equally high. Thick: "
        "the bin of the picked point. The bins are h wide and h high; they are shifted along the "
        f"first axis first. Borders are drawn for up to {_MOST_LINES} bins along an axis. With "
        "ever more shifts the mean goes to a kernel density whose bumps are triangles."
    )

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Count the points in the bin of the picked point, shift after shift."""
        super().__init__(run, data)
        self.query, self.counts = query, self.steps[-1].counts(query)

    def views(self) -> list[View]:
        """Return the histogram, the mean so far, and p at the picked point."""
        history = at_picked(self.steps[-1], self.query)
        return [
            View("The histogram, its bins, and the points", self.picture),
            View("The mean of the histograms so far", self.mean, height=1.4),
            View("p at the picked point, shift after shift", history, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the histogram, the borders of its bins, and the bin of the picked point."""
        step, data, query = self.steps[now], self.data, self.query
        x, y, _ = plane.grid(data.bounds, _CELLS)
        corner = step.origin + step.width * np.floor((query - step.origin) / step.width)
        box = corner + step.width * np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
        thin = {"width": 1.25, "color": GREY}
        traces = [
            surface.bands(x, y, step.on_grid(x, y), strong=_DEEP)[0],
            plane.line(borders(step, data.bounds), line=thin, name="edge of a bin"),
            plane.line(
                box, line={"width": 3, "color": NOW}, name="bin of the picked point",
                showlegend=True,
            ),
        ]  # fmt: skip
        size = np.full(len(data.X), 0.7)
        points = plane.points(data.X, np.zeros(len(data.X)), size=size) | {"fills": [GREY]}
        figure = plane.figure(traces, data.bounds, data.names, points=points)
        return curves.with_legend(figure, x=0, xanchor="left")

    def mean(self, now: int) -> Figure:
        """Draw the mean density of the histograms so far."""
        step, data = self.steps[now], self.data
        x, y, _ = plane.grid(data.bounds, _CELLS)
        ground = surface.bands(x, y, step.mean_on_grid(x, y), strong=_DEEP)[0]
        places = plane.grid(data.bounds, _TOLD)
        names = [vector(place) for place in places[2]]
        p = step.mean_on_grid(*places[:2]).ravel()
        figure = plane.figure([ground], data.bounds, data.names)
        figure["layout"]["yaxis"] |= {"scaleanchor": "x", "constrain": "domain"}
        figure["layout"]["xaxis"] |= {"constrain": "domain"}
        return figure | told("Mean density at a few places", "place", names, {"p": p})

    def caption(self, now: int) -> str:
        """Write where the bins begin; below, p at the picked point, now and over all shifts."""
        step, query = self.steps[now], self.query
        n, h, total = len(step.points), step.width, len(step.origins)
        counts = step.counts(query)
        k, p = int(counts[-1]), counts * step.height
        if step.event:
            first = f"All shifts are done, {total} of them"
            if (narrow := round(total**0.5)) > 1:
                first += f": their mean has cells 1/{narrow} as wide as a bin"
            first += "."
        else:
            bins = "shifted bins" if step.begun > 1 else "bins"
            first = (
                f"Shift {step.begun} of {total}: the same points in {bins}; the picked point's bin "
                f"holds {k} of {n}."
            )
        rule = (
            f"Picked point {vector(query)}: {k} of {n} points are in its bin; divided by the "
            f"bin's area, p = {k} / ({n} · {number(h)}²) = {number(float(p[-1]))}."
        )
        limit = f"ever more shifts would give {number(triangles(step.points, h, query))}"
        so_far = (
            f"Over the shifts so far p is {number(float(p.min()))} to {number(float(p.max()))} "
            f"there, with a mean of {number(float(p.mean()))}; {limit}."
        )
        return f"{first}\n{rule}\n{so_far if step.begun > 1 else limit.capitalize() + '.'}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the bin of the picked point holds more points after the next shift."""
        before, after = self.counts[now : now + 2].tolist()
        reason = (
            f"Its bin holds {after:.0f} points after {before:.0f}, so that p goes to "
            f"{number(after * self.steps[now].height)}."
        )
        text = "The bins are shifted. What does p at the picked point do?"
        return rises_or_falls(text, before, after, reason)


def borders(step: HistogramStep, box: Bounds) -> ndarray:
    """Return the lines between the bins on the picture, none if there are too many."""
    left, right, bottom, top = box
    upright = _between(left, right, float(step.origin[0]), step.width)
    level = _between(bottom, top, float(step.origin[1]), step.width)
    lines = [np.array([[x, bottom], [x, top]]) for x in upright]
    lines += [np.array([[left, y], [right, y]]) for y in level]
    return plane.joined(lines)


def _between(low: float, high: float, start: float, width: float) -> list[float]:
    count = (high - low) / width
    if count > _MOST_LINES:
        return []
    first = np.ceil((low - start) / width)
    places = start + width * (first + np.arange(int(count) + 1))
    return places[places <= high].tolist()


def at_picked(last: HistogramStep, query: ndarray) -> Callable[[int], Figure]:
    """Draw p at the picked point in every histogram, the mean so far, and its limit."""
    p = last.counts(query) * last.height
    shift = np.arange(1, len(p) + 1)
    means, limit = np.cumsum(p) / shift, triangles(last.points, last.width, query)
    x = plane.packed(shift)
    dashed = {"width": 2, "color": PALETTE[1], "dash": "dash"}
    fixed = [
        panels.curve(x, plane.packed(means), name="mean", line={"width": 2.5}),
        panels.curve([0, 2 * len(p)], [limit, limit], name="its limit", line=dashed),
    ]
    dots = {"mode": "markers", "marker": {"size": 8, "color": PALETTE[0]}}
    top = 1.1 * max(float(p.max()), limit) or 1.0

    def draw(now: int) -> Figure:
        so_far = plane.packed(np.where(shift <= now + 1, p, np.nan))
        found = panels.curve(x, so_far, name="this histogram", **dots)
        shown = [each | {"showlegend": True} for each in (found, *fixed)]
        panel = panels.Panel(
            [*shown, curves.marked(now + 1, float(p[now]), showlegend=False)],
            x={"title": {"text": "shift", "standoff": 4}, "range": [0.5, len(p) + 0.5]},
            y={"title": {"text": "p"}, "range": [-0.04 * top, top], "nticks": 5},
        )
        return curves.with_legend(panels.alone(panel))

    return draw
