"""Pictures and words for CLARANS: swaps drawn at random, tried one by one."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.clustering.clarans import ClaransStep
from viz.clustering import clarans_questions
from viz.clustering.k_medoids import DISTANCE, MOST_LINKED, few_swaps
from viz.core import curves, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, vector

_MOST_DRAWN = 2000  # tries
_MOST_TIMES = 3  # the lowest cost: tries that would cost more are not drawn


def tries(run: Run, data: Plane, pam: Run, most_failures: int) -> Scene:
    """Show one try after the other. pam : the steps of PAM on the same points."""
    steps, rival = run.steps, pam.steps[-1].cost
    views = [
        View("Points, medoids, and the swap that is tried", lambda now: picture(data, steps[now])),
        View("Cost: of the medoids (line), of every try (·)", costs(steps, rival), ahead=True),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps, now, most_failures, rival),
        note(len(data.X)),
        ask=clarans_questions.ask(data, steps),
    )


def picture(data: Plane, step: ClaransStep) -> Figure:
    """Draw every point joined to its medoid, and the swap as a dotted line to the ringed point."""
    drawn = {"points": plane.points(data.X, step.labels)}
    if len(data.X) <= MOST_LINKED:
        drawn["edges"] = plane.edges(step.places[step.labels], data.X, width=0.75)
    tried = step.tried >= 0
    way = data.X[[step.gone, step.tried]] if tried else plane.GAP
    ring = data.X[[step.tried]] if tried else plane.GAP
    traces = [
        plane.line(way, line={"width": 3, "dash": "dot", "color": NOW}),
        plane.rings(ring, size=36 if step.taken else 20),
        plane.centers(step.places),
    ]
    return plane.figure(traces, data.bounds, data.names, **drawn)


def costs(steps: Sequence[ClaransStep], rival: float) -> Callable[[int], Figure]:
    """Draw the cost at every step, what every try would have cost, and where PAM ends."""
    shown = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _MOST_DRAWN)).round())
    cost = np.array([[now, steps[now].cost] for now in shown.astype(int)])
    tried = np.array([[now, steps[now].tried_cost] for now in shown.astype(int)])
    lowest = min(rival, float(cost[:, 1].min()))
    top = min(1.1 * float(cost[:, 1].max()), _MOST_TIMES * lowest)
    room = 0.08 * (top - lowest) or 1.0
    wide = max(len(steps) - 1, 1)
    inside = tried[tried[:, 1] <= top + room]
    lines = [
        plane.line(
            inside if len(inside) else plane.GAP, mode="markers", marker={"size": 3, "color": GREY}
        ),
        plane.line(cost, line={"width": 2, "shape": "hv"}),
        plane.line(
            np.array([[-wide, rival], [2 * wide, rival]]),
            line={"width": 2, "dash": "dash", "color": PALETTE[0]},
        ),
    ]
    label = {"x": 1, "xref": "paper", "xanchor": "right", "y": rival, "yanchor": "top"}
    label |= {"text": f"PAM: {number(rival, 4)}", "showarrow": False, "font": {"shadow": "auto"}}
    layout = curves.panel_layout(
        xaxis={"range": [-0.04 * wide, 1.04 * wide], "nticks": 8},
        yaxis={"range": [lowest - 2 * room, top + room], "nticks": 5, "title": {"text": "cost"}},
        annotations=[label],
    )

    def draw(now: int) -> Figure:
        ring = curves.marked(now, steps[now].cost)
        return {"data": [*lines, ring], "layout": layout}

    return draw


def caption(
    data: Plane, steps: Sequence[ClaransStep], now: int, most_failures: int, rival: float
) -> str:
    """Say what was tried; below, its cost as the rule has it."""
    step, k, d = steps[now], len(steps[0].medoids), DISTANCE[steps[now].metric]
    searches, pam = steps[-2].search + 1, f"PAM ends at {number(rival, 4)}."
    if step.phase == "start":
        return (
            f"Search {step.search + 1} of {searches} starts from {counted(k, 'medoid')} drawn at "
            f"random.\nCost = Σ {d}(x, its medoid) = {number(step.cost, 4)}. {pam}"
        )
    if step.phase == "end":
        tried = [each for each in steps if each.phase == "try"]
        taken = sum(each.taken for each in tried)
        return (
            f"All searches have ended: the lowest cost is {number(step.cost, 4)}, of search "
            f"{step.search + 1}.\nOf {len(tried)} swaps that were tried {taken} lowered the cost. "
            f"PAM prices k (n − k) = {k * (len(data.X) - k)} swaps at every step. {pam}"
        )
    j, place = step.place + 1, vector(data.X[step.tried])
    before, cost = number(steps[now - 1].cost, 4), number(step.tried_cost, 4)
    rule = (
        f"Cost with it = Σ min({d}(x, it), {d}(x, its nearest other medoid)) = {cost} "
        f"{'<' if step.taken else '≥'} {before}."
    )
    if step.taken:
        first = f"The point {place} takes the place of medoid {j}; the cost falls from {before}"
        return f"{first} to {number(step.cost, 4)}.\n{rule} Failures in a row: 0."
    ends = f" Search {step.search + 1} ends here." if step.event else ""
    return (
        f"The point {place} in the place of medoid {j} would not lower the cost: refused.{ends}\n"
        f"{rule} Failures in a row: {step.failures} of {most_failures}."
    )


def note(n: int) -> str:
    """Say what the marks mean."""
    said = ["Dotted: from the medoid that would go to the point that would come; ring: this point."]
    if n <= MOST_LINKED:
        said.append("A line joins every point to its medoid.")
    said.append("The dashed line is where PAM ends, from BUILD. Tries that cost much more, and of")
    said.append(f"more than {_MOST_DRAWN:,} tries some, are not drawn.")
    return " ".join(said + few_swaps(n))
