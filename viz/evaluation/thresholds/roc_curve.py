"""A threshold on a score goes down: which points are called positive, the rates, and the cost."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.evaluation.cost_by_halves import cost_by_halves
from algorithms.evaluation.held_out_scores import Judged
from algorithms.evaluation.roc_curve import RocStep, pairs
from viz.core import curves, panels, plane
from viz.core.drawing import Drawing
from viz.core.naming import in_corner, words
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, color, rgb
from viz.core.words import counted, listed, number
from viz.evaluation.thresholds.ranking import CLEAR, Ranking, star

_CELLS = 100  # along each axis
_SHADES = 16  # on either side of the threshold
_OPACITY = np.tile(np.linspace(20, 110, _SHADES).astype(np.uint8), 2)
_BINS = 24
_TRAINING, _LEFT_OUT = 0.25, 0.08  # opacity of points
_SMALL = 0.55  # diameter of a point that is not held out
_HANDLE, _STAR, _TOP = 1.6, 1.15, 2.0  # parts of the highest bar: the handle, ★, and the end
_NAME = 0.78  # of the highest bar: how far the names of the sides are from 0
_IN = 0.02  # of the axis of scores: between the threshold and a name
_LETTER = 0.0185  # of the axis of scores: a letter of a name
_LOW = 0.6  # of the highest bar: names are above lower ones
_ABOVE = 0.02  # of the range of the scores: from the highest one to the first threshold
_WAYS = ["up", "to the right", "up and to the right"]
_EVENTS = {
    "least cost": "no threshold costs less.",
    "first false alarm": "this is the first false alarm.",
    "no miss left": "no positive is missed any more.",
}
_SIGNS = {
    "wrong": "thick outline: called wrong",
    "size": "small and faint: a training point, which is not counted",
    "strength": "faint: not counted",
    "marks": ["", "has just been called positive"],
}


@dataclass(frozen=True, eq=False)
class Choice:
    """The choices made on the page.

    name, rival : the classifier, and another one to compare, if any. positive : the positive class.
    held, kept : (n,) which points are held out, and which take part at all. miss : what a miss
    costs, in false alarms. query : the picked point.
    """

    name: str
    rival: str
    positive: int
    held: ndarray
    kept: ndarray
    miss: float
    query: ndarray


class Threshold(Show[RocStep]):
    """The threshold on the plane, on the ROC curve and among the scores."""

    opens = 30

    def __init__(
        self,
        run: Run,
        data: Plane,
        judged: Judged,
        choice: Choice,
        beside: Run | None = None,
    ) -> None:
        """Prepare the scores of the cells, the curves and the histogram.

        beside : the run of another classifier on the same points.
        """
        super().__init__(run, data)
        self.judged, self.choice = judged, choice
        self.test = choice.held & choice.kept  # which points are judged
        self.best = int(np.argmin([step.cost for step in self.steps]))
        rival = Ranking(choice.rival, beside.steps) if beside else None
        self.curve = Ranking(choice.name, self.steps, self.best, choice.miss, rival)
        self.thresholds = np.array([step.threshold for step in self.steps])
        self.thresholds[0] = _above(judged.scores)
        rng = np.random.default_rng(0)
        self.halves = cost_by_halves(judged.positive, judged.scores, miss=choice.miss, rng=rng)
        self.note = self._note()
        # The negatives are grey if they are of several classes.
        others = np.setdiff1d(data.labels[choice.kept], [choice.positive])
        rest = color(int(others[0])) if len(others) == 1 else GREY
        self.colors = rest, color(choice.positive)
        named = [data.classes[k] for k in (*others.tolist(), choice.positive)]
        said = [f" (class {panels.label(name)})" for name in named]
        self.sides = f"negatives{said[0] if len(said) == 2 else ''}", f"positives{said[-1]}"
        self.key = (
            "stronger shade: score farther from the threshold<br>"
            f"positive: class {panels.label(named[-1])} · small: training · diamond: called last"
        )
        self._sort_into_bins()
        self._score_cells()

    def _score_cells(self) -> None:
        """Compute the scores of the cells, and the share of the held-out points below each."""
        self.x, self.y, cells = plane.grid(self.data.bounds, _CELLS)
        self.cells = self.judged.score(cells).reshape(_CELLS, _CELLS)
        self.ranked = np.sort(self.judged.raw)
        self.share = np.searchsorted(self.ranked, self.cells) / len(self.ranked)
        self.fills = np.repeat(np.array([rgb(c) for c in self.colors], np.uint8), _SHADES, axis=0)

    def _sort_into_bins(self) -> None:
        """Count the held-out negatives and positives by their scores."""
        scores, positive = self.judged.scores, self.judged.positive
        low, high = float(scores.min()), float(scores.max())
        few = np.array([low - 0.5, low + 0.5])
        self.edges = np.linspace(low, high, _BINS + 1) if high > low else few
        self.counts = [np.histogram(scores[positive == k], self.edges)[0] for k in (0, 1)]
        self.top = float(np.max(self.counts))

    def views(self) -> list[View]:
        """Return the picture, the ROC curve, the scores, and precision against recall."""
        point = Track("Point on the ROC curve", self.curve.rates[:, None])
        handle = np.column_stack([self.thresholds, np.full(len(self.steps), _HANDLE * self.top)])
        line = Track("Threshold", handle[:, None], "x")
        roc, precision = self.curve.roc(), self.curve.precision()
        return [
            View("Which points are called positive", self.picture),
            View("ROC curve: drag the point", roc, 1.6, point, ahead="to a question"),
            View("Scores by class: drag the threshold", self.scores, 1.0, line),
            View("Precision and recall", precision, 1.0, ahead="to a question"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw where points are called positive, the border, and the points; mark the latest.

        The shade shows how many of the held-out points score between a place and the threshold.
        """
        data, judged, step, test = self.data, self.judged, self.steps[now], self.test
        t = self._raw_threshold(now)
        called = self.cells >= t
        apart = np.abs(self.share - np.searchsorted(self.ranked, t) / len(self.ranked))
        shade = np.rint(apart * (_SHADES - 1)).astype(np.uint8)
        # A score equal to the threshold is positive: the border is just below.
        above = self.cells - t + 1e-9 * float(np.ptp(self.cells) or 1.0)
        wrong, newest = np.zeros(len(test), bool), np.zeros(len(test), bool)
        wrong[test] = (judged.scores >= step.threshold) != (judged.positive == 1)
        newest[test] = judged.scores == step.threshold
        cells = shade + _SHADES * called.astype(np.uint8)
        traces = [
            plane.image(cells, self.fills, _OPACITY, data.bounds)
            | {"name": "what is called: the stronger, the more held-out points score in between"},
            plane.borders(
                self.x, self.y, np.stack([-above, above]), line={"width": 2.5}, name="threshold"
            ),
            in_corner(self.key, data.bounds, "bottom right"),
        ]
        strength = np.select([test, self.choice.kept], [1.0, _TRAINING], _LEFT_OUT)
        size = np.where(test, 1.0, _SMALL)
        points = plane.points(data.X, data.labels, wrong, size=size, strength=strength, held=test)
        marks = plane.marks(newest, (100, 102), (0, 26), 2)
        return plane.figure(
            traces, data.bounds, data.names, points=points, marks=marks, signs=_SIGNS
        )

    def scores(self, now: int) -> Figure:
        """Draw a histogram of the scores of each class: positives up, negatives down."""
        edges, top, t = self.edges, self.top, float(self.thresholds[now])
        bars = zip(self.counts, (-1, 1), self.colors, self.sides, strict=True)
        traces = [
            {
                "type": "bar",
                "x": plane.packed((edges[1:] + edges[:-1]) / 2),
                "y": plane.packed(sign * count.astype(float)),
                "width": float(edges[1] - edges[0]),
                "marker": {"color": hue},
                "name": name,
                "customdata": count.tolist(),
                "hovertemplate": f"%{{customdata}} {name}<extra></extra>",
            }
            for count, sign, hue, name in bars
        ]
        best = np.array([float(self.thresholds[self.best]), _STAR * top])
        traces += [panels.upright(t, -top, _HANDLE * top), star(best, "middle left", "")]
        traces.append(self._called(now))
        for side, sign in ((0, -1), (1, 1)):
            place = np.array([self._name_at(side, t), sign * _NAME * top])
            traces.append(words(place, self.sides[side], "middle right"))
        ticks = {"tickvals": [-top, 0, top], "ticktext": [f"{top:g}", "0", f"{top:g}"]}
        layout = curves.panel_layout(
            xaxis=panels.axis("score", float(edges[0]), float(edges[-1])),
            yaxis=panels.axis("points", -top, _TOP * top, **ticks),
            barmode="overlay",
        )
        layout["margin"] |= {"l": 58}
        return {"data": traces, "layout": layout}

    def _name_at(self, side: int, t: float) -> float:
        """Return where a side's name begins: clear of its high bars and of the threshold t."""
        edges, width = self.edges, float(self.edges[-1] - self.edges[0])
        long, gap = _LETTER * len(self.sides[side]) * width, _IN * width
        high = self.counts[side] > _LOW * self.top
        first, last = float(edges[0]), float(edges[-1]) - long
        starts = [(last, first)[side], t + gap, t - gap - long, (last, first)[1 - side]]
        for start in starts:
            end = start + long
            inside = start >= first and end <= edges[-1] + gap
            apart = not start - gap < t < end + gap
            if inside and apart and not (high & (edges[1:] > start) & (edges[:-1] < end)).any():
                return start
        return starts[0]

    def _called(self, now: int) -> dict:
        """Write beside the threshold's handle how many points score at least as much."""
        step, t = self.steps[now], float(self.thresholds[now])
        called = step.true_positives + step.false_positives
        text = f"{called} of {int(self.test.sum())} called positive"
        left = t > (self.edges[0] + self.edges[-1]) / 2
        place = np.array([t, _HANDLE * self.top])
        named = f"{text}{CLEAR}" if left else f"{CLEAR}{text}"
        return words(place, named, "middle left" if left else "middle right")

    def caption(self, now: int) -> str:
        """Write what is called positive, the rates, and the cost; on the last step the area."""
        step, last = self.steps[now], now == len(self.steps) - 1
        rule = self._area() if last else f"{_rates(step)} {self._cost(now)}"
        return "\n".join([self._plainly(now), rule, self._query(now)])

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask where the curve goes, and whether the next threshold is cheaper."""
        before, after = self.steps[now], self.steps[now + 1]
        return _ask_cost(before, after) if rng.random() < 0.3 else _ask_way(before, after)

    def _plainly(self, now: int) -> str:
        """Write which points are called positive; on the last step the area and the least cost."""
        step, best = self.steps[now], self.steps[self.best]
        if now == 0:
            return _with_event("The threshold is above every score: every positive is missed", step)
        if now == len(self.steps) - 1:
            where = f"at {number(best.threshold)}" if self.best else "above all scores"
            misses, alarms = best.false_negatives, best.false_positives
            return _with_event(
                "Every held-out point is called positive. The area under the curve is "
                f"{number(step.area)}; the cheapest threshold, {where}, has "
                f"{misses} miss{'es' * (misses != 1)} and {counted(alarms, 'false alarm')}",
                step,
            )
        found = f"{step.true_positives} of {counted(step.positives, 'positive')}"
        alarms = f"{step.false_positives} of {counted(step.negatives, 'negative')}"
        said = (
            f"Scores from {number(step.threshold)} up are called positive: {found}; {alarms} are "
            "false alarms"
        )
        return _with_event(said, step)

    def _cost(self, now: int) -> str:
        """Add up the cost of this threshold, and compare the cheapest so far."""
        step = self.steps[now]
        alarms, misses = step.false_positives, step.false_negatives
        at = min(range(now + 1), key=lambda i: self.steps[i].cost)
        best = self.steps[at]
        where = "above all scores" if at == 0 else f"at {number(best.threshold)}"
        least = f"; the least so far is {number(best.cost, 4)}, {where}" if at < now else ""
        return (
            f"Cost: {counted(alarms, 'false alarm')} + {number(self.choice.miss)} × "
            f"{misses} miss{'es' * (misses != 1)} = {number(step.cost, 4)}{least}."
        )

    def answer(self, now: int) -> str:
        """Write where the curve goes from here."""
        after = self.steps[min(now + 1, len(self.steps) - 1)]
        return _next(self.steps[now], after) if after is not self.steps[now] else ""

    def _area(self) -> str:
        """Write the whole area, as a share of pairs."""
        found, step = pairs(self.judged.positive, self.judged.scores), self.steps[-1]
        tied = f", in {found.tied} both score the same" if found.tied else ""
        share = f"({found.right} + {found.tied}/2)" if found.tied else f"{found.right}"
        return (
            f"In {found.right} of {step.positives} × {step.negatives} = {found.count} pairs the "
            f"positive scores more{tied}: the area is {share}/{found.count} = "
            f"{number(step.area, 4)}."
        )

    def _raw_threshold(self, now: int) -> float:
        """Return the threshold on the raw scores; the first one is clearly above all of them."""
        judged = self.judged
        return judged.raw_threshold(self.steps[now].threshold) if now else _above(judged.raw)

    def _query(self, now: int) -> str:
        score, t = float(self.judged.score(self.choice.query[None])[0]), self._raw_threshold(now)
        sign, called = ("≥", "positive") if score >= t else ("<", "negative")
        mapped = "" if (self.judged.raw == self.judged.scores).all() else " before the map"
        return f"The picked point scores {number(score)} {sign} {number(t)}{mapped}: {called}."

    def to_draw(self) -> Drawing | None:
        """Return the threshold as a class draws it: a place on its border; None if it has none."""
        raw, t = self.judged.raw, self.judged.raw_threshold(self.steps[self.best].threshold)
        on_border = self.data.X[self.test][raw == t]
        if len(on_border) == 0:
            return None
        left, right, bottom, top = self.data.bounds
        called = np.array([step.true_positives + step.false_positives for step in self.steps])
        rounding = 1e-9 * float(np.ptp(raw) or 1.0)

        def cost(places: ndarray) -> float:
            above = np.count_nonzero(raw >= self.judged.score(places)[0] - rounding)
            return self.steps[int(np.searchsorted(called, above, "right")) - 1].cost

        name = self.data.classes[self.choice.positive]
        return Drawing(
            task=f"Place a point on the border: {self.choice.name} calls “{name}” whatever scores "
            "at least as much as this place.",
            shape="points",
            names=("Place on the border",),
            start=np.array([[(left + right) / 2, (bottom + top) / 2]]),
            measure="cost in false alarms",
            cost=cost,
            best=on_border[:1],
        )

    def _note(self) -> str:
        """Write which points are judged, what ★ means, and how optimistic the cost is."""
        positive, test = self.data.classes[self.choice.positive], self.judged.held_out
        left_out = int((~self.choice.kept).sum())
        few = f" {counted(left_out, 'positive')}, almost invisible, take no part." * (left_out > 0)
        return (
            f"Class “{positive}” is the positive one. {self.choice.name} learned from the "
            f"{int((~test).sum())} faint points, standardised. The other {int(test.sum())} "
            "are held out, point by point with the chosen probability, and all counts are of "
            f"them.{few} ★ is the threshold of least cost. "
            "All places on the dashed line through it cost the same. Random scores would give the "
            f"thin dotted line. At step 0 the threshold is above every score.{self._optimism()}"
        )

    def _optimism(self) -> str:
        """Write the least cost on points that ★ was not chosen for."""
        if self.halves is None:
            return ""
        return (
            " The cost at ★ is optimistic, since ★ was chosen for these very points. If one half "
            "of them chooses the threshold, the cost is "
            f"{number(100 * self.halves.chosen)} per 100 points on this half, and "
            f"{number(100 * self.halves.judged)} on the other (means of {self.halves.count} "
            "random halves)."
        )


def _above(scores: ndarray) -> float:
    """Return a threshold that is seen to be above all scores."""
    return float(scores.max() + _ABOVE * (np.ptp(scores) or 1.0))


def _with_event(said: str, step: RocStep) -> str:
    return f"{said}; {_EVENTS[step.event]}" if step.event else f"{said}."


def _rates(step: RocStep) -> str:
    """Write the place on the ROC curve."""
    found = f"{step.true_positives}/{step.positives} = {number(step.true_positive_rate)}"
    alarms = f"{step.false_positives}/{step.negatives} = {number(step.false_positive_rate)}"
    return f"True positive rate {found}, false positive rate {alarms}."


def _next(step: RocStep, after: RocStep) -> str:
    """Write where the curve goes from here."""
    ups = after.true_positives - step.true_positives
    rights = after.false_positives - step.false_positives
    called = [counted(k, what) for k, what in ((ups, "positive"), (rights, "negative")) if k]
    ways = [way for k, way in ((ups, "up"), (rights, "to the right")) if k]
    return f"The next threshold calls {listed(called)} more: the curve goes {listed(ways)}."


def _ask_way(before: RocStep, after: RocStep) -> Question | None:
    found = after.true_positives - before.true_positives
    alarms = after.false_positives - before.false_positives
    options = [Option(way) for way in _WAYS]
    right = options[2 if found and alarms else 0 if found else 1]
    reason = (
        f"With the threshold {number(after.threshold)} {counted(found, 'positive')} and "
        f"{counted(alarms, 'negative')} more are called positive."
    )
    text = "The threshold falls to the next score. Which way does the ROC curve go?"
    return question(text, right, options, reason)


def _ask_cost(before: RocStep, after: RocStep) -> Question | None:
    reason = f"In false alarms, it goes from {number(before.cost)} to {number(after.cost)}."
    text = "The threshold falls to the next score. What does the cost do?"
    return rises_or_falls(text, before.cost, after.cost, reason)
