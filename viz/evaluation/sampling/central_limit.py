"""Means of n numbers pile up, with the Gaussian over them, or the Cauchy density."""

import numpy as np
from numpy import ndarray

from algorithms.evaluation.central_limit import MIDDLE, Cauchy, MeansStep, Source
from viz.core import curves, graph, naming, plane
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, percent

WINDOW = (0.0, 10.0)
TOP = 0.6  # of the drawn density's axis
_UNDER = 0.1  # of an axis of densities: the room below it
SIZES = np.array([1, 2, 3, 5, 10, 20, 50, 100])
_BINS = 50
_IN_REACH = 16  # bins within the reach of a bell curve
_CURVE = 201  # places
_INSIDE = 25, 175  # places at which a word above the curve is inside the picture
_BELOW = np.linspace(0, 1, 12)  # shares of the curve's height, where words would cover bars
_NAMED = 0.6  # of the top of the curve: there its name is
_GROWS = 50  # means until the pile is as large as the curve
_OPENS = 100  # means are drawn as the lab opens, or nearly as many
_BESIDE = 1.3  # from the middle of a name to where bars may be below it
_WIDE, _AWAY, _GAP = 2.8, 0.6, 0.1  # a name, the most between it and its line, the least
_BEGINS = 0.25  # from a place on the curve to the name beside it
_LETTER = 0.2  # the width of a letter on a phone
_CLEAR = 0.035  # of the height of the axis, from the middle of a name to what is below it
_OVER = 0.015  # of the height of the axis, from bars to a name
WITHIN = 0.6827  # share of a Gaussian within one standard deviation of its mean
CAUCHY_WITHIN = 0.5  # share of a Cauchy density within 1 of its middle


