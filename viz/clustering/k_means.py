"""Pictures and words for k-means."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.choose_k import ChooseKStep, mdl_cost
from algorithms.clustering.k_means import KMeansStep
from algorithms.clustering.restarts import StartStep
from viz.clustering import k_means_questions
from viz.core import curves, plane, what_if
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import PALETTE
from viz.core.words import counted, number, vector

_TRAIL = 8  # places at most along a centre's trail
_ROUNDING = 1e-12  # of what is subtracted: a smaller difference is none

Clusters = KMeansStep | StartStep


def lloyd(run: Run, data: Plane, choices: Run, query: ndarray, init: str, price: float) -> Scene:
    """Show the half-steps, and how good every other number of clusters would be.

    choices : of `choose_k`. query : the picked point. init : how the first centres were placed, in
    words. price : of a cluster in the description length, as a share of the inertia of one cluster.
    """
    steps = run.steps
    inertia = [step.inertia for step in steps]
    views = [
        View("Points, centres and their regions", lambda now: picture(data, steps, now)),
        View("Inertia at every half-step", curves.timeline({"inertia": inertia}), ahead=True),
    ]
    if choices.steps:
        gamma = price * choices.steps[0].inertia
        still = choosing_k(choices.steps, gamma, len(steps[0].centers))
        title = f"Choosing k: best of 10 runs for each (γ = {number(gamma)})"
        views.append(View(title, lambda _: still))

    def words(now: int) -> str:
        said = caption(steps, now, init=init, other_points=data.moved is not None)
        return f"{said}\n{picked(steps[now], query)}"

    centers = [step.centers for step in steps]

    def ghost(since: int, now: int) -> tuple[list[dict], ...]:
        places = [what_if.paths(centers, since), what_if.numbered(centers[now])]
        return places, [what_if.curve(inertia, since)]

    return Scene(views, words, ask=k_means_questions.ask(data, steps), ghost=ghost)


def picture(data: Plane, steps: Sequence[KMeansStep], now: int) -> Figure:
    """Draw the Voronoi regions, the points and the centres with the trail they came along.

    Points that changed their cluster in this half-step have a ring.
    """
    step = steps[now]
    ring = plane.rings(data.X[_changed(steps, now)])
    return clusters(data, step, plane.points(data.X, step.labels), ring, _trails(steps, now))


def clusters(data: Plane, model: Clusters, points: dict, ring: dict, trail: ndarray) -> Figure:
    """Draw the centres of a model of k-means and their regions; a ring and a trail, or gaps."""
    # The borders are not drawn as lines: let them be sharp.
    x, y, cells = plane.grid(data.bounds, 160)
    owner = model.predict(cells).reshape(len(y), len(x))
    traces = [
        plane.regions(owner, None, data.bounds),
        ring,
        plane.line(
            trail, line={"width": 2, "dash": "dot"}, mode="lines+markers", marker={"size": 4}
        ),
        plane.centers(model.centers),
    ]
    return plane.figure(traces, data.bounds, data.names, points=points)


def _trails(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Give the way that every centre came, at a few places, with a gap after each."""
    moved = np.array([i for i in range(1, now + 1) if steps[i].shift.any()], int)
    kept = moved[np.linspace(0, len(moved) - 1, min(len(moved), _TRAIL - 1)).round().astype(int)]
    trail = np.stack([steps[i].centers for i in (0, *kept.tolist())])  # (places, k, 2)
    return plane.joined(list(trail.swapaxes(0, 1)))


