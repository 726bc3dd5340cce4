"""Pictures and words for k-medoids: PAM, choice by choice."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_medoids import MAX_ITER, KMedoidsStep, affordable_swaps
from viz.clustering import k_medoids_questions
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import added, counted, listed, number, vector

MOST_LINKED = 1_000  # points that are joined to their medoids by lines; among more these hide them

_MOST_DRAWN = 60  # places along the curve of a medoid's swaps
_MOST_TIMES = 5  # the lowest cost: options that cost more are not drawn
_WIDE = 0.8  # of a column, of the room there is for it
Means = tuple[ndarray, ndarray, float]

DISTANCE = {"euclidean": "d", "manhattan": "d₁", "squared euclidean": "d²"}


def swaps(run: Run, data: Plane, k_means: Means, query: ndarray, init: str) -> Scene:
    """Show the choices, what every option would have cost, and where k-means has its centres.

    k_means : its centres, labels and inertia. query : a place; the point nearest to it is tried.
    init : how the first medoids are chosen, in words.
    """
    steps, (means, _, inertia) = run.steps, k_means
    picked = int(cdist(query[None], data.X)[0].argmin())
    costs = [step.cost for step in steps]
    views = [
        View(
            "Points, medoids ●, centres of k-means ×", lambda now: picture(data, steps, means, now)
        ),
        View("What every option costs, sorted", options(steps, picked)),
        View("Cost after every step", curves.timeline({"cost": costs}), ahead=True),
    ]

    def words(now: int) -> str:
        return f"{caption(data, steps, now, init)}\n{tried(steps, picked, now)}"

    return Scene(views, words, note(data, inertia), ask=k_medoids_questions.ask(data, steps))


def picture(data: Plane, steps: Sequence[KMedoidsStep], means: ndarray, now: int) -> Figure:
    """Draw every point joined to its medoid, and a dotted line along which a medoid moved.

    A cross is where k-means has a centre.
    """
    step = steps[now]
    drawn = {"points": plane.points(data.X, step.labels)}
    if len(data.X) <= MOST_LINKED:
        drawn["edges"] = plane.edges(step.places[step.labels], data.X, width=0.75)
    way = data.X[[step.gone, step.taken]] if step.gone >= 0 else plane.GAP
    cross = {"symbol": 134, "size": 13, "line": {"width": 4}}
    traces = [
        plane.line(way, line={"width": 3, "dash": "dot", "color": NOW}),
        plane.line(means, mode="markers", marker=cross),
        plane.rings(step.places[[step.place]] if step.place >= 0 else plane.GAP, size=36),
        plane.centers(step.places),
    ]
    return plane.figure(traces, data.bounds, data.names, **drawn)


def options(steps: Sequence[KMedoidsStep], picked: int) -> Callable[[int], Figure]:
    """Draw the costs that a step chose from, sorted, in a column for every medoid that would go.

    A ring is around the one that was taken, diamonds are at those of the picked point.
    """
    k = len(steps[-1].medoids)
    bottom, top = _stretch(steps)
    layout = curves.panel_layout(
        xaxis={
            "range": [0.5, k + 0.5],
            "dtick": 1,
            "title": {"text": "the medoid that is chosen, or would go", "standoff": 4},
        },
        yaxis={"range": [bottom, top], "nticks": 6, "title": {"text": "cost"}},
    )
    layout["margin"] = layout["margin"] | {"b": 42}

    def draw(now: int) -> Figure:
        step, before = steps[now], steps[max(now - 1, 0)]
        first = 1 + (step.place if step.phase == "build" else 0)
        columns = [_column(first + j, row, top) for j, row in enumerate(step.costs)]
        mine = [_place(first + j, row, picked) for j, row in enumerate(step.costs)]
        mine = np.array([place for place in mine if place[1] <= top] or plane.GAP)
        ring = (0.0, 0.0) if step.taken < 0 else (_left(first + _row(step)), step.cost)
        level = np.array([[0.5, before.cost], [k + 0.5, before.cost]]) if now else plane.GAP
        diamond = {"symbol": 2, "size": 9}
        traces = [
            plane.line(plane.joined(columns), line={"width": 3}),
            plane.line(level, line={"width": 2, "dash": "dash", "color": GREY}),
            plane.line(mine, mode="markers", marker=diamond),
            curves.marked(*ring) | {"visible": step.taken >= 0},
        ]
        return {"data": traces, "layout": layout}

    return draw


def _row(step: KMedoidsStep) -> int:
    """Give the row of the costs that the step took its choice from."""
    return step.place if step.phase == "swap" else 0


def _left(column: float) -> float:
    return column - _WIDE / 2


def _place(column: float, costs: ndarray, point: int) -> tuple[float, float]:
    """Give the place of a point's cost on the line of its column."""
    rank = int(np.count_nonzero(costs < costs[point]))
    return _left(column) + _WIDE * rank / max(len(costs) - 1, 1), float(costs[point])


def _column(place: int, costs: ndarray, top: float) -> ndarray:
    """Give the sorted costs as a line that fills a column, as far as they are in sight."""
    n = len(costs)
    shown = np.unique(np.linspace(0, n - 1, min(n, _MOST_DRAWN)).round().astype(int))
    across = _left(place) + _WIDE * shown / max(n - 1, 1)
    path = np.column_stack([across, np.sort(costs)[shown]])
    path = path[path[:, 1] <= top]
    return path if len(path) else plane.GAP


