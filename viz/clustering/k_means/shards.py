"""k-means by map and reduce: what each shard sends, and how the sums become centres.

A point has the colour of its cluster and the symbol of its shard. So have the means of the shards'
points in a cluster; lines lead from them to the centre that the reduce makes of their sums.
"""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.k_means.shards import ShardsStep
from viz.clustering.k_means import marks, questions
from viz.core import curves, naming, plane
from viz.core.found import Groups
from viz.core.graph import texts, without_axes
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, color, symbol
from viz.core.words import counted, decimal, number, numbered, rounded, vector

_KEY = "symbol: shard, colour: cluster<br>white edge: mean of a shard's points"
_FEW = 4  # shards whose sums a caption writes


class Shards(Show[ShardsStep]):
    """Map and reduce, the numbers of one cluster, and how many numbers travel."""

    note = (
        "Colour: the cluster of a point. Symbol: its shard. A large symbol is the mean of a "
        "shard's points in a cluster; the reduce makes the centre of their sums and numbers."
    )

    def __init__(self, run: Run, data: Plane, combiner: bool, picked: int) -> None:
        """Count the pairs. combiner : shards add their own pairs first. picked : the cluster."""
        super().__init__(run, data)
        self.half_steps = [step.half_step for step in self.steps]
        self.S, self.k = self.steps[0].counts.shape
        self.n, self.d = data.X.shape
        self.combiner, self.j = combiner, min(picked, self.k - 1)

    def views(self) -> list[View]:
        """Return the picture, the numbers of one cluster, and what travels."""
        return [
            View("Points of the shards, and centres", self.picture),
            View(f"Cluster {self.j + 1}: what each shard sends", self.table, 1.2, board=False),
            View("Numbers that travel in an iteration", self.travels, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the regions, the points, the shards' means, and their ways to the centres."""
        step, X = self.steps[now], self.data.X
        look = step.labels * self.S + step.shard
        points = plane.points(X, look, size=np.full(len(X), 0.85))
        points |= {
            "fills": [color(j) for j in range(self.k) for _ in range(self.S)],
            "symbols": [symbol(s) for _ in range(self.k) for s in range(self.S)],
        }
        s, j = np.nonzero(step.counts)
        means = step.sums[s, j] / step.counts[s, j][:, None]
        ways = plane.GAP
        if step.phase == "reduce":
            ways = plane.joined([np.stack(way) for way in zip(means, step.centers[j], strict=True)])
        x, y, cells = plane.grid(self.data.bounds, 160)
        owner = step.predict(cells).reshape(len(y), len(x))
        rings = X[marks.changed(self.half_steps, now)]
        traces = [
            plane.regions(owner, None, self.data.bounds, signs=False) | {"name": "nearest centre"},
            marks.borders(step.centers, self.data.bounds),
            plane.rings(rings, name="point that has changed its cluster"),
            plane.line(ways, line={"width": 2}, name="from the shards' means to the new centre"),
            plane.line(
                means, mode="markers", name="mean of a shard's points in a cluster",
                marker={
                    "size": 13, "symbol": [symbol(each) for each in s.tolist()],
                    "color": [color(each) for each in j.tolist()],
                    "line": {"width": 2, "color": "#ffffff"},
                },
            ),
            self._small(step.centers),
            naming.in_corner(_KEY, self.data.bounds),
        ]  # fmt: skip
        signs = {"points": "point: its cluster by colour, its shard by symbol"}
        data = self.data
        return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)

    def _small(self, centers: np.ndarray) -> dict:
        """Draw the centres as rings with their numbers beside them: the shards' means are seen."""
        ring = {"symbol": 100, "size": 26, "line": {"width": 3}}
        font = {"size": 18, "weight": 700, "shadow": "auto"}
        style = {"marker": ring, "textfont": font, "textposition": "top right"}
        return plane.centers(centers) | style

    def table(self, now: int) -> Figure:
        """Write the sums and numbers of the picked cluster, and what the reduce makes of them."""
        step, j = self.steps[now], self.j
        rows = [["shard", "n", *(f"Σ {name[:8]}" for name in self.data.names)]]
        for s in range(self.S):
            rows.append(self._row(f"{s + 1}", int(step.counts[s, j]), step.sums[s, j]))
        n, total = int(step.counts[:, j].sum()), step.sums[:, j].sum(axis=0)
        rows.append(self._row("all", n, total))
        mean = ["–"] * self.d if n == 0 else [decimal(value) for value in (total / n).tolist()]
        rows.append(["Σ / n", "", *mean])
        bold = [0, len(rows) - 2, len(rows) - 1]
        words = [
            f"<b>{word}</b>" if i in bold and word else word
            for i, row in enumerate(rows) for word in row
        ]  # fmt: skip
        across = np.array([0.0, 1.0, 2.2, 3.6])
        places = np.column_stack([
            np.tile(across, len(rows)), -np.repeat(np.arange(len(rows)), len(across)),
        ]).astype(float)  # fmt: skip
        signs = plane.line(
            np.column_stack([np.full(self.S, -0.5), -1.0 - np.arange(self.S)]), mode="markers",
            marker={
                "size": 12, "symbol": [symbol(s) for s in range(self.S)], "color": color(j),
            },
            name="symbol of a shard",
        )  # fmt: skip
        low = 0.5 - (len(rows) - 2)
        rule = plane.line(
            np.array([[-0.7, low], [4.4, low]]), line={"width": 1.5, "color": GREY}, name="sum"
        )
        box = (-0.8, 4.5, 0.5 - len(rows), 0.6)
        traces = [rule, signs, texts(places, words, textfont={"size": 15})]
        return {"data": traces, "layout": without_axes(box)}

    def _row(self, name: str, n: int, sums: np.ndarray) -> list[str]:
        return [name, str(n), *(decimal(value) for value in sums.tolist())]

    def _sent(self, step: ShardsStep) -> int:
        """Return the pairs that travel."""
        return step.pairs if self.combiner else self.n

    def travels(self, now: int) -> Figure:
        """Draw how many numbers travel: the points themselves, the pairs, and the centres."""
        step, pair = self.steps[now], self.d + 2
        counts = [
            ("all points", self.n * self.d),
            ("pairs", self.n * pair),
            ("combined", step.pairs * pair),
            ("centres, back", self.S * self.k * self.d),
        ]
        inks = [GREY, GREY if self.combiner else PALETTE[0], PALETTE[0] if self.combiner else GREY]
        top = max(count for _, count in counts)
        bars = {
            "type": "bar", "x": [name for name, _ in counts], "y": [count for _, count in counts],
            "text": [f"{count:,}" for _, count in counts], "textposition": "outside",
            "marker": {"color": [*inks, PALETTE[0]]}, "hoverinfo": "skip", "showlegend": False,
            "name": "numbers", "cliponaxis": False,
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={"title": {"text": "numbers"}, "range": [0, 1.2 * top], "nticks": 4},
        )
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the shards did; below, the pairs that travel or a centre's sums."""
        step = self.steps[now]
        sent, pair = self._sent(step), self.d + 2
        if step.phase == "map":
            single, sums = self.n * pair, step.pairs * pair
            travels = (
                f"Every point travels as a pair (j, (x, 1)) of {pair} numbers: {single} numbers. "
                f"With the combiner it would be {sums}."
            )
            if self.combiner:
                travels = (
                    f"{counted(sent, 'pair')} travel, each with a cluster's number, its sums and "
                    f"its count ({pair}): {sums} numbers. Without the combiner: {self.n} pairs, "
                    f"{single} numbers."
                )
            return f"{self._mapped(now)}\n{travels}"
        before = self.steps[now - 1].inertia
        falls = "falls" if step.inertia < before else "stays"
        how = "sums and numbers" if self.combiner else "the points of each cluster"
        said = (
            f"Reduce: {how} are added, and every centre moves; the inertia {falls} "
            f"{'to' if falls == 'falls' else 'at'} {rounded(step.inertia)}."
        )
        return f"{said}\n{self._reduced(step)} Lloyd's algorithm moves it to the same place."

    def _mapped(self, now: int) -> str:
        step = self.steps[now]
        who = f"Map: each of {counted(self.S, 'shard')} assigns its own points"
        if now == 0:
            return f"{who} to the first centres; the inertia is {rounded(step.inertia)}."
        if step.event == "converged":
            return f"{who}; no point changes its cluster: converged, at {rounded(step.inertia)}."
        changed = int(np.count_nonzero(marks.changed(self.half_steps, now)))
        change = "changes its" if changed == 1 else "change their"
        return f"{who}; {counted(changed, 'point')} {change} cluster."

    def _reduced(self, step: ShardsStep) -> str:
        """Write the picked centre as the sum of the shards' sums by that of their numbers."""
        j, n = self.j, int(step.counts[:, self.j].sum())
        if n == 0:
            return f"Cluster {j + 1} has no points: its centre stays."
        shown = step.counts[:, j].tolist()
        total = step.sums[:, j].sum(axis=0)
        sums = f"{vector(total)}"
        if self.S <= _FEW:
            parts = [f"({', '.join(number(v) for v in part)})" for part in step.sums[:, j].tolist()]
            sums = f"({' + '.join(parts)})"
        counts = " + ".join(map(str, shown))
        return f"{numbered('μ', j)} ← Σ S / Σ n = {sums} / ({counts}) = {vector(step.centers[j])}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what k-means asks about its half-steps."""
        return questions.half_step(self.data, self.half_steps, now, rng)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)
