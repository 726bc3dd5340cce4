"""Two classifiers compared by t-tests over folds or over random splits."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from algorithms.evaluation.paired_comparison import (
    FOLDS,
    LEVEL,
    FalseAlarms,
    PairedStep,
    TTest,
)
from viz.core import curves, panels, plane
from viz.core.found import Regions
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, color
from viz.core.words import counted, number
from viz.evaluation.intervals_and_tests.two_classifiers import MARKS, pair, regions_of_first

_PLAIN = {"width": 2.5, "color": color(3)}
_CORRECTED = {"width": 2.5, "color": color(2), "dash": "6px,3px"}
_LEAST = 1e-4  # a p-value below is not written out
_MOST_DIGITS = 8  # of the numbers in a formula
_BESIDE = 0.2  # of the splits: room on the right for the intervals


class TwoLearners(Show[PairedStep]):
    """The differences of the errors, fold by fold or split by split, and two tests."""

    unit = "split"
    counts_from = 1
    opens = AT_THE_END

    def __init__(
        self,
        run: Run,
        data: Plane,
        alarms: FalseAlarms,
        names: tuple[str, str],
        scheme: str,
    ) -> None:
        """Write the note. names : of both classifiers. scheme : how parts are held out."""
        super().__init__(run, data)
        self.alarms, (self.first, self.second) = alarms, names
        self.one = "fold" if scheme == FOLDS else "split"
        n = len(data.X)
        how = (
            f"The {n} points are dealt into folds, class by class."
            if scheme == FOLDS
            else f"Every split draws again, point by point, which of the {n} points are held out."
        )
        self.note = (
            f"{how} Both classifiers are fitted to the others, standardised. {MARKS} A test says "
            f"“different” if p is below {number(100 * LEVEL)} %, which means that its interval "
            f"around the mean leaves out 0. The false alarms are counted on {alarms.sets} "
            f"simulated data sets of {alarms.n} points each, not on the board's points. There, "
            "each classifier is the nearest mean on one feature, and both features are equally "
            "useful."
        )

    def views(self) -> list[View]:
        """Return the picture, the differences, and the false alarms."""
        return [
            View("Both classifiers, and the held-out points", self.picture),
            View(f"Errors: {self.first} minus {self.second}", self.differences()),
            View(
                "False alarms of equally good classifiers",
                self.alarm_curves(),
                ahead="by step",
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both classifiers, and mark the held-out points that only one of them gets wrong."""
        step = self.steps[now]
        draw = pair(self.data, step.classes, step.models, (self.first, self.second), fine=False)
        return draw(step.held_out, step.wrong, step.held_out)

    def differences(self) -> Callable[[int], Figure]:
        """Draw the differences so far, their mean, and the intervals of both tests beside them."""
        steps = self.steps
        final = 100 * steps[-1].differences
        count = len(final)
        low, high = float(min(final.min(), 0.0)), float(max(final.max(), 0.0))
        ends, places = [0.5, (1 + _BESIDE) * count + 0.5], plane.packed(np.arange(1.0, count + 1))
        beside = count + 0.5 + _BESIDE * count * np.array([0.35, 0.75])
        across = panels.axis(self.one, 1, count) | {"range": ends}
        up = panels.axis("difference, %", low, high if high > low else low + 1.0)
        zero = panels.curve(ends, [0, 0], line={"width": 1, "dash": "dot"})

        def at(now: int) -> Figure:
            step = steps[now]
            found = np.where(np.arange(count) <= now, final, np.nan)
            mean = 100 * step.mean
            traces = [
                _interval(beside[0], mean, step.plain, _PLAIN, "± plain t"),
                _interval(beside[1], mean, step.corrected, _CORRECTED, "± corrected t"),
                zero,
                panels.curve(ends, [mean, mean], line={"width": 2.5}, name="mean", showlegend=True),
                panels.curve(places, plane.packed(found), mode="markers", marker={"size": 7}),
                curves.marked(now + 1, float(final[now])) | {"showlegend": False},
            ]
            return curves.with_legend(panels.alone(panels.Panel(traces, across, up)))

        return at

    def alarm_curves(self) -> Callable[[int], Figure]:
        """Draw the share of false alarms of both tests after every number of resamples."""
        alarms = self.alarms
        count = len(alarms.plain)
        b = np.arange(1.0, count + 1)
        shown = {
            "plain t": (alarms.plain, _PLAIN),
            "corrected t": (alarms.corrected, _CORRECTED),
        }
        lines = [
            panels.curve(
                plane.packed(b), plane.packed(100 * share), line=stroke, name=name, showlegend=True
            )
            for name, (share, stroke) in shown.items()
        ]
        promised = panels.curve(
            [1, count], [100 * LEVEL] * 2, line={"width": 1.5, "dash": "dot", "color": GREY}
        )
        top = 100 * max(float(alarms.plain.max()), float(alarms.corrected.max()), 2 * LEVEL)
        across = panels.axis(f"{self.one}s", 1, count)
        up = panels.axis("% of data sets", 0.0, top)

        def at(now: int) -> Figure:
            marks = [
                curves.marked(now + 1, 100 * float(share[now]), marker=dot, showlegend=False)
                for (share, _), dot in zip(shown.values(), (curves.DOT, curves.HOLLOW), strict=True)
            ]
            panel = panels.Panel([promised, *lines, *marks], across, up)
            return curves.with_legend(panels.alone(panel))

        return at

    def caption(self, now: int) -> str:
        """Write the errors on this part, both tests, and how often the tests raise false alarms."""
        step, b, one = self.steps[now], now + 1, self.one
        first, second = step.wrong.sum(axis=1).tolist()
        held, alarms = int(step.held_out.sum()), self.alarms
        headline = (
            f"{one.capitalize()} {b} of {len(self.steps)}: of {counted(held, 'held-out point')} "
            f"{self.first} gets {first} wrong and {self.second} {second}, a difference of "
            f"{_points(step.differences[-1])} percentage points."
        )
        if b == len(self.steps) and step.plain and step.corrected:
            headline = self._verdicts(step.mean, b, step.plain, step.corrected)
        lines = [
            headline,
            *_tests(step, b, one),
            f"In the simulation, with two equally good classifiers, the plain test says "
            f"“different” on {number(100 * alarms.plain[now])} % of data sets after "
            f"{counted(b, one)}, the corrected one on {number(100 * alarms.corrected[now])} %.",
        ]
        return "\n".join(lines)

    def _verdicts(self, mean: float, b: int, plain: TTest, corrected: TTest) -> str:
        """Write the mean difference at the end, and what both tests say."""
        worse, better = (self.first, self.second)[:: 1 if mean >= 0 else -1]
        said = f"the plain test says “{_verdict(plain)}”, the corrected one"
        if plain.rejects == corrected.rejects:
            said = "both tests say"
        return (
            f"On average over {b} {self.one}s, {worse} has {_points(abs(mean))} percentage points "
            f"more errors than {better}: {said} “{_verdict(corrected)}”."
        )

    def found(self, now: int) -> Regions:
        """Return what the first classifier predicts."""
        return regions_of_first(self.data, self.steps[now].models, fine=False)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which classifier gets fewer wrong, or whether the plain test's p rises."""
        before, after = self.steps[now], self.steps[now + 1]
        return self._p_value(before, after) if rng.random() < 0.5 else self._fewer(after)

    def _fewer(self, after: PairedStep) -> Question | None:
        first, second, wrong = self.first, self.second, after.wrong.sum(axis=1).tolist()
        if first == second:
            return None
        options = [Option(first), Option(second), Option("both alike")]
        right = options[2 if wrong[0] == wrong[1] else int(wrong[1] < wrong[0])]
        reason = f"{first} gets {wrong[0]} wrong, {second} {wrong[1]}."
        text = f"The next {self.one} is held out. Which classifier gets fewer of its points wrong?"
        return question(text, right, options, reason)

    def _p_value(self, before: PairedStep, after: PairedStep) -> Question | None:
        was, now = before.plain, after.plain
        if was is None or now is None:
            return None
        d = number(100 * after.differences[-1])
        text = (
            f"The difference of the next {self.one} is {d} points. What does the plain test's p do?"
        )
        reason = f"It goes from {number(was.p)} to {number(now.p)}."
        return rises_or_falls(text, was.p, now.p, reason)


