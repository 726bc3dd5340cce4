"""What the modes of factor analysis draw: points with noise, axes, bars, and correlations."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.factor_analysis.factor_analysis import (
    FLOOR,
    FactorAnalysisStep,
    least_noise,
)
from algorithms.reduction.factor_analysis.own_noise import Turned
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.naming import Name, clear_names, words
from viz.core.panels import label
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.told import told
from viz.core.words import fixed, number, numbered
from viz.reduction.pca.marks import within_the_picture

_REACH = 0.8  # of the way from the centre to the farther sides of the picture
LONG = 2.5  # deviations from the mean to the end of an axis

_SMALL, _FAINT = 0.5, 0.3  # size and strength of a point before the noise
_BEFORE = "small and faint: before the noise"
_ARC = 0.72  # of the axes' length, from the centre to the arc between two places of an axis
_LEAST_SPLIT = 1e-3  # of a part that has three digits in a sum
_SEEN = 0.05  # of the picture's side: noise that has room for its number
_ROOM = 0.05  # of the points with noise, around them
_SHORT = 2  # letters of a name beside a point's noise
_LETTERS = 34  # of all names below the bars
_MOST = 12  # columns with a name
_WRITTEN = 6  # columns: with more, no number fits into a cell
_SHADES = 24
_DEEP = 120  # opacity of 255 of a correlation of 1: its number is read without a halo
_SIGNED = np.array([rgb(PALETTE[1])] * _SHADES + [rgb(PALETTE[0])] * _SHADES, np.uint8)
_OPACITY = np.abs(np.linspace(-_DEEP, _DEEP, 2 * _SHADES)).astype(np.uint8)


def whole(step: FactorAnalysisStep) -> ndarray:
    """Return every column's variance; for one that does not vary, the mean of all."""
    return least_noise(step.covariance) / FLOOR


def parts(step: FactorAnalysisStep) -> ndarray:
    """Return the shares of every column's variance, (2, d): common, and its own noise."""
    return np.stack([step.common, step.noise_variances]) / whole(step)


def split(whole: float, common: float) -> tuple[str, str, str]:
    """Write a variance, its common part and its own noise, so that they add up as written."""
    own = whole - common
    smallest = min(whole, common, own)
    if not _LEAST_SPLIT <= smallest < 1 / _LEAST_SPLIT:
        return number(whole), number(common), number(own)
    decimals = max(2 - int(np.floor(np.log10(smallest))), 0)
    own = round(whole, decimals) - round(common, decimals)
    return fixed(whole, decimals), fixed(common, decimals), fixed(own, decimals)


def segments(start: ndarray, end: ndarray) -> ndarray:
    """Return (m, 2) ends of segments as one path with gaps."""
    return np.stack([start, end, np.full_like(end, np.nan)], axis=1).reshape(-1, 2)


def with_room(box: Bounds, X: ndarray) -> Bounds:
    """Return the box, made larger where points with noise would leave it."""
    left, right, bottom, top = box
    (low_x, low_y), (high_x, high_y) = X.min(axis=0), X.max(axis=0)
    room_x, room_y = _ROOM * (high_x - low_x), _ROOM * (high_y - low_y)
    return (
        min(left, float(low_x - room_x)), max(right, float(high_x + room_x)),
        min(bottom, float(low_y - room_y)), max(top, float(high_y + room_y)),
    )  # fmt: skip


def board(data: Plane, noisy: bool) -> tuple[dict, dict[str, str]]:
    """Draw the points of the board, small and faint if others have noise; return the signs, too."""
    if not noisy:
        return plane.points(data.X, data.labels), {}
    size, strength = (np.full(len(data.X), share) for share in (_SMALL, _FAINT))
    states = ["size", "strength"] if data.labels.any() else ["points", "size", "strength"]
    points = plane.points(data.X, data.labels, size=size, strength=strength)
    return points, dict.fromkeys(states, _BEFORE)


def noisy_points(given: ndarray | None, name: str, data: Plane) -> list[dict]:
    """Draw the points with noise in a column, if any has noise, and a key for those before it."""
    noisy = given is not None
    return [
        plane.line(
            plane.GAP if given is None else given, mode="markers", opacity=0.6,
            marker={"size": 9, "color": GREY}, showlegend=noisy,
            name=f"points with noise in {label(name, 12)}",
        ),
        plane.line(
            plane.GAP, mode="markers", marker={"size": 6, "color": PALETTE[0], "opacity": _FAINT},
            name="before the noise", showlegend=noisy and not data.labels.any(),
        ),
    ]  # fmt: skip


def noise_of(
    before: ndarray, after: ndarray, box: Bounds, name: str, whose: str = "the picked point"
) -> list[dict]:
    """Draw how noise in a column moves a point, and write how much noise it is."""
    moved = after - before
    upright = bool(moved[1])
    amount = float(moved[int(upright)])
    left, right, bottom, top = box
    seen = abs(amount) > _SEEN * (top - bottom if upright else right - left)
    unit = f" in {name}" if len(name) <= _SHORT else ""  # a long name has no room beside the line
    said = f"noise {'+' * (amount > 0)}{number(amount, 2)}{unit}" + "\u2002" * upright
    return [
        plane.line(
            np.stack([before, after]) if amount else plane.GAP, line={"width": 1.5},
            name=f"noise added to “{name}” of {whose}",
        ),
        plane.rings(after[None], name=whose.removeprefix("the "), size=13),
        words(
            (before + after) / 2 if seen else plane.GAP, said,
            "middle left" if upright else "top center", size=15,
        ),
    ]  # fmt: skip


