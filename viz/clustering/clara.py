"""Pictures and words for CLARA: samples that PAM works on, and that all points judge."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.clustering.clara import ClaraStep
from viz.clustering.clara_questions import ask
from viz.clustering.k_medoids import DISTANCE, MOST_LINKED, few_swaps
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import PALETTE
from viz.core.words import counted, number

_DRAWN, _OTHER = 1.2, 0.5  # diameters of the points of the sample and of the others


def samples(run: Run, data: Plane, pam: Run) -> Scene:
    """Show one sample after the other. pam : the steps of PAM on all points."""
    steps, rival = run.steps, pam.steps[-1].cost
    views = [
        View("The sample, its medoids, and all points", lambda now: picture(data, steps[now])),
        View("Mean distance: in the sample, over all points", means(steps, rival), ahead=True),
    ]
    return Scene(views, lambda now: caption(steps, now, rival), note(len(data.X)), ask=ask(steps))


def picture(data: Plane, step: ClaraStep) -> Figure:
    """Draw every point joined to its medoid, those of the sample large."""
    size = np.full(len(data.X), _OTHER)
    size[step.sample] = _DRAWN
    drawn = {"points": plane.points(data.X, step.labels, size=size)}
    if len(data.X) <= MOST_LINKED:
        drawn["edges"] = plane.edges(step.places[step.labels], data.X, width=0.75)
    return plane.figure([plane.centers(step.places)], data.bounds, data.names, **drawn)


def means(steps: Sequence[ClaraStep], rival: float) -> Callable[[int], Figure]:
    """Draw the mean distance within every sample and over all points, and PAM's."""
    judged, n = steps[:-1], len(steps[0].labels)
    x = [step.number + 1 for step in judged]
    inside = [step.sample_cost / len(step.sample) for step in judged]
    over_all = [step.cost / n for step in judged]
    low, high = min(*inside, *over_all, rival / n), max(*inside, *over_all, rival / n)
    room = 0.1 * (high - low) or 0.1 * high or 1.0
    dashed = {"width": 2, "color": PALETTE[0], "dash": "dash"}
    fixed = [
        curves.against("all points", x, over_all, setting="sample"),
        curves.against(
            "the sample", x, inside, setting="sample", line={"dash": "dot", "color": PALETTE[1]}
        ),
        panels.curve([0, 2 * len(x)], [rival / n] * 2, name="PAM", line=dashed)
        | {"showlegend": True},
    ]
    title = f"mean {DISTANCE[steps[0].metric]}(x, its medoid)"
    up = {"title": {"text": title}, "range": [low - room, high + room], "nticks": 5}
    across = {"title": {"text": "sample", "standoff": 4}, "range": [0.5, len(x) + 0.5]}

    def draw(now: int) -> Figure:
        step = steps[now]
        panel = panels.Panel(
            [*fixed, curves.marked(step.number + 1, step.cost / n, showlegend=False)],
            x=across | {"nticks": min(len(x), 10), "tickformat": "d"},
            y=up,
        )
        return curves.with_legend(panels.alone(panel))

    return draw


def caption(steps: Sequence[ClaraStep], now: int, rival: float) -> str:
    """Say whether the sample's medoids are the best; below, what they cost here and there."""
    step, total, n = steps[now], len(steps) - 1, len(steps[0].labels)
    s, cost = len(step.sample), number(step.cost, 4)
    rule = (
        f"Cost = Σ {DISTANCE[step.metric]}(x, its medoid) = {cost} over all {n} points, "
        f"{number(step.cost / n)} a point; within the sample it is "
        f"{number(step.sample_cost / s)} a point."
    )
    pam = f"PAM on all points ends at {number(rival, 4)}."
    if step.judged:
        drawn = counted(total, "sample")
        return (
            f"All is judged, {drawn}: the lowest cost is {cost}, of sample {step.number + 1}.\n"
            f"{rule}\n{pam} It looks at n² = {n * n:,} distances at every step, PAM on a sample at "
            f"s² = {s * s:,}."
        )
    found = "the best so far" if step.event else f"no better than {number(step.lowest, 4)}"
    return (
        f"Sample {step.number + 1} of {total}: of {s} points PAM chooses medoids that cost {cost} "
        f"for all points, {found}.\n{rule}\n{pam}"
    )


def note(n: int) -> str:
    """Say what the marks mean."""
    said = ["Large: the points of the sample, the best medoids so far among them."]
    if n <= MOST_LINKED:
        said.append("A line joins every point to its medoid.")
    said.append("The ring on the curve is the sample that is shown; the dashed line is where PAM")
    return " ".join([*said, "on all points ends, from BUILD.", *few_swaps(n)])