def _stretch(steps: Sequence[KMedoidsStep]) -> tuple[float, float]:
    """Give the costs between which the axis goes: what matters is near the cost of the end."""
    lowest = steps[-1].cost
    top = min(1.1 * max(step.cost for step in steps), _MOST_TIMES * lowest)
    room = 0.08 * (top - lowest) or 1.0
    return float(lowest - room), float(top + room)


def caption(data: Plane, steps: Sequence[KMedoidsStep], now: int, init: str) -> str:
    """Say what step `now` chose; the second line has the rule with its numbers."""
    step, n, k = steps[now], len(data.X), len(steps[-1].medoids)
    cost = f"Cost = Σ {DISTANCE[step.metric]}(x, its medoid) = {number(step.cost, 4)}"
    if step.phase == "start":
        return (
            f"Start: {counted(k, 'medoid')} ({init}); every point joins its nearest one.\n"
            f"{cost}. {_sizes(step)}"
        )
    if step.phase == "build":
        return _build(data, steps, now, cost)
    before = steps[now - 1]
    told = f"{k} · {n - k} = {counted(k * (n - k), 'swap')}"
    if step.taken < 0:
        how_many = counted(sum(each.gone >= 0 for each in steps), "swap")
        return (
            f"No swap lowers the cost any more: converged, at {number(step.cost, 4)} after "
            f"{how_many}.\n{_closest(step, told)} {_sizes(step)}"
        )
    better = int(np.count_nonzero(step.costs < before.cost))
    ended = " Stopped: the swaps allowed are used up." if step.event else ""
    return (
        f"The point {vector(data.X[step.taken])} takes the place of medoid {step.place + 1}; the "
        f"cost falls from {number(before.cost, 4)} to {number(step.cost, 4)}.{ended}\n"
        f"Of k (n − k) = {told} {better} would lower the cost; by this one it falls "
        f"most, by {number(step.fall)}. {_sizes(step)}"
    )


def _build(data: Plane, steps: Sequence[KMedoidsStep], now: int, cost: str) -> str:
    step, n = steps[now], len(data.X)
    place = vector(data.X[step.taken])
    done = " All are chosen; now come swaps." if step.event == "built" else ""
    if now == 0:
        what = "squared distances" if step.metric == "squared euclidean" else "distances"
        return (
            f"Medoid 1 is the point {place}: the sum of the {what} to it is the least.{done}\n"
            f"{cost}, the lowest of {counted(n, 'candidate')}."
        )
    falls = (
        f"with it the cost falls the most, from {number(steps[now - 1].cost, 4)} to "
        f"{number(step.cost, 4)}"
    )
    if step.fall <= 0:
        falls = "no other point would lower the cost either"
    return (
        f"Medoid {now + 1} is the point {place}: {falls}.{done}\n"
        f"{cost}, the lowest of {counted(n - now, 'candidate')}. {_sizes(step)}"
    )


def _closest(step: KMedoidsStep, told: str) -> str:
    """Say which swap would come next, if one had to be taken."""
    n, k = len(step.labels), len(step.medoids)
    if n == k:
        return "Every point is a medoid: there is nothing to swap."
    costs = np.delete(step.costs, step.medoids, axis=1)
    least = float(costs.min())
    return (
        f"The best of k (n − k) = {told} would make it {number(least, 5)} "
        f"({added(least - step.cost)})."
    )


def _sizes(step: KMedoidsStep) -> str:
    sizes = np.bincount(step.labels, minlength=len(step.medoids))
    return f"Clusters of {listed([str(size) for size in sizes])}."


def tried(steps: Sequence[KMedoidsStep], picked: int, now: int) -> str:
    """Say what the cost would be with the picked point as a medoid."""
    step = steps[now]
    if step.phase == "start":
        return "Picked point: its swaps are tried from the next step on."
    if step.phase == "build":
        return (
            f"Picked point: with it as medoid {now + 1} the cost would be "
            f"{number(step.costs[0, picked], 4)}."
        )
    before = steps[now - 1]
    if picked in before.medoids:
        j = before.medoids.tolist().index(picked)
        return f"Picked point: it was medoid {j + 1} already."
    costs = ", ".join(f"{j + 1}: {number(row[picked], 4)}" for j, row in enumerate(step.costs))
    return f"Picked point: in the place of medoid {costs}; without a swap {number(before.cost, 4)}."


def note(data: Plane, inertia: float) -> str:
    """Say what the marks mean."""
    said = ["Numbered: the medoids; each is one of the points. Ring: the one just chosen."]
    if len(data.X) <= MOST_LINKED:
        said.append("A line joins every point to its medoid.")
    said += [
        "Dotted: from the point that was the medoid. × are the centres of k-means, the best of 10 "
        f"runs from k-means++, with an inertia of {number(inertia, 4)}.",
        "In the view of the options the dashed line is the cost before, ◆ the picked point; what "
        "costs much more is cut off.",
    ]
    return " ".join(said + few_swaps(len(data.X)))


def few_swaps(n: int) -> list[str]:
    """Say how many swaps PAM takes at most, where there are so many points that it is limited."""
    swaps = affordable_swaps(n)
    few = f"Of {n:,} points PAM takes {counted(swaps, 'swap')} at most, to keep it quick."
    return [few] if swaps < MAX_ITER else []
