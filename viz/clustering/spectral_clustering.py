"""Pictures and words for spectral clustering: graph, eigenvectors, k-means on their rows."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.spectral_clustering import SimilarityGraph, SpectralStep
from viz.clustering import spectral_clustering_questions
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import counted, listed, number, numbered

_LINKED = 4  # edges of a point that are drawn, those to the nearest; fewer if there are many points
_EDGES = 1600  # drawn at most, about
_THICK = 3.0  # pixels of an edge of weight 1
_SMALLEST, _LARGEST = 0.35, 1.5  # diameters of the points, of the usual one
_ROW = 4  # coordinates that are written out
_ROUNDING = 1e-9  # of the largest entry of an eigenvector
_TURN = np.linspace(0, 2 * np.pi, 73)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


def coordinates(run: Run, data: Plane, query: ndarray) -> Scene:
    """Show the graph, the points in the coordinates of its eigenvectors, and the eigenvalues.

    query : the picked point; the data point nearest to it is meant.
    """
    steps = run.steps
    graph, k = steps[0].graph, steps[0].embedding.shape[1]
    point = int(cdist(query[None], data.X)[0].argmin())
    edges, ball = drawn_edges(data.X, graph), _ball(data.X[point], graph.gamma)
    first, second = axes(k)
    names = f"{numbered('u', first)} and {numbered('u', second)}"
    views = [
        View("Points and their graph", lambda now: picture(data, steps[now], edges, ball)),
        View(f"Eigenvectors as coordinates: {names}", lambda now: rows(steps[now], point)),
        View("Eigenvalues λ; the bar is the widest gap", eigenvalues(steps)),
    ]

    def words(now: int) -> str:
        return f"{caption(steps, now)}\n{picked(steps[now], point)}"

    return Scene(
        views,
        words,
        note(len(data.X), graph),
        ask=spectral_clustering_questions.ask(data, steps),
    )


def picture(data: Plane, step: SpectralStep, edges: dict, ball: dict) -> Figure:
    """Draw points and edges: as large as their degree or their entry, then in their clusters."""
    group, size = look(step)
    points = plane.points(data.X, group, size=size)
    return plane.figure([ball], data.bounds, data.names, points=points, edges=edges)


def look(step: SpectralStep) -> tuple[ndarray, ndarray]:
    """Give the points' groups and sizes: degree, sign and size of an entry, or cluster."""
    n = len(step.labels)
    if step.phase == "k-means":
        return step.labels, np.ones(n)
    if step.phase == "graph":
        degrees = np.full(n, step.graph.degrees.mean())
        degrees[step.graph.learned] = step.graph.degrees
        return step.labels, _sizes(degrees)
    entries = entries_of(step)
    return (entries < 0).astype(int), _sizes(np.abs(entries))


def entries_of(step: SpectralStep) -> ndarray:
    """Give the entries of the latest eigenvector, those that are rounding as 0."""
    entries = step.graph.coordinates[:, step.j - 1]
    return np.where(np.abs(entries) > _ROUNDING * np.abs(entries).max(), entries, 0.0)


def _sizes(values: ndarray) -> ndarray:
    return _SMALLEST + (_LARGEST - _SMALLEST) * values / (values.max() or 1.0)


