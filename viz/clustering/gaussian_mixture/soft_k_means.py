"""Soft k-means, half-step by half-step: share the points out, move the centres."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.soft_k_means import SoftKMeansStep
from viz.core import curves, naming, plane, soft_groups, what_if
from viz.core.found import Groups
from viz.core.question import Option, Question
from viz.core.question_kinds import rises_or_falls, which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import color, dash
from viz.core.words import counted, equals, number, rounded, vector

_AWAY = 0.022  # of the picture, from the ringed point to its name
_SEEN = 0.01  # of the mean distance to the centres: shorter moves are not asked for
_ROUNDING = 1e-12  # of F: a smaller change is none


class SoftKMeans(Show[SoftKMeansStep]):
    """The half-steps, and how the centres share the points between them."""

    opens = 4

    def __init__(self, run: Run, data: Plane, start: str, multiple: float) -> None:
        """Write the note.

        start : how the first centres were found. multiple : of the critical stiffness.
        """
        super().__init__(run, data)
        self.start = start
        self.energy = [step.free_energy for step in self.steps]
        self.inertia = [step.inertia for step in self.steps]
        beta = self.steps[0].stiffness
        self.radius = (2 * beta) ** -0.5
        self.note = (
            f"β = {multiple:g} × the critical {number(beta / multiple)}. Below the critical β it "
            "is stable that all centres are on the mean (others can be stable, too). This is EM "
            "for a mixture with equal weights and Σ = I / (2β), 1 standard deviation of "
            f"{number(self.radius)} (the circles); for very large β it is k-means."
        )

    def views(self) -> list[View]:
        """Return the picture, the shares on a line, and F and the inertia."""
        series = curves.timeline({"F": self.energy, "inertia": self.inertia}, along="step")
        return [
            View("Points in the blend of their centres", self.picture),
            View("Shares on the line through centres 1 and 2", self.along),
            View("Free energy and inertia at every step", series, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points in their centres' colours, and around each centre 1 standard deviation.

        In an assign a ring is around the least decided point. In a move a line shows the way of
        every centre.
        """
        step = self.steps[now]
        moves, ring = [], plane.GAP
        if step.phase == "move":
            moves = list(np.stack([self.steps[now - 1].centers, step.centers], axis=1))
        else:
            ring = self.data.X[[_example(step)]]
        traces = [
            *soft_groups.circles(step.centers, self.radius),
            plane.line(
                plane.joined(moves),
                line={"width": 2, "dash": "dot"},
                name="way of a centre in this step",
            ),
            plane.rings(ring, size=27, name="least decided point, in the caption"),
            soft_groups.centers(step.centers, self.data.bounds),
            *self._least_decided(ring),
        ]
        points = soft_groups.points(self.data.X, step.responsibilities)
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, signs=soft_groups.SIGNS
        )

    def _least_decided(self, ring: ndarray) -> list[dict]:
        """Name the ringed point, clear of the others."""
        left, right, bottom, top = self.data.bounds
        off = _AWAY * np.array([right - left, top - bottom])
        sides = [f"{up} {across}" for across in ("left", "right") for up in ("bottom", "top")]
        ways = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]) * off
        where = [(ring[0] + way, side) for way, side in zip(ways, sides, strict=True)]
        text = "least decided" if np.isfinite(ring).all() else ""
        name = naming.Name(text, where, {"size": 14})
        return naming.clear_names([name], self.data.bounds, self.data.X)

    def along(self, now: int) -> Figure:
        """Draw every centre's responsibility on the line through centres 1 and 2."""
        step = self.steps[now]
        start, end = step.centers[0], step.centers[min(1, len(step.centers) - 1)]
        at = np.linspace(-0.5, 1.5, 17)
        shares = step.shares(start + at[:, None] * (end - start))
        traces = [
            plane.line(
                np.column_stack([at, share]),
                name=f"centre {j + 1}",
                showlegend=True,
                line={"width": 2.5, "color": color(j), "dash": dash(j), "shape": "spline"},
            )
            for j, share in enumerate(shares.T)
        ]
        layout = curves.panel_layout(
            xaxis={"range": [-0.5, 1.5], "tickvals": [0, 0.5, 1],
                   "ticktext": ["centre 1", "half-way", "centre 2"]},
            yaxis={"range": [-0.05, 1.05], "nticks": 4, "title": {"text": "share"}},
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the half-step did, and the rule with its numbers."""
        step = self.steps[now]
        n, k = step.responsibilities.shape
        if now == 0:
            who = f"each of the {n} points" if n > 1 else "the only point"
            return (
                f"Start: {counted(k, 'centre')} ({self.start}); {who} is shared out.\n"
                f"{self._shares(now)}"
            )
        before = self.steps[now - 1]
        if step.event == "moved by hand":
            return f"{self._by_hand(now)}\n{self._shares(now)}"
        fall = before.free_energy - step.free_energy
        stays = fall <= _ROUNDING * abs(step.free_energy)
        falls = f"the free energy {'stays at' if stays else 'falls to'} {rounded(step.free_energy)}"
        if step.phase == "assign":
            said = f"Assign: recompute every point's shares; {falls}.{_ending(step)}"
            return f"{said}\n{self._shares(now)}"
        j = int(step.shift.argmax())
        size = float(step.responsibilities[:, j].sum())
        place = ", ".join(number(x) for x in step.centers[j])
        return (
            f"Move: every centre goes to the mean of its shares; {falls}.{_ending(step)}\n"
            f"Centre {j + 1} moves farthest, by {number(step.shift[j])}: c ← Σ r x / Σ r = "
            f"({place}), with Σ r = {number(size)} of {n} points."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which centre goes farthest, and whether the inertia alone rises or falls."""
        spread = (self.inertia[0] / len(self.data.X)) ** 0.5
        after = self.steps[now + 1]
        moves = after.phase == "move" and after.shift.max() > _SEEN * spread
        if moves and rng.random() < 0.7 and (asked := self._farthest(now)):
            return asked
        return self._inertia(now)

    def found(self, now: int) -> Groups:
        """Return the nearest centre of every point."""
        return Groups(self.steps[now].responsibilities.argmax(axis=1))

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the ways and the places of the centres, and the free energy."""
        ways = what_if.paths([step.centers for step in self.steps], since)
        places = what_if.numbered(self.steps[now].centers)
        return [ways, places], [], [what_if.curve(self.energy, since)]

    def _shares(self, now: int) -> str:
        """Write the largest responsibility for the ringed point with its numbers."""
        step = self.steps[now]
        i = _example(step)
        squared = np.square(self.data.X[i] - step.centers).sum(axis=1)
        j = int(step.responsibilities[i].argmax())
        share = float(step.responsibilities[i, j])
        listed = ", ".join(number(d) for d in squared)
        return (
            f"The ringed point is the least decided; d² to the centres is {listed}. With β = "
            f"{number(step.stiffness)}, centre {j + 1} has the largest share, exp(−β d²) / "
            f"Σ exp(−β d²) {equals(share) if len(squared) > 1 else '='} {number(share)}."
        )

    def _by_hand(self, now: int) -> str:
        """Write which centres were moved by hand, and what this does to the free energy."""
        before, step = self.steps[now - 1], self.steps[now]
        moved = np.flatnonzero((step.centers != before.centers).any(axis=1)).tolist()
        places = [f"centre {j + 1} goes to {vector(step.centers[j])}" for j in moved]
        what = "By hand: drag a centre or a point; nothing is moved yet"
        if places or self.data.moved is not None:
            what = f"By hand: {', '.join(places)}" if places else "The centres stay"
        old, new = (number(each.free_energy, 5) for each in (before, step))
        return f"{what}. Free energy {old} → {new}."

    def _farthest(self, now: int) -> Question | None:
        """Ask which centre moves farthest."""
        centers = self.steps[now].centers.tolist()
        options = [Option(f"centre {j + 1}", (0, x, y)) for j, (x, y) in enumerate(centers)]
        shift = self.steps[now + 1].shift.tolist()

        def reason(first: int, second: int) -> str:
            return (
                f"Centre {first + 1} moves by {number(shift[first])}, to the mean of all points "
                f"weighted by their shares; centre {second + 1} moves by {number(shift[second])}."
            )

        return which_most("Move: which centre goes farthest?", options, shift, reason)

    def _inertia(self, now: int) -> Question | None:
        """Ask whether the first term of F rises or falls; it may rise in an assign."""
        before, after = self.steps[now], self.steps[now + 1]
        reason = (
            f"It goes from {number(before.inertia, 4)} to {number(after.inertia, 4)}, and F from "
            f"{number(before.free_energy, 4)} to {number(after.free_energy, 4)}."
        )
        doing = "Assign" if after.phase == "assign" else "Move"
        text = f"{doing}: F cannot rise. What does its first term do, the shared inertia?"
        return rises_or_falls(text, before.inertia, after.inertia, reason)


def _example(step: SoftKMeansStep) -> int:
    """Return the point whose responsibilities are the least decided."""
    return int(step.responsibilities.max(axis=1).argmin())


def _ending(step: SoftKMeansStep) -> str:
    if step.event == "centres merge":
        left = (
            "1 distinct centre is" if step.distinct == 1 else f"{step.distinct} distinct ones are"
        )
        return f" Centres merge: only {left} left."
    if step.event == "converged":
        return " No centre moves any more: converged."
    return " Stopped: no more iterations are allowed." if step.event else ""
