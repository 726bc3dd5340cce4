"""Measures of yes-or-no features: two rows of a table, column by column."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from algorithms.clustering.similarity_measures.binary_measures import MEASURES, BinaryStep
from algorithms.data.baskets import Baskets
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE, rgb
from viz.core.words import listed, number

_QUIET = 0.6  # opacity of the answers in rows that are not compared
_TIE = 1e-9  # distances that differ by less are equal
_SHADES = (  # of rows that are not compared, then of both, only the first, only the other, neither
    "rgba(122, 127, 135, 0.12)",
    f"rgba{(*rgb(PALETTE[0]), 0.6)}",
    f"rgba{(*rgb(PALETTE[1]), 0.5)}",
    f"rgba{(*rgb(PALETTE[4]), 0.5)}",
    "rgba(122, 127, 135, 0.4)",
)


class YesOrNo(Show[BinaryStep]):
    """A shopper beside one other shopper after the other."""

    opens = 2

    note = (
        "A dash is a no. The colours of the two rows that are compared: who of the two bought the "
        "goods, both, only one of them or neither. A ring is around the nearest so far by each "
        "measure, or around several that are equally near. The distance by shared yes is that of "
        "Russell and Rao. Eight shoppers and ten goods, made up "
        "for this lab; the points on the board are not used."
    )

    def __init__(self, run: Run, baskets: Baskets) -> None:
        """Keep the table; there are no points on a plane."""
        self.steps: Sequence[BinaryStep] = run.steps
        self.baskets = baskets

    def views(self) -> list[View]:
        """Return the table, the distances, and the four counts."""
        return [
            View("Who bought what, and how the two agree", self.picture),
            View("How far the others are; ringed: nearest so far", self.distances),
            View("The columns counted", self.four),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the table; the two rows that are compared are shaded by who bought the goods."""
        step, data = self.steps[now], self.baskets
        shoppers, goods = list(data.shoppers), list(data.goods)
        rows, columns = np.indices(data.bought.shape).reshape(2, -1)
        compared = np.isin(rows, [step.row, step.other])
        answers = [_answers(data, rows[part], columns[part]) for part in (compared, ~compared)]
        strong = answers[0] | {"textfont": {"weight": 700}}
        quiet = answers[1] | {"opacity": _QUIET}
        found, tied = kinds(step), self._nearest(step)
        names = [f"nearest: <b>{name}</b>" if name in tied else name for name in shoppers]
        shades = np.zeros(data.bought.shape, int)
        shades[[step.row, step.other]] = np.array(found) + 1
        cells = _cells(goods, shoppers, shades.tolist())
        layout = curves.panel_layout(
            xaxis={"side": "top", "showgrid": False, "tickangle": -40, "ticks": ""},
            yaxis={"autorange": "reversed", "showgrid": False, "ticks": ""},
        )
        layout["yaxis"] |= {"tickvals": shoppers, "ticktext": names}
        layout["margin"] = {"l": 112, "r": 12, "t": 60, "b": 10}
        return {"data": [cells, strong, quiet], "layout": layout}

    def distances(self, now: int) -> Figure:
        """Write the distances of all rows compared so far; ring the nearest by each measure."""
        step = self.steps[now]
        others = [name for i, name in enumerate(self.baskets.shoppers) if i != step.row]
        known = step.distances[:, step.compared]
        places = [(j, i) for i in range(len(MEASURES)) for j in range(known.shape[1])]
        x, y = (list(each) for each in zip(*places, strict=True))
        numbers = _texts(x, y, [number(float(known[i, j]), 2) for j, i in places])
        ring = {"symbol": 100, "size": 34, "line": {"width": 2}}
        least, by = np.nonzero(known <= known.min(axis=1, keepdims=True) + _TIE)
        nearest = numbers | {"mode": "markers", "marker": ring, "text": []}
        nearest |= {"x": by.tolist(), "y": least.tolist()}
        layout = curves.panel_layout(
            xaxis={"side": "top", "showgrid": False, "range": [-0.5, len(others) - 0.5]},
            yaxis={"range": [len(MEASURES) - 0.5, -0.5], "showgrid": False},
        )
        rows = [f"<b>{name}</b>" if name == step.measure else name for name in MEASURES]
        layout["xaxis"] |= {"tickvals": list(range(len(others))), "ticktext": others}
        layout["yaxis"] |= {"tickvals": list(range(len(MEASURES))), "ticktext": rows}
        layout["margin"] = {"l": 118, "r": 8, "t": 28, "b": 8}
        return {"data": [numbers, nearest], "layout": layout}

    def four(self, now: int) -> Figure:
        """Write the four counts as a table of two by two."""
        step = self.steps[now]
        counts = step.counts[step.other].tolist()
        this, other = (self.baskets.shoppers[i] for i in (step.row, step.other))
        cells = _cells([0, 1], [0, 1], [[1, 2], [3, 4]])
        said = "both", f"only {this}", f"only {other}", "neither"
        texts = [f"{who}: {n}" for who, n in zip(said, counts, strict=True)]
        layout = curves.panel_layout(
            xaxis={"side": "top", "showgrid": False, "range": [-0.5, 1.5], "tickvals": [0, 1]},
            yaxis={"range": [1.5, -0.5], "showgrid": False, "tickvals": [0, 1]},
        )
        layout["xaxis"]["ticktext"] = [f"{other}: yes", f"{other}: no"]
        layout["yaxis"]["ticktext"] = [f"{this}: yes", f"{this}: no"]
        layout["margin"] = {"l": 80, "r": 8, "t": 28, "b": 8}
        large = _texts([0, 1, 0, 1], [0, 0, 1, 1], texts) | {"textfont": {"size": 20}}
        return {"data": [cells, large], "layout": layout}

    def caption(self, now: int) -> str:
        """Write the distance of the two, and who is nearest; below, the rule with its counts."""
        step, names = self.steps[now], self.baskets.shoppers
        this, other = names[step.row], names[step.other]
        p, q, r, s = step.counts[step.other].tolist()
        far, shortest = float(step.by[step.other]), float(step.by[step.nearest])
        tied = self._nearest(step)
        nearest, are, least = listed(tied), "is" if len(tied) == 1 else "are", number(shortest)
        n = p + q + r + s
        differ = f"{q} only {this}, {r} only {other}"
        ways = {
            "simple matching": f"They differ in {q + r} of {n} goods ({differ}): {q + r} / {n}",
            "Jaccard": (
                f"One or both bought {p + q + r} goods, and they differ in {q + r} of them "
                f"({differ}): {q + r} / {p + q + r}"
            ),
            "shared yes": f"Both bought {p} of {n} goods: 1 − {p} / {n}",
            "shared no": f"Neither bought {s} of {n} goods: 1 − {s} / {n}",
        }
        rule = f"{ways[step.measure]} = {number(far)}, the {step.measure} distance."
        if p + q + r == 0 and step.measure == "Jaccard":
            rule = "Neither has any yes, so no goods count: 0, the Jaccard distance."
        if step.event == "all compared":
            end = f"All are compared: {nearest} {are} nearest to {this}, at {least}."
        elif step.nearest == step.other:
            end = f"{other} is the nearest so far."
        elif other in tied:
            end = f"{nearest} are equally near, at {least}."
        else:
            end = f"{nearest} {are} nearer, at {least}."
        return f"The distance of {this} and {other} is {number(far)}. {end}\n{rule}"

    def _nearest(self, step: BinaryStep) -> list[str]:
        """Return who is nearest so far; several if they are equally near."""
        shortest = float(step.by[step.nearest])
        near = (i for i in sorted(step.compared) if step.by[i] <= shortest + _TIE)
        return [self.baskets.shoppers[i] for i in near]

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next row is nearer than the nearest so far."""
        before, after = self.steps[now], self.steps[now + 1]
        far, least = float(after.by[after.other]), float(after.by[before.nearest])
        if far == least:
            return None
        names = self.baskets.shoppers
        this, other, nearest = (names[i] for i in (after.row, after.other, before.nearest))
        options = [Option(f"{other} is nearer"), Option(f"{nearest} stays nearer")]
        right, wrong = options if far < least else options[::-1]
        reason = f"{other} is at {number(far)}, {nearest} at {number(least)} ({after.measure})."
        text = f"{other} comes next. Who is nearer to {this}, {other} or {nearest}?"
        return question(text, right, [wrong], reason)


def kinds(step: BinaryStep) -> list[int]:
    """Return who of two rows has a yes in each column.

    0: both, 1: only the first row, 2: only the other one, 3: neither.
    """
    this, other = step.table[[step.row, step.other]]
    return (2 * ~this + ~other).tolist()


def _cells(x: list, y: list, shades: list) -> dict:
    """Shade the cells of two axes: each by its place in `_SHADES`."""
    scale = [[(i + end) / len(_SHADES), shade] for i, shade in enumerate(_SHADES) for end in (0, 1)]
    return {
        "type": "heatmap",
        "name": "how the two rows agree in a column",
        "x": x,
        "y": y,
        "z": shades,
        "zmin": -0.5,
        "zmax": len(_SHADES) - 0.5,
        "colorscale": scale,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }


def _answers(data: Baskets, rows: np.ndarray, columns: np.ndarray) -> dict:
    """Write the answers in some cells of the table."""
    said = ["yes" if bought else "–" for bought in data.bought[rows, columns]]
    who, what = (
        [names[i] for i in at] for names, at in ((data.shoppers, rows), (data.goods, columns))
    )
    return _texts(what, who, said)


def _texts(x: list, y: list, texts: list[str]) -> dict:
    """Write texts at places of two axes that have names."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": x,
        "y": y,
        "text": texts,
        "hoverinfo": "skip",
        "showlegend": False,
    }
