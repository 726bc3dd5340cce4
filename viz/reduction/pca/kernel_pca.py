"""Principal components in a kernel's space of features."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.kernels import GridSum
from algorithms.reduction.pca.class_share import class_share
from algorithms.reduction.pca.kernel_pca import KernelPcaStep
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import number, numbered
from viz.reduction.pca.marks import (
    FAINT,
    MOST_SCORES,
    preprocessing,
    shown_rows,
    small_points,
    with_the_rest,
)

_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_SHADES = 10
_FILLS = np.array([rgb(PALETTE[6])] * _SHADES, np.uint8)
_OPACITY = np.linspace(0, 130, _SHADES).astype(np.uint8)
_EXTREME, _TRIED = 0.05, 60  # of the cells: where a name may be, and how many of them are tried
_CLEAR = 0.01  # of a share
_RING = 0.025  # of the picture: radius of a ring, and room around it


class KernelPca(Show[KernelPcaStep]):
    """The score of every place on one component after the other.

    It opens on the component that separates the classes best.
    """

    unit = "component"
    counts_from = 1

    def __init__(self, run: Run, data: Plane, standardize: bool) -> None:
        """Compute the scores of all points and of the picture's cells."""
        super().__init__(run, data)
        last = self.steps[-1]
        self.z, self.surface = last.transform(data.X), scores_on(last, data.bounds)
        self.opens = int(class_share(self.z, data.labels).argmax())
        self.note = (
            "Lines join places of equal z, the thick one those with z = 0. The stronger the shade, "
            "the higher z. "
            f"{preprocessing(standardize)} {centring(last, len(data.X))}"
        )

    def views(self) -> list[View]:
        """Return the picture, the scores on two components, and the spectrum."""
        title = "Score of every place on this component: lines of equal z, thick z = 0"
        return [
            View(title, self.picture),
            View("Scores on two components", self.scores, board=False),
            View("Share of the variance in the space of features", self.spectrum),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the score on component `now` over the plane: shaded, with lines of equal score."""
        data, z, values = self.data, self.z, self.surface[now]
        farthest = self._farthest(now)
        x, y, cells = plane.grid(data.bounds, len(values))
        contours = plane.contours(x, y, values)
        low, high = float(z[:, now].min()), float(z[:, now].max())
        share = (values - low) / ((high - low) or 1.0)
        shade = (share.clip(0, 1) * (_SHADES - 1)).round().astype(np.uint8)
        levels = np.linspace(low, high, _SHADES + 1)[1:-1]
        traces = [
            plane.image(shade, _FILLS, _OPACITY, data.bounds)
            | {"name": "z: the stronger, the higher"},
            plane.level_lines(contours, data.bounds, *levels, name="places of equal z", width=1),
            plane.level_lines(contours, data.bounds, 0.0, name="z = 0", width=3.5),
            plane.rings(data.X[[farthest]], name="score farthest from 0"),
            *self._ends(cells, values.ravel(), farthest),
        ]
        points = plane.points(data.X, data.labels)
        return plane.figure(traces, data.bounds, data.names, points=points)

    def _ends(self, cells: ndarray, values: ndarray, farthest: int) -> list[dict]:
        """Name the highest and the lowest places, where words cover few points."""
        order = values.argsort(kind="stable")
        few = max(1, int(_EXTREME * len(order)))
        font = {"size": 17}
        left, right, bottom, top = self.data.bounds
        around = np.radians(np.arange(0, 360, 10))
        circle = np.stack([np.cos(around), np.sin(around)], axis=1) * [right - left, top - bottom]
        ring = self.data.X[farthest] + _RING * circle
        names = [
            naming.Name(
                name,
                [(cells[i], "middle center") for i in near[:: max(1, few // _TRIED)]],
                font,
                ring,
            )
            for name, near in (("z high", order[::-1][:few]), ("z low", order[:few]))
        ]
        return naming.clear_names(names, self.data.bounds, self.data.X)

    def _farthest(self, now: int) -> int:
        """Return the point whose score on component `now` is farthest from 0."""
        return int(np.abs(self.z[:, now]).argmax())

    def scores(self, now: int) -> Figure:
        """Draw the points in the plane of the first component and component `now`."""
        z, group = self.z, self.data.labels
        rows = shown_rows(len(z), MOST_SCORES)
        second = min(max(now, 1), z.shape[1] - 1)
        reach = 1.12 * np.abs(z[:, 0]).max(), 1.15 * np.abs(z).max()
        layout = curves.panel_layout(
            xaxis={"range": [-reach[0], reach[0]], "title": {"text": "z₁"}, "nticks": 7},
            yaxis={"range": [-reach[1], reach[1]], "title": {"text": numbered("z", second)}}
            | {"nticks": 5},
        )
        points = small_points(z[rows][:, [0, second]], group[rows])
        return {"data": [], "layout": layout, "points": points}

    def spectrum(self, now: int) -> Figure:
        """Draw the share of the variance in the space of features along every component."""
        explained = self.steps[-1].explained
        k = len(explained)
        bars = {
            "type": "bar",
            "x": list(range(1, k + 1)),
            "y": (100 * explained).tolist(),
            "marker": {"color": GREY, "opacity": [1.0 if j == now else FAINT for j in range(k)]},
            "hovertemplate": "component %{x}: %{y:.3g} %<extra></extra>",
        }
        layout = curves.panel_layout(
            xaxis={"range": [0.4, max(k, 2) + 0.6], "dtick": 1},
            yaxis={"range": [0, 110 * float(explained.max())], "nticks": 5, "ticksuffix": " %"},
        )
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what component `now` keeps, and how a point is projected onto it."""
        step, data, z = self.steps[now], self.data, self.z
        share = 100 * step.explained[now]
        all_so_far = number(100 * step.explained.sum())
        together = f", {all_so_far} % together with those before" if now else ""
        first = (
            f"Component {now + 1} holds {number(share)} % of the variance in the space of "
            f"features{together}."
        )
        i = self._farthest(now)
        c = step.coefficients[now]
        values = step.kernel(step.points, (data.X[i : i + 1] - step.mean) / step.scale)[:, 0]
        likeness, score, mean = with_the_rest(float(c @ values), float(z[i, now]))
        rule = (
            f"The ringed point {i + 1} has the score farthest from 0: its weighted likeness to all "
            f"points, {likeness}, minus the mean of that, {mean}, is {score}."
        )
        return f"{first}\n{rule}\nLikeness is the kernel k(a, b) = {step.kernel}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how much of the variance the components so far and the next one have together."""
        after = self.steps[now + 1]
        *known, new = (100 * after.explained).tolist()
        so_far = sum(known)
        total, *others = so_far + new, so_far + known[-1], so_far + new / 2, 100.0
        wrong = [other for other in others if abs(other - total) > 100 * _CLEAR and other <= 100]
        if not wrong:
            return None  # the caption has said all of it
        right, *options = (Option(f"{number(min(share, 100))} %") for share in (total, *wrong))
        reason = f"The next one has {number(new)} %; the one before it had {number(known[-1])} %."
        q = len(after.explained)
        text = f"How much of the variance in the space of features do {q} components have together?"
        return question(text, right, options, reason)


def scores_on(last: KernelPcaStep, bounds: Bounds) -> ndarray:
    """Return the score of every cell of the picture on every component, (k, rows, columns)."""
    if not last.kernel.separates:
        x, y, cells = plane.grid(bounds, _FEWER_CELLS)
        blocks = [last.transform(row) for row in np.split(cells, len(y))]
        return np.stack(blocks).transpose(2, 0, 1)
    x, y, _ = plane.grid(bounds, _CELLS)
    u, v = ((np.stack([x, y], axis=1) - last.mean) / last.scale).T
    grid = GridSum(last.kernel, last.points, np.ascontiguousarray(u), np.ascontiguousarray(v))
    return np.stack([grid(c) - b for c, b in zip(last.coefficients, last.offsets, strict=True)])


def centring(last: KernelPcaStep, n: int) -> str:
    """Write how the kernel matrix is centred, and from which points the run learns."""
    p = len(last.points)
    part = "" if p == n else f" Learned from {p} evenly chosen of the {n} points."
    kind = "" if last.kernel.definite else " Components of negative eigenvalues are left out."
    return (
        "The matrix is centred, K̃ = K − 1K − K1 + 1K1: its column means (from "
        f"{number(last.column_means.min())} to {number(last.column_means.max())}, on average "
        f"{number(last.grand_mean)}) are subtracted, so that the features have mean 0.{kind}{part}"
    )
