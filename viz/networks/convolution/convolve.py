"""The kernel at one place of a drawing after the other, its nine products, and the map."""

import math

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.networks.convolution.convolve import ConvolveStep, Pooling, pooled
from viz.core import curves, plane
from viz.core.graph import outlines, strokes, texts, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.told import told
from viz.core.words import counted, enclosed, number, rounded
from viz.networks.convolution import marks

REACH = 5.0  # the largest weight that can be dragged
TALL = 0.42  # of a cell: how high this weight is above the middle

_NOTHING = 1e-9  # a sum up to this is 0
_SMALL = 0.35  # diameter of a point, as a part of the usual one
_BELOW = 0.3  # opacity of a point on which a weight is written
_ABOVE = 1.2  # cells of room above the drawing, for the names of the classes
_NUMBERS = 1.2  # cells of room beside the output, for the numbers of its rows and columns
_VALUE = 3.0  # cells of room on its right, for the sum at hand
_PARTS, _SCALE, _SCALE_END = 14, 5.0, 8.6  # of the output's height: its scale is that far right
_TICK = 3  # cells from one number on the axes to the next
_VEIL = 0.3  # how grey a cell of the output is that is not computed yet
_FRAME = {"width": 3}
_OUTSIDE = 0.15  # cells from the kernel's corner to its handle, which hides no weight
_GRID = 0.35  # opacity of the cells' edges
_SIDE = 0.2  # of a cell: where its weight is drawn, from the left


def grips(kernel: ndarray) -> ndarray:
    """Return the (k, 2) places where the k weights of a kernel are drawn, row by row."""
    row, column = np.divmod(np.arange(kernel.size), kernel.shape[1])
    return np.column_stack([column + _SIDE, -row - 0.5 + TALL * kernel.ravel() / REACH])