def _changed(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Tell which of the (n,) points have another label than one step before."""
    return steps[now].labels != steps[max(now - 1, 0)].labels


def choosing_k(choices: Sequence[ChooseKStep], gamma: float, k: int) -> Figure:
    """Draw inertia and description length, and the silhouette, against k; mark each one's best.

    gamma : the price of a cluster. k : the one that is shown.
    """
    ks = [choice.k for choice in choices]
    inertia = [choice.inertia for choice in choices]
    costs = [mdl_cost(choice.inertia, choice.k, gamma) for choice in choices]
    silhouette = [choice.silhouette for choice in choices]
    shortest, widest = int(np.argmin(costs)), int(np.argmax(silhouette))
    dashed = {"line": {"dash": "dash", "color": PALETTE[0]}, "marker": {"symbol": 1}}
    green = {"line": {"color": PALETTE[2]}, "marker": {"symbol": 2}}
    traces = [
        curves.against("inertia", ks, inertia, yaxis="y", marker={"symbol": 0}),
        curves.against("MDL cost", ks, costs, yaxis="y", **dashed),
        curves.marked(ks[shortest], costs[shortest], showlegend=False),
        curves.against("silhouette", ks, silhouette, yaxis="y2", **green),
        curves.marked(ks[widest], silhouette[widest], yaxis="y2", showlegend=False),
    ]
    top = 1.06 * max(*inertia, *costs)
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
        yaxis={"title": {"text": "cost"}, "domain": [0.5, 1], "range": [0, top], "nticks": 4},
        yaxis2={
            "title": {"text": "silh."},
            "domain": [0, 0.4],
            "range": [min(0.0, *silhouette) - 0.05, 1.05],
            "nticks": 4,
        },
        shapes=[curves.dotted(k)],
    )
    return curves.with_legend({"data": traces, "layout": layout})


def caption(steps: Sequence[KMeansStep], now: int, *, init: str, other_points: bool = False) -> str:
    """Say what half-step `now` did; the second line has the rule with its numbers.

    other_points : in the step by hand points were moved, too.
    """
    step = steps[now]
    n, k = len(step.labels), len(step.centers)
    if now == 0:
        who = f"each of the {n} points" if n > 1 else "the only point"
        return (
            f"Start: {counted(k, 'centre')} ({init}), and {who} joins its nearest one.\n"
            f"Inertia = Σ ‖x − μ‖² = {number(step.inertia, 4)}. {_sizes(step)}"
        )
    if step.event == "moved by hand":
        return _by_hand(steps[now - 1], step, other_points=other_points)
    fall = 0.0 if _stays(step) else step.fall
    numbers = (
        f"Inertia {number(step.inertia + fall, 5)} → {number(step.inertia, 5)} (falls by "
        f"{number(fall)})."
    )
    if step.phase == "assign":
        return f"{_assigned(step)}\n{numbers}{_exchanges(steps, now)} {_sizes(step)}"
    what = f"Move: every centre goes to the mean of its points; {_falls(step)}."
    return f"{what}\n{numbers} {_moved(step)}"


def _by_hand(before: KMeansStep, step: KMeansStep, *, other_points: bool) -> str:
    """Say which centres were moved by hand, and what the points make of it."""
    moved = np.flatnonzero((step.centers != before.centers).any(axis=1))
    places = [f"centre {j + 1} goes to {vector(step.centers[j])}" for j in moved.tolist()]
    changed = f"{counted(step.changed, 'point')} {'joins' if step.changed == 1 else 'join'}"
    what = "By hand: drag a centre or a point; now all are where they were"
    if places or other_points:
        who = f"By hand: {', '.join(places)}" if places else "The centres stay"
        what = f"{who}; {changed} another cluster{' (ringed)' * (step.changed > 0)}"
    return (
        f"{what}.\nInertia {number(before.inertia, 5)} → {number(step.inertia, 5)}. {_sizes(step)}"
    )


def _moved(step: KMeansStep) -> str:
    """Work out the new place of the centre that goes farthest."""
    j = int(np.argmax(step.shift))
    size, stays = int(step.sizes[j]), " A centre without points stays." * (0 in step.sizes)
    if step.shift[j] <= _ROUNDING * np.abs(step.centers).max():
        return "All are there already: no centre moves."
    return (
        f"Centre {j + 1} goes farthest, by {number(step.shift[j])}: μ{j + 1} ← sum of its "
        f"{counted(size, 'point')} / {size} = {vector(step.centers[j])}.{stays}"
    )


def _assigned(step: KMeansStep) -> str:
    if step.event == "converged":
        inertia = number(step.inertia, 4)
        return f"Assign: no point changes its cluster any more: converged, at {inertia}."
    changed = f"{step.changed} point changes its cluster"
    if step.changed != 1:
        changed = f"{step.changed} points change their cluster"
    return f"Assign: {changed}; {_falls(step)}.{_ending(step)}"


def _falls(step: KMeansStep) -> str:
    return f"the inertia {'stays at' if _stays(step) else 'falls to'} {number(step.inertia, 4)}"


def _stays(step: KMeansStep) -> bool:
    return step.fall <= _ROUNDING * step.inertia


def picked(step: KMeansStep, query: ndarray) -> str:
    """Compare the distances of the picked point to the centres."""
    far = np.sqrt(np.square(query - step.centers).sum(axis=1))
    far[far <= _ROUNDING * np.abs(step.centers).max()] = 0.0  # on the centre, but for rounding
    listed = ", ".join(f"{j + 1}: {number(distance)}" for j, distance in enumerate(far))
    nearest = int(step.predict(query[None])[0]) + 1
    return f"Picked point: ‖x − μ‖ is {listed}; centre {nearest} is the nearest."


def _exchanges(steps: Sequence[KMeansStep], now: int) -> str:
    """Name the clusters that points went between, the largest groups first."""
    changed = _changed(steps, now)
    if not changed.any():
        return ""
    pairs = np.stack([steps[now - 1].labels[changed], steps[now].labels[changed]]) + 1
    kinds, sizes = np.unique(pairs, axis=1, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")[:4]
    named = [f"{sizes[i]} from {kinds[0, i]} to {kinds[1, i]}" for i in largest]
    rest = ", and others" if len(sizes) > 4 else ""
    return f" Ringed: {', '.join(named)}{rest}."


def _sizes(step: KMeansStep) -> str:
    listed = ", ".join(f"{j + 1}: {size}" for j, size in enumerate(step.sizes))
    return f"Points per cluster: {listed}."


def _ending(step: KMeansStep) -> str:
    return {
        None: "",
        "empty cluster": " A cluster has no points: its centre stays where it is.",
        "stopped at max_iter": " Stopped: the iterations allowed are used up.",
    }[step.event]
