"""CLARANS: swaps drawn at random, tried one by one."""

from itertools import pairwise

import numpy as np
from numpy.random import Generator

from algorithms.clustering.k_medoids.clarans import ClaransStep
from viz.clustering.k_medoids import marks
from viz.clustering.k_medoids.marks import SUMMED
from viz.core import curves, plane
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number, place, rounded, vector

_MOST_DRAWN = 2000  # tries
_MOST_TIMES = 3  # the lowest cost: tries that would cost more are not drawn
_LITTLE = 1e-3  # of the cost: less is no difference


class Tries(Show[ClaransStep]):
    """The tries, one after the other."""

    def __init__(self, run: Run, data: Plane, pam: Run, most_failures: int) -> None:
        """Prepare the curve of the costs. pam : the steps of PAM on the same points."""
        super().__init__(run, data)
        self.rival, self.most_failures = pam.steps[-1].cost, most_failures
        self.tries = [step for step in self.steps if step.phase == "try"]
        self.taken = sum(step.taken for step in self.tries)
        falls = [
            before.cost - step.cost if step.taken else 0.0 for before, step in pairwise(self.steps)
        ]
        self.opens = 1 + int(np.argmax(falls)) if any(falls) else 0  # the best swap
        said = [
            "Dotted: from the medoid that would go to the point that would come; ring: this point.",
            *marks.lines_join(len(data.X)),
            "The dashed line is where PAM ends, from BUILD. Tries that cost much more, and some of "
            f"more than {_MOST_DRAWN:,} tries, are not drawn.",
            *marks.few_swaps(len(data.X)),
        ]
        self.note = " ".join(said)
        self.still = self._still()

    def views(self) -> list[View]:
        """Return the picture, and the costs."""
        return [
            View("Points, medoids, and the swap that is tried", self.picture),
            View("Cost of the medoids, and of every swap tried", self.costs, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw every point joined to its medoid, and the swap as a dotted line to its point."""
        step, X = self.steps[now], self.data.X
        tried = step.tried >= 0
        way = X[[step.gone, step.tried]] if tried else plane.GAP
        ring = X[[step.tried]] if tried else plane.GAP
        traces = [
            plane.line(way, line={"width": 4, "dash": "dot"}, name=marks.SWAP),
            plane.rings(
                ring, size=36 if step.taken else 20, name="point that would become a medoid"
            ),
            marks.medoids(step.places),
        ]
        return marks.clusters(self.data, traces, step.places, step.labels)

    def costs(self, now: int) -> Figure:
        """Draw the cost at every step, the cost of every try, and where PAM ends."""
        dot = curves.marked(now, self.steps[now].cost, showlegend=False)
        return self.still | {"data": [*self.still["data"], dot]}

    def caption(self, now: int) -> str:
        """Write what was tried; below, what it would cost."""
        step, k, what = self.steps[now], len(self.steps[0].medoids), SUMMED[self.steps[now].metric]
        pam = f"PAM ends at {number(self.rival, 4)}."
        if step.phase == "start":
            searches = self.steps[-2].search + 1
            return (
                f"Search {step.search + 1} of {searches} starts from {counted(k, 'medoid')} drawn "
                f"at random.\nThe {what} to the medoids add up to the cost, "
                f"{number(step.cost, 4)}. {pam}"
            )
        if step.phase == "end":
            swaps = k * (len(self.data.X) - k)
            return (
                f"All searches have ended: the lowest cost is {rounded(step.cost)}, of search "
                f"{step.search + 1}.\nThe {what} to the medoids add up to {number(step.cost, 4)}. "
                f"{self.taken} of {counted(len(self.tries), 'tried swap')} lowered the cost. "
                f"PAM computes the cost of k (n − k) = {swaps} swaps at every step. {pam}"
            )
        j, where = step.place + 1, place(self.data.X[step.tried])
        before, cost = number(self.steps[now - 1].cost, 4), number(step.tried_cost, 4)
        rule = (
            f"With this point, the {what} to the nearest medoids add up to {cost} "
            f"{'<' if step.taken else '≥'} {before}."
        )
        if step.taken:
            fall = rounded(self.steps[now - 1].cost - step.cost)
            return (
                f"The point {where} takes the place of medoid {j}; the cost falls by {fall} to "
                f"{rounded(step.cost)}.\n{rule} Failures in a row: 0."
            )
        ends = f" Search {step.search + 1} ends here." if step.event else ""
        return (
            f"The point {where} in the place of medoid {j} would not lower the cost: refused.{ends}"
            f"\n{rule} Failures in a row: {step.failures} of {self.most_failures}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next swap is made; about made and refused swaps equally often."""
        before, after = self.steps[now], self.steps[now + 1]
        refused = len(self.tries) - self.taken
        share = self.taken / refused if refused else 1.0
        if after.phase != "try" or (not after.taken and rng.random() > share):
            return None
        cost, tried = before.cost, after.tried_cost
        if abs(tried - cost) <= _LITTLE * cost:
            return None
        ways = [Option("Yes: the cost falls"), Option("No: the cost would rise")]
        right, wrong = ways if after.taken else ways[::-1]
        x, y = self.data.X[after.tried].tolist()
        gone = vector(self.data.X[after.gone])
        text = f"The point ? is tried in the place of the medoid at {gone}. Is the swap made?"
        reason = f"With it the cost is {number(tried, 4)}, without it {number(cost, 4)}."
        return question(text, right, [wrong], reason, (0, x, y))

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)

    def _still(self) -> Figure:
        """Draw the parts of the costs that are the same at all steps."""
        steps, rival = self.steps, self.rival
        shown = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _MOST_DRAWN)).round())
        cost = np.array([[now, steps[now].cost] for now in shown.astype(int)])
        tried = np.array([[now, steps[now].tried_cost] for now in shown.astype(int)])
        lowest = min(rival, float(cost[:, 1].min()))
        top = min(1.1 * float(cost[:, 1].max()), _MOST_TIMES * lowest)
        room = 0.08 * (top - lowest) or 1.0
        wide = max(len(steps) - 1, 1)
        inside = tried[tried[:, 1] <= top + room]
        inside = inside if len(inside) else plane.GAP
        dashed = {"width": 2, "dash": "dash", "color": GREY}
        # A search begins elsewhere, and the end goes back to the best search: the line has gaps.
        breaks = [i for i, now in enumerate(shown.astype(int)) if steps[now].phase != "try"]
        cost = np.insert(cost, breaks[1:], np.nan, axis=0)
        lines = [
            plane.line(inside, mode="markers", marker={"size": 5, "color": GREY},
                       name="a swap that is tried", showlegend=True),
            plane.line(cost, line={"width": 2, "shape": "hv"}, name="the medoids", showlegend=True),
            plane.line(np.array([[-wide, rival], [2 * wide, rival]]), line=dashed),
        ]  # fmt: skip
        label = {"x": 1, "xref": "paper", "xanchor": "right", "y": rival, "yanchor": "top"}
        label |= {"text": f"PAM: {number(rival, 4)}", "showarrow": False}
        label |= {"font": {"shadow": "auto"}}
        ends = [lowest - 2 * room, top + room]
        layout = curves.panel_layout(
            xaxis={"range": [-0.04 * wide, 1.04 * wide], "nticks": 8}
            | {"title": {"text": "step", "standoff": 2}},
            yaxis={"range": ends, "nticks": 5, "title": {"text": "cost"}},
            annotations=[label],
        )
        return curves.with_legend({"data": lines, "layout": layout})