class Convolve(Show[ConvolveStep]):
    """The window goes from place to place, row by row."""

    unit = "place"
    counts_from = 1
    opens = 134

    def __init__(
        self,
        run: Run,
        data: Plane,
        kernel: ndarray,
        image: ndarray,
        unshifted: Run,
        how: tuple[int, int, int],
        pooling: Pooling | None,
    ) -> None:
        """Find the boxes of drawing and map.

        image : the drawing after the shift, its first row at the top. unshifted : the run on the
        drawing before it. how : stride, padding and shift, in columns. pooling : of the map.
        """
        super().__init__(run, data)
        self.kernel = kernel
        self.pooling: Pooling | None = pooling
        self.stride, self.padding, self.shift = how
        self.x = np.pad(image, self.padding)
        self.whole = self.steps[-1].output
        self.reach = float(np.abs(self.whole).max())
        left, right, bottom, top = data.bounds
        self.cell = np.array([right - left, top - bottom]) / image.shape[::-1]
        dx, dy = self.padding * self.cell
        self.box = (left - dx, right + dx, bottom - dy, top + dy)
        self.corner = np.array([left - dx, top + dy])
        self.seen = (*self.box[:3], self.box[3] + _ABOVE * self.cell[1])
        self.shifts = self._shifts(unshifted.steps[-1].output)
        self.note = self._note(image.size)

    def views(self) -> list[View]:
        """Return the drawing with the window, the map, the nine products, and the pooled map."""
        rows, columns = np.divmod(np.arange(len(self.steps)), self.whole.shape[1])
        ends = self.stride * np.column_stack([columns, rows]) + self.kernel.shape[::-1]
        at = self.corner + (ends + _OUTSIDE) * self.cell * [1, -1]
        at = np.column_stack([at[:, 0].clip(max=self.box[1]), at[:, 1].clip(self.box[2])])
        views = [
            View(
                "The drawing, and the kernel's nine weights at one place",
                self.picture, track=Track("Corner of the kernel", at[:, None]),
            ),
            View(
                "Output: blue > 0, orange < 0, grey to come",
                self.map, height=1.15 if self.pooling else 1.35, board=False,
            ),
            View(
                "Weight × cell = product. Drag a weight",
                self.products, height=1.0 if self.pooling else 1.25, board=False,
            ),
        ]  # fmt: skip
        if self.pooling:
            name = {"max": "largest", "mean": "mean"}[self.pooling]
            title = f"The output pooled: the {name} of each 2 x 2"
            views.append(View(title, self.pooled, height=0.85, board=False))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the drawing under the points, and the window with its weights."""
        data, step, kernel = self.data, self.steps[now], self.kernel
        row, column = np.divmod(np.arange(kernel.size), kernel.shape[1])
        at = self.stride * np.array([step.column, step.row])
        middle = np.column_stack([column, row]) + at + 0.5
        places = self.corner + middle * self.cell * [1, -1]
        low = self.corner + (at + np.array([0, kernel.shape[0]])) * self.cell * [1, -1]
        frame = marks.SQUARE * kernel.shape[::-1] * self.cell
        written = [_short(w) for w in kernel.ravel().tolist()]
        traces = [
            marks.greys(self.x, self.box, "cell of the drawing: 1"),
            self._cells(),
            outlines(frame, low[None], line=_FRAME, name="place of the kernel, with its weights"),
            texts(places, written, textfont={"weight": 700, "size": 16}),
            *self._key(),
        ]
        same = np.zeros(len(data.X), int)  # the classes play no part
        inside = (np.abs(data.X - low - frame.max(axis=0) / 2) < frame.max(axis=0) / 2).all(axis=1)
        faint = inside | (self.shift != 0)  # the points stay where they are drawn
        size, strength = np.full(len(data.X), _SMALL), np.where(faint, _BELOW, 1.0)
        points = plane.points(data.X, same, size=size, strength=strength)
        points |= {"fills": [GREY], "symbols": [0]}  # blue means above 0
        signs = {
            "points": "point that is drawn: it fills the cells around it",
            "strength": "faint: below the kernel's weights, or the cells are shifted",
        }
        names = ("column", "row")
        figure = plane.figure(traces, self.seen, names, points=points, signs=signs)
        for axis, name in enumerate(("xaxis", "yaxis")):
            count = np.arange(0, self.x.shape[1 - axis], _TICK)
            middles = self.corner[axis] + (count + 0.5) * self.cell[axis] * (1 - 2 * axis)
            numbers = [str(i + 1) for i in count.tolist()]
            figure["layout"][name] |= {"tickvals": middles.tolist(), "ticktext": numbers}
            figure["layout"][name] |= {"showgrid": False}
        return curves.with_legend(figure, x=0, xanchor="left")

    def _key(self) -> list[dict]:
        """Return the signs of the row above the picture."""
        looks = {
            "drawn point": {"size": 5, "color": GREY},
            "cell: 1": {"symbol": 1, "size": 14, "color": marks.ONE},
            "kernel": {"symbol": 101, "size": 14, "line": {"width": 3}},
            "its handle": {"symbol": 100, "size": 15, "line": {"width": 2}},
        }
        return [
            plane.line(plane.GAP, mode="markers", marker=look, name=name, showlegend=True)
            for name, look in looks.items()
        ]

    def _cells(self) -> dict:
        """Draw the edges of the cells."""
        left, right, bottom, top = self.box
        rows, columns = self.x.shape
        upright = [[(x, bottom), (x, top)] for x in np.linspace(left, right, columns + 1)]
        level = [[(left, y), (right, y)] for y in np.linspace(bottom, top, rows + 1)]
        return strokes(
            np.array(upright + level), line={"width": 1, "color": GREY}, opacity=_GRID,
            name="edges of the cells",
        )  # fmt: skip

    def map(self, now: int) -> Figure:
        """Draw the map so far, with a frame around the cell of this place."""
        step = self.steps[now]
        h, w = self.whole.shape
        part = h / _PARTS
        box = (-_NUMBERS, w + max(_VALUE, _SCALE_END * part), -h - 0.3, 0.3 + _NUMBERS)
        name = "number of the output: the stronger, the farther from 0"
        place = np.array([[step.column, -step.row - 1.0]])
        beside = np.array([[w, -step.row - 0.5]])
        value = {"weight": 700, "size": 17, "shadow": "auto"}
        rim = np.array([[0.0, -self.whole.shape[0]]])
        size = np.array(self.whole.shape[::-1])
        done = np.arange(self.whole.size).reshape(h, w) <= now
        traces = [
            marks.greys(
                np.where(done, 0.0, _VEIL), marks.table_box(self.whole.shape), "not computed yet"
            ),
            marks.signed(step.output, self.reach, marks.table_box(self.whole.shape), name),
            outlines(marks.SQUARE * size, rim, line={"width": 1, "color": GREY}, name="the output"),
            outlines(marks.SQUARE, place, line=_FRAME, name="sum of the nine products"),
            texts(
                beside,
                [f"\u00a0{_sum(step.value)}"],
                textposition="middle right",
                textfont=value,
            ),
            self._numbers(h, w),
            *self._scale(w + _SCALE * part, part, h),
        ]
        values = {f"column {j + 1}": column for j, column in enumerate(step.output.T)}
        rows = [str(i + 1) for i in range(len(self.whole))]
        figure = {"data": traces, "layout": without_axes(box, alike=True)}
        return figure | told("The output so far", "row", rows, values)

    def _numbers(self, h: int, w: int) -> dict:
        """Number every third row and column of the map, at its left and above it."""
        rows, columns = np.arange(0, h, _TICK), np.arange(0, w, _TICK)
        left = np.column_stack([np.full(len(rows), -_NUMBERS / 2), -rows - 0.5])
        above = np.column_stack([columns + 0.5, np.full(len(columns), 0.1 + _NUMBERS / 2)])
        written = [str(i + 1) for i in [*rows.tolist(), *columns.tolist()]]
        return texts(np.concatenate([left, above]), written, textfont={"color": GREY})

    def _scale(self, left: float, wide: float, h: int) -> list[dict]:
        """Draw which number each colour is, in a strip as high as the map."""
        shades = np.linspace(self.reach, -self.reach, marks.SHADES + 1)[:, None]
        box = (left, left + wide, -float(h), 0.0)
        size, low = np.array([wide, h]), np.array([[left, -float(h)]])
        at = np.array([[left + wide, y] for y in (-0.05 * h, -0.5 * h, -0.95 * h)])
        written = [f"\u00a0{number(value, 2)}" for value in (self.reach, 0.0, -self.reach)]
        return [
            marks.signed(shades, self.reach, box, "scale of the output's colours"),
            outlines(marks.SQUARE * size, low, line={"width": 1, "color": GREY}, name="the scale"),
            texts(at, written, textposition="middle right", textfont={"color": GREY}),
        ]

    def products(self, now: int) -> Figure:
        """Draw each weight as a stroke from 0, and write its product with the cell."""
        step, (a, b) = self.steps[now], self.kernel.shape
        ends = grips(self.kernel)
        row, column = np.divmod(np.arange(a * b), b)
        corners = np.column_stack([column, -row - 1.0])
        zero = np.column_stack([column + _SIDE, -row - 0.5])
        base = zero[:, None] + np.array([[-0.12, 0], [0.12, 0]])
        tracks = zero[:, None] + np.array([[0, -TALL], [0, TALL]])
        tables = (self.kernel, step.window, step.products)
        parts = zip(*(table.ravel().tolist() for table in tables), strict=True)
        written = [f"{_short(w)} × {number(x, 2)}<br>= <b>{_short(p)}</b>" for w, x, p in parts]
        thin = {"width": 1, "color": GREY}
        traces = [
            outlines(marks.SQUARE, corners, line=thin, name="cell of the kernel"),
            strokes(tracks, line=thin, name="from the least weight to the largest"),
            strokes(base, line=thin, name="weight 0"),
            strokes(np.stack([zero, ends], axis=1), line={"width": 6}, name="weight"),
            texts(
                corners + np.array([0.66, 0.5]),
                written,
                textfont={"size": 16, "color": [marks.ink(p) for p in step.products.ravel()]},
            ),
        ]
        return {"data": traces, "layout": without_axes(marks.table_box((a, b), 0.03))}

    def pooled(self, now: int) -> Figure:
        """Draw the pooled map, as far as its blocks are computed."""
        assert self.pooling
        cells = pooled(self.whole, self.pooling)
        u, v = np.indices(cells.shape)
        done = (2 * u + 1) * self.whole.shape[1] + 2 * v + 1 <= now
        name = "number of the pooled output: the stronger, the farther from 0"
        box = marks.table_box(cells.shape)
        rim = outlines(
            marks.SQUARE * cells.shape[::-1], np.array([[0.0, -cells.shape[0]]]),
            line={"width": 1, "color": GREY}, name="the pooled output",
        )  # fmt: skip
        traces = [
            marks.greys(np.where(done, 0.0, _VEIL), box, "not computed yet"),
            marks.signed(np.where(done, cells, 0.0), self.reach, box, name),
            rim,
        ]
        wide = marks.table_box(cells.shape, 0.2)
        return {"data": traces, "layout": without_axes(wide, alike=True)}

    def caption(self, now: int) -> str:
        """Write the sum, its nine products, and what the sum of the weights says."""
        step = self.steps[now]
        value = _zeroed(step.value)
        ink = ("", " (blue)", " (orange)")[int(np.sign(value))]
        said = (
            f"Row {step.row + 1}, column {step.column + 1} of the output{ink}: the nine "
            f"products add up to {rounded(value)}."
        )
        terms = zip(self.kernel.ravel().tolist(), step.window.ravel().tolist(), strict=True)
        products = [f"{_weight(w)} · {number(x)}" for w, x in terms if w * x]
        rule = f"Each weight times its cell, where neither is 0: {' + '.join(products)}"
        rule = f"{rule} = {_sum(step.value)}." if products else "Every product is 0."
        total = float(self.kernel.sum())
        kept = {0.0: ": flat areas become 0", 1.0: ": flat areas keep their brightness"}
        means = kept.get(round(total, 9), f": a flat area of 1 becomes {number(total)}")
        third = f"The weights add up to {_sum(total)}{means}."
        third = f"{third}{edges(self.kernel)} {self.shifts}".strip()
        if self.pooling:
            h, w = pooled(self.whole, self.pooling).shape
            part = {"max": "largest", "mean": "mean"}[self.pooling]
            third += f" Pooling keeps the {part} of each 2 x 2: {h} x {w} numbers in place of "
            third += f"{' x '.join(map(str, self.whole.shape))}."
        if now == len(self.steps) - 1:
            above, below = (int((sign * self.whole > _NOTHING).sum()) for sign in (1, -1))
            end = (
                f"All {now + 1} places are done: {above} sums are above 0 (blue), {below} below "
                "(orange)."
            )
            return f"{end}\n{said}\n{third}".strip()
        return f"{said}\n{rule}\n{third}".strip()

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the sign of the next sum."""
        step = self.steps[now + 1]
        value = _zeroed(step.value)
        options = [Option("above 0"), Option("0"), Option("below 0")]
        right = options[1 - int(np.sign(value))]
        text = (
            f"Next, the kernel gives the output in row {step.row + 1}, column {step.column + 1}. "
            "Is the sum of its nine products above 0, 0 or below 0?"
        )
        return question(text, right, options, f"The nine products add up to {number(value)}.")

    def _shifts(self, unshifted: ndarray) -> str:
        """Write in how many of the cells that stay inside the map shifts with the drawing."""
        if self.shift == 0:
            return ""
        said = f"Shifted by {counted(abs(self.shift), 'column')}"
        if self.shift % self.stride:
            return f"{said}, no multiple of the stride: the output need not shift with it."
        kept = self.whole.shape[1] - abs(self.shift) // self.stride
        a, b = (unshifted, self.whole) if self.shift > 0 else (self.whole, unshifted)
        same = np.abs(a[:, :kept] - b[:, -kept:]) <= _NOTHING
        return f"{said}: the output shifts with it, in {same.sum()} of {same.size} cells."

    def _note(self, cells: int) -> str:
        """Write the number of weights, and what is called convolution."""
        outputs, shared = self.whole.size, self.kernel.size
        size = " x ".join(map(str, self.whole.shape))
        return (
            f"The output has {size} numbers. They share {shared} weights. A fully connected layer "
            f"from the {cells} cells to as many numbers has {cells} · {outputs} = "
            f"{cells * outputs:,} weights. The kernel is not turned: strictly, this is the "
            "cross-correlation. The classes of the points play no part."
        )


def edges(kernel: ndarray) -> str:
    """Write which edges of a stroke are blue and orange, for a kernel of one direction alone."""
    for K, (near, far) in ((kernel, ("left", "right")), (kernel.T, ("upper", "lower"))):
        first = K[:, 0]
        alone = (-K[:, ::-1] == K).all() and (K[::-1] == K).all()
        if alone and first.any() and (first >= 0).all():
            return f" Blue: the {far} edges of strokes; orange: the {near} ones."
        if alone and first.any() and (first <= 0).all():
            return f" Blue: the {near} edges of strokes; orange: the {far} ones."
    return ""


def _short(weight: float) -> str:
    """Write a weight so that it fits into a cell."""
    return "⅑" if math.isclose(weight, 1 / 9) else number(weight, 2)


def _weight(weight: float) -> str:
    """Write a weight as the kernel shows it, in parentheses if it is below 0."""
    return "⅑" if math.isclose(weight, 1 / 9) else enclosed(weight)


def _zeroed(value: float) -> float:
    """Return 0 for a sum that only rounding errors keep from 0."""
    return 0.0 if abs(value) <= _NOTHING else value


def _sum(value: float) -> str:
    return number(round(_zeroed(value), 9))
