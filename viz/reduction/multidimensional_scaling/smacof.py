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

_SPRINGS = 2  # of a kind that are drawn
_TENSE = 0.05  # of the largest distance: least error of a spring that is drawn
_SHORT = 0.014  # of the map's side, from a place to the end of a spring
_OPENS = 0.15  # of the first stress: most places are found, and springs move the others
_LEAST = 0.001  # percent of the squared distances: a smaller stress is not written
_FOUND = 0.01  # of the squared distances: with less stress, a map has the places as they are
_TRAIL = 6  # steps whose ways are drawn
_SEEN = 0.02  # of the map's side: if no way of these steps is longer, none is drawn
_FEW = 40  # things whose ways are drawn
_RING, _ROUND = 0.016, 25  # of the map's side: a ring where a place was; its corners
_ASKED = 4  # things to choose from
_CLEAR = 0.02  # of a distance: smaller changes are not asked about


class Springs(Show[SmacofStep]):
    """Every place goes to the mean of where it is and where the others want it."""

    def __init__(self, run: Run, things: Given, stresses: ndarray) -> None:
        """Find the square of the map. stresses : at the end, with 1, 2, ... axes."""
        super().__init__(run)
        self.things, self.stresses = things, stresses
        self.box = marks.map_box([step.embedding for step in self.steps])
        little = _OPENS * self.steps[0].stress
        self.opens = next((t for t, step in enumerate(self.steps) if step.stress < little), 0)
        self.whole = float(np.square(things.distances).sum() / 2) or 1.0
        self.shares = [100 * step.stress / self.whole for step in self.steps]
        end = self.steps[-1]
        found = end.stress < _FOUND * self.whole  # else the map has no one turn
        self.said = marks.where_north_is(things, end.embedding) if found else ""
        self.note = f"{marks.NOTE}{' Distances do not say where north is.' if self.said else ''}"

    def views(self) -> list[View]:
        """Return what is given, the map, the Shepard diagram, and both curves of the stress."""
        stress = curves.timeline({"stress, %": self.shares})
        return [
            *marks.first_views(
                self.things, "The map", self.picture, [step.embedding for step in self.steps]
            ),
            View("Distances on the map against those given", self.shepard, height=0.8, board=False),
            View("Stress after every step", stress, height=0.8, ahead="by step"),
            View(
                "Stress at the end against the number of axes",
                self.dimensions,
                height=0.8,
                ahead="to a question",
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the map, and the latest ways of the things if there are few.

        The last map says where north is on it, if it has the places as they are.
        """
        Z, springs = self.steps[now].embedding, self._springs(now)
        by_hand = self.steps[now].event == "moved by hand"
        figure = marks.the_map(self.things, Z, self.box, self._ways(now), springs, by_hand)
        said = self.said if now == len(self.steps) - 1 else ""
        compass = marks.compass(self.things, Z, said, self.box)
        figure["data"] = [*springs, *figure["data"], *compass]
        return curves.with_legend(figure, x=0, xanchor="left")

    def _ways(self, now: int) -> marks.Ways | None:
        """Return the ways of the last steps, if the things are few and the ways can be seen."""
        latest = range(max(0, now - _TRAIL), now + 1)
        trails = np.stack([self.steps[i].embedding for i in latest], axis=1)
        far = np.ptp(trails, axis=1).max() > _SEEN * (self.box[1] - self.box[0])
        return marks.Ways(trails, self._farthest(now)) if far and len(trails) <= _FEW else None

    def _farthest(self, now: int) -> int | None:
        """Return the thing that went farthest in a step; none at the start and where none moves."""
        if now == 0 or self.steps[now].event in ("converged", "moved by hand"):
            return None
        moved = self.steps[now].embedding - self.steps[now - 1].embedding
        return int(np.linalg.norm(moved, axis=1).argmax())

    def _springs(self, now: int) -> list[dict]:
        """Draw the worst springs: those that pull two places together, over them those that push.

        A spring ends a little before its places, and the worst one of all is thicker.
        """
        Z = self.steps[now].embedding
        wanted, found = squareform(self.things.distances, checks=False), pdist(Z)
        pairs = np.column_stack(np.triu_indices(len(Z), 1))
        gaps, least = found - wanted, _TENSE * wanted.max(initial=0.0)
        short = _SHORT * (self.box[1] - self.box[0])
        traces = []
        for name, color, tension in (
            ("stretched spring", PALETTE[2], gaps),
            ("squeezed spring", PALETTE[1], -gaps),
        ):
            strained = np.argsort(-tension, kind="stable")[:_SPRINGS]
            strained = strained[tension[strained] > least]
            lines = [_shortened(Z[pair], short) for pair in pairs[strained]]
            most = bool(lines) and tension[strained[0]] == np.abs(gaps).max()
            traces += [
                plane.line(
                    plane.joined(lines), line={"width": 3, "color": color}, name=name,
                    showlegend=bool(lines),
                ),
                plane.line(
                    plane.joined(lines[:1] if most else []), line={"width": 6, "color": color},
                    name="worst spring", showlegend=bool(most),
                ),
            ]  # fmt: skip
        return traces

    def shepard(self, now: int) -> Figure:
        """Draw the distances on the map against those given."""
        return marks.shepard(self.things, self.steps[now].embedding)

    def dimensions(self, now: int) -> Figure:
        """Draw the stress against the number of axes; the map has two."""
        axes = list(range(1, len(self.stresses) + 1))
        shares = 100 * self.stresses / self.whole
        traces = [curves.against("stress", axes, shares.tolist(), yaxis="y")]
        top = 1.08 * (float(shares.max()) or 1.0)
        layout = curves.panel_layout(
            xaxis={"range": [0.6, axes[-1] + 0.4], "dtick": 1, "title": {"text": "axes"}},
            yaxis={"range": [-0.03 * top, top], "nticks": 4, "title": {"text": "stress, %"}},
            shapes=[curves.dotted(2)],
        )
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write how the stress falls, and the pair of things that is worst."""
        step, things = self.steps[now], self.things
        Z, (i, j) = step.embedding, marks.worst(things, step.embedding)
        far = float(np.linalg.norm(Z[i] - Z[j]))
        unit, wanted = things.unit, float(things.distances[i, j])
        worst = (
            f"Worst: {things.pair(i, j)}, {marks.length(far, unit)} on the map and "
            f"{marks.length(wanted, unit)} as given."
        )
        rule = f"The stress, all squared misfits, is {self._share(now)} of the squared distances"
        if now == 0:
            places = counted(len(Z), "place")
            said = f"Start: {places}, and a spring between every two; the most strained are drawn."
            return f"{said}\n{rule}.\n{worst}"
        if step.event == "moved by hand":
            said = "By hand: drag a place. The others follow in the next steps."
            return f"{said}\n{rule}.\n{worst}"
        if step.event == "converged":
            gap = marks.length(abs(far - wanted), unit, 2)
            said = f"Converged: every distance on the map is within {gap} of the given one."
            return f"{said}\n{rule}{self._no_more(now)}.\n{worst}"
        k = int(np.linalg.norm(Z - self.steps[now - 1].embedding, axis=1).argmax())
        went = float(np.linalg.norm(Z[k] - self.steps[now - 1].embedding[k]))
        said = (
            f"{things.name(k)} goes farthest, by {marks.length(went, unit)}: every place goes to "
            "the mean of its own spot and those where the others want it."
        )
        if step.event == "stopped at max_iter":
            said += " Stopped: no more steps are allowed."
        if (before := self._share(now - 1)) != self._share(now):
            rule += f"; before the step it was {before}"
        return f"{said}\n{rule}.\n{worst}"

    def _no_more(self, now: int) -> str:
        """Write by how little the last step lowered the stress, which ends the run."""
        fell = self.shares[now - 1] - self.shares[now] if now else 0.0
        if fell <= 0:
            return ""
        return (
            f"; the last step lowered it by only {number(fell)} % of them, so the run ends. "
            "Another start can end at a slightly different map"
        )

    def _share(self, now: int) -> str:
        """Write the stress of a step in percent of the squared distances."""
        part = self.shares[now]
        return f"{number(part) if part >= _LEAST else f'less than {_LEAST}'} %"

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
        places = [_rings(self.steps[now].embedding, self.box[1] - self.box[0])]
        curve = [what_if.curve(self.shares, since)]
        return places, [], [], curve


def _shortened(line: ndarray, by: float) -> ndarray:
    """Return a line whose two ends are drawn in, by at most a third of its length."""
    length = float(np.linalg.norm(line[1] - line[0]))
    way = (line[1] - line[0]) * min(1 / 3, by / length if length else 0.0)
    return line + np.array([way, -way])


def _rings(places: ndarray, side: float) -> dict:
    """Draw the places of the run as it was: dash-dotted rings, small, so that names are clear."""
    turn = np.linspace(0, 2 * np.pi, _ROUND)
    ring = _RING * side * np.column_stack([np.cos(turn), np.sin(turn)])
    return what_if.path(plane.joined([place + ring for place in places]))
