"""Labellings: one after the other, each with a region that realises it or with the obstacle."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.learning_theory.vc_dimension.hypotheses import (
    BOXES,
    DISCS,
    HALF_PLANES,
    POLYGONS,
    Box,
    Disc,
    HalfPlane,
    Hypothesis,
    Polygon,
    convex_hull,
)
from algorithms.learning_theory.vc_dimension.shattering import (
    Obstacle,
    ShatteringStep,
    all_labellings,
    most_by_half_planes,
    sauer_bound,
    vc_dimension,
)
from viz.core import plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.words import counted, number, numbered, vector, weighted_sum
from viz.learning_theory.vc_dimension import marks

ONE = {  # of each class of hypotheses
    "half-planes": "half-plane",
    "boxes": "box",
    "discs": "disc",
    "convex polygons": "convex polygon",
}
_PLACES = 200  # along the border of a polygon, so that it travels into that of the next step
_FAR = 12.0  # from the middle to the ends of a half-plane's border, well outside the picture
_COARSE = 6  # places on a disc, from one corner of its tile to the next
_HIGH = (-2.0, 2.0, -3.0, 3.0)  # an interval ends above and below the picture


class Labellings(Show[ShatteringStep]):
    """The points with one labelling, and the wall of all of them."""

    unit = "labelling"
    counts_from = 1
    opens = 4

    note = (
        "Drag the points. A region is positive inside; points on the border of a box or of a "
        "polygon are inside."
    )

    def __init__(self, run: Run, X: ndarray, hypotheses: str) -> None:
        """Keep the points. X : one column for intervals."""
        super().__init__(run)
        self.X, self.hypotheses = X, hypotheses
        if hypotheses == HALF_PLANES:
            self.note = f"{self.note} {marks.BELOW_THE_BOUND}"
        self.one = "interval" if X.shape[1] == 1 else ONE[hypotheses]
        self.places = X if X.shape[1] == 2 else np.column_stack([X[:, 0], np.zeros(len(X))])
        self.labellings = all_labellings(len(X))
        self.tiles = [self._in_tile(step) for step in self.steps]

    def views(self) -> list[View]:
        """Return the labelled points, all labellings, and how many a class can realise."""
        return [
            View("One labelling, and what realises it", self.picture, board=False),
            View(
                "All labellings, one change each (✕: not realised)",
                self.wall,
                height=1.7,
                board=False,
            ),
            View("How many labellings can be realised", self.growth, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points with their labels, and the region or the obstacle."""
        step = self.steps[now]
        sides, place = [plane.GAP, plane.GAP], plane.GAP
        if step.obstacle:
            sides, place = self._sides(step, step.obstacle), self._flat(step.obstacle.place)
        inks = (marks.POSITIVE, marks.NEGATIVE)
        cross = {"symbol": 134, "size": 22, "line": {"width": 5}}
        traces = [
            plane.line(self._drawn(step), fill="toself", fillcolor=marks.FILL,
                       line={"width": 3, "color": marks.POSITIVE}, name="hypothesis: + inside"),
            *(
                plane.line(side, line={"width": 3, "dash": "dash", "color": ink},
                           name="why no hypothesis fits")
                for side, ink in zip(sides, inks, strict=True)
            ),
            *marks.labelled(self.places, step.labels),
            plane.line(place, mode="markers", marker=cross, name="place that both sides share"),
        ]  # fmt: skip
        return marks.framed(traces, marks.BOX)

    def _flat(self, place: ndarray) -> ndarray:
        """Return a place in the picture; a place on the line has height 0."""
        return np.array([[place[0], place[1] if len(place) > 1 else 0.0]])

    def _sides(self, step: ShatteringStep, found: Obstacle) -> list[ndarray]:
        """Return the outlines of both sides: the hulls that meet, or the box of the positives."""
        y = step.labels.astype(bool)
        if self.hypotheses == BOXES:
            box = Box(self.X[y].min(axis=0), self.X[y].max(axis=0))
            return [box.outline(marks.BOX), plane.GAP]
        both = [self.X[(found.shares > 0) & side] for side in (y, ~y)]
        return [X if len(X) == 2 else convex_hull(X).outline(marks.BOX) for X in both]

    def wall(self, now: int) -> Figure:
        """Draw all labellings, with the verdicts so far."""
        realized, regions = self.steps[now].realized, self.tiles[: now + 1]
        verdict = self._dimension() if now == len(self.labellings) - 1 else ""
        return marks.wall(self.places, self.labellings, realized, now, regions, verdict)

    def _in_tile(self, step: ShatteringStep) -> ndarray:
        """Return the border of a region inside the tile of its labelling."""
        if step.hypothesis is None:
            return plane.GAP
        outline = self._drawn(step)[:: _COARSE if isinstance(step.hypothesis, Disc) else 1]
        return marks.within_tile(outline, self.places)

    def _drawn(self, step: ShatteringStep) -> ndarray:
        """Return the border of what realises a labelling; around a single point, larger than it."""
        found, positive = step.hypothesis, step.labels.astype(bool)
        if not self._is_a_point(step):
            return _region(found)
        low, high = marks.around_point(self.X[positive][0], self.X[~positive])
        return (
            _region(Box(low, high))
            if isinstance(found, Box)
            else _resampled(Box(low, high).outline(_HIGH), _PLACES)
        )

    def _is_a_point(self, step: ShatteringStep) -> bool:
        """Return whether the smallest region with the positives is a point, too small to see."""
        return isinstance(step.hypothesis, Box | Polygon) and int(step.labels.sum()) == 1

    def growth(self, now: int) -> Figure:
        """Draw 2^n and Sauer's bound, and how many labellings are realised so far as a bar."""
        n, d = self.X.shape
        return marks.growth(self.hypotheses, d, n, int(self.steps[now].realized.sum()))

    def caption(self, now: int) -> str:
        """Write whether the labelling is realised, and the reason with its numbers."""
        step, total = self.steps[now], len(self.labellings)
        labelling = f"Labelling {now + 1} of {total}, {marks.signs(step.labels)}"
        so_far = int(step.realized.sum())
        some = self._some()
        what = f"{labelling}: {f'no {self.one}' if step.obstacle else some} realises it"
        what += ", because the dashed lines cross." if self._crossing(step) else "."
        why = self._why_not(step) if step.obstacle else self._why(step)
        if now == total - 1:
            verdict = "shattered" if step.shattered else "not shattered"
            points = "this point is" if len(self.X) == 1 else f"these {len(self.X)} points are"
            last = f"{what} {why}" if step.obstacle else what
            return f"{so_far} of {total} labellings are realised: {points} {verdict}.\n{last}"
        return f"{what}\n{why}"

    def _some(self) -> str:
        """Write one hypothesis, with its article."""
        return f"an {self.one}" if self.one == "interval" else f"a {self.one}"

    def answer(self, now: int) -> str:
        """Write the VC dimension, once all labellings have been tried."""
        v = vc_dimension(self.hypotheses, self.X.shape[1])
        if now < len(self.labellings) - 1 or np.isinf(v):
            return ""
        n = len(self.X)
        below = ""
        if self.hypotheses == HALF_PLANES and n > v:
            below = (
                f" That allows {sauer_bound(n, v)} labellings; half-planes realise "
                f"{most_by_half_planes(n)} at most."
            )
        return (
            f"Some sets of {counted(int(v), 'point')} are shattered, but no set of {v + 1:.0f}: "
            f"the VC dimension is {v:.0f}.{below}"
        )

    def _dimension(self) -> str:
        """Write the VC dimension of the hypotheses; nothing if it is infinite."""
        v = vc_dimension(self.hypotheses, self.X.shape[1])
        many = "intervals" if self.one == "interval" else self.hypotheses
        return "" if np.isinf(v) else f"VC dimension of {many}: {v:.0f}"

    def _why(self, step: ShatteringStep) -> str:
        """Write the hypothesis with its numbers."""
        found = step.hypothesis
        if found is None:
            return (
                f"No point is positive: {self._some()} far from all points will do, too far out "
                "to be drawn."
            )
        if isinstance(found, HalfPlane):
            scores = self.X @ found.w + found.b
            i = int(np.abs(scores).argmin())
            product = weighted_sum(found.w.tolist(), self.X[i].tolist(), found.b)
            score, size = float(scores[i]), float(np.linalg.norm(found.w))
            side = "> 0, so +" if score > 0 else "< 0, so −"
            rule = f"{numbered('x', i)}: w·x + b = {product} = {number(score)} {side}"
            if not size:  # the whole plane is positive
                return f"{rule}."
            return (
                f"{rule}. It is nearest to the border, at the distance |w·x + b| / ‖w‖ = "
                f"{number(abs(score) / size)}."
            )
        if isinstance(found, Disc):
            far = float(np.linalg.norm(self.X[step.labels == 1] - found.centre, axis=1).max())
            return (
                f"The positives are at most {number(far)} from the centre "
                f"{vector(found.centre.tolist())}; the radius is {number(found.radius)}."
            )
        inside = counted(int(step.labels.sum()), "positive point")
        small = "hull" if self.hypotheses == POLYGONS else f"smallest {self.one}"
        larger = " It is this point; a larger one is drawn." * self._is_a_point(step)
        return f"The {small} of the {inside} holds no negative point.{larger}"

    def _why_not(self, step: ShatteringStep) -> str:
        """Write the obstacle with its numbers."""
        found, y = step.obstacle, step.labels.astype(bool)
        assert found
        if self.hypotheses == BOXES:
            inside = numbered("x", int(found.shares.argmax()))
            return f"The smallest {self.one} of the positives holds {inside}, which is negative."
        sums = [self._mixed(found.shares, side) for side in (y, ~y)]
        if self.hypotheses == POLYGONS:
            return f"✕ is the negative point {sums[1]} = {sums[0]}, in the hull of the positives."
        both = f"{sums[0]} = {sums[1]}"
        if self.hypotheses == DISCS:
            squares = np.square(self.X - found.place).sum(axis=1)
            plus, minus = (float(found.shares[side] @ squares[side]) for side in (y, ~y))
            return (
                f"✕ = {both}. The positives' mean squared distance from ✕ is {number(plus)}, the "
                f"negatives' {number(minus)}; a disc would need it to be smaller."
            )
        if self._crossing(step):
            return (
                "✕ is between both positives and between both negatives, so it would be on both "
                f"sides: ✕ = {both}."
            )
        return f"✕ is in the hull of the positives and in that of the negatives: ✕ = {both}."

    def _crossing(self, step: ShatteringStep) -> bool:
        """Return whether no half-plane fits: a place is between two positives and two negatives."""
        if not step.obstacle or self.hypotheses != HALF_PLANES:
            return False
        y, used = step.labels.astype(bool), step.obstacle.shares > 0
        return [int((used & side).sum()) for side in (y, ~y)] == [2, 2]

    def _mixed(self, shares: ndarray, side: ndarray) -> str:
        """Write a place as a mixture of points."""
        rows = np.flatnonzero(side & (shares > 0)).tolist()
        alone = len(rows) == 1
        terms = [("" if alone else f"{number(shares[i])} ") + numbered("x", i) for i in rows]
        return " + ".join(terms)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next labelling can be realised."""
        after = self.steps[now + 1]
        yes, no = Option("yes"), Option("no")
        text = f"Next is {marks.signs(after.labels)}. Can a {self.one} realise it?"
        if self.one == "interval":
            text = text.replace(" a i", " an i")
        if after.obstacle:
            return question(text, no, [yes], self._why_not(after))
        return question(text, yes, [no], self._why(after))


def _region(found: Hypothesis | None) -> ndarray:
    """Return the border of a region, with the same number of places for each kind of region.

    So it travels into that of the next step. A half-plane is a square far larger than the picture.
    """
    if found is None:
        return plane.GAP
    if isinstance(found, HalfPlane):
        size = float(np.linalg.norm(found.w))  # 0 if the whole plane is positive
        normal = found.w / size if size else np.array([0.0, 1.0])
        nearest = max(-found.b / size, -_FAR) * normal if size else -_FAR * normal
        way = _FAR * np.array([-normal[1], normal[0]])
        start, end, into = nearest - way, nearest + way, 2 * _FAR * normal
        return np.array([start, end, end + into, start + into, start])
    outline = found.outline(_HIGH)
    return _resampled(outline, _PLACES) if isinstance(found, Polygon) else outline


def _resampled(path: ndarray, count: int) -> ndarray:
    """Return `count` places along a closed line, its corners among them."""
    along = np.append(0.0, np.linalg.norm(np.diff(path, axis=0), axis=1).cumsum())
    places = np.sort(np.append(along, np.linspace(0.0, along[-1], count - len(along))))
    return np.column_stack([np.interp(places, along, column) for column in path.T])