def drawn_edges(X: ndarray, graph: SimilarityGraph) -> dict:
    """Draw every point's heaviest edges, as wide as they weigh."""
    m = len(graph.weights)
    links = min(max(1, min(_LINKED, _EDGES // m)), m - 1)
    nearest = cdist(X[graph.learned], X[graph.learned]).argsort(axis=1)[:, 1 : links + 1]
    ends = np.column_stack([np.repeat(np.arange(m), links), nearest.ravel()])
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    a, b = ends[ends[:, 0] != ends[:, 1]].T
    places = X[graph.learned]
    return plane.edges(places[a], places[b], width=_THICK * graph.weights[a, b])


def _ball(center: ndarray, gamma: float) -> dict:
    """Draw where an edge to this point weighs one half."""
    circle = center + half_weight(gamma) * _CIRCLE
    return plane.line(circle, line={"width": 2, "color": NOW})


def half_weight(gamma: float) -> float:
    """Give the distance at which an edge weighs one half."""
    return float(np.sqrt(np.log(2) / gamma))


def axes(k: int) -> tuple[int, int]:
    """Give the two coordinates that are drawn: the first says little where there are more."""
    return (0, 1) if k <= 2 else (1, 2)


def rows(step: SpectralStep, point: int) -> Figure:
    """Draw two coordinates of the points' rows, the centres of k-means, and a ring: the picked."""
    k = step.embedding.shape[1]
    placed = _two(step.embedding)
    centers = plane.GAP if step.half_step is None else _two(step.half_step.centers)
    first, second = axes(k)
    cross = {"symbol": 134, "size": 14, "line": {"width": 4}}
    traces = [
        plane.line(_CIRCLE, line={"width": 1, "color": GREY, "dash": "dot"}),
        plane.rings(placed[[point]], size=16),
        plane.line(centers, mode="markers", marker=cross),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-1.15, 1.15], "title": {"text": numbered("u", first)}, "nticks": 7},
        yaxis={
            "range": [-1.15, 1.15],
            "title": {"text": numbered("u", second)},
            "scaleanchor": "x",
            "nticks": 5,
        },
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    group, _ = look(step)
    points = plane.points(placed, group, size=np.full(len(placed), 0.7))
    return {"data": traces, "layout": layout, "points": points}


def _two(table: ndarray) -> ndarray:
    """Give the two columns that are drawn; zeros for what there is not."""
    wide = np.pad(table, ((0, 0), (0, max(0, 2 - table.shape[1]))))
    return wide[:, list(axes(table.shape[1]))]


def eigenvalues(steps: Sequence[SpectralStep]) -> Callable[[int], Figure]:
    """Draw the smallest eigenvalues, those of the coordinates filled, and the widest gap."""
    found, k = steps[0].eigenvalues, steps[0].embedding.shape[1]
    r, gap = len(found), steps[0].graph.widest_gap
    at = np.arange(1, r + 1)
    dots = {"size": 9, "symbol": [0 if j < k else 100 for j in range(r)], "line": {"width": 2}}
    bar = plane.GAP if gap == 0 else np.column_stack([[gap + 0.5] * 2, found[gap - 1 : gap + 1]])
    lines = [
        plane.line(bar, line={"width": 6, "color": GREY}),
        plane.line(
            np.column_stack([at, found]),
            mode="markers",
            marker=dots,
            hoverinfo="all",
            hovertemplate="λ%{x} = %{y:.4g}<extra></extra>",
        ),
    ]
    top = 1.1 * max(float(found[-1]), 1e-3)
    layout = curves.panel_layout(
        xaxis={"range": [0.4, max(r, 2) + 0.6], "dtick": 1},
        yaxis={"range": [-0.08 * top, top], "nticks": 5, "title": {"text": "λ"}},
        shapes=[curves.dotted(k + 0.5, 2)],
    )

    def draw(now: int) -> Figure:
        step = steps[now]
        here = max(step.j, 1)
        ring = curves.marked(here, float(found[here - 1])) | {"visible": step.j > 0}
        return {"data": [*lines, ring], "layout": layout}

    return draw


def caption(steps: Sequence[SpectralStep], now: int) -> str:
    """Say what step `now` found; the second line has the rule with its numbers."""
    step = steps[now]
    if step.phase == "graph":
        return _graph(step)
    if step.phase == "eigenvector":
        return _eigenvector(step)
    sizes = np.bincount(step.labels, minlength=step.embedding.shape[1])
    inertia = _small(step.half_step.inertia if step.half_step else 0.0)
    return (
        f"k-means on the rows{_half_step(steps, now)}\n"
        "Every row (u₁, …) has length 1; the inertia, squared distances of rows to their ×, is "
        f"{inertia}. Clusters of {listed([str(size) for size in sizes])} points."
    )


def _half_step(steps: Sequence[SpectralStep], now: int) -> str:
    """Say what a half-step of k-means did, after its name."""
    half, k = steps[now].half_step, steps[now].embedding.shape[1]
    assert half
    if steps[now - 1].half_step is None:
        return f", start: every point joins the nearest of {counted(k, 'centre')} ×."
    if half.phase == "move":
        return ", move: every centre × goes to the mean of its rows."
    if half.event == "converged":
        return ", assign: no point changes its cluster any more: converged."
    ended = " Stopped: the iterations allowed are used up." if half.event else ""
    change = "point changes its" if half.changed == 1 else "points change their"
    return f", assign: {half.changed} {change} cluster.{ended}"


def _graph(step: SpectralStep) -> str:
    graph, k = step.graph, step.embedding.shape[1]
    pieces = str(graph.pieces)
    if graph.pieces == len(graph.eigenvalues) < len(graph.learned):
        pieces = f"at least {pieces}"
    first = (
        "Every two points are joined by an edge, the nearer the heavier: one graph in one piece."
    )
    if graph.pieces > k:
        first = (
            f"The graph falls into {pieces} pieces, more than the {counted(k, 'cluster')} wanted: "
            "σ is too small for these data."
        )
    elif graph.pieces > 1:
        first = (
            f"The edges between far points weigh next to nothing: the graph has {pieces} pieces."
        )
    low, high = float(graph.degrees.min()), float(graph.degrees.max())
    return (
        f"{first}\nw = exp(−γ ‖x − x′‖²) with γ = {number(graph.gamma)}, which is ½ at a distance "
        f"of {number(half_weight(graph.gamma))}. Degrees Σ w from {number(low)} to {number(high)}."
    )


def _eigenvector(step: SpectralStep) -> str:
    graph, j, k = step.graph, step.j, step.embedding.shape[1]
    entries, value = entries_of(step), _small(float(graph.eigenvalues[j - 1]))
    positive, negative = int(np.sum(entries > 0)), int(np.sum(entries < 0))
    signs = f"of its entries {positive} are positive, {negative} negative"
    if nothing := len(entries) - positive - negative:
        signs += f", {nothing} zero"
    if positive == len(entries):
        signs = "all its entries have one sign"
    first = f"Eigenvector {j} of {k}: {numbered('λ', j - 1)} = {value}; {signs}."
    name = numbered("u", j - 1)
    rule = (
        f"L {name} = λ {name}; with v = {name}, λ = Σ wᵢⱼ (vᵢ / √dᵢ − vⱼ / √dⱼ)² over all edges = "
        f"{value}: it is small if v changes little along heavy edges."
    )
    return f"{first}\n{rule}" if step.event is None else f"{first} {_gap(graph)}\n{rule}"


def _gap(graph: SimilarityGraph) -> str:
    """Say after which eigenvalue the widest gap comes."""
    at, found = graph.widest_gap, graph.eigenvalues
    if at == 0:
        return "There is no further eigenvalue."
    low, high = (_small(float(value)) for value in found[at - 1 : at + 1])
    return f"The widest gap among {len(found)} is after {at}: from {low} to {high}."


def _small(value: float) -> str:
    return number(value) if value > 1e-9 else "0"


def picked(step: SpectralStep, point: int) -> str:
    """Say what is known of the picked point."""
    graph, k = step.graph, step.embedding.shape[1]
    said = []
    here = np.flatnonzero(graph.learned == point)
    if len(here):
        heaviest = float(graph.weights[here[0]].max())
        said.append(f"degree {number(float(graph.degrees[here[0]]))}")
        said.append(f"heaviest edge {number(heaviest)}")
    if step.j:
        row = ", ".join(number(value, 2) for value in step.embedding[point, :_ROW])
        said.append(f"row ({row}{', …' * (k > _ROW)})")
    if step.phase == "k-means":
        said.append(f"cluster {step.labels[point] + 1}")
    return f"Picked point: {'; '.join(said) or 'it gets its row from the others'}."


def note(n: int, graph: SimilarityGraph) -> str:
    """Say what is drawn."""
    m = len(graph.learned)
    links = max(1, min(_LINKED, _EDGES // m))
    said = [
        f"Of all edges those of every point to its {counted(links, 'nearest one')} are drawn, as "
        "wide as they weigh. The circle is where an edge to the picked point weighs one half.",
        "Size: first the degree, then the entry of the eigenvector, whose sign is the colour.",
        "Eigenvalues up to 10⁻⁹ count as 0. × are the centres of k-means: of 10 runs from "
        "k-means++ the one with the lowest inertia is shown.",
    ]
    if m < n:
        said.append(
            f"The graph has {m:,} of the {n:,} points, evenly chosen; the others get their rows "
            "from their edges to these."
        )
    return " ".join(said)
