"""The parts that both modes of DBSCAN draw: clusters, the ball, and the curves over eps.

Clusters have colours and symbols; noise is a grey cross, a point that no cluster has found yet a
grey dot. Border points are small, in a ring.
"""

import numpy as np
from numpy import ndarray

from algorithms.clustering.dbscan.dbscan import NOISE
from algorithms.clustering.dbscan.dbscan_by_eps import DensityLevels
from algorithms.clustering.dbscan.optics import Reachability
from viz.core import curves, panels, plane
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE, color, rgb, symbol
from viz.core.words import counted, listed, number

MOST_LINKED = 1_000  # points that are joined by lines; more would hide the points
MOST_DRAWN = 400  # points of the curve of radii
MOST_SIZES = 6  # clusters whose sizes are listed
THIN, THICK = 0.75, 3.5

_LOOKS = len(PALETTE) ** 2  # pairs of colour and symbol; then they come again
NOISE_LOOK, UNSEEN, _QUEUE = _LOOKS, _LOOKS + 1, _LOOKS + 2  # the queue's looks come last
_PALE = 0.45  # how much white is in the colour of a point in the queue
_FILLS = [*map(color, range(_LOOKS)), GREY, GREY]
_FILLS += [
    f"rgb{tuple(round(255 * _PALE + (1 - _PALE) * part) for part in rgb(each))}"
    for each in _FILLS[:_LOOKS]
]
_SYMBOLS = [*map(symbol, range(_LOOKS)), 4, 0, *map(symbol, range(_LOOKS))]
_LARGE, _SMALL, _CROSS = 1.0, 0.55, 0.9
BORDER_SIGNS = ["", "ring: a border point"]
_BORDER_RING = 17  # pixels
_AIR = f"rgba{(*rgb(GREY), 0.07)}"  # of the ball
_TURN = np.linspace(0, 2 * np.pi, 73)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


def clustered(
    X: ndarray,
    labels: ndarray,
    without: ndarray,
    core: ndarray,
    strength: ndarray | None = None,
    queue: ndarray | None = None,
    wrong: ndarray | None = None,
) -> dict:
    """Draw points in the looks of their clusters; `without` are the looks of those in none.

    queue : (n,) which points of clusters are pale, since they wait for their visit. wrong : (n,)
    which points have a thick outline.
    """
    look = np.where(labels == NOISE, without, labels % _LOOKS)
    if queue is not None:
        look = np.where(queue, _QUEUE + look, look)
    size = np.where(core, _LARGE, np.where(look == NOISE_LOOK, _CROSS, _SMALL))
    points = plane.points(X, look, wrong, size=size, strength=strength)
    return points | {"fills": _FILLS, "symbols": _SYMBOLS}


def border_rings(border: ndarray) -> dict:
    """Draw rings around border points: few are among many core points, and small."""
    return plane.marks(border, (100, 100), (0, _BORDER_RING), 2.0)


def ball(center: ndarray, eps: float) -> dict:
    """Draw the circle of radius eps."""
    return plane.line(
        center + eps * _CIRCLE,
        line={"width": 2.5},
        fill="toself",
        fillcolor=_AIR,
        name="ball of radius ε",
    )


def found(labels: ndarray) -> str:
    """Write the number of clusters, their sizes if they are few, and the number of noise points."""
    sizes = np.unique(labels[labels != NOISE], return_counts=True)[1]
    noise = int(np.count_nonzero(labels == NOISE))
    clusters = counted(len(sizes), "cluster").replace("0 clusters", "no cluster")
    if 0 < len(sizes) <= MOST_SIZES:
        clusters += f" of {listed([str(size) for size in sizes])} points"
    return f"{clusters}; {counted(noise, 'point')} {'is' if noise == 1 else 'are'} noise"


def radius_of(min_samples: int) -> str:
    """Write what the sorted distances are: a core point's ball has to be this large."""
    return f"Radius that holds {counted(min_samples, 'point')}"


