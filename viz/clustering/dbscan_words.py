"""Words for DBSCAN."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.dbscan import NOISE, DBSCANStep
from algorithms.clustering.dbscan_by_eps import EpsStep
from viz.clustering.dbscan import MOST_DRAWN, MOST_LINKED
from viz.core.words import counted, listed, number

_MOST_SIZES = 6  # clusters whose sizes are listed


def walk_caption(step: DBSCANStep) -> str:
    """Say what the point that is visited is; below, how many points its ball holds, and the queue.

    The last step says first what was found.
    """
    walk = step.walk
    size, least = int(walk.sizes[step.point]), walk.min_samples
    sign = "≥" if size >= least else "<"
    rule = f"|{{j : ‖xⱼ − xᵢ‖ ≤ {number(walk.eps)}}}| = {size} {sign} {least} = min_samples"
    found = [_found(step)] if step.event == "all visited" else []
    return "\n".join([*found, _visit(step), f"{rule} (i counts itself). {_queue(step)}"])


def _visit(step: DBSCANStep) -> str:
    i, label = step.point, int(step.labels[step.point])
    size = int(step.walk.sizes[i])
    if label == NOISE:
        what = "Noise" if step.event == "all visited" else "Noise, for now"
        return f"{what}: {_holds(size)}, too few, and no core point's ball holds it so far."
    if not step.core[i]:
        return f"A border point of cluster {label + 1}: {_holds(size)}, so nothing joins here."
    joined = len(step.joined)
    late = int(np.count_nonzero(step.visited[step.joined])) - (step.walk.finder[i] == i)
    was_noise = f"; {late} of them had been called noise" if late else ""
    if step.walk.finder[i] == i:
        others = f"and {joined - 1} more join" if joined > 1 else "and no other joins"
        return f"Cluster {label + 1} begins with a core point: {_holds(size)}, {others}{was_noise}."
    joins = f"{counted(joined, 'point')} {'joins' if joined == 1 else 'join'}"
    joins = joins if joined else "all of them have been found before"
    return f"A core point of cluster {label + 1}: {_holds(size)}; {joins}{was_noise}."


def _holds(size: int) -> str:
    return f"its ball holds {counted(size, 'point')}"


def _queue(step: DBSCANStep) -> str:
    """Say what is left to do, and whose points in the ball stay with another cluster."""
    labels, near = step.labels, step.neighbors
    label = labels[step.point]
    waiting = int(np.count_nonzero(step.waiting))
    said = [f"Visited: {step.visit + 1} of {len(labels)}."]
    if label != NOISE:
        if waiting:
            said.append(f"In the queue: {waiting}.")
        else:
            inside = labels == label
            core = int(np.count_nonzero(step.core & inside))
            total = int(np.count_nonzero(inside))
            said.append(
                f"Queue empty: cluster {label + 1} is complete, {core} core points "
                f"+ {total - core} border points = {total}."
            )
        others = int(np.count_nonzero((labels[near] != label) & (labels[near] != NOISE)))
        if others and step.core[step.point]:
            verb = "belongs" if others == 1 else "belong"
            said.append(
                f"{counted(others, 'border point')} in the ball {verb} to an earlier cluster."
            )
    return " ".join(said)


def _found(step: DBSCANStep) -> str:
    """Count the clusters' points and the noise."""
    sizes = np.bincount(step.labels[step.labels != NOISE])
    noise = int(np.count_nonzero(step.labels == NOISE))
    return f"All points are visited: {_clusters(sizes)}; {_noise(noise)}."


def _clusters(sizes: np.ndarray) -> str:
    """Count clusters, and list their sizes if they are few."""
    found = counted(len(sizes), "cluster")
    if not 0 < len(sizes) <= _MOST_SIZES:
        return found.replace("0 clusters", "no cluster")
    return f"{found} of {listed([str(size) for size in sizes])} points"


def _noise(noise: int) -> str:
    return f"{counted(noise, 'point')} {'is' if noise == 1 else 'are'} noise"


def radius_caption(steps: Sequence[EpsStep], now: int) -> str:
    """Say how many clusters and noise points there are; below, how the numbers come about."""
    step, levels = steps[now], steps[now].levels
    n, eps, least = len(levels.X), step.eps, levels.min_samples
    cores, clusters = levels.cores(eps), step.clusters
    labels = step.labels
    sizes = np.unique(labels[labels != NOISE], return_counts=True)[1]
    merged = _merged(steps, now)
    first = f"ε = {number(eps)}: {_clusters(sizes)}; {_noise(step.noise)}.{merged}"
    border = n - cores - step.noise
    rule = (
        f"Core points ({least} points within ε, themselves among them): {cores} of {n}; "
        f"border points: {border}. "
    )
    links = f"Clusters = core points − links between them = {cores} − {cores - clusters}"
    return f"{first}\n{rule}{links} = {clusters}."


def _merged(steps: Sequence[EpsStep], now: int) -> str:
    """Say how many clusters have become part of another."""
    if now == 0:
        return ""
    gone = len(steps[now].levels.merged(steps[now - 1].eps, steps[now].eps))
    if not gone:
        return ""
    return f" {counted(gone, 'cluster')} {'is' if gone == 1 else 'are'} now part of another."


def walk_note(n: int) -> str:
    """Say what the marks mean."""
    said = [
        "Large: core points. Small, in colour: border points, or not visited yet.",
        "Cross: noise, if only for now. Grey dot: not visited yet. The circle is the ball.",
    ]
    if n <= MOST_LINKED:
        said.append("Ring: in the queue. A line joins a point to the one whose ball it was in.")
    return " ".join([*said, *_thinned(n)])


def radius_note(n: int) -> str:
    """Say what the marks mean, and who gets a border point."""
    said = ["Large: core points. Small: border points. Cross: noise."]
    if n <= MOST_LINKED:
        said.append("Lines link core points, the new ones thick. The circle shows ε.")
    said.append(
        "A border point of several clusters is given to the nearest core point here, so that no "
        "order of visits counts."
    )
    return " ".join([*said, *_thinned(n)])


def _thinned(n: int) -> list[str]:
    return [f"The curve of distances shows {MOST_DRAWN} of {n:,} points."] * (n > MOST_DRAWN)
