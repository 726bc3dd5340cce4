"""Pictures and words for all ways to cluster side by side."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.adjusted_rand import PairCounts
from algorithms.clustering.clusterings import ClusteringStep
from algorithms.clustering.dbscan import NOISE
from viz.clustering import clusterings_questions
from viz.clustering.dbscan import NOISE_LOOK, clustered
from viz.clustering.k_medoids import few_swaps
from viz.core import curves, plane, tiles
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, RGB, rgb
from viz.core.words import counted, number

_GREY, _CLEAR = len(RGB), len(RGB) + 1  # colours after those of the groups


def side_by_side(run: Run, data: Plane) -> Scene:
    """Show one method after the other, and all of them beside the classes on the wall."""
    steps = run.steps
    views = [
        View(
            "Clusters of the method; ringed: not with their class",
            lambda now: picture(data, steps[now]),
        ),
        View("The wall: adjusted Rand index", wall(data, steps), height=2, ahead=True),
        View("Adjusted Rand index: 1 is the classes, 0 is chance", agreement(steps), ahead=True),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps, now),
        note(steps),
        ask=clusterings_questions.ask(steps),
    )


def picture(data: Plane, step: ClusteringStep) -> Figure:
    """Draw the clusters, noise as crosses, and rings around points that are not with their class.

    Clusters and classes go together by number.
    """
    noise = np.full(len(data.X), NOISE_LOOK)
    points = clustered(data.X, step.labels, noise, step.labels != NOISE)
    rings = plane.marks(apart(data, step), [100, 100], [0, 17], 1.5)
    return plane.figure([], data.bounds, data.names, points=points, marks=rings)


def apart(data: Plane, step: ClusteringStep) -> ndarray:
    """Tell which points are not in the cluster of their class; none if there is one class."""
    return (step.labels != data.labels) & (len(np.unique(data.labels)) > 1)


def wall(data: Plane, steps: Sequence[ClusteringStep]) -> Callable[[int], Figure]:
    """Draw what each method finds as a tile, with its index; the last tile has the classes."""
    found = [*(step.labels for step in steps), data.labels]
    looks = [np.where(labels == NOISE, _GREY, labels % len(RGB)) for labels in found]
    dots = [tiles.dotted(data.X, look, data.bounds, _CLEAR) for look in looks]
    colors = np.array([*RGB, rgb(GREY), rgb(GREY)], np.uint8)
    opacity = np.array([*[255] * len(RGB), 255, 0], np.uint8)
    image = tiles.image(tiles.sheet(dots, _CLEAR), colors, opacity)
    words = [f"{step.method.name}<br>{_index(step)}" for step in steps]
    return lambda now: tiles.wall(image, [*words, "the classes"], now)


def _index(step: ClusteringStep) -> str:
    return number(round(step.counts.adjusted_rand_index, 2), 2)


def agreement(steps: Sequence[ClusteringStep]) -> Callable[[int], Figure]:
    """Draw the index of every method, numbered as on the wall; a band is behind the one shown."""
    m = len(steps)
    values = [step.counts.adjusted_rand_index for step in steps]
    low = min(0.0, *values) - 0.06
    bars = {
        "type": "bar",
        "x": list(range(1, m + 1)),
        "y": values,
        "marker": {"color": GREY},
        "text": [step.method.name for step in steps],
        "textposition": "none",
        "hovertemplate": "%{text}: %{y:.3f}<extra></extra>",
    }
    layout = curves.panel_layout(
        xaxis={"range": [0.4, m + 0.6], "dtick": 1},
        yaxis={"range": [low, 1.06], "nticks": 6, "title": {"text": "index"}},
    )

    def draw(now: int) -> Figure:
        band = plane.line(
            np.array([[now + 1, low], [now + 1, 1.06]]),
            line={"width": 26, "color": NOW},
            opacity=0.3,
        )
        return {"data": [band, bars], "layout": layout}

    return draw


def caption(data: Plane, steps: Sequence[ClusteringStep], now: int) -> str:
    """Say how near method `now` comes to the classes; below, the index with its numbers."""
    step = steps[now]
    what = counted(step.clusters, "cluster")
    if step.noise:
        what += f" and {step.noise} points of noise" if step.noise > 1 else " and 1 point of noise"
    first = f"{now + 1} of {len(steps)}, {step.method.name}: {what}"
    seeks = f"It looks for {step.method.seeks}."
    if len(np.unique(data.labels)) == 1:
        nothing = "All points are of one class: there is nothing to compare with."
        return f"{first}.\n{seeks}\n{nothing}"
    best = " The nearest to the classes so far." if step.event else ""
    index = number(step.counts.adjusted_rand_index)
    ringed = f"{int(apart(data, step).sum())} of {len(data.X)}"
    return (
        f"{first}; adjusted Rand index {index}.{best}\n{_rule(step.counts)}\n{seeks} "
        f"Ringed: {ringed}, not in the cluster of their class."
    )


def _rule(counts: PairCounts) -> str:
    """Put the counts of the pairs into the index."""
    most, chance = (counts.first + counts.second) / 2, counts.expected
    if most == chance:
        return "Every point is alone in both: the same division."
    return (
        f"Of {counts.pairs:,} pairs {counts.together:,} are together in both, {_exact(chance)} "
        f"would be by chance: ({counts.together:,} − {_exact(chance)}) / ({_exact(most)} − "
        f"{_exact(chance)}) = {number(counts.adjusted_rand_index)}."
    )


def _exact(pairs: float) -> str:
    """Write a number of pairs, which need not be whole, with four digits or more."""
    return f"{pairs:,.0f}" if pairs >= 1000 else number(pairs, 4)


def note(steps: Sequence[ClusteringStep]) -> str:
    """Say how clusters get their numbers, what counts as noise, and who refused the data."""
    said = [
        "No method sees the classes. The clusters are numbered after them, so that as many points "
        "as can be have the number of their class. Noise, a grey cross, counts as one cluster in "
        "the index.",
        *few_swaps(len(steps[0].labels)),
        *(f"{name} is left out: {reason}." for name, reason in steps[0].left_out),
    ]
    return " ".join(said)