def spread(X: ndarray) -> ndarray:
    """Return the deviations of the picture's two columns; 1 for both if one does not vary."""
    s = X.std(axis=0) if len(X) else np.ones(2)
    return s if (s > 0).all() else np.ones(2)


def true_to_scale(figure: Figure, X: ndarray) -> Figure:
    """Draw a deviation of either column equally long, so that angles are seen as they are."""
    s = spread(X)
    ratio = float(s[0] / s[1])
    if 0 < ratio < np.inf:
        figure["layout"]["yaxis"] |= {"scaleanchor": "x", "scaleratio": ratio}
    return figure


def square(box: Bounds, s: ndarray) -> Bounds:
    """Return the box, made as wide as high in deviations."""
    left, right, bottom, top = box
    half = s * float((np.array([right - left, top - bottom]) / 2 / s).max())
    x, y = (left + right) / 2, (bottom + top) / 2
    return float(x - half[0]), float(x + half[0]), float(y - half[1]), float(y + half[1])


def reach(center: ndarray, box: Bounds, s: ndarray) -> float:
    """Return how long both axes are drawn, to either side, in deviations."""
    left, right, bottom, top = box
    half = np.array(
        [min(center[0] - left, right - center[0]), min(center[1] - bottom, top - center[1])]
    )
    return _REACH * float((half / s).max())


def ended(way: ndarray, s: ndarray, length: float) -> ndarray:
    """Return the way with this length in deviations, and upwards."""
    size = float(np.linalg.norm(way / s))
    return (-1 if way[1] < 0 else 1) * way * (length / size if size > 0 else 0.0)


def arc(center: ndarray, start: ndarray, end: ndarray, s: ndarray, length: float) -> ndarray:
    """Return the arc from one direction to another, the shorter way, at this distance."""
    first, last = (float(np.arctan2(*(way / s)[::-1])) for way in (start, end))
    turned = (last - first + np.pi / 2) % np.pi - np.pi / 2
    t = np.linspace(first, first + turned, 33)
    return center + length * s * np.column_stack([np.cos(t), np.sin(t)])


def factors(center: ndarray, halves: ndarray, how_long: str = "") -> dict:
    """Draw the factors. halves : from the centre to their ends."""
    return plane.line(
        segments(center - halves, center + halves), line={"width": 4, "color": PALETTE[0]},
        name=f"factor f{how_long or f': {number(LONG)} deviations to both sides'}",
    )  # fmt: skip


def component(center: ndarray, half: ndarray) -> dict:
    """Draw PCA's first component. half : from the centre to its end."""
    return plane.line(
        np.stack([center - half, center + half]),
        line={"width": 3, "dash": "dash", "color": PALETTE[1]},
        name="PCA's first component of the same columns",
    )


def turning(center: ndarray, start: ndarray, end: ndarray, s: ndarray, ink: str, name: str) -> list:
    """Draw where an axis was before the noise, a thin half, and the angle by which it has turned.

    start, end : the ways from the centre to the end of this half. s : the columns' deviations.
    """
    size = _ARC * float(np.linalg.norm(start / s))
    return [
        plane.line(
            np.stack([center, center + start]),
            line={"width": 2, "dash": "dot", "color": ink},
            name=f"{name} before the noise", showlegend=True,
        ),
        plane.line(
            arc(center, start, end, s, size), line={"width": 4, "color": ink},
            name=f"angle by which {name} has turned",
        ),
    ]  # fmt: skip


def names(
    center: ndarray,
    halves: ndarray,
    component: ndarray,
    box: Bounds,
    taken: ndarray,
    angles: Sequence[str] = ("", ""),
) -> dict:
    """Write the names of the factors at their upper ends, and PCA's at its lower end.

    taken : (m, 2) points, of which the names cover few. angles : written after the factor's name
    and after PCA's.
    """
    up = np.where(halves[:, 1:] < 0, -halves, halves)
    down = component * (-1 if component[1] > 0 else 1)
    named = np.vstack([up, down])
    inside = within_the_picture(center, named, box)
    ends = np.where(np.abs(inside) < 0.85 * np.abs(named), inside, named)
    written = [f"factor{angles[0]}"]
    if len(halves) > 1:
        written = [numbered("factor", k) for k in range(len(halves))]
    written.append(f"PCA{angles[1]}")
    at = center + ends
    ways = ["top" if y > 0 else "bottom" for _, y in ends]
    tried = [
        Name(name, [(x, f"{way} center"), (x, f"{way} left"), (x, f"{way} right")], {})
        for name, x, way in zip(written, at, ways, strict=True)
    ]
    sides = [name["textposition"] for name in clear_names(tried, box, taken)]
    return texts(
        at, [f"<b>{name}</b>" for name in written],
        textposition=sides,
        textfont={"size": 17, "shadow": "auto"}
        | {"color": [PALETTE[0]] * len(halves) + [PALETTE[1]]},
    )  # fmt: skip


