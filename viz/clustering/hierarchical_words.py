"""Words for hierarchical clustering."""

from numpy import ndarray

from algorithms.clustering.hierarchical.dendrogram import Dendrogram
from algorithms.clustering.hierarchical.hierarchical_step import HierarchicalStep
from viz.clustering.hierarchical import MOST_BRIDGES, MOST_CELLS, MOST_MERGES, how_many
from viz.core.words import decimal, vector


def caption(step: HierarchicalStep) -> str:
    """Say what was merged, and below how far apart it was, by the rule of the linkage."""
    n = len(step.dendrogram.points)
    if step.parts is None:
        if n == 1:
            return "The only point is a cluster: there is nothing to merge."
        first = f"Start: each of the {n} points is a cluster of its own."
        return f"{first}\nThe nearest two are {_next(step)} apart: they are merged first."
    now = "all points are one cluster" if step.clusters == 1 else f"{how_many(step.clusters)} left"
    return f"{_merge(step)} at height {decimal(step.height)}; {now}.{_event(step)}\n{_rule(step)}"


def _merge(step: HierarchicalStep) -> str:
    assert step.parts
    small, large = sorted(map(len, step.parts))
    if large == 1:
        return "Two points merge"
    if small == 1:
        return f"A point joins a cluster of {large}"
    return f"Clusters of {len(step.parts[0])} and {len(step.parts[1])} points merge"


def _event(step: HierarchicalStep) -> str:
    if step.event != "largest gap":
        return ""
    return f" The next merge is only at {_next(step)}, the largest gap: a place to cut."


def _next(step: HierarchicalStep) -> str:
    return "" if step.next_height is None else decimal(step.next_height)


def _rule(step: HierarchicalStep) -> str:
    """Put the step's numbers into the definition of the distance."""
    rule = f"d(A, B) = {_distance(step)} = {decimal(step.height)}"
    if step.dendrogram.linkage == "ward":
        rise, inertia = decimal(step.height**2 / 2), decimal(step.inertia)
        rule += f"; the inertia rises by d² / 2 = {rise} to {inertia}"
    if step.clusters == 1 or step.event == "largest gap":
        return f"{rule}."
    return f"{rule}. No two clusters were nearer; next: {_next(step)}."


def _distance(step: HierarchicalStep) -> str:
    assert step.parts and step.means is not None
    points, (A, B) = step.dendrogram.points, step.parts
    a, b = len(A), len(B)
    linkage = step.dendrogram.linkage
    if linkage == "ward":
        return f"√(2 · {a} · {b} / ({a} + {b})) {_length(*step.means)}"
    if a == b == 1:
        return _length(points[A[0]], points[B[0]])
    if linkage == "average":
        count = f"{a} · {b} = {a * b:,}" if min(a, b) > 1 else f"{a * b:,}"
        return f"the mean of all {count} distances ‖a − b‖"
    assert step.link
    i, j = step.link
    which = "least" if linkage == "single" else "largest"
    return f"the {which} ‖a − b‖ = {_length(points[i], points[j])}"


def _length(a: ndarray, b: ndarray) -> str:
    return f"‖{vector(a)} − {vector(b)}‖"


def note(tree: Dendrogram) -> str:
    """Say what the marks mean, and what is not drawn where there are many points."""
    n = len(tree.points)
    said = ["A and B are the clusters that were merged at the step shown."]
    if n <= MOST_BRIDGES:
        said.append("Lines join what has been merged, where it was nearest; within A and B thick.")
    else:
        said.append("Their points are ringed (A) or have squares (B) where they are few.")
    if n - 1 > MOST_MERGES:
        said.append(
            f"The dendrogram shows the last {MOST_MERGES} of {n - 1:,} merges; what was merged "
            "before is a triangle, as wide as it has points."
        )
    said.append("In the square of the distances grey is near.")
    if n > MOST_CELLS:
        said.append(
            f"The distances are those of {MOST_CELLS} points, evenly spaced in the dendrogram."
        )
    return " ".join(said)
