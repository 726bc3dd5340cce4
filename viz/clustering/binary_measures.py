"""Pictures and words for measures of yes and no: two rows of a table, column by column."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.clustering.binary_measures import MEASURES, BinaryStep
from algorithms.data.baskets import Baskets
from viz.clustering.binary_measures_questions import ask
from viz.core import curves
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import PALETTE, rgb
from viz.core.words import number

_KINDS = ("p", "q", "r", "s")
_SHADES = (  # of rows that are not compared, then of p, q, r and s
    "rgba(122, 127, 135, 0.12)",
    f"rgba{(*rgb(PALETTE[0]), 0.6)}",
    f"rgba{(*rgb(PALETTE[1]), 0.5)}",
    f"rgba{(*rgb(PALETTE[4]), 0.5)}",
    "rgba(122, 127, 135, 0.4)",
)


def baskets(run: Run, data: Baskets) -> Scene:
    """Show a shopper beside one other after the other."""
    steps = run.steps
    views = [
        View("Who bought what, and how the two agree", table(data, steps)),
        View("How far the others are, by every measure", distances(data, steps)),
        View("The columns counted", lambda now: four(data, steps[now])),
    ]
    return Scene(views, lambda now: caption(data, steps[now]), note(), ask=ask(data, steps))


def kinds(step: BinaryStep) -> list[int]:
    """Tell for every column how the two rows agree: 0 for p, 1 for q, 2 for r, 3 for s."""
    this, other = step.table[[step.row, step.other]]
    return (2 * ~this + ~other).tolist()


def table(data: Baskets, steps: Sequence[BinaryStep]) -> Callable[[int], Figure]:
    """Draw the table; the two rows that are compared are shaded by p, q, r and s."""
    shoppers, goods = list(data.shoppers), list(data.goods)
    rows, columns = np.indices(data.bought.shape).reshape(2, -1)
    numbers = _texts(
        [goods[j] for j in columns],
        [shoppers[i] for i in rows],
        ["yes" if bought else "no" for bought in data.bought.ravel()],
    )
    layout = curves.panel_layout(
        xaxis={"side": "top", "showgrid": False, "tickangle": -40, "ticks": ""},
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "ticks": "",
            "categoryarray": [*shoppers, " "],
        },
    )
    layout["margin"] = {"l": 60, "r": 12, "t": 60, "b": 10}

    def draw(now: int) -> Figure:
        step = steps[now]
        found = np.array(kinds(step))
        shades = np.zeros(data.bought.shape, int)
        shades[[step.row, step.other]] = found + 1
        cells = _cells(goods, shoppers, shades.tolist())
        letters = _texts(goods, [" "] * len(goods), [_KINDS[kind] for kind in found])
        return {"data": [cells, numbers, letters], "layout": layout}

    return draw


def _cells(x: list, y: list, shades: list) -> dict:
    """Shade the cells of two axes: each by its place in `_SHADES`."""
    scale = [[(i + end) / len(_SHADES), shade] for i, shade in enumerate(_SHADES) for end in (0, 1)]
    return {
        "type": "heatmap",
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


def distances(data: Baskets, steps: Sequence[BinaryStep]) -> Callable[[int], Figure]:
    """Write the distances of all rows compared so far; the nearest of each measure is ringed."""
    first = steps[0]
    others = [name for i, name in enumerate(data.shoppers) if i != first.row]
    layout = curves.panel_layout(
        xaxis={"side": "top", "showgrid": False, "range": [-0.5, len(others) - 0.5]},
        yaxis={"range": [len(MEASURES) - 0.5, -0.5], "showgrid": False},
    )
    layout["xaxis"] |= {"tickvals": list(range(len(others))), "ticktext": others}
    layout["yaxis"] |= {"tickvals": list(range(len(MEASURES))), "ticktext": list(MEASURES)}
    layout["margin"] = {"l": 118, "r": 8, "t": 28, "b": 8}

    def draw(now: int) -> Figure:
        known = steps[now].distances[:, steps[now].compared]
        places = [(j, i) for i in range(len(MEASURES)) for j in range(known.shape[1])]
        x, y = (list(each) for each in zip(*places, strict=True))
        numbers = _texts(x, y, [number(float(known[i, j]), 2) for j, i in places])
        ring = {"symbol": 100, "size": 34, "line": {"width": 2}}
        nearest = numbers | {"mode": "markers", "marker": ring, "x": known.argmin(axis=1).tolist()}
        nearest |= {"y": list(range(len(MEASURES))), "text": []}
        return {"data": [numbers, nearest], "layout": layout}

    return draw


def four(data: Baskets, step: BinaryStep) -> Figure:
    """Write the four counts as a table of two by two."""
    counts = step.counts[step.other].tolist()
    this, other = data.shoppers[step.row], data.shoppers[step.other]
    cells = _cells([0, 1], [0, 1], [[1, 2], [3, 4]])
    texts = [f"{name} = {count}" for name, count in zip(_KINDS, counts, strict=True)]
    layout = curves.panel_layout(
        xaxis={"side": "top", "showgrid": False, "range": [-0.5, 1.5], "tickvals": [0, 1]},
        yaxis={"range": [1.5, -0.5], "showgrid": False, "tickvals": [0, 1]},
    )
    layout["xaxis"]["ticktext"] = [f"{other}: yes", f"{other}: no"]
    layout["yaxis"]["ticktext"] = [f"{this}: yes", f"{this}: no"]
    layout["margin"] = {"l": 80, "r": 8, "t": 28, "b": 8}
    return {"data": [cells, _texts([0, 1, 0, 1], [0, 0, 1, 1], texts)], "layout": layout}


def caption(data: Baskets, step: BinaryStep) -> str:
    """Say how far the two are, and who is nearest so far; below, the rule with its counts."""
    this, other, nearest = (data.shoppers[i] for i in (step.row, step.other, step.nearest))
    p, q, r, s = step.counts[step.other].tolist()
    far, least = float(step.by[step.other]), number(float(step.by[step.nearest]))
    n = p + q + r + s
    ways = {
        "simple matching": f"(q + r) / n = ({q} + {r}) / {n}",
        "Jaccard": f"(q + r) / (p + q + r) = ({q} + {r}) / {p + q + r}",
        "shared yes": f"1 − p / n = 1 − {p} / {n}",
        "shared no": f"1 − s / n = 1 − {s} / {n}",
    }
    rule = f"d = {ways[step.measure]} = {number(far)} ({step.measure})."
    if p + q + r == 0 and step.measure == "Jaccard":
        rule = "d = 0: neither has any yes, and no more can be said (Jaccard)."
    if step.event == "all compared":
        end = f"All are compared: {nearest} is nearest to {this}, at {least}."
    elif step.nearest == step.other:
        end = "The nearest so far."
    else:
        end = f"{nearest} is nearer, at {least}."
    goods = f"Both bought {p} of {n} goods, only one of them {q + r}, neither {s}."
    return f"{this} and {other} are {number(far)} apart. {end}\n{rule}\n{goods}"


def note() -> str:
    """Say what the letters mean."""
    return (
        "p: both yes. q: yes in the first row alone, r: in the other alone. s: both no. A ring is "
        "around the nearest so far by each measure, the first one in a tie. Eight shoppers and ten "
        "goods, made up for this lab; the points on the board are not used."
    )
