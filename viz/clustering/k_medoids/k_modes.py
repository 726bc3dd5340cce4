"""k-modes: a table whose rows stand below the mode of their cluster.

A cell has the colour of its cluster if it agrees with the mode, and a frame if it differs: the cost
is the number of frames. Between two steps rows travel to their new cluster.
"""

from html import escape

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_medoids.categories import Categories
from algorithms.clustering.k_medoids.k_modes import KModesStep, counts, matching
from viz.core import curves, plane
from viz.core.graph import strokes, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import RGB, color, symbol
from viz.core.words import capital, counted, listed

_FRAME = np.array([[0.03, -0.4], [0.03, 0.4], [0.97, 0.4], [0.97, -0.4], [0.03, -0.4]])
_MODE, _AGREES = 150, 60  # opacity of 255 of the cells of a mode, and of those that agree with it
_SHARP = 8  # cells of the shades' image for a letter and for a row, so that edges are not blurred
_TOGETHER = 0.8  # of the room of a value: the bars of all clusters
_GAP = 0.35  # between two clusters, in rows
_ROOM = {"l": 44, "r": 10, "t": 6, "b": 36}  # below, for the button of the legend


class Modes(Show[KModesStep]):
    """The half-steps, in the table; the values of one column; the cost."""

    def __init__(self, run: Run, table: Categories, row: int, column: int) -> None:
        """Lay out the columns. row, column : the picked cell, which can be changed."""
        super().__init__(run)
        self.table, self.row, self.column = table, row, column
        self.k = len(self.steps[0].modes)
        words = [[table.values[j][v] for v in table.rows[:, j]] for j in range(len(table.columns))]
        named = zip(["", *table.columns], [table.names, *words], strict=True)
        self.width = np.array([max(map(len, [head, *cells])) + 2.0 for head, cells in named])
        self.width[0] += 2  # for the sign of the cluster
        self.words = [word for line in zip(table.names, *words, strict=True) for word in line]
        self.costs = [step.cost for step in self.steps]
        self.note = (
            "A cell with a frame differs from the mode of its cluster and costs 1. The triangle "
            "marks the picked row, and ▸ a row that has changed its cluster."
        )

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return len(self.table.rows)

    def views(self) -> list[View]:
        """Return the table, the values of the picked column, and the cost."""
        title = f"{self.table.columns[self.column].capitalize()}: rows of each cluster by value"
        return [
            View("Rows below the mode of their cluster", self.picture, board=False),
            View(title, self.by_value, board=False),
            View(
                "Cost at every step", curves.timeline({"cost": self.costs}),
                ahead="by step", board=False,
            ),
        ]  # fmt: skip

    def _heights(self, now: int) -> tuple[ndarray, ndarray]:
        """Return where the modes and the rows stand, from 1 downwards."""
        labels = self.steps[now].labels
        modes, rows, y = np.zeros(self.k), np.zeros(self.n), 1.0
        for j in range(self.k):
            mine = np.flatnonzero(labels == j)
            modes[j], rows[mine] = y, y + 1 + np.arange(len(mine))
            y += 1 + len(mine) + _GAP
        return -modes, -rows

    def picture(self, now: int) -> Figure:
        """Draw the table."""
        step, table = self.steps[now], self.table
        modes, rows = self._heights(now)
        differs = table.rows != step.modes[step.labels]
        end = self.width.cumsum()
        middle, start = end - self.width / 2, end - self.width
        bottom = -(self.n + self.k + _GAP * (self.k - 1)) - 0.5
        box = (0.0, float(end[-1]), bottom, 0.6)
        heads = [f"<b>{escape(name)}</b>" for name in table.columns]
        named = []
        for j, mode in enumerate(step.modes.tolist()):
            values = [escape(table.values[c][v]) for c, v in enumerate(mode)]
            named += [f"<b>{word}</b>" for word in (f"mode {j + 1}", *values)]
        frames = [
            _FRAME * [self.width[c + 1], 1] + [start[c + 1], rows[i]]
            for i, c in np.argwhere(differs).tolist()
        ]
        before = self.steps[max(now - 1, 0)].labels
        moved = np.flatnonzero(step.labels != before)
        signs = np.column_stack([np.full(self.n, 1.9), rows])
        traces = [
            self._shades(step, modes, rows, differs, box),
            _words(middle[1:], np.zeros(len(heads)), heads),
            _words(np.tile(middle, self.k), np.repeat(modes, len(middle)), named),
            _words(np.tile(middle, self.n), np.repeat(rows, len(middle)), self.words),
            strokes(
                np.reshape(frames, (-1, 5, 2)), line={"width": 2},
                name="frame: differs from the mode, costs 1",
            ),
            plane.line(
                signs, mode="markers", name="cluster of the row",
                marker={
                    "size": 10, "color": [color(int(j)) for j in step.labels],
                    "symbol": [symbol(int(j)) for j in step.labels],
                },
            ),
            plane.line(
                signs[moved] - [1.2, 0] if len(moved) else plane.GAP, mode="text",
                text=["▸"] * max(len(moved), 1), textfont={"size": 16},
            ),
            plane.line(
                np.array([[box[1] - 0.6, rows[self.row]]]), mode="markers",
                marker={"symbol": 7, "size": 11}, name="picked row",
            ),
        ]  # fmt: skip
        layout = without_axes(box, room=_ROOM)
        return {"data": traces, "layout": layout}

    def _shades(
        self, step: KModesStep, modes: ndarray, rows: ndarray, differs: ndarray, box: tuple
    ) -> dict:
        """Shade the modes, and the cells that agree with them."""
        tall = round(_SHARP * (box[3] - box[2]))
        cells = np.zeros((tall, _SHARP * int(self.width.sum())), np.uint8)
        edge = np.append(0, self.width.cumsum() * _SHARP).astype(int)
        shaded = [
            (y, c, 1 + 2 * (j % len(RGB)))
            for j, y in enumerate(modes) for c in range(len(self.width))
        ]  # fmt: skip
        shaded += [
            (rows[i], c + 1, 2 + 2 * (int(step.labels[i]) % len(RGB)))
            for i, c in np.argwhere(~differs).tolist()
        ]
        for y, c, ink in shaded:
            low = round(_SHARP * (y - 0.5 - box[2]))
            cells[low : low + _SHARP, edge[c] : edge[c + 1]] = ink
        colors = np.concatenate([np.zeros((1, 3)), np.repeat(RGB, 2, axis=0)]).astype(np.uint8)
        opacity = np.append(0, np.tile([_MODE, _AGREES], len(RGB))).astype(np.uint8)
        name = "colour of a cluster: its mode, and fainter the cells that agree with it"
        return plane.image(cells, colors, opacity, box) | {"name": name}

    def by_value(self, now: int) -> Figure:
        """Draw how many rows of each cluster have each value of the picked column."""
        step, c = self.steps[now], self.column
        names = list(self.table.values[c])
        bars = []
        each = [counts(self.table.rows, step.labels, j, c) for j in range(self.k)]
        rows = np.array([np.pad(count, (0, len(names) - len(count))) for count in each])
        top, wide = max(1, int(rows.max())), _TOGETHER / self.k
        there = rows > 0  # the bars of a value are in the middle above its name
        left = wide * (there.cumsum(axis=0) - there - there.sum(axis=0) / 2)
        for j, count in enumerate(rows):
            mode = np.arange(len(names)) == step.modes[j, c]
            bars.append({
                "type": "bar", "name": f"cluster {j + 1}", "x": names, "y": count.tolist(),
                "offset": left[j].tolist(), "width": wide,
                "marker": {
                    "color": color(j), "opacity": np.where(mode, 1.0, 0.45).tolist(),
                },
                "text": ["mode" if is_mode else "" for is_mode in mode.tolist()],
                "textposition": "outside", "textangle": 0, "cliponaxis": False,
                "hoverinfo": "skip", "showlegend": True,
            })  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category", "title": {"text": self.table.columns[c], "standoff": 4}},
            yaxis={"title": {"text": "rows"}, "range": [0, 1.3 * top], "nticks": 5},
        )
        return curves.with_legend({"data": bars, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the half-step did; below, the rule with its numbers, and the picked row."""
        step = self.steps[now]
        picked = self._picked(step)
        if now == 0:
            return (
                f"Start: {counted(self.k, 'row')} {'is' if self.k == 1 else 'are'} drawn as modes, "
                f"and each of the {self.n} rows joins the nearest one.\n"
                "The cost is the number of framed cells, which differ from their mode: "
                f"{step.cost} of {self.table.rows.size}.\n"
                f"{picked}"
            )
        before = self.steps[now - 1]
        cost = f"the cost falls to {step.cost}" if step.cost < before.cost else (
            f"the cost stays at {step.cost}"
        )  # fmt: skip
        numbers = f"Cost {before.cost} → {step.cost} differing cells."
        if step.phase == "move":
            changed = np.argwhere(step.modes != before.modes)
            what = f"{counted(len(changed), 'cell')} of the modes change{'s' * (len(changed) == 1)}"
            if len(changed) == 0:
                what = "each mode already has the commonest values"
                return f"Move: {what}; {cost}.\n{numbers}\n{picked}"
            rule = self._commonest(step, before, changed)
            return f"Move: {what}; {cost}.\n{numbers} {rule}\n{picked}"
        moved = np.flatnonzero(step.labels != before.labels)
        if len(moved) == 0:
            return (
                f"Assign: no row changes its cluster: converged, at a cost of {step.cost}.\n"
                f"{numbers}\n{picked}"
            )
        names = [self.table.names[i] for i in moved.tolist()]
        who = listed(names) if len(names) < 4 else f"{len(names)} rows"
        goes = "goes" if len(names) == 1 else "go"
        ending = {"empty cluster": " A cluster has no rows: its mode stays."}.get(
            step.event or "", ""
        )
        rule = f"{numbers}{self._ties(step, before, moved)}"
        return f"Assign: {who} {goes} to another cluster; {cost}.{ending}\n{rule}\n{picked}"

    def _ties(self, step: KModesStep, before: KModesStep, moved: ndarray) -> str:
        """Write which rows change only because of a tie, which the first mode wins."""
        far = matching(self.table.rows[moved], step.modes)
        rows = np.arange(len(moved))
        tied = far[rows, before.labels[moved]] == far[rows, step.labels[moved]]
        names = [self.table.names[i] for i in moved[tied].tolist()]
        if not names:
            return ""
        who = listed(names) if len(names) < 4 else f"{len(names)} of these rows"
        one = f"{who} {'is' if len(names) == 1 else 'are'} equally near to the old mode"
        return f" {capital(one)}: in a tie the first mode takes the row."

    def _commonest(self, step: KModesStep, before: KModesStep, changed: ndarray) -> str:
        """Write how the cell of a mode was chosen that lowered the cost most."""

        def gain(cell: list[int]) -> int:
            j, c = cell
            count = counts(self.table.rows, step.labels, j, c)
            return int(count[step.modes[j, c]] - count[before.modes[j, c]])

        j, c = max(changed.tolist(), key=gain)
        count = counts(self.table.rows, step.labels, j, c)
        values, new, old = self.table.values[c], step.modes[j, c], before.modes[j, c]
        size = int((step.labels == j).sum())
        return (
            f"Mode {j + 1}, {self.table.columns[c]}: {values[new]} is in {count[new]} of its "
            f"{counted(size, 'row')}, {values[old]} in {count[old]}."
        )

    def _picked(self, step: KModesStep) -> str:
        far = matching(self.table.rows[[self.row]], step.modes)[0].tolist()
        least = min(far)
        nearest = listed([str(c + 1) for c, distance in enumerate(far) if distance == least])
        tied = far.count(least) > 1
        alike = f"modes {nearest} alike" if tied else f"mode {nearest}"
        tie = " In a tie the first mode takes the row." * tied
        said = f"Picked row, {self.table.names[self.row]}: nearest to {alike}, from which it "
        said += f"differs in {counted(least, 'column')}"
        others = [
            f"{distance} from mode {c + 1}" for c, distance in enumerate(far) if distance > least
        ]
        return f"{said}; in {listed(others)}.{tie}" if others else f"{said}.{tie}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which mode takes a row, or which value a mode gets in a column."""
        step, after = self.steps[now], self.steps[now + 1]
        return self._joins(step, rng) if after.phase == "assign" else self._value(step, after, rng)

    def _joins(self, step: KModesStep, rng: Generator) -> Question | None:
        far = matching(self.table.rows, step.modes)
        least = np.sort(far, axis=1)
        clear = np.flatnonzero(least[:, 0] < least[:, 1]) if self.k > 1 else np.array([], int)
        moving = clear[far[clear].argmin(axis=1) != step.labels[clear]]
        if len(clear) == 0:
            return None
        i = int(rng.choice(moving if len(moving) else clear))
        first, second = np.argsort(far[i], kind="stable")[:2].tolist()
        name = self.table.names[i]
        reason = (
            f"It differs in {counted(int(far[i, first]), 'column')} from mode {first + 1}, and in "
            f"{far[i, second]} from mode {second + 1}."
        )
        options = [Option(f"mode {j + 1}") for j in range(self.k)]
        others = [options[j] for j in np.argsort(far[i], kind="stable")[1:].tolist()]
        return question(f"Assign: which mode takes {name}?", options[first], others, reason)

    def _value(self, step: KModesStep, after: KModesStep, rng: Generator) -> Question | None:
        table = self.table
        asked = []
        for j, c in np.ndindex(step.modes.shape):
            count = np.sort(counts(table.rows, step.labels, j, c))[::-1]
            if len(count) > 1 and count[0] > count[1] > 0:
                asked.append((j, c))
        changing = [(j, c) for j, c in asked if step.modes[j, c] != after.modes[j, c]]
        if not asked:
            return None
        these = changing or asked
        j, c = these[int(rng.integers(len(these)))]
        count = counts(table.rows, step.labels, j, c)
        values, order = table.values[c], np.argsort(-count, kind="stable").tolist()
        options = [Option(values[v]) for v in order]
        reason = (
            f"In cluster {j + 1}, {values[order[0]]} is in {count[order[0]]} of "
            f"{counted(int(count.sum()), 'row')}, {values[order[1]]} in {count[order[1]]}."
        )
        text = f"Move: which value does mode {j + 1} get in the column “{table.columns[c]}”?"
        return question(text, options[0], options[1:], reason)


def _words(x: ndarray, y: ndarray, texts: list[str]) -> dict:
    return plane.line(np.column_stack([x, y]), mode="text", text=texts, textfont={"size": 14})