def shares(step: FactorAnalysisStep, names: Sequence[str], most: float) -> Figure:
    """Draw the parts of every column's variance. most : the largest sum of all steps."""
    long = [label(name, 30) for name in names]
    bars = [
        {
            "type": "bar", "name": name, "x": list(range(len(long))),
            "y": (100 * part).tolist(), "marker": {"color": color}, "customdata": long,
            "hovertemplate": f"%{{customdata}}, {name}: %{{y:.3g}} %<extra></extra>",
        }
        for name, part, color in zip(
            ("common", "own noise"), parts(step), (PALETTE[0], GREY), strict=True
        )
    ]  # fmt: skip
    layout = curves.panel_layout(
        barmode="stack",
        xaxis={"range": [-0.6, len(long) - 0.4]} | ticks(names),
        yaxis={"range": [0, 104 * max(most, 1.0)], "nticks": 5}
        | {"title": {"text": "% of the variance"}},
    )
    return curves.with_legend({"data": bars, "layout": layout})


def turns(turned: Turned, amount: float, column: str, several: bool) -> Figure:
    """Draw by how much the factors and the components turn, against the noise in a column."""
    amounts, *both = turned
    strokes = (
        {"width": 3, "color": PALETTE[0]},
        {"width": 3, "color": PALETTE[1], "dash": "dash"},
    )
    named = ("factors" if several else "factor", "PCA")
    data = []
    looks = curves.DOT, curves.HOLLOW
    for name, angles, stroke, look in zip(named, both, strokes, looks, strict=True):
        at = float(np.interp(amount, amounts, angles))
        data += [
            curves.against(name, amounts, angles, setting="noise", line=stroke, mode="lines"),
            curves.marked(amount, at, marker=look),
            texts(
                np.array([[amounts[-1], angles[-1]]]), [f"\u00a0\u00a0\u00a0<b>{name}</b>"],
                textposition="middle right", textfont={"color": stroke["color"]},
            ),
        ]  # fmt: skip
    most = max(5.0, 1.15 * max(float(angles.max()) for angles in both))
    layout = curves.panel_layout(
        xaxis={
            "range": [-0.03 * amounts[-1], 1.23 * amounts[-1]],
            "tickvals": [0, 1, 2, 3] if amounts[-1] > 2 else [0, 0.5, 1, 1.5, 2],
        }
        | {"title": {"text": f"noise in {label(column, 20)}, in deviations"}},
        yaxis={
            "range": [-0.06 * most, most],
            "nticks": 5,
            "title": {"text": "turned, °"},
        },
    )
    return {"data": data, "layout": layout}


def ticks(names: Sequence[str]) -> dict:
    """Return the ticks of an axis of columns: their names, or some of them."""
    shown = range(0, len(names), -(-len(names) // _MOST))
    most = max(5, _LETTERS // len(shown))
    return {"tickvals": list(shown), "ticktext": [label(names[j], most) for j in shown]}


def correlations(step: FactorAnalysisStep, names: Sequence[str]) -> Figure:
    """Draw the sample's correlations below the diagonal, and the implied ones above it.

    Both are divided by the sample's deviations, so the diagonal has implied over sample variance.
    """
    d = len(names)
    deviations = np.sqrt(whole(step))
    sample, implied = (
        each / np.outer(deviations, deviations) for each in (step.covariance, step.implied)
    )
    shown = np.where(np.tri(d, k=-1) > 0, sample, implied)[::-1]  # the first row is at the top
    box = (-0.5, d - 0.5, -0.5, d - 0.5)
    shade = np.rint((shown.clip(-1, 1) + 1) / 2 * (2 * _SHADES - 1)).astype(np.uint8)
    cells = plane.image(shade, _SIGNED, _OPACITY, box)
    cells |= {"name": "blue: positive, orange: negative", "zsmooth": False}
    _, _, places = plane.grid(box, d)
    written = [f"{value:.2f}".replace("-", "−") for value in shown.ravel()]
    if d > _WRITTEN:
        written = [""] * d**2
    numbers = texts(places, written)
    back = ticks(names)
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, d - 0.5], "showgrid": False} | back,
        yaxis={"range": [-0.5, d - 0.5], "showgrid": False, "scaleanchor": False}
        | {"tickvals": [d - 1 - j for j in back["tickvals"]], "ticktext": back["ticktext"]},
    )
    pairs = [(i, j) for i in range(d) for j in range(i)]
    rows = [f"{names[j]} and {names[i]}" for i, j in pairs]
    values = {
        name: np.array([each[i, j] for i, j in pairs])
        for name, each in (("sample", sample), ("implied", implied))
    }
    return {"data": [cells, numbers], "layout": layout} | told("Correlations", "pair", rows, values)