class CentralLimit(Show[MeansStep]):
    """The pile of means, the density, and how wide the pile is for other n.

    It opens as the bell is seen first.
    """

    unit = "step"
    counts_from = 1
    silent = "The next samples are drawn by chance."

    def __init__(self, run: Run, source: Source, n: int, widths: ndarray) -> None:
        """Compute the curve over the pile. widths : half those of the middle part, at SIZES."""
        super().__init__(run)
        self.source, self.n, self.widths = source, n, widths
        x = np.linspace(*WINDOW, _CURVE)
        self.edges = np.linspace(*WINDOW, _BINS + 1)
        if isinstance(source, Cauchy):
            over = source.density(x)
            self.curve, self.scale = "Cauchy density, for every n", 1.0
            self.named, self.near = "Cauchy density", "middle ± 1"
            self.middle, self.width = MIDDLE, 1.0
        else:
            self.middle, self.width = source.mean, source.deviation / np.sqrt(n)
            over = np.exp(-(((x - source.mean) / self.width) ** 2) / 2)
            over /= self.width * np.sqrt(2 * np.pi)
            self.edges = self._edges(source.mean)
            self.curve, self.scale = "Gaussian", sum(source.heights)
            self.named, self.near = "bell curve with σ / √n", "true mean ± σ / √n"
        self.over, self.density = np.column_stack([x, over]), self.scale * source.density(x)
        many = np.array([len(step.means) for step in self.steps])
        self.grows = min(_GROWS, int(many[-1]))
        self.opens = int(np.searchsorted(many, min(_OPENS, int(many[-1]))))
        self.pile = np.max([self._heights(step.means) for step in self.steps], axis=0)
        self.top = 1.05 * max(over.max(), source.density(x).max(), float(self.pile.max()))
        self.single = plane.GAP[:1]  # the Cauchy density is the curve over the pile
        if not isinstance(source, Cauchy):
            self.single = np.column_stack([x, self.density / self.scale])
        self.beside, self.side = self._place_of_name()
        self.named_single = self._name_single()

    def _name_single(self) -> dict:
        """Name the density of the single numbers above a top or beside a slope, without bars."""
        heights = self.single[:, 1]
        inside = np.arange(*_INSIDE) if len(heights) > 1 else np.arange(0)
        beside = np.maximum(heights[inside - 1], heights[inside + 1])
        tops = inside[heights[inside] >= beside]
        above = np.array([self._above(self.single[i]) for i in tops]).reshape(-1, 2)
        lifted = np.argsort(above[:, 1] - heights[tops], kind="stable")  # the least first
        where = [(above[i], "top center") for i in lifted]
        if where and above[lifted[0], 1] > heights[tops[lifted[0]]]:
            where = [*self._beside_slope(inside), *where]
        under = [self.over * [1, share] for share in _BELOW]
        name = naming.Name("single numbers", where, {})
        taken = np.concatenate([*under, self._of_name()])
        return naming.clear_names([name], (*WINDOW, 0.0, self.top), taken)[0]

    def _of_name(self) -> ndarray:
        """Return (m, 2) places that the name of the curve covers."""
        up, across = self.side.split()
        way = 1 if across == "right" else -1
        middle = self.beside[1] + (_CLEAR * self.top if up == "top" else 0.0)
        x = self.beside[0] + way * np.linspace(0, _BEGINS + _WIDE, 30)
        y = middle + _CLEAR * self.top * np.linspace(-1, 1, 5)
        return np.column_stack([each.ravel() for each in np.meshgrid(x, y)])

    def _place_of_name(self) -> tuple[ndarray, str]:
        """Return a place on the curve with room for its name beside it, and the name's side."""
        top, wide = self.over[:, 1].argmax(), _LETTER * len(self.named)
        x, height = self.over.T
        if right := x[top] <= WINDOW[1] - wide:
            near = (x >= x[top]) & (x <= WINDOW[1] - wide)
        else:
            near = (x <= x[top]) & (x >= WINDOW[0] + wide)
        free = self.over[near]
        free = free[np.abs(free[:, 1] - _NAMED * height[top]).argsort(kind="stable")]
        way, side = (1, "right") if right else (-1, "left")
        for x, y in free:  # beside a steep curve
            if self._highest(x + way * _BEGINS, way) < y - _CLEAR * self.top:
                return np.array([x, y]), f"middle {side}"
        for x, y in free:  # above a flat one
            if self._highest(x + way * _BEGINS, way) < y:
                return np.array([x, y]), f"top {side}"
        for x, y in free:  # over bars, but clear of the lines and of a name on the other one
            start = x + way * _BEGINS
            line = self._highest(start, way, bars=False, curve=self.over)
            other = self._highest(start, way, bars=False, curve=self.single)
            if max(line, other + 2 * _CLEAR * self.top) < y - _CLEAR * self.top:
                return np.array([x, y]), f"middle {side}"
        return free[0], f"middle {side}"

    def _highest(
        self, start: float, way: int, *, bars: bool = True, curve: ndarray | None = None
    ) -> float:
        """Return how high bars and lines are in a name from `start` to the right (1) or left (−1).

        bars : whether those of all steps count. curve : the only line that counts, if not both.
        """
        low, high = sorted((start, start + way * _WIDE))
        tops = [self.pile[(self.edges[1:] > low) & (self.edges[:-1] < high)]] if bars else []
        for line in (self.single, self.over) if curve is None else (curve,):
            tops.append(line[(line[:, 0] >= low) & (line[:, 0] <= high), 1])
        return float(np.concatenate(tops).max(initial=0.0))

    def _beside_slope(self, inside: ndarray) -> list[tuple[ndarray, str]]:
        """Return the highest place right of the falling density with room for its name, if any.

        inside : indices of places in the picture.
        """
        right = self.edges[1:]
        for x, y in sorted(self.single[inside], key=lambda place: -place[1]):
            under = y - _CLEAR * self.top
            left = max([x, *right[(right > x) & (right < x + _AWAY) & (self.pile > under)]])
            ends = left + _GAP, left + _GAP + _WIDE
            bars = self.pile[(right > ends[0]) & (self.edges[:-1] < ends[1])]
            beyond = (self.single[:, 0] > ends[0]) & (self.single[:, 0] < ends[1])
            lines = [*self.single[beyond, 1], *self.over[beyond, 1]]
            if ends[1] < WINDOW[1] and max([*bars, *lines]) < under:
                return [(np.array([ends[0], y]), "middle right")]
        return []

    def _above(self, place: ndarray) -> ndarray:
        """Return a place above another one and above the bars of all steps near it."""
        x, y = place
        near = (self.edges[1:] > x - _BESIDE) & (self.edges[:-1] < x + _BESIDE)
        highest = float(self.pile[near].max(initial=0.0))
        return np.array([x, max(y, highest + _OVER * self.top)])

    def _edges(self, mean: float) -> ndarray:
        """Return the borders of bins that hold all means, narrower for a narrow pile."""
        reach, means = min(5 * self.width, 5.0), self.steps[-1].means
        low, high = max(mean - reach, WINDOW[0]), min(mean + reach, WINDOW[1])
        width = (high - low) / _IN_REACH
        below = int(np.ceil(max(0.0, low - means.min()) / width))
        above = int(np.ceil(max(0.0, means.max() - high) / width))
        ends = max(low - below * width, WINDOW[0]), min(high + above * width, WINDOW[1])
        return np.linspace(*ends, below + _IN_REACH + above + 1)

    def _heights(self, means: ndarray) -> ndarray:
        """Return the height of the pile in every bin: it grows, and is a density from then on."""
        counts = np.histogram(means, self.edges)[0]
        return counts / (max(len(means), self.grows) * (self.edges[1] - self.edges[0]))

    def views(self) -> list[View]:
        """Return the pile of means, the density that is drawn from, and the width for every n."""
        title = f"Means of {counted(self.n, 'number')}"
        return [
            View(title, self.picture, board=False),
            View("The density, and the newest sample (strokes)", self.numbers, board=False),
            View(self._about_sizes(), self.by_size, board=False),
        ]

    def _about_sizes(self) -> str:
        """Return the title of the view with every n."""
        if isinstance(self.source, Cauchy):
            return "A larger n brings the means no nearer"
        return "The larger n, the nearer the means"

    def picture(self, now: int) -> Figure:
        """Draw the histogram of the means so far, as a density, and the curve over it.

        Dotted lines bound its middle part, in which the caption counts the means.
        """
        means = self.steps[now].means
        width = float(self.edges[1] - self.edges[0])
        bars = {
            "type": "bar", "name": "means so far", "width": width,
            "x": ((self.edges[1:] + self.edges[:-1]) / 2).tolist(),
            "y": self._heights(means).tolist(),
            "marker": {"color": PALETTE[5], "opacity": 0.7}, "hoverinfo": "skip", "zorder": 1,
        }  # fmt: skip
        newest = np.array([[means[-1], 0.0]])
        mark = {"symbol": 5, "size": 15, "color": NOW}
        bounds = self.middle + self.width * np.array([-1.0, 0.0, 1.0])
        feet, heights = np.column_stack([bounds, np.zeros(3)]), np.interp(bounds, *self.over.T)
        traces = [
            bars,
            plane.line(
                plane.joined([*np.stack([feet, np.column_stack([bounds, heights])], axis=1)]),
                line={"width": 2.5, "dash": "dot"}, name=self.near, showlegend=True, zorder=2,
            ),
            plane.line(
                self.single, line={"width": 2, "color": GREY},
                name="density of the single numbers", zorder=0,
            ),
            plane.line(self.over, line={"width": 3}, name=self.curve, zorder=2),
            graph.texts(
                self.beside[None],
                [self.named],
                textposition=self.side,
                textfont={"shadow": "auto"},
                mode="markers+text",
                marker={"size": 14, "opacity": 0},
                zorder=2,
            ),
            self.named_single | {"zorder": 2},
            plane.line(
                newest, mode="markers", marker=mark, name="newest mean", cliponaxis=False,
                showlegend=True, zorder=2,
            ),
        ]  # fmt: skip
        box = (*WINDOW, -_UNDER * self.top / 2, self.top)
        height = "density"
        if len(means) < self.grows:
            height = f"density (bars: {len(means)} of the first {self.grows} means)"
        return curves.with_legend(plane.figure(traces, box, ("mean", height)))

    def numbers(self, now: int) -> Figure:
        """Draw the density that samples are drawn from, and the numbers of the newest sample."""
        step = self.steps[now]
        name = "density" if self.scale == 1 else "relative height"
        x = np.clip(step.numbers, *WINDOW)
        rug = np.column_stack([x, np.full(len(x), -_UNDER * TOP / 2)])
        dots = {"symbol": 142, "size": 12, "line": {"width": 1.5}}
        mean = np.array([[np.clip(step.means[-1], *WINDOW), -_UNDER * TOP]])
        traces = [
            plane.line(
                np.column_stack([self.over[:, 0], self.density]),
                line={"width": 2.5, "color": GREY}, name="density",
            ),
            plane.line(rug, mode="markers", marker=dots, name="numbers of the newest sample"),
            plane.line(
                mean, mode="markers", marker={"symbol": 5, "size": 13, "color": NOW},
                name="their mean", cliponaxis=False,
            ),
        ]  # fmt: skip
        return plane.figure(traces, (*WINDOW, -_UNDER * TOP, TOP), ("number", name))

    def by_size(self, now: int) -> Figure:
        """Draw how near to the middle a share of the means is, against n."""
        traces = [curves.against("simulated", SIZES, self.widths, setting="n", showlegend=True)]
        known, share = np.ones(len(SIZES)), CAUCHY_WITHIN
        name = "Cauchy: 1"
        if not isinstance(self.source, Cauchy):
            known, share = self.source.deviation / np.sqrt(SIZES), WITHIN
            name = "bell curve: σ / √n"
        look = {"width": 1.5, "dash": "dot", "color": GREY}
        traces.append(
            plane.line(np.column_stack([SIZES, known]), line=look, name=name, showlegend=True)
        )
        here = float(np.interp(np.log(self.n), np.log(SIZES), self.widths))
        traces.append(
            curves.marked(self.n, here, marker=curves.HOLLOW, name="this n", showlegend=False)
        )
        low = np.log10(min(self.widths.min(), known.min()) / 1.5)
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "n", "standoff": 4}, "type": "log", "range": [-0.06, 2.06],
                "tickvals": [1, 2, 5, 10, 20, 50, 100],
            },
            yaxis={
                "title": {"text": f"half-width for {percent(share, 2)}"}, "type": "log",
                "range": [float(low), 0.72], "tickvals": [0.05, 0.1, 0.2, 0.5, 1, 2, 5],
            },
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write the newest mean, and how the pile compares with the curve."""
        step = self.steps[now]
        means, many = step.means, len(step.means)
        near = int((np.abs(means - self.middle) < self.width).sum())
        what = (
            f"{counted(many, 'mean')} of {counted(self.n, 'number')}: {near} "
            f"{'is' if near == 1 else 'are'} between the outer dotted lines"
        )
        newest = f"▲ The newest mean is {number(means[-1])}."
        if isinstance(self.source, Cauchy):
            far = number(means[np.abs(means - MIDDLE).argmax()])
            outside = int(((means < WINDOW[0]) | (means > WINDOW[1])).sum())
            farthest = f"The farthest mean is {far}."
            if outside:
                is_are = "is" if outside == 1 else "are"
                farthest += f" {counted(outside, 'mean')} {is_are} outside the picture."
            return (
                f"{what}, and half are expected for every n.\n"
                f"{newest} The Cauchy density has no σ. {farthest}"
            )
        spread = f"; here it is {number(means.std())}"
        grows = f" Each of the first {self.grows} means adds 1/{self.grows} to the bars' area."
        return (
            f"{what}; a bell curve has about {round(WITHIN * many)} there.\n"
            f"Their standard deviation should be that of single numbers, divided by √n: σ / √n = "
            f"{number(self.source.deviation)} / √{self.n} = {number(self.width)}"
            f"{spread if many > 1 else ''}.\n{newest} The true mean is {number(self.middle)}."
            f"{grows if many < self.grows else ''}"
        )