def _interval(x: float, mean: float, test: TTest | None, stroke: dict, name: str) -> dict:
    """Draw the interval around the mean, which leaves out 0 if the test rejects."""
    half = 100 * test.half if test else 0.0
    ends = [mean - half, mean + half]
    return panels.curve(
        [x, x], ends, line={**stroke, "width": 6}, visible=test is not None, name=name,
        showlegend=True,
    )  # fmt: skip


def _points(share: float) -> str:
    return number(100 * share)


def _tests(step: PairedStep, b: int, one: str) -> list[str]:
    """Write the plain and the corrected t with the mean and the spread of the differences.

    The corrected one adds how many points are held out for each training point, on average.
    """
    plain, corrected = step.plain, step.corrected
    if plain is None or corrected is None:
        why = "One difference has no spread" if b == 1 else f"All {b} differences are the same"
        return [f"{why}, so there is no t."]
    mean, spread, shared = _enough_digits(step, plain, corrected, b)
    return [
        f"Plain t-test: t = {mean}/({spread} √(1/{b})) = {number(plain.t)}, {_p(plain)}.",
        f"Corrected for shared training points ({shared} held-out points per training point, "
        f"the mean of {counted(b, one)}): t = {mean}/({spread} √(1/{b} + {shared})) = "
        f"{number(corrected.t)}, {_p(corrected)}.",
    ]


def _enough_digits(step: PairedStep, plain: TTest, corrected: TTest, b: int) -> list[str]:
    """Write mean, spread and overlap so that both t can be computed from what is written."""
    digits, exact = 3, (100 * step.mean, 100 * plain.spread)
    for digits in range(3, _MOST_DIGITS):
        mean, spread = (float(f"{value:.{digits}g}") for value in exact)
        shared = round(step.overlap, digits - 1)
        found = (mean / (spread * np.sqrt(1 / b + more)) for more in (0.0, shared))
        if [*map(number, found)] == [number(plain.t), number(corrected.t)]:
            break
    return [*(number(value, digits) for value in exact), f"{step.overlap:.{digits - 1}f}"]


def _p(test: TTest) -> str:
    p = f"= {number(test.p, 2)}" if test.p >= _LEAST else "< 0.0001"
    return f"p {p}: {_verdict(test)}"


def _verdict(test: TTest) -> str:
    return "different" if test.rejects else "may be luck"
