"""k-means++: one centre drawn after the other, then the half-steps of k-means."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means_plus_plus import PlusPlusStep
from viz.clustering.k_means import k_means, marks, questions
from viz.core import curves, plane
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import color
from viz.core.words import number, rounded, vector

_SMALLEST, _LARGEST = 0.35, 2.2  # diameters of the points, of the usual one
_SIZE = "size of a point: its distance to the nearest centre"
_RING = 38  # pixels, around the disc of a centre
_UNLIKELY = 0.25  # of the chance of the point that is drawn


class Seeding(Show[PlusPlusStep]):
    """The draws with their chances, then the half-steps of k-means."""

    note = (
        "While centres are drawn, a point is as large as its distance D to the nearest one. Ring: "
        "the centre drawn last."
    )

    def __init__(self, run: Run, data: Plane) -> None:
        """Find the half-steps: the last draw has assigned the points for the first time."""
        super().__init__(run, data)
        self.k = len(self.steps[-1].state.centers)
        chances = [step.chance for step in self.steps[1 : self.k]]
        self.opens = 1 + int(np.argmax(chances)) if chances else 0  # the likeliest draw
        self.half_steps = [step.state for step in self.steps[self.k - 1 :]]

    def views(self) -> list[View]:
        """Return the picture, the shares of D², and the sum of D²."""
        inertia = curves.timeline({"Σ D²": [step.state.inertia for step in self.steps]})
        return [
            View("Points as large as their distance D to the nearest centre", self.picture),
            View("Share of Σ D² around each centre", self.shares),
            View("Σ D², the inertia: after every draw and half-step", inertia, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the centres; during the draws, points sized by D, with the newest centre ringed."""
        X, step = self.data.X, self.steps[now]
        if step.phase != "draw":
            figure = marks.half_step(self.data, self.half_steps, now - self.k + 1)
            points = plane.points(X, step.state.labels, size=np.ones(len(X)))
            return figure | {"points": points, "signs": figure["signs"] | {"size": ""}}
        D = np.sqrt(step.squared)
        size = np.maximum(_SMALLEST, _LARGEST * D / (D.max() or 1.0))
        points = plane.points(X, step.state.labels, size=size)
        ring = plane.rings(step.state.centers[-1:], size=_RING, name="centre drawn last")
        key = "larger: more likely to be the next centre" if now < self.k - 1 else ""
        figure = marks.clusters(self.data, step.state, points, ring, plane.GAP, key)
        return figure | {"signs": figure["signs"] | {"size": _SIZE}}

    def shares(self, now: int) -> Figure:
        """Draw the share of the sum of D² that each centre's points have."""
        k = self.k
        shares = _shares(self.steps[now], k).tolist()
        bars = {
            "type": "bar",
            "x": list(range(1, k + 1)),
            "y": np.round(shares, 4).tolist(),
            "marker": {"color": [color(j) for j in range(k)]},
            "text": [_percent(share) for share in shares],
            "textposition": "outside",
            "constraintext": "none",
            "cliponaxis": False,
            "hovertemplate": "centre %{x}: %{y:.1%} of Σ D²<extra></extra>",
        }
        title = {"text": self._meaning(now)}
        layout = curves.panel_layout(
            xaxis={"range": [0.4, k + 0.6], "dtick": 1, "title": title},
            yaxis={"range": [0, 1.2], "nticks": 5, "tickformat": ".0%"},
        )
        return {"data": [bars], "layout": layout}

    def _meaning(self, now: int) -> str:
        """Write what the bars are at, and what a share says as long as centres are drawn."""
        if now >= self.k - 1:
            return "centre (all are drawn)"
        if not self.steps[now].squared.any():
            return "nearest centre so far"
        return "nearest centre so far; share: chance of the next"

    def caption(self, now: int) -> str:
        """Write which point was drawn, and its chance; later, the captions of k-means."""
        step, n = self.steps[now], len(self.data.X)
        if step.phase != "draw":
            return k_means.half_step(self.half_steps, now - self.k + 1, "k-means++")
        place, total = vector(self.data.X[step.drawn]), number(step.state.inertia, 4)
        if now == 0:
            return (
                f"Centre 1 is drawn: each of the {n} points has the same chance of 1 / {n}.\n"
                f"It is the point {place}. D is the distance of a point to it; Σ D² = {total}."
            )
        before = self.steps[now - 1]
        if not before.squared.any():
            return (
                f"Centre {now + 1} is drawn: every point is on a centre, so all chances are equal."
                f"\nIt is the point {place}; Σ D² stays 0."
            )
        D2, whole = float(before.squared[step.drawn]), before.state.inertia
        owner = before.state.labels[step.drawn] + 1
        first = (
            f"Centre {now + 1} is drawn, at a distance of {number(D2**0.5)} from centre {owner}; "
            f"the inertia Σ D² falls to {rounded(step.state.inertia)}."
        )
        rule = (
            f"The chance of the point {place}, its D² over the sum of all: {number(D2)} / "
            f"{number(whole, 4)} = {number(100 * step.chance)} %. Equal chances would be "
            f"{number(100 / n)} %; the farthest point had "
            f"{number(100 * float(before.squared.max()) / whole)} %."
        )
        if now == self.k - 1:
            first += f" All {self.k} centres are drawn: k-means goes on from here."
        return f"{first}\n{rule}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point is drawn as the next centre, then what k-means does."""
        step, after = self.steps[now], self.steps[now + 1]
        if after.phase != "draw":
            return questions.half_step(self.data, self.half_steps, now - self.k + 1, rng)
        drawn = np.arange(len(self.data.X)) == after.drawn
        unlikely = step.squared < _UNLIKELY * step.squared[drawn]

        def reason(i: int) -> str:
            far, mean = np.sqrt([step.squared[i], step.squared.mean()]).tolist()
            return (
                f"Its D is {number(far)}, so its chance was D² / Σ D² = "
                f"{number(100 * after.chance)} %, {number(far**2 / mean**2)} times that of an "
                "average point. Each of the others had less than a quarter of it."
            )

        text = "The next centre is drawn, with chances in proportion to D². Which of these is it?"
        return which_point(rng, self.data, text, drawn, unlikely, reason)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].state.labels)


def _shares(step: PlusPlusStep, k: int) -> ndarray:
    sums = np.bincount(step.state.labels, weights=step.squared, minlength=k)
    return sums / (sums.sum() or 1.0)


def _percent(share: float) -> str:
    """Write a share above its bar; a bar of nothing has no words."""
    if 0 < share < 0.005:
        return "<1%"
    return f"{share:.0%}" if share else ""
