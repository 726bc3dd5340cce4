"""k-means, half-step by half-step: assign the points, move the centres."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means import KMeansStep, assign
from viz.clustering.k_means import marks, questions
from viz.clustering.k_means.choosing_k import elbow, silhouettes
from viz.core import curves, what_if
from viz.core.drawing import MOST_PLACES, Drawing
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number, rounded, vector

_INERTIA = "the sum of the squared distances of all points to their centres"
_ROUNDING = 1e-12  # of what is subtracted: a smaller difference is none
_MOST_GROUPS = 4  # of points that changed their cluster, listed by where they went


class Lloyd(Show[KMeansStep]):
    """The half-steps, and the scores of every other number of clusters."""

    unit = "half-step"
    opens = 2  # points change their cluster

    def __init__(
        self, run: Run, data: Plane, choices: Run, query: ndarray, init: str, price: float
    ) -> None:
        """Prepare the curve of the inertia.

        choices : of `choose_k`. query : the picked point. init : how the first centres were placed,
        in words. price : of a cluster in the description length, as a share of the inertia with
        k = 1.
        """
        super().__init__(run, data)
        self.choices, self.query, self.init, self.price = choices.steps, query, init, price
        self.inertia = [step.inertia for step in self.steps]

    def views(self) -> list[View]:
        """Return the picture, the inertia by half-step and by k, and what chooses k."""
        inertia = curves.timeline({"inertia": self.inertia}, along="half-step")
        views = [
            View("Points, centres and their regions", self.picture),
            View("Inertia at every half-step", inertia, ahead="by step"),
        ]
        if self.choices:
            gamma = self.price * self.choices[0].inertia
            k = len(self.steps[0].centers)
            bend, widths = elbow(self.choices, gamma, k), silhouettes(self.choices, k)
            views += [
                View("Inertia for each k, best of 10 runs", lambda _: bend),
                View("Silhouette for each k: the dot is the highest", lambda _: widths),
            ]
        return views

    def picture(self, now: int) -> Figure:
        """Draw the half-step."""
        return marks.half_step(self.data, self.steps, now)

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule with its numbers, and the picked point."""
        if self.steps[now].event == "moved by hand":
            said = self._by_hand(now)
        else:
            said = half_step(self.steps, now, self.init)
        return f"{said}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which cluster a point joins, whether any point changes, or where a centre goes."""
        return questions.half_step(self.data, self.steps, now, rng)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)

    def to_draw(self) -> Drawing | None:
        """Return the centres as a class draws them, judged by the inertia; None if too many."""
        k = len(self.steps[0].centers)
        best = next((choice.centers for choice in self.choices if choice.k == k), None)
        if best is None or k > MOST_PLACES:
            return None
        left, right, bottom, top = self.data.bounds
        across = left + (right - left) * (np.arange(k) + 0.5) / k
        return Drawing(
            task="Place the centres with the least inertia: Σ ‖x − μ‖², each point to its nearest.",
            shape="points",
            names=tuple(f"Centre {j + 1}" for j in range(k)),
            start=np.column_stack([across, np.full(k, (bottom + top) / 2)]),
            measure="inertia",
            cost=lambda centers: assign(self.data.X, centers)[1],
            best=best,
            classes=False,
        )

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the ways and the places of the centres, and the inertia."""
        ways = what_if.paths([step.centers for step in self.steps], since)
        places = what_if.numbered(self.steps[now].centers)
        return [ways, places], [what_if.curve(self.inertia, since)]

    def _by_hand(self, now: int) -> str:
        """Write which centres were moved by hand, and which points change their cluster."""
        before, step = self.steps[now - 1], self.steps[now]
        moved = np.flatnonzero((step.centers != before.centers).any(axis=1)).tolist()
        changed = int(np.count_nonzero(marks.changed(self.steps, now)))
        what = "By hand: drag a centre or a point; nothing is moved yet"
        if moved or self.data.moved is not None:
            places = [f"centre {j + 1} goes to {vector(step.centers[j])}" for j in moved]
            who = f"By hand: {', '.join(places)}" if moved else "The centres stay"
            joins = f"{counted(changed, 'point')} {'joins' if changed == 1 else 'join'}"
            what = f"{who}; {joins} another cluster{' (ringed)' * (changed > 0)}"
        return f"{what}.\nInertia {number(before.inertia, 5)} → {number(step.inertia, 5)}."

    def _picked(self, now: int) -> str:
        """Compare the distances of the picked point to the two nearest centres."""
        step = self.steps[now]
        far = np.linalg.norm(self.query - step.centers, axis=1)
        far[far <= _ROUNDING * np.abs(step.centers).max()] = 0.0  # on the centre, but for rounding
        nearest = int(step.predict(self.query[None])[0])
        said = f"Picked point: centre {nearest + 1} is the nearest, at a distance of "
        said += number(far[nearest])
        if len(far) == 1:
            return f"{said}."
        far[nearest], distance = np.inf, number(np.delete(far, nearest).min())
        return f"{said}; the next is centre {int(far.argmin()) + 1}, at {distance}."


def half_step(steps: Sequence[KMeansStep], now: int, init: str) -> str:
    """Write what a half-step did; the second line has the rule with its numbers.

    init : how the first centres were placed, in words.
    """
    step = steps[now]
    if now == 0:
        n = len(step.labels)
        who = f"each of the {n} points" if n > 1 else "the only point"
        return (
            f"Start: {counted(len(step.centers), 'centre')} ({init}), and {who} joins its nearest "
            f"one.\nThe inertia, {_INERTIA}, is {number(step.inertia, 4)}."
        )
    fall = steps[now - 1].inertia - step.inertia
    fall = 0.0 if fall <= _ROUNDING * step.inertia else fall
    falls = f"the inertia {'falls to' if fall else 'stays at'} {rounded(step.inertia)}"
    if fall and rounded(steps[now - 1].inertia) == rounded(step.inertia):
        falls = f"the inertia falls by only {rounded(fall)}"
    if step.phase == "move":
        what = f"Move: every centre goes to the mean of its points; {falls}."
        return f"{what}\n{_moved(steps, now)}"
    return f"{_assigned(steps, now, falls)}\n{_exchanges(steps, now)}"


def _moved(steps: Sequence[KMeansStep], now: int) -> str:
    """Write the new place of the centre that moves farthest, with its numbers."""
    step, shift = steps[now], marks.shifts(steps, now)
    j = int(np.argmax(shift))
    size, stays = int(step.sizes[j]), " A centre without points stays." * (0 in step.sizes)
    if shift[j] <= _ROUNDING * np.abs(step.centers).max():
        return "Every centre is already at the mean of its points: none moves."
    return (
        f"Centre {j + 1} moves farthest, by {number(shift[j])} (dotted), to the mean of "
        f"its {counted(size, 'point')}: {vector(step.centers[j])}.{stays} "
        "Points keep their colours until the next half-step."
    )


def _assigned(steps: Sequence[KMeansStep], now: int, falls: str) -> str:
    """Write how many points changed their cluster."""
    step, changed = steps[now], int(np.count_nonzero(marks.changed(steps, now)))
    if step.event == "converged":
        return f"Assign: no point changes its cluster: converged, at {rounded(step.inertia)}."
    who = "1 point changes its cluster"
    if changed != 1:
        who = f"{changed} points change their cluster"
    ending = {
        None: "",
        "empty cluster": " A cluster has no points: its centre stays where it is.",
        "stopped at max_iter": " Stopped: no more iterations are allowed.",
    }[step.event]
    return f"Assign: {who}; {falls}.{ending}"


def _exchanges(steps: Sequence[KMeansStep], now: int) -> str:
    """Write between which clusters points moved, the largest groups first; if none, the inertia."""
    changed = marks.changed(steps, now)
    if not changed.any():
        return f"The inertia, {_INERTIA}, is {number(steps[now].inertia, 5)}."
    pairs = np.stack([steps[now - 1].labels[changed], steps[now].labels[changed]]) + 1
    kinds, sizes = np.unique(pairs, axis=1, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")[:_MOST_GROUPS]
    named = [f"{sizes[i]} from {kinds[0, i]} to {kinds[1, i]}" for i in largest]
    others = int(changed.sum() - sizes[largest].sum())
    rest = f"; the other {others} go between other pairs" if others else ""
    rest = "; the other one goes between another pair" if others == 1 else rest
    return f"Ringed points go {', '.join(named)}{rest}."
