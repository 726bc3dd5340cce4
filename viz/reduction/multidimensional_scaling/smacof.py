"""Springs: in every step all places move at once, and the stress falls."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import pdist, squareform

from algorithms.reduction.multidimensional_scaling.smacof import SmacofStep
from viz.core import curves, plane, what_if
from viz.core.question import Option, Place, Question
from viz.core.question_kinds import rises_or_falls, which_most
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.words import counted, number
from viz.reduction.multidimensional_scaling import marks
from viz.reduction.multidimensional_scaling.marks import Given

_SPRINGS = 4  # of a kind that are drawn
_TENSE = 0.05  # of the largest distance: least error of a spring that is drawn
_OPENS = 0.25  # of the first stress: the map is half unfolded
_LEAST = 0.001  # percent of the squared distances: a smaller stress is not written
_TRAIL = 12  # places along the way of a thing
_FEW = 40  # things whose ways are drawn
_ASKED = 4  # things to choose from
_CLEAR = 0.02  # of a distance: smaller changes are not asked about


class Springs(Show[SmacofStep]):
    """Every place goes to the mean of where all others want it."""

    def __init__(self, run: Run, things: Given, stresses: ndarray) -> None:
        """Find the square of the map. stresses : at the end, with 1, 2, ... axes."""
        super().__init__(run)
        self.things, self.stresses = things, stresses
        self.note = marks.NOTE
        # The first maps may be far larger: they would make the last one tiny.
        self.box = marks.map_box([step.embedding for step in (self.steps[0], self.steps[-1])])
        half = _OPENS * self.steps[0].stress
        self.opens = next((t for t, step in enumerate(self.steps) if step.stress < half), 0)
        self.whole = float(np.square(things.distances).sum() / 2) or 1.0

    def views(self) -> list[View]:
        """Return what is given, the map, the Shepard diagram, and both curves of the stress."""
        stress = [step.stress for step in self.steps]
        return [
            *marks.first_views(self.things, "The map", self.picture),
            View("Distances on the map against those given", self.shepard, board=False),
            View("Stress after every step", curves.timeline({"stress": stress}), ahead="by step"),
            View(
                "Stress at the end against the number of axes",
                self.dimensions,
                ahead="to a question",
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the map, and the trails of the things if there are few."""
        Z, trails = self.steps[now].embedding, None
        if len(Z) <= _FEW:
            kept = np.unique(np.linspace(0, now, min(now + 1, _TRAIL)).round().astype(int))
            trails = np.stack([self.steps[i].embedding for i in kept.tolist()], axis=1)
        figure = marks.the_map(self.things, Z, self.box, trails)
        figure["data"] = [*self._springs(now), *figure["data"]]
        return curves.with_legend(figure, x=0, xanchor="left")

    def _springs(self, now: int) -> list[dict]:
        """Draw the worst springs: those that push two places apart, and those that pull."""
        Z = self.steps[now].embedding
        wanted, found = squareform(self.things.distances, checks=False), pdist(Z)
        pairs = np.column_stack(np.triu_indices(len(Z), 1))
        gaps, least = found - wanted, _TENSE * wanted.max(initial=0.0)
        traces = []
        for name, color, tension in (
            ("spring too short: it pushes", PALETTE[1], -gaps),
            ("spring too long: it pulls", PALETTE[2], gaps),
        ):
            worst = np.argsort(-tension, kind="stable")[:_SPRINGS]
            lines = [Z[pair] for pair in pairs[worst[tension[worst] > least]]]
            traces.append(
                plane.line(
                    plane.joined(lines), line={"width": 3, "color": color}, name=name,
                    showlegend=bool(lines),
                )
            )  # fmt: skip
        return traces

    def shepard(self, now: int) -> Figure:
        """Draw the distances on the map against those given."""
        return marks.shepard(self.things, self.steps[now].embedding)

    def dimensions(self, now: int) -> Figure:
        """Draw the stress against the number of axes; the map has two."""
        axes = list(range(1, len(self.stresses) + 1))
        traces = [curves.against("stress", axes, self.stresses.tolist(), yaxis="y")]
        top = 1.08 * (float(self.stresses.max()) or 1.0)
        layout = curves.panel_layout(
            xaxis={"range": [0.6, axes[-1] + 0.4], "dtick": 1, "title": {"text": "axes"}},
            yaxis={"range": [-0.03 * top, top], "nticks": 4, "title": {"text": "stress"}},
            shapes=[curves.dotted(2)],
        )
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write how the stress falls, and the pair of things that is worst."""
        step, things = self.steps[now], self.things
        Z, (i, j) = step.embedding, marks.worst(things, step.embedding)
        far = float(np.linalg.norm(Z[i] - Z[j]))
        worst = (
            f"Worst: {things.pair(i, j)}, {number(far)} on the map and "
            f"{number(float(things.distances[i, j]))} as given."
        )
        part = 100 * step.stress / self.whole
        share = f"{number(part) if part >= _LEAST else f'less than {_LEAST}'} %"
        unit = f" {things.unit}²" if things.unit else ""
        reached = (
            f"{number(step.stress, 4)}{unit}, {share} of the sum of the squared distances. {worst}"
        )
        rule = f"Stress = Σ (d − δ)² = {reached}"
        if now == 0:
            places = counted(len(Z), "place")
            said = f"Start: {places}, and a spring between every two; the most strained are drawn."
            return f"{said}\n{rule}"
        if step.event == "moved by hand":
            return f"By hand: drag a place. The others follow in the next steps.\n{rule}"
        before = self.steps[now - 1]
        fell = before.stress - step.stress
        moved = np.linalg.norm(Z - before.embedding, axis=1)
        k = int(moved.argmax())
        how_far = f"{number(float(moved[k]))} {things.unit}".rstrip()
        what = (
            "Every place goes to the mean of the spots where the others want it; "
            f"{things.name(k)} goes farthest, by {how_far}."
        )
        if step.event == "converged":
            gap = abs(far - float(things.distances[i, j]))
            what = (
                f"Converged: every distance on the map is within "
                f"{f'{number(gap, 2)} {things.unit}'.rstrip()} of the given one."
            )
        if step.event == "stopped at max_iter":
            what += " Stopped: no more steps are allowed."
        if step.event == "converged":
            return f"{what}\n{rule}"
        return f"{what}\nThe stress Σ (d − δ)² falls by {number(max(fell, 0.0))} to {reached}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which place goes farthest, or whether the distance of two places grows."""
        before, after = self.steps[now].embedding, self.steps[now + 1].embedding
        n, view = len(before), 1 if self.things.data else 0
        moved = np.linalg.norm(after - before, axis=1)

        def place(i: int) -> Place:
            return (view, float(before[i, 0]), float(before[i, 1]))

        if n > 2 and rng.random() < 0.5:
            some = [int(moved.argmax()), *rng.permutation(n).tolist()]
            some = list(dict.fromkeys(some))[:_ASKED]
            options = [Option(self.things.name(i), place(i)) for i in some]
            return which_most(
                "Which of these places goes farthest in the next step?", options,
                moved[some].tolist(),
                lambda a, b: f"It goes {number(moved[some[a]])}; next is {number(moved[some[b]])}.",
            )  # fmt: skip
        if n < 2:
            return None
        i, j = rng.choice(n, 2, replace=False).tolist()
        old, new = (float(np.linalg.norm(Z[i] - Z[j])) for Z in (before, after))
        wanted = float(self.things.distances[i, j])
        reason = (
            f"On the map it goes from {number(old)} to {number(new)}; the given distance is "
            f"{number(wanted)}."
        )
        text = f"What does the distance between {self.things.pair(i, j)} on the map do?"
        return rises_or_falls(text, old, new, reason, least=_CLEAR)

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the places of the run as it was, and its stress."""
        places = [what_if.numbered(self.steps[now].embedding)]
        curve = [what_if.curve([step.stress for step in self.steps], since)]
        return places, [], [], curve
