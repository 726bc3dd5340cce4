"""The ball that grows around a picked point, neighbour by neighbour."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.neighbors.k_nearest_neighbors import KNearestNeighborsStep
from viz.classification.neighbors import marks
from viz.core import curves, naming, plane
from viz.core.found import Regions
from viz.core.question import Place, Question, apart
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import color, symbol
from viz.core.words import alike, counted, listed, number, vector

_CELLS = 160  # of the regions, both ways
_NEW, _MET = 2, 1  # kinds of marks
_BEYOND = 20  # points beyond the k-th whose distances are drawn at most
_CLEAR = 1.02  # times as far: points to choose from
_TURN = np.linspace(0, 2 * np.pi, 121)
_OUTLINES = {  # of the ball of radius 1
    "euclidean": np.column_stack([np.cos(_TURN), np.sin(_TURN)]),
    "manhattan": np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1], [1, 0]]),
    "chebyshev": np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]]),
}
_UNMET, _LARGE = 0.5, 1.35  # opacity of points that are not met, and size of those that are
_ROOM = 0.035  # of the picture: so far apart, each of many neighbours can have its number
_FEW = 20  # neighbours that all have their numbers
_BESIDE = (0.02, 0.045)  # of the picture: from a neighbour to its number
_MIDDLE = np.array([0.015, 0.02])  # of it: from there to the middle of the number
_OWN = 1.5  # times as far from every other point as from its own: clearly beside its own
_PLACES = 3  # that are compared at least
_AROUND = {  # directions from a neighbour, with the side on which its number is then
    (1, 0): "middle right", (1, 1): "top right", (0, 1): "top center", (-1, 1): "top left",
    (-1, 0): "middle left", (-1, -1): "bottom left", (0, -1): "bottom center",
    (1, -1): "bottom right",
}  # fmt: skip
_DIRECTIONS = np.array(list(_AROUND)) / np.linalg.norm(list(_AROUND), axis=1)[:, None]
_KEY_AT = np.stack(np.meshgrid(np.linspace(0, 0.5, 26), [0.02, 0.04]), axis=-1).reshape(-1, 2)
_BALL = "ball that holds the neighbours met so far"
_SIGNS = {
    "marks": ["", "", "neighbour met last"],
    "edges": "way to a neighbour",
    "size": "large: met",
    "strength": "faint: not met",
}


class GrowingBall(Show[KNearestNeighborsStep]):
    """The ball, the votes, and the distances in order."""

    unit = "neighbour"
    counts_from = 1
    opens = AT_THE_END  # the votes are those of the region

    def __init__(self, run: Run, data: Plane) -> None:
        """Prepare the regions behind the points: the vote of all k neighbours."""
        super().__init__(run, data)
        model = self.model = self.steps[0].model
        self.behind = marks.vote_regions(model, data.bounds, _CELLS)
        self.border = marks.border(model, data.bounds, _CELLS)
        left, right, bottom, top = data.bounds
        self._size = np.array([right - left, top - bottom])
        self._key = f"background, border: the vote with k = {model.k}"
        self.equal_votes = model.weights == "equal"
        self.note = (
            f"Regions: the class that wins the vote of the {counted(model.k, 'nearest point')}, "
            "fainter where the vote is closer. If points are equally far, the first in the data "
            f"count. {marks.units(model, data)}"
        )

    def views(self) -> list[View]:
        """Return the picture, the votes and the distances."""
        votes = "Votes so far" if self.equal_votes else "Weights so far"
        return [
            View("The ball and its neighbours", self.picture),
            View(f"{votes}, by class", self.ballot),
            View("Distances in order; dotted: the k-th", self.distances, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the ball, a line to every neighbour it has met, and a ring around the last one."""
        data, step = self.data, self.steps[now]
        met = step.order[: step.met]
        kind = np.zeros(len(data.X))
        kind[met] = _MET
        kind[met[-1]] = _NEW
        ends = data.X[met]
        return plane.figure(
            [
                self.behind,
                plane.line(_ball(step), line={"width": 3}, name=_BALL),
                self.border,
                *self._numbers(step),
                naming.in_corner(self._key, data.bounds),
            ],
            data.bounds,
            data.names,
            points=plane.points(
                data.X,
                data.labels,
                size=np.where(kind > 0, _LARGE, 1.0),
                strength=np.where(kind > 0, 1.0, _UNMET),
            ),
            marks=plane.marks(kind, (100, 100, 100), (0, 0, 18), 1.5),
            edges=plane.edges(plane.from_the_rim(step.query, ends, data.bounds), ends, width=1.5),
            signs=_SIGNS,
        )

    def _numbers(self, step: KNearestNeighborsStep) -> list[dict]:
        """Number the neighbours in the order in which they are met; of many, where there is room.

        A number is on the side away from the picked point, or where it covers less.
        """
        *before, last = self.data.X[step.order[: step.met]] / self._size
        places: list[Place] = [(0, *place) for place in (step.query / self._size, last, *before)]
        shown = [*range(step.met - 1)]
        if step.met > _FEW:
            shown = [i - 2 for i in apart(places, _ROOM) if i >= 2]
        met = [step.met - 1, *shown]
        names = [naming.Name(f"\u200a{i + 1}\u200a", self._beside(step, i), {}) for i in met]
        here = step.query + _BESIDE[0] * _DIRECTIONS * self._size
        corner = self.data.bounds[::2] + _KEY_AT * self._size
        taken = np.concatenate([self.data.X, here, self.data.X[step.order[met]], corner])
        written = naming.clear_names(names, self.data.bounds, taken)
        return [
            _together(written[1:], {"size": 14}),
            _together(written[:1], {"size": 18, "weight": 700}),
        ]

    def _beside(self, step: KNearestNeighborsStep, i: int) -> list[tuple[ndarray, str]]:
        """Return where the number of a neighbour may be, with its side.

        The first ones are near it, and among these the one away from the picked point.
        """
        place = self.data.X[step.order[i]]
        along = _DIRECTIONS @ ((place - step.query) / self._size)
        ways = np.argsort(-along, kind="stable").tolist()
        sides = list(_AROUND.values())
        tried = [(far, way) for far in _BESIDE for way in ways]
        to_own, to_other = self._off(place, tried)
        own = to_other / to_own
        # Where points are crowded, the places that are most clearly beside this one have to do.
        kept = own >= min(_OWN, np.sort(own)[-_PLACES])
        return [
            (place + far * self._size * _DIRECTIONS[way], sides[way])
            for (far, way), clear in zip(tried, kept, strict=True)
            if clear
        ]

    def _off(self, place: ndarray, tried: list[tuple[float, int]]) -> tuple[ndarray, ndarray]:
        """Return how far a number's middle is from its point, and from the nearest other point."""
        middles = place / self._size + [
            far * _DIRECTIONS[way] + _MIDDLE * list(_AROUND)[way] for far, way in tried
        ]
        away = np.linalg.norm(middles[:, None] - self.data.X / self._size, axis=2)
        own = (place == self.data.X).all(axis=1)
        to_own = np.linalg.norm(middles - place / self._size, axis=1)
        return to_own, away[:, ~own].min(axis=1, initial=np.inf)

    def ballot(self, now: int) -> Figure:
        """Draw every class's votes; the last step's votes fix the axis."""
        step, end = self.steps[now], self.steps[-1]
        names = [f"class {self.data.classes[j]}" for j in step.classes]
        bars = {
            "type": "bar",
            "x": names,
            "y": step.votes.tolist(),
            "text": [number(float(votes)) for votes in step.votes],
            "textposition": "outside",
            "cliponaxis": False,
            "marker": {"color": [color(int(j)) for j in step.classes]},
            "hoverinfo": "skip",
        }
        title = "votes" if self.equal_votes else "sum of r₁/r"
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={
                "title": {"text": title},
                "range": [0, 1.2 * float(end.votes.max())],
                "nticks": 4,
            },
        )
        return {"data": [bars], "layout": layout}

    def distances(self, now: int) -> Figure:
        """Draw the distances of the nearest points in order, and where the ball is now."""
        step, k = self.steps[now], self.model.k
        shown = min(len(step.order), k + max(k, _BEYOND))
        labels = self.data.labels[step.order[:shown]].tolist()
        far = step.distances[:shown]
        top = 1.08 * float(far[-1]) or 1.0
        points = {
            "type": "scatter",
            "mode": "markers",
            "x": list(range(1, shown + 1)),
            "y": plane.packed(far),
            "marker": {
                "size": 8,
                "color": [color(label) for label in labels],
                "symbol": [symbol(label) for label in labels],
            },
            "hovertemplate": "point %{x}: distance %{y:.4g}<extra></extra>",
        }
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "neighbour", "standoff": 4},
                "range": [0.2, shown + 0.8],
                "nticks": 8,
            },
            yaxis={"title": {"text": "distance"}, "range": [-0.03 * top, top], "nticks": 5},
            shapes=[curves.dotted(k, 2)],
        )
        here = curves.marked(step.met, step.radius, marker=curves.RING)
        return {"data": [points, here], "layout": layout}

    def caption(self, now: int) -> str:
        """Write which neighbour is met, how far it is, and the vote so far."""
        step = self.steps[now]
        nearest, k = step.order[step.met - 1], self.model.k
        name = self.data.classes[self.data.labels[nearest]]
        return (
            f"Neighbour {step.met} of {k}: class {name}, at distance {alike(step.radius)[0]}; "
            f"{self._standing(step)}.\n{self._rule(step, nearest)}\n{self._picked(step)}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point the growing ball meets next."""
        step = self.steps[now + 1]
        nearest, far = step.order[step.met - 1], np.empty(len(step.order))
        far[step.order] = step.distances
        beyond = far > _CLEAR * far[nearest]

        def reason(i: int) -> str:
            following = min(far[beyond])
            return (
                f"Its {step.model.metric} distance is {number(float(far[i]))}; the next point that "
                f"is clearly farther has {number(float(following))}."
            )

        text = "The ball grows. Which of these points does it meet first?"
        meets = np.arange(len(far)) == nearest
        return which_point(rng, self.data, text, meets, beyond, reason)

    def found(self, now: int) -> Regions:
        """Return the winner of the vote of all k neighbours in every cell."""
        return marks.found(self.model, self.data.bounds, _CELLS)

    def _standing(self, step: KNearestNeighborsStep) -> str:
        """Write which class leads."""
        if step.tied:
            first = np.flatnonzero(step.votes == step.votes.max())
            names = listed([str(self.data.classes[step.classes[j]]) for j in first])
            return f"classes {names} are level"
        votes = np.sort(step.votes)[::-1]
        if votes[1] == 0:
            what = "votes are" if self.equal_votes else "weight is"
            return f"all {what} for class {self.data.classes[step.leader]}"
        return (
            f"class {self.data.classes[step.leader]} "
            f"{'wins' if step.met == self.model.k else 'leads'} by {number(float(votes[0]))} to "
            f"{number(float(votes[1]))}"
        )

    def _rule(self, step: KNearestNeighborsStep, nearest: int) -> str:
        """Write the distance of the neighbour met last, and its weight, with their numbers."""
        data, model = self.data, self.model
        away = np.abs(data.X[nearest] - step.query) / model.spread
        across, up = (number(float(part)) for part in away)
        rule = {
            "euclidean": f"√({across}² + {up}²)",
            "manhattan": f"{across} + {up}",
            "chebyshev": f"max({across}, {up})",
        }[model.metric]
        columns = f"from the differences in {listed(data.names)}"
        if (model.spread != 1).any():
            columns = f"after {marks.scaled(model, data)}"
        text = f"Its distance is r = {rule} = {alike(step.radius)[0]}, {columns}."
        if self.equal_votes:
            return text
        first, weight = float(step.distances[0]), float(step.weights[step.met - 1])
        if step.radius == 0:
            return f"{text} At distance 0 its weight is 1."
        r1, r = number(first, 4), number(step.radius, 4)  # so that the quotient comes out
        return f"{text} Weight r₁/r = {r1}/{r} = {number(weight)}."

    def _picked(self, step: KNearestNeighborsStep) -> str:
        """Write which class the picked point gets: from the neighbours so far, or from all k."""
        total, name = float(step.votes.sum()), self.data.classes[step.leader]
        share = f"{number(float(step.votes.max()))} of {number(total)}"
        what = "votes" if self.equal_votes else "in weights"
        if step.met < self.model.k:
            said = f"if k were {step.met}, it would be class {name}, with {share} {what}"
        else:
            said = f"with k = {self.model.k} it is class {name}, with {share} {what}"
        tie = ": a tie, which goes to the class that is listed first" if step.tied else ""
        return f"Picked point {vector(step.query)}: {said}{tie}."


def _together(written: list[dict], font: dict) -> dict:
    """Write words that have places of their own as one trace."""
    places = [np.column_stack([plane.unpacked(each[axis]) for axis in "xy"]) for each in written]
    return plane.line(
        np.concatenate(places or [plane.GAP]),
        mode="text",
        text=[each["text"][0] for each in written],
        textposition=[each["textposition"] for each in written],
        textfont={"shadow": "auto"} | font,
    )


def _ball(step: KNearestNeighborsStep) -> ndarray:
    """Return the outline of the ball, in the metric and the units of the model."""
    model = step.model
    return step.query + step.radius * model.spread * _OUTLINES[model.metric]
