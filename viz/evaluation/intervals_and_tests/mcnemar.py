"""McNemar's test on one held-out set, point after point."""

from collections.abc import Callable

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.evaluation.mcnemar import McNemarStep, least_leads
from algorithms.evaluation.paired_comparison import LEVEL
from viz.core import curves, panels, plane
from viz.core.found import Regions
from viz.core.naming import named_at_ends, words
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, NOW, rgb
from viz.core.words import counted, number
from viz.evaluation.intervals_and_tests.power import Power
from viz.evaluation.intervals_and_tests.two_classifiers import MARKS, pair, regions_of_first

_LEAST = 8  # disagreements that the axis has room for
_ABOVE = 1.3  # times the largest lead that is drawn, the axis goes up
_FILL = f"rgba{(*rgb(GREY), 0.25)}"


class OneHeldOutSet(Show[McNemarStep]):
    """Both classifiers, the lead of one of them, the four counts, and the power of the test."""

    unit = "point"
    opens = AT_THE_END

    def __init__(self, run: Run, data: Plane, first: str, second: str) -> None:
        """Prepare the picture. first, second : the names of the classifiers."""
        super().__init__(run, data)
        self.first, self.second = first, second
        self.pair = pair(data, self.steps[0].classes, self.steps[0].models, (first, second))
        self.total, last = int(self.steps[0].held_out.sum()), self.steps[-1]
        self.power = Power(self.total, last.only_first + last.only_second)
        self.note = (
            "Every point is held out with the chosen probability. The "
            f"{self.total} held-out points are judged in the order of the data. {MARKS} The "
            "two lines in the linked view are the smallest leads for which the exact test says "
            f"“different” at {number(100 * LEVEL)} %. The test is meant for the last step. A user "
            "who stops at the first crossing declares a difference too often. How often a true "
            "difference is found holds for two classifiers that disagree as often as these."
        )

    def views(self) -> list[View]:
        """Return the picture, the lead, the counts and the power."""
        title = "Both classifiers, and the points judged so far"
        return [
            View(title, self.picture),
            View(f"How far {self.second} is ahead, b − c", self.lead()),
            View("Which classifier was wrong", self.table),
            View("How often a true difference is found", self.power.figure, ahead=True),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both classifiers, and mark the points that only one of them gets wrong."""
        step = self.steps[now]
        return self.pair(step.judged, step.wrong, step.held_out)

    def lead(self) -> Callable[[int], Figure]:
        """Draw b - c against b + c so far, and the leads at which the test says "different"."""
        counts = np.array([(step.only_first, step.only_second) for step in self.steps])
        walk = np.column_stack([counts.sum(axis=1), counts[:, 0] - counts[:, 1]]).astype(float)
        most = max(int(walk[-1, 0]), _LEAST)
        bound = least_leads(most)
        tosses = plane.packed(np.arange(most + 1.0))
        top = max(float(np.nanmax(bound, initial=0.0)), float(np.abs(walk[:, 1]).max()), 1.0)
        still = [
            panels.curve(tosses, plane.packed(side * bound), line={"width": 1.5})
            for side in (1, -1)
        ]
        still.append(
            panels.curve([0, most], [0, 0], line={"width": 1, "dash": "dot", "color": GREY})
        )
        high = _ABOVE * top
        still += [_beyond(side * bound, side * high) for side in (1, -1)]
        first = int(np.argmax(np.isfinite(bound)))
        if np.isfinite(bound[first]):
            still.append(words(np.array([first, bound[first]]), f"{first} to 0 ", "middle left"))
        verdicts = {"“different”": (float(bound[-1]) + high) / 2, "“may be luck”": 0.0}
        across = panels.axis("points on which they disagree, b + c", 0, most)
        up = panels.axis("b − c", -high, high)

        def at(now: int) -> Figure:
            path = plane.line(walk[: now + 1], line={"width": 2.5, "color": NOW})
            mark = curves.marked(*walk[now].tolist())
            figure = panels.alone(panels.Panel([*still, path, mark], across, up))
            return named_at_ends(figure, most, verdicts, margin=104)

        return at

    def table(self, now: int) -> Figure:
        """Draw how many points both get right, only one gets wrong, and both get wrong."""
        names = ["neither", f"only {self.first}", f"only {self.second}", "both"]
        found, top = _cells(self.steps[now]), float(max(_cells(self.steps[-1])))
        bars = {
            "type": "bar",
            "x": [0, 1, 2, 3],
            "y": found,
            "marker": {
                "color": [GREY, NOW, NOW, GREY],
                "pattern": {"shape": ["", "/", "x", ""], "solidity": 0.5},
            },
            "text": [str(count) for count in found],
            "textposition": "outside",
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
        }
        across = panels.axis(
            _chi_square(self.steps[now]), -0.5, 3.5, tickvals=[0, 1, 2, 3], ticktext=names
        )
        up = panels.axis("points", 0.0, 1.12 * max(top, 1.0))  # the counts stand above the bars
        return panels.alone(panels.Panel([bars], across, up))

    def caption(self, now: int) -> str:
        """Write which classifier got the point wrong, the disagreements, and the test."""
        step, total = self.steps[now], self.total
        first, second, b, c = self.first, self.second, step.only_first, step.only_second
        judged = int(step.judged.sum())
        said = (
            f"Point {judged} of {total}: {self._who(step)}."
            if now
            else f"{counted(total, 'held-out point')} wait; both classifiers learned from the "
            f"{len(step.judged) - total} others."
        )
        lines = [
            said,
            f"On b = {b} only {first} was wrong, on c = {c} only {second}; the other "
            f"{judged - b - c} do not show which is better.",
            _coin(step),
        ]
        if now < len(self.steps) - 1 and step.p < LEVEL:
            lines[2] += (
                " A user who stops at the first “different” declares a difference too often: the "
                "test is meant for the last point."
            )
        if 0 < now == len(self.steps) - 1:
            found = step.p < LEVEL
            verdict = "the test says “different”" if found else "that may be luck"
            errors = step.wrong.sum(axis=1).tolist()
            lines[0] = (
                f"{first} is wrong on {errors[0]} of {total} points, {second} on {errors[1]}: "
                f"{verdict}."
            )
            if not found:
                lines[1] = (
                    f"On b = {b} only {first} was wrong, on c = {c} only {second}; "
                    f"{self.power.words()}."
                )
        return "\n".join(lines)

    def found(self, now: int) -> Regions:
        """Return what the first classifier predicts."""
        return regions_of_first(self.data, self.steps[0].models)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask about the point that is judged next; if the two disagree, sometimes about p."""
        before, after = self.steps[now], self.steps[now + 1]
        place = (0, *self.data.X[after.point].tolist())
        a, b = after.wrong[:, after.point].tolist()
        if a != b and rng.random() < 0.5:
            text = f"On the next point only {self.first if a else self.second} is wrong."
            reason = f"It goes from {number(before.p)} to {number(after.p)}."
            text = f"{text} What does p do?"
            return rises_or_falls(text, before.p, after.p, reason, place=place)
        options = [Option("both right"), Option("both wrong")]
        options += [Option(f"only {name} wrong") for name in (self.first, self.second)]
        right = options[(2 if a else 3) if a != b else 1 if a else 0]
        reason = f"Its class is “{self.data.classes[self.data.labels[after.point]]}”."
        text = "The ringed point is judged next. Which classifier is right?"
        return question(text, right, options, reason, place)

    def _who(self, step: McNemarStep) -> str:
        a, b = step.wrong[:, step.point]
        if a == b:
            return "both are wrong" if a else "both are right"
        return f"only {self.first if a else self.second} is wrong"


def _beyond(bound: ndarray, end: float) -> dict:
    """Shade the leads at which the test says "different", up to the end of the axis."""
    tosses = np.flatnonzero(np.isfinite(bound))
    inner = np.column_stack([tosses, bound[tosses]])
    outer = np.column_stack([tosses, np.full(len(tosses), end)])
    area = np.concatenate([inner, outer[::-1]]) if len(tosses) else plane.GAP
    name = "leads at which the test says “different”"
    return plane.line(area, fill="toself", fillcolor=_FILL, line={"width": 0}, name=name)


def _cells(step: McNemarStep) -> list[int]:
    """Return the numbers of points: both right, only first wrong, only second wrong, both wrong."""
    b, c, both = step.only_first, step.only_second, int(step.wrong.all(axis=0).sum())
    return [int(step.judged.sum()) - b - c - both, b, c, both]


def _coin(step: McNemarStep) -> str:
    """Write how often a fair coin falls as one-sidedly as the disagreements."""
    b, c = sorted((step.only_first, step.only_second))
    if b + c == 0:
        return "They have not disagreed, so p = 1."
    tails = "1" if b == c else f"2 P(at most {b} heads of {b + c}) = {number(step.p, 2)}"
    return f"If both are equally good, chance alone gives {c}:{b} or worse with p = {tails}."


def _chi_square(step: McNemarStep) -> str:
    """Write the older test with its numbers, below the counts that it compares."""
    b, c = step.only_first, step.only_second
    if b + c == 0:
        return ""
    return (
        f"chi-square: max(|{b} − {c}| − 1, 0)²/{b + c} = {number(step.chi_square)}, "
        f"p = {number(step.chi_square_p, 2)}"
    )