def valleys(found: Reachability, labels: ndarray, eps: float, most: float) -> Figure:
    """Draw the reachability plot, with eps as a line; the first point of all has no reach.

    What is higher than the plot ends at its top.

    labels : of the clusters at this eps, which give the bars their colours. most : the largest eps.
    """
    n, top = len(labels), 1.05 * most
    places = np.linspace(0, n - 1, min(n, MOST_DRAWN)).round().astype(int)
    shown = found.order[places]
    colors = [GREY if label == NOISE else color(int(label)) for label in labels[shown]]
    reach = np.where(np.isfinite(found.reach), np.minimum(found.reach, top), 0.0)
    bars = {
        "type": "bar", "x": (places + 1).tolist(), "marker": {"color": colors},
        "y": plane.packed(reach[shown]), "hoverinfo": "skip",
        "width": n / len(places), "name": "reach of a point, in the colour of its cluster",
    }  # fmt: skip
    dashed = {"width": 2, "dash": "dash"}
    panel = panels.Panel(
        [bars, panels.curve([-n, 3 * n], [eps, eps], line=dashed, name="ε")],
        x=panels.axis("points in the order of OPTICS", 1, n),
        y={"title": {"text": "reach", "standoff": 4}, "range": [0, top], "nticks": 6},
    )
    return panels.alone(panel)


class Curves:
    """The sorted core distances, and how many clusters and noise points each eps leaves."""

    def __init__(self, levels: DensityLevels, radii: ndarray) -> None:
        """Prepare what no step changes. radii : (e,) ascending."""
        n, order = len(levels.X), levels.core_distances.argsort(kind="stable")
        shown = np.linspace(0, n - 1, min(n, MOST_DRAWN)).round().astype(int)
        path = np.column_stack([shown + 1.0, levels.core_distances[order[shown]]])
        path = path[np.isfinite(path[:, 1])]
        self.levels, self.radii, self.rank = levels, radii, order.argsort()
        self.path = plane.line(path if len(path) else plane.GAP, line={"width": 2})
        self.clusters = np.array([levels.clusters(eps) for eps in radii])
        self.noise = np.array([levels.noise(eps) for eps in radii])
        note = f"The curve of radii shows {MOST_DRAWN} of {n:,} points."
        self.thinned = [note] * (n > MOST_DRAWN)

    def distances(self, eps: float, point: int | None = None) -> Figure:
        """Draw the sorted core distances with eps as a line: points below the line are core points.

        point : has a dot; at the upper edge if its distance is larger.
        """
        levels, top, n = self.levels, 1.05 * float(self.radii[-1]), len(self.levels.X)
        if point is not None:  # eps is not dragged here: the curve fills the view
            known = levels.core_distances[np.isfinite(levels.core_distances)]
            top = min(top, 1.3 * float(known.max(initial=eps)))
        at = plane.GAP
        if point is not None:
            at = np.array([[self.rank[point] + 1.0, min(levels.core_distances[point], top)]])
        dashed = {"width": 2, "dash": "dash"}
        cores = levels.cores(eps)
        note = {
            "text": f"ε = {number(eps)}: {counted(cores, 'core point')}",
            "showarrow": False,
            **{"x": 0, "xref": "paper", "xanchor": "left", "xshift": 4},
            **{"y": eps, "yref": "y", "font": {"shadow": "auto"}},
            "yanchor": "bottom" if eps < 0.8 * top else "top",
        }
        panel = panels.Panel(
            [
                self.path,
                panels.curve([-n, 3 * n], [eps, eps], line=dashed),
                plane.line(at, mode="markers", marker=curves.DOT, cliponaxis=False),
            ],
            x=panels.axis("points, the densest first", 1, n),
            y={"title": {"text": "radius", "standoff": 4}, "range": [0, top], "nticks": 6},
            annotations=[note],
        )
        return panels.alone(panel)

    def counts(self, eps: float) -> Figure:
        """Draw the number of clusters and of noise points against eps, and mark this eps."""
        rows = (
            ("y", "clusters", [0.54, 1], self.clusters, self.levels.clusters(eps)),
            ("y2", "noise", [0, 0.46], self.noise, self.levels.noise(eps)),
        )
        traces, axes = [], {}
        for axis, name, domain, count, now in rows:
            x, y = plane.packed(self.radii), plane.packed(count)
            traces.append(panels.curve(x, y, line={"width": 2, "shape": "hv"}, yaxis=axis))
            traces.append(curves.marked(eps, now, yaxis=axis, showlegend=False))
            top = 1.12 * max(1, int(count.max()))
            look = {"title": {"text": name}, "domain": domain, "range": [0, top], "nticks": 5}
            axes[f"yaxis{axis[1:]}"] = look
        x = {"range": [0, 1.02 * float(self.radii[-1])], "anchor": "y2", "nticks": 8}
        layout = curves.panel_layout(xaxis=x, **axes, shapes=[curves.dotted(eps)])
        return {"data": traces, "layout": layout}
