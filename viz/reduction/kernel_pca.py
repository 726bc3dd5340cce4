"""Pictures and words for kernel principal components."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.core.kernels import GridSum
from algorithms.reduction.kernel_pca import KernelPcaStep
from viz.classification.svm.svm import level
from viz.core import curves, plane
from viz.core.words import number
from viz.reduction.pca import FAINT, GREY, looks, numbered
from viz.reduction.pca_words import enclosed

_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_SHADES = 10
_GREY = (122, 130, 140)
_SCORES = 600  # points in the plane of the scores, which changes with every step


def views(
    X: ndarray,
    group: ndarray,
    steps: Sequence[KernelPcaStep],
    z: ndarray,
    surface: ndarray,
    place: dict,
) -> dict:
    """Give all views. z : (n, k) scores; surface : see `scores_on`; place : bounds and names."""
    return {
        "Score of every place on this component: lines of equal z, thick z = 0": partial(
            picture, X, group, z, surface, **place
        ),
        "Scores of the points on the first component and this one": partial(scores, z, group),
        "Share of the variance in the space of features": partial(spectrum, steps),
    }


def scores_on(last: KernelPcaStep, bounds: plane.Bounds) -> ndarray:
    """Give (k, rows, columns): the score of every cell of the picture on every component."""
    if not last.kernel.separates:
        x, y, cells = plane.grid(bounds, _FEWER_CELLS)
        blocks = [last.transform(row) for row in np.split(cells, len(y))]
        return np.stack(blocks).transpose(2, 0, 1)
    x, y, _ = plane.grid(bounds, _CELLS)
    u, v = ((np.stack([x, y], axis=1) - last.mean) / last.scale).T
    grid = GridSum(last.kernel, last.points, np.ascontiguousarray(u), np.ascontiguousarray(v))
    return np.stack([grid(c) - b for c, b in zip(last.coefficients, last.offsets, strict=True)])


def picture(
    X: ndarray,
    group: ndarray,
    z: ndarray,
    surface: ndarray,
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the score on component `now` over the plane: shaded, with lines where it is equal."""
    values = surface[now]
    x, y, _ = plane.grid(bounds, len(values))
    contours = plane.contours(x, y, values)
    low, high = float(z[:, now].min()), float(z[:, now].max())
    share = (values - low) / ((high - low) or 1.0)
    shade = (share.clip(0, 1) * (_SHADES - 1)).round().astype(np.uint8)
    gray = np.tile(np.array([_GREY], np.uint8), (_SHADES, 1))
    levels = np.linspace(low, high, _SHADES + 1)[1:-1]
    traces = [
        plane.image(shade, gray, np.linspace(0, 150, _SHADES).astype(np.uint8), bounds),
        plane.points(X, group),
        level(contours, bounds, *levels, width=1),
        level(contours, bounds, 0.0, width=3.5),
    ]
    return plane.figure(traces, bounds, names)


def scores(z: ndarray, group: ndarray, now: int) -> dict:
    """Draw the points in the plane of the first component and component `now`."""
    rows = np.linspace(0, len(z) - 1, min(len(z), _SCORES)).round().astype(int)
    second = min(max(now, 1), z.shape[1] - 1)
    reach = 1.12 * np.abs(z[:, 0]).max(), 1.15 * np.abs(z).max()
    traces = [plane.line(z[rows][:, [0, second]], mode="markers", marker=looks(group[rows]))]
    layout = curves.panel_layout(
        xaxis={"range": [-reach[0], reach[0]], "title": {"text": "z₁"}, "nticks": 7},
        yaxis={"range": [-reach[1], reach[1]], "title": {"text": numbered("z", second)}}
        | {"nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def spectrum(steps: Sequence[KernelPcaStep], now: int) -> dict:
    """Draw the share of the variance in the space of features along every component."""
    explained = steps[-1].explained
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


def caption(X: ndarray, z: ndarray, steps: Sequence[KernelPcaStep], now: int) -> str:
    """Say what component `now` keeps, and how a point is projected onto it."""
    step = steps[now]
    mu, share = step.eigenvalues[now], 100 * step.explained[now]
    first = (
        f"Component {now + 1} of k(a, b) = {step.kernel}: {number(share)} % of the variance in the "
        f"space of features; together with those before {number(100 * step.explained.sum())} %."
    )
    i = int(np.abs(z[:, now]).argmax())
    c, b = step.coefficients[now], step.offsets[now]
    values = step.kernel(step.points, (X[i : i + 1] - step.mean) / step.scale)[:, 0]
    rule = (
        f"K̃ a = μ a with μ = {number(mu, 4)}; {numbered('z', now)}(x) = Σ cᵢ k(xᵢ, x) − Σ cᵢ mᵢ, "
        f"c = a / √μ, m the means of K. For point {i + 1}: {number(c @ values)} − {enclosed(b)} = "
        f"{number(z[i, now])}, the farthest from 0."
    )
    return f"{first}\n{rule}"


def centring(last: KernelPcaStep, n: int) -> str:
    """State how the kernel matrix is centred, and what is learned from."""
    p = len(last.points)
    part = "" if p == n else f" Learned from {p} evenly chosen of the {n} points."
    kind = "" if last.kernel.definite else " Components of negative eigenvalues are left out."
    return (
        "The matrix is centred, K̃ = K − 1K − K1 + 1K1: its column means (from "
        f"{number(last.column_means.min())} to {number(last.column_means.max())}, on average "
        f"{number(last.grand_mean)}) are taken away, so that the features have mean 0.{kind}{part}"
    )
